"""Schemas and rows as files: whatever they hold comes back, and a change touches its own lines alone."""

import csv
import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.core.errors import ReelError
from reel_cli.features.tables.cell_values import BadValueError, read_text_value, read_value, tell_value
from reel_cli.features.tables.guess_schema import guess_table
from reel_cli.features.tables.rows_file import key_of, read_rows, sort_key, write_rows
from reel_cli.features.tables.schema_file import (
    edit_schema,
    make_column,
    parse_kind,
    parse_schema,
    render_schema,
)
from reel_cli.features.tables.sheet import guard, parse_sheet, render_rows, unguard
from reel_cli.features.tables.table import Column, Kind, Row, Table, Value, make_table
from tests.support.tables import LINES, filled, tables, values

SCHEMA = """\
# our quests
key: id
columns:
  id: text   # as in the editor
  title: {type: text, required: yes}
  status:
    one of: [open, done]
    default: open
  # what the player gets
  reward: number
"""
QUESTS = parse_schema(SCHEMA, "quests")
FILE = """\
id,title,status,reward
bell,The bell,open,3
lantern,"The lantern, old",done,
"""


def put(text: str, rows: dict[str, tuple[Value, ...]], drops: tuple[str, ...] = ()) -> str:
    held = read_rows(text, QUESTS, "domain/quests.csv")
    return write_rows(
        held, {key: dict(zip(QUESTS.names, row, strict=True)) for key, row in rows.items()}, drops
    )


# -- values ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "text", "expected"),
    [
        (Kind.NUMBER, "007", 7),
        (Kind.NUMBER, "-0.50", -0.5),
        (Kind.NUMBER, "+3.0", 3),
        (Kind.NUMBER, "−4", -4),
        (Kind.NUMBER, ".5", 0.5),
        (Kind.NUMBER, "0.000000000000001", 1e-15),
        (Kind.DATE, "2026-3-9", "2026-03-09"),
        (Kind.DATE, "2026-03-09 00:00:00", "2026-03-09"),
        (Kind.DATE, "2026/03/09", "2026-03-09"),
        (Kind.DATE, "9.3.2026", "2026-03-09"),
        (Kind.YES_NO, "TRUE", True),
        (Kind.YES_NO, "Falsch", False),
        (Kind.YES_NO, "0", False),
        (Kind.ONE_OF, " DONE ", "done"),
        (Kind.TEXT, " a\r\nb\u2028c ", "a\nb\nc"),
        (Kind.TEXT, " \t ", None),
        (Kind.NUMBER, "_purged_", None),
        (Kind.TEXT, "_purged_", "_purged_"),
    ],
)
def test_a_cell_is_read_as_people_write_it(kind: Kind, text: str, expected: Value) -> None:
    assert read_text_value(text, Column("c", kind, ("open", "done"))) == expected


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (Kind.NUMBER, "1e5"),
        (Kind.NUMBER, "1,000"),
        (Kind.NUMBER, "4,5"),
        (Kind.NUMBER, "1 000"),
        (Kind.NUMBER, "12345678901234567"),
        (Kind.NUMBER, "٣"),
        (Kind.NUMBER, "nan"),
        (Kind.DATE, "3/9/2026"),
        (Kind.DATE, "2026-02-30"),
        (Kind.DATE, "2026-03-09 12:30"),
        (Kind.YES_NO, "maybe"),
        (Kind.ONE_OF, "opne"),
        (Kind.TEXT, "a\x1b[31m"),
        (Kind.TEXT, "a\0"),
        (Kind.TEXT, "x" * 10_001),
    ],
)
def test_what_could_be_meant_otherwise_is_refused(kind: Kind, text: str) -> None:
    with pytest.raises(BadValueError):
        read_text_value(text, Column("c", kind, ("open", "done")))


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        (Kind.TEXT, True),
        (Kind.TEXT, ["a"]),
        (Kind.TEXT, {"a": 1}),
        (Kind.TEXT, "\ud800"),
        (Kind.NUMBER, True),
        (Kind.NUMBER, 1e300),
        (Kind.NUMBER, float("inf")),
        (Kind.NUMBER, 10**400),
        (Kind.YES_NO, 1),
        (Kind.DATE, 20260301),
    ],
)
def test_values_of_json_are_held_to_the_same(kind: Kind, value: object) -> None:
    with pytest.raises(BadValueError):
        read_value(value, Column("c", kind))


@given(st.data())
@settings(max_examples=100, deadline=None)
def test_what_a_program_computed_comes_in_without_its_noise(data: st.DataObject) -> None:
    cents = data.draw(st.integers(-(10**9), 10**9))
    assert read_value(cents / 100 * 3 / 3, Column("c", Kind.NUMBER)) == cents / 100


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_any_value_reads_back_from_what_is_written(data: st.DataObject) -> None:
    for column in data.draw(tables()).columns:
        value = data.draw(values(column))
        assert read_text_value(tell_value(value), column) == value
        assert read_value(value, column) == value


# -- schemas --------------------------------------------------------------------------------------


@given(tables())
@settings(max_examples=60, deadline=None)
def test_any_schema_reads_back(table: Table) -> None:
    assert parse_schema(render_schema(table), table.name) == table


def test_a_change_of_a_schema_leaves_the_other_lines_alone() -> None:
    columns = [*QUESTS.columns[:2], Column("status", Kind.TEXT), QUESTS.columns[3], Column("due", Kind.DATE)]
    after = make_table("quests", columns, "title", "What is to do")
    assert edit_schema(SCHEMA, QUESTS, after) == (
        "# our quests\nkey: title\ntitle: What is to do\ncolumns:\n  id: {type: text, required: yes}\n"
        "  title: text\n  status: text\n  # what the player gets\n  reward: number\n  due: date\n"
    )


@given(tables(), tables())
@settings(max_examples=60, deadline=None)
def test_any_schema_can_become_any_other(before: Table, after: Table) -> None:
    edited = edit_schema(render_schema(before), before, after)
    found = parse_schema(edited, after.name)
    assert set(found.columns) == set(after.columns)
    assert (found.key, found.title) == (after.key, after.title)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "columns should be `name: type` lines"),
        ("columns: [a]", "columns should be `name: type` lines"),
        ("columns: {id: nubmer}", "There is no type 'nubmer'"),
        ("columns: {where: text}", "it is a word of the filter language"),
        ("columns: {'1st': text}", "is not a name for a column"),
        ("columns: {a-b: text, a_b: text}", "Two columns of quests are called a_b"),
        ("key: x\ncolumns: {id: text}", "has no column"),
        ('key: "\\uFEFFx\\u202E"\ncolumns: {id: text}', "has no column x"),
        ("columns: {id: yes/no}", "cannot be the key"),
        (
            "columns: {id: text, n: {type: number, default: many}}",
            "The default of n, 'many', is not a number",
        ),
        ("columns: {id: text, n: {required: perhaps}}", "neither yes nor no"),
        ("columns: {id: text, s: {one of: []}}", "from 1 to 100 choices"),
        ("columns:\n  id: text\n bad", "line 3"),
    ],
)
def test_a_schema_that_makes_no_sense_is_refused_by_its_file_s_name(text: str, told: str) -> None:
    with pytest.raises(ReelError, match=r"domain/quests\.yaml") as refused:
        parse_schema(text, "quests")
    assert told in refused.value.message


def test_types_are_told_shortly() -> None:
    assert parse_kind("yes/no") == (Kind.YES_NO, ())
    assert parse_kind("open/in hand/done") == (Kind.ONE_OF, ("open", "in hand", "done"))
    assert make_column("n", Kind.NUMBER, (), "1.50").default == 1.5
    with pytest.raises(ReelError, match="no type 'nummer'"):
        parse_kind("nummer")


# -- rows ---------------------------------------------------------------------------------------


@given(filled())
@settings(max_examples=100, deadline=None)
def test_any_rows_read_back_and_any_other_reader_sees_them(case: tuple[Table, list[Row]]) -> None:
    table, rows = case
    text = render_rows([table.names, *(tuple(row.values()) for row in rows)])
    read = read_rows(text, table, "x.csv")
    assert (read.problems, [dict(zip(table.names, row, strict=True)) for row in read.sound]) == ([], rows)
    plain = list(csv.reader(io.StringIO(text, newline="")))
    assert [[unguard(cell) for cell in cells] for cells in plain[1:]] == [
        [tell_value(value) for value in row.values()] for row in rows
    ]


@given(filled(), st.data())
@settings(max_examples=60, deadline=None)
def test_rows_put_in_and_taken_out_leave_the_others_as_they_are(
    case: tuple[Table, list[Row]], data: st.DataObject
) -> None:
    table, rows = case
    half = len(rows) // 2
    before, more = ({key_of(row["id"]): row for row in some} for some in (rows[:half], rows[half:]))
    held = read_rows(write_rows(read_rows("", table, "x"), before), table, "x")
    assert list(held.by_key().values()) == sorted(
        before.values(), key=lambda row: sort_key(key_of(row["id"]))
    )
    drops = [key for key in before if data.draw(st.booleans())]
    changed = {
        key: {**row, **{c.name: data.draw(values(c)) for c in table.columns[1:]}}
        for key, row in before.items()
        if key not in drops and data.draw(st.booleans())
    }
    after = read_rows(write_rows(held, {**changed, **more}, drops), table, "x")
    assert after.problems == []
    kept = {key: row for key, row in before.items() if key not in drops}
    assert after.by_key() == {**kept, **changed, **more}


def test_only_the_lines_of_a_change_change() -> None:
    odd = 'id,title,status,reward\nbell,"The bell",open,3.0\n\nlantern,"The lantern, old",done,'
    assert put(odd, {"ash": ("ash", "-Ash", "open", None)}) == (
        "id,title,status,reward\nash,'-Ash,open,\n" + odd[odd.index("bell") :] + "\n"
    )
    assert put(FILE, {"bell": ("bell", "Bells", "open", 4)}, ("lantern",)) == (
        "id,title,status,reward\nbell,Bells,open,4\n"
    )
    unsorted = "id,title,status,reward\nz,Z,,\na,A,,\n"
    assert put(unsorted, {"m": ("m", "M", None, None)}) == f"{unsorted}m,M,,\n"


def test_numbers_in_keys_count_as_numbers() -> None:
    keys: list[Value] = ["Q-10", "q-9", "Q-9b", "a", "Q-010", 10, 9.5, -1]
    folded = [key_of(key) for key in keys]
    assert sorted(folded, key=sort_key) == [-1, 9.5, 10, "a", "q-9", "q-9b", "q-010", "q-10"]


@pytest.mark.parametrize(
    "text",
    [
        "\ufeff" + FILE,
        FILE.replace("\n", "\r\n"),
        'sep=;\nid;title;status;reward\nbell;The bell;open;"3,0"\nlantern;The lantern, old;done;\n',
        "ID\ttitle\tSTATUS\treward\nbell\tThe bell\topen\t3\nlantern\tThe lantern, old\tdone\t\n",
        'reward,id,title,status\n3,bell,The bell,open\n,lantern,"The lantern, old",done\n\n,,,\n',
        FILE.rstrip("\n"),
    ],
)
def test_a_file_is_read_however_a_spreadsheet_left_it(text: str) -> None:
    read = read_rows(text, QUESTS, "domain/quests.csv")
    assert read.problems == []
    assert read.sound == [("bell", "The bell", "open", 3), ("lantern", "The lantern, old", "done", None)]
    fresh = put(text, {"ash": ("ash", "Ash", "open", None)})
    assert fresh == FILE.replace("bell,", "ash,Ash,open,\nbell,", 1)


def test_rows_that_break_the_schema_are_named_by_line_and_column_and_left_alone() -> None:
    text = (
        "id,title,status,reward\nbell,,opne,many\nlantern,Lantern,,\nLANTERN,Twin,,\n,No key,,\n"
        'long,"two\nlines",,\nfull,a,open,1,2\n'
    )
    read = read_rows(text, QUESTS, "domain/quests.csv")
    assert [problem.words for problem in read.problems] == [
        "line 2, title: is empty, but has to be filled in",
        "line 2, status: 'opne' is none of open, done (did you mean open?)",
        (
            "line 2, reward: 'many' is not a number: write it like 4.5 or -12, without spaces or thousands'"
            " marks"
        ),
        "line 4, id: 'LANTERN' is the key of line 3 as well",
        "line 5, id: is empty, but has to be filled in",
        "line 8: there are 5 cells, and 4 columns",
    ]
    assert [row[0] for row in read.sound] == ["lantern", "long"]
    assert put(text, {"zinc": ("zinc", "Zinc", "open", None)}) == f"{text}zinc,Zinc,open,\n"
    with pytest.raises(ReelError, match="line 2, title: is empty"):
        put(text, {"bell": ("bell", "Bell", "open", None)})
    with pytest.raises(ReelError, match="line 2, title"):
        put(text.replace("\n", "\r\n"), {"zinc": ("zinc", "Zinc", "open", None)})


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("title\nx\n", "there is no column id, the key of quests"),
        ("sep=;\n \n", "is empty"),
        (",,\n;;\n\t", "there is no column"),
        ("id,title,prize\n", "the table quests has no column 'prize'"),
        ("id,title,title\n", "the column title is there twice"),
        ('id,title\nbell,"The bell\nx,y\n', "line 2: a quotation mark is never closed"),
        ('id,title\nbell,"The" bell\n', "line 2: this is not a row of CSV"),
    ],
)
def test_a_file_that_is_no_such_table_is_refused(text: str, told: str) -> None:
    with pytest.raises(ReelError, match=r"domain/quests\.csv") as refused:
        read_rows(text, QUESTS, "domain/quests.csv")
    assert told in refused.value.message


@given(filled())
@settings(max_examples=50, deadline=None)
def test_a_table_guessed_from_rows_takes_them(case: tuple[Table, list[Row]]) -> None:
    table, rows = case
    text = render_rows([table.names, *(tuple(row.values()) for row in rows)])
    if not rows:
        return
    guessed = guess_table("things", text, "x.csv")
    read = read_rows(text, guessed, "x.csv")
    assert read.problems == []
    assert len(read.sound) == len(rows)


@given(LINES)
@settings(max_examples=100, deadline=None)
def test_a_text_is_never_a_formula_and_comes_back(text: str) -> None:
    assert unguard(guard(text)) == text
    assert guard(text)[:1] not in ("=", "+", "-", "@", "＝", "＋")


def test_a_sheet_keeps_its_lines() -> None:
    sheet = parse_sheet('\nid,title\n\na,"x\ny"\nb,z', "x.csv", {"id", "title"})
    assert sheet.lines == [(4, 5), (6, 6)]
    assert (sheet.raw_head, sheet.raw(0), sheet.raw(1)) == ("\nid,title\n", '\na,"x\ny"\n', "b,z\n")
