"""Recall of the notes and open loops of working memory, and of the nearest where nothing is certain."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.features.recall.test_recall import answer, record
from tests.support.cli import Reel
from tests.support.lived_kit import LETTER, PHONE

WORKING = "ring2/working.md"


def note(kit: Path, *items: str, loops: Sequence[str] = ()) -> None:
    """Write these notes and open loops, and nothing else, into working memory."""
    listed = ["## Active threads", *(f"- {item}" for item in items)]
    listed += ["", "## Open loops", *(f"- {item}" for item in loops)]
    (kit / WORKING).write_text("\n".join(listed) + "\n")


@pytest.fixture
def two_medicines(kit: Path) -> Path:
    """A kit in which the person speaks of her own medicine, and of a friend's."""
    friend = ("We were there.", "What did they say to Henrik?", "A tremor. He gets propranolol.", "Good.")
    record(kit, PHONE, *friend)
    own = ("Henrik called.", "How is he?", "He shakes.", "And you?", "They give me tablets, I take warfarin.")
    record(kit, LETTER, *own, "I will remember the warfarin.")
    return kit


def test_a_note_about_somebody_answers_for_him(reel: Reel, two_medicines: Path) -> None:
    assert "propranolol" not in reel("recall", "what does Henrik take").ok().out
    note(two_medicines, "Henrik takes propranolol 40 mg twice a day. (noted 10 March 2026)")
    # the index is read again when a note changes
    for asked in ("what does Henrik take", "what does Henrik take?"):
        done = reel("recall", asked).ok()
        assert done.out.startswith("In the notes:\nHenrik takes propranolol 40 mg twice a day."), asked
    assert "In the notes:\nHenrik takes" in reel("recall", "which tablets does Henrik take").ok().out
    # it is told to the person; a model has its notes before it
    assert "In the notes" not in reel("recall", "what does Henrik take", "--tokens", "600").ok().out


def test_a_note_is_not_offered_to_be_kept_and_called_a_note(reel: Reel, two_medicines: Path) -> None:
    note(two_medicines, "Henrik takes propranolol 40 mg twice a day.")
    asked = "what does Henrik take"
    done = reel("recall", asked).ok()
    refused = reel("recall", asked, "--promote", "--prompt")
    assert (refused.code, refused.err.count("This is a note on where things stand")) == (1, 1)
    offered = [line for line in done.err.splitlines() if "--promote" in line]
    numbers = [line.partition("--hit ")[2].strip() for line in offered]
    for number in numbers:
        assert (
            "=== The conversation ==="
            in reel("recall", asked, "--promote", "--hit", number, "--prompt").ok().out
        )
    assert all(f"--hit {number}" in refused.err for number in numbers)


def test_a_note_about_somebody_else_is_no_answer_about_oneself(reel: Reel, two_medicines: Path) -> None:
    note(two_medicines, "Henrik takes propranolol 40 mg twice a day.")
    for asked in ("what do I take", "what is it that I take"):
        told = reel("recall", asked).ok().out
        assert "Henrik takes" not in told, asked
        assert "I take warfarin" in told, asked


def test_a_note_stands_behind_a_moment_that_says_as_much(reel: Reel, kit: Path) -> None:
    record(kit, PHONE, "The hat is bought, it is red.", "Good.", "And the tea?", "Not yet.")
    note(kit, "Buy a hat by Easter.")
    told = reel("recall", "is the hat bought").ok().out
    assert told.index("The hat is bought") < told.index("In the notes:\nBuy a hat")


def test_an_open_loop_says_when_the_next_is(reel: Reel, kit: Path) -> None:
    record(kit, "2026-02-10-1", "The dentist wrote.", "What does she want?")
    note(
        kit,
        "Henrik's appointment is on 12 February 2026.",
        loops=[
            "Dentist appointment on 3 March 2026. (noted 10 February 2026)",
            "Eye appointment on 20 March 2026.",
        ],
    )
    done = reel("recall", "when is my next appointment").ok()
    assert done.out.startswith("In the notes: Dentist appointment on 3 March 2026.")
    assert "Henrik" not in done.out
    assert (
        "In the notes: Henrik's appointment" in reel("recall", "when is Henrik's next appointment").ok().out
    )


def test_notes_that_a_kit_begins_with_are_not_found(reel: Reel, kit: Path) -> None:
    record(kit, PHONE, "Good evening.", "Good evening.")
    first = (kit / WORKING).read_text()
    assert "Bo" in first
    assert "In the notes" not in reel("recall", "getting to know what fills the days").ok().out
    note(kit, "The kettle fills the days.")
    assert "In the notes:\nThe kettle" in reel("recall", "what fills the days").ok().out


def test_the_nearest_is_shown_where_nothing_is_certain(reel: Reel, kit: Path) -> None:
    record(
        kit, PHONE, "I have begun to learn the accordion again.", "Which tune?", "A polka.", "Half of one."
    )
    asked = "which instrument and which unicycle am I learning in Zanzibar"
    done = reel("recall", asked).ok()
    assert done.out == ""
    first, blank, heading, said, *_ = done.err.splitlines()
    assert first == "Nothing certain enough was found. The nearest, though unsure:"
    assert (blank, heading[:4]) == ("", "10 F")
    assert said == "Bo: I have begun to learn the accordion again."
    assert "--promote" not in done.err
    # a program is told of none
    assert answer(reel, asked)["hits"] == []
