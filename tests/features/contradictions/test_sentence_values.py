"""Sentences that tell one change come to the same, however they tell it."""

import pytest

from reel_cli.core.values.review import Side
from reel_cli.features.contradictions.sentence_values import come_to_same, swap_value


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


@pytest.mark.parametrize(
    ("held", "older", "newer", "made"),
    [
        ("lump: 12 mm; look again end of September", "", "The lump is nine, not twelve.",
         "lump: nine mm; look again end of September"),
        ("knee: I've a date, the 14th of July", "", "His knee is not on 14 July but on 9 September.",
         "knee: I've a date, 9 September"),
        ("Colin: owes him £200 for his exhaust", "Colin owes him £200.", "Colin still owes £80.",
         "Colin: owes him £80 for his exhaust"),
        ("vet: on Saturday 14 March", "", "The vet is on Monday, 16 March, not on Saturday 14 March",
         "vet: on Monday, 16 March"),
        ("vet: on Friday", "", "The vet is on Saturday, not on Friday.", "vet: on Saturday, 25 April 2026"),
        ("vet: on Friday", "", "The vet is tomorrow, not on Friday.", "vet: on 22 April 2026"),
        ("vet: on Friday", "", "The vet is on Saturday or on Sunday, not on Friday.", ""),
        ("vet: Doctor Lind", "", "The vet is on Saturday, not on Friday.", ""),
    ],
)  # fmt: skip
def test_a_value_takes_the_new_day_or_number_and_keeps_the_rest(
    held: str, older: str, newer: str, made: str
) -> None:
    sides = Side("facts.yaml#x", older or held, "2026-04-02"), Side("M-001", newer, "2026-04-21")
    assert swap_value(held, *sides) == made
