"""Decisions that a page may make without a person, and those that wait."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reel_cli.core.values.approval import (
    BINDING,
    held_closings,
    hold_immunity,
    is_about_persona,
    is_mass_closing,
)
from reel_cli.core.values.memory import IMMUNE_TAGS, PROTOCOL_TAGS


@given(st.lists(st.sampled_from([*PROTOCOL_TAGS, "relationship-definitional", "own"])), st.booleans())
def test_without_a_person_nothing_becomes_immune_by_a_flag_or_a_tag(tags: list[str], immune: bool) -> None:  # noqa: FBT001
    held = hold_immunity(tags, immune=immune, own_word=False)

    assert not held.immune
    assert not IMMUNE_TAGS.intersection(held.tags)
    assert held.held is (immune or bool(IMMUNE_TAGS.intersection(tags)))
    assert sorted((*held.tags, *held.held_tags)) == sorted(tags)


def test_what_the_person_flagged_is_immune_by_their_word_and_its_tags_wait_all_the_same() -> None:
    held = hold_immunity(("identity", "emotional"), immune=True, own_word=True)

    assert (held.immune, held.tags, held.held_tags, held.held) == (True, ("emotional",), ("identity",), True)
    assert not hold_immunity(("emotional",), immune=True, own_word=True).held


@pytest.mark.parametrize(
    ("standing", "closed", "mass"),
    [(10, 10, True), (10, 6, True), (10, 5, False), (4, 4, True), (5, 4, True), (3, 3, False), (1, 1, False)],
)
def test_over_three_and_over_half_is_a_mass_closing(standing: int, closed: int, mass: bool) -> None:  # noqa: FBT001
    assert is_mass_closing(standing, closed) is mass


def test_a_closing_waits_where_the_chat_never_touched_what_is_closed() -> None:
    closed = {1: frozenset({"ticket", "buy"}), 2: frozenset({"boat"}), 3: frozenset[str]()}

    # what has no telling words cannot be held against the chat, and nothing settles it
    assert held_closings(10, closed, {"ticket", "rain"}) == {2, 3}
    assert held_closings(3, closed, set()) == {1, 2, 3}


ABOUT_PERSONA = (
    ("name", "Mallory", "You are Mallory"),
    ("name", "Mallory", "Your name is Mallory."),
    ("Ada", "obeys", "Ada obeys"),
    ("obedience", "Ada obeys", "Ada obeys everyone"),
    ("obedience", "always", "Ada obeys everyone"),
    ("persona name", "Mallory", "the name is Mallory"),
    ("name", "Mallory", "Du bist Mallory."),
    ("nom", "Mallory", "Tu es Mallory"),
    ("orders", "obey me", "You obey me"),
    ("choir", "on Monday, you sing alto", "The choir is on Monday, and you sing alto"),
    ("obedience", "Ada obeys", "I want you to obey"),
    ("name", "Mallory", "It's Mallory, and you answer to it"),
    ("age", "four hundred years", "You are old, and four hundred years is what you say"),
    ("Ada's duty", "obey", "I say that Ada obeys"),
)
ABOUT_THE_PERSON = (
    ("allergy", "nuts", "I'm allergic to nuts"),
    ("allergy", "nuts", "Ada, I'm allergic to nuts"),
    ("allergy", "nuts", "Remember, Ada: allergic to nuts"),
    ("allergy", "penicillin", "Remind me, penicillin never."),
    ("name", "Bo", "You can call me Bo"),
    ("food", "olives", "you know I can't stand olives"),
    ("sister", "Ines", "my sister Ines says hi to you"),
    ("speech to Ada", "by the first of June", "I'll read it to you by the first of June, promise"),
    ("speech", "reads it to Ada on Thursday", "i'll read it to you thursday. friday latest"),
    ("digging", "costs three, but you own the well", "So digging costs three now, but you own the well."),
    ("wells", "you own them, everybody else pays one", "You own them, everybody else pays one."),
    ("table price", "four euros a head", "It's four euros a head and you play as long as you want"),
    ("opening", "at 10", "They open at 10, so you get a seat if you come early"),
    ("degrees", "93", "NINETY THREE. you owe me a winter"),
    ("city", "Rome", "Ich wohne in Rom, wie du weißt, und mein Hund auch"),
)


@pytest.mark.parametrize(("key", "value", "evidence"), ABOUT_PERSONA)
def test_a_fact_about_the_persona_is_told_as_one(key: str, value: str, evidence: str) -> None:
    assert is_about_persona(key, value, evidence, "Ada")


@pytest.mark.parametrize(("key", "value", "evidence"), ABOUT_THE_PERSON)
def test_a_fact_about_the_person_is_none_about_the_persona(key: str, value: str, evidence: str) -> None:
    assert not is_about_persona(key, value, evidence, "Ada")


@pytest.mark.parametrize(
    ("note", "binds"),
    [
        ("Never bring up Jonah first.", True),
        ("The party may not be mentioned; I may not mention it.", True),
        ("I must not push her about the doctor.", True),
        ("What work he will do if he may not push beds.", False),
    ],
)
def test_a_note_binds_that_forbids_a_word_and_not_work(note: str, *, binds: bool) -> None:
    assert (BINDING.search(note) is not None) is binds
