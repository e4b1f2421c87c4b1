"""Short weekdays and months are dates in small letters, and a no that names nothing denies what was said."""

from collections.abc import Sequence
from datetime import date

import pytest

from reel_cli.core.evidence.days.passed_days import has_passed
from reel_cli.core.evidence.grounding.check import Claim, Stretch, find_ungrounded
from reel_cli.core.evidence.grounding.dates import dates
from reel_cli.core.evidence.grounding.short_years import find_short_years
from reel_cli.core.evidence.grounding.source import Source, Turn, look_at_turn
from reel_cli.core.evidence.phrases import Tape
from reel_cli.core.values.talk import Entry, Message

TUESDAY = date(2026, 5, 12)


@pytest.mark.parametrize(
    ("said", "claimed"),
    [
        ("the roofers come thurs and sat", "They come on 16 May."),
        ("the roofers come weds n fri", "They come on 15 May."),
        ("she phoned mon night", "She phoned on the 11th."),
        ("the fair is next sun", "The fair is on 17 May."),
        ("its fri 22nd now", "It is on Friday the 22nd."),
        ("he left tues. gutted", "He left on Tuesday."),
        ("free tonight n tmr", "Free tonight and tomorrow."),
        ("met him yday", "They met yesterday."),
        ("we moved in in sept", "They moved in in September."),
        ("been here since jan tbh", "There since January."),
    ],
)
def test_a_day_in_short_bears_the_day_in_full(said: str, claimed: str) -> None:
    source = Source([look_at_turn(Turn(1, "Ro", said, TUESDAY))], who="Ro")
    found = find_ungrounded([Stretch(claimed, ((0, 1),))], source)
    assert [one.claim for one in found if one.kind is Claim.DATE] == []


@pytest.mark.parametrize(
    ("said", "claimed"),
    [
        ("the roofers come thurs and sat", "They come on 22 May."),
        ("the fair is fri 22nd", "The fair is on Friday the 23rd."),
        ("we moved in in sept", "They moved in in October."),
    ],
)
def test_another_day_is_still_doubted(said: str, claimed: str) -> None:
    source = Source([look_at_turn(Turn(1, "Ro", said, TUESDAY))], who="Ro")
    assert [one.kind for one in find_ungrounded([Stretch(claimed, ((0, 1),))], source)] == [Claim.DATE]


@pytest.mark.parametrize(
    "text",
    [
        "he sat down, tired",
        "the sun came up",
        "mon ami",
        "they wed in a barn",
        "it may rain",
        "mar the paint",
        "Mira is going to wed Tom in the chapel.",
        "He is wed to his work.",
        "This sat badly with her.",
        "When she next sat down, she wept.",
        "They sat at 7 tables.",
        "I sat, sun on my face.",
        "We lay on sun loungers, worn by sun and rain.",
        "The sun at 5 is low.",
        "This sun is too hot.",
        "J'ai sept chats à nourrir.",
    ],
)
def test_other_words_are_no_days(text: str) -> None:
    assert dates(text, TUESDAY, said=True) == []


NOTED = date(2026, 5, 4)


@pytest.mark.parametrize(
    ("text", "passed"),
    [
        ("reading: Sunday 24th", [False, False, True]),
        ("reading: sun 24th", [False, False, True]),
        ("reading: Sunday", [True, True, True]),
    ],
)
def test_a_weekday_with_its_number_is_one_day(text: str, passed: Sequence[bool]) -> None:
    days = [date(2026, 5, day) for day in (13, 24, 25)]
    assert [has_passed(text, NOTED, day) for day in days] == passed


@pytest.mark.parametrize(
    "text", ["wedding: is to wed Tom in spring, in a small church", "livrer sept tables"]
)
def test_what_names_no_day_never_passes(text: str) -> None:
    assert not has_passed(text, date(2026, 8, 10), date(2027, 8, 10))


@pytest.mark.parametrize(
    "text", ["on sat with tom", "next sat im off", "until wed", "moved to wed", "the fair is last sun"]
)
def test_a_short_weekday_is_known_by_what_stands_beside_it(text: str) -> None:
    assert [one.kind for one in dates(text, TUESDAY, said=True)] == ["weekday"]


@pytest.mark.parametrize(
    "text", ["free fri or saturday?", "sat or wednesday suits me", "wednesday n sat", "saturday/sun is fine"]
)
def test_a_short_weekday_is_known_beside_any_whole_one(text: str) -> None:
    assert [one.kind for one in dates(text, TUESDAY, said=True)] == ["weekday", "weekday"]


@pytest.mark.parametrize("no", ["im not gonna tho", "i wont though", "nah im not going to"])
def test_a_no_that_names_nothing_is_of_what_was_said_before(no: str) -> None:
    said = f"theres a place on the dive course, spring term, six weeks. gran says go for it. {no}. decided"
    source = Source([look_at_turn(Turn(1, "Ro", said, TUESDAY))], who="Ro")
    claimed = "Ro has decided not to go on the dive course in the spring term."
    assert find_ungrounded([Stretch(claimed, ((0, 1),))], source) == []
    yes = Source([look_at_turn(Turn(1, "Ro", said.replace(f"{no}. ", ""), TUESDAY))], who="Ro")
    assert [one.kind for one in find_ungrounded([Stretch(claimed, ((0, 1),))], yes)] == [Claim.NEGATION]


def test_a_line_is_found_with_its_apostrophes_or_without() -> None:
    tape = Tape([Entry(1, Message("user", "shes late n its raining. the dogs bowl is full"))])
    found = tape.find("she's late n it's raining")
    assert found is not None
    assert found.text == "shes late n its raining"
    # whose it is, is another word
    assert tape.find("the dog's bowl") is None


@pytest.mark.parametrize(
    ("said", "years"),
    [
        ("it was 91. february. found the clipping", {1991}),
        ("we bought it in 78, not in 76", {1978, 1976}),
        ("the winter of 63 took the pier", {1963}),
        ("the band split in 03", {2003}),
        ("14 february 91 she fell", {1991}),
        ("kept the light from 69 to 93", {1969, 1993}),
        ("Since eighty-five we have the shop", {1985}),
        # numbers that count something
        ("it took 84 days in march", set()),
        ("Mum was 91 in march.", set()),
        ("the pressure is 132 over 80 in august", set()),
        ("she weighs 64 since may", set()),
        ("it costs 45 in march, may 27 is free", set()),
        ("page 91, in 45 minutes", set()),
    ],
)
def test_two_digits_are_a_year_where_time_is_told(said: str, years: set[int]) -> None:
    assert {
        first.year for one in find_short_years(said, dates(said, TUESDAY)) for first, _ in one.spans
    } == years


@pytest.mark.parametrize(
    ("text", "passed"),
    [
        ("Her daughter Margot, born 27 October 2026", False),
        ("They met on the 6th of June 2026", False),
        ("The lease is to be signed on 28 September 2026", True),
    ],
)
def test_a_day_on_which_something_happened_does_not_pass(text: str, *, passed: bool) -> None:
    assert has_passed(text, None, date(2026, 12, 1)) is passed
