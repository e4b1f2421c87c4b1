"""A character of Agnai, read as the card of version 2 that it would be."""

from collections.abc import Mapping

from reel_cli.core.files.json_text import Json, as_list, as_object, as_text
from reel_cli.features.cards.lore.other_books import from_elsewhere
from reel_cli.features.cards.lore.world_info import to_book

_FIELDS = {
    "name": "name",
    "description": "creator_notes",
    "scenario": "scenario",
    "greeting": "first_mes",
    "sampleChat": "mes_example",
    "systemPrompt": "system_prompt",
    "postHistoryInstructions": "post_history_instructions",
    "alternateGreetings": "alternate_greetings",
    "tags": "tags",
    "creator": "creator",
    "characterVersion": "character_version",
}
"""Agnai's names of fields, each with the card's. Its `description` is about the character, for a person."""
_ELSEWHERE = frozenset({*_FIELDS, "kind", "extensions", "characterBook"})


def is_agnai(value: Mapping[str, Json]) -> bool:
    """Return whether an object is a character as Agnai exports it by itself, and not a card."""
    if "data" in value or "first_mes" in value or as_text(value.get("spec")):
        return False
    told = isinstance(as_object(value.get("persona")).get("attributes"), dict)
    return told or (value.get("kind") == "character" and bool({"greeting", "sampleChat"} & value.keys()))


def from_agnai(value: Mapping[str, Json]) -> dict[str, Json]:
    """Return the character as a card of version 2, with other fields under its extensions."""
    data: dict[str, Json] = {
        name: value[theirs] for theirs, name in _FIELDS.items() if value.get(theirs) is not None
    }
    data["description"] = _persona(value.get("persona"))
    more: dict[str, Json] = {
        key: one for key, one in value.items() if key not in _ELSEWHERE and one is not None
    }
    known = as_object(value.get("extensions"))
    data["extensions"] = {**known, "agnai": {**as_object(known.get("agnai")), **more}} if more else known
    book = value.get("characterBook")
    if isinstance(book, dict):
        data["character_book"] = _book(book)
    return {"spec": "chara_card_v2", "spec_version": "2.0", "data": data}


def _persona(persona: Json) -> str:
    """Return the character's description in plain text: the whole text, then each trait with its values."""
    if isinstance(persona, str):
        return persona
    told: list[str] = []
    for trait, values in as_object(as_object(persona).get("attributes")).items():
        texts = [as_text(one) for one in (values if isinstance(values, list) else [values])]
        texts = [text for text in texts if text.strip()]
        if texts:
            told.append("\n\n".join(texts) if trait == "text" else f"{trait}: {', '.join(texts)}")
    return "\n".join(told)


def _book(book: Mapping[str, Json]) -> dict[str, Json]:
    world = from_elsewhere({**book, "kind": "memory"}) or {}
    entries = as_object(world.get("entries"))
    came = [as_object(one) for one in as_list(book.get("entries")) if isinstance(one, dict) and one]
    made: list[Json] = []
    for one, entry in zip(came, entries.values(), strict=True):
        made.append(
            {**to_book(as_object(entry)), **({"priority": one["priority"]} if "priority" in one else {})}
        )
    return {**world, "extensions": {}, "entries": made}
