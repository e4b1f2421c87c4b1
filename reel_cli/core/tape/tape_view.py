"""The tape as operations read it: sessions, and what the events noted about them say.

An event is learnt or decided later: a title, a session taken back, a correction that points at what it
corrects (REEL §4.6, §6.1). The file of events only grows.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from functools import lru_cache

from reel_cli.core.blockquote import is_role, same_name
from reel_cli.core.errors import ReelError
from reel_cli.core.kit.snapshot import EVENTS, Snapshot
from reel_cli.core.moment import day_in_words, moment, stamp
from reel_cli.core.tape.blocks import refuse, verify_chain
from reel_cli.core.tape.events_file import CHANGED, append_events, read_so_far
from reel_cli.core.tape.last_turns import by_last_turn
from reel_cli.core.tape.session_file import count_shown, numbers_shown, parse_session
from reel_cli.core.values.change import Change, for_screen, one_line
from reel_cli.core.values.settings import Settings
from reel_cli.core.values.source import SourceRange, parse_source, session_path
from reel_cli.core.values.talk import HIDDEN, NARRATION, PURGED, Entry, Event, Session

OPENING = 40
"""Characters of the first words that stand for a title."""
UNTITLED = "a conversation"
"""Placeholder for a missing title in a commit's subject, which never contains anything said."""
_NARRATED = f'"mark": "{NARRATION}"'.encode()
KEPT_APART = "kept apart as "
"""Beginning of the reason for which a chat is taken back that became one of its own."""
MOVED = "recorded again as of "
"""Words, before a day, of the event that takes back a chat recorded under another day."""
CORRECTION = "correction"
"""The kind of event that puts right what was said; it changes no entry."""


def read_session(snapshot: Snapshot, session: str) -> Session:
    """Return one session from the tape.

    Raises ReelError where there is none of that name, StateError where it is not as it was recorded.
    """
    path = session_path(session)
    data = snapshot.read(path) if session in snapshot.sessions else None
    if data is None:
        near = ", ".join(standing_sessions(snapshot)[-3:]) or "none yet"
        message = f"There is no recorded chat {session}."
        whole = session.partition("#")[0]
        if whole != session and whole in snapshot.sessions:
            raise ReelError(message, hint=f"name the chat alone:  reel tape show {whole} --numbers")
        raise ReelError(message, hint=f"the newest are: {near}")
    found = parse_session(data, path)
    _require_unchanged(data, path)
    return found


def is_purged(snapshot: Snapshot, session: str) -> bool:
    """Return whether nothing is left of what was said in a session."""
    try:
        said = [one.message.text for one in read_session(snapshot, session).entries if one.number is not None]
    except ReelError:
        return False
    return bool(said) and all(text == PURGED for text in said)


def read_events(snapshot: Snapshot) -> Sequence[Event]:
    """Return the tape's events, oldest first; raises StateError if they are not as recorded."""
    data = snapshot.read(EVENTS)
    if not data:
        return []
    return tuple(read_so_far(data, EVENTS).events)


def told_later(snapshot: Snapshot, session: str) -> Mapping[str, str]:
    """Return a session's last event texts by kind: `title`, `model`, …; raises StateError as above."""
    data = snapshot.read(EVENTS)
    return read_so_far(data, EVENTS).told(session) if data else {}


def told_of_each(snapshot: Snapshot, kind: str) -> Mapping[str, str]:
    """Return the last event text of a kind, by session; read it before more is planned."""
    data = snapshot.read(EVENTS)
    return read_so_far(data, EVENTS).of_kind(kind) if data else {}


def list_hidden(snapshot: Snapshot, session: Session) -> frozenset[int]:
    """Return the numbers of the messages that were said and are hidden from the model in their app."""
    told = told_later(snapshot, session.id).get(HIDDEN)
    if told is None:
        return frozenset(e.number or 0 for e in session.shown() if e.message.mark == HIDDEN)
    found: set[int] = set()
    for part in told.split(", "):
        first, _, last = part.partition("-")
        if first.isdecimal() and (last or first).isdecimal():
            found.update(range(int(first), int(last or first) + 1))
    return frozenset(found)


def tell_numbers(numbers: Iterable[int]) -> str:
    """Return numbers as runs: `3-5, 9`."""
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and number == runs[-1][-1] + 1:
            runs[-1] = [runs[-1][0], number]
        else:
            runs.append([number])
    return ", ".join("-".join(map(str, run)) for run in runs)


def read_narration(snapshot: Snapshot, session: str) -> Mapping[int, Sequence[str]]:
    """Return a session's narration as `Session.narrated` does; without any, the file is not parsed."""
    path = session_path(session)
    return _find_narration(_SameBytes(snapshot.read(path) or b""), path)


class _SameBytes:
    """A file's bytes, equal only to themselves: to compare long ones takes as long as to search them."""

    __slots__ = ("data",)

    def __init__(self, data: bytes) -> None:
        self.data = data

    def __hash__(self) -> int:
        return id(self.data)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _SameBytes) and other.data is self.data


@lru_cache(maxsize=8)
def _find_narration(file: _SameBytes, path: str) -> Mapping[int, Sequence[str]]:
    """Return the narration of a session's file; a bundle asks for each piece of the chat that it weighs."""
    return parse_session(file.data, path).narrated() if _NARRATED in file.data else {}


def _require_unchanged(data: bytes, path: str) -> None:
    """Refuse a file of the tape in which a word was changed: nothing may be grounded on it."""
    line = verify_chain(data, path)
    if line is not None:
        refuse(path, line, CHANGED)


def retracted(snapshot: Snapshot) -> frozenset[str]:
    """Return the sessions that were retracted: still on the tape, no longer lived."""
    data = snapshot.read(EVENTS)
    return frozenset(read_so_far(data, EVENTS).gone) if data else frozenset()


def moved(snapshot: Snapshot) -> Mapping[str, str]:
    """Return the sessions taken back because their chat was recorded again under another day."""
    told, gone = told_of_each(snapshot, "retract"), retracted(snapshot)
    return {session: text for session, text in told.items() if session in gone and text.startswith(MOVED)}


def require_standing(snapshot: Snapshot, session: str) -> None:
    """Raise ReelError where a session was retracted: nothing of it is to be remembered."""
    if session in retracted(snapshot):
        message = f"{session} was taken back, so no page of it is due."
        raise ReelError(message, hint=f"to make it count again:  reel tape retract {session} --undo")


def corrections(snapshot: Snapshot) -> Mapping[str, Sequence[Event]]:
    """Return the corrections by session, oldest first; `about` says which messages (None: all of it).

    A correction never changes what it corrects: whoever shows the one shows the other (REEL §6.1).
    """
    found: dict[str, list[Event]] = {}
    for event in read_events(snapshot):
        if event.kind == CORRECTION and event.session and event.text:
            found.setdefault(event.session, []).append(event)
    return found


def call(title: str, opening: str) -> str:
    """Return the name of a chat: its title, else what was said first; "" for neither."""
    return title or (f"“{opening}”" if opening else "")


def chat_of(snapshot: Snapshot, session: str) -> str:
    """Return a chat by its day, and by its name as well where another of that day counts."""
    day = day_in_words(date.fromisoformat(session[:10]))
    if sum(one[:10] == session[:10] for one in standing_sessions(snapshot)) < 2:
        return f"the chat of {day}"
    there = read_session(snapshot, session)
    title = told_of_each(snapshot, "title").get(session) or there.title or ""
    said = next((entry.message.text for entry in there.entries if entry.number is not None), "")
    return f"the chat “{one_line(title, 60) or opening_of(said)}” of {day}"


def opening_of(said: str) -> str:
    """Return what was said first, in the form of a title, cut between words where it has any."""
    told = one_line(said[: 4 * OPENING])
    if len(told) <= OPENING:
        return told
    words, gap, _ = told[:OPENING].rpartition(" ")
    return f"{words.rstrip(' ,;:')}…" if gap and len(words) > OPENING // 2 else one_line(told, OPENING)


def standing_sessions(snapshot: Snapshot) -> Sequence[str]:
    """Return the sessions that count, the one in which something was said last at the end."""

    def order() -> Sequence[str]:
        gone = retracted(snapshot)
        return by_last_turn(snapshot, [session for session in snapshot.sessions if session not in gone])

    return snapshot.derive("standing sessions", order)


def speaker(entry: Entry, *, user: str, persona: str) -> str:
    """Return the speaker's name: the chat's own name if it has one, else the kit's."""
    own, other = (user, persona) if entry.message.role == "user" else (persona, user)
    name = entry.message.name
    # an imported chat can assign either's words to the other by name
    if not name or same_name(name, other):
        return own
    return own if entry.message.role == "user" and is_role(name) else name


def people_of(entries: Iterable[Entry], settings: Settings) -> tuple[str, ...]:
    """Return everyone who speaks in these messages, with the two whom the kit names."""
    user, persona = settings.user, settings.name
    return tuple(sorted({speaker(one, user=user, persona=persona) for one in entries}.union(settings.people)))


def count_said(snapshot: Snapshot, sessions: Iterable[str]) -> Mapping[str, int]:
    """Return how many messages each of these sessions shows; raises StateError if one cannot be read."""
    names = {session_path(session): session for session in sessions}
    # the latest request's notes are kept: asking for a few must not drop those of all
    kind = "sessions" if 2 * len(names) > len(snapshot.sessions) else "some chats"
    counts = snapshot.note(kind, names, lambda path: count_shown(snapshot.read(path) or b"", path))
    return {names[path]: count for path, count in counts.items()}


def said_after(snapshot: Snapshot, ends: Mapping[str, int]) -> Mapping[str, int]:
    """Return how many messages each session shows after the number given for it; StateError as above.

    One answer that was edited later is no message after it; where a chat was gone on with from an earlier
    place, more are.
    """
    names = {session_path(session): session for session in ends}
    found = snapshot.note("shown", names, lambda path: numbers_shown(snapshot.read(path) or b"", path))
    after: dict[str, int] = {}
    for path, (last, *later) in found.items():
        end = ends[names[path]]
        edited = sum(number > max(end, last) for number in later)
        after[names[path]] = max(0, last - end) + (edited if last > end or edited > 1 else 0)
    return after


LONGEST_CORRECTION = 20_000
"""A correction of more characters than this is a document, not a correction."""


def plan_correction(snapshot: Snapshot, about: str, text: str, now: datetime) -> Change | None:
    """Return the change that notes a correction; None if the same one is noted already.

    `about` is a session or a stretch of it (`2026-02-10-1#4`). Raises ReelError for an empty text, for
    messages that are not on the tape, and for a session that was taken back.
    """
    words = text.encode("utf-8", "replace").decode().strip()
    span = parse_source(about)
    if span is None:
        message = f"{one_line(about, 60)!r} names no chat and no message of one."
        raise ReelError(message, hint="name one of them:  reel tape correct SESSION#1 TEXT")
    if words in ("", "TEXT"):
        message = "There is nothing to put right: the text is empty."
        if words:
            message = "There is nothing to put right: TEXT stands for how it really was, in your words."
        raise ReelError(message, hint=f"say how it was:  reel tape correct {span} TEXT")
    if len(words) > LONGEST_CORRECTION:
        message = f"A correction has at most {LONGEST_CORRECTION:,} characters; this one has {len(words):,}."
        raise ReelError(message)
    from reel_cli.core.files.commit_message import CORRECTED

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
        message = f"Chat {session.id} has {said:,} message{'' if said == 1 else 's'}, and no {number:,}."
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
