"""Lorebooks of Risu, Agnai and NovelAI, as the World Info that SillyTavern makes of them."""

from collections.abc import Callable, Mapping

from reel_cli.core.files.json_text import Json, as_list, as_object, as_text
from reel_cli.features.cards.lore.world_info import USUAL


def from_elsewhere(found: Mapping[str, Json]) -> dict[str, Json] | None:
    """Return another program's lorebook as a World Info; None if it is none."""
    if found.get("type") == "risu" and isinstance(found.get("data"), list):
        return _world(found["data"], _of_risu)
    inner = found.get("characterBook")
    if isinstance(inner, dict) and "entries" not in found:
        # a character of Agnai
        return from_elsewhere({**inner, "kind": "memory"})
    if found.get("kind") == "memory":
        named: dict[str, Json] = {name: found[name] for name in ("name", "description") if name in found}
        return named | _world(found.get("entries"), _of_agnai)
    if "lorebookVersion" in found:
        return _world(found.get("entries"), _of_novel)
    return None


def _world(entries: Json, read: Callable[[Mapping[str, Json]], Mapping[str, Json]]) -> dict[str, Json]:
    usual = {**USUAL, "position": 0, "disable": False}
    made: dict[str, Json] = {
        str(number): {"uid": number, **usual, "displayIndex": number, **read(entry)}
        for number, entry in enumerate(as_object(one) for one in as_list(entries))
        if entry
    }
    return {"entries": made}


def _of_risu(entry: Mapping[str, Json]) -> Mapping[str, Json]:
    whole = entry.get("useRegex") is True
    keys, more = (
        [text] if whole and text else [part.strip() for part in text.split(",") if part.strip()]
        for text in (as_text(entry.get("key")), as_text(entry.get("secondkey")))
    )
    often = entry.get("activationPercent")
    return {
        "key": list(keys),
        "keysecondary": list(more),
        "comment": as_text(entry.get("comment")),
        "content": as_text(entry.get("content")),
        "constant": entry.get("alwaysActive") is True,
        "selective": entry.get("selective") is True,
        "order": entry.get("insertorder", USUAL["order"]),
        "addMemo": True,
        "probability": 100 if often is None else often,
    }


def _of_agnai(entry: Mapping[str, Json]) -> Mapping[str, Json]:
    return {
        "key": entry.get("keywords", []),
        "comment": as_text(entry.get("name")),
        "content": as_text(entry.get("entry")),
        "order": entry.get("weight", USUAL["order"]),
        "disable": entry.get("enabled") is False,
        "addMemo": bool(entry.get("name")),
    }


def _of_novel(entry: Mapping[str, Json]) -> Mapping[str, Json]:
    return {
        "key": entry.get("keys", []),
        "comment": as_text(entry.get("displayName")),
        "content": as_text(entry.get("text")),
        "order": as_object(entry.get("contextConfig")).get("budgetPriority", 0),
        "disable": entry.get("enabled") is False,
        "addMemo": bool(as_text(entry.get("displayName")).strip()),
    }
