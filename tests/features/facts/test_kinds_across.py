"""One name under two kinds is one matter: a new value replaces the old one, or waits, as under one kind."""

import json
from pathlib import Path

import pytest

from reel_cli.features.facts.policy import ABOUT
from reel_cli.features.facts.reply import FactRequest
from tests.features.facts.test_fact_extract import extract, facts, row
from tests.support.cli import Reel
from tests.support.pages import say


def told(reel: Reel, kit: Path, day: int, said: str, fact: str) -> None:
    """Have somebody say something, and a page note a fact of it."""
    say(reel, kit, [("user", said), ("assistant", "I see.")], day)
    kind, key, value = fact.split(" | ")
    extract(reel, row(kind, key, value, said.rstrip(".")))


@pytest.mark.parametrize(
    ("first", "then", "after"),
    [
        (
            ("I live in Graz.", "context | city | Graz"),
            ("I live in Linz now.", "identity | city | Linz"),
            {"context/city": "Linz"},
        ),
        (
            ("I am 52.", "context | age | 52"),
            ("I am 53 since yesterday.", "identity | age | 53"),
            {"context/age": "53"},
        ),
        (
            ("I work as an accountant.", "context | profession | accountant"),
            ("I work as a baker now.", "identity | Profession | baker"),
            {"context/profession": "baker"},
        ),
        (
            ("My rent is 700 euros.", "context | rent | 700 euros"),
            ("My rent is 750 euros now.", "constraints | rent | 750 euros"),
            {"context/rent": "750 euros"},
        ),
        (
            ("My car is a Skoda.", "context | car | Skoda"),
            ("My car is a Fiat now.", "history | car | Fiat"),
            {"context/car": "Fiat"},
        ),
        (
            ("My car is a Skoda.", "context | car | Skoda"),
            ("My first car was a Fiat.", "history | car | Fiat"),
            {"context/car": "Skoda", "history/car": "Fiat"},
        ),
        (
            ("I go running on Tuesdays.", "preferences | running day | Tuesdays"),
            ("I go running on Fridays now.", "commitments | running day | Fridays"),
            {"preferences/running-day": "Fridays"},
        ),
        (
            ("Rike is my sister.", "relationships | Rike | my sister"),
            ("Rike is in Rome.", "context | Rike | in Rome"),
            {"relationships/rike": "my sister", "context/rike": "in Rome"},
        ),
    ],
)
def test_a_name_is_one_whatever_its_kind(
    reel: Reel, kit: Path, first: tuple[str, str], then: tuple[str, str], after: dict[str, str]
) -> None:
    """SRIP-11 §III.5b: each fact has one category; the same fact under two would hold twice."""
    told(reel, kit, 10, *first)
    told(reel, kit, 12, *then)
    assert facts(reel) == after


@pytest.mark.needs("review")
def test_a_doctor_of_another_name_is_one_value_or_waits(reel: Reel, kit: Path) -> None:
    told(reel, kit, 10, "My doctor is Dr. Weber.", "relationships | doctor | Dr. Weber")
    told(reel, kit, 12, "My doctor is Dr. Haas.", "context | doctor | Dr. Haas")
    assert "context/doctor" not in facts(reel)
    assert len(facts(reel)) + len(json.loads(reel("review", "--json").ok().out)) in (1, 2)


def test_the_prompt_says_what_each_kind_is_about_where_it_has_room(reel: Reel, kit: Path) -> None:
    """SRIP-11 §III.5b: each category has its own matter, as `identity`: name, age, role, profession."""
    say(reel, kit, [("user", "I am 53."), ("assistant", "I see.")])
    prompt = reel("fact", "extract", "--prompt").ok().out
    assert "The kinds: identity (name, age, work), context (home, what goes on), constraints" in prompt
    short = FactRequest([f"{one} ({about})" for one, about in ABOUT.items()]).within(90)
    assert list(short.kinds) == list(ABOUT)
    extract(reel, row("identity (name, age, work)", "age", "53", "I am 53"))
    assert facts(reel) == {"identity/age": "53"}
