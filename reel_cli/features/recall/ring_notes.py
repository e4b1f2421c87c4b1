"""Memories, index lines, facts and working notes: as the search sees them, and their own words."""

from collections.abc import Container, Iterable, Sequence

from reel_cli.core.errors import ReelError
from reel_cli.core.evidence.phrases import fold, quotations
from reel_cli.core.exchange.schema import COMBINED
from reel_cli.core.files.index_file import parse_index
from reel_cli.core.files.markdown import split_sections
from reel_cli.core.files.tree import is_memory_file
from reel_cli.core.files.working_file import is_starting, is_starting_item, read_items, without_day
from reel_cli.core.kit.glance import Glance
from reel_cli.core.kit.snapshot import INDEX, WORKING
from reel_cli.core.pack.resting_parts import find_resting, standing_working
from reel_cli.core.pack.words import known
from reel_cli.core.ports import bring
from reel_cli.core.rings.line_places import find_places
from reel_cli.core.rings.pointers import held_memory, held_text, place_of
from reel_cli.core.values.memory import FIELDS, PROTOCOL_TAGS, Memory, is_brought, memory_path, where_of
from reel_cli.core.values.search import WORKING_NOTE, Note
from reel_cli.core.values.source import parse_source


def read_notes(glance: Glance) -> Sequence[Note]:
    """Return all memories, index lines, facts and notes as the search sees them, with their phrases."""
    rests = find_resting(glance)
    indexed = parse_index(held_text(glance, INDEX)).lines
    lines = {name: line for name, line in indexed.items() if name not in rests.lines}
    found = []
    headings = frozenset(map(fold, (*FIELDS, *(spec.label for spec in COMBINED.asked))))
    for path in glance.list("ring3"):
        if is_memory_file(path.removeprefix("ring3/")):
            memory = held_memory(glance, path)
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
                (places[line.id],) if line.id in places else place_of(line),
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
    memory = held_memory(glance, memory_path(note_id))
    if memory is not None:
        day = memory.order[0] or ("" if is_brought(memory.tags) else memory.created[:10])
        return (_known(memory) if is_brought(memory.tags) else memory.marker) or memory.title, day
    line = parse_index(held_text(glance, INDEX)).lines.get(note_id)
    if line is None:
        return "", ""
    return (f"{line.description}: “{line.anchor}”" if line.anchor else line.description), ""


def _known(memory: Memory) -> str:
    """Return all that a memory from elsewhere says, since no tape says more."""
    return next((str(tell(memory)) for tell in bring("imported")), memory.body.strip())


def read_anchor(glance: Glance, note_id: str) -> str:
    """Return the phrase that finds a memory or a line; "" where it has none."""
    memory = held_memory(glance, memory_path(note_id))
    if memory is not None:
        return memory.anchor
    line = parse_index(held_text(glance, INDEX)).lines.get(note_id)
    return line.anchor if line is not None else ""


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
