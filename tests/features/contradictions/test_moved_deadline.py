"""A deadline that moves, evening by evening: one question for one matter, one note, one plain fact."""

import json
from pathlib import Path

import pytest

from tests.features.contradictions.test_contradictions import SECOND, keep, waiting
from tests.support.cli import Reel
from tests.support.pages import page, say

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
    assert [fact["value"] for fact in facts if fact["key"] == "manuscript"] == ["due on 20 March 2027"]
    assert (
        "1 March" not in reel("pack").ok().out.partition("## What you know by heart")[2].partition("## ")[0]
    )


DENTIST = "I have the dentist on 9 March, at ten."
MOVED = "The dentist called. It is on 12 March now, not on the 9th."


@pytest.mark.parametrize("left", ["nothing", "The dentist on 12 March."])
def test_a_note_left_as_it_was_takes_the_day_of_the_fact_that_the_page_keeps(
    reel: Reel, kit: Path, left: str
) -> None:
    """A page answers "still" to a note whose day moved in that very chat."""
    evening(reel, kit, DENTIST, 10, "new: The dentist on 9 March.", DENTIST)
    reel("fact", "add", "commitments", "dentist", "on 9 March at ten", env=at(10)).ok()
    before = (kit / "ring2/working.md").read_text()
    say(reel, kit, [("user", MOVED), ("assistant", "Then we have it. I keep the lamp till then.")], day=12)
    told = {
        **SECOND,
        "What happened": MOVED,
        "What's unresolved": left,
        "Lines to find it by": '"Then we have it"',
        "What I know for sure": f'commitments | dentist | on 12 March | "{MOVED}" | 0.9',
        "My notes": "\n".join(f"{number}. still" for number in range(1, before.count("\n- ") + 1)),
        "What has shifted": '"I keep the lamp till then."\nsteady',
    }
    text = page(told)
    shown = reel("checkpoint", "--reply", "-", "--yes", stdin=text).ok().err
    notes = (kit / "ring2/working.md").read_text()
    assert "9 March" not in notes
    assert notes.count("12 March") == 1
    line = (
        "closed: The dentist on 9 March." if left != "nothing" else "changed: “The dentist on 9 March.” to “"
    )
    assert line in shown
    assert not [one for one in waiting(reel) if "ring2" in json.dumps(one) and "9 March" in one["diff"]]


def test_a_note_with_a_day_that_was_put_right_in_its_memory_is_named(reel: Reel, kit: Path) -> None:
    evening(reel, kit, DENTIST, 10, "new: The dentist on 9 March.\nnew: Mira comes on 14 March.", DENTIST)
    (memory,) = (kit / "ring3").glob("M-*.md")
    editor = kit.parent / "editor.sh"
    editor.write_text('#!/bin/sh\nsed -i "s/9 March/11 March/" "$1"\n')
    editor.chmod(0o755)
    told = reel("edit", memory.stem, env={"EDITOR": str(editor), "VISUAL": ""}).ok().err
    assert "A note still says “The dentist on 9 March”. To change it:  reel edit now\n" in told
    assert "Mira" not in told


def test_a_note_written_on_the_page_itself_is_left_as_it_is(reel: Reel, kit: Path) -> None:
    """Only what stood before the page can have the day that a fact of the page replaces."""
    evening(reel, kit, DENTIST, 10, "new: The dentist on 9 March.", DENTIST)
    reel("fact", "add", "commitments", "dentist", "on 9 March at ten", env=at(10)).ok()
    say(reel, kit, [("user", MOVED), ("assistant", "Then we have it. I keep the lamp till then.")], day=12)
    written = "The dentist was to be on 9 March; he called."
    told = {
        **SECOND,
        "What happened": MOVED,
        "Lines to find it by": '"Then we have it"',
        "What I know for sure": f'commitments | dentist | on 12 March | "{MOVED}" | 0.9',
        "My notes": f"1. still\n2. changed: {written}",
        "What has shifted": '"I keep the lamp till then."\nsteady',
    }
    shown = reel("checkpoint", "--reply", "-", "--yes", stdin=page(told)).ok().err
    assert written in (kit / "ring2/working.md").read_text()
    assert f"changed: “{written}" not in shown
    assert f"closed: {written}" not in shown
