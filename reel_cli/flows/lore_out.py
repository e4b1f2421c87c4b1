"""The lore and memories of a kit as a lorebook, each entry as it came where it still says the same."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import count as count_from

from reel_cli.cards.book import (
    Lorebook,
    LoreEntry,
    LoreText,
    book_entry,
    parse_book,
    read_entry,
    to_world,
    with_text,
    world_entry,
)
from reel_cli.cards.card_file import fields_of
from reel_cli.cards.json_text import Json, as_list, as_object
from reel_cli.cards.restoring import Naming
from reel_cli.exchange.phrases import quotations, unquote
from reel_cli.flows.brought import ANCHORS, Form, form_of, from_lore, held_entries, told_text
from reel_cli.flows.card_kept import card_in, kept_files, read_kept
from reel_cli.flows.card_names import naming_of
from reel_cli.flows.card_parts import CARD
from reel_cli.kit.markdown import split_sections
from reel_cli.kit.snapshot import Snapshot
from reel_cli.model.memory import LORE, Memory

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
                yield parse_book(read_kept(self.snapshot.read(path) or b"", path), self.naming.came)

    def of_card(self) -> Lorebook | None:
        """The book of the card that the kit began with."""
        book = fields_of(card_in(self.snapshot)).get("character_book")
        return parse_book(book, self.naming.came) if isinstance(book, dict) else None

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
            twins = [twin for form in forms for twin in self.bodies.get(form.body.strip(), [])]
            if twins:
                # the same is held as another entry, with other settings around it
                self.lore += len(set(twins) - self.told)
                self.told.update(twins)
                return dict(entry.raw)
            self.gone.append(entry.title)
            return None
        now = (memory.title, memory.body.strip(), memory.anchor)
        same = any(now == (form.title, form.body.strip(), form.anchor) for form in forms)
        if same or memory.level > forms[0].level:
            # what has only receded says no less to whoever begins anew
            return dict(entry.raw)
        came = forms[0]
        text = LoreText(came.title, "", _phrases(came.anchor, came.body, came.title))
        made = with_text(entry, text_of(memory), text, self.naming)
        if made != entry.raw:
            self.changed.append(memory.title)
        return made

    def _forms(self, entry: LoreEntry) -> Sequence[Form]:
        """How an entry may have read when it came: by the names of then, and by those of now."""
        named = dict.fromkeys((self.naming.came, self.naming.now))
        return [form_of(from_lore(read_entry(entry.raw, names)), self.count) for names in named]

    def others(self, *, lived: bool) -> Sequence[tuple[LoreText, bool]]:
        """What was not written yet, and whether it was lived; that only where `lived` says so."""
        found = []
        for memory in self.snapshot.memories.values():
            own = LORE not in memory.tags
            if memory.id not in self.told and (lived or not own):
                found.append((text_of(memory), own))
                self.lore += not own
        return found


def text_of(memory: Memory) -> LoreText:
    """A memory as an entry: what it tells, and every phrase it is found by, that of its line first."""
    phrases = _phrases(memory.anchor, memory.body, memory.title)
    return LoreText(memory.title, told_text(memory.body), phrases, memory.immune)


def _phrases(anchor: str, body: str, title: str) -> tuple[str, ...]:
    found: list[str] = []
    for line in split_sections(body).get(ANCHORS, "").splitlines():
        item = line.strip().removeprefix("- ").removeprefix("* ").strip()
        found += [unquote(item)] if unquote(item) != item else quotations(item)
    return tuple(dict.fromkeys(phrase for phrase in (anchor, *found) if phrase)) or (title,)


def write_book(shelf: Shelf, *, lived: bool) -> Written:
    """The book of a card: its own entries, then other lore, then (where wished) what was lived.

    None where the card had no book and there is nothing to put into one.
    """
    own = shelf.of_card()
    kept = own.book.get("entries") if own is not None else None
    mine = _own_entries(shelf, own) if own is not None else []
    brought = [now for book in shelf.imported() for entry in book.entries if (now := shelf.entry(entry))]
    others = shelf.others(lived=lived)
    more: list[Json] = [_to_book(raw) for raw in brought]
    more += [book_entry(said, FIRST_ORDER + place) for place, (said, _) in enumerate(others)]
    count = sum(own_ for _, own_ in others)
    book = dict(own.book) if own is not None else None
    if own is None and more:
        book = {"name": shelf.naming.now.char, "extensions": {}, "entries": more}
    elif book is not None and isinstance(kept, dict):
        free = (str(number) for number in count_from() if str(number) not in kept)
        book["entries"] = {**dict(mine), **dict(zip(free, more, strict=False))}
    elif book is not None and (more or isinstance(kept, list)):
        book["entries"] = [*(value for _, value in mine), *more]
    return Written(book, shelf.lore, count, tuple(shelf.changed), tuple(shelf.gone))


def _own_entries(shelf: Shelf, own: Lorebook) -> Sequence[tuple[str, Json]]:
    """The entries of a card's book as they read now, by their names there; what is none stays as it is."""
    raws = own.book.get("entries")
    named = list(raws.items()) if isinstance(raws, dict) else [("", raw) for raw in as_list(raws)]
    entries = iter(own.entries)
    found: list[tuple[str, Json]] = []
    for place, raw in named:
        now = shelf.entry(next(entries)) if isinstance(raw, dict) else raw
        if now is not None or raw is None:
            found.append((place, now))
    return found


def _to_book(raw: Mapping[str, Json]) -> dict[str, Json]:
    """An entry of a World Info as one of a character book; what has no name there stays under its own."""
    if "keys" in raw:
        return dict(raw)
    renamed = {"key": "keys", "keysecondary": "secondary_keys", "order": "insertion_order", "uid": "id"}
    made = {
        renamed.get(name, name): value for name, value in raw.items() if name not in {"disable", "position"}
    }
    made["enabled"] = raw.get("disable") is not True
    made["position"] = "before_char" if raw.get("position") in (None, 0) else "after_char"
    made.setdefault("extensions", {})
    return made


def write_world(shelf: Shelf, *, lived: bool) -> Written:
    """All lore of a kit as one World Info, then (where wished) what was lived, by its anchor phrases.

    The first World Info that was imported is as it came, with its own numbers; others follow it.
    """
    books = list(shelf.imported())
    first = next((book for book in books if book.world), None)
    own = shelf.of_card()
    order = [book for book in (first, *books, own) if book is not None]
    held = as_object(first.book.get("entries")) if first is not None else {}
    entries: dict[str, Json] = {place: raw for place, raw in held.items() if not isinstance(raw, dict)}
    taken: set[int] = set()

    def add(make: Callable[[int], dict[str, Json]]) -> None:
        uid = max(taken, default=-1) + 1
        while str(uid) in entries:
            uid += 1
        taken.add(uid)
        entries[str(uid)] = make(uid)

    for at, book in enumerate(order):
        if at and book is first:
            continue
        for entry in book.entries:
            now = shelf.entry(entry)
            if now is None:
                continue
            if book is first:
                entries[entry.place] = now
                taken.update(uid for uid in (now.get("uid"),) if isinstance(uid, int))
            else:
                add(partial(to_world, now))
    others = shelf.others(lived=lived)
    for said, _ in others:
        add(partial(world_entry, said, order=FIRST_ORDER))
    count = sum(own_ for _, own_ in others)
    made: dict[str, Json] = {**(first.book if first is not None else {}), "entries": entries}
    return Written(made, shelf.lore, count, tuple(shelf.changed), tuple(shelf.gone))
