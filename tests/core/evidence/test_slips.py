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
    ("Mads", "139 over 84 on the cuff. It is 1.25 mg of ramipril now."),
)


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("Mads was on the pump 0342.", "0342"),
        ("Mads was in his boots from 0610.", "0610"),
        ("All 286 sheets were counted.", "286"),
        ("The lactate was 1.6 by noon.", "1.6"),
        # beside another number of its sentence
        ("Mads measured 129 over 84.", "129"),
        # a dose that stands nowhere
        ("He still takes 12.5 mg at night.", "12.5"),
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
        "Mads measured 135 over 82.",
        "He still takes 1.25 mg at night.",
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


@pytest.mark.parametrize(
    ("said", "doubted"),
    [
        ("My grandmother fed one every morning, from the steps.", True),
        ("My grandmother fed hens every morning, from the steps.", False),
        ("My grandmother fed it every morning, from the steps, or so she would say.", False),
    ],
)
def test_what_points_back_to_the_message_before_has_its_word(said: str, *, doubted: bool) -> None:
    talk = (("Mads", "A seal looked at me the whole time."), ("Ines", said))
    text = "He told me that his grandmother fed a seal every morning from the steps."
    assert [kind for kind, _ in shown(text, talk=talk)] == (["speaker"] if doubted else [])


COUNTED = (
    (
        "Mads",
        "27 of them walked in her village every autumn to the station. She comes for green tea at four.",
    ),
    (
        "Ines",
        "Henrik bought three plates. The harbour fair was loud. One boat stood beside Henrik at the fair.",
    ),
    ("Mads", "We took line 6 to the zoo. In winter they walked until eleven in her village to the station."),
    (
        "Ines",
        "The bus to the mill takes line 4. The film in her village at the station lasts 40 minutes.",
    ),
)


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("In her village 28 of them walked every autumn to the station.", "28"),
        ("She comes for green tea at five.", "five"),
        ("Henrik bought five plates.", "five"),
    ],
)
def test_another_count_or_hour_of_the_same_is_doubted(text: str, claim: str) -> None:
    assert ("number", claim) in shown(text, talk=COUNTED)


@pytest.mark.parametrize(
    "text",
    [
        # too few of its words, of another thing, or in another sentence than the number
        "In her village 28 slept.",
        "The station sold 72.",
        "Five plates were loud at the fair.",
        # a single one counts nothing, and a length or an hour is no count
        "Nine boats stood beside Henrik at the fair.",
        "The film in her village at the station had 28.",
        "In winter 28 walked in her village to the station.",
        # an hour counts nothing, and what is counted is no hour
        "She comes for green tea at five stations.",
        "She comes for green tea at 40.",
        # of two lines nobody knows which is meant
        "The harbour line 9 was loud.",
    ],
)
def test_a_number_of_something_else_is_not_doubted(text: str) -> None:
    assert [claim for kind, claim in shown(text, talk=COUNTED) if kind == "number"] == []


def test_a_label_needs_a_word_of_its_sentence() -> None:
    talk = (("Mads", "We took line 6 to the zoo. The boat was late."),)
    assert shown("We took line 9 to the zoo.", talk=talk) == [("number", "9")]
    assert shown("The late boat had line 9.", talk=talk) == []
