"""A story in little room: what fits is told, the newest best, and nothing apart from what amends it."""

from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.features.dream.dream import Amendment, Chapter
from reel_cli.features.dream.shortening import AMENDED, SHORT, TITLE, WHOLE, tell_newest_whole
from reel_cli.features.dream.story.files import HISTORY, add_chapter, amend, parse_chapters


class Plain:
    """Chapters under their titles."""

    def whole(self, chapter: Chapter) -> str:
        return f"{chapter.title}\n\n{chapter.text}\n\n"

    def short(self, chapter: Chapter, text: str) -> str:
        return f"{chapter.title}\n\n{text}".rstrip("\n") + "\n\n"


def words(text: str) -> int:
    """A counter that anybody can follow: a word is a token, and so is a paragraph's end."""
    return len(text.split()) + text.count("\n\n")


def chapter(number: int, paragraphs: int) -> Chapter:
    told = (
        f"In {number} part {part} began here. Then came more of it, and more." for part in range(paragraphs)
    )
    return Chapter(f"Title {number}", "\n\n".join(told))


CHAPTERS = st.lists(st.integers(0, 9), max_size=30).map(
    lambda sizes: [chapter(*pair) for pair in enumerate(sizes)]
)


@given(CHAPTERS, st.integers(-5, 900))
@settings(max_examples=100, deadline=None)
def test_the_newest_is_told_best_and_all_of_it_fits(chapters: list[Chapter], room: int) -> None:
    told = tell_newest_whole(chapters, room, Plain(), words)
    assert sum(one.tokens for one in told) <= max(room, 0)
    assert [one.tokens for one in told] == [words(one.text) for one in told]
    assert [one.place for one in told] == list(range(len(chapters)))[len(chapters) - len(told) :]
    whole = [one.resolution == WHOLE for one in told]
    assert whole == sorted(whole)
    if sum(words(Plain().whole(one)) for one in chapters) <= room:
        assert all(whole)
        assert len(told) == len(chapters)
    for one in told:
        title = chapters[one.place].title
        assert one.text.startswith(f"{title}\n\n")
        assert (one.text == f"{title}\n\n") == (one.resolution == TITLE) or not chapters[one.place].text


def test_a_digest_is_how_each_paragraph_begins() -> None:
    said = 'He said "keep it." So we did.'
    text = f"It leaned from the first day. {'We laughed. ' * 90}\n\n### Later\n\n{said}\n\n> a quote, whole"
    (told,) = tell_newest_whole([Chapter("The kiln", text)], 22, Plain(), words)
    assert (told.resolution, told.text) == (
        SHORT,
        'The kiln\n\nIt leaned from the first day. He said "keep it." > a quote, whole\n\n',
    )


def test_a_digest_goes_on_while_there_is_room() -> None:
    text = "It leaned. Marta came on 3 May with 12 bowls.\n\nWe fired it. It held, and we were glad of that."
    one = Chapter("The kiln", f"{text}\n\n{'It rained all day and all night there. ' * 40}")
    seen = {told.text for room in range(10, 60) for told in tell_newest_whole([one], room, Plain(), words)}
    assert any("It leaned. Marta came on 3 May with 12 bowls.\n\n" in text for text in seen)
    for text in seen:
        # a paragraph is told from its beginning on
        assert ("with 12 bowls" not in text) or ("It leaned. Marta" in text)
        assert ("It held" not in text) or ("We fired it. It held" in text)


def test_a_quotation_is_not_parted() -> None:
    said = 'She asked: "Is it set? Then it is fine. I go on 9 May." I nodded.'
    one = Chapter("The kiln", f"{said}\n\n{'It rained all day and all night. ' * 60}")
    for room in range(5, 60):
        for told in tell_newest_whole([one], room, Plain(), words):
            assert told.text.count('"') in (0, 2)
    long = Chapter("The kiln", f'She said: "{"And it rained on and on. " * 40}" So it was.\n\n{said * 30}')
    for told in tell_newest_whole([long], 150, Plain(), words):
        assert told.text.count('"') % 2 == 0
        assert " …" in told.text


def test_the_sentence_that_tells_most_comes_first() -> None:
    plain = "The new year began like that for us."
    one = Chapter("Two maps", f"{plain}\n\nOn 4 May Marta flew to Galway.\n\n{'It rained again. ' * 90}")
    (told,) = tell_newest_whole([one], 16, Plain(), words)
    assert told.text == "Two maps\n\nOn 4 May Marta flew to Galway.\n\n"


def test_a_nearer_chapter_has_a_sentence_before_an_older_one_has_several() -> None:
    chapters = [chapter(n, 9) for n in range(5)]
    for room in range(20, 120):
        told = tell_newest_whole(chapters, room, Plain(), words)
        short = [one.resolution != TITLE for one in told]
        assert short == sorted(short)
        # titles alone tell nothing
        assert not told or any(short)


def test_where_nothing_fits_whole_the_newest_has_half_of_the_room() -> None:
    told = tell_newest_whole([chapter(n, 40) for n in range(20)], 160, Plain(), words)
    assert told[-1].resolution == SHORT
    assert 60 <= told[-1].tokens <= 80
    assert tell_newest_whole([chapter(n, 40) for n in range(20)], 60, Plain(), words)[0].place > 0


def test_an_amendment_goes_where_its_chapter_goes() -> None:
    text = add_chapter("", HISTORY, Chapter("The kiln", "It leaned that day. " + "It rained. " * 60), {})
    text, lost = amend(text, [Amendment("It leaned", "It stood. " * 10)], "today")
    assert lost == []
    (one,) = parse_chapters(text)
    assert one.text.rpartition("\n\n")[2].startswith(AMENDED)
    for room in range(300):
        for told in tell_newest_whole([one], room, Plain(), words):
            assert ("It leaned that day." in told.text) == ("It stood. It stood." in told.text)
