"""A value that is put in the words that were said keeps each no, number and name, or it is not kept."""

import json
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from reel_cli.features.facts.evidence.kept_value import find_lost, find_lost_denial
from reel_cli.features.facts.evidence.told_value import ToldValue
from reel_cli.features.facts.evidence.values import Relation, compare_values
from tests.features.facts.test_fact_extract import extract, facts
from tests.support.cli import Reel
from tests.support.pages import say

PARTS = st.sampled_from(
    (
        "no dog",
        "four cats",
        "never at night",
        "Tenby by the sea",
        "a tall hedge",
        "the gate",
        "none",
        "12 eggs",
    )
)


@given(st.lists(PARTS, min_size=1, max_size=4, unique=True), st.lists(PARTS, max_size=3, unique=True))
def test_what_is_lost_is_named(parts: list[str], said: list[str]) -> None:
    """Each part that denies, counts or names is in the words, or the loss is told."""
    lost = find_lost(", ".join(parts), ", ".join(said))
    exact = {one for one in parts if one not in ("a tall hedge", "the gate")}
    denied = sum(one in ("no dog", "never at night", "none") for one in parts)
    denies = sum(one in ("no dog", "never at night", "none") for one in said)
    others = {one for one in exact if one not in ("no dog", "never at night", "none")}
    if denied > denies or not others <= {*said}:
        assert lost
    if exact <= {*said}:
        assert not lost


TALK = [
    ("user", "Up at the gate again."),
    ("assistant", "And the naproxen: seven days before, they told you?"),
    ("user", "From the fourteenth, yes, it's on the calendar in red."),
    ("assistant", "And the book?"),
    (
        "user",
        "Honeycomb sent me an email that wasn't even to me. We look for voices with a platform.",
    ),
    ("assistant", "A pity. Did your father carve the heron?"),
    ("user", "He did, with a bread knife. And I've a dog called Rex in the hall these days."),
]


def reply(*rows: str) -> str:
    return "\n".join(("## What I know for sure", *rows, "", "Ada", ""))


def test_a_no_is_never_lost_to_the_words_that_were_said(reel: Reel, kit: Path) -> None:
    """The talk has all of the value, so it stands as it is, with the words as its evidence."""
    say(reel, kit, TALK)
    no = "Honeycomb, we look for voices with a platform: no"
    extract(
        reel,
        reply(
            f'context | publisher | {no} | | "Honeycomb sent me an email that wasn\'t even to me" | 1',
            'context | heron | my father carved it, with a bread knife | | "He did, with a bread knife" | 1',
        ),
    )
    assert facts(reel) == {
        "context/publisher": no,
        "context/heron": "my father carved it, with a bread knife",
    }
    told = json.loads(reel("fact", "list", "--json").ok().out)
    assert "He did, with a bread knife" in next(x["evidence"] for x in told if x["id"] == "context/heron")


def test_a_medicine_that_ends_waits_as_it_is_written(reel: Reel, kit: Path) -> None:
    say(reel, kit, TALK)
    ends = 'constraints | naproxen | from the fourteenth, none | | "From the fourteenth, yes, it\'s on" | 1'
    run = reel("fact", "extract", "--reply", "-", "--yes", stdin=reply(ends)).ok()
    assert "constraints, naproxen: from the fourteenth, none" in run.err
    assert facts(reel) == {}


def test_a_value_that_its_words_speak_against_is_refused(reel: Reel, kit: Path) -> None:
    say(reel, kit, TALK)
    told = reply('context | dog | no dog, Rex is gone | | "And I\'ve a dog called Rex in the hall" | 1')
    run = reel("fact", "extract", "--reply", "-", "--yes", stdin=told)
    assert (run.code, "does not deny it" in run.err) == (1, True)
    assert facts(reel) == {}


LOST = [
    ("user", "And your brother?"),
    ("assistant", "My brother went out eleven years ago, over the Saltmere, to look at a light."),
    ("user", "You said that he was dead."),
    ("assistant", "He's lost. It's not the same word."),
]


def test_a_newer_telling_takes_the_place_of_what_it_takes_back(reel: Reel, kit: Path) -> None:
    """Else the old value is told as current: the quoted words alone do not say all of the new one."""
    say(reel, kit, [("user", "A brother?"), ("assistant", "My brother Caleb is dead. He was younger.")], 10)
    extract(reel, reply('own | Caleb | dead, younger | | "My brother Caleb is dead. He was younger." | 1'))
    say(reel, kit, LOST, 20)
    lost = "lost, not dead; eleven years ago, over the Saltmere"
    run = reel(
        "fact", "extract", "--reply", "-", "--yes", stdin=reply(f'own | Caleb | {lost} | | "He\'s lost." | 1')
    )
    assert "(until now: dead, younger)" in run.ok().err
    assert facts(reel) == {"own/caleb": lost}


def test_a_newer_telling_in_a_chat_that_goes_on_has_the_day_of_its_words(reel: Reel, kit: Path) -> None:
    """It had the day on which the chat began, and what was told on a day between went before it."""
    early = [("user", "A calm day."), ("assistant", "Calm.")]
    dead = [("user", "A brother?"), ("assistant", "My brother Caleb is dead. He was younger.")]
    days = [(early, 10), (dead, 12), (LOST, 20)]
    told = [
        {"role": role, "content": text, "created_at": f"2026-02-{day}T20:00:00+00:00"}
        for talk, day in days
        for role, text in talk
    ]
    lost = "lost, not dead; eleven years ago, over the Saltmere"
    for upto, value, words in ((4, "dead, younger", dead[-1][1]), (len(told), lost, "He's lost.")):
        (reel.cwd / "chat.json").write_text(json.dumps({"id": "one", "messages": told[:upto]}))
        reel("record", reel.cwd / "chat.json", cwd=kit).ok()
        extract(reel, reply(f'own | Caleb | {value} | | "{words}" | 1'))
    assert facts(reel) == {"own/caleb": lost}


def test_what_might_be_is_replaced_by_what_is() -> None:
    older = ToldValue("trip", "5 July, the Bryn Teg; it might be I'm going after all")
    assert compare_values(older, ToldValue("trip", "I'm going")) is not Relation.LESS
    assert compare_values(ToldValue("trip", "5 July, going"), ToldValue("trip", "going")) is Relation.LESS


def test_the_denial_that_is_not_said_is_named() -> None:
    words = "or u dont have to do every one. just sometimes"
    value = "Wednesdays only, not every one, just sometimes, no details"
    assert find_lost_denial(value, words) == "no details"
    assert not find_lost_denial("not every one, just sometimes", words)
