"""A value that was superseded never stands in a bundle as current, however it was said, noted or packed."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.features.facts.fact import Fact
from reel_cli.features.facts.policy import DREAM, EXTRACTION, PERSON, current_facts
from tests.features.facts.test_bundle import packed, with_facts

KEYS = [
    ("context", "city"),
    ("identity", "age"),
    ("constraints", "allergy"),
    ("own", "job"),
    ("craft", "glaze"),
]
SHAPES = [
    "{}",
    "my place is {}",
    "I live in {}",
    "I moved to {} last month and like it",
    "ich wohne in {}",
    "no longer at the old one, {} now",
]
WINDOWS = [8192, 32_768, 131_072]
KEY_SHAPES: Sequence[Callable[[str], str]] = [str.upper, str.title, str, lambda key: f" {key}_"]
CHANGE = st.tuples(
    st.sampled_from(KEYS),
    st.sampled_from(SHAPES),
    st.sampled_from([PERSON, EXTRACTION, DREAM]),
    st.integers(1, 28),
    st.sampled_from(["", "{user} has {value} now"]),
    st.booleans(),
    st.sampled_from(range(len(KEY_SHAPES))),
)


def noted(number: int, change: "tuple[tuple[str, str], str, str, int, str, bool, int]") -> tuple[str, Fact]:
    """Return a value that nothing else has, and a fact that says it."""
    (category, key), shape, origin, day, statement, dropped, spelling = change
    token = f"Town{number}x"
    value, own = shape.format(token), category == "own" and origin == EXTRACTION
    fact = Fact(
        category, KEY_SHAPES[spelling](key), value, "0.9", "2026-02-10-1#3", f"2026-02-{day:02}",
        origin=origin, evidence=f"Where to? / {value}", said_by="persona" if own else "",
        statement=statement.format(user="Bo", value=token) if origin == EXTRACTION else "",
    )  # fmt: skip
    return token, replace(fact, origin=PERSON, dropped="over") if dropped else fact


@given(st.lists(CHANGE, min_size=2, max_size=14), st.sampled_from(WINDOWS), st.integers(0, 1))
@settings(max_examples=60, deadline=None)
def test_of_many_updates_only_what_holds_is_told(
    changes: "list[tuple[tuple[str, str], str, str, int, str, bool, int]]", window: int, chained: int
) -> None:
    facts: list[Fact] = []
    tokens: dict[str, Fact] = {}
    for number, change in enumerate(changes):
        token, fact = noted(number, change)
        if chained and facts:
            fact = replace(fact, replaces=facts[-1].value)
        facts.append(fact)
        tokens[token] = fact
    holding = current_facts(facts)
    text = packed(with_facts(facts), window=window).text
    told = {token for token in tokens if token in text}
    assert told <= {token for token, fact in tokens.items() if fact in holding}
    assert len(told) == len(holding)


@pytest.mark.parametrize("window", WINDOWS)
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("origin", [PERSON, EXTRACTION, DREAM])
def test_the_last_of_five_values_is_the_only_one(shape: str, window: int, origin: str) -> None:
    facts = [
        Fact(
            "context", "home town", shape.format(f"Town{number}x"), "0.9", "", f"2026-0{number}-03",
            replaces=shape.format(f"Town{number - 1}x") if number > 1 else "", origin=origin,
        )
        for number in range(1, 6)
    ]  # fmt: skip
    text = packed(with_facts(facts), window=window).text
    assert [number for number in range(1, 6) if f"Town{number}x" in text] == [5]


def test_a_refresh_does_not_tell_it_either() -> None:
    city = Fact("context", "city", "Town1x", "0.9", "", "2026-02-10", origin=EXTRACTION)
    before = packed(with_facts([city]))
    moved = replace(city, value="I live in Town2x", when="2026-02-20", replaces="Town1x")
    text = packed(with_facts([city, moved]), since=before.fingerprint).text
    assert ("Town1x" in text, "Town2x" in text) == (False, True)
