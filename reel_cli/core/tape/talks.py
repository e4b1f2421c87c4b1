"""The talks of a chat: one that goes on in the same file after a night is had on several days."""

from collections.abc import Sequence
from datetime import date, timedelta

from reel_cli.core.errors import ReelError
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.moment import NEVER, moment, read_day
from reel_cli.core.tape.last_turns import last_days, read_zone
from reel_cli.core.tape.tape_view import read_session
from reel_cli.core.values.talk import Entry, Session

PAUSE = timedelta(hours=6)
"""Pause after which a chat that goes on is another talk: longer than a break, shorter than a night."""


def split_talks(entries: Sequence[Entry]) -> Sequence[Sequence[Entry]]:
    """Return a chat's entries by its talks, each begun after a pause; those without a time go on with one."""
    talks: list[list[Entry]] = []
    before = NEVER
    for entry in entries:
        when = moment(entry.message.time or "")
        if not talks or (NEVER not in (before, when) and when - before >= PAUSE):
            talks.append([])
        talks[-1].append(entry)
        before = when if when != NEVER else before
    return talks


def talk_day(snapshot: Snapshot, session: Session, last: int = 0) -> date:
    """Return the day on which the last talk of a chat began, up to its message `last` where that is given.

    It is that of the chat's name where no later one is told: after midnight an evening is still that evening.
    Raises ReelError where the name holds no day.
    """
    named = read_day(session.id[:10])
    if named is None:
        message = f"{session.id} names a day that there is not."
        raise ReelError(message)
    shown = [entry for entry in session.shown() if not last or (entry.number or 0) <= last]
    newest = split_talks(shown)[-1] if shown else ()
    times = (moment(entry.message.time or "") for entry in newest)
    began = next((when for when in times if when != NEVER), NEVER)
    if began == NEVER:
        return named
    return max(named, began.astimezone(read_zone(snapshot)).date())


def last_talk_day(snapshot: Snapshot, session: str) -> date | None:
    """Return the day on which a session's last talk began; None where its name holds no day."""
    last = last_days(snapshot, [session])[session]
    if last is None or last.isoformat() == session[:10]:
        return last
    return talk_day(snapshot, read_session(snapshot, session))
