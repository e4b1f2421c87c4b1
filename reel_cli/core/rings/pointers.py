"""Pointers of memories and index lines to the tape."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from zlib import crc32

from reel_cli.core.errors import ReelError
from reel_cli.core.files.kit_files import list_kit_files
from reel_cli.core.files.tree import is_memory_file, look_at
from reel_cli.core.frozen import frozen
from reel_cli.core.kit.glance import Glance
from reel_cli.core.kit.snapshot import INDEX, WORKING, Snapshot
from reel_cli.core.values.memory import IndexLine, Memory, where_of
from reel_cli.core.values.source import SourceRange, parse_source

Kept = tuple[str, Sequence[str], Sequence[str]]
"""A pointer as it is kept between two runs: title, tags, stretches of tape."""
NOTES = 8
"""Raised whenever the search is told something else of the same file."""


@frozen
class Pointer:
    """A memory or a line of the index: its name, its tags, and the stretches of tape it stands for."""

    id: str
    title: str
    tags: tuple[str, ...]
    where: tuple[SourceRange, ...]


class Pointers:
    """All pointers of the rings to stretches of tape, to be looked up by place."""

    def __init__(self, pointers: Iterable[Pointer]) -> None:
        """Sort them by the sessions they stand for."""
        self.all = tuple(pointers)
        self._by_session: dict[str, list[tuple[SourceRange, str]]] = {}
        for pointer in self.all:
            for span in pointer.where:
                self._by_session.setdefault(span.session, []).append((span, pointer.id))

    @property
    def ids(self) -> frozenset[str]:
        """Return the names of the pointers."""
        return frozenset(pointer.id for pointer in self.all)

    @property
    def sessions(self) -> frozenset[str]:
        """Return the sessions that any pointer covers, at least in part."""
        return frozenset(self._by_session)

    def over(self, session: str | None, span: tuple[int, int] | None) -> list[str]:
        """Return the names of those that stand for any of these messages."""
        if session is None or span is None:
            return []
        first, last = span
        return [
            name
            for where, name in self._by_session.get(session, ())
            if not where.last or (where.first <= last and first <= where.last)
        ]


def read_pointers(glance: Snapshot) -> Pointers:
    """Return every memory, and every index line without one; skips what cannot be read."""
    paths = [path for path in glance.list("ring3") if is_memory_file(path.removeprefix("ring3/"))]

    def note(path: str) -> Kept | None:
        memory = held_memory(glance, path)
        return _kept(memory.title, memory.tags, where_of(memory)) if memory is not None else None

    def note_lines(path: str) -> list[tuple[str, Kept]]:
        from reel_cli.core.files.index_file import parse_index

        lines = parse_index(held_text(glance, path)).lines.values()
        return [(line.id, _kept(line.description, line.tags, place_of(line))) for line in lines]

    memories = {
        path.removeprefix("ring3/").removesuffix(".md"): kept
        for path, kept in glance.note("pointers", paths, note).items()
        if kept is not None
    }
    # a memory's file in ring 3 takes precedence over its line
    lines = {
        key: kept for key, kept in glance.note("lines", [INDEX], note_lines)[INDEX] if key not in memories
    }
    return Pointers(_pointer(name, kept) for name, kept in (*memories.items(), *lines.items()))


def find_over(glance: Glance, spans: Iterable[tuple[str, tuple[int, int]]]) -> list[str]:
    """Return the names of all pointers over any of these messages, by session; as `Pointers.over` does.

    Which messages each stands for is noted for all rings at once, so that not every memory is looked at.
    """

    def note(rings: Snapshot) -> dict[str, list[tuple[int, int, str]]]:
        found: dict[str, list[tuple[int, int, str]]] = {}
        for pointer in read_pointers(rings).all:
            for where in pointer.where:
                found.setdefault(where.session, []).append((where.first, where.last, pointer.id))
        return found

    noted = glance.note_rings(f"pointers {NOTES}", note)
    return [
        name
        for session, (first, last) in spans
        for begin, end, name in noted.get(session, ())
        if not end or (begin <= last and first <= end)
    ]


def pointers_stamp(glance: Glance, kit: Path) -> str:
    """Return a stamp that changes whenever a memory, the index, a fact or a note of a kit does."""
    facts = " ".join(look_at(kit / path, path).stamp for path in _packed())
    seen = f"{glance.rings_stamp}\n{facts}".encode("utf-8", "replace")
    return f"{NOTES}.3 {len(seen)} {crc32(seen):08x}{crc32(seen[::-1]):08x}"


def blobs_stamp(ids: Mapping[str, str]) -> str:
    """Return the stamp as `pointers_stamp` does, for a commit whose files have these blobs, by kit path."""
    single = {INDEX, *_packed()}
    held = sorted(f"{path} {ids[path]}" for path in ids if path.startswith("ring3/") or path in single)
    seen = "\n".join(held).encode("utf-8", "replace")
    return f"{NOTES}.2 {len(seen)} {crc32(seen):08x}{crc32(seen[::-1]):08x}"


def _packed() -> list[str]:
    """Return the paths of the files that facts are packed from, and of the notes."""
    return [*(file.path for file in list_kit_files() if file.packed), WORKING]


def held_memory(glance: Snapshot, path: str) -> Memory | None:
    """Return a memory by its file; None where there is none, or it cannot be read."""
    from reel_cli.core.files.memory_file import parse_memory

    try:
        text = glance.text(path)
        return parse_memory(text, path) if text is not None else None
    except ReelError:
        # `reel status` reports a broken file; the other memories are still found
        return None


def held_text(glance: Snapshot, path: str) -> str:
    """Return a file's text; "" where there is none, or it cannot be read."""
    try:
        return glance.text(path) or ""
    except ReelError:
        return ""


def place_of(line: IndexLine) -> tuple[SourceRange, ...]:
    """Return the stretch of tape that a line of the index names, if it does."""
    return (line.where,) if line.where is not None else ()


def _kept(title: str, tags: Sequence[str], where: Sequence[SourceRange]) -> Kept:
    return title, list(tags), [str(span) for span in where]


def _pointer(name: str, kept: Kept) -> Pointer:
    title, tags, where = kept
    spans = tuple(span for span in map(parse_source, where) if span is not None)
    return Pointer(name, title, tuple(tags), spans)
