"""Excerpts of a story: what fits, and of that what the bundle does not say yet."""

from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.features.dream.dream import Amendment, Chapter
from reel_cli.features.dream.shortening import SHORT
from reel_cli.features.dream.story.files import HISTORY, add_chapter, amend, parse_chapters
from reel_cli.features.dream.waking.excerpts import list_stems, tell_excerpts
from tests.features.dream.test_shortening import CHAPTERS, Plain, words


@given(CHAPTERS, st.integers(-5, 300))
@settings(max_examples=100, deadline=None)
def test_excerpts_fit_and_stand_in_their_order(chapters: list[Chapter], room: int) -> None:
    told = tell_excerpts(chapters, room, Plain(), words, list_stems("Title part began"))
    assert sum(one.tokens for one in told) <= max(room, 0)
    assert [one.tokens for one in told] == [words(one.text) for one in told]
    assert [one.place for one in told] == sorted({one.place for one in told})
    for one in told:
        assert one.resolution == SHORT
        assert one.text.startswith(f"{chapters[one.place].title}\n\nIn {one.place} ")


FIRED = "On 3 May Marta fired 2 bowls with Tomas."
CARRIED = "In June we carried the glaze home in the Volvo."


def test_what_is_not_said_already_comes_first_whichever_chapter_has_it() -> None:
    chapters = [
        Chapter("Early", f"{CARRIED} {'So it was. ' * 30}"),
        Chapter("Late", f"{FIRED} It held well."),
    ]
    (told,) = tell_excerpts(chapters, 20, Plain(), words, list_stems(FIRED))
    assert (told.place, told.text) == (0, f"Early\n\n{CARRIED} So it was. So it was.\n\n")
    (told,) = tell_excerpts(chapters, 20, Plain(), words, list_stems(CARRIED))
    assert told.place == 1
    assert told.text.startswith(f"Late\n\n{FIRED}")


def test_a_sentence_that_names_nobody_stands_only_behind_the_one_before() -> None:
    one = Chapter(
        "The kiln", f'{FIRED} She laughed until the neighbours came. "Never again!" she said. {CARRIED}'
    )
    seen = {told.text for room in range(60) for told in tell_excerpts([one], room, Plain(), words, ())}
    assert any("She laughed" in text for text in seen)
    for text in seen:
        assert "She laughed" not in text or f"{FIRED} She laughed" in text
        assert "Never again" not in text or 'came. "Never again!"' in text


def test_who_is_quoted_shows_from_the_sentence_before() -> None:
    one = Chapter("The kiln", f'{"So it was. " * 30}"Marta fired 2 bowls in Lisbon." {CARRIED} It rained.')
    texts = [told.text for room in range(60) for told in tell_excerpts([one], room, Plain(), words, ())]
    assert any(CARRIED in text for text in texts)
    assert not any("Lisbon" in text for text in texts)


DIED = "In May she came late. Mr Dunmore had died, who drove the 44. His daughter was stuck near Strensham."
QUARREL = "Then 5 September. Kerstin had told Signe. I read his promise to him. That was the end of July."


def told_in(text: str, rooms: range = range(80)) -> set[str]:
    """Return what is told of a chapter in rooms of any size."""
    one = [Chapter("Told", text)]
    told = (excerpt.text for room in rooms for excerpt in tell_excerpts(one, room, Plain(), words, ()))
    return {text.removeprefix("Told\n\n").strip() for text in told}


def test_a_sentence_about_somebody_stands_behind_the_one_that_names_them() -> None:
    seen = told_in(f"{DIED}\n\n{QUARREL}")
    assert any("Strensham" in text for text in seen)
    assert not [text for text in seen if "His daughter" in text and "44. His daughter" not in text]
    assert any("Then 5 September" in text for text in seen)
    assert not [text for text in seen if "5 September" in text and "5 September. Kerstin" not in text]
    assert not [text for text in seen if "That was" in text and "to him. That was" not in text]


def test_of_a_paragraph_neighbouring_sentences_are_told() -> None:
    paragraph = [f"Marta fired bowl {at} for Tomas in Town{at}." for at in range(9)]
    for text in told_in(" ".join(paragraph)):
        told = [at for at, sentence in enumerate(paragraph) if sentence in text]
        assert told == [*range(told[0], told[-1] + 1)]
        assert len(told) > 1 or told == [0]


def test_where_no_passage_fits_one_sentence_that_tells_something_is_told() -> None:
    assert told_in("Then 5 September. Kerstin had told Signe that he went there.", range(9)) == set()
    assert told_in(f"{FIRED} He went home with her on foot through rain.", range(15)) == {FIRED}


def test_what_an_excerpt_has_said_is_not_said_once_more() -> None:
    again = "On 3 May Marta fired 2 bowls with Tomas there."
    one = Chapter("The kiln", f"{FIRED}\n\n{again}\n\nIn a quiet week of June we carried all the glaze home.")
    (told,) = tell_excerpts([one], 31, Plain(), words, ())
    assert told.text == f"The kiln\n\n{FIRED} In a quiet week of June we carried all the glaze home.\n\n"


def test_without_capitals_any_sentence_may_stand() -> None:
    one = Chapter("窑", "那天下雨了，我们一起烧了碗。\n\n后来他把釉带回家。")
    assert tell_excerpts([one], 20, Plain(), words, ())


def test_an_excerpt_has_what_was_put_right_in_its_chapter() -> None:
    text = add_chapter("", HISTORY, Chapter("The kiln", f"At Marta's it leaned that day. {CARRIED}"), {})
    text, lost = amend(text, [Amendment("it leaned", "It stood. " * 10)], "today")
    assert lost == []
    (one,) = parse_chapters(text)
    rooms = [tell_excerpts([one], room, Plain(), words, ()) for room in range(80)]
    assert any(rooms)
    for told in (one for some in rooms for one in some):
        assert "It stood. It stood." in told.text


def test_a_very_long_story_is_looked_through_from_its_end() -> None:
    chapters = [Chapter(f"Part {n}", f"Marta fired bowl {n} in Town{n}. {'So. ' * 5_000}") for n in range(20)]
    told = tell_excerpts(chapters, 500, Plain(), words, ())
    assert [one.place for one in told] == [16, 17, 18, 19]
