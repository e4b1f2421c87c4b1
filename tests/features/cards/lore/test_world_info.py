"""World Info ↔ character book: SillyTavern's own mapping, and nothing lost on the way there and back."""

import json
from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st

from reel_cli.core.files.json_text import Json, as_object
from reel_cli.features.cards.lore.book import find_book, parse_book
from reel_cli.features.cards.lore.world_info import OWN, TOP, USUAL, WITHIN, to_book, to_world
from reel_cli.features.cards.macros import Names

FULL: dict[str, Any] = {
    "uid": 3,
    "key": ["Silt", "/riv(er)?/i"],
    "keysecondary": ["ferry"],
    "comment": "The Silt",
    "content": "{{char}} fears it.",
    "constant": True,
    "vectorized": True,
    "selective": True,
    "selectiveLogic": 3,
    "addMemo": True,
    "order": 42,
    "position": 4,
    "disable": True,
    "ignoreBudget": True,
    "excludeRecursion": True,
    "preventRecursion": True,
    "delayUntilRecursion": 2,
    "probability": 35,
    "useProbability": False,
    "depth": 7,
    "role": 2,
    "outletName": "out",
    "group": "rivers",
    "groupOverride": True,
    "groupWeight": 12,
    "scanDepth": 9,
    "caseSensitive": True,
    "matchWholeWords": False,
    "useGroupScoring": True,
    "automationId": "a",
    "sticky": 1,
    "cooldown": 2,
    "delay": 3,
    "matchPersonaDescription": True,
    "matchCharacterDescription": True,
    "matchCharacterPersonality": True,
    "matchCharacterDepthPrompt": True,
    "matchScenario": True,
    "matchCreatorNotes": True,
    "triggers": ["swipe"],
    "displayIndex": 5,
}


def spelled(value: object) -> str:
    """Equal only where numbers, texts and truth values are the same kind as well."""
    return json.dumps(value, sort_keys=True)


def test_every_setting_stands_where_sillytavern_looks_for_it() -> None:
    book = to_book(FULL)
    given = book["extensions"]
    assert isinstance(given, dict)
    assert {name: book[name] for name in ("id", "keys", "secondary_keys", "insertion_order", "enabled")} == {
        "id": 3,
        "keys": ["Silt", "/riv(er)?/i"],
        "secondary_keys": ["ferry"],
        "insertion_order": 42,
        "enabled": False,
    }
    assert (book["position"], given["position"], given["depth"], given["role"]) == ("after_char", 4, 7, 2)
    assert given.pop(OWN) == {"without": ["extensions"]}
    assert given == {
        "position": 4,
        "exclude_recursion": True,
        "prevent_recursion": True,
        "delay_until_recursion": 2,
        "display_index": 5,
        "probability": 35,
        "useProbability": False,
        "depth": 7,
        "selectiveLogic": 3,
        "outlet_name": "out",
        "group": "rivers",
        "group_override": True,
        "group_weight": 12,
        "scan_depth": 9,
        "case_sensitive": True,
        "match_whole_words": False,
        "use_group_scoring": True,
        "automation_id": "a",
        "role": 2,
        "vectorized": True,
        "sticky": 1,
        "cooldown": 2,
        "delay": 3,
        "match_persona_description": True,
        "match_character_description": True,
        "match_character_personality": True,
        "match_character_depth_prompt": True,
        "match_scenario": True,
        "match_creator_notes": True,
        "triggers": ["swipe"],
        "ignore_budget": True,
    }


def test_a_book_that_says_little_gets_what_sillytavern_takes() -> None:
    made = to_world({"keys": ["a"], "content": "b", "enabled": True, "insertion_order": 1, "extensions": {}})
    given = made.pop("extensions")
    assert isinstance(given, dict)
    assert list(given) == [OWN]
    assert made == {
        **USUAL,
        "key": ["a"],
        "content": "b",
        "order": 1,
        "position": 1,
        "disable": False,
        "addMemo": False,
    }
    before = to_world({"keys": [], "position": "before_char", "case_sensitive": True, "name": "N"})
    assert (before["position"], before["caseSensitive"], before["comment"]) == (0, True, "N")


WORDS = st.text(alphabet="ab ,/é漢\n\ud83d", max_size=6)
ANY: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers(0, 9) | st.sampled_from([0.5, 4.0, "4", "true", ""]) | WORDS,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(WORDS, inner, max_size=2),
    max_leaves=4,
)
FOREIGN = ["name", "priority", "characterFilter", "x-own", "use_regex", "case_sensitive", "probability"]
WITHIN_BOOK = st.dictionaries(st.sampled_from([*WITHIN.values(), "x-own"]), ANY, max_size=6)
WORLD = st.dictionaries(
    st.sampled_from([*TOP, *WITHIN, "uid", "disable", "addMemo", *FOREIGN]), ANY, max_size=12
).flatmap(lambda raw: st.just(raw) | WITHIN_BOOK.map(lambda given: {**raw, "extensions": given}))
BOOK = st.dictionaries(
    st.sampled_from([*TOP.values(), "id", "enabled", "position", "extensions", *FOREIGN]), ANY, max_size=10
).flatmap(
    lambda raw: WITHIN_BOOK.map(lambda given: {"extensions": given, **raw, "keys": raw.get("keys", ["k"])})
)


@settings(max_examples=60, deadline=None)
@given(WORLD)
@example(FULL)
@example({"key": ["a"], "probability": "50", "order": "100", "disable": "yes"})
def test_an_entry_of_a_world_comes_back_from_a_book(raw: dict[str, Json]) -> None:
    book = to_book(raw)
    assert {"keys", "content", "insertion_order", "enabled", "extensions"} <= set(book)
    assert spelled(to_world(book)) == spelled(raw)
    assert spelled(to_book(to_world(book))) == spelled(book)


@settings(max_examples=60, deadline=None)
@given(BOOK)
@example({"keys": [], "extensions": [], "enabled": "no", "id": None, "position": "after_char"})
def test_an_entry_of_a_book_comes_back_from_a_world(raw: dict[str, Json]) -> None:
    world = to_world(raw)
    assert {"key", "keysecondary", "content", "order", "disable", "position"} <= set(world)
    assert spelled(to_book(world)) == spelled(raw)
    assert spelled(to_world(to_book(world))) == spelled(world)


@settings(max_examples=40, deadline=None)
@given(WORLD, st.sampled_from([*TOP.values(), *(f"extensions.{name}" for name in WITHIN.values())]))
def test_what_another_program_changed_on_the_way_is_changed(raw: dict[str, Any], field: str) -> None:
    book: dict[str, Any] = to_book({"uid": 1, **raw})
    within, _, name = field.rpartition(".")
    (book[within] if within else book)[name] = ["changed"]
    ours = next(own for own, theirs in {**TOP, **WITHIN}.items() if theirs == name)
    again, was = to_world(book), {"uid": 1, **raw, ours: ["changed"]}
    aside = {"extensions", "addMemo"}
    assert spelled({n: v for n, v in again.items() if n not in aside}) == spelled(
        {n: v for n, v in was.items() if n not in aside}
    )
    given = {n: v for n, v in as_object(again.get("extensions")).items() if n != OWN}
    assert spelled(given) == spelled(as_object(raw.get("extensions")))


def test_other_programs_lorebooks_are_read_as_sillytavern_does() -> None:
    said = {"name": "Silt", "content": "It moves.", "order": 7}
    books: list[dict[str, Any]] = [
        {
            "type": "risu",
            "ver": 1,
            "data": [
                {"key": "Silt, the river", "secondkey": "", "comment": "Silt", "content": "It moves."}
                | {"alwaysActive": False, "insertorder": 7, "selective": False, "activationPercent": 40}
            ],
        },
        {
            "kind": "memory",
            "name": "n",
            "entries": [
                {"name": "Silt", "entry": "It moves.", "keywords": ["Silt", "the river"], "weight": 7}
                | {"priority": 1, "enabled": True}
            ],
        },
        {
            "lorebookVersion": 3,
            "entries": [
                {"displayName": "Silt", "text": "It moves.", "keys": ["Silt", "the river"], "enabled": True}
                | {"contextConfig": {"budgetPriority": 7}}
            ],
        },
    ]
    for book in books:
        (entry,) = parse_book(find_book(book), Names("Mira", "Tomas")).entries
        assert entry.phrases == ("Silt", "the river")
        assert {"name": entry.title, "content": entry.text, "order": entry.raw["order"]} == said
        assert set(USUAL) <= set(entry.raw)
    assert parse_book(find_book(books[0]), Names("Mira", "Tomas")).entries[0].raw["probability"] == 40
