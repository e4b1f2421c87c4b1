"""Parts of an older value that say what does not pass stay beside a newer value that tells something else."""

from pathlib import Path

import pytest

from reel_cli.features.facts.evidence.kept_parts import as_addition, with_kept_parts
from reel_cli.features.facts.fact import Fact
from reel_cli.features.facts.files import add_facts, parse_facts
from reel_cli.features.facts.purge import purge_facts
from tests.features.facts.test_fact_extract import extract, facts, row
from tests.support.cli import Reel
from tests.support.pages import say


@pytest.mark.parametrize(
    ("kind", "key", "was", "now", "value"),
    [
        (
            "relationships",
            "Eikrem",
            "Dagny's surgeon, done",
            "leaves for Wells",
            "Dagny's surgeon; leaves for Wells",
        ),
        (
            "relationships",
            "Solveig",
            "older sister, 62, was a teacher",
            "63 now",
            "older sister, was a teacher; 63 now",
        ),
        (
            "relationships",
            "mother",
            "87, at Bergtun, Sundays",
            "calls me Ada mostly",
            "87, at Bergtun; calls me Ada mostly",
        ),
        (
            "relationships",
            "Dudo",
            "the café's cat, one eye",
            "isn't eating much",
            "the café's cat; isn't eating much",
        ),
        (
            "context",
            "operation",
            "Monday 11 May, right knee",
            "done, spinal",
            "right knee; done, spinal",
        ),
        (
            "relationships",
            "Maud",
            "in Paris, co-owner half and half",
            "leaves in December",
            "co-owner half and half; leaves in December",
        ),
        # the same kind of thing, what has ended, and what passes by itself
        ("relationships", "Marek", "plumber, Leeds", "a builder, moved to York", "a builder, moved to York"),
        ("relationships", "partner", "Jonas, 34, nurse", "Marek", "Marek"),
        ("context", "job", "nurse, at St Mary's", "retired in May", "retired in May"),
        ("context", "play", "Tin Roof, at the Orpheum", "Tin Sky", "Tin Sky"),
        ("relationships", "Jon", "29, looking for work", "30, on the ferry", "30, on the ferry"),
        ("context", "rent", "1150, Mrs Pasquet", "1260 from October", "1260 from October"),
        ("context", "knee", "left, sore", "right, sore as well", "right, sore as well"),
        ("constraints", "pens", "Ada's doctor, right pocket", "in the drawer", "in the drawer"),
    ],
)
def test_what_does_not_pass_stays_beside_a_newer_value(
    kind: str, key: str, was: str, now: str, value: str
) -> None:
    stood, fact = Fact(kind, key, was, when="2026-03-01"), Fact(kind, key, now, when="2026-05-01")
    assert with_kept_parts(stood, fact, now).value == value


def test_a_newer_value_keeps_who_somebody_is_and_is_not_given_twice(reel: Reel, kit: Path) -> None:
    first = "Eikrem is my surgeon, from Molde."
    say(reel, kit, [("user", first), ("assistant", "Good.")])
    extract(reel, row("relationships", "Eikrem", "my surgeon, from Molde", first.rstrip(".")))
    for day in (20, 25):
        said = f"Number {day}: Eikrem leaves in the new year."
        say(reel, kit, [("user", said), ("assistant", "Oh.")], day)
        extract(
            reel, row("relationships", "Eikrem", "leaves in the new year", "Eikrem leaves in the new year")
        )
        assert facts(reel) == {"relationships/eikrem": "my surgeon; leaves in the new year"}


@pytest.mark.parametrize(
    ("key", "was", "now", "value"),
    [
        ("Kari", "next door, takes the bins", "200 bird books, got her cake", True),
        ("Kari", "next door, takes the bins", "bins", False),
        ("Kari", "next door, takes the bins", "never rings a bell", False),
        ("Kari", "next door, takes the bins", "maybe a bird book", False),
    ],
)
def test_what_is_said_of_somebody_besides_is_added(key: str, was: str, now: str, value: bool) -> None:  # noqa: FBT001
    stood, fact = Fact("relationships", key, was), Fact("relationships", key, now)
    added = as_addition(stood, fact, now)
    assert (added.value if added is not None else "") == (f"{was}; {now}" if value else "")


def test_a_purge_takes_a_kept_part_out_of_later_values() -> None:
    older = Fact(
        "relationships",
        "Eikrem",
        "Ada's surgeon, 44",
        "1",
        "2026-03-01-1#1",
        "2026-03-01",
        origin="extraction",
    )
    newer = Fact(
        "relationships", "Eikrem", "Ada's surgeon; leaves in May", "1", "2026-04-01-1#1", "2026-04-01",
        older.value, "extraction", statement="Eikrem leaves in May (Ada's surgeon)",
    )  # fmt: skip
    left = purge_facts(add_facts("", [older, newer]).encode(), "2026-03-01-1").decode()
    assert "surgeon" not in left
    assert [one.value for one in parse_facts(left)] == ["leaves in May"]
