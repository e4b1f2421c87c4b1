"""A page's notes held against the tape: before it is kept, and by the doctor (REEL §4.3, §10.5)."""

import json
from pathlib import Path

import pytest

from tests.support.cli import Reel
from tests.support.pages import chat, page, say

SAID = (
    ("user", "The manuscript goes to Pip on 31 March, and the residency wants forty pages."),
    ("assistant", "Then we read it on the weekend before."),
)
FALSE = (
    "new: Send the manuscript to Pip on 17 May.\nnew: Ferdinand owes him a lamp.\n"
    "state: He told me “I never saw the purple walrus dance”."
)
SOUND = (
    "new: Send the manuscript to Pip on 31 March.\nnew: Ask on Sunday how the reading went.\n"
    "state: We mean to read 12 pages a day with Pip."
)


def keep(reel: Reel, notes: str, line: str = "") -> list[str]:
    """Keep a page with these notes without a review; what of it is doubted."""
    told = {"My notes": notes, **({"Lines to find it by": f'"{line}"'} if line else {})}
    run = reel("checkpoint", "--reply", "-", "--yes", "--json", stdin=page(told)).ok()
    return [one["what"] for one in json.loads(run.out)["problems"] if one["field"].startswith("grounding")]


def found_by_doctor(reel: Reel) -> list[str]:
    found = json.loads(reel("doctor", "--only", "false-memory", "--json").out)["findings"]
    return [one["evidence"] for one in found if "ring2" in one["evidence"]]


def test_a_note_is_held_against_the_tape(reel: Reel, kit: Path) -> None:
    reel("record", "-", stdin=chat(*SAID)).ok()
    doubts = "\n".join(keep(reel, FALSE))
    assert '"17 May" is not a date that was spoken of; the nearest is "The manuscript goes to Pip' in doubts
    assert '"Ferdinand" is a name that was not said' in doubts
    assert '"I never saw the purple walrus dance" was not said so' in doubts
    found = found_by_doctor(reel)
    assert len(found) == 3
    assert all(one.startswith("ring2/working.md, line ") for one in found)
    line = next(one for one in found if "Ferdinand" in one).partition(":")[0].rpartition(" ")[2]
    assert "Ferdinand" in (kit / "ring2/working.md").read_text().split("\n")[int(line) - 1]
    reel("doctor", "--right", f"notes:{line}").ok()
    assert len(found_by_doctor(reel)) == 2
    reel("doctor", "--right", "notes").ok()
    assert found_by_doctor(reel) == []


@pytest.mark.usefixtures("kit")
def test_a_plan_that_only_the_persona_made_is_no_doubt(reel: Reel) -> None:
    reel("record", "-", stdin=chat(*SAID)).ok()
    assert not [one for one in keep(reel, SOUND) if "Sunday" in one or "31 March" in one or "12" in one]
    assert found_by_doctor(reel) == []


def test_a_person_who_keeps_a_doubted_note_is_not_asked_again(reel: Reel, kit: Path) -> None:
    reel("record", "-", stdin=chat(*SAID)).ok()
    reply = kit.parent / "page.md"
    reply.write_text(page({"My notes": FALSE}))
    shown = reel("checkpoint", "--reply", reply, stdin="y\n", tty=True).ok().err
    assert '"Ferdinand" is a name that was not said' in " ".join(shown.split())
    assert found_by_doctor(reel) == []


@pytest.mark.parametrize(
    ("said", "changed", "doubted"),
    [
        ("I sorted some of the postcards.", "Bo has 300 postcards to sort", True),
        # it was said, follows from what was said, or counts something else
        ("It is 300 by now.", "Bo has 300 postcards to sort", False),
        ("I bought 32 at the fair.", "Bo has 300 postcards to sort", False),
        ("I sorted some of the postcards.", "Bo has 268 postcards to sort, a day's work", False),
    ],
)
def test_a_number_that_a_note_changes_and_nobody_said_is_doubted(
    reel: Reel, kit: Path, said: str, changed: str, *, doubted: bool
) -> None:
    say(reel, kit, [("user", "I have 268 postcards."), ("assistant", "Good.")])
    keep(reel, "1. still\nnew: Bo has 268 postcards to sort", "I have 268")
    say(reel, kit, [("user", said), ("assistant", "Good.")], 20)
    asked = reel("checkpoint", "--prompt").ok().out
    [number] = [line.partition(".")[0] for line in asked.splitlines() if ". Bo has 268 postcards" in line]
    told = (
        '"300" is a number that was not said; the nearest is "Bo has 268 postcards to sort" '
        "(the note until now)"
    )
    assert (told in keep(reel, f"{number}. changed: {changed}", said)) is doubted
