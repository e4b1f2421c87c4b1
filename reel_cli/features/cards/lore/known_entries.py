"""Comparison of lorebook entries that say the same, in any kind of book and with any settings."""

from collections.abc import Iterator, Mapping
from typing import Generic, TypeVar

from reel_cli.core.errors import ReelError
from reel_cli.core.files.json_text import Json, as_text
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.features.cards.card_file import fields_of
from reel_cli.features.cards.kept_card import kept_files, read_kept
from reel_cli.features.cards.lore.book import KEYS, SECONDARY, Lorebook, listed, parse_book
from reel_cli.features.cards.macros import Names
from reel_cli.features.cards.parts import CARD

T = TypeVar("T")
Said = tuple[str, tuple[str, ...], tuple[str, ...]]


class Sayings(Generic[T]):
    """Things by what entries say: their text and both lists of keys, and their name where both have one."""

    def __init__(self) -> None:
        self._found: dict[Said, list[tuple[frozenset[str], T]]] = {}

    def add(self, raw: Mapping[str, Json], thing: T) -> None:
        """Add what belongs to an entry; the first that says the same is found later."""
        self._found.setdefault(_said(raw), []).append((_called(raw), thing))

    def find(self, raw: Mapping[str, Json]) -> T | None:
        """Return the value of an entry that says the same; None if there is none."""
        names = _called(raw)
        for others, thing in self._found.get(_said(raw), ()):
            if names == others or not names or not others or names & others:
                return thing
        return None


def says_the_same(one: Mapping[str, Json], other: Mapping[str, Json]) -> bool:
    """Return whether two entries differ at most in their settings."""
    sayings: Sayings[bool] = Sayings()
    sayings.add(one, True)  # noqa: FBT003 (a thing like any other)
    return sayings.find(other) is not None


def _said(raw: Mapping[str, Json]) -> Said:
    text = "\n".join(as_text(raw.get("content")).splitlines()).strip()
    first, second = (
        tuple(str(key).strip() for key in listed(raw, called) if str(key).strip())
        for called in (KEYS, SECONDARY)
    )
    return text, first, second


def _called(raw: Mapping[str, Json]) -> frozenset[str]:
    return frozenset(filter(None, (as_text(raw.get(name)).strip() for name in ("comment", "name"))))


def books_in(snapshot: Snapshot, names: Names) -> Iterator[tuple[str, Lorebook]]:
    """Yield a kit's lorebooks with their paths, the card's first; skips damaged ones."""
    for path in kept_files(snapshot):
        try:
            value = read_kept(snapshot.read(path) or b"", path)
        except ReelError:
            continue
        book: Json = fields_of(value).get("character_book") if path == CARD else value
        if isinstance(book, dict):
            yield path, parse_book(book, names)


def room_of(book: Lorebook) -> dict[str, Json]:
    """Return how a book is scanned, and its token budget."""
    names = ("recursive_scanning", "scan_depth", "token_budget")
    return {name: book.book[name] for name in names if book.book.get(name) is not None}
