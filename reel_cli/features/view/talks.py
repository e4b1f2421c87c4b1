"""The chats of a kit, each as it was said, with what was put right beside it."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.moment import NEVER, day_in_words, find_zone, moment
from reel_cli.core.tape.tape_view import (
    call,
    correction_line,
    corrections,
    list_hidden,
    place_corrections,
    read_session,
    speaker,
)
from reel_cli.core.tape.transcript import NARRATOR
from reel_cli.core.values.source import session_path
from reel_cli.core.values.talk import PURGED, Kind
from reel_cli.features.verify.sessions import list_recorded
from reel_cli.features.view.kit_page import ShownChat, ShownMessage

if TYPE_CHECKING:
    from datetime import tzinfo

    from reel_cli.core.kit.snapshot import Snapshot
    from reel_cli.core.values.talk import Entry, Event, Session
    from reel_cli.features.verify.sessions import SessionRow

MOST_BYTES = 12_000_000
"""Bytes of the newest chats that one page holds; a browser is slow with more."""
UNTITLED = "a chat without a title"
ERASED = "(erased)"
HIDDEN_LINE = "Hidden from the model in its program."


def read_chats(snapshot: "Snapshot") -> Sequence[ShownChat]:
    """Return every chat that counts, oldest first, the newest whole as far as one page holds them."""
    right = corrections(snapshot)
    room = MOST_BYTES
    found = []
    for row in reversed([row for row in list_recorded(snapshot) if row.standing]):
        size = len(snapshot.read(session_path(row.id)) or b"")
        room -= size
        found.append(_read(snapshot, row, right.get(row.id, ()), whole=room >= 0))
    return found[::-1]


def list_chats(overview: "Snapshot", *, openings: bool = True) -> Sequence[ShownChat]:
    """Return every chat that counts, oldest first, without what was said.

    With `openings` one without a title is called by its first words.
    """
    return [
        _name(row.id, row.title, row.opening if openings else "", row.messages, row.problem)
        for row in list_recorded(overview)
        if row.standing
    ]


def _name(session: str, title: str, opening: str, count: int, problem: str) -> ShownChat:
    day = day_in_words(date.fromisoformat(session[:10]))
    return ShownChat(session, day, call(title, opening) or UNTITLED, count, problem=problem)


def name_chats(snapshot: "Snapshot", *, openings: bool = True) -> Mapping[str, str]:
    """Return the title of every chat, by its ID; with `openings`, the first words of one without."""
    return {
        row.id: call(row.title, row.opening if openings else "") or UNTITLED
        for row in list_recorded(snapshot)
    }


def read_chat(snapshot: "Snapshot", session: str) -> ShownChat | None:
    """Return one chat, whole; None where there is none of that ID."""
    row = next((row for row in list_recorded(snapshot) if row.id == session and row.standing), None)
    return _read(snapshot, row, corrections(snapshot).get(session, ()), whole=True) if row else None


def _read(snapshot: "Snapshot", row: "SessionRow", right: "Sequence[Event]", *, whole: bool) -> ShownChat:
    day = day_in_words(date.fromisoformat(row.id[:10]))
    title = call(row.title, row.opening) or UNTITLED
    if row.problem or not whole:
        return ShownChat(row.id, day, title, row.messages, problem=row.problem, left_out=not whole)
    try:
        session = read_session(snapshot, row.id)
    except ReelError as error:
        return ShownChat(row.id, day, title, row.messages, problem=error.message)
    shown = session.shown()
    about, beside = place_corrections(right, [entry.number or 0 for entry in shown])
    replaced, other, narrated = _replaced(session), _other(session), session.narrated()
    hidden = list_hidden(snapshot, session)
    settings = snapshot.settings
    zone = find_zone(settings.timezone) if settings.timezone is not None else None
    messages = [
        ShownMessage(
            number,
            speaker(entry, user=settings.user, persona=settings.name),
            entry.message.role != "user",
            _clock(entry.message.time or "", zone),
            _text(entry),
            replaced.get(number, ()),
            [
                *([HIDDEN_LINE] if number in hidden else ()),
                *_narration(narrated, number),
                *(correction_line(event) for event in beside.get(number, ())),
            ],
            other.get(number, ()),
        )
        for entry in shown
        for number in [entry.number or 0]
    ]
    told = [*_narration(narrated, 0), *(correction_line(event) for event in about)]
    return ShownChat(row.id, day, title, len(messages), messages, told)


def _clock(time: str, zone: "tzinfo | None") -> str:
    """Return the time of day of a message in the kit's zone, else the machine's; "" for a day alone."""
    when = moment(time)
    return "" if when == NEVER or len(time) <= len("2026-02-25") else f"{when.astimezone(zone):%H:%M}"


def _text(entry: "Entry") -> str:
    return ERASED if entry.message.text == PURGED else entry.message.text


def _narration(narrated: "Mapping[int, Sequence[str]]", number: int) -> Sequence[str]:
    """Return what was told of the scene after a message, in nobody's voice."""
    return [f"{NARRATOR}: {text.strip()}" for text in narrated.get(number, ())]


def _replaced(session: "Session") -> Mapping[int, Sequence[str]]:
    """Return the words that a message replaced, by its number."""
    by_number = session.numbered()
    return {
        entry.number: [_text(by_number[old]) for old in entry.supersedes if old in by_number]
        for entry in session.entries
        if entry.number is not None and entry.supersedes
    }


def _other(session: "Session") -> Mapping[int, Sequence[str]]:
    """Return the answers that were not shown in the chat program, by the message they follow."""
    found: dict[int, list[str]] = {}
    last = 0
    for entry in session.entries:
        if entry.number is not None:
            last = entry.number
        elif entry.message.kind is Kind.VERSION:
            found.setdefault(last if entry.after is None else entry.after, []).append(_text(entry))
    return found
