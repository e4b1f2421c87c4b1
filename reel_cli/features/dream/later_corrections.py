"""Corrections and retractions on the tape after a dream read it; the story is told of each once."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

from reel_cli.core.blockquote import plain_item
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.moment import day_in_words
from reel_cli.core.tape.tape_view import CORRECTION, correction_line, read_events, read_session, retracted
from reel_cli.core.values.change import one_line
from reel_cli.core.values.source import Ranges
from reel_cli.core.values.talk import Event, session_order
from reel_cli.features.dream.dream import Cursor

if TYPE_CHECKING:
    from reel_cli.core.values.holdings import Counter

_KINDS = (CORRECTION, "retract", "reinstate")
_LONGEST = 400
"""Characters of a correction that are told."""
_WORDS = 80


@dataclass(frozen=True, slots=True)
class Later:
    """One thing that was put right, or a session that was taken back: which session, and how it is told."""

    session: str
    line: str


def count_later(snapshot: Snapshot) -> Mapping[str, int]:
    """Return how often each session was corrected, retracted or restored."""
    counts: dict[str, int] = {}
    for event in read_events(snapshot):
        if event.kind in _KINDS and event.session:
            counts[event.session] = counts.get(event.session, 0) + 1
    return counts


def find_later(
    snapshot: Snapshot, cursor: Cursor | None, sessions: Collection[str] | None = None
) -> Sequence[Later]:
    """Return the corrections since the story was last told of them, oldest session first.

    Only of what was read; with `sessions`, only in these. Raises StateError where the tape cannot be read.
    """
    if cursor is None or not cursor.read:
        return ()
    counts = count_later(snapshot)
    owed = {
        session
        for session, count in counts.items()
        if session in cursor.read
        and count > cursor.heard.get(session, 0)
        and (sessions is None or session in sessions)
    }
    if not owed:
        return ()
    gone = retracted(snapshot)
    events = [event for event in read_events(snapshot) if event.session in owed]
    found: list[Later] = []
    for session in sorted(owed, key=session_order):
        if session in gone:
            found.append(Later(session, f"{_day(session)}: taken back; it no longer counts as lived"))
            continue
        mine = [event for event in events if event.session == session and event.kind == CORRECTION]
        found += [
            Later(session, _line(snapshot, event)) for event in mine if _was_read(event, cursor.read[session])
        ]
    return found


def heard_of(snapshot: Snapshot, cursor: Cursor, sessions: Collection[str]) -> Mapping[str, int]:
    """Return the cursor with these sessions' corrections marked as seen."""
    counts = count_later(snapshot)
    return {**cursor.heard, **{session: counts[session] for session in sessions if counts.get(session)}}


def tell_later(found: Sequence[Later], room: int, counter: "Counter") -> tuple[str, frozenset[str]]:
    """Return a list of as many as fit into `room` tokens ("" for none), and the sessions that are complete.

    What is left out comes in a later prompt.
    """
    lines: list[str] = []
    told: set[str] = set()
    for session in dict.fromkeys(one.session for one in found):
        mine = [f"- {plain_item(one.line)}" for one in found if one.session == session]
        room -= sum(counter.count(line) + 1 for line in mine)
        if room < 0:
            break
        lines += mine
        told.add(session)
    return "\n".join(lines), frozenset(told)


def _was_read(event: Event, read: Ranges) -> bool:
    if event.about is None:
        return True
    return any(first <= event.about[1] and event.about[0] <= last for first, last in read)


def _day(session: str) -> str:
    number = int(session[11:])
    more = f", talk {number} of that day" if number > 1 else ""
    return f"{day_in_words(date.fromisoformat(session[:10]))}{more}"


def _line(snapshot: Snapshot, event: Event) -> str:
    """Return a correction with the day and the beginning of its target."""
    session = event.session or ""
    words = one_line(correction_line(event), _LONGEST)
    if event.about is None:
        return f"{_day(session)}: {words}"
    entry = read_session(snapshot, session).numbered().get(event.about[0])
    said = f" (“{one_line(entry.message.text, _WORDS)}”)" if entry is not None else ""
    return f"{_day(session)}{said}: {words}"
