"""The lorebooks that a kit keeps as they came, and how each of their entries reads by now."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from reel_cli.core.evidence.phrases import quotations
from reel_cli.core.files.json_text import Json
from reel_cli.core.files.markdown import split_sections
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.pack.resting_parts import find_resting
from reel_cli.core.pack.words import since
from reel_cli.core.quote_marks import unquote
from reel_cli.core.stage_chain import remove_syntax
from reel_cli.core.values.memory import IMMUNE_TAGS, LORE, Memory
from reel_cli.features.cards.card_file import fields_of
from reel_cli.features.cards.kept_card import card_in, kept_files, read_kept
from reel_cli.features.cards.lore.book import (
    Lorebook,
    LoreEntry,
    LoreText,
    parse_book,
    placed,
    read_entry,
)
from reel_cli.features.cards.lore.book_edit import with_edit
from reel_cli.features.cards.lore.imported_memories import (
    ANCHORS,
    Form,
    demote,
    entries_of,
    form_of,
    from_lore,
    held_entries,
    page_of,
    read_page,
    told_text,
)
from reel_cli.features.cards.lore.keys import KeyWords
from reel_cli.features.cards.lore.known_entries import Sayings, books_in, says_the_same
from reel_cli.features.cards.lore.world_info import settings_of
from reel_cli.features.cards.macro_restore import NamePair
from reel_cli.features.cards.macros import Names
from reel_cli.features.cards.names import naming_of
from reel_cli.features.cards.parts import CARD

_WORD = re.compile(r"\w+")
CONSTANT_ROOM, MOST_CONSTANT = 500, 3
"""Tokens of the memories that are always packed, and their number: a quarter of the room that SillyTavern
gives to all lore by default (a quarter of 8,192)."""


@dataclass
class Shelf:
    """The lorebooks that a kit keeps as they came, and which of its memories each of their entries is."""

    snapshot: Snapshot
    count: Callable[[str], int]
    naming: NamePair = field(init=False)
    held: Mapping[str, Memory] = field(init=False)
    same: Sayings[Memory] = field(init=False)
    """The memories, by what the entries say that they are."""
    home: dict[str, LoreEntry] = field(init=False)
    """The entry that a memory has its words of, by the memory's number."""
    bodies: dict[str, list[str]] = field(init=False)
    """The lore that says the same, by what it says."""
    told: set[str] = field(default_factory=set)
    """The memories that were written as the entries they are."""
    lore: int = 0
    changed: list[str] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)
    earlier: Sayings[bool] = field(default_factory=Sayings)
    """The entries of earlier books, and whether they were written or their memories deleted."""
    given: set[str] = field(default_factory=set)
    """The memories that an entry of a book before was written for."""
    written: set[bytes] = field(default_factory=set)
    """The settings of entries that were written; an entry that stands in a second book as well is one."""

    def __post_init__(self) -> None:
        self.naming = naming_of(self.snapshot)
        self.held = held_entries(self.snapshot)
        self.bodies = {}
        for memory in self.snapshot.memories.values():
            if LORE in memory.tags:
                self.bodies.setdefault(memory.body.strip(), []).append(memory.id)
        self._find_homes()

    def _find_homes(self) -> None:
        """Find the entries of the books that each memory came from."""
        books = books_in(self.snapshot, self.naming.came)
        entries = {entry.key: entry for _, book in books for entry in reversed(book.entries)}
        self.home, self.same = {}, Sayings()
        for memory in self.held.values():
            for key in entries_of(self.snapshot, memory):
                if key in entries:
                    self.home.setdefault(memory.id, entries[key])
                    self.same.add(entries[key].raw, memory)

    def imported(self) -> Iterator[Lorebook]:
        """Yield the lorebooks that were imported, in order of their files' names."""
        for path in kept_files(self.snapshot):
            if path != CARD:
                book = parse_book(read_kept(self.snapshot.read(path) or b"", path), self.naming.came)
                stem = path.rpartition("/")[2].removesuffix(".json")
                yield replace(book, name=book.name or stem)

    def of_card(self) -> Lorebook | None:
        """Return the book of the card that the kit began with."""
        book = fields_of(card_in(self.snapshot)).get("character_book")
        return parse_book(book, self.naming.came) if isinstance(book, dict) else None

    def entries(self, book: Lorebook, *, first: bool = False) -> Iterator[tuple[str, Json]]:
        """Yield a book's present entries with their places; of later books, only what is new.

        What is no entry at all goes along where the whole book does.
        """
        by_place = {entry.place: entry for entry in book.entries}
        seen, given = frozenset(self.written), frozenset(self.given)
        said: list[LoreEntry] = []
        for place, raw in placed(book.book):
            entry = by_place.get(place)
            if entry is None:
                if first:
                    yield place, raw
                continue
            settings = settings_of(entry.raw)
            memory = self.memory_of(entry)
            known = settings in seen or self.earlier.find(entry.raw) is not None
            if not first and (known or (memory is not None and memory.id in given)):
                continue
            self.written.add(settings)
            said.append(entry)
            if memory is not None:
                self.given.add(memory.id)
            now = self.entry(entry)
            if now is not None:
                yield place, now
        for entry in said:
            self.earlier.add(entry.raw, True)  # noqa: FBT003 (that it was there is all)

    def memory_of(self, entry: LoreEntry) -> Memory | None:
        """Return the memory that an entry is, or that an equal entry is."""
        return self.held.get(entry.key) or self.same.find(entry.raw)

    def entry(self, entry: LoreEntry) -> dict[str, Json] | None:
        """Return an entry as it reads now; None if the kit let go of it."""
        memory = self.memory_of(entry)
        if memory is not None:
            self.lore += memory.id not in self.told
            self.told.add(memory.id)
        if memory is None and not entry.held:
            return dict(entry.raw)
        forms = self._forms(entry)
        if memory is None:
            twins = [twin for _, form in forms for twin in self.bodies.get(form.body.strip(), [])]
            if twins:
                # the same text is held as another entry with other settings
                self.lore += len(set(twins) - self.told)
                self.told.update(twins)
                return dict(entry.raw)
            self.gone.append(entry.title)
            return None
        home = self.home.get(memory.id, entry)
        # an unedited part shows under which names it came
        names, of_home = max(self._forms(home), key=lambda one: _alike(memory, one[1]))
        form = next(form for by, form in forms if by == names)
        came = read_page(form.body, form.title)
        if memory.level > of_home.level:
            # a memory that has only been shortened counts as unchanged
            now = replace(read_page(of_home.body, of_home.title), title=memory.title)
            if memory.no_longer:
                now = replace(now, text=f"{now.text}\n\n{since(memory.no_longer)}")
        else:
            now = page_of(memory, of_home.anchor)
        as_home = now.title == of_home.title and says_the_same(entry.raw, home.raw)
        if as_home or memory.title == memory.id:
            # one of the two may have no title, and an untitled memory is called by its number
            now = replace(now, title=came.title)
        if (now.title, now.text, now.phrases) == (came.title, came.text, came.phrases):
            return dict(entry.raw)
        self.changed.append(memory.title)
        return with_edit(entry.raw, came, now, names, demote)

    def _forms(self, entry: LoreEntry) -> Sequence[tuple[Names, Form]]:
        """Return the forms an entry may have had when it came: with the old names, and with the new."""
        named = dict.fromkeys((self.naming.came, self.naming.now))
        return [(names, form_of(from_lore(read_entry(entry.raw, names)), self.count)) for names in named]

    def others(self, *, lived: bool) -> Sequence[tuple[LoreText, bool]]:
        """Return what was not written yet, and whether it was lived; lived ones only if `lived`."""
        found = []
        rests = find_resting(self.snapshot).memories
        memories = [one for one in self.snapshot.memories.values() if one.id not in rests]
        settings = self.snapshot.settings
        words = KeyWords(memories, (settings.name, settings.user))
        always = choose_constant([m for m in memories if m.id not in self.told and lived], self.count)
        for memory in memories:
            own = LORE not in memory.tags
            if memory.id not in self.told and (lived or not own):
                said = text_of(memory)
                if own:
                    keys = tuple(dict.fromkeys((*said.phrases, *words.of(memory))))
                    said = replace(said, phrases=keys, constant=memory.id in always, lived=True)
                found.append((said, own))
                self.lore += not own
        return found


def _alike(memory: Memory, form: Form) -> float:
    """Return how similar a memory and a form are: 2 if equal, else the share of common words."""
    now, then = (
        (memory.title, memory.body.strip(), memory.anchor),
        (form.title, form.body.strip(), form.anchor),
    )
    if now == then:
        return 2.0
    said, came = Counter(_WORD.findall(memory.body)), Counter(_WORD.findall(form.body))
    return (said & came).total() / max(1, came.total())


def choose_constant(memories: Sequence[Memory], count: Callable[[str], int]) -> frozenset[str]:
    """Return the memories that a program always packs: immune ones that define, the shortest first.

    A program gives all lore a fixed room. With every immune memory in it, one that is asked for has none.
    """
    room = CONSTANT_ROOM
    chosen: list[str] = []
    defining = [memory for memory in memories if memory.immune and IMMUNE_TAGS.intersection(memory.tags)]
    sizes = {memory.id: count(told_text(memory.body)) for memory in defining}
    for memory in sorted(defining, key=lambda one: sizes[one.id]):
        if sizes[memory.id] <= room and len(chosen) < MOST_CONSTANT:
            room -= sizes[memory.id]
            chosen.append(memory.id)
    return frozenset(chosen)


def text_of(memory: Memory) -> LoreText:
    """Return a memory as an entry: its text, and every anchor phrase, its line's first."""
    anchors = split_sections(memory.body).get(ANCHORS, "")
    found: list[str] = []
    for line in anchors.splitlines():
        item = line.strip().removeprefix("- ").removeprefix("* ").strip()
        found += [unquote(item)] if unquote(item) != item else quotations(item)
    phrases = tuple(dict.fromkeys(phrase for phrase in (memory.anchor, *found) if phrase))
    return LoreText(
        memory.title, remove_syntax(told_text(memory.body)), phrases or (memory.title,), memory.immune
    )
