"""Numbers that take the place of others: said, worked out, or neither."""

import pytest

from reel_cli.core.evidence.changed_number import find_changed_number, has_grown

OLD = "268 postcards to sort"


@pytest.mark.parametrize(
    ("after", "said", "changed"),
    [
        ("300 postcards to sort", "I sorted some.", "300"),
        ("300 postcards to sort", "It is three hundred by now.", ""),
        ("300 postcards to sort", "I bought 32.", ""),
        ("100 postcards to sort", "I gave 168 away.", ""),
        ("70 postcards to sort", "Forty from Porto and thirty from Braga.", ""),
        # other things that were counted do not add up to it
        ("300 postcards to sort", "It is 32 miles to the one place where 31 were sold.", "300"),
        ("269 postcards to sort", "It is in the one place where I look.", "269"),
        # of something else, a length, a day or an hour, and beside the old number
        ("300 stamps to sort", "I sorted some.", ""),
        ("postcards to sort for 300 hours", "I sorted some.", ""),
        ("postcards to sort by 30 May, at 9:15", "I sorted some.", ""),
        ("268 postcards to sort, of 300 postcards", "I sorted some.", ""),
        # of two that went nobody knows which it takes the place of
        ("postcards to sort", "I sorted some.", ""),
    ],
)
def test_a_number_is_changed_that_nobody_said(after: str, said: str, changed: str) -> None:
    place = find_changed_number(OLD, after, [said])
    assert (after[slice(*place)] if place is not None else "") == changed


@pytest.mark.parametrize(("said", "changed"), [("So the loan is 75 now. Not 60.", ""), ("Not 60.", "75 000")])
def test_thousands_may_be_said_without_the_word(said: str, changed: str) -> None:
    place = find_changed_number("lends her 60 000", "lends her 75 000", [said])
    assert ("lends her 75 000"[slice(*place)] if place is not None else "") == changed


def test_of_two_numbers_that_went_nobody_knows_which_one_was_changed() -> None:
    before = "12 boats and 14 boats"
    assert find_changed_number(before, "19 boats", ["Nothing."]) is None


@pytest.mark.parametrize(
    ("after", "said", "grown"),
    [
        ("300 postcards", "Bought 32 postcards at the fair.", True),
        ("236 postcards", "Lost 32 postcards at the fair.", True),
        ("301 postcards", "Bought 32 postcards at the fair.", False),
        ("300 postcards", "Bought 32 stamps at the fair.", False),
        ("300 postcards", "Bought 32 postcards and 3 stamps.", False),
        ("300 hours", "For 32 hours.", False),
    ],
)
def test_a_number_grows_by_one_that_was_said_of_the_same(after: str, said: str, *, grown: bool) -> None:
    assert has_grown("268 postcards", after, said) is grown


@pytest.mark.parametrize(
    ("before", "after", "said", "grown"),
    [
        ("0.1 litres", "0.3 litres", "0.2 litres more.", True),
        # a name or a size counts nothing, and what is said again is no more of it
        ("room 12", "room 15", "I got 3.", False),
        ("size 38", "size 40", "2, they said.", False),
        ("2 cats", "4 cats", "I have 2 cats.", False),
        ("2 cats", "0 cats", "I have 2 cats.", False),
        ("12 boats", "9 boats", "I did not lose 3 boats.", False),
        ("12 boats", "15 boats", "Do you want 3 boats?", False),
    ],
)
def test_only_what_is_counted_and_told_grows(before: str, after: str, said: str, *, grown: bool) -> None:
    assert has_grown(before, after, said) is grown
