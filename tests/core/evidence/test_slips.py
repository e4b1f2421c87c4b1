"""Slips of a number or day: another order of its digits, another digit, another day beside a weekday."""

import pytest

from tests.core.evidence.test_certain_doubts import shown

TALK = (
    ("Mads", "On pump 0432. Leave the boots. 0510. The count is 268 sheets, and lactate 6.1 by noon."),
    ("Ines", "I went to the reading, Thursday the fifth of May. I paid 1995 kroner for the lamp."),
    (
        "Mads",
        "My exam for the radio licence is on Thursday. Jana rang the clinic. The appointment is the 21st.",
    ),
    (
        "Ines",
        "The tyres are 205 wide. We start at 0345 with the hay; it is in at 0365.",
    ),
)


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("Mads was on the pump 0342.", "0342"),
        ("Mads was in his boots from 0610.", "0610"),
        ("All 286 sheets were counted.", "286"),
        ("The lactate was 1.6 by noon.", "1.6"),
    ],
)
def test_a_number_that_is_a_slip_of_one_beside_its_words_is_doubted(text: str, claim: str) -> None:
    assert shown(text, talk=TALK) == [("number", claim)]


@pytest.mark.parametrize(
    "text",
    [
        "Mads was on the pump 0432.",
        # of something else, told roughly, or with both numbers
        "Mads slept until 0342.",
        "About 286 sheets were counted.",
        "Of the 268 sheets 286 were counted.",
        # the last digit may be rounded, and one more digit is no slip
        "Mads was in his boots from 0515.",
        "The 2680 sheets were counted.",
        # of two that were said nobody knows which one it is
        "The hay came at last 0355.",
        # too few digits to be a slip
        "I paid 19 kroner for the lamp's bulb.",
    ],
)
def test_what_is_no_slip_is_not_doubted(text: str) -> None:
    assert [claim for kind, claim in shown(text, talk=TALK) if kind == "number"] == []


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("I went to the reading on Thursday the twelfth.", ["the twelfth"]),
        ("I went to the reading on Thursday the fifth.", []),
        ("Somebody sang at the reading on Thursday the twelfth.", ["the twelfth"]),
        # no weekday beside it, or another one
        ("Somebody sang at the reading on the twelfth.", []),
        ("Somebody sang at the reading on Monday the twelfth.", []),
        ("The clinic rang again on Thursday the 21st.", []),
        ("Somebody else sang on Thursday the twelfth.", []),
        # a short sentence goes on with the one before it
        ("Jana rang the clinic for the 24th.", ["the 24th"]),
        ("Jana rang the clinic for the 21st.", []),
        # two that name a day are not told roughly
        ("His exam for the radio licence is on Friday, 8 May.", ["on Friday"]),
        ("His exam for the radio licence is on Friday.", ["on Friday"]),
        ("His exam for the radio licence is on Thursday, 14 May.", []),
        ("His exam for the radio licence is tomorrow.", []),
    ],
)
def test_another_day_of_the_same_is_doubted(text: str, claims: list[str]) -> None:
    assert [claim for kind, claim in shown(text, talk=TALK) if kind == "date"] == claims


def test_two_days_of_one_weekday_leave_open_which_is_meant() -> None:
    said = "Next is the reading on Thursday the nineteenth."
    talk = (*TALK, ("Mads", said))
    assert shown("Somebody sang at the reading on Thursday the twelfth.", talk=talk) == []
