"""A fact under a name of its own takes the place of no protecting fact, unless it says that one is over."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from reel_cli.features.facts.fact import Fact
from reel_cli.features.facts.near_names import find_across, find_near
from reel_cli.features.facts.pending.guarded_things import thing_of, without_places
from reel_cli.features.facts.policy import EXTRACTION
from reel_cli.features.facts.protection import as_change_of, find_guarded
from tests.features.facts.test_fact_extract import extract, facts, row
from tests.support.cli import Reel
from tests.support.pages import say


def noted(category: str, key: str, value: str) -> Fact:
    return Fact(category, key, value, "0.9", "2026-02-10-1#3", "2026-02-10", origin=EXTRACTION)


THROAT = noted("constraints", "throat", "no prawns, no shellfish; pen in moped box and engine room")
ALLERGIES = noted(
    "constraints",
    "allergies",
    "cashews, properly, never; penicillin is fine, off her record since 30 July; two adrenaline pens, one in"
    " the bag, one on the red hook by the front door",
)
THINNER = noted("constraints", "thinner", "one each evening at 8 until 27 October; no ibuprofen")
ASTHMA = noted("constraints", "asthma", "blue inhaler, two puffs every morning")
HATCH = noted("constraints", "shut hatch", "don't ask about the brother; no word of it in the engine room")
STAND = [THROAT, ALLERGIES, THINNER, ASTHMA, HATCH]


@pytest.mark.parametrize(
    ("fact", "stood"),
    [
        (("history", "hay", "moped stopped in the hay his father built"), None),
        (
            ("context", "boxes", "thirty-two gone, eight left; reprint of 60 copies, decided mid December"),
            None,
        ),
        (("context", "moped", "fine again after the oil"), None),
        (("context", "front door", "no longer red"), None),
        (("history", "trawler", "the prawn boat stopped in 1998"), None),
        (("context", "bag", "gone, stolen on the bus"), None),
        (("context", "asthma nurse", "every Thursday evening"), None),
        (("preferences", "dinner", "can eat prawns again"), THROAT),
        (("history", "cashews", "the cashew allergy was a mistake"), ALLERGIES),
        (("context", "throat", "the throat thing is over"), THROAT),
    ],
)
def test_a_fact_of_another_kind_changes_only_what_it_says_is_over(
    fact: tuple[str, str, str], stood: Fact | None
) -> None:
    assert find_guarded(noted(*fact), STAND) == stood


TURNS = ("gone", "stopped", "over", "never", "not", "fine", "again", "no longer", "off", "ended", "left")
WORDS = (
    "moped", "box", "boxes", "engine", "room", "bag", "red", "hook", "front door", "record", "July",
    "October", "evening", "morning", "one", "two", "eight", "thirty-two", "father", "hay", "copies",
)  # fmt: skip
KINDS = ("history", "context", "preferences", "commitments", "relationships", "own")


@settings(max_examples=300, deadline=None)
@given(
    some.sampled_from(KINDS),
    some.sampled_from(WORDS),
    some.lists(some.sampled_from((*WORDS, *TURNS)), min_size=1, max_size=6),
)
def test_what_lies_near_a_danger_is_never_its_successor(kind: str, key: str, value: list[str]) -> None:
    fact = noted(kind, key, " ".join(value))
    assert find_guarded(fact, STAND) is None
    assert find_near(fact, STAND) is None
    assert find_across(fact, STAND, fact.value) is None


def test_a_thing_is_told_without_its_place_its_number_and_its_day() -> None:
    assert "moped" not in thing_of(THROAT)
    assert not {"two", "hook", "July"} & set(thing_of(ALLERGIES).replace(",", " ").split())
    assert "shellfish" in thing_of(THROAT)
    assert "cashews" in thing_of(ALLERGIES)


@pytest.mark.parametrize(
    ("key", "value", "fact"),
    [
        ("allergy", "rash from penicillin", ("penicillin", "no longer allergic")),
        ("allergy", "rash from penicillin", ("penicillin", "fine with it now")),
        ("allergy", "anaphylaxis from wasp stings", ("wasp stings", "no longer allergic")),
        ("medication", "on warfarin 3 mg", ("warfarin", "5 mg")),
        ("medication", "on warfarin 3 mg", ("warfarin", "stopped")),
        ("blood pressure", "on 5 mg of ramipril", ("ramipril", "10 mg")),
        ("diabetes", "on insulin, 12 units", ("insulin", "stopped")),
        ("diabetes", "on her insulin, 12 units", ("insulin", "stopped")),
        ("allergy", "reacts to traces in peanuts", ("peanuts", "never allergic")),
    ],
)
def test_what_harms_or_helps_is_no_place(key: str, value: str, fact: tuple[str, str]) -> None:
    stood = noted("constraints", key, value)
    assert find_guarded(noted("constraints", *fact), [stood]) == stood


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("on warfarin 3 mg", "on warfarin 3 mg"),
        ("on 5 mg of ramipril", "on 5 mg of ramipril"),
        ("in the evening ramipril", "in the evening ramipril"),
        ("rash from penicillin", "rash from penicillin"),
        ("pen in moped box and engine room", "pen"),
        ("fine since 30 July", "fine"),
        ("one on the red hook by the front door", "one"),
        ("itchy in the mouth after kiwi", "itchy in the mouth after kiwi"),
        ("blisters on her hands from latex", "blisters on her hands from latex"),
        ("wheezes near a cat", "wheezes near a cat"),
        ("on a gluten free diet", "on a gluten free diet"),
        ("in spring with birch pollen", "with birch pollen"),
    ],
)
def test_a_place_has_no_medicine_and_no_reaction_in_it(text: str, left: str) -> None:
    assert without_places(text).strip() == left


def test_another_medicine_waits_under_its_own_name() -> None:
    again = noted("constraints", "ibuprofen", "may have it again")
    assert find_guarded(again, [THINNER]) == THINNER
    assert as_change_of(again, THINNER) == again
    # a name that says no medicine is one of the only one in it
    pills = noted("constraints", "pills", "no ibuprofen")
    assert as_change_of(again, pills).key == "pills"


@pytest.mark.needs("review")
def test_a_fact_named_by_a_word_of_a_danger_is_kept_under_its_own_name(reel: Reel, kit: Path) -> None:
    said = "No prawns for me. There's a pen in the moped box. The moped stopped in the hay my father built."
    say(reel, kit, [("user", said), ("assistant", "Noted.")])
    extract(reel, row("constraints", "throat", "no prawns; pen in the moped box", said))
    extract(reel, row("history", "hay", "the moped stopped in the hay my father built", said), "2026-02-10-1")
    assert facts(reel)["history/hay"] == "the moped stopped in the hay my father built"
    assert "prawns" in facts(reel)["constraints/throat"]
    assert [one["item"] for one in json.loads(reel("review", "--json").ok().out)] == []
