from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.core.tape.continuation import align

readings = st.lists(st.sampled_from("abcdefgh"), max_size=12)


def test_what_is_the_same_is_paired_around_a_change() -> None:
    assert align("abcde", "abXde") == [(0, 0), (1, 1), (3, 3), (4, 4)]


def test_a_message_that_stands_once_is_found_between_changes_on_both_sides() -> None:
    assert align("1c2", "3c4") == [(1, 1)]
    assert align("1cd2", "3cd456") == [(1, 1), (2, 2)]


def test_of_crossed_pairs_the_longer_order_is_kept() -> None:
    assert align("xabcy", "uabcxv") == [(1, 1), (2, 2), (3, 3)]


def test_nothing_in_common_gives_no_pair() -> None:
    assert align("ab", "cd") == []
    assert align("", "cd") == []


@settings(max_examples=100, deadline=None)
@given(readings, readings)
def test_pairs_are_equal_and_rise(old: list[str], new: list[str]) -> None:
    pairs = align(old, new)
    assert all(old[i] == new[j] for i, j in pairs)
    assert all(a < c and b < d for (a, b), (c, d) in pairwise(pairs))


@settings(max_examples=100, deadline=None)
@given(readings)
def test_a_reading_is_paired_with_itself(reading: list[str]) -> None:
    assert align(reading, reading) == [(i, i) for i in range(len(reading))]


@settings(max_examples=100, deadline=None)
@given(st.lists(st.integers(0, 30), unique=True, max_size=20), st.data())
def test_without_repetitions_a_deletion_costs_nothing_else(old: list[int], data: st.DataObject) -> None:
    keep = data.draw(st.lists(st.booleans(), min_size=len(old), max_size=len(old)))
    new = [item for item, kept in zip(old, keep, strict=True) if kept]
    assert len(align(old, new)) == len(new)


def test_thousands_of_equal_and_shuffled_messages_are_no_trouble() -> None:
    many = ["ok"] * 20_000
    assert align(many, [*many[:-1], "no"])[-1] == (19_998, 19_998)
    there, back = list(range(20_000)), list(range(20_000, 0, -1))
    assert len(align(there, back)) == 1
