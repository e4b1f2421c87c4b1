"""The day of a pasted chat: on its first line, in its file's name, in the stamps beside its speakers."""

from collections.abc import Sequence
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.core.tape.formats.open_source import open_intake
from reel_cli.core.tape.formats.pasted.days import day_in_name, read_written, tells_order
from reel_cli.core.values.talk import Conversation

TURNS = "Jon: Hey Gina!\nGina: Hey Jon, how was the studio?\nJon: Loud.\n"


def read(text: str, name: str = "chat.txt", *, folder: Path) -> Conversation:
    place = folder / name
    place.write_text(text, encoding="utf-8")
    intake = open_intake(place, user_names=("Jon",), persona_names=("Gina",), zone=UTC)
    (taken,) = intake
    return taken.conversation


@pytest.mark.parametrize(
    ("line", "started", "title"),
    [
        ("4:04 pm on 20 January, 2023", "2023-01-20T16:04:00+00:00", None),
        ("2023-01-29", "2023-01-29T00:00:00+00:00", None),
        ("# 2023-01-29 14:32", "2023-01-29T14:32:00+00:00", None),
        ("**29th of January 2023**", "2023-01-29T00:00:00+00:00", None),
        ("Sunday, January 29, 2023 at 2:32 PM", "2023-01-29T14:32:00+00:00", None),
        ("# The studio\n\n29/01/2023", "2023-01-29T00:00:00+00:00", "The studio"),
        ("The studio\n29 Jan 2023", "2023-01-29T00:00:00+00:00", "The studio"),
        ("Date: 20 January 2023", "2023-01-20T00:00:00+00:00", None),
        ("Dienstag, 5. März 2024 um 14:03 Uhr", "2024-03-05T14:03:00+00:00", None),
        ("1er février 2024 à 9h05", "2024-02-01T09:05:00+00:00", None),
        ("# miércoles, 29 de septiembre de 2021, a las 14:32", "2021-09-29T14:32:00+00:00", None),
        ("lunedì 15 lug. 2024 alle ore 8:00", "2024-07-15T08:00:00+00:00", None),
        ("Terça-feira, 5 de março de 2024 às 14:03", "2024-03-05T14:03:00+00:00", None),
        ("di 5 mrt. 2024 om 14:03 uur", "2024-03-05T14:03:00+00:00", None),
        ("**12 aou\u0302t 2023**", "2023-08-12T00:00:00+00:00", None),
        ("12 jui 2023", None, "12 jui 2023"),
        # not settled, or no day
        ("05/01/2023", None, "05/01/2023"),
        ("2023-02-31", None, "2023-02-31"),
        ("In 2023", None, "In 2023"),
    ],
)
def test_a_day_before_the_first_speaker(
    line: str, started: str | None, title: str | None, tmp_path: Path
) -> None:
    talk = read(f"{line}\n\n{TURNS}", folder=tmp_path)
    assert (talk.started, talk.title) == (started, title)
    told = [problem for problem in talk.problems if problem.startswith("its day was taken from a line")]
    assert len(told) == (started is not None and not line.startswith("Date"))
    assert [message.text for message in talk.messages] == [
        "Hey Gina!",
        "Hey Jon, how was the studio?",
        "Loud.",
    ]


@pytest.mark.parametrize(
    ("stamps", "times"),
    [
        (
            ["29/01/2023, 14:32:01", "05/02/2023, 08:00"],
            ["2023-01-29T14:32:01", "2023-02-05T08:00:00"],
        ),
        (
            ["1/5/23, 2:32\u202fPM", "1/29/23, 9:00 AM"],
            ["2023-01-05T14:32:00", "2023-01-29T09:00:00"],
        ),
        (
            ["29.01.2023 14:32", "30.01.2023 00:05"],
            ["2023-01-29T14:32:00", "2023-01-30T00:05:00"],
        ),
        # nothing settles it, or two disagree
        (["05/01/2023, 14:32", "06/01/2023, 14:40"], [None, None]),
        (
            ["29/01/2023, 14:32", "01/29/2023, 14:40"],
            ["2023-01-29T14:32:00", "2023-01-29T14:40:00"],
        ),
    ],
)
def test_stamps_with_numbers(stamps: Sequence[str], times: Sequence[str | None], tmp_path: Path) -> None:
    who = ["Jon", "Gina"]
    text = "\n".join(f"[{stamp}] {who[i % 2]}: line {i}" for i, stamp in enumerate(stamps))
    talk = read(f"{text}\n", folder=tmp_path)
    whole = [time and f"{time}+00:00" for time in times]
    assert [message.time for message in talk.messages] == whole
    assert talk.started == whole[0]


def test_stamps_that_are_days_alone_give_the_day_and_no_times(tmp_path: Path) -> None:
    talk = read("[2023-01-29] Jon: Hey.\n[2023-01-29] Gina: Hey you.\n", folder=tmp_path)
    assert talk.started == "2023-01-29T00:00:00+00:00"
    assert [message.time for message in talk.messages] == [None, None]
    assert talk.problems == ()


@pytest.mark.parametrize(
    ("name", "started"),
    [
        ("2023-01-29.txt", "2023-01-29T00:00:00+00:00"),
        ("2023-01-29 Gina.md", "2023-01-29T00:00:00+00:00"),
        ("2023-01-29T14-32.txt", "2023-01-29T00:00:00+00:00"),
        ("2023-01-291.txt", None),
        ("2023-13-29.txt", None),
        ("chat-2023-01-29.txt", None),
    ],
)
def test_the_name_of_a_file_counts_where_nothing_in_it_does(
    name: str, started: str | None, tmp_path: Path
) -> None:
    talk = read(TURNS, name, folder=tmp_path)
    assert talk.started == started
    assert (f"its day was taken from the file's name ({name})" in talk.problems) is (started is not None)
    inside = read(f"20 January 2023\n\n{TURNS}", name, folder=tmp_path)
    assert inside.started == "2023-01-20T00:00:00+00:00"


def test_an_export_of_many_is_not_dated_by_its_name(tmp_path: Path) -> None:
    place = tmp_path / "2023-01-29.json"
    turns = '[{"role": "user", "content": "Hey"}, {"role": "assistant", "content": "Hey you"}]'
    place.write_text(f'[{{"messages": {turns}}}, {{"messages": {turns.replace("Hey", "Ho")}}}]')
    taken = [one.conversation.started for one in open_intake(place, zone=UTC)]
    assert taken == [None, None]
    place.write_text(f'{{"messages": {turns}}}')
    assert [one.conversation.started for one in open_intake(place, zone=UTC)] == ["2023-01-29T00:00:00+00:00"]


@settings(max_examples=60, deadline=None)
@given(
    st.dates(date(1990, 1, 2), date(2099, 1, 1)),
    st.sampled_from(["%d %B %Y", "%B %d, %Y", "%Y-%m-%d", "%A, %d %b %Y"]),
)
def test_every_day_is_read_as_it_was_written(day: date, form: str) -> None:
    written = read_written(day.strftime(form))
    assert written is not None
    assert (written.text, written.timed) == (day.isoformat(), False)
    assert (
        day_in_name(f"{day.isoformat()}.txt", UTC)
        == datetime(day.year, day.month, day.day, tzinfo=UTC).isoformat()
    )
    numbers = [f"{day.day}/{day.month}/{day.year}"]
    assert tells_order(numbers) is (True if day.day > 12 else None)


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=80))
def test_no_text_breaks_it(text: str) -> None:
    read_written(text)
    tells_order([text])
    day_in_name(text, UTC)
