"""Two days or numbers that were said apart may be told together."""

from datetime import date

import pytest

from reel_cli.core.evidence.days.said_days import look_at_own
from reel_cli.core.evidence.grounding.check import Claim, Stretch, find_ungrounded
from reel_cli.core.evidence.grounding.source import Source, Turn, look_at_turn

SAID = "Ingrid can't come on the 20th, by the way, her boy has chickenpox. She comes on 3 April."


@pytest.mark.parametrize(
    ("told", "opposite"),
    [("Ingrid comes on 3 April now.", False), ("Ingrid can come on the 20th.", True)],
)
def test_what_is_denied_of_one_day_may_be_so_of_another(told: str, opposite: bool) -> None:  # noqa: FBT001
    said = [look_at_turn(Turn(5, "Lene", SAID, date(2026, 3, 11)))]
    found = find_ungrounded([Stretch(told, ((0, 1),))], Source(said, "Lene Ren Ingrid", "Lene Ren"))
    assert (Claim.NEGATION in {one.kind for one in found}) == opposite


def test_two_numbers_in_words_are_two() -> None:
    said = "Above four hundred and fifty I think, above five hundred I stop."
    source = Source([look_at_turn(Turn(1, "Lene", said, date(2026, 3, 11)))], "Lene Ren", "Lene Ren")
    for told, found in (("four hundred and fifty and five hundred", 0), ("four hundred and sixty", 1)):
        assert len(find_ungrounded([Stretch(f"Lene knew {told}.", ((0, 1),))], source)) == found


@pytest.mark.parametrize(
    ("said", "day"),
    [
        ("SIGNED. Monday the 28th, at four", date(2026, 9, 28)),
        ("we sail Friday the 6th", date(2026, 11, 6)),
        ("it was on Tuesday, the 22nd", date(2026, 9, 22)),
        ("Wednesday the 28th, at four", date(2026, 10, 28)),
        ("the 28th, at four", date(2026, 10, 28)),
    ],
)
def test_a_weekday_says_which_month_a_day_is_of(said: str, day: date) -> None:
    told = look_at_own(Turn(1, "Bo", said, date(2026, 10, 7)))
    assert [one.spans for one in told.dates if one.kind == "nth"] == [((day, day),)]
