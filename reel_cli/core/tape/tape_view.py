"""The tape as operations read it: sessions, and what was decided about them later."""

from collections.abc import Iterable, Mapping, Sequence

from reel_cli.core.blockquote import is_role, same_name
from reel_cli.core.errors import ReelError
from reel_cli.core.kit.snapshot import EVENTS, Snapshot
from reel_cli.core.tape.blocks import refuse, verify_chain
from reel_cli.core.tape.events_file import CHANGED, read_so_far
from reel_cli.core.tape.message_count import count_shown, numbers_shown
from reel_cli.core.tape.session_file import parse_session
from reel_cli.core.values.settings import Settings
from reel_cli.core.values.source import session_path
from reel_cli.core.values.talk import Entry, Event, Session

CORRECTION = "correction"
"""The kind of event that puts right what was said; it changes no entry."""


def read_session(snapshot: Snapshot, session: str) -> Session:
    """Return one session from the tape.

    Raises ReelError where there is none of that name, StateError where it is not as it was recorded.
    """
    path = session_path(session)
    data = snapshot.read(path) if session in snapshot.sessions else None
    if data is None:
        near = ", ".join(snapshot.sessions[-3:]) or "none yet"
        message = f"There is no session {session} on the tape."
        whole = session.partition("#")[0]
        if whole != session and whole in snapshot.sessions:
            raise ReelError(message, hint=f"name the session alone:  reel tape show {whole} --numbers")
        raise ReelError(message, hint=f"the newest are: {near}")
    found = parse_session(data, path)
    _require_unchanged(data, path)
    return found


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


def _require_unchanged(data: bytes, path: str) -> None:
    """Refuse a file of the tape in which a word was changed: nothing may be grounded on it."""
    line = verify_chain(data, path)
    if line is not None:
        refuse(path, line, CHANGED)


def retracted(snapshot: Snapshot) -> frozenset[str]:
    """Return the sessions that were retracted: still on the tape, no longer lived."""
    data = snapshot.read(EVENTS)
    return frozenset(read_so_far(data, EVENTS).gone) if data else frozenset()


def corrections(snapshot: Snapshot) -> Mapping[str, Sequence[Event]]:
    """Return the corrections by session, oldest first; `about` says which messages (None: all of it).

    A correction never changes what it corrects: whoever shows the one shows the other (REEL §6.1).
    """
    found: dict[str, list[Event]] = {}
    for event in read_events(snapshot):
        if event.kind == CORRECTION and event.session and event.text:
            found.setdefault(event.session, []).append(event)
    return found


def standing_sessions(snapshot: Snapshot) -> Sequence[str]:
    """Return the sessions that count, oldest first."""
    gone = retracted(snapshot)
    return [session for session in snapshot.sessions if session not in gone]


def speaker(entry: Entry, *, user: str, persona: str) -> str:
    """Return the speaker's name: the chat's own name if it has one, else the kit's."""
    own, other = (user, persona) if entry.message.role == "user" else (persona, user)
    name = entry.message.name
    # a chat from elsewhere can put either's words into the other's mouth by a name
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
    # notes are kept of what was asked for last: asking for a few must not cost those of all
    kind = "sessions" if 2 * len(names) > len(snapshot.sessions) else "some sessions"
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
