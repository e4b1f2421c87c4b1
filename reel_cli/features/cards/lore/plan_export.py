"""The lore and memories of a kit as a lorebook, each entry as it came where it still says the same."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from reel_cli.core.files.json_text import Json, as_object, render_json
from reel_cli.features.cards.lore.book import (
    Lorebook,
    book_entry,
    world_entry,
)
from reel_cli.features.cards.lore.book_edit import in_original
from reel_cli.features.cards.lore.kept_books import Shelf
from reel_cli.features.cards.lore.known_entries import room_of
from reel_cli.features.cards.lore.world_info import book_settings, to_book, to_world, world_settings

FIRST_ORDER = 100
"""The order of an entry that reel adds, which SillyTavern gives to every new one."""


@dataclass(frozen=True, slots=True)
class LorebookPlan:
    """A lorebook to be written, and what is in it.

    `lore` and `lived` are how many entries are of each kind; `changed` say something else than when they
    came, `gone` are the titles of those that the kit let go.
    """

    book: dict[str, Json] | None
    lore: int = 0
    lived: int = 0
    changed: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    unset: tuple[str, ...] = ()
    """The books whose own settings (how far to look back, how much room) are not those of this one."""


def write_book(shelf: Shelf, *, lived: bool) -> LorebookPlan:
    """Return the book of a card: its own entries, other lore, then (if wanted) what was lived.

    None where the card had no book and there is nothing to put into one.
    """
    own, imported = shelf.of_card(), list(shelf.imported())
    books = [own, *imported] if own is not None else imported
    made: list[tuple[str, Json]] = []
    numbers = _Numbers("id")
    for book in books:
        for place, now in shelf.entries(book, first=book is books[0]):
            if book is books[0]:
                entry = now if book is own or not isinstance(now, dict) else to_book(now)
                # a program numbers an entry without a number by its place
                numbers.take({"id": place, **as_object(entry)})
                made.append((place, entry))
            else:
                made.append(("", numbers.give(to_book(as_object(now)))))
    others = shelf.others(lived=lived)
    made += [
        ("", numbers.give(book_entry(said, FIRST_ORDER + place))) for place, (said, _) in enumerate(others)
    ]
    count = sum(own_ for _, own_ in others)
    settings = own.book if own is not None else book_settings(books[0].book) if books else None
    whole: dict[str, Json] | None = None
    if settings is not None:
        entries: Json = _by_place(made) if own is not None and own.world else [entry for _, entry in made]
        whole = {**settings, "entries": entries}
        if own is not None and not made and not isinstance(own.book.get("entries"), list | dict):
            # a book without entries stays as it is
            whole = dict(own.book)
    elif made:
        whole = {"name": shelf.naming.now.char, "extensions": {}, "entries": [entry for _, entry in made]}
    return _written(whole, shelf, count, books)


def write_world(shelf: Shelf, *, lived: bool) -> LorebookPlan:
    """Return all lore as one World Info, then (if wanted) what was lived, by its anchor phrases.

    The first World Info that was imported is as it came, with its own numbers; others follow it.
    """
    imported, own = list(shelf.imported()), shelf.of_card()
    first = next((book for book in imported if book.world), None)
    rest = [book for book in [*imported, own] if book is not None and book is not first]
    books = [first, *rest] if first is not None else rest
    entries: dict[str, Json] = {}
    numbers = _Numbers("uid")
    for place, now in shelf.entries(first, first=True) if first is not None else ():
        entries[place] = now
        numbers.take(now)
        numbers.take({"uid": place})
    for book in rest:
        for _, now in shelf.entries(book, first=book is books[0]):
            if not isinstance(now, dict):
                continue
            entry = numbers.give(to_world(now))
            entries[str(entry["uid"])] = entry
    others = shelf.others(lived=lived)
    for said, _ in others:
        entry = numbers.give(world_entry(said, FIRST_ORDER))
        entries[str(entry["uid"])] = entry
    count = sum(own_ for _, own_ in others)
    settings = dict(first.book) if first is not None else world_settings(books[0].book) if books else {}
    if first is not None and settings.get("originalData"):
        settings["originalData"] = in_original(first.book, _touched(first, entries))
    return _written({**settings, "entries": entries}, shelf, count, books)


def _written(
    book: dict[str, Json] | None, shelf: Shelf, lived: int, books: Sequence[Lorebook]
) -> LorebookPlan:
    """Return the written book; of several books, the first one's settings count."""
    kept = render_json(room_of(books[0])) if books else b""
    unset = [one.name or "the card" for one in books[1:] if render_json(room_of(one)) not in (kept, b"{}")]
    return LorebookPlan(
        book, shelf.lore, lived, tuple(shelf.changed), tuple(shelf.gone), tuple(dict.fromkeys(unset))
    )


def _touched(first: Lorebook, entries: Mapping[str, Json]) -> dict[str, dict[str, Json] | None]:
    """Return the changed entries of a World Info, by number; None for a deleted one."""
    found: dict[str, dict[str, Json] | None] = {}
    for entry in first.entries:
        now = entries.get(entry.place)
        number = str(entry.raw.get("uid", entry.place))
        if now is None:
            found[number] = None
        elif now != entry.raw:
            found[number] = {
                name: value for name, value in as_object(now).items() if value != entry.raw.get(name)
            }
    return found


def _by_place(made: Sequence[tuple[str, Json]]) -> dict[str, Json]:
    """Return entries by their names; new ones get numbers as names."""
    entries = {place: entry for place, entry in made if place}
    for place, entry in made:
        if not place:
            number = len(entries)
            while str(number) in entries:
                number += 1
            entries[str(number)] = entry
    return entries


class _Numbers:
    """The numbers of a book's entries, none of them twice: a program takes two of one number for one."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.taken: set[str] = set()

    def take(self, entry: Json) -> None:
        """Mark a number as used."""
        if isinstance(entry, dict) and self.name in entry:
            self.taken.add(str(entry[self.name]))

    def give(self, entry: dict[str, Json]) -> dict[str, Json]:
        """Return an entry with its own number, or the next free one if that is used."""
        number = entry.get(self.name)
        if not isinstance(number, int) or isinstance(number, bool) or str(number) in self.taken:
            number = max((int(one) for one in self.taken if one.isdecimal()), default=-1) + 1
        self.taken.add(str(number))
        return {**entry, self.name: number}
