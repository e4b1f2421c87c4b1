"""Checks for nonsense in a card: a field with the wrong type, an empty card."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.files.json_text import Json, as_list, as_object, as_text
from reel_cli.features.cards.card_file import V1_FIELDS
from reel_cli.features.cards.lore.book import parse_book, require_few
from reel_cli.features.cards.macros import Names, replace_macros
from reel_cli.features.cards.parts import RULES

if TYPE_CHECKING:
    from reel_cli.features.cards.card_file import CardFile

_TEXTS = (*V1_FIELDS, *RULES, "nickname")
_ENVELOPE = frozenset({"spec", "spec_version", "data", *_TEXTS})
_ANYBODY = Names("a", "b")


def require_character(card: "CardFile", shown: str) -> None:
    """Raise ReelError, calling the file `shown`, where a card holds nothing for a kit, or far too much."""
    fields = card.data
    texts = [as_text(fields.get(key)) for key in _TEXTS if key not in {"name", "nickname"}]
    texts += map(as_text, as_list(fields.get("alternate_greetings")))
    book = as_object(fields.get("character_book"))
    require_few(book, shown)
    if any(replace_macros(text, _ANYBODY).strip() for text in texts):
        return
    if any(entry.held for entry in parse_book(book, _ANYBODY).entries):
        return
    strange = list(not_understood(fields))
    message = f"{shown} is a card without anything to make a kit from."
    beside = [key for key in _TEXTS if as_text(card.card.get(key)).strip()]
    hint = "begin without it:  reel init NAME"
    if strange:
        hint = f"not understood: {', '.join(strange)}"
    elif card.version > 1 and beside:
        hint = f"these belong inside its data; move them there: {', '.join(beside)}"
    raise ReelError(message, hint=hint)


def not_understood(fields: Mapping[str, Json]) -> Iterator[str]:
    """Yield the fields with the wrong kind of value, each with what it holds."""
    for key in _TEXTS:
        if not isinstance(fields.get(key), str | None):
            yield f"{key} ({_kind(fields[key])} where a text belongs)"
    greetings = fields.get("alternate_greetings")
    if not isinstance(greetings, list | None):
        yield f"alternate_greetings ({_kind(greetings)} where a list belongs)"
    yield from _odd(as_list(greetings), str, "alternate_greetings", "a text")
    book = fields.get("character_book")
    if not isinstance(book, dict | None):
        yield f"character_book ({_kind(book)} where a book belongs)"
    entries = as_object(book).get("entries")
    if isinstance(book, dict) and not isinstance(entries, list | dict):
        yield f"character_book ({_kind(entries)} where its entries belong)"
    inside = list(entries.values()) if isinstance(entries, dict) else as_list(entries)
    yield from _odd(inside, dict, "character_book", "an entry")


def _odd(values: Sequence[Json], kind: type, key: str, wanted: str) -> Iterator[str]:
    odd = [_kind(value) for value in values if not isinstance(value, kind)]
    if odd:
        many = f" and {len(odd) - 1:,} more" if len(odd) > 1 else ""
        yield f"{key} ({odd[0]}{many} where {wanted} belongs)"


def beside_the_fields(card: "CardFile") -> Sequence[str]:
    """Return the keys that a card of version 2 or 3 holds outside its fields."""
    return [] if card.version == 1 else [key for key in card.card if key not in {*_ENVELOPE, *card.data}]


def _kind(value: Json) -> str:
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "a yes or no"
    kinds = {str: "a text", int: "a number", float: "a number", list: "a list", dict: "an object"}
    return kinds[type(value)]
