"""Rhythm of one session: how full its window got, and how long it goes on without a page (MEMORY-MGMT §6)."""

from typing import TYPE_CHECKING

from reel_cli.core.moment import NEVER, moment
from reel_cli.core.tape.session_size import StartBundle, size_sessions
from reel_cli.core.tape.tape_view import read_session
from reel_cli.core.tokens.counter import get_tokenizer
from reel_cli.core.values.fullness import FULL_AT
from reel_cli.core.values.settings import WHOLE
from reel_cli.core.values.source import session_path

if TYPE_CHECKING:
    from reel_cli.core.kit.snapshot import Snapshot

LONG_MINUTES = 60
"""A session that goes on for longer without a page is breathed out in between."""
LONGEST_HOURS = 48
"""Hours up to which a time is told in hours."""


def minutes_since_page(snapshot: "Snapshot", session: str, fresh: int) -> int | None:
    """Return for how many minutes the last `fresh` messages went on; None if the tape has no times."""
    if not fresh:
        return None
    times = [
        entry.message.time for entry in read_session(snapshot, session).shown()[-fresh:] if entry.message.time
    ]
    first, last = (moment(times[0]), moment(times[-1])) if times else (NEVER, NEVER)
    return None if NEVER in (first, last) else max(0, int((last - first).total_seconds()) // 60)


def tell_minutes(minutes: int) -> str:
    """Return so many minutes in words."""
    hours, rest = divmod(minutes, 60)
    return f"{hours} h {rest} min" if hours < LONGEST_HOURS else f"{hours // 24} days"


def tell_share(used: int, cap: int, held_to: str) -> str:
    """Return in words that so many tokens are over 80 % of the window or cap; "" if they are not."""
    if used * WHOLE < cap * FULL_AT:
        return ""
    return f"took {used * 100 // cap} % of the {held_to}, over {FULL_AT * 100 // WHOLE} %"


def tell_rhythm(snapshot: "Snapshot", session: str, fresh: int, start: StartBundle) -> str:
    """Return what else asks for a page of a session with `fresh` messages: a full window, a long time.

    `start` is the bundle that the newest session began from, where it does not stand in it.
    """
    settings = snapshot.settings
    cap = min(settings.cap, settings.window)
    told: list[str] = []
    # a token is at least a byte, so a short session need not be counted
    most = len(snapshot.read(session_path(session)) or b"") + len(start.text.encode("utf-8", "replace"))
    if most * WHOLE >= cap * FULL_AT:
        counter = get_tokenizer(settings.tokenizer)
        size = start.with_size(size_sessions(snapshot, [session], counter)[session], counter)
        full = tell_share(size.used, cap, settings.held_to)
        told += [full] if full else []
    minutes = minutes_since_page(snapshot, session, fresh)
    if minutes is not None and minutes >= LONG_MINUTES:
        told.append(f"went on for {tell_minutes(minutes)}")
    return " and ".join(told)
