"""Lookup of single memories, and the note that they were read."""

from datetime import datetime

from reel_cli.core.errors import ReelError
from reel_cli.core.files.ledger_file import make_entry, render_entry
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.moment import stamp
from reel_cli.core.values.memory import IndexLine, Level, Memory, format_id


def list_memories(snapshot: Snapshot, *, level: Level | None = None, tag: str = "") -> list[Memory]:
    """Return the memories in ring 3, oldest first, of one level and with one tag where these are given."""
    return [
        memory
        for memory in snapshot.memories.values()
        if level in (None, memory.level) and (not tag or tag.casefold() in map(str.casefold, memory.tags))
    ]


def list_stubs(snapshot: Snapshot) -> list[IndexLine]:
    """Return the index lines whose memories are in ring 3 no more."""
    return [line for line in snapshot.index.lines.values() if line.id not in snapshot.memories]


def find_memory(snapshot: Snapshot, wanted: str) -> tuple[Memory | None, IndexLine | None]:
    """Return a memory by its ID (`M-004`, or just 4) and its index line; at least one of the two.

    Raises ReelError where the kit holds neither.
    """
    memory_id = memory_name(wanted)
    memory = snapshot.memories.get(memory_id)
    line = snapshot.index.lines.get(memory_id)
    if memory is None and line is None:
        message = f"There is no memory {memory_id}."
        raise ReelError(message, hint="see them with  reel memory list")
    return memory, line


def memory_name(wanted: str) -> str:
    """Return the ID meant by `M-004`, `m-4` or just 4; anything else unchanged."""
    digits = wanted.strip().upper().removeprefix("M").removeprefix("-")
    usable = digits.isascii() and digits.isdigit() and len(digits) < 10
    return format_id(int(digits)) if usable else wanted


def touch(snapshot: Snapshot, on: str, when: datetime) -> str:
    """Return the ledger line for a memory that was looked at."""
    session = snapshot.sessions[-1] if snapshot.sessions else ""
    return render_entry(make_entry(stamp(when), session, "touch", on))
