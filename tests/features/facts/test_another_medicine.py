"""Another medicine is a fact of its own, and no new value of the one that it replaces."""

import json
from pathlib import Path

import pytest

from reel_cli.features.facts.fact import Fact
from reel_cli.features.facts.pending.another_medicine import name_apart, part_medicines
from tests.features.facts.test_fact_extract import extract, facts, row
from tests.features.facts.test_unasked_changes import keep_short
from tests.support.cli import Reel
from tests.support.pages import say

KEY = "Ilse's metoprolol"
TAKES = "Ilse takes metoprolol, 50 mg in the morning."
BOTH = "They stopped the metoprolol altogether and gave her ramipril, 2.5 mg in the evening."


def know_dose(reel: Reel, kit: Path) -> None:
    say(reel, kit, [("user", TAKES), ("assistant", "Noted.")])
    extract(reel, row("context", KEY, "50 mg in the morning", TAKES.rstrip(".")))


def items(reel: Reel) -> dict[str, str]:
    told = json.loads(reel("review", "--json").ok().out)
    found = [one for one in told if one["kind"] == "fact"]
    return {one["diff"].rpartition("\n+")[2].partition(" (")[0]: one["item"] for one in found}


@pytest.mark.parametrize(
    ("value", "mine", "name", "dose"),
    [
        (
            "Her pulse was 48, dr. Brandt stopped the metoprolol and gave her ramipril, 2.5 mg",
            "dr. Brandt stopped the metoprolol",
            "Ilse's ramipril",
            "2.5 mg",
        ),
        (BOTH, "They stopped the metoprolol altogether", "Ilse's ramipril", "2.5 mg in the evening"),
        (
            "gave her ramipril, 2.5 mg, and stopped the metoprolol",
            "stopped the metoprolol",
            "Ilse's ramipril",
            "2.5 mg",
        ),
        (
            "stopped the metoprolol; ramipril is 5 mg now",
            "stopped the metoprolol",
            "Ilse's ramipril",
            "5 mg now",
        ),
    ],
)
def test_words_of_two_medicines_are_two_facts(value: str, mine: str, name: str, dose: str) -> None:
    alone, other = part_medicines(Fact("context", KEY, value))
    assert (alone.key, alone.value) == (KEY, mine)
    assert other is not None
    assert (other.key, other.value) == (name, dose)


def test_a_name_with_an_underscore_is_read_as_two_words() -> None:
    fact = Fact("context", "ilse_metoprolol", "metoprolol stopped, ramipril 2.5 mg in the morning")
    _, other = part_medicines(fact)
    assert other is not None
    assert (other.key, other.value) == ("ilse ramipril", "2.5 mg in the morning")


@pytest.mark.parametrize("value", ["50 mg in the morning", "metoprolol, 50 mg", "stopped, feels well"])
def test_words_of_one_medicine_stay_one_fact(value: str) -> None:
    told = Fact("context", KEY, value)
    assert part_medicines(told) == (told, None)
    assert name_apart(told) is None


def test_a_short_page_has_what_replaces_a_medicine_under_its_own_name(reel: Reel, kit: Path) -> None:
    know_dose(reel, kit)
    say(reel, kit, [("user", BOTH), ("assistant", "One off, one on.")], 20)
    keep_short(reel)
    told = items(reel)
    assert [*told] == ["context, Ilse's metoprolol: over", "context, Ilse's ramipril: 2.5 mg in the evening"]
    for item in told.values():
        reel("review", "accept", item).ok()
    assert facts(reel) == {"context/ilse's-ramipril": "2.5 mg in the evening"}


def test_a_medicine_is_no_dose_of_one_whose_value_names_it(reel: Reel, kit: Path) -> None:
    know_dose(reel, kit)
    reel("fact", "add", "context", KEY, BOTH.rstrip("."), "--yes").ok()
    said = "The ramipril is 5 mg now, in the morning."
    say(reel, kit, [("user", said), ("assistant", "Good.")], 20)
    extract(reel, row("context", "Ilse's ramipril", "5 mg in the morning", said.rstrip(".")))
    assert facts(reel)["context/ilse's-ramipril"] == "5 mg in the morning"
    assert [*items(reel)] == ["context, Ilse's metoprolol: They stopped the metoprolol altogether"]


@pytest.mark.parametrize(
    ("value", "kept"),
    [
        ("Ilse's ramipril: 5 mg in the morning, They stopped the metoprolol", "5 mg in the morning"),
        (BOTH.rstrip("."), "2.5 mg in the evening"),
    ],
)
def test_two_that_both_hold_have_the_names_of_their_medicines(value: str, kept: str) -> None:
    named = name_apart(Fact("context", KEY, value))
    assert named is not None
    assert (named.key, named.value) == ("Ilse's ramipril", kept)
