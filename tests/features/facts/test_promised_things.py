"""A promise of the persona about a thing or somebody is its own commitment."""

from pathlib import Path

import pytest

from reel_cli.features.facts.fact import Fact
from reel_cli.features.facts.policy import DREAM
from reel_cli.features.facts.statement import state
from tests.features.facts.test_fact_extract import extract, facts, row
from tests.support.cli import Reel
from tests.support.pages import say

PROMISES = [
    (
        "So can you promise, Sarre doesn't die without you warning me?",
        "Promised. The Widow Sarre doesn't die without a word to you beforehand, from me.",
        "the Widow Sarre doesn't die without a word beforehand",
    ),
    (
        "Before anything that can't be undone you do the lamp.",
        "The lamp flickers twice before anything that can't be undone, and you've the last word. Agreed.",
        "the lamp flickers twice before anything that can't be undone",
    ),
    (
        "im away till monday dont let them touch my chair",
        "Nobody touches your chair till you're back.",
        "nobody touches the chair",
    ),
    (
        "Will he find the letters?",
        "The drawer stays shut. You have my word on that.",
        "the drawer stays shut",
    ),
    ("Promise me the goat isn't in it.", "The goat stays out of every tale of mine.", "the goat stays out"),
    (
        "And the ninth bell?",
        "The ninth bell never rings again without your yes.",
        "the ninth bell never rings again",
    ),
]


@pytest.mark.parametrize(("asked", "told", "value"), PROMISES)
def test_a_promise_of_a_thing_is_the_personas_own(
    reel: Reel, kit: Path, asked: str, told: str, value: str
) -> None:
    say(reel, kit, [("user", asked), ("assistant", told), ("user", "Good.")])
    words = next(one for one in told.split(". ") if any(word in one for word in value.split()[-2:]))
    extract(reel, row("own", "promise of it", value, words.rstrip(".")))
    assert facts(reel) == {"own/promise-of-it": value}
    bundle = reel("pack").ok().out.partition("by heart")[2]
    assert "Bo said" not in bundle


@pytest.mark.parametrize(
    ("asked", "told", "value"),
    [
        ("Where do I live?", "You moved to Tromso before I knew you.", "moved to Tromso"),
        ("Promise me rain.", "The lake was frozen that winter, you know.", "the lake was frozen"),
        ("Can you promise it?", "The ferry waits for you? No promises.", "the ferry waits"),
        ("How is Ana?", "Your sister lives near you in Lyon.", "sister lives in Lyon"),
    ],
)
def test_what_is_told_of_the_other_or_of_what_was_is_no_promise(
    reel: Reel, kit: Path, asked: str, told: str, value: str
) -> None:
    say(reel, kit, [("user", asked), ("assistant", told), ("user", "Hm.")])
    reply = row("own", "matter", value, told.rstrip("."))
    reel("fact", "extract", "--reply", "-", "--yes", stdin=reply)
    assert facts(reel) == {}


def test_what_a_dream_noted_of_its_own_word_is_put_in_nobody_elses_mouth() -> None:
    value = "the Widow Sarre doesn't die without a word from me with the house lights on"
    told = state(
        Fact("own", "Sarre's life", value, "high", "2026-05-04-1#18", "2026-05-04", origin=DREAM), "Bo"
    )
    assert told == "the Widow Sarre doesn't die without a word from you with the house lights on"
