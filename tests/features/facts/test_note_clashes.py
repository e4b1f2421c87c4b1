"""Notes of a page beside the facts of the same page: another day, or a name that was not said."""

from datetime import date

import pytest

from reel_cli.features.facts.pending.note_clashes import find_note_clashes
from reel_cli.features.facts.reply import ToldFact

DAY = date(2026, 6, 23)
TEST = ToldFact("commitments", "driving test", "failed on 22 June; again Tuesday 27 October, half past ten")
ROOF = ToldFact("constraints", "roof", "Staffan, 8200, October; Hampus broke an arm")
STOPPED = "roof: waits for your decision: the name “Hampus” is not in “so 8200 not 6800”"


def test_a_note_with_another_day_than_a_fact_of_its_page_is_told() -> None:
    notes = ["The driving test again on 24 October at half past ten."]
    (found,) = find_note_clashes(notes, [TEST], [], DAY)
    assert found.what == (
        "“The driving test again on 24 October at half past ten.” has another day than the fact "
        "“driving test” of this page, 27 October 2026; one of the two is wrong"
    )


@pytest.mark.parametrize(
    "note",
    [
        "The driving test again on 27 October.",
        "The driving test again on 27 October, and the theory on 3 November.",
        "Pay Clive for the driving test lessons and the car by 3 July.",
        "The driving test again in October.",
        "The flu jab on 24 October.",
    ],
)
def test_a_note_of_the_same_day_or_of_something_else_is_not(note: str) -> None:
    assert not [*find_note_clashes([note], [TEST], [], DAY)]


def test_a_name_that_stops_a_fact_is_doubted_in_a_note_of_the_same() -> None:
    notes = ["Roof 8200, October; Hampus broke an arm", "Hampus rings Signe."]
    (found,) = find_note_clashes(notes, [ROOF], [STOPPED], DAY)
    assert found.what == (
        "“Roof 8200, October; Hampus broke an arm” names Hampus, and the fact “roof” was stopped for"
        " that name"
    )
