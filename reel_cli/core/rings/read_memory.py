"""Lookup of single memories, and the note that they were read."""

from collections.abc import Callable, Sequence
from datetime import datetime

from reel_cli.core.errors import ReelError
from reel_cli.core.files.ledger_file import make_entry, render_entry
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.moment import stamp
from reel_cli.core.nearest import nearest, resolve_name, settle_names
from reel_cli.core.values.memory import MEMORY_ID, IndexLine, Level, Memory, format_id


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
    """Return a memory by its ID (`M-004`, or just 4) or its title, and its index line; at least one of them.

    Words that only one title has are enough. Raises ReelError where the kit holds neither, or the words could
    mean several.
    """
    memory_id = meant_memory(snapshot, wanted) or memory_name(wanted)
    memory = snapshot.memories.get(memory_id)
    line = snapshot.index.lines.get(memory_id)
    if memory is None and line is None:
        titles = list_titles(snapshot)
        near = nearest(wanted, list(titles.values()))
        message = f"There is no memory {memory_id}."
        hint = next(
            (f"did you mean {name} ({title})?" for name, title in titles.items() if title == near), ""
        )
        raise ReelError(message, hint=hint or "see them with  reel memory list")
    return memory, line


def meant_memory(snapshot: Snapshot, wanted: str) -> str | None:
    """Return the ID of the memory or index line that is meant by an ID or words of a title; None for none.

    Raises ReelError where the words could mean several.
    """
    memory_id = memory_name(wanted)
    if memory_id in snapshot.memories or memory_id in snapshot.index.lines:
        return memory_id
    if memory_id != wanted:
        return None
    titles = titles_for(snapshot, wanted)
    return resolve_name(wanted, titles, name_kind(titles, wanted))


def settle_memories(
    snapshot: Snapshot, names: Sequence[str], command: Callable[[str], str] | None = None
) -> list[str]:
    """Return the names of memories that were typed, as one where they are the words of one title.

    Raises what `settle_names` does.
    """
    joined = " ".join(names)
    titles = titles_for(snapshot, joined)
    return settle_names(names, titles, name_kind(titles, joined), exact=is_memory_id, command=command)


def is_memory_id(name: str) -> bool:
    """Return whether a name is an ID or a number, whether or not the kit holds it."""
    return MEMORY_ID.fullmatch(memory_name(name)) is not None


def list_titles(snapshot: Snapshot) -> dict[str, str]:
    """Return the title of each memory, and of each that is only a line in the index, by ID."""
    lines = {line.id: line.description for line in snapshot.index.lines.values()}
    return lines | {memory.id: memory.title for memory in snapshot.memories.values()}


def titles_for(snapshot: Snapshot, wanted: str) -> dict[str, str]:
    """Return the titles that words may mean: without lines cut from a memory, where they mean that one.

    That memory may be a line in the index itself, since it was let go. Where the words could mean several
    memories, those alone are returned: the lines are only places in the chats.
    """
    titles = list_titles(snapshot)
    held = {name: title for name, title in titles.items() if name in snapshot.memories}
    found = None
    for among in (held, _uncut(titles)):
        try:
            found = found or resolve_name(wanted, among, "memories")
        except ReelError:
            return among
    if found is None:
        return titles
    told = f"{titles[found]}:".casefold()
    return {
        name: title
        for name, title in titles.items()
        if name in held or name == found or not f"{title}:".casefold().startswith(told)
    }


def name_kind(titles: dict[str, str], wanted: str) -> str:
    """Return the noun for what words could mean of these titles, as `reel memory list` has it."""
    try:
        cut = resolve_name(wanted, _uncut(titles), "memories") is None
    except ReelError:
        cut = False
    return "places in the chats" if cut else "memories"


def _uncut(titles: dict[str, str]) -> dict[str, str]:
    """Return the titles without those of lines cut from a memory, `The ferry: he said`."""
    there = {title.casefold() for title in titles.values()}

    def is_cut(title: str) -> bool:
        pieces = title.casefold().split(":")
        return any(":".join(pieces[:end]) in there for end in range(1, len(pieces)))

    return {name: title for name, title in titles.items() if not is_cut(title)}


def memory_name(wanted: str) -> str:
    """Return the ID meant by `M-004`, `m-4` or just 4; anything else unchanged."""
    digits = wanted.strip().upper().removeprefix("M").removeprefix("-")
    usable = digits.isascii() and digits.isdigit() and len(digits) < 10
    return format_id(int(digits)) if usable else wanted


def touch(snapshot: Snapshot, on: str, when: datetime) -> str:
    """Return the ledger line for a memory that was looked at."""
    session = snapshot.sessions[-1] if snapshot.sessions else ""
    return render_entry(make_entry(stamp(when), session, "touch", on))
