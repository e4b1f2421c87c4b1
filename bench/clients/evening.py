"""The same evening in every program that writes chats down, and what `reel record` reads of it."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from clients.check import Report
from clients.kit import EVENING, Kit
from clients.local_server import OTHERWISE

NEXT = ("Until tomorrow, then.", OTHERWISE)
"""The question after the chat was recorded for the first time, and its answer."""


def check_evening(kit: Kit, report: Report, program: str, file: Path) -> str | None:
    """Record the file in which a program has kept the evening; returns the session, if there is one."""
    rows = kit.record(file)
    report.same(
        f"`reel record` knows the file of {program} by itself", [row["format"] for row in rows], [program]
    )
    if not rows:
        return None
    session = str(rows[0]["session"])
    report.same(
        "who said what, word for word, and nothing that the program or its instructions said",
        kit.said(session),
        EVENING,
    )
    report.same("recorded again: nothing is added", [row["added"] for row in kit.record(file)], [0])
    return session


def check_times(kit: Kit, report: Report, session: str) -> None:
    """Look whether messages of just now have the time of now, in a zone that is not UTC."""
    now = datetime.now(UTC)
    told = [kit.started(session), *(about.get("at") for about, _ in kit.messages(session))]
    times = [datetime.fromisoformat(time) for time in told if time]
    report.show(
        "its times are those of this machine's zone",
        times and all(abs(now - time) < timedelta(minutes=30) for time in times),
        f"{[time.isoformat() for time in times[:2]]} at {now.isoformat()}",
    )


def check_growth(kit: Kit, report: Report, session: str, file: Path, go_on: Callable[[str], object]) -> None:
    """Go on with the chat in the program, and look whether the recorded one has grown by just that."""
    go_on(NEXT[0])
    rows = kit.record(file)
    report.same("the chat goes on: the same session grows", [row["session"] for row in rows], [session])
    report.same(
        "and by the new turn alone", kit.said(session), [*EVENING, ("user", NEXT[0]), ("assistant", NEXT[1])]
    )
