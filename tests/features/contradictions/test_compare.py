"""Two claims about the same subject that cannot both be true; and all those that can."""

import json
from datetime import date, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.core.evidence.claims import HeldText, Slot
from reel_cli.core.evidence.grounding.polarity import is_negated
from reel_cli.features.contradictions.compare import Disagreement, find_disagreements

FIXTURES = Path(__file__).parents[2] / "fixtures/contradictions"
PAIRS = json.loads((FIXTURES / "pairs.json").read_text())
THEN = date(2026, 3, 10)
NOW = date(2026, 3, 13)


def compare(
    older: str, newer: str, *, then: date | None = THEN, now: date | None = NOW
) -> list[Disagreement]:
    return find_disagreements(
        [HeldText("M-002", newer, now, 3, newer)], [HeldText("M-001", older, then, 5, older)]
    )


@pytest.mark.parametrize("half", ["dev", "test"])
def test_pairs_that_can_both_hold_are_left_alone(half: str) -> None:
    assert [pair for pair in PAIRS[half]["agree"] if compare(*pair)] == []


@pytest.mark.parametrize(("half", "least"), [("dev", 48), ("test", 32)])
def test_most_pairs_that_cannot_both_hold_are_found(half: str, least: int) -> None:
    found = [pair for pair in PAIRS[half]["disagree"] if compare(*pair[1:])]
    assert len(found) >= least
    assert all(compare(*pair[1:])[0].slot == pair[0] for pair in found)


def test_two_names_of_nobody_in_particular_are_of_two() -> None:
    assert not compare("Her name is Coco and she is adorable.", "Her name is Shadow, and she is black.")
    assert compare("My name is Iris.", "My name is Ilse.")


def test_both_sentences_are_shown_with_where_they_stand() -> None:
    (found,) = compare(
        "He was tired. The residency deadline is 30 April, he said.", "It rained: the deadline is 15 May."
    )
    assert (found.slot, found.older.where, found.newer.where) == (Slot.DATE, "M-001", "M-002")
    assert found.older_sentence == "The residency deadline is 30 April, he said."
    assert found.newer_sentence == "It rained: the deadline is 15 May."


def test_a_day_that_has_come_by_then_is_of_another_time() -> None:
    sides = ("The dentist appointment is on 12 March.", "The dentist appointment is on 9 April.")
    assert compare(*sides, now=THEN + timedelta(days=1))
    assert not compare(*sides, now=date(2026, 3, 20))


def test_weekdays_are_held_against_one_another_within_a_week_or_so() -> None:
    sides = ("Marta's vet is on Friday.", "Marta's vet is on Saturday.")
    assert compare(*sides, now=THEN + timedelta(days=2))
    assert not compare(*sides, now=THEN + timedelta(days=30))


def test_a_bare_subject_is_the_only_one_there_is_or_nobody_s() -> None:
    new = [HeldText("M-003", "The deadline is 15 May.", NOW, 1, "The deadline is 15 May.")]
    residency = HeldText("M-001", "The residency deadline is 30 April.", THEN)
    tax = HeldText("M-002", "The tax deadline is 1 June.", THEN)
    assert len(find_disagreements(new, [residency])) == 1
    assert find_disagreements(new, [residency, tax]) == []


def test_what_stands_around_a_sentence_says_who_is_meant() -> None:
    older = [HeldText("M-001", "Marta's birthday is 3 October.", THEN, 1, "Marta came by.")]
    said = "Her birthday is 13 October."
    assert find_disagreements([HeldText("M-002", said, NOW, 1, f"Marta laughed. {said}")], older)
    assert not find_disagreements([HeldText("M-002", said, NOW, 1, f"Netta laughed. {said}")], older)


def test_a_new_text_that_tells_the_old_value_too_tells_what_became_of_it() -> None:
    older = "The residency deadline is 30 April."
    assert not compare(older, "The deadline is 15 May now. Before, the deadline was 30 April.")
    assert not compare(older, "The residency deadline was extended; the deadline is 15 May.")


def test_a_page_that_strikes_the_old_number_out_anywhere_disagrees_with_nothing() -> None:
    held = [HeldText("M-001", "The fence is eleven links over three chains.", THEN, 5, "")]
    note = HeldText("", "The fence is nine links over three chains.", NOW, 0, "")
    struck = HeldText("M-002", "He measured it anew: nine links, not eleven.", NOW, 3, "")
    other = HeldText("M-002", "He has nine hens, not seven.", NOW, 3, "")
    assert find_disagreements([note], held)
    assert find_disagreements([note, other], held)
    assert not find_disagreements([note, struck], held)


def test_neither_and_nor_deny_once() -> None:
    was = "Neither the Dean nor Mrs Gwilliam knows."
    assert not compare(was, "Neither the Dean nor Mrs Gwilliam is to know yet.")
    assert is_negated(was)
    assert is_negated("He will not go, nor shall I stay.") is False


def test_what_is_quoted_asked_or_supposed_is_no_claim() -> None:
    older = "The residency deadline is 30 April."
    for newer in (
        'He wrote: "the residency deadline is 15 May".',
        "Is the residency deadline 15 May?",
        "Perhaps the residency deadline is 15 May.",
    ):
        assert not compare(older, newer)


def test_other_languages_are_left_alone() -> None:
    assert not compare("Der Abgabetermin ist der 30. April.", "Der Abgabetermin ist der 15. Mai.")
    assert not compare("締め切りは4月30日です。", "締め切りは5月15日です。")


@settings(max_examples=80, deadline=None)
@given(st.text(max_size=200), st.text(max_size=200))
def test_any_text_can_be_held_against_any_other_and_none_against_itself(one: str, other: str) -> None:
    compare(one, other, now=None)
    assert compare(one, one) == []
