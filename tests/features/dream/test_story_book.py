"""A story file read chapter by chapter: the same chapters, additions and amendments as of the whole text."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.core.errors import ReelError
from reel_cli.features.dream.dream import Amendment, Chapter
from reel_cli.features.dream.story.book import Book
from reel_cli.features.dream.story.files import HISTORY, add_chapter, amend, parse_chapters

LINES = st.sampled_from(
    [
        "## One",
        "## ",
        "##",
        "# History",
        "",
        "",
        "the kiln cracked",
        "über – 🫖",
        "  ## no",
        "> a note",
        "the\r",
    ]
)
FILES = st.lists(LINES, max_size=14).map("\n".join)


@settings(max_examples=100, deadline=None)
@given(FILES)
def test_the_chapters_are_those_of_the_text(text: str) -> None:
    """Dream Weaver §6.1: prefer prose to records."""
    book = Book(text.encode(), HISTORY)
    assert list(book) == parse_chapters(text)
    assert book.to_bytes() == text.encode()
    assert [book[-1 - n] for n in range(len(book))] == parse_chapters(text)[::-1]
    assert list(book[1:]) == parse_chapters(text)[1:]


@settings(max_examples=100, deadline=None)
@given(FILES, st.sampled_from(["kiln cracked", "über", "nowhere", "the kiln"]))
def test_it_grows_as_the_text_does(text: str, words: str) -> None:
    chapter = Chapter("Two", "It went on.\n\n## Not one")
    about: dict[str, object] = {"batch": 2}
    amendments = [Amendment(words, "it held"), Amendment("never said", "no")]
    whole, lost = amend(text, amendments, "1 March 2026")
    book, left = Book(text.encode(), HISTORY).amended(amendments, "1 March 2026")
    assert left == lost
    assert book.to_bytes().decode() == whole
    assert book.with_chapter(chapter, about).to_bytes().decode() == add_chapter(
        whole, HISTORY, chapter, about
    )
    assert list(book.with_chapter(chapter, about))[-1].title == "Two"


def test_bytes_that_are_no_text_are_named_by_their_line() -> None:
    book = Book(b"# History\n\n## One\n\nfine\n\n## Two\n\n\xff\n", HISTORY)
    assert book[0].title == "One"
    with pytest.raises(ReelError, match=r"story/history.md, line 9: this is not UTF-8 text"):
        list(book)
