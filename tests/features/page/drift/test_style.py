"""Writing style in counts: each trait by a text that shows it clearly."""

import json
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.features.page.drift.style import (
    TRAITS,
    Mean,
    dump_manner,
    join_manners,
    load_manner,
    read_manner,
)

TEXTS = st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=80), max_size=5)


def trait(key: str, *replies: str) -> float:
    return round(read_manner(replies).traits[key].value, 3)


def test_lengths_are_of_replies_and_sentences() -> None:
    manner = read_manner(["One two three. Four five!", "Six."])
    assert (manner.replies, manner.words) == (2, 6)
    assert manner.traits["reply"].n == 2
    assert manner.traits["sentence"].n == 3
    assert math.isclose(manner.traits["sentence"].value, (math.log(4) + math.log(3) + math.log(2)) / 3)


@pytest.mark.parametrize(
    ("key", "text", "value"),
    [
        ("first", "I keep my word.", 0.5),
        ("first", "Ich habe mir das gedacht.", 0.4),
        ("second", "You know your way.", 0.5),
        ("short forms", "Don’t, I'm here.", 0.667),
        ("hedges", "Maybe it rains.", 0.333),
        ("questions", "Why? Because. Really?!", 0.667),
        ("exclamations", "Oh! No.", 0.5),
        ("laughter", "Haha, no. Fine 🙂", 1.0),
        ("laughter", "没有笑。好。", 0.5),
        ("asides", "Well (as they say) no. *shrugs* Yes.", 1.0),
        ("asides", "That is **bold** and 2 * 3 * 4.", 0.0),
        ("pauses", "Wait… no — yes.", 1.0),
        ("commas", "One, two, three", 0.667),
        ("layout", "# Plan\n- one\n- two\nplain", 0.75),
    ],
)
def test_each_trait_is_seen_where_it_is_plain(key: str, text: str, value: float) -> None:
    assert trait(key, text) == value


def test_variety_is_of_runs_of_fifty() -> None:
    assert trait("variety", "same " * 60) == 0.02
    assert read_manner(["same " * 40]).traits["variety"].n == 0


def test_a_script_without_spaces_is_counted_by_character() -> None:
    manner = read_manner(["私は元気です。どうして？"])
    assert manner.words == 10
    assert manner.traits["sentence"].n == 2
    assert manner.traits["questions"].value == 0.5


def test_code_and_what_is_only_cited_are_not_the_voice() -> None:
    assert read_manner(["Here:\n```py\nx = my_thing(1)\n```\n> You said so.\nDone."]).counts == {
        "here": 1,
        "done": 1,
    }


def test_nothing_said_is_nothing_counted() -> None:
    assert read_manner([]).words == 0
    assert read_manner(["", "…", "123 !!"]).replies == 0


def test_an_average_of_nothing_is_wholly_in_doubt() -> None:
    assert Mean().value == 0.0
    assert Mean().doubt == math.inf
    assert Mean(4, 8, 16).doubt == 0.0


@settings(max_examples=60, deadline=None)
@given(TEXTS, TEXTS)
def test_stretches_joined_count_as_their_replies_together(one: list[str], other: list[str]) -> None:
    joined = join_manners([read_manner(one), read_manner(other)])
    whole = read_manner([*one, *other])
    assert (joined.replies, joined.words, joined.counts) == (whole.replies, whole.words, whole.counts)
    for key in (t.key for t in TRAITS if t.key != "variety"):
        assert joined.traits[key].n == whole.traits[key].n
        assert math.isclose(joined.traits[key].sum, whole.traits[key].sum, abs_tol=1e-9)


@settings(max_examples=60, deadline=None)
@given(TEXTS)
def test_a_manner_survives_being_noted(replies: list[str]) -> None:
    manner = read_manner(replies)
    assert load_manner(json.loads(json.dumps(dump_manner(manner)))) == manner
