from datetime import date

import pytest

from reel_cli.core.evidence.claims import HeldText
from reel_cli.features.contradictions.certain_pairs import is_certain
from reel_cli.features.contradictions.plain_denials import find_denials

DAY = 2


def told(older: str, newer: str, days: int = 5) -> bool:
    """Return whether two sentences of memories, some days apart, are told as denying each other."""
    was = HeldText("M-001", older, date(2026, 3, DAY), 1, older)
    now = HeldText("M-002", newer, date(2026, 3, DAY + days), 1, newer)
    return any(is_certain(one, ("Bo", "Ada")) for one in find_denials([now], [was]))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Bo is allergic to peanuts.", "Bo is not allergic to peanuts."),
        ("Karla is a vegetarian.", "Karla isn't a vegetarian."),
        ("Rike does not eat meat.", "Rike eats meat."),
        ("Bo never eats peanuts.", "Bo eats peanuts."),
        ("Bo has a brother.", "Bo has no brother."),
        ("Tom was born in Leeds.", "Tom was not born in Leeds."),
        ("I am allergic to nuts.", "I'm not allergic to nuts."),
        ("My aunt is allergic to penicillin.", "My aunt is not allergic to penicillin."),
        ("Bo signed the lease on 3 March.", "Bo did not sign the lease on 3 March."),
    ],
)
def test_a_sentence_and_its_denial_do_not_agree(one: str, other: str) -> None:
    """REEL §3.5: the negation alone differs, and neither side comes about between two evenings."""
    assert told(one, other)
    assert told(other, one)
    assert told(other, one, 0)


@pytest.mark.parametrize(
    ("was", "denied"),
    [
        ("Bo has a dog.", "Bo has no dog."),
        ("Bo signed the lease.", "Bo did not sign the lease."),
        ("Bo went to Karla's wedding.", "Bo didn't go to Karla's wedding."),
        ("Tom can swim.", "Tom cannot swim."),
        ("Karla speaks Dutch.", "Karla does not speak Dutch."),
        ("Magnus is married.", "Magnus is not married."),
        ("The book has a publisher.", "The book has no publisher."),
    ],
)
def test_what_may_come_about_later_is_told_only_where_it_is_denied_later(was: str, denied: str) -> None:
    assert told(was, denied)
    assert not told(denied, was)
    assert told(denied, was, 0)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("A colleague is diabetic.", "A colleague is not diabetic."),
        ("Another guest is deaf.", "Another guest is not deaf."),
        ("Two of them are vegan.", "Two of them are not vegan."),
        ("2 guests are vegan.", "2 guests are not vegan."),
        ("Half the guests are vegan.", "Half the guests are not vegan."),
        ("Many are adopted.", "Many are not adopted."),
        ("My friend is vegan.", "My friend is not vegan."),
        ("Bo can come.", "Bo can not come."),
        ("I can hear the sea.", "I cannot hear the sea."),
        ("Bo is allergic to peanuts.", "Bo is no longer allergic to peanuts."),
        ("Bo has a dog.", "Bo has no dog any more."),
        ("Bo has a dog.", "Bo has no dog now."),
        ("Bo was a vegetarian.", "Bo is not a vegetarian."),
        ("Bo is tired.", "Bo is not tired."),
        ("Bo is at home.", "Bo is not at home."),
        ("Bo has money.", "Bo has no money."),
        ("Bo smokes.", "Bo does not smoke at home."),
        ("Bo called his mother.", "Bo did not call his mother."),
        ("Bo bought a boat.", "Bo did not buy a boat."),
        ("Bo signed the lease.", "Bo did not sign the second lease."),
        ("Bo signed the lease.", "Bo did not sign the lease on Monday."),
        ("The lease is signed.", "The lease is not signed."),
        ("He eats meat.", "He does not eat meat."),
        ("Tom said Karla is allergic to nuts.", "Tom said Karla is not allergic to nuts."),
        ("In the play Kes is a nun.", "In the play Kes is not a nun."),
        ("Karla wants a dog.", "Karla does not want a dog."),
        ('"I am a vegetarian," he said.', "I am not a vegetarian."),
    ],
)
def test_a_change_a_mood_and_another_thing_are_no_denial(one: str, other: str) -> None:
    assert not told(one, other)
    assert not told(other, one)
    assert not told(one, other, 0)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Bo smokes.", "Bo does not smoke."),
        ("Bo never eats breakfast.", "Bo eats breakfast."),
        ("Bo does not drive a car.", "Bo drives a car."),
        ("I like you.", "I do not like you."),
        ("Bo has a key.", "Bo has no key."),
        ("Karla speaks to Bo.", "Karla does not speak to Bo."),
    ],
)
def test_a_habit_and_a_thing_are_told_on_one_day_alone(one: str, other: str) -> None:
    assert not told(one, other)
    assert not told(other, one)
    assert told(one, other, 0)
