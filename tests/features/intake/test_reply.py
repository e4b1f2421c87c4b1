"""Answers of a persona on what may be worth keeping, in any form."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.features.intake.reply import Answer, Line, read_answers, read_remember_lines


def told(text: str, count: int = 9) -> list[tuple[int, str, str, tuple[str, ...]]]:
    return [(one.number, one.where, one.why, one.told) for one in read_answers(text, count)]


FACT = ("relationships", "sister", "Ines")


@pytest.mark.parametrize(
    "line",
    [
        "1: fact — relationships / sister / Ines — she asks often",
        "1. fact - relationships/sister/Ines - she asks often",
        "- **1** – Fact: relationships / sister / Ines (because she asks often)",
        "1) as a fact, relationships / sister / Ines, because she asks often.",
        "| 1 | fact | relationships | sister | Ines | she asks often |",
        '1: "My sister Ines is here" — fact — relationships / sister / Ines — she asks often',
        "1: fact — relationships / sister / Ines\n   because she asks often",
        """[{"number": 1, "where": "facts", "kind": "relationships", "key": "sister", "value": "Ines",
        "why": "she asks often"}]""",
    ],
)
def test_a_fact_in_many_shapes(line: str) -> None:
    assert told(line) == [(1, "facts", "she asks often", FACT)]


@pytest.mark.parametrize(
    "line",
    [
        '"the wall is his" — lived — it stuck',
        "- **“the wall is his”** – lived (because it stuck)",
        "4: „the wall is his“ — lived — it stuck",
        "| 「the wall is his」 | lived | it stuck |",
        '+ "the wall is his": lived, because it stuck.',
        '[{"words": "the wall is his", "where": "lived", "why": "it stuck"}]',
        '[{"number": 4, "quote": "“the wall is his”", "where": "lived", "why": "it stuck"}]',
    ],
)
def test_words_that_nobody_asked_about_in_many_shapes(line: str) -> None:
    (one,) = read_answers(line, 3)
    assert (one.words, one.where, one.why) == ("the wall is his", "experience", "it stuck")


def test_words_repeated_before_an_answer_are_none() -> None:
    (one,) = read_answers('3: "the wall is his" — lived — it stuck', 3)
    assert (one.number, one.where, one.words) == (3, "experience", "")
    (one,) = read_answers('3: lived — it stuck\n"the wall", he said', 3)
    assert (one.number, one.words) == (3, "")


def test_every_place_and_several_numbers_at_once() -> None:
    text = (
        "1: lived — the first time he cried\n2: open — ask about Friday — she is afraid\n"
        "3, 5-6: nowhere\n4: somewhere nice\n7: table quests: title = The well; status = open — for later\n"
        "7. nope\nThe rest: nowhere — in passing"
    )
    answers = list(read_answers(text, 9))
    assert [(one.number, one.where, one.why) for one in answers] == [
        (1, "experience", "the first time he cried"),
        (2, "working", "she is afraid"),
        *((number, "nowhere", "") for number in (3, 5, 6)),
        (4, "", ""),
        (7, "domain", "for later"),
        (7, "", ""),
        (8, "nowhere", "in passing"),
        (9, "nowhere", "in passing"),
    ]
    assert answers[1].told == ("ask about Friday",)
    assert answers[6].row == "quests: title = The well; status = open"


def test_json_by_number() -> None:
    assert told('{"1": "nowhere — passing", "2": {"where": "lived", "why": "dear"}}') == [
        (1, "nowhere", "passing", ()),
        (2, "experience", "dear", ()),
    ]
    assert told("Nothing of this matters.") == []


@settings(max_examples=60, deadline=None)
@given(st.text('123:.,-—|/=;*() \nfactopen nowhere{}[]"', max_size=200))
def test_whatever_comes_in_is_an_answer_or_none(text: str) -> None:
    for one in read_answers(text, 5):
        assert isinstance(one, Answer)
        assert one.number >= 0


@pytest.mark.parametrize(
    ("reply", "lines"),
    [
        ("Yes.\n\nRemember: her name is Ines (because she asks)", [Line("her name is Ines", "she asks")]),
        (
            "Ok\n- **Remember:** tea\n* remember (fact): no sugar\n",
            [Line("tea"), Line("no sugar", "", "facts")],
        ),
        (
            "_Remember as something we lived: he cried, because of Rome_",
            [Line("he cried", "of Rome", "experience")],
        ),
        ("(Remember: call on Friday, to keep in mind now)", [Line("call on Friday", "", "working")]),
        ("Remember: take breaks.\nAnd what else?", []),
        ("Remember the sea? I do.", []),
        ("Remember:", []),
        ("Remember: a\x1b[2J\u202e | b", [Line("a [2J | b")]),
    ],
)
def test_lines_at_the_end_of_a_reply(reply: str, lines: list[Line]) -> None:
    assert list(read_remember_lines(reply, "Remember")) == lines


def test_another_word_and_no_more_than_five() -> None:
    assert list(read_remember_lines("Gut.\nMerke: Tee", "Merke")) == [Line("Tee")]
    many = "\n".join(f"Remember: t{n}" for n in range(9))
    assert [one.words for one in read_remember_lines(many, "Remember")] == [f"t{n}" for n in range(4, 9)]
