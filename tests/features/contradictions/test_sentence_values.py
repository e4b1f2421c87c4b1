"""Sentences that tell one change come to the same, however they tell it."""

import pytest

from reel_cli.features.contradictions.sentence_values import come_to_same


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("10 mg of ramipril in the morning, not 5", "The ramipril went from 5 mg to 10 mg", True),
        ("The rent is 900 now, not 850", "The rent rose from 850 to 900", True),
        ("The rent is 900 now, not 850", "The rent is 950 now, not 850", False),
        ("The ramipril went from 5 mg to 10 mg", "The ramipril went from 10 mg to 5 mg", False),
        ("She takes 10 mg", "She takes 5 mg", False),
        ("She takes 10 mg", "She takes 10 mg", False),
    ],
)
def test_two_sentences_that_tell_one_change_come_to_the_same(one: str, other: str, *, same: bool) -> None:
    assert come_to_same(one, other) is same
