"""The recorded sessions, to look at."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from reel_cli.core.errors import ReelError
from reel_cli.core.frozen import frozen
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.nearest import resolve_name, settle_names
from reel_cli.core.tape.blocks import read_blocks, refuse
from reel_cli.core.tape.chain_proof import prove
from reel_cli.core.tape.erasure.purged_chats import list_purged_chats
from reel_cli.core.tape.events_file import CHANGED
from reel_cli.core.tape.fork import list_forks
from reel_cli.core.tape.session_file import count_shown, read_front
from reel_cli.core.tape.tape_view import (
    OPENING,
    call,
    correction_line,
    corrections,
    list_hidden,
    opening_of,
    place_corrections,
    read_events,
    read_session,
    retracted,
    speaker,
    told_of_each,
)
from reel_cli.core.values.source import session_path
from reel_cli.core.values.talk import NARRATION, NOTE, Entry, Kind, Session

_MARKED = {NARRATION: "narration", NOTE: "a note to oneself"}
_OTHER = {
    Kind.SYSTEM: "system prompt",
    Kind.REASONING: "hidden reasoning",
    Kind.VERSION: "an answer not chosen",
    Kind.TOOL: "tool",
    Kind.ATTACHMENT: "attachment",
    Kind.BUNDLE: "what reel packed",
    Kind.EXCHANGE: "reel's prompt, or the reply to it",
}


@frozen
class SessionRow:
    """One session in a list; `messages` counts what was said, as last shown.

    `opening` is what was said first, where it has no title; `problem` says why a session's file could
    not be read, if so.
    """

    id: str
    title: str
    source: str
    messages: int
    standing: bool
    problem: str = ""
    opening: str = ""
    purged: bool = False
    """True if a purge left no word of it."""


@frozen
class Road:
    """A road not taken: its number (None: the app told of none), and the said message it is instead of."""

    number: int | None
    beside: int | None
    entries: Sequence[Entry]


def call_sessions(
    snapshot: Snapshot, sessions: Iterable[str], titles: Mapping[str, str] | None = None
) -> Mapping[str, str]:
    """Return the present title of each of these sessions that is there and can be read.

    `titles` are those of the tape's events, where they are known already.
    """
    titles = told_of_each(snapshot, "title") if titles is None else titles
    called: dict[str, str] = {}
    for name in dict.fromkeys(sessions):
        path = session_path(name)
        try:
            data = b"" if name in titles else snapshot.read(path) or b""
            title = titles.get(name) or (read_front(data, path).title if data else None) or ""
            called[name] = call(title, "" if title or not data else _opening(data, path))
        except ReelError:
            continue
    return {name: told for name, told in called.items() if told}


def list_recorded(snapshot: Snapshot) -> Sequence[SessionRow]:
    """Return every session on the tape, oldest first, by its newest title.

    Of a session's file only what a list shows is read, and of a Glance nothing that is known already.
    """
    titles = {e.session: e.text for e in read_events(snapshot) if e.kind == "title" and e.session}
    gone = retracted(snapshot)
    paths = {name: session_path(name) for name in snapshot.sessions}

    def note(path: str) -> Sequence[str | int]:
        return _note(snapshot, path)

    notes = snapshot.note("listed", paths.values(), note)
    purged = list_purged_chats(snapshot)
    found = []
    for name, path in paths.items():
        title, source, count, problem, opening = map(str, notes[path])
        told = titles.get(name) or title
        opening = "" if told else opening
        stands, cut = name not in gone, name in purged
        found.append(SessionRow(name, told, source, int(count), stands, problem, opening, cut))
    return found


def meant_session(snapshot: Snapshot, wanted: str) -> str:
    """Return the session that is meant by its ID, its title or words of one; the words themselves for none.

    Raises ReelError where several could be meant.
    """
    return meant_sessions(snapshot, [wanted])[0]


def meant_sessions(
    snapshot: Snapshot, names: Sequence[str], command: Callable[[str], str] | None = None
) -> Sequence[str]:
    """Return the sessions that are meant by IDs and titles, as `meant_session` does for one.

    Raises what `settle_names` does, to which `command` is given.
    """
    if all(name in snapshot.sessions for name in names):
        return names
    titles = {row.id: call(row.title, row.opening) for row in list_recorded(snapshot)}
    settled = settle_names(names, titles, "chats", exact=snapshot.sessions.__contains__, command=command)
    return [resolve_name(one, titles, "chats") or one for one in settled]


def _note(snapshot: Snapshot, path: str) -> Sequence[str | int]:
    """Return a list's values for one session's file: its title, source, message count and problem."""
    try:
        data = snapshot.read(path) or b""
        front = read_front(data, path)
        count = count_shown(data, path)
        line = prove(data, path).line
        if line is not None:
            refuse(path, line, CHANGED)
    except ReelError as error:
        return "", "", 0, error.message, ""
    return front.title or "", front.source, count, "", "" if front.title else _opening(data, path)


def _opening(data: bytes, path: str) -> str:
    """Return the first words that were said."""
    said = next((b.content for b in read_blocks(data, path) if b.header.get("n") is not None), b"")
    return opening_of(said[: 4 * OPENING].decode("utf-8", "ignore"))


def render_transcript(snapshot: Snapshot, name: str, *, numbers: bool, everything: bool) -> str:
    """Return a session as last seen, by speaker, each correction behind its target.

    With `everything`, also what was not said, marked as what it is. Narration is always in it.
    """
    session = read_session(snapshot, name)
    hidden, narrated = list_hidden(snapshot, session), {} if everything else session.narrated()
    shown = [entry.number or 0 for entry in session.shown()]
    order = [e.number or 0 for e in session.entries if e.number] if everything else shown
    whole, beside = place_corrections(corrections(snapshot).get(name, ()), order)
    parts = [f"[{correction_line(event)}]\n" for event in whole]
    parts += _narration(narrated.get(0, ()))
    gone = set(order) - set(shown)
    for entry in session.entries if everything else session.shown():
        if entry.message.kind is Kind.RETRACTION:
            continue
        replaced, unseen = entry.number in gone, entry.number in hidden
        parts.append(_block(snapshot, entry, numbers=numbers, replaced=replaced, hidden=unseen))
        if entry.number is not None:
            parts += _narration(narrated.get(entry.number, ()))
            parts += [f"[{correction_line(event)}]\n" for event in beside.get(entry.number, ())]
    return "\n".join(parts)


def _narration(texts: Iterable[str]) -> Sequence[str]:
    return [f"[{_MARKED[NARRATION]}]\n{text.strip()}\n" for text in texts]


def _block(
    snapshot: Snapshot, entry: Entry, *, numbers: bool, replaced: bool = False, hidden: bool = False
) -> str:
    text = entry.message.text.strip()
    if entry.number is None:
        what = _MARKED.get(entry.message.mark or "") or _OTHER.get(
            entry.message.kind, entry.message.kind.value
        )
        if entry.message.kind is Kind.VERSION and entry.message.role == "user":
            what = "a question that was left"
        road = f", road {entry.message.road}" if entry.message.road is not None else ""
        return f"[{what}{road}]\n{text}\n"
    mark = f"{entry.number}  " if numbers else ""
    later = "[replaced later]\n" if replaced else ""
    unseen = " (hidden in the app)" if hidden else ""
    return f"{later}{mark}{_who(snapshot, entry)}{unseen}: {text}\n"


def _who(snapshot: Snapshot, entry: Entry) -> str:
    settings = snapshot.settings
    return speaker(entry, user=settings.user, persona=settings.name)


def list_roads(snapshot: Snapshot, name: str) -> Sequence[Road]:
    """Return a session's branches not taken, in the order of the tape."""
    roads: list[Road] = []
    beside: int | None = None
    session = read_session(snapshot, name)
    for entry in session.entries:
        if entry.number is not None:
            beside = entry.number
            continue
        road = entry.message.road
        if entry.message.kind is not Kind.VERSION and road is None:
            continue
        instead = entry.after if entry.after is not None else beside
        last = roads[-1] if roads else None
        if last is not None and road is not None and (last.number, last.beside) == (road, instead):
            roads[-1] = Road(road, instead, (*last.entries, entry))
        else:
            roads.append(Road(road, instead, (entry,)))
    return [*roads, *_left_forks(session)] if name in list_forks(snapshot).values() else roads


def _left_forks(session: Session) -> list[Road]:
    """Return what was said in a copy of the chat that is not the one shown now."""
    shown = {entry.number for entry in session.shown()}
    found: list[Road] = []
    beside: int | None = None
    for entry in session.numbered().values():
        if entry.number in shown:
            beside = entry.number
        elif found and found[-1].beside == beside:
            found[-1] = Road(None, beside, (*found[-1].entries, entry))
        else:
            found.append(Road(None, beside, (entry,)))
    return found


def render_roads(snapshot: Snapshot, name: str) -> str:
    """Return the branches not taken, each with its alternative message; "" if there are none."""
    parts = []
    for number, road in enumerate(list_roads(snapshot, name), start=1):
        instead = f"instead of message {road.beside:,}" if road.beside else "before anything was said"
        said = [
            f"{_who(snapshot, entry)}: {entry.message.text.strip()}"
            if entry.message.kind in (Kind.VERSION, Kind.SAID)
            else f"[{_OTHER.get(entry.message.kind, entry.message.kind.value)}]\n{entry.message.text.strip()}"
            for entry in road.entries
        ]
        parts.append("\n\n".join([f"Road {road.number or number}, {instead}", *said]))
    return "\n\n".join(parts) + "\n" if parts else ""
