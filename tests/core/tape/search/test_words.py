"""Words as the index knows them, and what is cut into pairs."""

import sqlite3

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.core.tape.search.query import clean, pairs, words

TEXTS = st.text(st.characters(), max_size=60)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("It's 7 o'clock, Ada_B!", ["it", "s", "7", "o", "clock", "ada", "b"]),
        ("Élan vital", ["élan", "vital"]),
        ("हिन्दी में", ["हिन्दी", "में"]),
        ("東京 tower", ["tower"]),
        ("", []),
    ],
)
def test_words_are_lower_case_and_whole(text: str, found: list[str]) -> None:
    assert words(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("京都で", ["京都", "都で"]),
        ("茶", ["茶"]),
        ("tea 茶 and 抹茶", ["茶", "抹茶"]),
        ("plain", []),
        ("바다", []),
    ],
)
def test_writing_without_spaces_is_cut_into_pairs(text: str, found: list[str]) -> None:
    assert list(pairs(text)) == found


@settings(max_examples=100, deadline=None)
@given(TEXTS)
def test_cleaned_text_is_what_sqlite_takes_and_gives_back(text: str) -> None:
    cleaned = clean(text)
    file = sqlite3.connect(":memory:")
    assert file.execute("SELECT ?", (cleaned,)).fetchone() == (cleaned,)
    file.close()
    assert clean(cleaned) == cleaned


@settings(max_examples=100, deadline=None)
@given(TEXTS)
def test_a_word_holds_no_space_and_a_pair_no_more_than_two(text: str) -> None:
    assert all(word and not any(c.isspace() for c in word) for word in words(clean(text)))
    assert all(1 <= len(pair) <= 2 for pair in pairs(clean(text)))
