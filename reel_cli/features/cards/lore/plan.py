"""Lorebooks and memories of other programs, into a kit that is there already."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING

from reel_cli.core.files.exemplar_file import slugify
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.values.change import one_line
from reel_cli.features.cards.kept_card import LORE_FOLDER
from reel_cli.features.cards.lore.book import read_lorebook, require_few, tell_keys
from reel_cli.features.cards.lore.imported_memories import MemoryImport, from_lore, from_noted, plan_import
from reel_cli.features.cards.lore.note_page import outside_code
from reel_cli.features.cards.lore.notes import LoreNote
from reel_cli.features.cards.lore.reimport import renew
from reel_cli.features.cards.macros import Names, replace_names
from reel_cli.features.cards.names import NAMES, render_names

if TYPE_CHECKING:
    from reel_cli.core.tokens.counter import Tokenizer


@dataclass(frozen=True, slots=True)
class Clock:
    """The context of an import's plan: the time, the tokenizer, and the first free number."""

    now: datetime
    tokenizer: "Tokenizer"
    first_number: int


def plan_lorebook(
    snapshot: Snapshot, data: bytes, shown: str, by: Clock
) -> tuple[MemoryImport, list[str], str | None]:
    """Plan to import a lorebook from a file that is called `shown`.

    Returns what it would do, what is to be told of it, and the path it is kept at; None where the kit keeps
    all of it already.
    """
    settings = snapshot.settings
    names = Names(settings.name, settings.user)
    found = read_lorebook(data, shown, names)
    require_few(found.book, shown)
    path = f"{LORE_FOLDER}/{slugify(shown.rpartition('.')[0] or shown).replace('exemplar', 'lorebook')}.json"
    again = renew(snapshot, path, found, names, by.now, by.tokenizer)
    dealt = again.entries | again.known
    things = [from_lore(entry) for entry in found.entries if entry.held and entry.key not in dealt]
    kept = {path: data, **again.writes, **_names_told(snapshot, path, data, names)}
    taken = plan_import(
        snapshot,
        things,
        kept,
        f"lore from {one_line(shown, 60)}",
        now=by.now,
        tokenizer=by.tokenizer,
        first_number=by.first_number,
        renewed=again.renewed,
    )
    taken = replace(
        taken, known=taken.known + sum(one.held for one in found.entries if one.key in again.known)
    )
    if taken.change is not None and not taken.memories and not taken.renewed:
        if again.brings:
            again.notes.append(f"It has no new memories. Kept for {again.brings}: {path}.")
        else:
            # another copy of a memory that the kit already has changes nothing
            taken = replace(taken, change=None)
            if snapshot.read(path) is None:
                return taken, again.notes, None
    off = sum(not entry.held for entry in found.entries)
    notes = tell_keys(found.entries, path)
    if off:
        entries = "1 entry is" if off == 1 else f"{off:,} entries are"
        notes.insert(0, f"{entries} switched off or empty, and kept in {path} alone.")
    return taken, notes + again.notes, path


def _names_told(snapshot: Snapshot, path: str, data: bytes, names: Names) -> dict[str, bytes]:
    """Return the names file if a lorebook uses the names and none exists yet."""
    speaks = any(tag in data.lower() for tag in (b"{{", b"<user>", b"<char>", b"<bot>"))
    if not speaks or snapshot.read(NAMES) is not None or snapshot.read(path) == data:
        return {}
    return {NAMES: render_names(names)}


def plan_memories(snapshot: Snapshot, found: Iterable[LoreNote], shown: str, by: Clock) -> MemoryImport:
    """Plan to import foreign memories, from what is called `shown`."""
    names = Names(snapshot.settings.name, snapshot.settings.user)
    return plan_import(
        snapshot,
        [from_noted(_named(noted, names)) for noted in found],
        {},
        f"memories from {one_line(shown, 60)}",
        now=by.now,
        tokenizer=by.tokenizer,
        first_number=by.first_number,
    )


def _named(noted: LoreNote, names: Names) -> LoreNote:
    """Return a note with its macros replaced by names."""

    def named(text: str) -> str:
        return replace_names(text, names)

    text = outside_code(noted.text, named)
    return replace(noted, title=named(noted.title), text=text, phrases=tuple(map(named, noted.phrases)))
