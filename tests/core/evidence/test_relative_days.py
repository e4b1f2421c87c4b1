"""Relative days of a text are named by the day on which it was said; those that may be two are left out."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reel_cli.core.evidence.days.relative_days import name_relative_days
from reel_cli.core.evidence.days.resolved_days import resolve_days

WEDNESDAY, SUNDAY = date(2026, 3, 4), date(2026, 3, 8)


@pytest.mark.parametrize(
    ("text", "day", "named"),
    [
        ("climbed last weekend", WEDNESDAY, "28 February 2026 to 1 March 2026"),
        ("last week was long", WEDNESDAY, "23 February 2026 to 1 March 2026"),
        ("it was a long week, this week", SUNDAY, "2 to 8 March 2026"),
        ("next Monday we sail", WEDNESDAY, "9 March 2026"),
        ("moved last month", WEDNESDAY, "February 2026"),
        ("I saw him a month back", WEDNESDAY, "around February 2026"),
        ("a month ago I paid 300", WEDNESDAY, "around February 2026"),
        ("I rang her on Friday", WEDNESDAY, "27 February 2026"),
    ],
)
def test_a_relative_day_is_named(text: str, day: date, named: str) -> None:
    assert [name for _, _, name in name_relative_days(text, day)] == [named]


@pytest.mark.parametrize(
    ("text", "day"),
    [
        # the one that is just over, or the one before
        ("climbed last weekend", SUNDAY),
        # of this week or of the next
        ("next Friday we sail", WEDNESDAY),
        # how long it took or has been so, and no day to come
        ("hasn't rung her in two years", WEDNESDAY),
        ("gave the loan back in four months", WEDNESDAY),
        ("nobody has slept in three days", WEDNESDAY),
        ("have seen him twice in two months", WEDNESDAY),
        # not reckoned from the day it was said on
        ("six days before the wedding", WEDNESDAY),
        ("two weeks later she rang", WEDNESDAY),
        ("in his last year of school", WEDNESDAY),
        ("the last month of it", WEDNESDAY),
        # of a week that was spoken of, and beside another month
        ("moved out on the Saturday", WEDNESDAY),
        ("moved out last Saturday, the second weekend of September", WEDNESDAY),
        # a name, and a rate or what is given back
        ("Sundays at six, still called Thursday", WEDNESDAY),
        ("the Thursday table moved on", WEDNESDAY),
        ("the boat is known as the Friday", WEDNESDAY),
        ("he reads to the “Wednesday” crowd on weekends", WEDNESDAY),
        ("75 not 60, 2500 a month back from january", WEDNESDAY),
        ("gave the shop fifty euros a week back", WEDNESDAY),
        ("pays two hundred a month back till June", WEDNESDAY),
        ("gets 40 kroner a day back into the tin", WEDNESDAY),
        # its date stands before it
        ("he flew on the 12 (Thursday)", WEDNESDAY),
    ],
)
def test_what_may_be_either_of_two_or_has_its_own_date_is_left_out(text: str, day: date) -> None:
    assert name_relative_days(text, day) == []


@pytest.mark.parametrize(
    "text",
    [
        "secretary, second Tuesday",
        "meets the third Thursday",
        "every second Friday",
        "we dine on Friday each month",
        "due on Monday of every week",
        "runs the table on Thursday nights",
        "she sings on Tuesday late shifts",
    ],
)
def test_a_rule_for_days_has_no_date(text: str) -> None:
    assert name_relative_days(text, WEDNESDAY, 1) == []
    assert name_relative_days("we dine on Friday", WEDNESDAY, 1) != []


@given(
    st.sampled_from(["two", "three", "seven", "11"]),
    st.sampled_from(["days", "weeks", "months", "years"]),
    st.sampled_from(["before", "earlier", "prior", "later"]),
    st.sampled_from(["", " the wedding", ", she rang", "; it rained"]),
)
def test_what_is_counted_from_elsewhere_is_no_day(count: str, unit: str, side: str, behind: str) -> None:
    text = f"It was {count} {unit} {side}{behind}."
    assert resolve_days(text, date(2025, 4, 16)) == text


@pytest.mark.parametrize(
    "text",
    [
        "We move out in two weeks",
        "They told me the exam is in two weeks",
        "She got the letter and goes in two weeks",
    ],
)
def test_a_count_of_days_in_a_clause_that_looks_ahead_is_a_day_to_come(text: str) -> None:
    assert [name for _, _, name in name_relative_days(text, WEDNESDAY)] == ["around 18 March 2026"]


def test_an_appointment_that_is_on_another_weekday_now_has_its_date() -> None:
    told = resolve_days("The dentist is on Friday now.", SUNDAY, 1)
    assert told.startswith("The dentist is on Friday, ")


@pytest.mark.parametrize(
    "text", ["I need the form on Friday.", "We proceed on Friday.", "On Friday I'm tired."]
)
def test_what_is_needed_or_felt_now_was_not_on_the_weekday_before(text: str) -> None:
    assert not name_relative_days(text, WEDNESDAY)


def test_what_was_on_a_day_is_told_of_that_day() -> None:
    assert resolve_days("She knows of today.", date(2026, 4, 14)) == "She knows of that day, 14 April 2026."


def test_a_relative_day_is_not_put_before_the_date_that_stands_there() -> None:
    told = resolve_days("Bo has until tomorrow, Easter Sunday, 5 April 2026, to ring.", date(2026, 4, 4), 1)
    assert told == "Bo has until Easter Sunday, 5 April 2026, to ring."


@pytest.mark.parametrize(
    "text",
    [
        "works in the library on Tuesday, Wednesday and Friday mornings",
        "the library, mornings Tuesday Wednesday Friday",
        "at the gym mornings on Friday",
        "clinic Thursday or Friday",
        "Anna works at the shop on Friday",
        "the rota has her on Saturday",
        "a wet free Friday and she will sow",
        "bank shifts at the Royal, one Sunday in three",
        "she has no Saturday job",
        "the Friday shift starts at six",
        "Sunday roast is at her mother's",
        "sauna is Friday now",
    ],
)
@pytest.mark.parametrize("lean", [-1, 0, 1])
def test_a_weekday_of_a_list_or_of_what_is_done_regularly_is_no_day(text: str, lean: int) -> None:
    assert not name_relative_days(text, WEDNESDAY, lean)
    assert resolve_days(text, SUNDAY, lean) == text
