"""Freshness of `SHARED-CONTEXT.md`, by the tape and the story."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date

from reel_cli.core.errors import ReelError
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.tape.session_file import parse_session
from reel_cli.core.tape.tape_view import read_events, read_session, retracted, standing_sessions, told_later
from reel_cli.core.values.change import one_line
from reel_cli.core.values.source import Ranges, to_ranges
from reel_cli.core.values.talk import Entry, session_order, session_path
from reel_cli.features.dream.context.files import CONTEXT, parse_context, without_parts
from reel_cli.features.dream.context.shared_context import (
    SPAN,
    ContextBasis,
    Freshness,
    Place,
    SharedContext,
    Tape,
    judge_context,
)
from reel_cli.features.dream.story.files import HISTORY

_LONGEST = 100
"""Maximum characters of a model's name."""


def read_shared(snapshot: Snapshot) -> SharedContext | None:
    """Return the shared context; None if there is none. Raises ReelError if it is no text."""
    text = snapshot.text(CONTEXT)
    return parse_context(text) if text and text.strip() else None


def read_standing_context(snapshot: Snapshot) -> str:
    """Return the file's text as it may go out: while its five parts rest, a person's additions alone."""
    text = snapshot.text(CONTEXT) or ""
    return without_parts(text) if is_resting(snapshot, parse_context(text).known) else text


def is_resting(snapshot: Snapshot, known: ContextBasis | None) -> bool:
    """Return whether a chat that a shared context may tell of was taken back since it was written.

    Nobody can tell which of its lines are of which chat. One that does not say what it knows is a person's.
    """
    gone = _gone_until(snapshot, known.place) if known is not None else ()
    if not gone or known is None:
        return False
    if known.without or not known.on:
        return known.without != _print_of(gone)
    taken = (one for one in read_events(snapshot) if one.kind == "retract" and one.session in gone)
    return any(one.at[:10] >= known.on for one in taken)


def make_basis(snapshot: Snapshot, place: Place, on: date, wrote: Mapping[str, str]) -> ContextBasis:
    """Return the basis of a shared context that is written now, up to a place.

    `wrote` is a note on the model that writes it; without one it is the last to speak in the place's chat.
    """
    without = _print_of(_gone_until(snapshot, place))
    model = wrote.get("model") or last_model(snapshot, place.session)
    return ContextBasis(place, on.isoformat(), model, without, wrote.get("model_from", ""))


def _gone_until(snapshot: Snapshot, place: Place) -> Sequence[str]:
    last = session_order(place.session)
    return sorted(one for one in retracted(snapshot) if session_order(one) <= last)


def _print_of(sessions: Sequence[str]) -> str:
    return hashlib.sha256(" ".join(sessions).encode()).hexdigest()[:8] if sessions else ""


def print_of_context(snapshot: Snapshot) -> str:
    """Return a print of the file as it stands, to know whether somebody has written in it since.

    It is another one once a chat was taken back: the prompt may tell of that.
    """
    gone = " ".join(sorted(retracted(snapshot))).encode()
    return hashlib.sha256((snapshot.read(CONTEXT) or b"") + gone).hexdigest()[:16]


def find_newest(overview: Snapshot) -> Place | None:
    """Return the last message on the tape that was said and not retracted; None if there is none."""
    for session in reversed(standing_sessions(overview)):
        path = session_path(session)
        note = overview.note("last said", [path], lambda path: _last(overview.read(path) or b"", path))
        number, said = note[path]
        if number:
            return Place(session, number, said)
    return None


def _last(data: bytes, path: str) -> tuple[int, str]:
    """Return the highest number among a session's shown messages, and the newest one's time."""
    shown = parse_session(data, path).shown()
    times = [entry.message.time for entry in shown if entry.message.time]
    return max((entry.number or 0 for entry in shown), default=0), times[-1] if times else ""


def is_recent(session: str, shown: Sequence[Entry], newest: Place, known: ContextBasis | None) -> bool:
    """Return whether a session goes beyond what is known, or into the 48 hours before the newest."""
    last = Place(session, max(entry.number or 0 for entry in shown), shown[-1].message.time or "")
    return (known is not None and last.order > known.place.order) or newest.when - last.when <= SPAN


def last_model(snapshot: Snapshot, session: str) -> str:
    """Return the model that spoke last in a session; "" if unknown."""
    lived = read_session(snapshot, session)
    said = next((e.message.model for e in reversed(lived.entries) if e.message.model), None)
    return one_line(said or told_later(snapshot, session).get("model") or lived.model or "", _LONGEST)


def lately(
    snapshot: Snapshot, newest: Place, known: ContextBasis | None, most: int = 8
) -> Mapping[str, Ranges]:
    """Return the recent messages as ranges by session, of at most `most` sessions."""
    found: dict[str, Ranges] = {}
    for session in reversed(standing_sessions(snapshot)[-most:]):
        shown = read_session(snapshot, session).shown()
        if not shown or not is_recent(session, shown, newest, known):
            break
        found[session] = to_ranges(entry.number or 0 for entry in shown)
    return dict(reversed(found.items()))


def judge_freshness(overview: Snapshot, today: date | None = None) -> Freshness:
    """Return whether the shared context is out of date; nearly free if it neither exists nor is due.

    With `today`, a chat is going on that is not on the tape yet. Raises ReelError where a file that this
    is told by cannot be read.
    """
    has_story = bool((overview.read(HISTORY) or b"").strip())
    if not has_story and overview.read(CONTEXT) is None:
        return Freshness.NONE
    context = read_shared(overview)
    newest = find_newest(overview)
    known = context.known if context is not None else None
    if newest is not None and is_resting(overview, known):
        return Freshness.STALE
    standing = standing_sessions(overview)
    later = sum(
        known is None or session_order(name) > session_order(known.place.session) for name in standing
    )
    tape = Tape(newest, later, _dreamt(overview), has_story)
    if today is not None:
        day = today.isoformat()
        number = max((session_order(name)[1] for name in standing if name.startswith(day)), default=0) + 1
        tape = replace(tape, newest=Place(f"{day}-{number}", 1), later=later + 1)
    return judge_context(context, tape)


def _dreamt(overview: Snapshot) -> Place | None:
    """Return the last message read by a dream that is done."""
    from reel_cli.features.dream.cursor_file import CURSOR, parse_cursor
    from reel_cli.features.dream.dream import DreamState

    text = overview.text(CURSOR)
    cursor = parse_cursor(text) if text and text.strip() else None
    if cursor is None or cursor.state is not DreamState.DONE or not cursor.read:
        return None
    session = max(cursor.read, key=session_order)
    return Place(session, cursor.read[session][-1][1])


def is_due(snapshot: Snapshot, today: date | None = None) -> bool:
    """Return whether a page's prompt should ask for the shared context too; False if that is unclear."""
    try:
        return judge_freshness(snapshot, today) is Freshness.STALE
    except ReelError:
        return False
