"""Measured words of a session, and how a measure is shown."""

import pytest

from reel_cli.core.values.memory import Exemplar
from reel_cli.core.values.talk import Entry, Kind, Message, Session
from reel_cli.features.page.drift.measure import Measure, SessionDrift, TraitShift, describe
from reel_cli.features.page.drift.sessions import MOST_READ, DriftRow, own_turns, spoken_by

SHORTER, MORE = (
    TraitShift("sentence", -2.0, "sentences 31 % shorter"),
    TraitShift("questions", 1.6, "more questions"),
)


def session(*messages: Message) -> Session:
    numbers = iter(range(1, 99))
    entries = [Entry(next(numbers) if one.kind is Kind.SAID else None, one) for one in messages]
    return Session("2026-02-10-1", None, "text", entries=entries)


def test_only_what_the_persona_said_counts() -> None:
    told = session(
        Message("user", "Hello."),
        Message("assistant", "Good evening."),
        Message("assistant", "Let me think.", Kind.REASONING),
        Message("assistant", "You are Ada.", Kind.BUNDLE),
        Message("assistant", "## What happened", Kind.EXCHANGE),
        Message("assistant", "Another way.", Kind.VERSION),
        Message("system", "Be kind."),
        Message("tool", "{}", Kind.TOOL),
    )
    assert spoken_by(told, ["Ada"]) == ["Good evening."]


def test_in_a_group_no_one_else_s_words_count() -> None:
    told = session(
        Message("assistant", "I am Ada.", name="Ada"),
        Message("assistant", "I am Bo.", name="Bo"),
        Message("assistant", "Still Ada.", name="ADA"),
    )
    assert spoken_by(told, ["Ada"]) == ["I am Ada.", "Still Ada."]
    assert spoken_by(told, ["Cato"]) == ["I am Ada.", "I am Bo.", "Still Ada."]


def test_a_chat_app_s_own_name_for_the_persona_is_hers() -> None:
    assert spoken_by(session(Message("assistant", "Yes.", name="qwen3-14b")), ["Ada"]) == ["Yes."]


def test_of_a_very_long_session_the_last_of_it_is_measured() -> None:
    told = session(*(Message("assistant", f"{n} " + "x" * 9_998) for n in range(9)))
    assert [text[0] for text in spoken_by(told, ["Ada"])] == ["3", "4", "5", "6", "7", "8"]
    assert sum(map(len, spoken_by(session(Message("assistant", "y" * 10**6)), ["Ada"]))) == MOST_READ


def test_of_an_exemplar_the_persona_s_own_turns_count() -> None:
    text = "**Bo:** Are you there?\n\n**Ada:** I am.\n\nAs ever: here.\n\n**Bo**: Good.\n\n__ada:__ Yes.\n"
    turns = own_turns(Exemplar("a", "A", "general", text, ""), "Ada")
    assert [turn.strip() for turn in turns] == ["I am.\n\nAs ever: here.", "Yes."]


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (Measure(1, 9, SessionDrift.SHORT), "too little was said to tell"),
        (
            Measure(9, 99, SessionDrift.EARLY),
            "not yet, as fewer than 5 earlier chats are there to compare with",
        ),
        (
            Measure(9, 99, SessionDrift.EARLY, None, 1.0, moved_from_exemplars=(SHORTER,)),
            "sentences 31 % shorter than in the examples",
        ),
        (Measure(9, 99, SessionDrift.USUAL, 0.5, 1.0, moved=(MORE,)), "as usual"),
        (
            Measure(
                9, 99, SessionDrift.OFF, 1.0, 1.0, moved=(MORE, SHORTER), moved_from_exemplars=(SHORTER, MORE)
            ),
            "sentences 31 % shorter, more questions than in the examples; a little off the usual",
        ),
        (
            Measure(9, 99, SessionDrift.FAR, 2.0, None, moved=(MORE,)),
            "more questions than before; far from the usual",
        ),
    ],
)
def test_a_measure_is_told_in_a_sentence(found: Measure, words: str) -> None:
    assert describe(found) == f"Measured: {words}"


OPPOSITE = {("steady", SessionDrift.FAR), ("shifted", SessionDrift.USUAL)}


@pytest.mark.parametrize("said", ["steady", "shifted", "unsure", ""])
@pytest.mark.parametrize("standing", list(SessionDrift))
def test_word_and_number_disagree_where_they_say_opposite_things(said: str, standing: SessionDrift) -> None:
    row = DriftRow("2026-02-10-1", Measure(9, 99, standing), said)
    assert row.disagrees is ((said, standing) in OPPOSITE)
