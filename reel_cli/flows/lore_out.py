"""The lore and memories of a kit as a lorebook, each entry as it came where it still says the same."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from reel_cli.cards.book import (
    Lorebook,
    LoreEntry,
    LoreText,
    book_entry,
    parse_book,
    placed,
    read_entry,
    world_entry,
)
from reel_cli.cards.book_edit import in_original, with_edit
from reel_cli.cards.card_file import fields_of
from reel_cli.cards.json_text import Json, as_object, render_json
from reel_cli.cards.macros import Names
from reel_cli.cards.restoring import Naming
from reel_cli.cards.world_info import book_settings, settings_of, to_book, to_world, world_settings
from reel_cli.exchange.phrases import quotations, unquote
from reel_cli.flows.brought import ANCHORS, Form, demote, form_of, from_lore, held_entries, told_text
from reel_cli.flows.card_kept import card_in, kept_files, read_kept
from reel_cli.flows.card_names import naming_of
from reel_cli.flows.card_parts import CARD
from reel_cli.flows.lore_page import page_of, read_page
from reel_cli.kit.markdown import split_sections
from reel_cli.kit.snapshot import Snapshot
from reel_cli.model.memory import LORE, Memory
from reel_cli.pack.words import since

_WORD = re.compile(r"\w+")
FIRST_ORDER = 100
"""The order of an entry that reel adds, which SillyTavern gives to every new one."""


@dataclass(frozen=True, slots=True)
class Written:
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


@dataclass
class Shelf:
    """The lorebooks that a kit keeps as they came, and which of its memories each of their entries is."""

    snapshot: Snapshot
    count: Callable[[str], int]
    naming: Naming = field(init=False)
    held: Mapping[str, Memory] = field(init=False)
    bodies: dict[str, list[str]] = field(init=False)
    """The lore that says the same, by what it says."""
    told: set[str] = field(default_factory=set)
    """The memories that were written as the entries they are."""
    lore: int = 0
    changed: list[str] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)
    written: set[bytes] = field(default_factory=set)
    """The settings of entries that were written; an entry that stands in a second book as well is one."""

    def __post_init__(self) -> None:
        self.naming = naming_of(self.snapshot)
        self.held = held_entries(self.snapshot)
        self.bodies = {}
        for memory in self.snapshot.memories.values():
            if LORE in memory.tags:
                self.bodies.setdefault(memory.body.strip(), []).append(memory.id)

    def imported(self) -> Iterator[Lorebook]:
        """The lorebooks that were imported, in order of their files' names."""
        for path in kept_files(self.snapshot):
            if path != CARD:
                book = parse_book(read_kept(self.snapshot.read(path) or b"", path), self.naming.came)
                stem = path.rpartition("/")[2].removesuffix(".json")
                yield replace(book, name=book.name or stem)

    def of_card(self) -> Lorebook | None:
        """The book of the card that the kit began with."""
        book = fields_of(card_in(self.snapshot)).get("character_book")
        return parse_book(book, self.naming.came) if isinstance(book, dict) else None

    def entries(self, book: Lorebook, *, first: bool = False) -> Iterator[tuple[str, Json]]:
        """A book's entries as they read now, each by its place; of any but the first, only what is new.

        What is no entry at all goes along where the whole book does.
        """
        by_place = {entry.place: entry for entry in book.entries}
        seen = frozenset(self.written)
        for place, raw in placed(book.book):
            entry = by_place.get(place)
            if entry is None:
                if first:
                    yield place, raw
                continue
            settings = settings_of(entry.raw)
            if settings in seen and not first:
                continue
            self.written.add(settings)
            now = self.entry(entry)
            if now is not None:
                yield place, now

    def entry(self, entry: LoreEntry) -> dict[str, Json] | None:
        """An entry as it reads now; None where the kit let go of what it says."""
        memory = self.held.get(entry.key)
        if memory is not None:
            self.lore += memory.id not in self.told
            self.told.add(memory.id)
        if memory is None and not entry.held:
            return dict(entry.raw)
        forms = self._forms(entry)
        if memory is None:
            twins = [twin for _, form in forms for twin in self.bodies.get(form.body.strip(), [])]
            if twins:
                # the same is held as another entry, with other settings around it
                self.lore += len(set(twins) - self.told)
                self.told.update(twins)
                return dict(entry.raw)
            self.gone.append(entry.title)
            return None
        # by which names it came shows in what was not edited of it
        names, form = max(forms, key=lambda one: _alike(memory, one[1]))
        came = read_page(form.body, form.title)
        if memory.level > form.level:
            # what has only receded says no less to whoever begins anew
            now = replace(came, title=memory.title)
            if memory.no_longer:
                now = replace(now, text=f"{came.text}\n\n{since(memory.no_longer)}")
        else:
            now = page_of(memory, form.anchor)
        if memory.title == memory.id:
            # a memory without a title is called by its number
            now = replace(now, title=came.title)
        if (now.title, now.text, now.phrases) == (came.title, came.text, came.phrases):
            return dict(entry.raw)
        self.changed.append(memory.title)
        return with_edit(entry.raw, came, now, names, demote)

    def _forms(self, entry: LoreEntry) -> Sequence[tuple[Names, Form]]:
        """How an entry may have read when it came: by the names of then, and by those of now."""
        named = dict.fromkeys((self.naming.came, self.naming.now))
        return [(names, form_of(from_lore(read_entry(entry.raw, names)), self.count)) for names in named]

    def others(self, *, lived: bool) -> Sequence[tuple[LoreText, bool]]:
        """What was not written yet, and whether it was lived; that only where `lived` says so."""
        found = []
        for memory in self.snapshot.memories.values():
            own = LORE not in memory.tags
            if memory.id not in self.told and (lived or not own):
                found.append((text_of(memory), own))
                self.lore += not own
        return found


def _alike(memory: Memory, form: Form) -> float:
    """How much of a memory reads as this."""
    now, then = (
        (memory.title, memory.body.strip(), memory.anchor),
        (form.title, form.body.strip(), form.anchor),
    )
    if now == then:
        return 2.0
    said, came = Counter(_WORD.findall(memory.body)), Counter(_WORD.findall(form.body))
    return (said & came).total() / max(1, came.total())


def text_of(memory: Memory) -> LoreText:
    """A memory as an entry: what it tells, and every phrase it is found by, that of its line first."""
    anchors = split_sections(memory.body).get(ANCHORS, "")
    found: list[str] = []
    for line in anchors.splitlines():
        item = line.strip().removeprefix("- ").removeprefix("* ").strip()
        found += [unquote(item)] if unquote(item) != item else quotations(item)
    phrases = tuple(dict.fromkeys(phrase for phrase in (memory.anchor, *found) if phrase))
    return LoreText(memory.title, told_text(memory.body), phrases or (memory.title,), memory.immune)


def write_book(shelf: Shelf, *, lived: bool) -> Written:
    """The book of a card: its own entries, then other lore, then (where wished) what was lived.

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
                # a program numbers what has no number by its place
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
    elif made:
        whole = {"name": shelf.naming.now.char, "extensions": {}, "entries": [entry for _, entry in made]}
    return _written(whole, shelf, count, books)


def write_world(shelf: Shelf, *, lived: bool) -> Written:
    """All lore of a kit as one World Info, then (where wished) what was lived, by its anchor phrases.

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


def _written(book: dict[str, Json] | None, shelf: Shelf, lived: int, books: Sequence[Lorebook]) -> Written:
    """What was written; of several books the settings are those of the first."""
    kept = render_json(_settings(books[0])) if books else b""
    unset = [one.name or "the card" for one in books[1:] if render_json(_settings(one)) not in (kept, b"{}")]
    return Written(
        book, shelf.lore, lived, tuple(shelf.changed), tuple(shelf.gone), tuple(dict.fromkeys(unset))
    )


def _settings(book: Lorebook) -> dict[str, Json]:
    """How a book says that it is looked through, and how much room it has."""
    names = ("recursive_scanning", "scan_depth", "token_budget")
    return {name: book.book[name] for name in names if book.book.get(name) is not None}


def _touched(first: Lorebook, entries: Mapping[str, Json]) -> dict[str, dict[str, Json] | None]:
    """What of a World Info's entries is other than it came, by number; None where one is gone."""
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
    """Entries by their names; those that are new get numbers as names."""
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
        """A number is in use."""
        if isinstance(entry, dict) and self.name in entry:
            self.taken.add(str(entry[self.name]))

    def give(self, entry: dict[str, Json]) -> dict[str, Json]:
        """An entry with its own number, or where that is in use with the next that is free."""
        number = entry.get(self.name)
        if not isinstance(number, int) or isinstance(number, bool) or str(number) in self.taken:
            number = max((int(one) for one in self.taken if one.isdecimal()), default=-1) + 1
        self.taken.add(str(number))
        return {**entry, self.name: number}
