"""A deadline that moves, evening by evening: one question for one matter, one note, one plain fact."""

import json
from pathlib import Path

from tests.features.contradictions.test_contradictions import SECOND, keep, waiting
from tests.support.cli import Reel
from tests.support.pages import say

FIRST = "Judit wants the whole manuscript by 12 February 2027."
SECOND_DAY = "The deadline has moved: the manuscript is due on 1 March now, not 12 February."
THIRD_DAY = (
    "Judit rang. The flood was worse than they said, and the manuscript is due on 20 March, not 1 March."
)


def evening(reel: Reel, kit: Path, said: str, day: int, notes: str, happened: str) -> None:
    say(reel, kit, [("user", said), ("assistant", "Then we have it. I keep the lamp till then.")], day=day)
    told = {
        **SECOND,
        "What happened": happened,
        "Lines to find it by": '"Then we have it"',
        "My notes": notes,
    }
    keep(reel, {**told, "What has shifted": '"I keep the lamp till then."\nsteady'})


def at(day: int) -> dict[str, str]:
    return {"REEL_NOW": f"2026-02-{day}T21:00:00+00:00"}


def working(kit: Path) -> list[str]:
    text = (kit / "ring2/working.md").read_text()
    return [line.partition(" (noted")[0] for line in text.splitlines() if "manuscript" in line]


def test_a_deadline_that_moves_twice_is_asked_about_once_each_time(reel: Reel, kit: Path) -> None:
    evening(reel, kit, FIRST, 10, f"new: {FIRST}", FIRST)
    reel("fact", "add", "commitments", "manuscript", "due on 12 February 2027", env=at(10)).ok()
    now = "The manuscript is due on 1 March 2027, not 12 February."
    evening(reel, kit, SECOND_DAY, 12, f"new: {now}", f"She told me: {SECOND_DAY[0].lower()}{SECOND_DAY[1:]}")
    (one,) = waiting(reel)
    assert "12 February" in one["diff"]
    assert "1 March" in one["diff"]
    reel("review", "accept", one["item"], "--holds", "newer", "--yes", env=at(12)).ok()
    assert waiting(reel) == []
    assert working(kit) == [f"- {now}"]
    third = "The manuscript is due on 20 March 2027."
    evening(reel, kit, THIRD_DAY, 14, f"new: {third}", THIRD_DAY)
    (one,) = waiting(reel)
    reel("review", "accept", one["item"], "--holds", "newer", "--yes", env=at(14)).ok()
    assert waiting(reel) == []
    assert working(kit) == [f"- {third}"]
    facts = json.loads(reel("fact", "list", "--json").ok().out)
    assert [fact["value"] for fact in facts if fact["key"] == "manuscript"] == [third]
    assert (
        "1 March" not in reel("pack").ok().out.partition("## What you know by heart")[2].partition("## ")[0]
    )
