"""A thing that protects somebody and that the persona says waits for a person, under the name it changes."""

import json
from pathlib import Path

import pytest

from reel_cli.features.facts.protection import as_change_of, find_guarded
from tests.features.facts.test_fact_extract import aside, extract, facts, row
from tests.features.facts.test_protection import noted
from tests.support.cli import Reel
from tests.support.pages import say

NUTS = noted("constraints", "nut allergy", "walnuts only; hazelnuts and almonds are fine")
STINGS = noted("constraints", "sting allergy", "wasps; bees are harmless, bumblebees all right")


def waiting(reel: Reel) -> list[str]:
    kept = json.loads(reel("review", "--json").ok().out)
    return [one["item"] for one in kept if one["item"].startswith("fact-")]


@pytest.mark.parametrize(
    ("said", "repeated", "after", "value"),
    [
        ("No walnuts in it! Hazelnuts, and I swelled up.", "So nothing from trees for you, no hazelnuts.",
         "Yes, yes.", "no hazelnuts, nothing from trees"),
        ("mum threw up twice from the prawns", "No shellfish for your mother, then.", "yep",
         "no shellfish for his mother"),
        ("They say statin and grapefruit fight. I wait.", "No grapefruit until the doctor says.",
         "Agreed.", "no grapefruit until the doctor says"),
        ("When I tap twice we stop, can we say that?", "Two taps end it, whoever plays.", "Good.",
         "two taps end it"),
        ("He coughs from the new cat like an old pump.", "The cat stays out of his bedroom.", "It does.",
         "the cat stays out of his bedroom"),
        ("The wasp did nothing. It was the bee!", "No bees near you, and no wasps.", "",
         "no bees, no wasps"),
    ],
)  # fmt: skip
def test_what_the_persona_sums_up_of_somebodys_safety_waits_for_a_person(
    reel: Reel, kit: Path, said: str, repeated: str, after: str, value: str
) -> None:
    talk = [("user", said), ("assistant", repeated), *([("user", after)] if after else [])]
    say(reel, kit, talk)
    extract(reel, row("constraints", "rule", value, repeated.rstrip(".")))
    asked = " ".join(reel("review", "show", item).ok().out for item in waiting(reel))
    assert facts(reel).get("constraints/rule") == value or value in asked
    assert aside(reel) == {}


@pytest.mark.parametrize(
    "answer", ["No, milk is fine. It's the wheat!", "I never said milk. Wheat.", "Wrong, it's wheat."]
)
def test_what_the_other_puts_right_waits_for_nobody(reel: Reel, kit: Path, answer: str) -> None:
    say(reel, kit, [("user", "My belly again."), ("assistant", "So no milk at all."), ("user", answer)])
    extract(reel, row("constraints", "milk", "no milk at all", "no milk at all"))
    assert (facts(reel), waiting(reel)) == ({}, [])


def test_no_hint_takes_anothers_allergy_for_the_personas_own(reel: Reel, kit: Path) -> None:
    known = "No walnuts for me; hazelnuts and almonds are fine."
    say(reel, kit, [("user", known), ("assistant", "Right.")])
    extract(reel, row("constraints", "nut allergy", "No walnuts; hazelnuts and almonds are fine", known))
    for item in waiting(reel):
        reel("review", "accept", item).ok()
    say(reel, kit, [("user", "Hazelnuts, and I swelled up."), ("assistant", "No walnuts, no hazelnuts.")], 20)
    extract(reel, row("constraints", "allergy", "walnuts and hazelnuts", "No walnuts, no hazelnuts"))
    listed = reel("fact", "list").ok()
    assert "reel fact add own" not in f"{listed.out}{listed.err}"
    [item] = waiting(reel)
    told = reel("review", "show", item).ok().out
    assert "was: constraints, nut allergy: No walnuts; hazelnuts and almonds are fine" in told
    assert "now: constraints, nut allergy: walnuts and hazelnuts" in told
    bundle = reel("pack").ok().out
    assert "almonds are fine (said by Bo, 10 February 2026) (not settled: a later chat" in bundle
    assert "20 February 2026, says “No walnuts, no hazelnuts”)" in bundle
    # the list of what is known by heart says so too, where the value stands
    shown = next(line for line in listed.out.splitlines() if "almonds are fine" in line)
    told = "almonds are fine (not settled: a later chat, 20 February 2026, says “No walnuts, no hazelnuts”)"
    assert shown.startswith(f"  nut allergy: No walnuts; hazelnuts and {told} — kept by you on ")


@pytest.mark.parametrize(
    ("fact", "stood"),
    [
        (("constraints", "allergy", "walnuts and hazelnuts; nothing from trees"), NUTS),
        (("constraints", "nuts", "no hazelnut, no walnut, no pecan; almond, peanuts no problem"), NUTS),
        (("constraints", "marzipan", "no almonds for him any more, his throat closed"), NUTS),
        (("constraints", "bee stings", "hives from them since June"), STINGS),
        # of another thing, or only more of the same
        (("constraints", "nuts", "allergic to walnuts; almonds are fine"), None),
        (("constraints", "latex", "a rash from gloves"), None),
        (("preferences", "cake", "hazelnuts on top"), None),
        (("constraints", "Vera's almonds", "Vera is allergic to almonds"), NUTS),
    ],
)
def test_what_forbids_a_thing_called_harmless_changes_that(fact: tuple[str, str, str], stood: object) -> None:
    assert find_guarded(noted(*fact), [NUTS, STINGS]) == stood


def test_a_change_has_no_word_of_its_name_twice() -> None:
    changed = as_change_of(noted("constraints", "allergy", "walnuts and hazelnuts"), NUTS)
    assert (changed.key, changed.value) == ("nut allergy", "walnuts and hazelnuts")
