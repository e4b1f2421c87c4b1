"""Facts under nearly the same name are one; those that a word tells apart are two."""

from pathlib import Path

import pytest

from reel_cli.features.facts.fact import Fact
from reel_cli.features.facts.near_names import find_near
from tests.features.facts.test_fact_extract import extract, facts, row
from tests.support.cli import Reel
from tests.support.pages import say


@pytest.mark.parametrize(
    ("key", "was", "anew", "now"),
    [
        ("end of the lease", "31 August 2026", "lease end", "30 September 2026, not the 31st of August"),
        ("table price", "four euros a head", "price of the tables", "five euros a head from July"),
        ("nut allergy", "walnuts only; almonds are fine", "nuts", "no walnut, no pecan; almond no problem"),
        ("niece", "Margot, born on a Tuesday", "niece's name", "Margaux, with an x, not Margot"),
        (
            "bank",
            "yes in principle, twelve thousand",
            "bank loan for Maud's half",
            "ten thousand, not twelve",
        ),
        ("amitriptyline", "ten milligrams", "migraine medicine", "amitriptyline, twenty milligrams"),
        ("Camille (counter)", "studies rocks", "Camille at the counter", "leaves for Grenoble"),
        ("Maud's mother", "in Wells", "mother of Maud", "in Bath"),
        ("chess club", "meets in the library by the river", "club", "meets in the library by the bridge"),
        ("ticket price", "9 euros", "price of a ticket", "12 euros"),
    ],
)
def test_a_fact_is_found_under_nearly_the_same_name(key: str, was: str, anew: str, now: str) -> None:
    stood = Fact("context", key, was)
    assert find_near(Fact("context", anew, now), [stood]) == stood


@pytest.mark.parametrize(
    ("key", "was", "anew", "now"),
    [
        ("rent", "1150 a month", "new rent", "1260 a month"),
        ("left knee", "sore on stairs since May", "right knee", "sore on stairs since May"),
        ("knee", "sore on the stairs at home", "Astrid's knee", "sore on the stairs at home"),
        ("Camille", "midwife in Nantes", "Camille (counter)", "studies rocks in Nantes"),
        ("doctor", "Rasmussen, in Molde, kind", "mother's doctor", "Rasmussen, in Molde, kind"),
        ("bank loan", "312 a month until 2028", "bank loan for Maud's half", "ten thousand in December"),
        ("letter from Ada", "about the boat", "letter to Ada", "about the boat"),
        ("mother's Maud", "in Wells", "Maud's mother", "in Bath"),
        ("course", "pottery in Wells on Mondays", "evening course", "Greek in Wells on Mondays"),
        ("cat", "grey, eats fish, sleeps in the sink", "second cat", "grey, eats fish, sleeps in the sink"),
    ],
)
def test_what_a_word_tells_apart_is_two(key: str, was: str, anew: str, now: str) -> None:
    assert find_near(Fact("context", anew, now), [Fact("context", key, was)]) is None


def test_a_newer_value_under_nearly_the_same_name_replaces_the_older_one(reel: Reel, kit: Path) -> None:
    say(reel, kit, [("user", "The tables cost four euros a head."), ("assistant", "Good.")])
    extract(reel, row("context", "table price", "four euros a head", "The tables cost four euros a head"))
    said = "From July the tables cost five euros a head."
    say(reel, kit, [("user", said), ("assistant", "Good.")], 20)
    extract(reel, row("context", "price of the tables", "five euros a head from July", said.rstrip(".")))
    assert facts(reel) == {"context/table-price": "five euros a head from July; until then four euros a head"}


def test_two_that_one_reply_tells_apart_are_two(reel: Reel, kit: Path) -> None:
    first = "The chess club meets in the library by the river."
    say(reel, kit, [("user", first), ("assistant", "Good.")])
    extract(reel, row("context", "chess club", "meets in the library by the river", first.rstrip(".")))
    said = "The club meets in the library by the river too, and the chess club in the library by the mill."
    say(reel, kit, [("user", said), ("assistant", "Good.")], 20)
    rows = (
        row("context", "club", "meets in the library by the river", said.rstrip(".")),
        row("context", "chess club", "in the library by the mill", said.rstrip(".")),
    )
    extract(reel, "\n".join(rows))
    assert set(facts(reel)) == {"context/club", "context/chess-club"}
