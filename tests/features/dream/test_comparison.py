"""The letters of a comparison, and the sums of its marks."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.features.dream.comparing.comparison import (
    LETTERS,
    PAIRS,
    STARTS,
    Comparison,
    Marks,
    Measure,
    Start,
    judge,
    shuffle,
)

TEXTS = {start: f"begin with {start}" for start in STARTS}
TOKENS = dict.fromkeys(STARTS, 100)
A, B, C = STARTS


def drawn(count: int, seed: int | None = None) -> Comparison:
    return shuffle([f"Question {n}?" for n in range(count)], TEXTS, TOKENS, seed)


@given(st.integers(1, 40), st.integers() | st.none())
@settings(max_examples=60, deadline=None)
def test_the_order_is_the_same_each_time_and_every_letter_has_one_answer(
    count: int, seed: int | None
) -> None:
    found = drawn(count, seed)
    assert found == drawn(count, seed)
    assert sorted(found.chats) == sorted(STARTS)
    assert all(sorted(order) == sorted(STARTS) for order in found.orders)
    for question in range(1, count + 1):
        for letter in LETTERS:
            assert found.letter_of(question, found.start_of(question, letter)) == letter


@given(st.integers(1, 8), st.integers())
@settings(max_examples=40, deadline=None)
def test_each_start_stands_in_each_place_equally_often(blocks: int, seed: int) -> None:
    found = drawn(6 * blocks, seed)
    for place in range(3):
        assert Counter(order[place] for order in found.orders) == dict.fromkeys(STARTS, 2 * blocks)
    assert len(set(found.orders)) == 6


def test_another_seed_or_another_question_is_another_comparison() -> None:
    names = {drawn(7, seed).name for seed in (None, 1, 2, 3)} | {drawn(8).name}
    assert len(names) == 5
    assert len({drawn(7, seed).orders for seed in range(20)}) > 15
    assert len({drawn(7, seed).chats for seed in range(40)}) == 6
    other = shuffle(["Question 0?"], {**TEXTS, Start.STORY: "another story"}, TOKENS, 1)
    assert other.name != drawn(1, 1).name
    assert other.orders == drawn(1, 1).orders


def marks(rows: dict[tuple[int, Start], tuple[int | None, int | None]]) -> Marks:
    return {
        row: {m: mark for m, mark in zip(Measure, given, strict=True) if mark is not None}
        for row, given in rows.items()
    }


def test_means_and_differences_of_one_person() -> None:
    sheet = marks(
        {
            (1, A): (1, 2), (1, B): (3, 3), (1, C): (5, 4),
            (2, A): (2, None), (2, B): (3, 3), (2, C): (4, 5),
            (3, A): (2, 1), (3, B): (2, None), (3, C): (5, 5),
        }
    )  # fmt: skip
    verdict = judge(drawn(3), [sheet])
    assert (verdict.given, verdict.asked) == (16, 18)
    means = {start: one.mean for start, one in verdict.means[Measure.COHERENCE].items() if one}
    assert means == {A: pytest.approx(5 / 3), B: pytest.approx(8 / 3), C: pytest.approx(14 / 3)}
    apart = verdict.differences[Measure.COHERENCE][C, B]
    # 2, 1, 3: standard error 0.5774, times 4.3027
    assert apart is not None
    assert (apart.mean, apart.n) == (2, 3)
    assert (round(apart.low or 0, 3), apart.high) == (-0.484, 4.0)
    accuracy = verdict.differences[Measure.ACCURACY]
    told = {pair: (one.mean, one.n) for pair, one in accuracy.items() if one}
    assert told == {(C, B): (1.5, 2), (C, A): (3, 2), (B, A): (1, 1)}
    assert list(accuracy) == list(PAIRS)


def test_several_people_count_once_a_question_and_are_compared_with_themselves() -> None:
    mild = marks({(1, A): (4, 4), (1, B): (4, 4), (1, C): (5, 5), (2, B): (5, 5), (2, C): (5, 5)})
    harsh = marks({(1, A): (1, 1), (1, C): (2, 1), (2, B): (1, 1), (2, C): (2, 1)})
    verdict = judge(drawn(2), [mild, harsh])
    story = verdict.means[Measure.COHERENCE][C]
    assert story is not None
    # not four marks but two questions, each 3.5
    assert (story.mean, story.n, story.low) == (3.5, 2, None)
    apart = verdict.differences[Measure.COHERENCE][C, B]
    assert apart is not None
    # question 1: only the mild one marked both (1); question 2: 0 and 1
    assert (apart.mean, apart.n) == (0.75, 2)


def test_no_marks_no_means() -> None:
    verdict = judge(drawn(2), [marks({})])
    assert (verdict.given, verdict.asked) == (0, 12)
    assert verdict.means[Measure.ACCURACY] == dict.fromkeys(STARTS)
    assert verdict.differences[Measure.ACCURACY] == dict.fromkeys(PAIRS)
