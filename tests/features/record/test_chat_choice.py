"""Choice of the conversations in an export."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from reel_cli.core.errors import ReelError, UsageError
from reel_cli.core.values.talk import Conversation, Message
from reel_cli.features.record.choice import (
    Choice,
    ConversationOffer,
    choose,
    offer,
    parse_numbers,
    parse_since,
)

OFFERED = [
    ConversationOffer(
        1, "x", "chatgpt", 4, "The Letter", "2026-02-25T19:00:00+00:00", "2026-03-04T08:00:00+00:00"
    ),
    ConversationOffer(
        2, "x", "chatgpt", 2, "a ferry", "2026-01-10T19:00:00+00:00", "2026-01-10T19:30:00+00:00"
    ),
    ConversationOffer(3, "x", "chatgpt", 2, "", None, None),
    ConversationOffer(4, "x", "chatgpt", 2, "Straße", "2026-02-01T00:00:00+02:00", None),
]


def numbers(choice: Choice) -> list[int]:
    return [item.number for item in choose(OFFERED, choice)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("1", [1]),
        ("1,3-4", [1, 3, 4]),
        ("4, 2", [2, 4]),
        ("3-", [3, 4]),
        ("1–2", [1, 2]),
        ("1-4", [1, 2, 3, 4]),
    ],
)
def test_numbers_are_those_of_the_plan(text: str, found: list[int]) -> None:
    assert numbers(Choice(parse_numbers(text))) == found


@pytest.mark.parametrize("text", ["", "a", "1-", "0", "4-2", "1,,2", "-3", "1.5", "9" * 30, "²"])
def test_what_is_no_list_of_numbers_or_beyond_them_is_refused(text: str) -> None:
    if text == "1-":
        assert parse_numbers(text) == [(1, None)]
        return
    with pytest.raises(ReelError) as caught:
        choose(OFFERED, Choice(parse_numbers(text)))
    assert caught.value.hint is not None


def test_a_number_beyond_the_last_says_how_many_there_are() -> None:
    with pytest.raises(ReelError, match="no conversation 9; they go from 1 to 4"):
        choose(OFFERED, Choice(parse_numbers("2-9")))


def test_since_goes_by_when_it_was_last_spoken_in() -> None:
    assert numbers(Choice(since=datetime(2026, 2, 1, tzinfo=UTC))) == [1]
    assert numbers(Choice(since=datetime(2026, 1, 31, 22, tzinfo=UTC))) == [1, 4]


def test_a_title_is_found_whatever_its_case() -> None:
    assert numbers(Choice(title="STRASSE")) == [4]
    assert numbers(Choice(title="r")) == [1, 2, 4]


def test_choices_narrow_one_another_and_keep_the_numbers() -> None:
    assert numbers(Choice(parse_numbers("2-4"), title="r")) == [2, 4]


def test_nothing_chosen_says_how_many_there_were_and_how_many_tell_no_date() -> None:
    with pytest.raises(ReelError, match="none of the 4 conversations") as caught:
        choose(OFFERED, Choice(since=datetime(2027, 1, 1, tzinfo=UTC)))
    assert "1 of them tell" in caught.value.message


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("2026", datetime(2026, 1, 1, tzinfo=UTC)),
        ("2026-02", datetime(2026, 2, 1, tzinfo=UTC)),
        ("2026-2-9", datetime(2026, 2, 9, tzinfo=UTC)),
        ("2026-02-10T21:14", datetime(2026, 2, 10, 21, 14, tzinfo=UTC)),
        ("2026-02-10T21:14:00+02:00", datetime(2026, 2, 10, 19, 14, tzinfo=UTC)),
    ],
)
def test_a_date_may_be_a_year_a_month_a_day_or_a_time(text: str, found: datetime) -> None:
    assert parse_since(text, UTC) == found


def test_a_day_begins_in_the_kits_zone() -> None:
    zone = timezone(timedelta(hours=2))
    assert parse_since("2026-02-10", zone).astimezone(UTC) == datetime(2026, 2, 9, 22, tzinfo=UTC)


@pytest.mark.parametrize("text", ["", "soon", "2026-13", "2026-02-30", "0000", "99999-01-01", "٢٠٢٦-99"])
def test_what_is_no_date_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="is not a date"):
        parse_since(text, UTC)


def test_an_outline_knows_when_it_began_and_was_last_spoken_in() -> None:
    said = [
        Message("user", "a", time="2026-02-25T21:00:00+02:00"),
        Message("assistant", "b", time="2026-02-25T19:30:00+00:00"),
        Message("user", "c"),
    ]
    found = offer(Conversation("text", said, title="x"), 7, "a.md")
    assert found == ConversationOffer(
        7, "a.md", "text", 3, "x", "2026-02-25T21:00:00+02:00", "2026-02-25T19:30:00+00:00", ""
    )


def test_what_has_no_title_is_told_by_its_first_words() -> None:
    said = [Message("user", "What is\nup?  " + "x" * 100), Message("assistant", "b")]
    assert offer(Conversation("text", said), 1, "a.md").opening == "What is up? " + "x" * 27 + "…"
