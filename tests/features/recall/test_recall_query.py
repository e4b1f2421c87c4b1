"""Scope of a query: days, months, years and sessions, and the origins."""

from datetime import date

import pytest

from reel_cli.core.errors import ReelError, UsageError
from reel_cli.features.recall.recall_query import (
    Scope,
    asks_where_stopped,
    date_query,
    medicine_query,
    names_dose,
    sessions_in,
    spoken_origin,
    without_asking,
)

TAPE = ["2025-12-31-1", "2026-02-09-1", "2026-02-10-1", "2026-02-10-2", "2026-02-10-10", "2026-03-01-1"]


@pytest.mark.parametrize(
    ("scope", "left"),
    [
        (Scope(), TAPE),
        (Scope(since="2026-02-10"), TAPE[2:]),
        (Scope(since="2026-02-10-2"), TAPE[3:]),
        (Scope(until="2026-02-10"), TAPE[:5]),
        (Scope(until="2026-02-10-10"), TAPE[:4]),
        (Scope(until="2025-12-31-1"), []),
        (Scope(since="2026-02", until="2026-02"), TAPE[1:5]),
        (Scope(until="2025"), TAPE[:1]),
        (Scope(since="2026"), TAPE[1:]),
        (Scope(since="2024-02-29", until="2025-12"), TAPE[:1]),
        (Scope(session="2026-02-10-2"), TAPE[3:4]),
        (Scope(session="2026-02-10-2", until="2026-02-10-2"), []),
    ],
)
def test_a_scope_leaves_what_lies_in_it(scope: Scope, left: list[str]) -> None:
    assert list(sessions_in(scope, TAPE, TAPE)) == left


@pytest.mark.parametrize(
    "word", ["yesterday", "2026-13", "2026-02-30", "2026-2-1", "0000", "2026-02-10-0", "-"]
)
def test_what_is_neither_a_day_nor_a_session_is_a_usage_error(word: str) -> None:
    for scope in (Scope(since=word), Scope(until=word)):
        with pytest.raises(UsageError, match="neither a day nor a chat"):
            sessions_in(scope, TAPE, TAPE)


@pytest.mark.parametrize(
    ("query", "sought"),
    [
        ("find memories of CHAIN directives related to DCD", "CHAIN directives related to DCD"),
        ("Show me all moments with Hana", "Hana"),
        ("find the boat", "find the boat"),
        ("memories of the sea", "memories of the sea"),
        ("find memories", "find memories"),
        ("find STAGE-origin memories involving the bar", "STAGE-origin the bar"),
    ],
)
def test_words_that_only_ask_for_memories_are_not_looked_for(query: str, sought: str) -> None:
    assert without_asking(query) == sought


@pytest.mark.parametrize(
    ("query", "asks"),
    [
        ("feeling better, what's next?", True),
        ("Hi Ada, where were we?", True),
        ("Good morning! Let\u2019s continue where we left off.", True),
        ("What were we talking about last time?", True),
        ("continue", True),
        ("What is the next step for the garden?", False),
        ("what did we do last time in Rome", False),
        ("feeling better", False),
        ("recall the", False),
        ("hi " * 60 + "what now", False),
    ],
)
def test_a_query_may_only_ask_where_one_stopped(query: str, asks: bool) -> None:  # noqa: FBT001
    assert asks_where_stopped(query, ["Ada", "Bo", ""]) is asks


@pytest.mark.parametrize(
    ("query", "dated"),
    [
        ("what did we do last Tuesday", "what did we do on 2026-02-10"),
        ("what did Bo say about gloves last Tuesday?", "what did Bo say about gloves on 2026-02-10?"),
        ("what did we say yesterday", "what did we say on 2026-02-14"),
        ("what did Bo say about yesterday's ferry", "what did Bo say about yesterday's ferry"),
        ("what did we do next Tuesday", "what did we do next Tuesday"),
        ("two years ago", "two years ago"),
    ],
)
def test_a_day_told_from_today_is_one_of_the_tape_or_all_that_is_asked(query: str, dated: str) -> None:
    days = {"2026-02-10", "2026-02-25"}
    assert date_query(query, date(2026, 2, 15), days, {"user": "Bo", "assistant": "Ada"}) == dated


def test_a_session_that_is_not_there_is_named() -> None:
    for scope in (Scope(since="2026-02-10-3"), Scope(until="2026-02-10-3"), Scope(session="2026-02-10-3")):
        with pytest.raises(ReelError, match="There is no recorded chat 2026-02-10-3"):
            sessions_in(scope, TAPE, TAPE)


def test_a_session_that_was_taken_back_may_bound_but_is_not_looked_in() -> None:
    standing = [name for name in TAPE if name != "2026-02-10-1"]
    assert list(sessions_in(Scope(until="2026-02-10-1"), standing, TAPE)) == TAPE[:2]
    with pytest.raises(ReelError, match="was taken back"):
        sessions_in(Scope(session="2026-02-10-1"), standing, TAPE)


@pytest.mark.parametrize(
    ("query", "spoken"),
    [
        ("CHAIN directives about DCD", ("chain-origin", "DCD")),
        ("the directive", ("chain-origin", "the")),
        ("the scene at the bar", ("stage-origin", "the at the bar")),
        ("a scenery of chained dogs", None),
        ("", None),
    ],
)
def test_a_query_may_speak_of_how_it_came(query: str, spoken: tuple[str, str] | None) -> None:
    assert spoken_origin(query) == spoken


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("what is the dose", "what is the dose of bisoprolol and vitamin d"),
        ("whats the dose?", "what is the dose of bisoprolol and vitamin d"),
        ("my tablets", "what is the dose of bisoprolol and vitamin d"),
        ("Bisoprolol dose", "what is the dose of bisoprolol"),
        ("dose of vitamin D", "what is the dose of vitamin d"),
        ("metoprolol dose", "what is the dose of metoprolol"),
        ("did I take my pills", "did I take my pills"),
        ("the dog's tablets", "the dog's tablets"),
        ("ibuprofen dose", "ibuprofen dose"),
        ("how is the cat", "how is the cat"),
        ("my new tablet", "my new tablet"),
        ("take that pill", "take that pill"),
        ("which medicine was it before", "which medicine was it before"),
    ],
)
def test_a_question_for_the_dose_names_the_medicines_of_the_kit(text: str, expected: str) -> None:
    assert medicine_query(text, lambda: (["bisoprolol", "vitamin d"], ["metoprolol"])) == expected
    assert medicine_query("my tablets", lambda: ([], [])) == "my tablets"


def test_a_fact_names_a_medicine_where_it_gives_a_dose() -> None:
    assert names_dose("constraints/bisoprolol", "1.25 mg at night") == "bisoprolol"
    assert names_dose("health/medicine", "Ramipril 5 mg") == "Ramipril"
    assert names_dose("constraints/eyes", "two drops at night") == "eyes"
    assert names_dose("constraints/allergy", "penicillin") == ""
    assert names_dose("preferences/tea", "2 g of sugar") == ""
    assert names_dose("context/bread", "500 g flour, 2 tablespoons") == ""
