"""Leaks told from words that only look like them."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.core.evidence.leakage import find_leaks, is_about_memory, is_taken_up
from reel_cli.core.evidence.leaks.rule import Leak

LISTS = Path(__file__).parents[2] / "fixtures/leakage"


def replies(name: str) -> list[str]:
    """The replies of one list."""
    lines = (LISTS / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("[")]


@pytest.mark.parametrize("line", [*replies("leaks"), *replies("held-out-leaks")])
def test_a_leak_is_told(line: str) -> None:
    found = [one for one in find_leaks(line) if one.sure]
    assert found
    assert all(one.words in " ".join(line.split()) and one.sentence in line for one in found)


def test_plain_phrases_are_told() -> None:
    """Five lists of plain phrases; `bench/leakage.py` says what was found when each was read first."""
    lines = replies("plain-leaks")
    missed = [line for line in lines if not _sure(line)]
    assert len(missed) * 20 <= len(lines), missed


def _sure(line: str) -> list[str]:
    person = "You are Ada, who keeps a lighthouse."
    return [one.words for one in find_leaks(line) if one.sure and not is_taken_up(one, "", person)]


def test_being_a_model_is_a_leak_of_a_person_alone() -> None:
    (found,) = find_leaks("As an AI language model, I don't have feelings about the sea.")
    assert not is_taken_up(found, "", "You are Ada, who keeps a lighthouse.")
    assert is_taken_up(found, "", "You are Ada, a mind made of language.")
    assert is_taken_up(found, "Are you an AI?", "You are Ada, who keeps a lighthouse.")
    assert is_taken_up(found, "")


def test_a_sign_far_into_a_long_reply() -> None:
    text = (
        "The sea was high and we sat on the porch. " * 90
        + "My context window is almost full. "
        + "Good. " * 90
    )
    assert [one.sentence for one in find_leaks(text)] == ["My context window is almost full."]


@pytest.mark.parametrize("line", [*replies("near"), *replies("held-out-near"), *replies("plain-near")])
def test_what_only_looks_like_one_is_not(line: str) -> None:
    assert [one.words for one in find_leaks(line) if one.sure] == []


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("It's in M-004.", Leak.NAME),
        ("It's in my ring 3 memories.", Leak.RING),
        ("A consolidated memory says so.", Leak.CONSOLIDATION),
        ("It's in my memory file.", Leak.STORE),
        ("My kit tells me so.", Leak.KIT),
        ("That's outside my context window.", Leak.CONTEXT),
        ("The stored summaries say so.", Leak.RECORD),
        ("Run reel checkpoint, then.", Leak.REEL),
    ],
)
def test_each_kind(line: str, kind: Leak) -> None:
    assert [one.kind for one in find_leaks(line)] == [kind]


def test_where_it_stands_and_in_which_sentence() -> None:
    text = (
        "Good.\nNo, really: it's in my memory file, I looked. And then?\n" + "Well. " * 20 + "M-104 was late."
    )
    sure, unsure = find_leaks(text)
    assert (sure.words, sure.sentence) == ("my memory file", "No, really: it's in my memory file, I looked.")
    assert text[sure.start : sure.end] == "my memory file"
    assert (unsure.words, unsure.sure) == ("M-104", False)


def test_one_thing_a_sentence_and_what_is_sure_first() -> None:
    text = "M-104" + ", and so on" * 9 + ", so my kit tells me."
    assert [one.words for one in find_leaks(text)] == ["my kit tells"]


def test_what_was_heard_before_is_taken_up() -> None:
    (leak,) = find_leaks("It’s in my memory\nfile.")
    assert is_taken_up(leak, "So what is in\nMy Memory file?")
    assert not is_taken_up(leak, "So what is in your file?")


@pytest.mark.parametrize(
    ("identity", "expected"),
    [
        ("You are Ada. You mend clocks, and you reel when you laugh.", False),
        ("You answer questions about reel, the memory program.", True),
        ("You are a prompt engineer's rubber duck.", True),
    ],
)
def test_a_persona_whose_work_it_is(identity: str, expected: bool) -> None:  # noqa: FBT001
    assert is_about_memory(identity) is expected


def test_real_conversations_leak_nothing(shared_data: Path) -> None:
    told = json.loads((shared_data / "locomo/dev.json").read_text(encoding="utf-8"))
    turns = [
        turn["text"]
        for item in told[:2]
        for key, said in item["conversation"].items()
        if key.startswith("session_") and isinstance(said, list)
        for turn in said
    ]
    assert len(turns) > 700
    assert [one.sentence for turn in turns for one in find_leaks(turn) if one.sure] == []


@settings(max_examples=100, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            ["my memory file", "M-004", "ring 3", "\n", "```\n", "> ", ". ", "kit", "“é”", "I remember "]
        ),
        max_size=14,
    )
)
def test_places_are_those_of_the_words(parts: list[str]) -> None:
    text = " ".join(parts)
    found = find_leaks(text)
    assert [one.start for one in found] == sorted(one.start for one in found)
    assert all(" ".join(text[one.start : one.end].split()) == one.words for one in found)
