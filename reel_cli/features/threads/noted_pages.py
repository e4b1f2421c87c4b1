"""The pages of a kit with their terms, or these alone, as the catalog notes them for unchanged files."""

from typing import TYPE_CHECKING, Any

from reel_cli.core.errors import ReelError
from reel_cli.core.files.memory_file import parse_memory
from reel_cli.core.files.tree import is_memory_file
from reel_cli.core.values.memory import Level, Memory, is_brought
from reel_cli.core.values.source import parse_source
from reel_cli.features.threads.survey import Pages, list_names, words_of
from reel_cli.features.threads.terms import count_terms

if TYPE_CHECKING:
    from reel_cli.core.kit.snapshot import Snapshot

PageNote = list[Any]
"""A page as plain JSON: its order, its fields as threads need them, and its terms; empty for no such page."""


def read_noted_pages(overview: "Snapshot") -> Pages:
    """Return the pages as `read_pages` does, without parsing the files that are noted already."""
    names = list_names(overview)
    paths = [path for path in overview.list("ring3") if is_memory_file(path.removeprefix("ring3/"))]
    # the terms depend on the speakers' names
    kind = f"pages and days of threads without {' '.join(sorted(names))}"
    notes = overview.note(kind, paths, lambda path: _note_page(overview, path, names))
    found = sorted((notes[path] for path in paths if notes[path]), key=lambda note: note[0])
    memories = [_read_note(note) for note in found]
    return Pages(memories, {memory.id: note[-1] for memory, note in zip(memories, found, strict=True)})


def _note_page(overview: "Snapshot", path: str, names: frozenset[str]) -> PageNote:
    try:
        memory = parse_memory(overview.text(path) or "", path)
    except ReelError:
        # reel doctor names it
        return []
    if is_brought(memory.tags):
        return []
    return [
        list(memory.order),
        [memory.id, memory.title, memory.level.value, memory.body, memory.created, memory.day],
        [memory.sessions, [str(span) for span in memory.source], memory.tags],
        [memory.marker, memory.asked_as],
        count_terms(words_of(memory), names),
    ]


def _read_note(note: PageNote) -> Memory:
    _, (name, title, level, body, created, day), (sessions, source, tags), (marker, asked_as), _ = note
    spans = (parse_source(span) for span in source)
    return Memory(
        name,
        title,
        Level(level),
        body,
        created,
        sessions=tuple(sessions),
        source=tuple(span for span in spans if span is not None),
        tags=tuple(tags),
        marker=marker,
        asked_as=tuple(asked_as),
        day=day,
    )
