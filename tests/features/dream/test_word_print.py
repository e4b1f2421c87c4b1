"""Prints of phrases: found where the words stand, whatever their signs and case, and nowhere else."""

from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.features.dream.word_print import find_printed, print_of

PROMISE = "A studio is a promise you make with your feet"
WORDS = st.sampled_from(["ash", "bell", "cup", "Müller", "鳥", "don't"])


def test_a_phrase_is_found_where_it_stands() -> None:
    told = f"He said {PROMISE.lower()}, and I\nhave carried that since."
    assert find_printed([print_of(PROMISE)], told) == ("a studio is a promise you make with your feet",)
    assert find_printed([print_of("carried — that SINCE")], told) == ("carried that since",)
    assert find_printed([print_of(PROMISE)], told.replace("feet", "hands")) == ()


def test_what_is_no_print_finds_nothing() -> None:
    assert find_printed(["", "3", "0-00000000", "3-xyz", "999-00000000"], f"{PROMISE}.") == ()


@settings(max_examples=60, deadline=None)
@given(st.lists(WORDS, min_size=3, max_size=12), st.data())
def test_any_words_of_a_text_are_found_by_their_print(words: list[str], data: st.DataObject) -> None:
    first = data.draw(st.integers(0, len(words) - 1))
    last = data.draw(st.integers(first + 1, len(words)))
    phrase = " ".join(words[first:last])
    assert find_printed([print_of(phrase)], " ".join(words)) == (phrase,)
