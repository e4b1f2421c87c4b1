"""Structure of data files, and changes of a text, described without a model."""

import json
from hashlib import sha256
from io import BytesIO

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.features.shelf.shelf_file import ShelfFile
from reel_cli.features.shelf.summaries.data_fields import NoData
from reel_cli.features.shelf.summaries.describe_changes import describe_changes
from reel_cli.features.shelf.summaries.describe_data import LONGEST_JSON, describe_data
from reel_cli.features.shelf.summaries.papers import show_paper, show_papers
from reel_cli.features.shelf.summaries.sources import SummarizedFile


def taken(name: str, data: bytes | str) -> SummarizedFile:
    raw = data.encode() if isinstance(data, str) else data
    lines = raw.count(b"\n") + (not raw.endswith(b"\n"))
    return SummarizedFile(
        ShelfFile(f"shelf/{name}", name), len(raw), lines, sha256(raw).hexdigest(), lambda: BytesIO(raw)
    )


def told(name: str, data: bytes | str) -> list[str]:
    return describe_data(taken(name, data)).splitlines()[2:]


def test_a_table_is_told_field_by_field() -> None:
    rows = "".join(
        f"{n},{'' if n % 4 == 0 else f'a{n}@x.org'},2026-01-0{n % 3 + 1},{n % 2 == 0}\n" for n in range(8)
    )
    assert told("out.csv", f"id,email,day,even\n{rows}") == [
        "A table: 8 rows, 4 columns, parted by commas.",
        "",
        "- `id`: whole number; always filled; from 0 to 7",
        "- `email`: text; 25 % missing (2 of 8); 8 characters",
        "- `day`: date; always filled; from 2026-01-01 to 2026-01-03",
        "- `even`: yes or no; always filled; `False` 50 %, `True` 50 %",
    ]
    assert told("t.tsv", "1\t2.5\n3\t\n4\n")[:3] == [
        "A table: 3 rows, 2 columns, parted by tabs.",
        "Its columns have no names.",
        "1 row with more or fewer cells than the first one.",
    ]


def test_records_in_three_notations_are_told_alike() -> None:
    records = [{"a": 1, "b": {"c": ["x", "y"]}}, {"a": 2.5, "b": {"c": []}}, {"b": None}]
    fields = [
        "- `a`: number; 33 % missing (1 of 3); from 1 to 2.5",
        "- `b`: object; 33 % missing (1 of 3)",
        "- `b.c`: list; always filled; 0 to 2 entries",
        "- `b.c[]`: text; 1 character",
    ]
    assert told("r.json", json.dumps(records)) == ["A list of 3 entries.", "", *fields]
    lines = "".join(f"{json.dumps(one)}\n" for one in records)
    assert told("r.jsonl", f"{lines}{{\n") == [
        "One record a line: 3 records.",
        "1 line of no JSON.",
        "",
        *fields,
    ]
    yaml = "- {a: 1, b: {c: [x, y]}}\n- {a: 2.5, b: {c: []}}\n- {b: }\n"
    assert told("r.yaml", yaml)[2:] == fields


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("deep.json", "[" * 100_000),
        ("cut.json", '{"a": '),
        ("quote.csv", '"' + "a\n" * 200_000),
        ("line.csv", "a" * 2_000_000),
        ("bomb.yaml", "a: &a [x, x]\nb: &b [*a, *a]\n"),
        ("none.jsonl", "\n{\n"),
        ("plan.md", "# Plan"),
    ],
)
def test_what_is_none_is_said_to_be_none(name: str, data: str) -> None:
    with pytest.raises(NoData):
        describe_data(taken(name, data))


def test_a_long_list_is_read_a_piece_at_a_time_and_that_is_said() -> None:
    one = json.dumps({"id": 1, "text": "x" * 400})
    data = "[" + ",\n".join([one] * (LONGEST_JSON // len(one) + 100)) + "]"
    assert told("long.json", data)[0].startswith("A list: the first ")
    assert "- `id`: whole number; always filled; always 1" in told("long.json", data)


names = st.text(max_size=12).filter(lambda name: "\0" not in name)


@settings(max_examples=40, deadline=None)
@given(
    st.lists(
        st.dictionaries(names, st.none() | st.booleans() | st.integers() | st.text(max_size=30)), max_size=6
    )
)
def test_whatever_it_holds_every_line_can_be_shown(records: list[dict[str, object]]) -> None:
    text = describe_data(taken("any.json", json.dumps(records)))
    assert all(line.isprintable() for line in text.split("\n"))
    assert text == describe_data(taken("any.json", json.dumps(records)))


# -- what changed -----------------------------------------------------------------------------------


def test_what_changed_is_told_place_by_place() -> None:
    old = "# A\none\ntwo\nthree\n# B\nx\n"
    new = "# A\none\n2\nthree\n# C\nx\ny\n"
    assert describe_changes(old, new, "What changed in plan.md").splitlines() == [
        "## What changed in plan.md",
        "",
        "1 line new, 2 lines rewritten, in 3 places.",
        "before: 6 lines and 6 words; now: 7 lines and 7 words.",
        "New sections: C.",
        "Sections gone: B.",
        "",
        "Line 3 (A), rewritten:",
        "- before: two",
        "- now: 2",
        "",
        "Line 5 (C), rewritten:",
        "- before: # B",
        "- now: # C",
        "",
        "Line 7 (C), new:",
        "- now: y",
    ]
    assert describe_changes(old, old, "x") == ""


def test_texts_of_which_hardly_anything_is_left_are_not_told_place_by_place() -> None:
    old, new = ("\n".join(f"{word} {n}" for n in range(3_000)) for word in ("old", "new"))
    text = describe_changes(old, new, "x")
    assert "3,000 lines new, 3,000 lines gone." in text
    assert "- gone: old 0" in text
    assert len(text) < 4_000
    repeated = describe_changes("a\nb\n" * 1_200, "b\na\nc\n" * 800, "x")
    assert repeated.startswith("## x")


# -- what a prompt shows ----------------------------------------------------------------------------


def test_a_long_file_is_shown_by_its_ends_and_its_headings() -> None:
    text = "".join(f"# Part {n}\n" if n % 100 == 0 else f"line {n} of it\n" for n in range(2_000))
    shown = show_paper(taken("log.md", text), 4_000)
    lines = shown.paper.text.splitlines()
    assert (lines[0], lines[-1]) == ("# Part 0", "line 1999 of it")
    gap = next(line for line in lines if "left out" in line)
    first, last = (
        int(part.replace(",", "")) for part in gap.removeprefix("(Lines ").split(" are")[0].split(" to ")
    )
    assert shown.left == last - first + 1
    assert f"line {first - 2} of it" in lines
    assert f"line {first - 1} of it" not in lines
    assert "  line 1,001: # Part 1000" in lines
    assert len(shown.paper.text) < 5_000
    assert shown.paper.about == f"2,000 lines, {len(text):,} bytes, not all of them here"


def test_of_a_very_long_file_only_the_ends_are_read() -> None:
    text = "".join(f"line {n} of it\n" for n in range(1, 300_001))
    shown = show_paper(taken("log.md", text), 4_000)
    lines = shown.paper.text.splitlines()
    assert (lines[0], lines[-1]) == ("line 1 of it", "line 300000 of it")
    gap = next(line for line in lines if "left out" in line)
    first, last = gap.removeprefix("(Lines ").partition(" are")[0].replace(",", "").split(" to ")
    assert shown.left == int(last) - int(first) + 1
    assert {f"line {int(first) - 1} of it", f"line {int(last) + 1} of it"} <= set(lines)
    assert not {f"line {first} of it", f"line {last} of it"} & set(lines)
    endless = show_paper(taken("log.txt", "x" * 5_000_000), 4_000)
    assert ("(What lies between is left out here." in endless.paper.text, endless.left) == (True, 1)


def test_short_files_leave_their_room_to_long_ones_and_no_line_is_endless() -> None:
    long = "x" * 300_000 + "\nlast\n"
    small, large = show_papers([taken("a.txt", "short\n"), taken("b.txt", long)], 10_000)
    assert (small.paper.text, small.left) == ("short", 0)
    assert large.paper.text.startswith("x" * 1_000)
    assert "the line goes on" in large.paper.text
    assert large.paper.text.endswith("last")
    assert "\x1b" not in show_paper(taken("c.txt", "a\x1b[31mb\n"), 100).paper.text
