"""Open loops that a page is asked about by name."""

from datetime import date
from pathlib import Path

import pytest

from reel_cli.core.files.tree import WorkTree
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.values.memory import Item
from reel_cli.features.page.notes.note_likeness import tell_note, with_day
from reel_cli.features.page.prompt.loops import find_closed, find_passed, has_passed, tell_passed
from tests.support.cli import Reel
from tests.support.pages import chat

TODAY = date(2026, 3, 11)


@pytest.mark.parametrize(
    ("loop", "passed"),
    [
        ("How the art show in February 2026 goes", True),
        ("How the art show in March 2026 goes", False),
        ("The letter by 10 March 2026", True),
        ("The letter by 11 March 2026", False),
        ("From 1 March 2026 to 1 April 2026: the tour", False),
        ("Whether she likes the piano", False),
        ("The letter on Friday (noted 1 March 2026)", True),
        ("The letter on Friday (noted 10 March 2026)", False),
        ("The letter by 30 April (noted 1 March 2026)", False),
        ("A cap for the chimney, not wanted in February (noted 1 February 2026)", False),
        ("The letter did not go on the 6th; by 8 March (noted 7 March 2026)", True),
        ("The dog, no cough any more, to the vet on 3 March (noted 1 March 2026)", True),
        ("The letter by 30 April", False),
        ("How the party goes, two weekends after 1 March 2026", False),
        ("How it has been since the 3rd of March (noted 5 March 2026)", False),
        ("The plan of 1986 and what it does to the boundary", False),
        ("The photo of 3 May 1961, to be asked of her mother", False),
        ("The loan, to be paid back by 2025", True),
        ("Who comes to the job of the audition on 3 March (noted 5 March 2026)", False),
    ],
)
def test_a_loop_whose_every_day_lies_behind_has_passed(loop: str, passed: bool) -> None:  # noqa: FBT001
    assert has_passed(loop, TODAY) is passed


@pytest.mark.parametrize(
    ("loop", "said"),
    [
        ("Whether the photo was sent to the sister", "I sent my sister the photo on Sunday."),
        ("How the talent show at the library goes", "The talent show in the library was wonderful."),
        ("Has Lida finished the manuscript?", "Lida finished the manuscript last night, all of it."),
    ],
)
def test_what_was_awaited_and_is_told_plainly_may_close_a_loop(loop: str, said: str) -> None:
    assert find_closed([loop], ["How are you?", said], ("Ada", "Tomas")) == {loop: said}


@pytest.mark.parametrize(
    ("loop", "said"),
    [
        ("The plumb-bob, gone since Friday", "The plumb-bob has gone, and is still at large since Friday."),
        ("Whether the photo was sent to the sister", "I haven't sent my sister the photo."),
        ("Whether the photo was sent to the sister", "I will send my sister the photo."),
        ("Whether the photo was sent to the sister", "Have you sent my sister the photo?"),
        ("Whether the photo was sent to the sister", "My sister came by on Sunday."),
        ("Which counseling job it will be", "I've been looking into a counseling job."),
        ("How her family likes my new rye recipe", "I tried my rye recipe, and my family loved it."),
        ("Ask Tomas about Ada", "Tomas asked, and Ada answered."),
        ("Whether I adopt too", "They adopted a cat."),
    ],
)
def test_what_leaves_it_open_or_is_about_something_else_closes_nothing(loop: str, said: str) -> None:
    assert find_closed([loop], [said], ("Ada", "Tomas")) == {}


def test_the_prompt_names_them_by_the_numbers_of_its_notes() -> None:
    items = [Item("Open loops", text, (n, n + 1)) for n, text in enumerate(("one", "two", "three"))]
    assert tell_passed(("three", "four"), items) == ["The day of 3 has passed: closed, or what came of it?"]
    assert tell_passed((), items) == []


def test_the_prompt_does_not_guess_that_a_chat_closed_a_loop(reel: Reel, kit: Path) -> None:
    reel("record", "-", stdin=chat(), cwd=kit).ok()
    items = [Item("Open loops", "Has Lida finished the manuscript?", (0, 1))]
    assert find_passed(Snapshot(WorkTree(kit), "ada"), items, TODAY) == []


def test_all_loops_whose_day_has_passed_are_asked_about_at_once(reel: Reel, kit: Path) -> None:
    reel("record", "-", stdin=chat(), cwd=kit).ok()
    items = [Item("Open loops", f"Ring number {n} by {n} March 2026", (n, n + 1)) for n in range(1, 5)]
    passed = find_passed(Snapshot(WorkTree(kit), "ada"), items, TODAY)
    assert tell_passed(passed, items) == ["The day of 1, 2, 3 and 4 has passed: closed, or what came of it?"]


@pytest.mark.parametrize(
    ("note", "told"),
    [
        ("The letter by 30 April (noted 1 March 2026)", "The letter by 30 April"),
        ("The letter on Friday 6 March (noted 1 March 2026)", "The letter on Friday 6 March"),
        ("The letter on Friday (noted 1 March 2026)", "The letter on Friday (noted 1 March 2026)"),
        ("The letter on the 9th (noted 1 March 2026)", "The letter on the 9th (noted 1 March 2026)"),
        ("The letter by 30 April (noted 1 March 2025)", "The letter by 30 April (noted 1 March 2025)"),
        ("The letter", "The letter"),
    ],
)
def test_a_prompt_gives_the_day_of_noting_only_where_a_note_needs_it(note: str, told: str) -> None:
    assert tell_note(note, TODAY) == told


def test_an_item_that_names_a_day_without_its_year_gets_the_day_it_was_noted_on_and_keeps_it() -> None:
    assert with_day("The letter on Friday", date(2026, 3, 1)) == "The letter on Friday, 6 March 2026"
    noted = "The letter on Friday (noted 1 March 2026)"
    assert with_day(noted, TODAY) == noted
    assert with_day("The long letter on Friday", TODAY, noted) == "The long letter on Friday, 6 March 2026"
    assert with_day("The letter on Monday", TODAY, noted) == "The letter on Monday, 16 March 2026"
    assert with_day("The letter by 30 April", TODAY) == "The letter by 30 April (noted 11 March 2026)"
    for plain in ("The letter", "The letter by 30 April 2026", "Whether Kenta likes May"):
        assert with_day(plain, TODAY) == plain
