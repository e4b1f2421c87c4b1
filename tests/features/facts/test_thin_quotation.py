"""A quotation that says a part of a fact: the turns around it and what is known say the rest."""

from dataclasses import replace
from datetime import date

import pytest

from reel_cli.core.values.talk import Entry, Message
from reel_cli.features.facts.evidence.fact_evidence import UserTurns
from reel_cli.features.facts.evidence.fact_support import FactSupport, counts_exactly, denied_so
from reel_cli.features.facts.evidence.told_value import ToldValue
from reel_cli.features.facts.evidence.values import Relation, compare_values
from reel_cli.features.facts.fact import Fact
from reel_cli.features.facts.protection import find_guarded
from reel_cli.features.facts.relation import relate

DAY = "2025-02-09"
ISLE = (
    "the ferry, other thing. have to ring them. kettle & sons",
    "When do you ring?",
    "monday. tomorrow. first thing, before mum rings me",
    "Monday 10 February, ring Kettle & Sons. And the vet?",
    "vet moved it, so not 12th. tues 18th now",
    "From Wednesday the 12th to Tuesday the 18th. Was there a fee?",
    "its 135 not 130! the 5 is the water tap",
    "£135 a month. And the gas hose?",
    "so gas hose. buying it sat, fitting it... before",
    "Buy Saturday the 15th, fit before 18 June. Did they agree?",
    "no. skip, next is 3 may",
    "Skip 19 April, next 3 May.",
)


def turns(texts: tuple[str, ...] = ISLE) -> UserTurns:
    said = [
        Entry(number, Message("user" if number % 2 else "assistant", text, time=f"{DAY}T10:00:00Z"))
        for number, text in enumerate(texts, 1)
    ]
    return UserTurns(said, "Bo", "Ada", DAY)


def around(value: str, evidence: str, key: str, stood: str = "") -> FactSupport | None:
    return turns().bears_as_written(value, evidence, key, (stood,))


@pytest.mark.parametrize(
    ("value", "evidence", "key", "stood"),
    [
        ("ring Kettle & Sons on Monday 10 February", "monday. tomorrow. first thing", "ferry", ""),
        ("Tuesday 18 February, Dr Imre", "so not 12th. tues 18th now", "vet", "vet: Dr Imre, 12 February"),
        ("Mrs Orme, 135 a month", "its 135 not 130! the 5 is the water tap", "fee", "fee: Mrs Orme"),
        ("buying it Saturday, fitting it before 18 June", "gas hose. buying it sat, fitting it", "hose", ""),
        ("skip 19 April, next is 3 May", "no. skip, next is 3 may", "market", ""),
        ("next is 3 May", '"Did they agree?" "no. skip, next is 3 may"', "market", ""),
    ],
)  # fmt: skip
def test_the_turns_around_and_the_old_value_say_the_rest(
    value: str, evidence: str, key: str, stood: str
) -> None:
    borne = around(value, evidence, key, stood)
    assert borne is not None
    assert (borne.why, borne.value) == ("", value)


@pytest.mark.parametrize(
    ("value", "evidence", "key"),
    [
        ("ring Kettle & Sons on Monday 11 February", "monday. tomorrow. first thing", "ferry"),
        ("136 a month, water tap", "its 135 not 130! the 5 is the water tap", "mooring"),
        ("Mrs Kestrel, 135 a month", "its 135 not 130! the 5 is the water tap", "mooring"),
        ("skip 19 April, next never is 3 May", "no. skip, next is 3 may", "market"),
        ("skip 19 April, sold it last month", "no. skip, next is 3 may", "market"),
        ("buying it Saturday, fitting it before 18 June", "its 135 not 130!", "hose"),
        ("to ring Kettle & Sons", "first thing, before mum", "ferry"),
    ],
)
def test_what_neither_says_is_not_borne(value: str, evidence: str, key: str) -> None:
    borne = around(value, evidence, key)
    assert borne is None or (borne.left_out, borne.value) == tuple(value.split(", "))


def test_a_day_is_of_the_month_that_its_turn_names() -> None:
    said = "it was April, first of April, but now it's the eighth, Tuesday the eighth. half past seven"
    heard = turns((said, "And the trial?", "no"))
    wanted = "Tuesday the eighth of April, half past seven"
    quoted = '"now it\'s the eighth" "half past seven"'
    borne = heard.bears_as_written(wanted, quoted, "day job", ())
    assert borne is not None
    assert (borne.why, borne.value) == ("", wanted)
    wrong = wanted.replace("eighth of", "ninth of")
    borne = heard.bears_as_written(wrong, quoted, "day job", ())
    assert borne is not None
    assert borne.left_out == "Tuesday the ninth of April"


def test_what_the_other_said_is_borne_where_the_next_turn_does_not_put_it_right() -> None:
    told = ("friday. nine hours.", "So she lies at Orme's Quay as of Friday 14 February.", "14 heifers here")
    wrong = (*told[:2], "saturday i said. 15th")
    value, quoted = "Orme's Quay, since Friday 14 February", told[1]
    borne, denied = (turns(one).bears_as_written(value, quoted, "mooring", ()) for one in (told, wrong))
    assert borne is not None
    assert denied is None


def test_a_question_says_nothing_of_what_it_asks() -> None:
    asked = ("Am I allergic to peanuts? My knee hurts.", "I do not know.")
    assert turns(asked).bears_as_written("allergic to peanuts", "allergic to peanuts", "allergy", ()) is None


def noted(key: str, value: str, kind: str = "constraints") -> Fact:
    return Fact(kind, key, value, "0.9", f"{DAY}-1#3", DAY, origin="extraction")


def test_ones_own_word_changes_a_price_and_no_dose() -> None:
    limit, dose = noted("credit limit", "21 a month from April"), noted("dose", "20 mg of warfarin")
    assert find_guarded(noted("credit limit", "25 a month"), [limit]) is None
    assert find_guarded(noted("dose", "40 mg of warfarin"), [dose]) == dose
    # neither the persona's word nor a dream's, and no figure in place of a word
    higher, free = noted("credit limit", "25 a month"), noted("credit limit", "free of charge")
    assert find_guarded(replace(higher, said_by="persona"), [limit]) == limit
    assert find_guarded(replace(higher, origin="dream"), [limit]) == limit
    assert find_guarded(higher, [free]) == free
    assert find_guarded(noted("Kofi", "every month Nasrin does not", "relationships"), [limit]) is None


def test_another_price_is_an_update_and_what_is_said_wrong_is_put_right() -> None:
    fee = noted("hall fee", "18 a session")
    borne = FactSupport(words="he came down to 21")
    assert relate(fee, noted("hall fee", "21 a session"), "21 a session", borne) is Relation.UPDATE
    older = ToldValue("supplement", "lose 400 a month", day=date(2025, 2, 4))
    newer = ToldValue("supplement", "more like 560 a month", day=date(2025, 2, 9))
    assert compare_values(older, newer) is Relation.CONFLICT
    for said in ("I had it wrong, it's more like 560", "I said 400 didn't I, it's more like 560"):
        assert compare_values(older, replace(newer, said=said)) is Relation.UPDATE


def test_a_number_that_the_newer_words_take_back_is_no_contradiction() -> None:
    older = ToldValue("boat", "Tern, 54 foot, 1983", day=date(2025, 2, 4))
    newer = ToldValue("boat", "Tern, 52 foot 6, 1983", day=date(2025, 3, 3), said="she's not 54. 52 foot 6")
    assert compare_values(older, newer) is Relation.UPDATE
    assert compare_values(older, replace(newer, said="she's 52 foot 6")) is Relation.CONFLICT
    cat = ToldValue("Biscuit", "ginger, six years old", day=date(2026, 2, 4))
    told = "she's seven not six"
    assert compare_values(cat, ToldValue("Biscuit", told, day=date(2026, 2, 9), said=told)) is Relation.UPDATE


def test_what_is_still_to_come_is_not_contradicted_by_what_is_not_done_yet() -> None:
    older = ToldValue("hose", "buying it Saturday, fitting it before 18 June", day=date(2025, 5, 21))
    newer = ToldValue("hose", "bought, not fitted; Sunday 15 June", day=date(2025, 6, 5))
    assert compare_values(older, newer) is Relation.UPDATE
    assert compare_values(older, replace(newer, day=date(2025, 7, 5))) is Relation.CONFLICT


def test_a_number_and_a_denial_beside_a_quotation_are_as_they_were_said() -> None:
    assert counts_exactly("136 books", "many books", ["She has 136 books."])
    assert not counts_exactly("136 books", "many books", ["She has 135 books."])
    assert denied_so("not nuts", "I eat.", ["I do not eat nuts", "not nuts"])
    # one word alone may be denied of anything
    assert not denied_so("not nuts", "I eat.", ["I do not eat nuts or eggs"])


GAME = (
    "Two players with five boats. It was two to four, with five it worked as well.",
    "Then drink at another's well: pay one coin. If they stand at it, drink free. Shall that be it?",
    "YES. That's it, well rule. OK decide: two to five. Box says so.",
    "And the camel?",
    'She gave me the photo. It says on the back "Gulabo and I". So my aunt is wrong.',
)
WELL_RULE = "drink at another's well, pay one coin; if they stand at it, drink free"


@pytest.mark.parametrize(
    ("value", "evidence", "key", "stood", "borne"),
    [
        ("two to five players", "decide: two to five", "game", "game: two to four players, 5 boats", True),
        ("two to six players", "decide: two to five", "game", "game: two to four players, 5 boats", False),
        # a yes to all that the other said
        (WELL_RULE, "YES. That's it, well rule", "well rule", "", True),
        (WELL_RULE.replace("one", "two"), "YES. That's it, well rule", "well rule", "", False),
        # the same turn says it, in words of somebody else: only of what was known so
        ("Gulabo", "So my aunt is wrong", "camel's name", "camel's name: Gulabo, by family legend", True),
        ("Gulabo", "So my aunt is wrong", "camel's name", "", False),
        ("Multan", "So my aunt is wrong", "camel's name", "camel's name: Gulabo, by family legend", False),
    ],
)  # fmt: skip
def test_a_turn_says_what_its_quoted_line_does_not(
    value: str, evidence: str, key: str, stood: str, *, borne: bool
) -> None:
    found = turns(GAME).bears_as_written(value, evidence, key, (stood,))
    assert (found is not None) is borne
    assert found is None or (found.why, found.value) == ("", value)
