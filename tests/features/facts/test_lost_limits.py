"""A part that limits the rest of a value, or turns it round, is not cut alone."""

from pathlib import Path

import pytest

from reel_cli.features.facts.evidence.kept_value import find_lost_limit
from tests.features.facts.test_fact_extract import extract, facts, row
from tests.support.cli import Reel
from tests.support.pages import page, say


@pytest.mark.parametrize(
    ("value", "kept", "left", "lost"),
    [
        ("ask about Lasse, but never as a spanner", "but never as a spanner", "ask about Lasse", True),
        (
            "every Sunday; missed 9 August, rang on the 23rd",
            "every Sunday, rang on the 23rd",
            "missed 9 August",
            True,
        ),
        ("rings on Sundays, except in May", "rings on Sundays", "except in May", True),
        ("gone on Friday, results in May", "results in May", "gone on Friday", False),
        ("Laine on Monday, bends to 120 degrees", "Laine on Monday", "bends to 120 degrees", False),
        ("but for the roof, paid", "but for the roof", "paid", False),
    ],
)
def test_a_part_that_limits_the_rest_is_named(value: str, kept: str, left: str, *, lost: bool) -> None:
    assert find_lost_limit(value, kept, left) == (left if lost else "")


@pytest.mark.needs("review")
def test_a_limit_waits_with_what_it_limits(reel: Reel, kit: Path) -> None:
    say(reel, kit, [("user", "i had a brother. dont ask about that one"), ("assistant", "I won't.")])
    extract(reel, row("constraints", "shut hatch", "don't ask about the brother", "dont ask about that one"))
    quoted = "you can ask about him. i dont mind it"
    said = f"so new rule. {quoted}. but never as a spanner, never to win with"
    say(reel, kit, [("user", said), ("assistant", "Then I'll ask.")], 20)
    value = "ask about Lasse, but never as a spanner"
    extract(reel, row("constraints", "shut hatch", value, quoted), "2026-02-20-1")
    assert facts(reel) == {"constraints/shut-hatch": "don't ask about the brother"}
    assert f"now: constraints, shut hatch: {value}" in " ".join(reel("review").ok().out.split())


def test_a_promise_of_every_week_is_not_done_by_one_call(reel: Reel, kit: Path, tmp_path: Path) -> None:
    promised = "I promise I'll ring Nana Bel every sunday"
    say(reel, kit, [("user", promised), ("assistant", "Good.")])
    extract(
        reel, row("commitments", "Nana Bel on Sundays", "promised to ring Nana Bel every Sunday", promised)
    )
    quoted = "I didn't ring Nana. two sundays. the 8th and the 15th"
    said = [
        ("user", f"5's a confession. {quoted}. I promised and I broke it."),
        ("assistant", "And today?"),
        ("user", "I rang Nana Bel today. an hour."),
    ]
    say(reel, kit, said, 22)
    lines = {"What I know for sure": "nothing", "Lines to find it by": f'"{quoted}"'}
    file = tmp_path / "page.md"
    file.write_text(page(lines))
    reel("checkpoint", "--reply", file, "--yes").ok()
    assert "every Sunday" in facts(reel).get("commitments/nana-bel-on-sundays", "")
