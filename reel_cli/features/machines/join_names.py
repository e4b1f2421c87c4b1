"""Name clashes of two machines: the sessions and memories of this side that get a new number."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from reel_cli.core.errors import StateError
from reel_cli.core.files import front_matter
from reel_cli.core.files.index_file import Index, parse_index
from reel_cli.core.kit.snapshot import EVENTS, INDEX
from reel_cli.core.tape.events_file import read_so_far
from reel_cli.core.tape.twins import extend_session, first_words, holds_session, rename_session
from reel_cli.core.values.memory import IndexLine, format_id, memory_number, memory_path
from reel_cli.core.values.source import NewNames
from reel_cli.core.values.talk import session_of, session_order, session_path


class Side(Protocol):
    """A kit as one commit has it."""

    @property
    def ids(self) -> Mapping[str, str]:
        """Return every file's blob id by kit path."""
        ...

    def read(self, path: str) -> bytes | None:
        """Return a file's bytes, or None."""
        ...


@dataclass(frozen=True, slots=True)
class NoCommonSide:
    """The side where two histories have nothing in common."""

    @property
    def ids(self) -> Mapping[str, str]:
        """Return no files."""
        return {}

    def read(self, path: str) -> bytes | None:  # noqa: ARG002 (what a side is)
        """Return no bytes."""
        return None


@dataclass(frozen=True, slots=True)
class JoinedTape:
    """The sessions that both sides have to do with.

    `files` are those that are not simply one side's file, by path; None: it stands under another name.
    `names` says for this side's what each is called; `moved` are those with a number of their own, and
    `same` those that the other machine has recorded too.
    """

    names: Mapping[str, str]
    files: Mapping[str, bytes | None]
    moved: Sequence[tuple[str, str]]
    same: Sequence[str]


def join_tape(base: Side, ours: Side, theirs: Side) -> JoinedTape:
    """Plan the places of this side's sessions among the other's.

    What the other side has keeps its name, since it may be on further machines already. Raises
    StateError where a session is damaged.
    """
    theirs_fresh = [name for name in _sessions(theirs) if _is_fresh(theirs, base, name)]
    taken = {*_sessions(ours), *_sessions(theirs)}
    names: dict[str, str] = {}
    files: dict[str, bytes | None] = {}
    moved: list[tuple[str, str]] = []
    same: list[str] = []
    match = _Matches(base, ours, theirs, theirs_fresh)
    # a chat that was retracted and recorded again is here twice: the standing copy is matched first
    for name in sorted(_sessions(ours), key=lambda one: one in match.gone):
        path = session_path(name)
        if not _is_fresh(ours, base, name) or ours.ids[path] == theirs.ids.get(path):
            continue
        data = ours.read(path) or b""
        twin = _join_twin(data, path, match.of(name, data), theirs, files)
        if twin is not None:
            same.append(twin)
            match.given.add(twin)
            now = files.get(session_path(twin)) or theirs.read(session_path(twin)) or b""
            files[session_path(twin)] = now
            if twin != name or not now.startswith(data):
                names[name] = twin
        elif name in theirs_fresh:
            fresh = _free_session(name, taken)
            taken.add(fresh)
            names[name] = fresh
            moved.append((name, fresh))
            files[session_path(fresh)] = rename_session(data, path, fresh)
        if names.get(name, name) != name and path not in files:
            files[path] = theirs.read(path)
    return JoinedTape(names, files, moved, same)


def _join_twin(
    data: bytes, path: str, names: Iterable[str], theirs: Side, files: dict[str, bytes | None]
) -> str | None:
    """Return the other side's session that is the same chat, extended to the longer of the two."""
    for name in names:
        place = session_path(name)
        there = files.get(place) or theirs.read(place) or b""
        if holds_session(there, data, path):
            return name
        if holds_session(data, there, path):
            files[place] = extend_session(there, data, path)
            return name
    return None


class _Matches:
    """The other side's fresh sessions that may be the same chat as one of this side's.

    Each is one with one session at most: where a chat was taken back and recorded again, a side has it twice.
    What both had before, or both gave the same name, is one with its namesake alone.
    """

    def __init__(self, base: Side, ours: Side, theirs: Side, fresh: Sequence[str]) -> None:
        self.gone = _taken_back(ours)
        self.given: set[str] = set()
        self._gone_there = _taken_back(theirs)
        self._before = frozenset(_sessions(base))
        self._alike: dict[bytes, list[str]] = {}
        self._namesakes: set[str] = set()
        for name in fresh:
            path = session_path(name)
            there, here = theirs.read(path) or b"", ours.read(path)
            words = first_words(there, path)
            if words is not None:
                self._alike.setdefault(words, []).append(name)
            if here is not None and (holds_session(there, here, path) or holds_session(here, there, path)):
                self._namesakes.add(name)

    def of(self, name: str, data: bytes) -> Sequence[str]:
        """Return the names of the matches, the likeliest first."""
        first = first_words(data, session_path(name))
        known = self._before | self._namesakes
        there = self._alike.get(first, ()) if first is not None else ()
        free = [o for o in there if o not in self.given and (o == name or not (o in known or name in known))]
        return sorted(free, key=lambda o: (o != name, (o in self._gone_there) != (name in self.gone)))


def _taken_back(side: Side) -> frozenset[str]:
    """Return the retracted sessions; none if they cannot be read, which is reported elsewhere."""
    try:
        return frozenset(read_so_far(side.read(EVENTS) or b"", EVENTS).gone)
    except StateError:
        return frozenset()


def _sessions(side: Side) -> Sequence[str]:
    return sorted((name for name in map(session_of, side.ids) if name is not None), key=session_order)


def _is_fresh(side: Side, base: Side, name: str) -> bool:
    """Return whether a session was recorded or continued since the two sides were one."""
    path = session_path(name)
    return side.ids[path] != base.ids.get(path)


def _free_session(name: str, taken: Iterable[str]) -> str:
    """Return the next free number of a session's day."""
    day = name[:10]
    return f"{day}-{max(session_order(other)[1] for other in taken if other[:10] == day) + 1}"


# -- memories ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _SideNames:
    """The contents of one side by memory number: files by ID, lines by ID."""

    files: Mapping[str, str]
    index: Index

    @property
    def ids(self) -> frozenset[str]:
        return frozenset({*self.files, *self.index.lines})


def join_memories(base: Side, ours: Side, theirs: Side, tape: Mapping[str, str], used: int) -> dict[str, str]:
    """Return the new names of this side's memories and index lines, by the old ones.

    `tape` is what its sessions are called, `used` the highest number that either history ever gave out.
    Raises ReelError where a memory cannot be read.
    """
    mine, others, before = _held(ours), _held(theirs), _held(base)
    by_uid = {uid: name for name in others.files if (uid := _uid(theirs, others, name))}
    plain = NewNames(tape)
    by_line = {
        _said(line, plain=None): line.id
        for line in others.index.lines.values()
        if line.id not in others.files and line.id not in before.ids
    }
    last = max((*map(memory_number, mine.ids | others.ids), used), default=used)
    names: dict[str, str] = {}
    for name in sorted(mine.ids - before.ids, key=memory_number):
        twin = by_uid.get(_uid(ours, mine, name)) if name in mine.files else None
        if name not in mine.files:
            twin = by_line.get(_said(mine.index.lines[name], plain.text))
        if twin is None and name in others.ids and not _same(mine, others, ours, theirs, name):
            last += 1
            twin = format_id(last)
        if twin is not None and twin != name:
            names[name] = twin
    return names


def _held(side: Side) -> _SideNames:
    files = {
        path.removeprefix("ring3/").removesuffix(".md"): path
        for path in side.ids
        if path.startswith("ring3/M-") and path.endswith(".md")
    }
    return _SideNames(files, parse_index((side.read(INDEX) or b"").decode("utf-8", "replace")))


def _uid(side: Side, held: _SideNames, name: str) -> str:
    path = held.files[name]
    return front_matter.split((side.read(path) or b"").decode("utf-8", "replace"), path).text("uid")


def _said(line: IndexLine, plain: Callable[[str], str] | None) -> tuple[str, str, str]:
    """Return what a line says and where it leads, without its number."""
    where = str(line.where) if line.where else ""
    return line.description, line.anchor, plain(where) if plain else where


def _same(mine: _SideNames, others: _SideNames, ours: Side, theirs: Side, name: str) -> bool:
    """Return whether both sides have the very same file under a number."""
    path = memory_path(name)
    return name in mine.files and name in others.files and ours.ids.get(path) == theirs.ids.get(path)
