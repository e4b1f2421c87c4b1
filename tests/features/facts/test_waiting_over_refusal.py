"""A newer value with a detail that nobody said waits for a person; a thing told as taken place is kept."""

import json
from pathlib import Path

import pytest

from reel_cli.core.values.talk import Entry, Message
from reel_cli.features.facts.evidence.fact_evidence import UserTurns
from tests.features.facts.test_fact_extract import extract, facts
from tests.support.cli import Reel
from tests.support.pages import say


@pytest.mark.needs("review")
def test_a_newer_value_with_an_odd_name_waits(reel: Reel, kit: Path) -> None:
    """SRIP-11 §III.5b: the older price is over, whoever broke an arm."""
    say(reel, kit, [("user", "the roof: Staffan, 6800"), ("assistant", "Dear.")], day=10)
    old = (
        'constraints | roof | Staffan, 6800 | The roof costs 6800, by Staffan | "the roof: Staffan, 6800" | 1'
    )
    extract(reel, f"## What I know for sure\n{old}\n\nAda\n")
    said = "so 8200 not 6800. and not july. his lad broke an arm. october he says"
    say(reel, kit, [("assistant", "How is the roof?"), ("user", said), ("assistant", "Oh.")], day=11)
    new = f'constraints | roof | Staffan, 8200, October; Hampus broke an arm | "{said}" | 1'
    extract(reel, f"## What I know for sure\n{new}\n\nAda\n")
    assert facts(reel) == {"constraints/roof": "Staffan, 6800"}
    waiting = json.dumps(json.loads(reel("review", "--json").ok().out))
    assert "8200, October" in waiting


@pytest.mark.parametrize(
    ("said", "value", "kept"),
    [
        ("resit was friday. I think it was ok", "sat on Friday 21 August", True),
        ("the fair was on friday and it rained", "held on Friday 21 August", True),
        ("resit was friday. I missed it", "sat on Friday 21 August", False),
        ("resit is friday. wish me luck", "sat on Friday 21 August", False),
    ],
)
def test_what_was_on_a_day_took_place_then(said: str, value: str, *, kept: bool) -> None:
    turn = Entry(1, Message("user", said, time="2026-08-23T18:00:00Z"))
    borne = UserTurns([turn], "Bo", "Ada", "2026-08-23").bears(value, said)
    assert (not borne.why and borne.value == value) is kept
