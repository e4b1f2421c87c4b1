"""An entry of a World Info as one of a character book, and back: SillyTavern's names for the same settings.

What a book has no name for stands under `extensions`, as SillyTavern itself writes it. What even so would not
come back as it was (a field that was not there, a number that was a text) is noted under `extensions.reel`.
"""

from collections.abc import Container, Mapping

from reel_cli.core.files.json_text import Json, as_object, render_json

OWN = "reel"
"""The name under `extensions` that notes how an entry came."""
TOP: Mapping[str, str] = {
    "key": "keys",
    "keysecondary": "secondary_keys",
    "comment": "comment",
    "content": "content",
    "constant": "constant",
    "selective": "selective",
    "order": "insertion_order",
}
"""Names of fields in World Info, each with the name in a book."""
WITHIN: Mapping[str, str] = {
    "position": "position",
    "excludeRecursion": "exclude_recursion",
    "preventRecursion": "prevent_recursion",
    "delayUntilRecursion": "delay_until_recursion",
    "displayIndex": "display_index",
    "probability": "probability",
    "useProbability": "useProbability",
    "depth": "depth",
    "selectiveLogic": "selectiveLogic",
    "outletName": "outlet_name",
    "group": "group",
    "groupOverride": "group_override",
    "groupWeight": "group_weight",
    "scanDepth": "scan_depth",
    "caseSensitive": "case_sensitive",
    "matchWholeWords": "match_whole_words",
    "useGroupScoring": "use_group_scoring",
    "automationId": "automation_id",
    "role": "role",
    "vectorized": "vectorized",
    "sticky": "sticky",
    "cooldown": "cooldown",
    "delay": "delay",
    "matchPersonaDescription": "match_persona_description",
    "matchCharacterDescription": "match_character_description",
    "matchCharacterPersonality": "match_character_personality",
    "matchCharacterDepthPrompt": "match_character_depth_prompt",
    "matchScenario": "match_scenario",
    "matchCreatorNotes": "match_creator_notes",
    "triggers": "triggers",
    "ignoreBudget": "ignore_budget",
}
"""Names of fields in World Info, each with the name in a book under `extensions`."""
USUAL: Mapping[str, Json] = {
    "key": [],
    "keysecondary": [],
    "comment": "",
    "content": "",
    "constant": False,
    "selective": False,
    "order": 100,
    "excludeRecursion": False,
    "preventRecursion": False,
    "delayUntilRecursion": False,
    "probability": 100,
    "useProbability": True,
    "depth": 4,
    "selectiveLogic": 0,
    "outletName": "",
    "group": "",
    "groupOverride": False,
    "groupWeight": 100,
    "scanDepth": None,
    "caseSensitive": None,
    "matchWholeWords": None,
    "useGroupScoring": None,
    "automationId": "",
    "role": 0,
    "vectorized": False,
    "sticky": None,
    "cooldown": None,
    "delay": None,
    "matchPersonaDescription": False,
    "matchCharacterDescription": False,
    "matchCharacterPersonality": False,
    "matchCharacterDepthPrompt": False,
    "matchScenario": False,
    "matchCreatorNotes": False,
    "triggers": [],
    "ignoreBudget": False,
}
"""SillyTavern's defaults for values a book does not give."""
_NEEDED: Mapping[str, Json] = {"keys": [], "content": "", "insertion_order": 100}
"""Fields that every entry of a book must have (version 2), beside `enabled` and `extensions`."""
_ASIDE = frozenset({"uid", "id"})
"""Keys of numbers, which are given anew if two would be the same."""


def is_of_world(raw: Mapping[str, Json]) -> bool:
    """Return whether an entry is from a World Info, by its field names."""
    return "keys" not in raw and not {"enabled", "insertion_order"} & raw.keys()


def to_book(raw: Mapping[str, Json]) -> dict[str, Json]:
    """Return a World Info entry as one of a character book; one of a book unchanged."""
    return _turned(raw, to_book=True) if is_of_world(raw) else dict(raw)


def to_world(raw: Mapping[str, Json]) -> dict[str, Json]:
    """Return a character book's entry as one of a World Info; one of a World Info unchanged."""
    return dict(raw) if is_of_world(raw) else _turned(raw, to_book=False)


def settings_of(raw: Mapping[str, Json]) -> bytes:
    """Return an entry's text and settings, in one form for both kinds and without its numbers."""
    world = to_world(raw)
    aside = {"uid", "id", "displayIndex", "addMemo", "extensions", "enabled", "use_regex"}
    said = {**USUAL, "position": 0, "disable": False, **world}
    return _spelled({name: value for name, value in said.items() if name not in aside})


def book_settings(book: Mapping[str, Json]) -> dict[str, Json]:
    """Return a book without its entries, for a card; notes that it had no `extensions`."""
    said = {name: value for name, value in book.items() if name not in {"entries", "originalData"}}
    return said if "extensions" in said else {**said, "extensions": {OWN: {"without": ["extensions"]}}}


def world_settings(book: Mapping[str, Json]) -> dict[str, Json]:
    """Return all of a book but its entries, for a World Info."""
    said = {name: value for name, value in book.items() if name != "entries"}
    given = as_object(said.get("extensions"))
    if OWN not in given:
        return said
    del said["extensions"]
    left = {name: value for name, value in given.items() if name != OWN}
    return {**said, "extensions": left} if left else said


def _turned(raw: Mapping[str, Json], *, to_book: bool) -> dict[str, Json]:
    """Return an entry as the other kind: as it came from there, else as SillyTavern converts it."""
    there, back = (_book_of, _world_of) if to_book else (_world_of, _book_of)
    bare, noted = _without_note(raw)
    made = there(bare)
    if noted is not None:
        # an imported entry that nobody edited is written as it came
        came = _recalled(made, noted, world=not to_book)
        then = there(back(came))
        if all(_same(made.get(name), then.get(name), name) for name in {**made, **then}):
            return came
        made = _overlaid(came, then, made)
    again = back(made)
    if to_book:
        again = _alone(again, bare)
    if not all(
        name in again and name in bare and _same(again[name], bare[name], name) for name in {**again, **bare}
    ):
        made["extensions"] = {**as_object(made.get("extensions")), OWN: _note(bare, again)}
    return made


def _overlaid(came: Mapping[str, Json], then: Mapping[str, Json], now: Mapping[str, Json]) -> dict[str, Json]:
    """Return an imported entry with what changed since, and all else as it came."""
    made: dict[str, Json] = {name: value for name, value in came.items() if name in now or name not in then}
    for name, value in now.items():
        if name == "extensions":
            given, before = as_object(value), as_object(then.get(name))
            world = "key" in now
            other = {
                inner: of
                for inner, of in given.items()
                if (inner not in before or not _same(of, before[inner], ""))
                # in World Info these stand beside the extensions
                and not (world and inner in WITHIN.values())
            }
            gone = before.keys() - given.keys()
            if other or gone:
                kept = {inner: of for inner, of in as_object(came.get(name)).items() if inner not in gone}
                made[name] = {**kept, **other}
        elif name not in then or not _same(value, then[name], name):
            made[name] = value
    return made


def _world_of(raw: Mapping[str, Json]) -> dict[str, Json]:
    """Return a book's entry in SillyTavern's terms; unknown names stay as they are."""
    given = as_object(raw.get("extensions"))
    handled = {*TOP.values(), "enabled", "position", "extensions", "id"}
    made: dict[str, Json] = {"uid": raw["id"]} if "id" in raw else {}
    made |= {name: raw.get(theirs, USUAL[name]) for name, theirs in TOP.items()}
    made["comment"] = raw.get("comment") or raw.get("name") or ""
    for name, theirs in WITHIN.items():
        if theirs in given:
            made[name] = given[theirs]
        elif name in USUAL:
            made[name] = USUAL[name]
    if given.get("position") is None:
        made["position"] = 0 if raw.get("position") == "before_char" else 1
    if "case_sensitive" not in given and isinstance(raw.get("case_sensitive"), bool):
        made["caseSensitive"] = raw["case_sensitive"]
    made["disable"] = not raw.get("enabled", True)
    made["addMemo"] = bool(made["comment"])
    made |= {name: value for name, value in raw.items() if name not in handled and name not in made}
    made["extensions"] = raw.get("extensions", {})
    return made


def _book_of(raw: Mapping[str, Json]) -> dict[str, Json]:
    """Return a World Info entry in a book's terms, with unknown settings under `extensions`."""
    handled = {*TOP, *WITHIN, "disable", "extensions", "uid", "addMemo"}
    made: dict[str, Json] = {"id": raw["uid"]} if "uid" in raw else {}
    made |= _NEEDED
    made |= {theirs: raw[name] for name, theirs in TOP.items() if name in raw}
    made["enabled"] = not raw.get("disable", False)
    made["position"] = "before_char" if raw.get("position", 0) == 0 else "after_char"
    made |= {name: value for name, value in raw.items() if name not in handled and name not in made}
    within = {theirs: raw[name] for name, theirs in WITHIN.items() if name in raw}
    made["extensions"] = {**as_object(raw.get("extensions")), **within}
    return made


def _note(came: Mapping[str, Json], again: Mapping[str, Json]) -> dict[str, Json]:
    """Return how `again` differs from an entry as it came: missing or extra fields, and other values."""
    without = sorted(set(again) - set(came))
    only = sorted(came)
    note: dict[str, Json] = {}
    if without:
        note["without" if len(without) <= len(only) else "only"] = list(
            without if len(without) <= len(only) else only
        )
    said = {
        name: value
        for name, value in came.items()
        if name not in again or not _same(value, again[name], name)
    }
    if said:
        note["as"] = said
    return note


def _recalled(made: Mapping[str, Json], note: Mapping[str, Json], *, world: bool) -> dict[str, Json]:
    """Return an entry as it was before its conversion, by the note made then."""
    said, only, without = as_object(note.get("as")), note.get("only"), note.get("without")
    left = without if isinstance(without, list) else []
    came = {
        name: value
        for name, value in {**made, **said}.items()
        if (name in only if isinstance(only, list) else name not in left)
    }
    return _alone(came, came) if world and "extensions" not in said else came


def _alone(entry: Mapping[str, Json], named: Container[str]) -> dict[str, Json]:
    """Return a World Info entry without settings that only its extensions have."""
    given = entry.get("extensions")
    if not isinstance(given, dict):
        return dict(entry)
    beside = {theirs for name, theirs in WITHIN.items() if name not in named}
    return {**entry, "extensions": {name: value for name, value in given.items() if name not in beside}}


def _without_note(raw: Mapping[str, Json]) -> tuple[dict[str, Json], dict[str, Json] | None]:
    """Return an entry without its note, and the note, or None."""
    given = raw.get("extensions")
    note = given.get(OWN) if isinstance(given, dict) else None
    if not isinstance(given, dict) or not isinstance(note, dict):
        return dict(raw), None
    return {**raw, "extensions": {name: value for name, value in given.items() if name != OWN}}, note


def _same(one: Json, other: Json, name: str) -> bool:
    return name in _ASIDE or _spelled(one) == _spelled(other)


def _spelled(value: Json) -> bytes:
    """Return a value's one spelling, so that `1`, `1.0`, `true` and `"1"` are four."""
    import json

    return (
        render_json(value)
        if not isinstance(value, dict | list)
        else json.dumps(value, sort_keys=True).encode()
    )
