"""Moments as they are told: dated, by speaker, cut around what matched, never over a budget."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, timedelta, timezone

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.core.tokens.counter import get_tokenizer
from reel_cli.core.values.search import Hit
from reel_cli.core.values.settings import Settings
from reel_cli.core.values.talk import Entry, Event, Message, Session
from reel_cli.features.recall.moments import (
    BETWEEN,
    LEAST_TOKENS,
    MATCH_LONGEST,
    OTHERS_LONGEST,
    Moment,
    Turn,
    clip,
    fit_moments,
    focus,
    render_block,
    tell_moment,
    tell_words,
    without_told,
)
from reel_cli.features.recall.recall_answer import RecallAnswer, as_lived

KIT = Settings(name="Ada", user="Bo")


def session(*texts: str, time: str | None = "2026-02-25T21:30:00+00:00", name: str | None = None) -> Session:
    entries = [
        Entry(n, Message("user" if n % 2 else "assistant", text, time=time, name=name))
        for n, text in enumerate(texts, start=1)
    ]
    return Session("2026-02-25-1", "2026-02-25T21:30:00+00:00", "messages", entries=entries)


def hit(message: int, first: int, last: int, *terms: str) -> Hit:
    return Hit("2026-02-25-1", message, (first, last), 1.0, 0.9, terms=terms)


def told(found: Hit, lived: Session, mended: Sequence[Event] = ()) -> Moment:
    moment = tell_moment(found, lived, KIT, UTC, mended)
    assert moment is not None
    return moment


def test_a_moment_that_ends_on_a_question_is_told_with_the_answer_where_it_is_wanted() -> None:
    lived = session("Labels, then.", "What did she write?", "Sorry, love.", "What for?")

    def numbers(found: Hit, *, answered: bool) -> list[int | None]:
        moment = tell_moment(found, lived, KIT, UTC, answered=answered)
        return [turn.number for turn in moment.turns] if moment is not None else []

    assert numbers(hit(2, 1, 2), answered=True) == [1, 2, 3]
    assert numbers(hit(2, 1, 2), answered=False) == [1, 2]
    assert numbers(hit(3, 3, 3), answered=True) == [3]
    assert numbers(hit(4, 4, 4), answered=True) == [4]


def test_a_moment_says_when_and_who_and_what() -> None:
    moment = told(
        hit(2, 1, 3), session("What is my phone number?", "I don't know.\nYou never said.", "Good.")
    )
    assert moment.text == (
        "25 February 2026, late in the evening:\n"
        "Bo: What is my phone number?\n"
        "Ada: I don't know.\nYou never said.\n"
        "Bo: Good."
    )
    assert (moment.span, moment.speaker, moment.time) == ((1, 3), "Ada", "2026-02-25T21:30:00+00:00")


def test_a_name_in_the_chat_is_kept() -> None:
    assert told(hit(1, 1, 1), session("Hello.", name="Kath")).turns[0].who == "Kath"


@pytest.mark.parametrize(
    ("time", "heading"),
    [
        ("2026-02-25T03:00:00+00:00", "25 February 2026, in the night"),
        ("2026-02-25T06:00:00+00:00", "25 February 2026, early in the morning"),
        ("2026-02-25T11:59:00+00:00", "25 February 2026, in the morning"),
        ("2026-02-25T12:00:00+00:00", "25 February 2026, in the afternoon"),
        ("2026-02-25T17:00:00+00:00", "25 February 2026, in the evening"),
        ("2026-02-25T23:59:00+00:00", "25 February 2026, late in the evening"),
        ("2026-02-25T21:30:00", "25 February 2026"),
        ("nonsense", "25 February 2026"),
        ("0001-01-01T00:00:00+14:00", "25 February 2026"),
        (None, "25 February 2026"),
    ],
)
def test_the_day_has_parts_where_the_time_is_known(time: str | None, heading: str) -> None:
    assert told(hit(1, 1, 1), session("Hello.", time=time)).heading == heading


def test_the_day_is_that_of_the_kit() -> None:
    east = timezone(timedelta(hours=9))
    moment = tell_moment(hit(1, 1, 1), session("Hello."), KIT, east)
    assert moment is not None
    assert moment.heading == "26 February 2026, early in the morning"


def test_what_was_put_right_stands_beside_it() -> None:
    lived = session("On the 21st.", "The 21st, then.", "Yes.")
    mended = [
        Event(1, "correction", "2026-03-01T20:00:00Z", "it was the 22nd", lived.id, about=(1, 1)),
        Event(2, "correction", "2026-03-02T20:00:00Z", "all of this was a joke", lived.id),
        Event(3, "correction", "2026-03-02T20:00:00Z", "nothing to do with it", lived.id, about=(3, 3)),
    ]
    assert told(hit(2, 1, 2), lived, mended).text == (
        "25 February 2026, late in the evening:\n"
        "Bo: On the 21st.\n"
        "(put right on 1 March 2026: it was the 22nd)\n"
        "Ada: The 21st, then.\n"
        "(put right on 2 March 2026: all of this was a joke)"
    )


def test_a_message_that_was_corrected_away_is_no_moment() -> None:
    first = session("Old words.").entries[0]
    later = Entry(2, Message("user", "New words."), after=0, supersedes=(1,))
    lived = replace(session(), entries=(first, later))
    assert tell_moment(hit(1, 1, 1), lived, KIT, UTC) is None
    assert told(hit(2, 2, 2), lived).turns[0].text == "New words."


def test_control_characters_are_gone() -> None:
    moment = told(hit(1, 1, 1), session("a\x1b[31mb\x07c\r\nd\te\x9bf"))
    assert moment.turns[0].text == "a[31mbc\nd\tef"


def test_a_long_turn_is_told_around_what_matched() -> None:
    long = "word " * 100_000 + "the blue bicycle stood there " + "word " * 100_000
    lived = session("before " * 500, long, "after")
    moment = told(hit(2, 1, 3, "blue", "bicycle"), lived)
    assert "the blue bicycle stood there" in moment.turns[1].text
    assert moment.turns[1].text[0] == moment.turns[1].text[-1] == "…"
    assert len(moment.turns[1].text) <= MATCH_LONGEST + 2
    assert len(moment.turns[0].text) <= OTHERS_LONGEST + 1


def test_words_without_a_place_are_told_as_words() -> None:
    moment = tell_words(Hit(None, None, None, 1.0, 0.8, "M-004"), "The ferry.", "2026-02-10")
    assert moment.text == "10 February 2026:\nThe ferry."
    assert (moment.session, moment.message, moment.span, moment.speaker) == (None, None, None, None)
    assert tell_words(Hit(None, None, None, 1.0, 0.8, "M-004"), "The ferry.", "").text == "The ferry."


def test_a_corrected_order_is_kept() -> None:
    lived = session("one", "two", "three")
    moved = replace(lived, entries=(*lived.entries, Entry(4, Message("user", "one and a half"), after=1)))
    found = Hit(lived.id, 4, (1, 4), 1.0, 0.9, messages=(1, 4, 2))
    assert [turn.text for turn in told(found, moved).turns] == ["one", "one and a half", "two"]


words = st.text(
    st.characters(codec="utf-8", exclude_categories=["Cs"]) | st.sampled_from(" \n/日本語"), max_size=400
)


@settings(max_examples=100, deadline=None)
@given(
    texts=st.lists(words, min_size=1, max_size=7),
    room=st.integers(0, 300),
    middles=st.lists(st.integers(0, 6), max_size=4),
)
def test_a_budget_is_kept_with_all_that_is_around(texts: list[str], room: int, middles: list[int]) -> None:
    lived = session(*texts)
    moments = [told(hit(m % len(texts) + 1, 1, len(texts)), lived) for m in middles]
    count = get_tokenizer("o200k_base").count
    fitted = fit_moments(moments, room, count)
    assert count(render_block(fitted)) <= room or not fitted
    for moment in fitted:
        assert moment.span is not None
        assert moment.text.endswith(moment.said)
        assert moment.span[0] <= (moment.message or 0) <= moment.span[1]
    # where less is left than a line with the date takes, nothing more is tried
    if count(render_block(moments) + BETWEEN * len(moments)) + len(moments) * 2 + LEAST_TOKENS <= room:
        assert fitted == moments


def test_moments_of_one_evening_share_its_heading_where_room_is_limited() -> None:
    lived, other = session("one", "two", "three"), replace(session("four"), id="2026-03-02-1")
    found = [
        told(hit(1, 1, 1), lived),
        told(replace(hit(1, 1, 1), session=other.id), other),
        told(hit(3, 3, 3), lived),
    ]
    fitted = fit_moments(found, 200, get_tokenizer("o200k_base").count)
    assert [moment.turns[0].text for moment in fitted] == ["one", "three", "four"]
    assert render_block(fitted).count(found[0].heading) == 2
    assert render_block(found).count(found[0].heading) == 3


def test_moments_of_one_chat_are_told_as_they_followed_in_it() -> None:
    """The best stood first, so that a model read an answer before what it answered."""
    lived, other = session("one", "two", "three"), replace(session("four"), id="2026-03-02-1")
    found = [
        told(hit(3, 3, 3), lived),
        told(hit(1, 1, 1), lived),
        told(replace(hit(1, 1, 1), session=other.id), other),
    ]
    answer = as_lived(RecallAnswer("what was it?", found))
    assert [moment.turns[0].text for moment in answer.moments] == ["one", "three", "four"]
    # a moment that the query's protocol brought stays before the others
    answer = as_lived(RecallAnswer("what was it?", found, led=1))
    assert [moment.turns[0].text for moment in answer.moments] == ["three", "one", "four"]


@settings(max_examples=100, deadline=None)
@given(text=words, terms=st.lists(words, max_size=4), longest=st.integers(1, 200))
def test_a_clipped_text_is_part_of_the_text(text: str, terms: list[str], longest: int) -> None:
    clipped = clip(text, terms, longest)
    assert len(clipped) <= longest + 2
    if len(text.strip()) <= longest:
        assert clipped == text.strip()
    else:
        assert clipped.removeprefix("…").removesuffix("…") in text


def test_less_room_tells_less_but_keeps_the_match() -> None:
    lived = session(*(f"This is what was said as number {n}, in some words." for n in range(1, 6)))
    count = get_tokenizer("o200k_base").count
    moment = told(hit(3, 1, 5), lived)
    spans = []
    for room in range(count(moment.text) + 2, 20, -5):
        fitted = fit_moments([moment], room, count)
        spans.append(fitted[0].span if fitted else None)
    assert spans[0] == (1, 5)
    assert (3, 3) in spans
    assert spans[-1] is None or spans[-1] == (3, 3)


def test_a_long_memory_is_told_where_its_phrase_stands() -> None:
    lived = session(*(f"This is message {n}, about the weather." for n in range(1, 21)), "The blue bicycle.")
    found = replace(hit(1, 1, 21, "weather", "bicycle"), note="M-001")
    focused = focus(found, lived, "message 12, about")
    assert (focused.message, focused.span, focused.messages) == (12, (10, 14), (10, 11, 12, 13, 14))
    by_words = focus(found, lived, "")
    assert (by_words.message, by_words.span) == (1, (1, 3))
    only = replace(found, terms=("bicycle",))
    assert (focus(only, lived, "").message, focus(only, lived, "").span) == (21, (19, 21))
    short = replace(hit(1, 1, 4), note="M-001")
    assert focus(short, lived, "message 3").span == (1, 4)
    assert focus(short, lived, "message 3").message == 3
    assert focus(hit(1, 1, 21), lived, "message 12") == hit(1, 1, 21)


def test_what_was_told_is_not_told_again() -> None:
    moment = told(hit(3, 1, 5), session("one", "two", "three", "four", "five"))
    place = moment.session
    assert without_told(moment, set()) == moment
    assert without_told(moment, {("2026-02-26-1", 3)}) == moment
    assert without_told(moment, {(place, 3)}) is None
    less = without_told(moment, {(place, 2), (place, 5)})
    assert less is not None
    assert [turn.text for turn in less.turns] == ["three", "four"]


def test_the_days_of_a_turn_stand_in_one_bracket_each_date_once() -> None:
    """Three brackets stood under one sentence, two of them with the same Sunday."""
    days = ("this Sunday: 8 March 2026", "on Saturday: 7 March 2026", "on Sunday: 8 March 2026")
    turn = Turn(1, "Bo", "Ruth comes.", ("since then: she came",), days=days)
    assert turn.told() == (
        "Bo: Ruth comes.\n(this Sunday: 8 March 2026; on Saturday: 7 March 2026)\n(since then: she came)"
    )
