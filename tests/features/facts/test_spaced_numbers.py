"""Thousands with a space between them are one number, which the turns before a quotation may bear."""

from pathlib import Path

import pytest

from reel_cli.core.evidence.grounding.numbers import numbers
from tests.features.facts.test_fact_extract import extract, facts, row
from tests.support.cli import Reel
from tests.support.pages import say


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("i lend her. 60 000. for the knee", [60_000]),
        ("1 900 kr for the ticket", [1_900]),
        ("12'500 francs", [12_500]),
        ("1 234 567 people", [1_234_567]),
        ("60\u202f000 or 60\u00a0000 or 60,000", [60_000, 60_000, 60_000]),
        ("in 2020 300 people came", [2_020, 300]),
        ("call 555 123 4567", [555, 123, 4_567]),
        ("from 8 16 of them", [8, 16]),
    ],
)
def test_thousands_are_one_number(text: str, found: list[int]) -> None:
    assert [int(min(one.values)) for one in numbers(text, text)] == found


def test_a_sum_in_the_turn_before_bears_what_is_asked_of_it(reel: Reel, kit: Path) -> None:
    talk = [
        ("user", "i lend her. 60 000. for the knee. she has the rest, sold the caravan."),
        ("assistant", "Sixty thousand, to Astrid."),
        ("user", "and Solveig must NOT know. never. she lent to Astrid in 2009 and it was a war."),
        ("assistant", "Solveig doesn't hear of it from me."),
        ("user", "good."),
    ]
    say(reel, kit, talk)
    value = "60 000 to Astrid, Solveig must NOT know, never"
    extract(reel, row("constraints", "the loan", value, "and Solveig must NOT know. never"))
    assert facts(reel) == {"constraints/the-loan": value}


def test_another_sum_than_was_said_is_not_known(reel: Reel, kit: Path) -> None:
    say(reel, kit, [("user", "i lend her. 60 000."), ("assistant", "Good."), ("user", "and tell nobody")])
    extract(reel, row("constraints", "the loan", "60 500 to her, tell nobody", "and tell nobody"))
    assert facts(reel) == {}
