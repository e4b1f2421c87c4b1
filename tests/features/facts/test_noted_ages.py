"""An age that was told a year ago is due to be looked at."""

from pathlib import Path

import pytest

from tests.features.facts.test_fact_extract import extract, row
from tests.support.cli import Reel
from tests.support.pages import say

SOON, LATER = {"REEL_NOW": "2026-12-01T10:00:00+00:00"}, {"REEL_NOW": "2027-03-01T10:00:00+00:00"}


def due(reel: Reel, env: dict[str, str]) -> list[str]:
    shown = reel("status", "--due", env=env).out.splitlines()
    return [line for line in shown if line.startswith("facts: ")]


@pytest.mark.parametrize(
    ("said", "key", "value"),
    [
        ("Hi, I'm Maria, 52.", "age", "52"),
        ("Hi, I'm Maria, 52.", "name", "Maria, 52"),
        ("My niece Jana, 31, is here.", "niece Jana", "Jana, 31"),
        ("My sister Jana is 31 years old.", "sister Jana", "31 years old"),
        ("Ich bin 52 Jahre alt.", "alter", "52"),
        ("Мне 52 года.", "возраст", "52"),
    ],
)
def test_an_age_is_looked_at_once_a_year_has_passed(
    reel: Reel, kit: Path, said: str, key: str, value: str
) -> None:
    say(reel, kit, [("user", said), ("assistant", "I see.")])
    extract(reel, row("identity", key, value, said.rstrip(".")))
    assert due(reel, SOON) == []
    (line,) = due(reel, LATER)
    assert line.startswith(
        f"facts: “{key}: {value}” was said on 10 February 2026, a year ago or more:  reel "
    )
    reel("fact", "add", "identity", key, value.replace("52", "53").replace("31", "32"), env=LATER).ok()
    assert due(reel, LATER) == []


def test_what_counts_no_years_is_not_looked_at(reel: Reel, kit: Path) -> None:
    say(reel, kit, [("user", "We live at 12 Kiln Lane, page 52 of the map."), ("assistant", "I see.")])
    extract(reel, row("context", "page", "page 52 of the map", "page 52 of the map"))
    extract(reel, row("own", "age", "52", "I see"), "2026-02-10-1")
    reel(
        "fact", "add", "identity", "home", "Elm Street, 52", env={"REEL_NOW": "2026-02-11T10:00:00+00:00"}
    ).ok()
    reel("fact", "add", "identity", "age", "born in 1975", env={"REEL_NOW": "2026-02-11T10:00:00+00:00"}).ok()
    assert due(reel, LATER) == []
