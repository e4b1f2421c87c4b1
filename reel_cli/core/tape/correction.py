"""Corrections on the tape: each a new entry that points at what it corrects (REEL §4.6, §6.1)."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime

from reel_cli.core.errors import ReelError
from reel_cli.core.files.commit_message import CORRECTED
from reel_cli.core.kit.snapshot import EVENTS, Snapshot
from reel_cli.core.moment import day_in_words, moment, stamp
from reel_cli.core.tape.events_file import append_events
from reel_cli.core.tape.tape_view import CORRECTION, corrections, read_session, retracted
from reel_cli.core.values.change import Change, for_screen, one_line
from reel_cli.core.values.source import SourceRange, parse_source
from reel_cli.core.values.talk import Event, Session

LONGEST = 20_000
"""A correction of more characters than this is a document, not a correction."""


def plan_correction(snapshot: Snapshot, about: str, text: str, now: datetime) -> Change | None:
    """Return the change that notes a correction; None if the same one is noted already.

    `about` is a session or a stretch of it (`2026-02-10-1#4`). Raises ReelError for an empty text, for
    messages that are not on the tape, and for a session that was taken back.
    """
    words = text.encode("utf-8", "replace").decode().strip()
    span = parse_source(about)
    if span is None:
        message = f"{one_line(about, 60)!r} names no session and no message of one."
        raise ReelError(message, hint='write it like  reel tape correct 2026-02-10-1#4 "it was the 21st"')
    if not words:
        message = "There is nothing to put right: the text is empty."
        raise ReelError(message, hint=f'say how it was:  reel tape correct {span} "it was the 21st"')
    if len(words) > LONGEST:
        message = f"A correction has at most {LONGEST:,} characters; this one has {len(words):,}."
        raise ReelError(message)
    session = read_session(snapshot, span.session)
    if span.session in retracted(snapshot):
        message = f"{span.session} was taken back, so there is nothing in it to put right."
        raise ReelError(message, hint=f"let it stand again first:  reel tape retract {span.session} --undo")
    _require_messages(session, span)
    numbers = (span.first, span.last) if span.last else None
    known = corrections(snapshot).get(span.session, ())
    if any(event.about == numbers and event.text == words for event in known):
        return None
    event = Event(0, CORRECTION, stamp(now), words, span.session, about=numbers)
    place = f"{span.session}#{span.first}" if span.first == span.last != 0 else str(span)
    return Change(
        op="tape",
        summary=f"{CORRECTED}{place}{for_screen(': ' + one_line(words, 60))}",
        writes={EVENTS: append_events(snapshot.read(EVENTS), [event], EVENTS)},
        trailers=(("Reel-Session", span.session),),
    )


def _require_messages(session: Session, span: SourceRange) -> None:
    said = len(session.numbered())
    if span.last > said:
        number = span.last if span.first <= said else span.first
        message = f"Session {session.id} has {said:,} message{'' if said == 1 else 's'}, and no {number:,}."
        raise ReelError(message, hint=f"see them with  reel tape show {session.id} --numbers")


def place_corrections(
    events: Sequence[Event], shown: Sequence[int]
) -> tuple[Sequence[Event], Mapping[int, Sequence[Event]]]:
    """Return the corrections of the whole session, and the others by the shown message each follows.

    That is the last shown one that it is about; where none of those is shown any more, the one before.
    """
    whole: list[Event] = []
    beside: dict[int, list[Event]] = {}
    for event in events:
        upto = [number for number in shown if event.about is not None and number <= event.about[1]]
        if upto:
            beside.setdefault(upto[-1], []).append(event)
        else:
            whole.append(event)
    return whole, beside


def correction_line(event: Event, *, numbered: bool = True) -> str:
    """Return a correction as it stands beside its target: `put right on 1 March 2026: …`.

    Where messages carry no numbers it names none.
    """
    when = moment(event.at)
    day = f" on {day_in_words(date(when.year, when.month, when.day))}" if when.year > 1 else " later"
    first, last = event.about or (0, 0)
    which = f" (messages {first:,} to {last:,})" if numbered and last > first else ""
    return f"put right{day}{which}: {' '.join(event.text.split())}"
