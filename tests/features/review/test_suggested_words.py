"""An exact replacement is found only where a suggestion is certain."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.features.review.suggested_words import find_replacement

TEXT = "I am Ada.\nI am brisk first, and warm later. I never\nask twice.\n"


@pytest.mark.parametrize(
    ("suggestion", "becomes"),
    [
        (
            'Yes: I would change "brisk first" to "warm first", because it is so.',
            ("brisk first", "warm first"),
        ),
        ('I\'d say "warm first" rather than "brisk first".', ("brisk first", "warm first")),
        ("Replace “warm later” with “warm always”.", ("warm later", "warm always")),
        ("Change `warm later` → `warm soon`.", ("warm later", "warm soon")),
        ('The line "brisk first" should read "soft first".', ("brisk first", "soft first")),
        ('"brisk first," becomes "soft first."', ("brisk first", "soft first")),
        ("«brisk first» should be «soft first»", ("brisk first", "soft first")),
        ("Replace “never ask twice” with “ask once.”", ("never\nask twice", "ask once")),
        (
            '"quick" is too much, but "brisk first" to "slow first" I would like',
            ("brisk first", "slow first"),
        ),
    ],
)
def test_the_words_that_are_replaced(suggestion: str, becomes: tuple[str, str]) -> None:
    found = find_replacement(suggestion, TEXT)
    assert found is not None
    assert found.apply(TEXT) == TEXT.replace(*becomes)


@pytest.mark.parametrize(
    "suggestion",
    [
        "",
        "Not a word.",
        'Add "and kind" after "brisk first".',
        'I would not change "brisk first" to "warm first".',
        'Don\'t change "brisk first" to "warm first".',
        'Change "brisk first" to "slow first" and "warm later" to "cold later".',
        'Change "I am" to "we are".',
        'Change "brisk" to "brisk".',
        'Change "isk fir" to "x".',
        'Change "slow" to "slower".',
        'Change "brisk first" to "".',
        'Change "brisk first" to ".".',
        'Change "." to "!".',
    ],
)
def test_what_is_not_certain(suggestion: str) -> None:
    assert find_replacement(suggestion, TEXT) is None


@settings(max_examples=100, deadline=None)
@given(st.text(st.sampled_from('ab "“”→to.,\n()[]\\*+?^$|{}'), max_size=60), st.text(max_size=60))
def test_only_the_words_that_are_found_ever_change(suggestion: str, text: str) -> None:
    found = find_replacement(suggestion, text)
    if found is not None:
        assert text[found.start : found.end] == found.old
        assert found.new
        assert found.new in suggestion
        assert found.apply(text) == text[: found.start] + found.new + text[found.end :]
