"""A lorebook that comes in again under its own name, edited meanwhile: the same memories in new words."""

from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING

from reel_cli.cards.book import Lorebook, LoreEntry, read_lorebook
from reel_cli.cards.json_text import Json
from reel_cli.errors import ReelError
from reel_cli.flows.brought import ENTRY, form_of, from_lore, held_entries, make_memory
from reel_cli.kit import front_matter
from reel_cli.kit.memory_file import memory_path, render_memory
from reel_cli.kit.snapshot import Snapshot
from reel_cli.kit.yaml_text import render_scalar

if TYPE_CHECKING:
    from reel_cli.cards.macros import Names
    from reel_cli.model.memory import Memory
    from reel_cli.tokens import Tokenizer

NAMED = 5
"""So many memories are named one by one."""


@dataclass
class Again:
    """What an edited lorebook changes of what is remembered of it.

    `writes` are the pages, `renewed` the memories whose words are new, `entries` the entries that are dealt
    with, by their keys; `notes` say what it does not do.
    """

    writes: dict[str, bytes] = field(default_factory=dict)
    renewed: list["Memory"] = field(default_factory=list)
    entries: set[str] = field(default_factory=set)
    notes: list[str] = field(default_factory=list)


def renew(  # noqa: PLR0913 (what was, what is, and by which names, clock and count)
    snapshot: Snapshot, before: bytes | None, book: Lorebook, names: "Names", now: datetime, by: "Tokenizer"
) -> Again:
    """Hold a lorebook against the same file as it was taken in `before`, entry by entry.

    What a person changed in the kit, or what has receded, is left as it is; a new text then comes beside it.
    """
    made = Again()
    old = _read(before, names)
    if old is None:
        return made
    known = held_entries(snapshot)
    fresh = {entry.key for entry in book.entries}
    later = {_number(entry): entry for entry in book.entries}
    gone: list[Memory] = []
    for entry in old.entries:
        memory = known.get(entry.key)
        if memory is None or entry.key in fresh:
            continue
        now_is = later.get(_number(entry))
        if now_is is None or not now_is.text:
            gone.append(memory)
        elif now_is.key not in known and now_is.key not in made.entries:
            if not now_is.held:
                gone.append(memory)
            _renew(made, snapshot, memory, entry, now_is, now, by)
    if gone:
        which = ", ".join(f"{memory.title} ({memory.id})" for memory in gone[:NAMED])
        more = f" and {len(gone) - NAMED:,} more" if len(gone) > NAMED else ""
        made.notes.append(
            f"Not in it any more, or switched off, but still remembered: {which}{more}."
            " To let one go:  reel forget ID"
        )
    return made


def _read(before: bytes | None, names: "Names") -> Lorebook | None:
    try:
        return read_lorebook(before, "the lorebook", names) if before is not None else None
    except ReelError:
        return None


def _number(entry: LoreEntry) -> Json:
    """What tells an entry from the others of its file, whatever becomes of its words."""
    number = entry.raw.get("uid", entry.raw.get("id"))
    return str(number) if isinstance(number, int | str) else f"place {entry.place}"


def _renew(  # noqa: PLR0913
    made: Again,
    snapshot: Snapshot,
    memory: "Memory",
    was: LoreEntry,
    entry: LoreEntry,
    now: datetime,
    by: "Tokenizer",
) -> None:
    """Give a memory the words that its entry has by now; where they are the same, its new key alone."""
    path = memory_path(memory.id)
    before, after = (form_of(from_lore(one), by.count) for one in (was, entry))
    key = {ENTRY: render_scalar(entry.key)}
    if before == after and was.constant == entry.constant:
        made.writes[path] = front_matter.set_fields(snapshot.text(path) or "", key, path).encode()
        made.entries.add(entry.key)
        return
    as_it_came = (memory.title, memory.body.strip(), memory.anchor, memory.level) == (
        before.title,
        before.body.strip(),
        before.anchor,
        before.level,
    )
    if not as_it_came or memory.no_longer or not entry.held:
        return
    fresh = make_memory(from_lore(entry), memory.id, now, by.count)
    renewed = replace(
        fresh,
        uid=memory.uid,
        created=memory.created,
        tags=memory.tags,
        immune=entry.constant if memory.immune == was.constant else memory.immune,
        immune_reason=fresh.immune_reason if memory.immune == was.constant else memory.immune_reason,
    )
    made.writes[path] = front_matter.set_fields(render_memory(renewed), key, path).encode()
    made.renewed.append(renewed)
    made.entries.add(entry.key)
