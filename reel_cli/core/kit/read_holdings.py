"""Holdings of a kit, read from any tree without the catalog, file by file."""

from collections import Counter as Tally
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any
from zlib import crc32

from reel_cli.core.errors import ReelError
from reel_cli.core.files import (
    exemplar_file,
    front_matter,
    index_file,
    memory_file,
    review_file,
    working_file,
)
from reel_cli.core.files.kit_files import find_kind, list_kit_files
from reel_cli.core.files.markdown import heading_lines
from reel_cli.core.files.tree import is_exemplar_file, is_memory_file, is_proposal_file
from reel_cli.core.frozen import frozen
from reel_cli.core.kit.approved_rings import Ring0, Ring1
from reel_cli.core.kit.snapshot import DIRECTIVES, IDENTITY, INDEX, WORKING, Snapshot
from reel_cli.core.stage_chain import remove_syntax, scene_tags
from reel_cli.core.values.holdings import (
    RESOLUTIONS,
    Clash,
    Core,
    Counter,
    FactRow,
    Holdings,
    LineRow,
    MemoryRow,
    MemoryTexts,
    OldValue,
    kept_under,
)
from reel_cli.core.values.memory import Memory, is_brought, memory_number

MANY_CHATS = 10
"""Number of recorded chats from which a template's starting notes are not packed."""
STORY = "story/history.md"


@frozen
class WrittenMemory:
    """A memory as it would be written: its sizes, its three texts, and when it was lived."""

    row: MemoryRow
    texts: tuple[str, str, str]
    order: tuple[str, int, int, int]
    tagged: bool = False
    """Whether STAGE or CHAIN syntax was left out."""


@frozen
class WrittenLine:
    """An index line as it would be written, and the words a cue is held against."""

    row: LineRow
    text: str
    words: str
    tagged: bool = False
    """Whether STAGE or CHAIN syntax was left out."""


def read_holdings(
    snapshot: Snapshot,
    writing: MemoryTexts,
    tokenizers: Callable[[str], Counter],
    ring0: Ring0 | None = None,
    ring1: Ring1 | None = None,
) -> Holdings:
    """Read a snapshot whole; `ring0` and `ring1` are what is approved where that is not the tree's own text.

    Raises ReelError naming the file and line that cannot be read.
    """
    core = read_core(snapshot, ring0, ring1)
    counter = tokenizers(core.settings.tokenizer)
    writing = writing.among(core.settings.people)
    memories = write_memories(snapshot, writing, counter)
    lines, broken = _written_lines(snapshot, writing, counter)
    return Holdings(
        core=core,
        memories=ListedMemories(sorted(memories, key=lambda m: m.order, reverse=True)),
        lines=ListedLines(lines[::-1]),
        counter=counter,
        highest=max(
            map(memory_number, [*(m.row.id for m in memories), *(x.row.id for x in lines)]), default=0
        ),
        broken=broken,
        tagged=[*(m.row.id for m in memories if m.tagged), *(x.row.id for x in lines if x.tagged)],
    )


def write_memories(snapshot: Snapshot, writing: MemoryTexts, counter: Counter) -> list[WrittenMemory]:
    """Return every memory as it would be written, in order of the files' names."""

    def note(path: str) -> tuple[object, ...]:
        text = snapshot.text(path) or ""
        made = write_memory(text, path, writing, counter.count, later=snapshot.is_later)
        return made.row, made.texts, made.order, made.tagged

    paths = [path for path in snapshot.list("ring3") if is_memory_file(path.removeprefix("ring3/"))]
    kept: Mapping[str, Any] = snapshot.note(f"written {_key(snapshot, writing, counter)}", paths, note)
    notes = (kept[path] for path in paths)
    return [
        WrittenMemory(MemoryRow(*row), tuple(texts), tuple(order), tagged)
        for row, texts, order, tagged in notes
    ]


def _written_lines(
    snapshot: Snapshot, writing: MemoryTexts, counter: Counter
) -> tuple[list[WrittenLine], list[int]]:

    def note(path: str) -> tuple[Sequence[Sequence[object]], Sequence[int]]:
        text = snapshot.text(path) or ""
        lines, broken = write_lines(text, writing, counter.count, later=snapshot.is_later)
        return [(line.row, line.text, line.words, line.tagged) for line in lines], broken

    kept: Mapping[str, Any] = snapshot.note(f"lines {_key(snapshot, writing, counter)}", [INDEX], note)
    lines, broken = kept[INDEX]
    return [WrittenLine(LineRow(*row), *rest) for row, *rest in lines], list(broken)


def _key(snapshot: Snapshot, writing: MemoryTexts, counter: Counter) -> str:
    return f"{writing.key} {kept_under(counter)}{' later' if snapshot.is_later else ''}"


def read_core(snapshot: Snapshot, ring0: Ring0 | None, ring1: Ring1 | None = None) -> Core:
    """Read all but rings 3 and 4; ReelError naming what cannot be read."""
    facts, resting = read_packed_rows(snapshot)
    approved = ring1.snapshot if ring1 else snapshot
    return Core(
        settings=snapshot.settings,
        identity=ring0.identity if ring0 else _body(snapshot, IDENTITY),
        directives=ring0.directives if ring0 else _body(snapshot, DIRECTIVES),
        working=read_working(snapshot),
        exemplars=[
            exemplar_file.parse_exemplar(approved.text(path) or "", path, later=snapshot.is_later)
            for path in approved.list("ring1")
            if is_exemplar_file(path.removeprefix("ring1/"))
        ],
        active=approved.active,
        waiting=ring0.waiting if ring0 else (),
        drafts=ring0.drafts if ring0 else (),
        doubt=ring0.doubt if ring0 else None,
        unapproved=ring1.waiting if ring1 else (),
        clashes=list(list_clashes(snapshot)),
        facts=facts,
        resting=resting,
        old_values=list(list_old_values(snapshot)),
    )


def read_working(snapshot: Snapshot) -> str:
    """Return where things stand; "" for a template's starting notes once there is a past without pages.

    They say that nothing has happened yet. A past is a story, or so many chats that a page cannot be near.
    """
    working = _body(snapshot, WORKING)
    if not working_file.is_starting(working):
        return working
    lived = (snapshot.read(STORY) or b"").strip() or len(snapshot.sessions) >= MANY_CHATS
    return "" if lived else working


def read_packed_rows(snapshot: Snapshot) -> tuple[Sequence[FactRow], Sequence[tuple[str, str]]]:
    """Return the rows that features hold for every bundle, and those that rest."""
    held: list[FactRow] = []
    resting: list[tuple[str, str]] = []
    for file in list_kit_files():
        kind = find_kind(file.path) if file.packed and snapshot.read(file.path) is not None else None
        if kind is not None and kind.rows is not None:
            rows, rest = kind.rows(snapshot)
            held += rows
            resting += rest
    return held, resting


def list_old_values(snapshot: Snapshot) -> Iterator[OldValue]:
    """Yield the values in features' files that hold no longer."""
    for file in list_kit_files():
        kind = find_kind(file.path) if file.packed and snapshot.read(file.path) is not None else None
        if kind is not None and kind.old_values is not None:
            yield from kind.old_values(snapshot)


def list_clashes(snapshot: Snapshot) -> Iterator[Clash]:
    """Yield the contradictions that wait in `review/`; `reel review` reports unreadable files there."""
    for path in snapshot.list("review"):
        if not is_proposal_file(path):
            continue
        try:
            proposal = review_file.parse_proposal(snapshot.text(path) or "", path)
        except ReelError:
            continue
        if proposal.sides:
            older, newer = ((side.where, side.says, side.day) for side in proposal.sides)
            yield Clash(proposal.id, older, newer)


def _body(snapshot: Snapshot, path: str) -> str:
    return front_matter.split(snapshot.text(path) or "", path).body


def write_memory(
    text: str, path: str, writing: MemoryTexts, count: Callable[[str], int], *, later: bool
) -> WrittenMemory:
    """Parse and write one memory; where a shorter form comes out no shorter, the longer one stands for it."""
    memory = memory_file.parse_memory(text, path, later=later)
    try:
        order = memory.order
    except ValueError:
        message = f"{path}: its chats should be written like 2026-02-10-1."
        raise ReelError(message, hint="correct the line  sessions:  at the top of the file") from None
    lived, parts = _lived(memory)
    whole, marker, tag = writing.memory(lived, parts)
    sizes = count(whole), count(marker), count(tag)
    if sizes[1] >= sizes[0]:
        marker, sizes = whole, (sizes[0], sizes[0], sizes[2])
    if sizes[2] >= sizes[1]:
        tag, sizes = marker, (sizes[0], sizes[1], sizes[1])
    mark = f"{crc32(text.encode()):08x}"
    row = MemoryRow(memory.id, memory.level.value, *sizes, mark, is_brought(memory.tags))
    return WrittenMemory(row, (whole, marker, tag), order, lived is not memory)


def _lived(memory: Memory) -> tuple[Memory, list[tuple[str, str]]]:
    """Return a memory and its parts without STAGE and CHAIN syntax; the memory itself where it has none."""
    parts = split_body(memory)
    # a scene's own tags may stand in a paragraph without any of STAGE's
    also = scene_tags((memory.marker, memory.body))
    told = [remove_syntax(text, also) for text in (memory.title, memory.marker, memory.tag)]
    lived = [(remove_syntax(heading, also), remove_syntax(text, also)) for heading, text in parts]
    if lived == parts and told == [memory.title, memory.marker, memory.tag]:
        return memory, parts
    return replace(memory, title=told[0], marker=told[1], tag=told[2]), lived


def split_body(memory: Memory) -> list[tuple[str, str]]:
    """Return a memory's body as headings with their texts; text before the first has no heading."""
    lines = memory.body.splitlines(keepends=True)
    spans = heading_lines(memory.body)
    first = spans[0][1] if spans else len(lines)
    parts = [("", "".join(lines[:first]))]
    for at, (heading, _, start) in enumerate(spans):
        end = spans[at + 1][1] if at + 1 < len(spans) else len(lines)
        parts.append((heading, "".join(lines[start:end])))
    return parts


def write_lines(
    text: str, writing: MemoryTexts, count: Callable[[str], int], *, later: bool
) -> tuple[list[WrittenLine], list[int]]:
    """Parse and write the index, in file order; and the numbers of lines that look like its and are not."""
    index = index_file.parse_index(text, later=later)
    written = []
    for place, line in enumerate(index.lines.values()):
        lived = replace(line, description=remove_syntax(line.description), anchor=remove_syntax(line.anchor))
        unit = writing.line(lived)
        mark = f"{crc32(index_file.render_line(line).encode()):08x}"
        words = f"{line.description} {line.anchor} {' '.join(line.tags)}"
        row = LineRow(line.id, place, count(unit), line.immune, mark, is_brought(line.tags))
        written.append(WrittenLine(row, unit, words, lived != line))
    return written, [number for number, _ in index.broken]


class ListedMemories:
    """Ring 3, all of it in memory."""

    def __init__(self, newest_first: Sequence[WrittenMemory]) -> None:
        self._all = newest_first
        self.count = len(newest_first)
        self.brought = sum(m.row.brought for m in newest_first)
        self.markers = sum(m.row.marker for m in newest_first)
        self.tags = sum(m.row.tag for m in newest_first)
        self.whole = sum(m.row.whole for m in newest_first)
        self.levels: Mapping[str, int] = Tally(m.row.level for m in newest_first)

    def newest(self) -> Iterator[MemoryRow]:
        """Yield all rows, newest first."""
        return (memory.row for memory in self._all)

    def ids(self) -> Sequence[str]:
        """Return all IDs, newest first."""
        return [memory.row.id for memory in self._all]

    def texts(self, chosen: Mapping[str, str]) -> Mapping[str, str]:
        """Return the written texts of chosen IDs, each at its resolution."""
        return {
            memory.row.id: memory.texts[RESOLUTIONS.index(chosen[memory.row.id])]
            for memory in self._all
            if memory.row.id in chosen
        }


@dataclass(frozen=True)
class ListedLines:
    """Ring 4, all of it in memory."""

    newest_first: Sequence[WrittenLine] = field(default_factory=list)

    @property
    def count(self) -> int:
        """Return the number of lines."""
        return len(self.newest_first)

    @cached_property
    def brought(self) -> int:
        """Return the number of lines that stand for what came from elsewhere."""
        return sum(line.row.brought for line in self.newest_first)

    @cached_property
    def tokens(self) -> int:
        """Return the tokens of them all."""
        return sum(line.row.tokens for line in self.newest_first)

    @cached_property
    def least(self) -> int:
        """Return the tokens of the shortest line."""
        return min((line.row.tokens for line in self.newest_first), default=0)

    def newest(self, *, immune: bool | None = None) -> Iterator[LineRow]:
        """Return all rows, or those with this flag, the newest first."""
        return (x.row for x in self.newest_first if immune is None or x.row.immune is immune)

    def ids(self) -> Sequence[str]:
        """Return all IDs, newest first."""
        return [line.row.id for line in self.newest_first]

    def immune_ids(self) -> Collection[str]:
        """Return the IDs of the immune ones."""
        return {row.id for row in self.newest(immune=True)}

    def words(self) -> Iterator[tuple[str, str]]:
        """Return each ID with its description, phrase and tags."""
        return ((line.row.id, line.words) for line in self.newest_first)

    def texts(self, ids: Iterable[str]) -> Mapping[str, str]:
        """Return the written lines of these IDs."""
        wanted = set(ids)
        return {x.row.id: x.text for x in self.newest_first if x.row.id in wanted}
