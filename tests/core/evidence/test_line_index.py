"""The index of lines finds what reading each line finds."""

import re
from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from reel_cli.core.evidence.grounding.lexicon import quote_key
from reel_cli.core.evidence.grounding.words import word_forms
from reel_cli.core.evidence.line_index import LineIndex

WORDS = (
    "ferry",
    "ferries",
    "ferryman",
    "seven",
    "7",
    "7,043",
    "children",
    "kid",
    "wrote",
    "grandma",
    "Straße",
    "harbour-master",
    "o'clock",
    "_late_",
    "never",
    "Ünal",
    "ring",
    "running",
    "ﷺ",
)
TEXTS = st.lists(
    st.lists(st.sampled_from((*WORDS, "\n", "\n\n", ", ")), max_size=12).map(" ".join), max_size=4
)


def index_of(texts: Sequence[str]) -> LineIndex:
    index = LineIndex()
    for text in texts:
        index.add(text)
    return index


@given(TEXTS, st.sampled_from((*WORDS, "dog", "write", "run")))
def test_a_word_is_found_in_every_form(texts: Sequence[str], word: str) -> None:
    index, forms = index_of(texts), word_forms(word)
    assert index.find_forms(forms) == {
        number for number, line in enumerate(index.lines) if forms.stands_in(line)
    }


@given(TEXTS, st.lists(st.sampled_from(WORDS), min_size=1, max_size=2).map(" ".join))
def test_no_line_with_the_words_is_passed_over(texts: Sequence[str], told: str) -> None:
    index, plain = index_of(texts), told.casefold()
    whole, begun = re.compile(rf"\b{re.escape(plain)}\b"), re.compile(rf"\b{re.escape(plain[:-1])}")
    for number, line in enumerate(index.lines):
        assert number in index.find_words(plain) or not whole.search(line)
        assert number in index.find_words(plain[:-1], goes_on=True) or not begun.search(line)


@given(TEXTS, st.sampled_from(("erry", "rry", "7", "043", "_late_", "child", "ß", "ss")))
def test_a_part_of_a_word_is_found(texts: Sequence[str], part: str) -> None:
    index = index_of(texts)
    assert set(index.find_part(part)) == {number for number, line in enumerate(index.lines) if part in line}


def test_a_text_of_two_parts_is_one_and_empty_lines_do_not_count() -> None:
    index = LineIndex()
    assert [index.add("The ferry", "\n\nIt was late.\n \nAnd cold."), index.add(), index.add("No.")] == [
        0,
        1,
        2,
    ]
    assert index.lines == ["the ferry", "it was late.", "and cold.", "no."]
    assert [list(index.lines_of(text)) for text in range(3)] == [[0, 1, 2], [], [3]]
    assert index.text_of == [0, 0, 0, 2]
    assert index.quote_key(1) == quote_key("it was late.")


def test_a_text_added_later_is_found_too() -> None:
    index = index_of(["The ferry left."])
    assert index.find_forms(word_forms("ferry")) == {0}
    index.add("Two ferrymen sang.")
    assert index.find_forms(word_forms("ferry")) == {0, 1}
