"""Facts of a dream that what is known already outdoes (Dream Weaver §7.e)."""

import pytest

from reel_cli.features.dream.story.outdone_facts import without_outdone
from reel_cli.features.facts.fact import Fact


def known(category: str, key: str, value: str, when: str, dropped: str = "") -> Fact:
    return Fact(category, key, value, when=when, origin="extraction", dropped=dropped)


KNOWN = [
    known("context", "trip", "Tavira with Samira, moved from 19 October to 12 April 2027", "2026-10-10"),
    known("relationships", "Colin", "owes him £80", "2026-08-02"),
    known("relationships", "Colin", "owes him £80", "2026-10-10", dropped="over"),
    known("constraints", "Idris", "no cashews; a pen in the kitchen and in his school bag", "2026-06-11"),
    known("constraints", "codeine", "no codeine, it made him see spiders", "2026-09-05"),
    known("relationships", "Samira", "lost her job at the bus company in July", "2026-07-16"),
    known("preferences", "when low", "no leaflets, sit a bit and then a job", "2026-04-07"),
]


def told(category: str, key: str, value: str, when: str) -> Fact:
    return Fact(category, key, value, when=when, origin="dream")


@pytest.mark.parametrize(
    "fact",
    [
        told("context", "trip", "Tavira with Samira, ten days from 19 October", "2026-04-23"),
        told("relationships", "Colin", "owes him £80 still", "2026-08-02"),
        told("constraints", "Idris", "no cashews, pens in the kitchen and the school bag", "2026-06-11"),
        told("constraints", "codeine", "no codeine, he saw spiders", "2026-09-05"),
        told("preferences", "when low", "sit a bit and then a job; no leaflets", "2026-04-07"),
    ],
)
def test_what_is_known_better_or_as_well_waits_for_nobody(fact: Fact) -> None:
    assert not without_outdone(KNOWN, [fact])


@pytest.mark.parametrize(
    "fact",
    [
        told("relationships", "Samira", "works at Bramley's garden centre", "2026-08-20"),
        told("relationships", "Colin", "owes him £80 again", "2026-11-02"),
        told("constraints", "Idris", "no cashews and no pistachios", "2026-06-11"),
        told("constraints", "codeine", "codeine is fine", "2026-09-05"),
        told("preferences", "when low", "leaflets, sit a bit and then a job", "2026-04-07"),
        told("context", "trip", "Tavira with Samira, 14 April 2027", "2026-10-10"),
        told("relationships", "Ayla", "the baby, in Nicosia", "2026-04-07"),
    ],
)
def test_what_is_new_is_weighed_and_waits_as_before(fact: Fact) -> None:
    assert without_outdone(KNOWN, [fact]) == [fact]
