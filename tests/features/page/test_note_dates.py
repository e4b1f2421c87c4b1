"""Weekdays of notes: the date that their chat gives them, and no other."""

from datetime import date

import pytest

from reel_cli.features.page.notes.note_dates import is_of_other_day

SATURDAY = date(2026, 3, 7)


@pytest.mark.parametrize(
    ("text", "said", "other"),
    [
        ("Ruth comes on Sunday.", ["Then Sunday the fifteenth gets the shorter oven."], True),
        ("Ruth comes on Sunday.", ["She comes Sunday 15 March, by train."], True),
        ("Ruth comes on Sunday.", ["She comes on Sunday, the 8th."], False),
        ("Ruth comes on Sunday.", ["She comes on Sunday."], False),
        ("Ruth comes on Sunday, 15 March.", ["Then Sunday the fifteenth gets the shorter oven."], False),
        ("Ruth comes on Monday.", ["Then Sunday the fifteenth gets the shorter oven."], False),
        # a time and a count are no days of the month
        ("Ruth comes on Sunday.", ["See you Sunday 10:30."], False),
        ("Ruth comes on Sunday.", ["On Sunday 15 people come."], False),
        # no Sunday near is a 20th
        ("Ruth comes on Sunday.", ["The Sunday 20 of us ate there."], False),
    ],
)
def test_a_weekday_is_of_the_date_that_the_chat_gives_it(text: str, said: list[str], other: bool) -> None:  # noqa: FBT001
    assert is_of_other_day(text, SATURDAY, said) is other
