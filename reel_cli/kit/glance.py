"""A kit read for an overview: of each memory only where it comes from, however many there are."""

import re
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path

from reel_cli.kit.memory_file import parse_memory
from reel_cli.kit.ring_files import is_memory_file
from reel_cli.kit.snapshot import Snapshot
from reel_cli.model.memory import MEMORY_ID, Level, Memory
from reel_cli.model.tape import SESSION_ID, SourceRange, parse_source

_ITEM = r'"?[0-9A-Za-z#-]+"?'
_LIST = rf"\[(?:{_ITEM}(?:, {_ITEM})*)?\]"
_KEYS = re.compile(rf"(?m)^(?:level: (L[1-4])|sessions: ({_LIST})|source: ({_LIST}))$")
"""The fields as reel writes them; a file that has them otherwise is parsed."""
_WORD = re.compile(r"[0-9A-Za-z#-]+")


class Glance(Snapshot):
    """A snapshot whose memories have an ID, a level, sessions and sources, and nothing else.

    A fault elsewhere in a memory's file is not noticed here.
    """

    @cached_property
    def memories(self) -> Mapping[str, Memory]:
        """Ring 3 by ID, in order of its files' names."""
        found: dict[str, Memory] = {}
        for path in self.list("ring3"):
            if is_memory_file(path.removeprefix("ring3/")):
                memory = glance_at_memory(self.text(path) or "", path)
                found[memory.id] = memory
        return found


def glance_at_memory(text: str, path: str) -> Memory:
    """What a memory's front matter says of where it comes from; ReelError where it cannot be read."""
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
