"""Closings of threads: which words of a stretch, or of the one before, let a matter go."""

import pytest

from reel_cli.core.values.talk import Entry, Message
from reel_cli.features.dream.dream import Status, Thread, ThreadWord
from reel_cli.features.dream.thread_closing import SaidInStretch, date_closings

SOLD = "I sold the house in the end."


def closed_on(
    *said: tuple[str, str, str],
    words: str = SOLD,
    status: Status = Status.LET_GO,
    before: bool = False,
    about: str = "the mosaic above the door",
) -> str:
    """Return the day on which quoted words close Kenta's thread of 3 January; "" where it stays open."""
    thread = Thread(1, Status.OPEN, "2026-01-03", "Kenta", about)
    entries = [
        (day, Entry(number, Message("user" if name else "assistant", text, name=name or None)))
        for number, (day, name, text) in enumerate(said, 1)
    ]
    stretch = SaidInStretch((), entries) if before else SaidInStretch(entries)
    dated, unclosed = date_closings([ThreadWord(1, status, f'"{words}"')], {1: thread}, stretch, ("Kenta",))
    assert len(dated) + len(unclosed) == 1
    return dated[0].day if dated else ""


@pytest.mark.parametrize(
    ("said", "day"),
    [
        ([("2026-01-09", "Kenta", SOLD)], "2026-01-09"),
        ([("2026-01-09", "Kenta", SOLD), ("2026-01-10", "Liam", "Rain.")], "2026-01-09"),
        # of several who talk, only of whom the thread names
        ([("2026-01-09", "Liam", SOLD), ("2026-01-10", "Kenta", "Rain.")], ""),
        # not before there was anything to overtake, nor by the persona
        ([("2026-01-03", "Kenta", SOLD)], ""),
        ([("2026-01-09", "", SOLD), ("2026-01-10", "Kenta", "Rain.")], ""),
    ],
)
def test_what_the_one_it_is_about_said_later_overtakes_a_thread(
    said: list[tuple[str, str, str]], day: str
) -> None:
    assert closed_on(*said) == day


def test_a_few_words_overtake_nothing() -> None:
    assert closed_on(("2026-01-09", "Kenta", SOLD), words="I sold the house") == ""
    assert closed_on(("2026-01-09", "Kenta", SOLD), words="I sold the house in the") == "2026-01-09"


def test_an_answer_to_a_question_about_a_thread_closes_it() -> None:
    words = "Hung it on the 3rd of May!"
    for asked, day in (("And the mosaic?", "2026-01-09"), ("And the roof?", ""), ("The mosaic is fine.", "")):
        said = ("2026-01-09", "", asked), ("2026-01-09", "Kenta", f"DONE. {words}")
        assert closed_on(*said, words=words, status=Status.DONE) == day


def test_a_question_of_another_chat_is_no_question_of_the_answer() -> None:
    words = "Hung it on the 3rd of May!"
    asked = Entry(9, Message("assistant", "And the mosaic?"))
    said = Entry(2, Message("user", words, name="Kenta"))
    thread = Thread(1, Status.OPEN, "2026-01-03", "Kenta", "the mosaic above the door")
    stretch = SaidInStretch([("2026-01-20", asked)], [("2026-01-09", said)])
    closing = [ThreadWord(1, Status.DONE, f'"{words}"')]
    assert date_closings(closing, {1: thread}, stretch, ("Kenta",))[0] == []


def test_words_of_the_stretch_before_close_a_thread_from_its_day_on() -> None:
    words = "The mosaic hangs above the door."
    for said, day in (("2026-01-02", ""), ("2026-01-03", "2026-01-03")):
        assert closed_on((said, "Kenta", words), words=words, status=Status.DONE, before=True) == day


@pytest.mark.parametrize(
    ("about", "day"),
    [
        ("never to sell the mosaic; I broke it on the 5th of January", "2026-01-09"),
        ("no sugar by Easter; broken, and no new promise made", "2026-01-09"),
        ("the broken tile above the door", ""),
    ],
)
@pytest.mark.parametrize("status", [Status.LET_GO, Status.DONE])
def test_a_promise_that_was_broken_can_be_let_go_of(about: str, day: str, status: Status) -> None:
    assert closed_on(("2026-01-09", "Kenta", "Rain."), words="so it is", about=about, status=status) == day


def test_the_number_of_its_day_names_a_thread() -> None:
    words = "4th was ok by the way."
    for about, day in (("on the 4th i'm going to sail out", "2026-01-09"), ("on the 5th i sail out", "")):
        said = ("2026-01-09", "Kenta", words)
        assert closed_on(said, words=words, status=Status.DONE, about=about) == day


@pytest.mark.parametrize(
    "words",
    [
        "I missed the mosaic above the door again.",
        "I never hung the mosaic above the door.",
        "Das Mosaik, the mosaic above the door, habe ich vergessen.",
    ],
)
def test_words_that_say_it_was_missed_do_not_show_that_it_was_done(words: str) -> None:
    """Dream Weaver §3.3: honest about what fell through."""
    assert closed_on(("2026-01-09", "Kenta", words), words=words, status=Status.DONE) == ""
    done = "I hung the mosaic above the door."
    assert closed_on(("2026-01-09", "Kenta", done), words=done, status=Status.DONE) == "2026-01-09"
