"""A kit read for an overview: of each memory only where it comes from, however many there are."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TypeVar

from reel_cli.core.files.memory_file import parse_memory
from reel_cli.core.files.ring_files import is_memory_file
from reel_cli.core.files.tree import Tree
from reel_cli.core.kit.file_notes import note_files
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.values.memory import MEMORY_ID, Level, Memory
from reel_cli.core.values.source import SESSION_ID, SourceRange, parse_source

T = TypeVar("T")

_ITEM = r'"?[0-9A-Za-z#-]+"?'
_LIST = rf"\[(?:{_ITEM}(?:, {_ITEM})*)?\]"
_KEYS = re.compile(rf"(?m)^(?:level: (L[1-4])|sessions: ({_LIST})|source: ({_LIST}))$")
"""The fields as reel writes them; a file that has them otherwise is parsed."""
_WORD = re.compile(r"[0-9A-Za-z#-]+")


class Glance(Snapshot):
    """A snapshot whose memories have an ID, a level, sessions and sources, and nothing else.

    A fault elsewhere in a memory's file is not noticed here. `kit` is the folder the tree is of,
    for what is noted of its files; None where the tree is another.
    """

    def __init__(self, tree: Tree, name: str, kit: Path | None = None) -> None:
        """Read from `tree`, calling the kit `name` in messages."""
        super().__init__(tree, name)
        self._kit = kit

    def note(self, kind: str, paths: Iterable[str], make: Callable[[str], T]) -> Mapping[str, T]:
        """Return a note on each file, cached if possible; see `note_files`."""
        return note_files(self._kit, kind, paths, make) if self._kit else super().note(kind, paths, make)

    @cached_property
    def memories(self) -> Mapping[str, Memory]:
        """Return ring 3 by ID, in order of its files' names."""
        paths = [path for path in self.list("ring3") if is_memory_file(path.removeprefix("ring3/"))]
        notes = self.note("memories", paths, self._note_memory)
        return {memory.id: memory for memory in map(_from_note, paths, map(notes.__getitem__, paths))}

    def _note_memory(self, path: str) -> tuple[str, Sequence[str], Sequence[str]]:
        memory = glance_at_memory(self.text(path) or "", path)
        return memory.level.value, memory.sessions, [str(span) for span in memory.source]


def _from_note(path: str, note: tuple[str, Sequence[str], Sequence[str]]) -> Memory:
    name = path.removeprefix("ring3/").removesuffix(".md")
    level, sessions, source = note
    spans = tuple(span for span in map(parse_source, source) if span is not None)
    return Memory(name, name, Level(level), "", sessions=tuple(sessions), source=spans)


def glance_at_memory(text: str, path: str) -> Memory:
    """Return a memory's level and origin from its front matter; raises ReelError if that is unreadable."""
    name = Path(path).stem
    end = text.find("\n---\n", 3) if text.startswith("---\n") else -1
    head = text[:end] if end > 0 else ""
    fields = _KEYS.findall(head)
    plain = len(fields) == 3 and f"\nid: {name}\n" in head and MEMORY_ID.fullmatch(name)
    if not plain or {bool(f[0]) + 2 * bool(f[1]) + 3 * bool(f[2]) for f in fields} != {1, 2, 3}:
        return parse_memory(text, path)
    level, sessions, source = ("".join(parts) for parts in zip(*fields, strict=True))
    spans = [parse_source(word) for word in _WORD.findall(source)]
    known: tuple[SourceRange, ...] = tuple(span for span in spans if span is not None)
    named = tuple(_WORD.findall(sessions)) or tuple(dict.fromkeys(span.session for span in known))
    if not all(SESSION_ID.fullmatch(session) for session in named):
        return parse_memory(text, path)
    return Memory(id=name, title=name, level=Level(level), body="", sessions=named, source=known)
