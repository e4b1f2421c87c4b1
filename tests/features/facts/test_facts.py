"""Facts that hold among those noted, and those that go into a bundle."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.features.facts.ask import wanted_of
from reel_cli.features.facts.choice import divide
from reel_cli.features.facts.fact import Fact
from reel_cli.features.facts.policy import (
    CATEGORIES,
    DREAM,
    EXTRACTION,
    PERSON,
    category_of,
    confidence_of,
    current_facts,
    fact_id,
    fact_name,
)
from tests.support.kits_at_random import Files

NAME = Fact("identity", "name", "Maria", "0.9", "2026-02-10-1#3", "2026-02-10", origin=EXTRACTION)


def values(*facts: Fact) -> list[str]:
    return [one.value for one in current_facts(facts)]


@pytest.mark.parametrize(
    ("category", "sorted_under"),
    [
        ("identity", "identity"),
        ("Identity", "identity"),
        ("family", "relationships"),
        ("promises", "commitments"),
        ("craft", "craft"),
        ("", "other"),
        ("what_he likes", "what he likes"),
    ],
)
def test_a_category_that_means_ours_is_ours_and_others_stay(category: str, sorted_under: str) -> None:
    assert category_of(replace(NAME, category=category)) == sorted_under


def test_what_is_written_otherwise_is_the_same_fact() -> None:
    told = replace(NAME, category="Family", key="Sister_Condition")
    assert fact_id(told) == "relationships/sister-condition"
    assert fact_name(told) == fact_name(replace(NAME, category="relationships", key="sister  condition"))


@pytest.mark.parametrize(
    ("confidence", "origin", "share"),
    [
        ("high", DREAM, 9_000),
        ("medium", DREAM, 7_000),
        ("low", DREAM, 4_000),
        ("0.85", EXTRACTION, 8_500),
        ("1", EXTRACTION, 10_000),
        ("low", PERSON, 10_000),
        ("who knows", DREAM, 7_000),
    ],
)
def test_how_sure_a_fact_is(confidence: str, origin: str, share: int) -> None:
    assert confidence_of(replace(NAME, confidence=confidence, origin=origin)) == share


def test_of_what_the_user_said_the_later_holds_in_whatever_order_it_was_noted() -> None:
    later = replace(NAME, value="Marta", when="2026-02-12")
    assert values(NAME, later) == values(later, NAME) == ["Marta"]


def test_no_dream_overrides_what_the_user_said() -> None:
    dreamt = replace(NAME, value="Mary", origin=DREAM, when="2026-03-01")
    assert values(NAME, dreamt) == ["Maria"]
    assert values(dreamt, NAME) == ["Maria"]
    assert values(dreamt, replace(dreamt, value="Molly")) == ["Molly"]


def test_a_persons_word_holds_until_something_later_is_said() -> None:
    word = replace(NAME, value="Mia", origin=PERSON, when="2026-02-20")
    assert values(NAME, word) == ["Mia"]
    assert values(word, replace(NAME, when="2026-02-19")) == ["Mia"]
    assert values(word, replace(NAME, when="2026-02-21")) == ["Maria"]


def test_what_was_dropped_comes_back_only_when_it_is_said_again() -> None:
    dropped = replace(NAME, origin=PERSON, when="2026-02-20", dropped="wrong")
    assert values(NAME, dropped) == []
    assert values(NAME, dropped, NAME) == []
    assert values(NAME, dropped, replace(NAME, origin=DREAM, when="")) == []
    assert values(NAME, dropped, replace(NAME, value="Marta", when="2026-02-11")) == ["Marta"]
    assert values(NAME, dropped, replace(NAME, when="2026-02-21")) == ["Maria"]
    assert values(NAME, dropped, replace(NAME, origin=PERSON)) == ["Maria"]
    # on another machine it had become another value meanwhile
    assert values(NAME, replace(NAME, value="Marta", when="2026-02-21"), dropped) == ["Marta"]


def test_the_weakest_rest_first() -> None:
    dreamt = replace(NAME, category="history", key="school", confidence="high", origin=DREAM)
    said = [replace(NAME, key=f"k{n}", confidence=f"0.{70 + n}") for n in range(3)]
    word = replace(NAME, key="word", origin=PERSON)
    standing = divide([dreamt, *said, word], 7_000, 3)
    assert [one.key for one in standing.held] == ["k1", "k2", "word"]
    assert [(one.fact.key, one.why) for one in standing.resting] == [
        ("school", "3 others come first"),
        ("k0", "3 others come first"),
    ]
    many = divide([replace(NAME, key=f"k{n}") for n in range(1_001)], 7_000, 1_000)
    assert [one.why for one in many.resting] == ["1,000 others come first"]


def test_what_is_not_sure_enough_rests() -> None:
    unsure = replace(NAME, confidence="0.69")
    standing = divide([unsure, replace(NAME, key="age", confidence="0.7")], 7_000, 30)
    assert [one.key for one in standing.held] == ["age"]
    assert [(one.fact.key, one.why) for one in standing.resting] == [("name", "not sure enough")]


def test_a_bundle_has_our_categories_in_order_and_others_behind() -> None:
    facts = [replace(NAME, category=name) for name in ("craft", *reversed(CATEGORIES))]
    assert [category_of(one) for one in divide(facts, 0, 30).held] == [*CATEGORIES, "craft"]


facts_strategy = st.lists(
    st.builds(
        Fact,
        category=st.sampled_from(["identity", "family", "craft"]),
        key=st.sampled_from(["name", "a b", "A_b"]),
        value=st.sampled_from(["x", "y", "z"]),
        confidence=st.sampled_from(["high", "low", "0.7", "1"]),
        when=st.sampled_from(["", "2026-01-01", "2026-02-01"]),
        origin=st.sampled_from([PERSON, EXTRACTION, DREAM]),
        dropped=st.sampled_from(["", "", "why"]),
    ),
    max_size=12,
)


@given(facts_strategy, st.integers(0, 4))
@settings(max_examples=100, deadline=None)
def test_nothing_that_holds_is_lost_and_nothing_is_held_twice(facts: list[Fact], most: int) -> None:
    standing = divide(facts, 7_000, most)
    names = [fact_name(one) for one in (*standing.held, *(r.fact for r in standing.resting))]
    assert sorted(names) == sorted(map(fact_name, current_facts(facts)))
    assert len(set(names)) == len(names)
    assert len(standing.held) <= most
    assert not any(one.dropped for one in standing.held)
    assert all(confidence_of(one) >= 7_000 for one in standing.held)
    # dropping what holds leaves nothing of that name, whatever was noted before
    for one in standing.held:
        gone = replace(one, origin=PERSON, when="2026-03-01", dropped="why")
        assert fact_name(one) not in map(fact_name, current_facts([*facts, gone]))


def test_a_prompt_gives_the_value_of_a_fact_that_the_talk_touches() -> None:
    many = "".join(
        f"- category: context\n  key: thing {n}\n  value: apple {n}\n  when: 2026-03-{n:02}\n"
        for n in range(2, 20)
    )
    due = "- category: commitments\n  key: poems due\n  value: 9 March\n  when: 2026-03-01\n"
    snapshot = Files({"kit.yaml": b"name: Ada\n", "facts.yaml": f"{due}{many}".encode()}).snapshot()
    told = "commitments | poems due | 9 March"
    assert told not in wanted_of(snapshot).known
    assert wanted_of(snapshot, "About the Poems: Hanneke gave us three more days.").known[0] == told


def test_a_prompt_gives_the_whole_value_so_that_what_holds_can_be_carried_over() -> None:
    value = (
        "uncle, in Birmingham, a van with a dent, two dogs, Sundays on the phone, opinions about everything"
    )
    facts = f"- category: relationships\n  key: Trevor\n  value: {value}\n  when: 2026-03-01\n"
    snapshot = Files({"kit.yaml": b"name: Ada\n", "facts.yaml": facts.encode()}).snapshot()
    wanted = wanted_of(snapshot, "Trevor has sold the van.").within(117)
    assert f"- relationships | Trevor | {value}" in wanted.fill()["known"]


def test_what_the_talk_is_about_stands_before_what_it_only_has_a_word_of() -> None:
    """Of what may have changed the names are in the talk; of an old story only this or that word is."""
    rows = (
        ("history", "captain", "a hold full of lemons, a chart and fog in the winter"),
        ("relationships", "Jun", "sings at four in the night"),
        ("own", "letter to father", "I promise I write it till Christmas"),
        ("commitments", "Christmas tickets", "27 December, all three"),
    )
    text = "".join(
        f"- category: {kind}\n  key: {key}\n  value: {value}\n  when: 2026-03-01\n"
        for kind, key, value in rows
    )
    snapshot = Files({"kit.yaml": b"name: Ada\n", "facts.yaml": text.encode()}).snapshot()
    said = "Fog like milk, lemons in winter. Jun sang. No letter to my father, no tickets for Christmas."
    order = [one.split(" | ")[1] for one in wanted_of(snapshot, said).known]
    assert order == ["Christmas tickets", "letter to father", "Jun", "captain"]
