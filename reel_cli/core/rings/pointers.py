"""Pointers of memories and index lines to the tape, with their words, for the search."""

from collections.abc import Container, Iterable, Mapping, Sequence
from pathlib import Path
from zlib import crc32

from reel_cli.core.errors import ReelError
from reel_cli.core.evidence.phrases import fold, quotations
from reel_cli.core.exchange.schema import COMBINED
from reel_cli.core.files.index_file import parse_index
from reel_cli.core.files.kit_files import list_kit_files
from reel_cli.core.files.markdown import split_sections
from reel_cli.core.files.memory_file import memory_path, parse_memory
from reel_cli.core.files.tree import is_memory_file, look_at
from reel_cli.core.files.working_file import is_starting, is_starting_item, read_items, without_day
from reel_cli.core.frozen import frozen
from reel_cli.core.kit.glance import Glance
from reel_cli.core.kit.snapshot import INDEX, WORKING, Snapshot
from reel_cli.core.pack.resting_parts import find_resting, standing_working
from reel_cli.core.pack.words import known
from reel_cli.core.ports import bring
from reel_cli.core.rings.line_places import find_places
from reel_cli.core.stage_chain import origins
from reel_cli.core.tape.session_file import parse_session
from reel_cli.core.values.memory import FIELDS, PROTOCOL_TAGS, IndexLine, Memory, is_brought, where_of
from reel_cli.core.values.search import WORKING_NOTE, Note
from reel_cli.core.values.source import SourceRange, parse_source, session_path

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
        memory = _memory(glance, path)
        return _kept(memory.title, memory.tags, where_of(memory)) if memory is not None else None

    def note_lines(path: str) -> list[tuple[str, Kept]]:
        lines = parse_index(_text(glance, path)).lines.values()
        return [(line.id, _kept(line.description, line.tags, _place(line))) for line in lines]

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


def read_notes(glance: Glance) -> Sequence[Note]:
    """Return all memories, index lines, facts and notes as the search sees them, with their phrases."""
    rests = find_resting(glance)
    indexed = parse_index(_text(glance, INDEX)).lines
    lines = {name: line for name, line in indexed.items() if name not in rests.lines}
    found = []
    headings = frozenset(map(fold, (*FIELDS, *(spec.label for spec in COMBINED.asked))))
    for path in glance.list("ring3"):
        if is_memory_file(path.removeprefix("ring3/")):
            memory = _memory(glance, path)
            if memory is not None and memory.id not in rests.memories:
                line = lines.pop(memory.id, None)
                anchors = [line.anchor] if line is not None else []
                found.append(_memory_note(memory, anchors, headings))
    places = find_places(glance, lines.values())
    return (
        found
        + [
            Note(
                line.id,
                f"{line.description}\n{line.anchor}\n{_own(line.tags)}",
                (line.anchor,),
                (places[line.id],) if line.id in places else _place(line),
            )
            for line in lines.values()
        ]
        + _fact_notes(glance)
        + _working_notes(glance)
    )


def _fact_notes(glance: Glance) -> list[Note]:
    """Return the facts of bundles and queries; none where they cannot be read, as `reel doctor` reports."""
    from reel_cli.core.kit.known_facts import read_known, read_past

    try:
        rows, past = read_known(glance).held, read_past(glance)
    except ReelError:
        return []
    sources = [parse_source(row.source) for row in rows]
    return [
        Note(
            f"fact {row.id}",
            f"{row.key}: {row.value}",
            (),
            (source,) if source else (),
            known(row.key, row.value) if row.key else row.value,
            past.get(row.id, ()),
        )
        for row, source in zip(rows, sources, strict=True)
    ]


def _working_notes(glance: Glance) -> list[Note]:
    """Return the notes and open loops of working memory, less those that a kit begins with."""
    return [
        Note(f"{WORKING_NOTE}{number}", without_day(text), line=text)
        for number, text in enumerate(_read_working(glance), start=1)
        if not is_starting_item(text)
    ]


def _read_working(glance: Glance) -> list[str]:
    try:
        text = standing_working(glance, glance.text(WORKING) or "")
        return [] if is_starting(text) else [item.text for item in read_items(text)]
    except ReelError:
        # told of by status
        return []


def read_words(glance: Glance, note_id: str) -> tuple[str, str]:
    """Return the own words of a memory, a line or a note, and its day ("" if unknown)."""
    if note_id.startswith(WORKING_NOTE):
        items = _read_working(glance)
        number = int(note_id.removeprefix(WORKING_NOTE))
        return (items[number - 1] if number <= len(items) else ""), ""
    memory = _memory(glance, memory_path(note_id))
    if memory is not None:
        day = memory.order[0] or ("" if is_brought(memory.tags) else memory.created[:10])
        return (_known(memory) if is_brought(memory.tags) else memory.marker) or memory.title, day
    line = parse_index(_text(glance, INDEX)).lines.get(note_id)
    if line is None:
        return "", ""
    return (f"{line.description}: “{line.anchor}”" if line.anchor else line.description), ""


def _known(memory: Memory) -> str:
    """Return all that a memory from elsewhere says, since no tape says more."""
    return next((str(tell(memory)) for tell in bring("imported")), memory.body.strip())


def read_anchor(glance: Glance, note_id: str) -> str:
    """Return the phrase that finds a memory or a line; "" where it has none."""
    memory = _memory(glance, memory_path(note_id))
    if memory is not None:
        return memory.anchor
    line = parse_index(_text(glance, INDEX)).lines.get(note_id)
    return line.anchor if line is not None else ""


def session_origins(glance: Glance, sessions: Iterable[str]) -> dict[str, Sequence[str]]:
    """Return which of STAGE and CHAIN each session has, as tags (REEL §5.4)."""
    paths = {session_path(session): session for session in sessions}

    def note(path: str) -> list[str]:
        try:
            session = parse_session(glance.tree.read(path) or b"", path)
        except ReelError:
            return []
        return sorted(origins(entry.message.text for entry in session.shown()))

    return {paths[path]: kept for path, kept in glance.note("origins 2", paths, note).items()}


def _memory_note(memory: Memory, more: Sequence[str], headings: Container[str]) -> Note:
    # every page has the same headings: only the text below them tells what it is about
    lines = memory.body.split("\n")
    body = "\n".join(
        line for line in lines if not line.startswith("#") or fold(line.strip("# \t:")) not in headings
    )
    # an exact key is a phrase that was said; the line's own words come first
    anchors = split_sections(memory.body).get(FIELDS[4], "")
    keys = [key for key in dict.fromkeys((*more, memory.anchor, *quotations(anchors))) if key]
    text = "\n".join((memory.title, body, memory.marker, _own(memory.tags), *memory.asked_as))
    return Note(memory.id, text, tuple(keys), where_of(memory))


def _own(tags: Iterable[str]) -> str:
    """Return the tags that somebody chose, without the form's own five."""
    return ", ".join(tag for tag in tags if tag not in PROTOCOL_TAGS)


def _memory(glance: Snapshot, path: str) -> Memory | None:
    try:
        text = glance.text(path)
        return parse_memory(text, path) if text is not None else None
    except ReelError:
        # `reel status` reports a broken file; the other memories are still found
        return None


def _text(glance: Snapshot, path: str) -> str:
    try:
        return glance.text(path) or ""
    except ReelError:
        return ""


def _place(line: IndexLine) -> tuple[SourceRange, ...]:
    return (line.where,) if line.where is not None else ()


def _kept(title: str, tags: Sequence[str], where: Sequence[SourceRange]) -> Kept:
    return title, list(tags), [str(span) for span in where]


def _pointer(name: str, kept: Kept) -> Pointer:
    title, tags, where = kept
    spans = tuple(span for span in map(parse_source, where) if span is not None)
    return Pointer(name, title, tuple(tags), spans)
