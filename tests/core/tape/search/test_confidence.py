"""Confidence that the tape holds an answer at all."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.core.tape.search.confidence import FEATURES, THRESHOLD, WEIGHTS, judge
from reel_cli.core.tape.search.index import INDEX, open_index
from reel_cli.core.tape.search.overview import Overview
from reel_cli.core.tape.search.ranking import Ranking
from reel_cli.core.tape.session_file import render_session
from reel_cli.core.values.search import Question, SearchResult
from reel_cli.core.values.talk import Conversation, Message

DAYS = (
    ("I planted a quince tree by the pond", "What a lovely thing to do", "It should bear in four years"),
    ("The kettle broke this morning", "Tea from a saucepan, then", "We went to the market later"),
    ("Marta wrote from Lisbon", "How is she?", "She plays the cello again, and sleeps badly"),
    ("The doctor says no penicillin", "Never penicillin, then", "Write it on the fridge"),
)


def ask(text: str, days: Sequence[Sequence[str]] = DAYS, *, threshold: float | None = None) -> SearchResult:
    sessions = {}
    for n, said in enumerate(days):
        name = f"2026-01-{n + 1:02}-1"
        talk = [Message(("user", "assistant")[i % 2], line) for i, line in enumerate(said)]
        sessions[name] = render_session(name, Conversation("messages", talk))
    with open_index(Path("/dev/null/none")) as index:
        index.refresh(dict.fromkeys(sessions, "1"), sessions.__getitem__)
        return index.find(Question(text), threshold=threshold)


def sure(text: str) -> float:
    found = ask(text)
    return max((hit.confidence for hit in (*found.hits, *found.discarded)), default=0.0)


ANSWERED = [
    "Where did I plant the quince tree?",
    "What broke this morning?",
    "Who wrote from Lisbon?",
    "What does the doctor say about penicillin?",
]
UNANSWERED = [
    "Which submarine did the ambassador christen in Valparaiso?",
    "How many violins burned when the opera house collapsed?",
    "What colour was the parachute Ingrid sewed for the festival?",
]


@pytest.mark.parametrize("text", ANSWERED)
def test_what_was_spoken_of_is_answered(text: str) -> None:
    assert ask(text).hits


@pytest.mark.parametrize("text", UNANSWERED)
def test_what_was_not_spoken_of_is_not(text: str) -> None:
    """Memory Keep §II.6: make a query that stands alone, search, rank again, and drop what is doubtful."""
    found = ask(text)
    assert not found.hits
    assert all(hit.confidence < found.threshold == THRESHOLD for hit in found.discarded)


def test_every_answered_question_is_surer_than_every_other() -> None:
    assert min(map(sure, ANSWERED)) > max(map(sure, UNANSWERED))


def test_a_word_more_that_was_never_said_makes_less_sure() -> None:
    assert sure("the quince tree by the pond") > sure("the quince tree by the pond in Valparaiso")


def test_words_that_say_what_sort_of_answer_is_wanted_make_no_less_sure() -> None:
    assert sure("What type of tree is by the pond?") == sure("What tree is by the pond?")
    assert ask("Which various items did the doctor mention about penicillin?").hits


def test_a_year_of_the_tape_need_not_be_said() -> None:
    assert sure("Who wrote from Lisbon in 2026?") == sure("Who wrote from Lisbon?")
    assert sure("Who wrote from Lisbon in 1987?") < sure("Who wrote from Lisbon?")


def test_a_rare_word_that_nobody_said_weighs_more_than_a_common_one() -> None:
    assert sure("the kettle and the tortoise") < sure("the kettle and the state")


def test_what_follows_the_best_is_less_sure() -> None:
    found = ask("the quince tree, the kettle and the market", threshold=0.0)
    sures = [hit.confidence for hit in found.hits]
    assert len(sures) > 1
    assert sures == sorted(sures, reverse=True)


def test_no_tape_and_no_question_are_not_sure() -> None:
    assert judge(INDEX.open_memory(), Ranking(), Overview({}, {}, {}, {}, 0, 0)) == 0.0
    assert ask("kettle", days=()).hits == []
    assert ask("").hits == []


def test_every_feature_has_its_weight() -> None:
    assert len(WEIGHTS) == len(FEATURES)


WORDS = st.lists(
    st.sampled_from(["quince", "kettle", "Lisbon", "Never", "zeppelin", "7", "the", "tree"]),
    min_size=1,
    max_size=30,
).map(" ".join)


@settings(max_examples=60, deadline=None)
@given(WORDS)
def test_sureness_is_a_chance(text: str) -> None:
    found = ask(text, threshold=0.0)
    assert all(0.0 <= hit.confidence <= 1.0 for hit in found.hits)
    assert list(ask(text, threshold=1.1).hits) == []
