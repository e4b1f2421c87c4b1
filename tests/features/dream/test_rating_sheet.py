"""The sheet and the key: what is written comes back, and what was changed is noticed."""

import csv
import io
from base64 import b64decode
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.core.errors import ReelError
from reel_cli.features.dream.comparing.comparison import (
    LETTERS,
    STARTS,
    Comparison,
    Measure,
    Row,
    Start,
    shuffle,
)
from reel_cli.features.dream.comparing.key_file import key_name, parse_key, render_key
from reel_cli.features.dream.comparing.rating_sheet import (
    COLUMNS,
    parse_sheet,
    render_page,
    render_sheet,
    row_name,
    sheet_name,
)

ASKED = ("How is Lida?", "=1+1, is it?", 'And "the bowl", then?', "Ünï 北斗?")
MADE = shuffle(ASKED, {start: start.value for start in STARTS}, dict.fromkeys(STARTS, 9), 5)
Rows = list[list[str]]


def rows_of(text: str) -> Rows:
    return list(csv.reader(io.StringIO(text.removeprefix("\ufeff"))))


def written(rows: Rows, delimiter: str = ",", end: str = "\n") -> str:
    out = io.StringIO()
    csv.writer(out, delimiter=delimiter, lineterminator=end).writerows(rows)
    return out.getvalue()


def filled(comparison: Comparison = MADE) -> tuple[Rows, dict[Row, dict[Measure, int]]]:
    """A sheet with marks, and the marks."""
    rows = rows_of(render_sheet(comparison))
    marks: dict[Row, dict[Measure, int]] = {}
    for place, row in enumerate(rows[1:]):
        coherence, accuracy = place % 5 + 1, (place * 2) % 5 + 1
        row[3:5] = [str(coherence), str(accuracy)]
        start = comparison.start_of(place // 3 + 1, row[2])
        marks[place // 3 + 1, start] = {Measure.COHERENCE: coherence, Measure.ACCURACY: accuracy}
    return rows, marks


def test_the_sheet_is_what_spreadsheets_and_editors_open() -> None:
    text = render_sheet(MADE)
    assert text.startswith("\ufeffrow,question,answer,coherence,accuracy,remark\n")
    assert text.splitlines()[1:5] == [
        f"{MADE.name}-1x,How is Lida?,x,,,",
        f"{MADE.name}-1y,How is Lida?,y,,,",
        f"{MADE.name}-1z,How is Lida?,z,,,",
        f'{MADE.name}-2x,"\'=1+1, is it?",x,,,',
    ]
    assert len(rows_of(text)) == 1 + 3 * len(ASKED)
    assert not any(start.value in text for start in STARTS)


@given(
    st.lists(st.integers(1, 5) | st.none(), min_size=24, max_size=24),
    st.sampled_from([",", ";", "\t"]),
    st.sampled_from(["\n", "\r\n"]),
    st.randoms(use_true_random=False),
)
@settings(max_examples=40, deadline=None)
def test_marks_come_back_whatever_a_spreadsheet_made_of_the_file(
    given_marks: list[int | None], delimiter: str, end: str, rnd: object
) -> None:
    rows = rows_of(render_sheet(MADE))
    marks = iter(given_marks)
    expected: dict[Row, dict[Measure, int]] = {}
    for row in rows[1:]:
        question = int(row[0].partition("-")[2][:-1])
        here = expected.setdefault((question, MADE.start_of(question, row[2])), {})
        for column, measure in ((3, Measure.COHERENCE), (4, Measure.ACCURACY)):
            mark = next(marks)
            if mark is not None:
                here[measure] = mark
                row[column] = (
                    f" {mark}.0" if delimiter == "\t" else f"{mark},0" if delimiter == ";" else str(mark)
                )
    body = rows[1:]
    rnd.shuffle(body)  # type: ignore[attr-defined]
    text = written([[*COLUMNS[:5], "Remark", "extra"], *body, ["", ""]], delimiter, end)
    # as every given file is read
    assert parse_sheet(text.replace("\r\n", "\n"), "s.csv", MADE) == expected


def changed(place: int, column: int, value: str) -> Callable[[Rows], Rows]:
    def change(rows: Rows) -> Rows:
        rows[place][column] = value
        return rows

    return change


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (changed(1, 3, "6"), "s.csv, line 2: coherence is '6'; a mark is a whole number from 1 to 5."),
        (changed(2, 4, "0"), "s.csv, line 3: accuracy is '0'; a mark is a whole number from 1 to 5."),
        (changed(3, 3, "3.5"), "s.csv, line 4: coherence is '3.5'; a mark is a whole number from 1 to 5."),
        (
            changed(3, 3, "good\x1b"),
            "s.csv, line 4: coherence is 'good'; a mark is a whole number from 1 to 5.",
        ),
        (changed(3, 3, "-1"), "s.csv, line 4: coherence is '-1'; a mark is a whole number from 1 to 5."),
        (changed(3, 3, "²"), "s.csv, line 4: coherence is '²'; a mark is a whole number from 1 to 5."),
        (
            changed(3, 3, "9" * 5000),
            "s.csv, line 4: coherence is '9999999999999999999…'; a mark is a whole number",
        ),
        (changed(1, 0, "bcdfgh-1x"), "s.csv, line 2: bcdfgh-1x is of another comparison, not of NAME."),
        (changed(1, 0, f"{MADE.name}-9x"), "s.csv, line 2: there is no row 'NAME-9x' in this comparison."),
        (changed(1, 0, f"{MADE.name}-1w"), "s.csv, line 2: there is no row 'NAME-1w' in this comparison."),
        (changed(1, 0, ""), "s.csv, line 2: there is no row '' in this comparison."),
        (changed(1, 0, f"{MADE.name}-1y"), "s.csv, line 2: the row NAME-1y does not stand beside its own"),
        (changed(1, 1, ASKED[3]), "s.csv, line 2: the row NAME-1x does not stand beside its own"),
        (lambda rows: [*rows, rows[1]], "s.csv, line 14: the row NAME-1x is there twice."),
        (lambda rows: [*rows[:1], *rows[3:]], "s.csv lacks rows: NAME-1x, NAME-1y."),
        (lambda rows: rows[:2], "s.csv lacks rows: NAME-1y, NAME-1z, NAME-2x, NAME-2y, NAME-2z and 6 more."),
        (lambda rows: rows[1:], "s.csv is not a rating sheet."),
        (changed(0, 3, "warmth"), "s.csv is not a rating sheet."),
    ],
)
def test_what_cannot_be_used_is_refused_whole(change: Callable[[Rows], Rows], message: str) -> None:
    rows, _ = filled()
    with pytest.raises(ReelError) as refused:
        parse_sheet(written(change(rows)), "s.csv", MADE)
    assert refused.value.message.startswith(message.replace("NAME", MADE.name))


def test_which_comparison_a_sheet_is_of() -> None:
    assert sheet_name(render_sheet(MADE)) == MADE.name
    assert sheet_name(written(filled()[0], ";")) == MADE.name
    assert sheet_name("Dear all,\nthe bowl-maker\n") is None


def test_the_page_shows_every_answer_once_and_none_of_where_it_came_from() -> None:
    def text_of(question: int, start: Start) -> str:
        return f"Answer {question} {STARTS.index(start)}.\n\n## y\n> z"

    answers = {(q, s): text_of(q, s) for q in range(1, 5) for s in STARTS}
    page = render_page(MADE, answers)
    assert [line for line in page.splitlines() if line.startswith("#")] == [
        "# What to rate",
        *(
            heading
            for number, question in enumerate(ASKED, start=1)
            for heading in (f"## {number}. {question}", "### x", "### y", "### z")
        ),
    ]
    for number in range(1, 5):
        part = page.split(f"## {number}. ", 1)[1]
        order = [
            part.index(f"> Answer {number} {STARTS.index(MADE.start_of(number, one))}.") for one in LETTERS
        ]
        assert order == sorted(order)
    assert not any(start.value in page for start in STARTS)


def test_a_row_s_name_is_nothing_a_spreadsheet_would_change() -> None:
    assert MADE.name.isalpha()
    assert row_name(MADE, 3, "x") == f"{MADE.name}-3x"


def test_the_key_comes_back_and_is_not_read_at_a_glance() -> None:
    text = render_key(MADE)
    assert (parse_key(text), key_name(text)) == (MADE, MADE.name)
    assert not any(word in text for word in (*map(str, STARTS), "Lida", "chats"))
    decoded = b64decode("".join(text.split("\n", 2)[2].split()))
    assert not any(str(start).encode() in decoded for start in STARTS)


@pytest.mark.parametrize(
    "harm",
    [
        lambda text: text[:-9],
        lambda text: text.replace(MADE.name, "bcdfgh"),
        lambda text: text[:160] + ("A" if text[160] != "A" else "B") + text[161:],
        lambda text: text.upper(),
        lambda _: "",
        lambda _: "a\nreel-comparison-1 b c\nd",
        lambda _: "\0" * 99,
    ],
)
def test_a_key_that_was_changed_is_none(harm: Callable[[str], str]) -> None:
    with pytest.raises(ReelError, match=r"key\.txt was changed"):
        parse_key(harm(render_key(MADE)))
