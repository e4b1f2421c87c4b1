"""A lorebook that comes in again, edited meanwhile: the same memories in new words."""

from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.files import front_matter
from reel_cli.core.files.memory_file import render_memory
from reel_cli.core.files.yaml_text import render_scalar
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.values.change import name_some
from reel_cli.core.values.memory import memory_path
from reel_cli.features.cards.lore.book import Lorebook, LoreEntry, read_lorebook
from reel_cli.features.cards.lore.imported_memories import (
    ENTRY,
    entries_of,
    form_of,
    from_lore,
    held_entries,
    make_memory,
)
from reel_cli.features.cards.lore.known_entries import Sayings, books_in, room_of, says_the_same
from reel_cli.features.cards.parts import CARD

if TYPE_CHECKING:
    from reel_cli.core.tokens.counter import Tokenizer
    from reel_cli.core.values.memory import Memory
    from reel_cli.features.cards.macros import Names

NAMED = 5
"""Maximum number of memories named one by one."""


@dataclass
class LorebookChanges:
    """The changes of memories by an edited lorebook.

    `writes` are the pages, `renewed` the memories whose words are new, `entries` the entries that are dealt
    with, by their keys; `notes` say what it does not do.
    """

    writes: dict[str, bytes] = field(default_factory=dict)
    renewed: list["Memory"] = field(default_factory=list)
    entries: set[str] = field(default_factory=set)
    notes: list[str] = field(default_factory=list)
    known: set[str] = field(default_factory=set)
    """The entries that are remembered as an entry of another book that says the same, by their keys."""
    brings: str = ""
    """New content of the file, apart from what is to be remembered; "" if there is none."""


def renew(  # noqa: PLR0913 (what was, what is, and by which names, clock and count)
    snapshot: Snapshot, path: str, book: Lorebook, names: "Names", now: datetime, by: "Tokenizer"
) -> LorebookChanges:
    """Compare a lorebook with the one imported as `path`, else the card's book, entry by entry.

    What a person changed in the kit, or what has receded, is left as it is; a new text then comes beside it.
    """
    made = LorebookChanges()
    books = dict(books_in(snapshot, names))
    mine = _read(snapshot.read(path), names)
    if mine is not None:
        books[path] = mine
    held = held_entries(snapshot)
    same: Sayings[Memory] = Sayings()
    home: dict[str, LoreEntry] = {}
    for entry in (one for each in books.values() for one in each.entries):
        home.setdefault(entry.key, entry)
        if entry.key in held:
            same.add(entry.raw, held[entry.key])
    made.brings = _brings(book, mine, list(books.values()))
    if mine is None and snapshot.read(path) is not None:
        made.brings = made.brings or "what cannot be read any more"
    pairs = _pairs(book, mine, books.get(CARD))
    stays = {entry.key for where, each in books.items() if where != path for entry in each.entries}
    fresh = {entry.key for entry in book.entries}
    gone: list[Memory] = []
    for entry, now_is in pairs:
        memory = held.get(entry.key) or same.find(entry.raw)
        if memory is None or entry.key in fresh:
            continue
        if now_is is None or not now_is.text:
            gone.append(memory)
        elif now_is.key not in held and now_is.key not in made.entries:
            if not now_is.held:
                gone.append(memory)
            own = entry.key in held and entry.key not in stays
            keys = [key for key in entries_of(snapshot, memory) if key in home]
            was = home[keys[0]] if keys else entry
            if own or not says_the_same(was.raw, now_is.raw):
                also = [key for key in keys if key in stays]
                _renew(made, snapshot, memory, was, (now_is, also), now, by)
    made.known = {
        entry.key
        for entry in book.entries
        if entry.key not in made.entries and entry.key not in held and same.find(entry.raw) is not None
    }
    if gone:
        which = name_some([f"{memory.title} ({memory.id})" for memory in gone], NAMED)
        made.notes.append(
            f"Not in it any more, or switched off, but still remembered: {which}."
            " To let one go:  reel forget ID"
        )
    return made


def _read(before: bytes | None, names: "Names") -> Lorebook | None:
    try:
        return read_lorebook(before, "the lorebook", names) if before is not None else None
    except ReelError:
        return None


def _number(entry: LoreEntry) -> str:
    """Return an entry's number in its file, independent of its words."""
    number = entry.raw.get("uid", entry.raw.get("id"))
    return str(number) if isinstance(number, int | str) else entry.place


def _pairs(
    book: Lorebook, mine: Lorebook | None, card: Lorebook | None
) -> list[tuple[LoreEntry, LoreEntry | None]]:
    """Return the entries as they were, each with its present form.

    They were in the file of that name. Without one, they were in the card's book, if this is that book: if
    most of its entries are here, under their numbers or in their words.
    """
    old = mine or card
    if old is None:
        return []
    later = {_number(entry): entry for entry in book.entries}
    said: Sayings[LoreEntry] = Sayings()
    for entry in book.entries:
        said.add(entry.raw, entry)
    pairs: list[tuple[LoreEntry, LoreEntry | None]] = []
    for entry in old.entries:
        now_is = later.get(_number(entry))
        if now_is is None or not says_the_same(entry.raw, now_is.raw):
            now_is = said.find(entry.raw) or now_is
        if mine is None and now_is is not None and not _akin(entry, now_is):
            now_is = None
        pairs.append((entry, now_is))
    here = sum(now_is is not None for _, now_is in pairs)
    return pairs if mine is not None or 2 * here > len(pairs) else []


def _akin(one: LoreEntry, other: LoreEntry) -> bool:
    """Return whether two entries of one number may be one: they share a name, a text or a key."""
    keys = [{phrase.casefold() for phrase in entry.phrases} for entry in (one, other)]
    return one.title == other.title or one.text == other.text or bool(keys[0] & keys[1])


def _brings(book: Lorebook, mine: Lorebook | None, books: list[Lorebook]) -> str:
    """Return what a file adds that no book of the kit has; under an existing name, changed settings too."""
    if mine is not None:
        return "" if book.book == mine.book else "what changed in it"
    known: Sayings[bool] = Sayings()
    for entry in (one for each in books for one in each.entries):
        known.add(entry.raw, True)  # noqa: FBT003 (a thing like any other)
    many = sum(known.find(entry.raw) is None for entry in book.entries)
    if many:
        return "1 entry that no other book has" if many == 1 else f"{many:,} entries that no other book has"
    room = room_of(book)
    if room and all(room_of(one) != room for one in books):
        return "how far it looks back and how much room it has"
    return "" if books and book.entries else "its settings"


def _renew(  # noqa: PLR0913
    made: LorebookChanges,
    snapshot: Snapshot,
    memory: "Memory",
    was: LoreEntry,
    then: tuple[LoreEntry, list[str]],
    now: datetime,
    by: "Tokenizer",
) -> None:
    """Update a memory to the words of its entry; if they are the same, only its new key.

    `then` is the entry, and the keys of those in other books that the memory is as well.
    """
    entry, also = then
    path = memory_path(memory.id)
    before, after = (form_of(from_lore(one), by.count) for one in (was, entry))
    key = {ENTRY: render_scalar(" ".join(dict.fromkeys((entry.key, *also))))}
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
