"""Two values told under one name: an update, a contradiction, or two things."""

import json
from datetime import date, timedelta
from pathlib import Path

import pytest

from reel_cli.core.moment import day_in_words
from reel_cli.features.facts.evidence.told_value import ToldValue
from reel_cli.features.facts.evidence.values import Relation, compare_values, tell_apart

FACTS = json.loads((Path(__file__).parents[2] / "fixtures/contradictions/facts.json").read_text())
THEN = date(2026, 3, 10)


@pytest.mark.parametrize(("half", "least"), [("dev", 14), ("test", 12)])
def test_of_changed_facts_only_what_cannot_have_changed_is_a_contradiction(half: str, least: int) -> None:
    found, monday = [], date(2026, 3, 2)
    for want, kind, key, (_, was, _), (said, value, _) in FACTS[half]:
        past = kind == "history"
        older = ToldValue(key, was, day=monday, past=past)
        newer = ToldValue(key, value, said, monday + timedelta(days=1), past=past)
        if compare_values(older, newer) is Relation.CONFLICT:
            found.append(want)
    assert set(found) == {"conflict"}
    assert len(found) >= least


@pytest.mark.parametrize(
    ("key", "was", "now"),
    [
        ("mother", "mother lives in Rome", "mother died in Rome"),
        ("trip", "wants to see Paris", "went to Paris for the first time"),
        ("sleep", "sleeps badly", "slept well"),
        ("age", "34 years old", "35 years old"),
        ("boot camp", "three times a week", "twice a week"),
        ("pets", "no pets", "always wanted a dog"),
        ("sister", "does not talk to her sister", "close to her sister when she was small"),
        ("sister", "likes her sister", "does not talk to her sister"),
        ("marriage", "married to Tom since 2010", "was married"),
        ("exam", "exam on 3 March", "exam on 9 June"),
        ("work", "nurse here from 17 years", "from Monday in Pneumologia, after six years of Geriatria"),
        ("mother", "87, at Bergtun, Sundays", "calls Dagny Solveig mostly"),
        ("dad", "bakes on Sundays in Wells", "rang Marta about the boat"),
        ("bees", "sixty hives aboard for Port Amity", "fifty-eight hives of the sixty paid for"),
    ],
)
def test_what_may_have_changed_is_no_contradiction(key: str, was: str, now: str) -> None:
    older, newer = ToldValue(key, was, day=THEN), ToldValue(key, now, now, THEN + timedelta(days=30))
    assert compare_values(older, newer) is Relation.UPDATE


@pytest.mark.parametrize(
    ("key", "was", "now", "relation"),
    [
        ("mother", "Helene, 87", "Anna, at Bergtun", Relation.CONFLICT),
        ("home", "lived in Oslo in 1991", "lives in Turku", Relation.BOTH),
        ("work", "worked at Shell in 1991", "does not work at Shell", Relation.BOTH),
        ("work", "worked at Shell in 1991", "did not work at Shell", Relation.CONFLICT),
        ("work", "did not work at Shell", "worked at Shell in 1991", Relation.CONFLICT),
        ("work", "worked at Shell in 1991", "did not work at Shell in 1995", Relation.BOTH),
        ("work", "worked at Shell in 1991", "worked at Lloyds in 1995", Relation.BOTH),
        ("ear", "a storm took it in 1976", "the washing; tested the signal in 1981", Relation.UPDATE),
        ("work", "did not work at Shell yet in 1991", "works at Shell", Relation.BOTH),
        ("wedding", "married in 2009", "married in 2012, in the rain", Relation.CONFLICT),
        ("marriage", "married Tom in 2010", "divorced", Relation.UPDATE),
        ("work", "works at Shell since 1991", "works at Lloyds", Relation.UPDATE),
        ("pressure", "was 168 in January 2026", "150", Relation.UPDATE),
        ("husband", "Paul, until 1998", "Jonas", Relation.UPDATE),
        ("smoking", "Bo smoked in 1991", "Bo does not smoke", Relation.BOTH),
        ("smoking", "Bo does not smoke", "Bo smoked in 1991", Relation.BOTH),
        ("home", "lives in Turku", "lived in Oslo in 1991", Relation.BOTH),
        # of the same time, of now, or of every time
        ("home", "lives in Turku", "lives in Oslo", Relation.CONFLICT),
        ("home", "lives in Turku", "has lived in Oslo since January 2026", Relation.UPDATE),
        ("smoking", "Bo smoked in 1991", "Bo never smoked", Relation.CONFLICT),
        ("tattoo", "no tattoos", "a tattoo from ten years ago", Relation.CONFLICT),
        # still to come when it was told
        ("home", "lives in Turku from 12 March", "lives in Oslo", Relation.CONFLICT),
    ],
)
def test_what_was_once_and_what_is_now_may_both_be_so(
    key: str, was: str, now: str, relation: Relation
) -> None:
    older, newer = ToldValue(key, was, day=THEN), ToldValue(key, now, now, THEN + timedelta(days=1))
    assert compare_values(older, newer) is relation


def test_what_happened_since_the_older_value_was_told_is_news_of_it() -> None:
    """“Drives a Volvo” and “sold the Volvo on 3 March” both stood in every bundle."""
    older = ToldValue("car", "drives a Volvo", day=THEN)
    sold = f"sold the Volvo on {day_in_words(THEN + timedelta(days=3))}"
    later = ToldValue("car", sold, sold, THEN + timedelta(days=9))
    assert compare_values(older, later) is Relation.UPDATE


def test_a_value_of_a_past_time_is_told_apart_by_the_time_as_it_was_said() -> None:
    assert tell_apart("lived in Oslo in 1991", THEN) == "1991"
    assert tell_apart("a greyhound called Trevor", THEN) == "Trevor"
    assert tell_apart("saw Oslo on 3 March 2026", THEN) == "2026-03-03"


@pytest.mark.parametrize("value", ["87, at Bergtun, Sundays", "choir every Tuesday", "pool, Friday mornings"])
def test_a_habit_or_a_name_tells_no_value_apart_by_a_day(value: str) -> None:
    assert tell_apart(value, THEN) == ""


def test_a_day_of_what_is_to_come_is_next_years() -> None:
    """“Comes on the first of March”, told in July, was kept beside the older value as of last March."""
    day = date(2025, 7, 6)
    older = ToldValue("Callum", "front of house, at chapter nine", day=day - timedelta(days=9))
    newer = ToldValue("Callum", "comes to Tartu on the first of March with the bikes", day=day)
    assert compare_values(older, newer) is Relation.UPDATE
    done = ToldValue("Callum", "went to Tartu on the first of March with the bikes", day=day)
    assert compare_values(older, done) is Relation.BOTH


@pytest.mark.parametrize(
    ("key", "was", "now"),
    [
        ("sister", "older sister has two kids", "younger sister has three kids"),
        ("brother", "brother Max is 34 years old", "brother Paul is 29 years old"),
        ("grandmother", "grandmother died in 1999", "other grandmother died in 2007"),
        ("army", "never served in the army", "grandfather served four years in the army"),
        ("children", "two children", "three children in her class can't read"),
        ("boat", "the boat is nine metres long", "the boat is three metres wide"),
        ("home", "born in Tampere", "grew up in Oulu"),
        ("siblings", "has no brother", "in the play a brother called Jorin since birth"),
        ("birthday", "birthday on 4 May", "party on 9 May"),
    ],
)
def test_two_people_things_or_attributes_are_no_contradiction(key: str, was: str, now: str) -> None:
    older = ToldValue(key, was, was, date(2026, 3, 10), past=True)
    newer = ToldValue(key, now, now, date(2026, 3, 11), past=True)
    assert compare_values(older, newer) is not Relation.CONFLICT


@pytest.mark.parametrize(
    ("key", "was", "now"),
    [
        ("cat's name", "cat called Miso", "cat called Ramen"),
        ("brothers", "two brothers, both older", "three brothers"),
        ("army", "never served in the army", "served four years in the army"),
        ("home", "born in Tampere", "born in Oulu"),
    ],
)
def test_two_values_of_one_thing_are_a_contradiction(key: str, was: str, now: str) -> None:
    older = ToldValue(key, was, was, date(2026, 3, 10), past=True)
    newer = ToldValue(key, now, now, date(2026, 3, 11), past=True)
    assert compare_values(older, newer) is Relation.CONFLICT
