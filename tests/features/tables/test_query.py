"""The filter language: what it means, that it means it in SQLite too, and that nothing else gets there."""

import re
from collections.abc import Sequence
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.features.tables.cell_values import tell_value
from reel_cli.features.tables.query import (
    DEEPEST,
    LONGEST,
    MOST_TESTS,
    Both,
    Condition,
    Empty,
    Not,
    Query,
    QueryError,
    Test,
    parse_query,
)
from reel_cli.features.tables.schema_file import parse_schema
from reel_cli.features.tables.store import compile_query, select
from reel_cli.features.tables.table import Column, Kind, Row, Table, Value, fold_text
from tests.support.tables import filled, queries

QUESTS = parse_schema(
    """
key: id
columns:
  id: text
  title: {type: text, required: yes}
  status: {one of: [open, in hand, done], default: open}
  reward: number
  due: date
  secret: yes/no
  due-by: text
""",
    "quests",
)
ROWS: Sequence[Row] = [
    dict(zip(QUESTS.names, row, strict=True))
    for row in (
        ("lantern", "The lantern", "open", 30, "2026-03-09", True, None),
        ("bridge", 'Mend the "old" bridge', "done", 12.5, None, False, "spring"),
        ("wolf", "ÉTÉ of the wolf", "in hand", None, "2025-12-31", None, None),
        ("bell", "The drowned bell", None, -3, "2026-03-10", False, "where"),
    )
]


def ask(text: str, table: Table = QUESTS) -> Query:
    return parse_query(text, lambda name: table if name == table.name else None, [table.name])


def answer(text: str) -> list[str]:
    values = [tuple(row.values()) for row in ROWS]
    return [str(ROWS[at]["id"]) for at in select(values, ask(text))]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("quests", "lantern bridge wolf bell"),
        ("QUESTS Where STATUS = Open", "lantern"),
        ('quests where status is "in hand"', "wolf"),
        ("quests where status != done", "lantern wolf bell"),
        ("quests where status is not done and not secret", "wolf bell"),
        ("quests where status is empty or reward is empty", "wolf bell"),
        ("quests where status is not empty", "lantern bridge wolf"),
        ("quests where due-by = ''", "lantern wolf"),
        ("quests where secret", "lantern"),
        ("quests where secret = no", "bridge bell"),
        ("quests where not secret", "bridge wolf bell"),
        ("quests where reward > 12 and reward <= 30", "lantern bridge"),
        ("quests where reward < 0", "bell"),
        ("quests where not reward < 0", "lantern bridge wolf"),
        ("quests where due < 2026-3-10", "lantern wolf"),
        ("quests where due >= '2026-03-10'", "bell"),
        ("quests where status in (open, 'in hand')", "lantern wolf"),
        ("quests where id not in (wolf, BELL)", "lantern bridge"),
        ("quests where title contains été", "wolf"),
        ('quests where title contains """old"""', "bridge"),
        ("quests where title contains ‘old’", "bridge"),
        ("quests where title not contains the", ""),
        ('quests where due-by = "where"', "bell"),
        ("quests where (secret or status = done) and reward > 20", "lantern"),
        ("quests where secret or status = done and reward > 20", "lantern"),
        ("quests order by reward", "bell bridge lantern wolf"),
        ("quests order by reward desc limit 2", "lantern bridge"),
        ("quests order by status, due asc", "lantern wolf bridge bell"),
        ("quests where title contains '%' or title contains _", ""),
        ("quests limit 1", "lantern"),
    ],
)
def test_what_a_filter_asks_for(text: str, expected: str) -> None:
    assert " ".join(answer(text)) == expected


@pytest.mark.parametrize(
    ("text", "place", "message", "hint"),
    [
        ("", "", "the name of a table is expected here, not the end.", None),
        ("quest", "quest", "There is no table 'quest'.", "did you mean quests?"),
        (
            "quests were secret",
            "were",
            "where, order by, limit or nothing more is expected here, not were.",
            None,
        ),
        (
            "quests where staus = open",
            "staus",
            "There is no column 'staus' in quests.",
            "did you mean status?",
        ),
        (
            "quests where status = opne",
            "opne",
            "status: 'opne' is none of open, in hand, done (did you mean open?).",
            None,
        ),
        (
            "quests where reward = many",
            "many",
            "reward: 'many' is not a number: write it like 4.5 or -12, without spaces or thousands' marks.",
            None,
        ),
        (
            "quests where due < tomorrow",
            "tomorrow",
            "due: 'tomorrow' is not a date: write it as 2026-03-01.",
            None,
        ),
        ("quests where secret = maybe", "maybe", "secret: 'maybe' is neither yes nor no.", None),
        (
            "quests where status < open",
            "<",
            "status is a choice, which cannot be more or less.",
            "use = or !=",
        ),
        (
            "quests where reward contains 3",
            "contains",
            "reward is a number, and contains asks for a text.",
            None,
        ),
        (
            "quests where reward > ''",
            "''",
            "An empty value is neither more nor less than another.",
            "say  is empty",
        ),
        ("quests where (secret", "", "a closing parenthesis is expected here, not the end.", None),
        (
            "quests where status in open",
            "open",
            "a list in parentheses is expected here, not open.",
            'like  status in ("a", "b")',
        ),
        (
            "quests where id in (a b)",
            "b)",
            "a comma or a closing parenthesis is expected here, not b.",
            None,
        ),
        (
            'quests where id = "a',
            '"a',
            "This quotation mark is never closed.",
            "a quotation mark inside quotes is written twice",
        ),
        (
            "quests where id = empty",
            "empty",
            "a value is expected here, not empty.",
            'for the word itself, put it in quotes: "empty"',
        ),
        (
            "quests where id like '%th%'",
            "like",
            "=, !=, <, <=, > or >=, in, contains, or is empty is expected here, not like.",
            'for a part of a text:  id contains "…"',
        ),
        (
            "quests where id is not null",
            "null",
            "empty or a value is expected here, not null.",
            "say  id is not empty",
        ),
        (
            "quests where reward = null",
            "null",
            "reward: 'null' is not a number: write it like 4.5 or -12, without spaces or thousands' marks.",
            "say  reward is empty",
        ),
        (
            "SELECT * from quests",
            "SELECT",
            "There is no table 'SELECT'.",
            'this is not SQL; it begins with a table, like  quests where status = "open"',
        ),
        (
            "quests; drop table quests",
            ";",
            "; has no place in a filter.",
            "give one query, and nothing after it",
        ),
        ("quests limit 0", "0", "A limit is from 1 to 100,000.", None),
        ("quests limit many", "many", "a whole number is expected here, not many.", None),
        (
            "quests where secret secret",
            "secret ",
            "and, or, order by, limit or nothing more is expected here, not secret.",
            None,
        ),
    ],
)
def test_what_is_no_filter_is_refused_with_the_place(
    text: str, place: str, message: str, hint: str | None
) -> None:
    with pytest.raises(QueryError) as refused:
        ask(text)
    assert refused.value.message == message
    assert refused.value.at == (text.rindex(place.strip()) if place else len(text))
    assert hint is None or refused.value.hint == hint


@pytest.mark.parametrize(
    "text",
    [
        "select * from quests",
        "quests; drop table quests",
        "quests where 1=1",
        "quests where id = '' or 1=1 --",
        "quests where id = 'x'; --",
        "quests where id = x union select * from sqlite_master",
        "quests where id in (select id from quests)",
        "quests where load_extension('x')",
        "quests where id like '%'",
        "quests where id = id",
        "quests where c0 = 'x'",
        "quests where id = ? ",
        "quests order by 1",
        "quests order by id; pragma writable_schema = 1",
        "quests limit 1 offset 2",
        "quests where [id] = 1",
        "quests where `id` = 1",
        "quests /* x */",
        "t where n = 1",
        "quests where id = 'x' || 'y'",
        "\0quests",
    ],
)
def test_sql_is_no_filter(text: str) -> None:
    if text == "quests where id = id":
        # a word is a text, never another column
        assert answer(text) == []
        return
    with pytest.raises(QueryError):
        ask(text)


@pytest.mark.parametrize(
    "text",
    ["quests where id '> 7\0\x1b[2Jb", "quests 'a\x1b[2Jb'", "'\x1b[2J'", "quests where id > 7 '\x9b'"],
)
def test_a_refusal_shows_no_control_codes(text: str) -> None:
    with pytest.raises(QueryError) as refused:
        ask(text)
    assert refused.value.message.isprintable()


def test_a_filter_has_its_limits() -> None:
    many = " or ".join(["secret"] * (MOST_TESTS + 1))
    for text, told in (
        (f"quests where {'(' * (DEEPEST + 1)}secret{')' * (DEEPEST + 1)}", "deep"),
        (f"quests where {'not ' * 100}secret", "deep"),
        (f"quests where {many}", "more than 200 comparisons"),
        (f"quests where id in ({', '.join(['a'] * 501)})", "more than 500 values"),
        ("quests " + " " * LONGEST, "4,000 is the most"),
    ):
        with pytest.raises(QueryError, match=told):
            ask(text)
    most = " or ".join(["secret"] * MOST_TESTS)
    assert answer(f"quests where {most}") == ["lantern"]


# -- SQLite means the same ------------------------------------------------------------------------


def holds(asked: Condition, row: Row) -> bool:
    """The meaning of a condition, in Python."""
    if isinstance(asked, Not):
        return not holds(asked.of, row)
    if isinstance(asked, Both):
        each = [holds(part, row) for part in asked.parts]
        return all(each) if asked.every else any(each)
    value = row[asked.column.name]
    if isinstance(asked, Empty) or value is None:
        return isinstance(asked, Empty) and value is None
    return compares(asked, value)


def compares(asked: Test, value: Value) -> bool:
    def folded(one: Value) -> Value:
        return fold_text(one) if isinstance(one, str) else one

    here, (first, *_) = folded(value), map(folded, asked.values)
    if asked.sign == "in":
        return here in [folded(one) for one in asked.values]
    if asked.sign == "contains":
        return str(first) in str(here)
    if asked.sign == "=":
        return here == first
    less, same = here < first, here == first  # type: ignore[operator]
    return {"<": less, "<=": less or same, ">": not less and not same, ">=": not less}[asked.sign]


def rank(column: Column, row: Row) -> tuple[float, str]:
    value = row[column.name]
    if column.kind is Kind.ONE_OF:
        return column.choices.index(str(value)), ""
    return (0, fold_text(value)) if isinstance(value, str) else (value or 0, "")


def in_order(query: Query, rows: Sequence[Row]) -> list[Row]:
    found = [row for row in rows if query.where is None or holds(query.where, row)]
    for column, backwards in reversed(query.order):
        there = [row for row in found if row[column.name] is not None]
        # backwards, those that are alike stay in the order they were in
        there.sort(key=partial(rank, column), reverse=backwards)
        found = [*there, *(row for row in found if row[column.name] is None)]
    return found[: query.limit]


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_sqlite_answers_as_python_does(data: st.DataObject) -> None:
    table, rows = data.draw(filled())
    query = data.draw(queries(table, rows))
    values = [tuple(row.values()) for row in rows]
    assert [rows[at] for at in select(values, query)] == in_order(query, rows)


# -- no text reaches the statement -----------------------------------------------------------------

STATEMENT = re.compile(
    r"(?:SELECT n FROM t|WHERE|ORDER BY|LIMIT|DESC|AND|OR|NOT|IN|IS NULL|coalesce|instr|fold|CASE|WHEN|THEN"
    r"|END|c\d+|n|\d+|[?(),=<> ])*"
)
PIECES = st.one_of(
    st.sampled_from(
        [
            *(
                "quests",
                "where",
                "id",
                "title",
                "status",
                "due",
                "secret",
                "=",
                "!=",
                "<",
                "in",
                "(",
                ")",
                ",",
            ),
            *(
                "contains",
                "is",
                "not",
                "empty",
                "and",
                "or",
                "order",
                "by",
                "desc",
                "limit",
                "3",
                "open",
                "yes",
            ),
            *(
                "'x'",
                '"y"',
                "2026-03-01",
                ";",
                "--",
                "/*",
                "*/",
                "drop table t",
                "union",
                "select",
                "%",
                "c0",
                "'",
            ),
        ]
    ),
    st.text(max_size=6),
)


@given(st.lists(PIECES, max_size=14).map(lambda parts: f"quests where {' '.join(parts)}"))
@settings(max_examples=90, deadline=None)
def test_whatever_is_typed_is_a_filter_or_an_error_and_never_sql(text: str) -> None:
    try:
        query = ask(text)
    except QueryError as error:
        refused = error
    else:
        check_statement(query)
        select([tuple(row.values()) for row in ROWS], query)
        return
    assert refused.text == text
    assert 0 <= refused.at <= len(text)


@given(st.data())
@settings(max_examples=30, deadline=None)
def test_any_query_becomes_a_statement_of_places_and_question_marks(data: st.DataObject) -> None:
    table, rows = data.draw(filled())
    check_statement(data.draw(queries(table, rows)))


def check_statement(query: Query) -> None:
    statement, bound = compile_query(query)
    assert STATEMENT.fullmatch(statement), statement
    assert statement.count("?") == len(bound)


@given(st.data())
@settings(max_examples=30, deadline=None)
def test_any_value_can_be_asked_for(data: st.DataObject) -> None:
    table, rows = data.draw(filled())
    for row in rows[:2]:
        for column in table.columns:
            value = row[column.name]
            if value is None:
                continue
            quoted = '"' + tell_value(value).replace('"', '""') + '"'
            if "\n" in quoted and column.kind is not Kind.TEXT:
                continue
            query = ask(f"things where {column.name} = {quoted}", table)
            found = [rows[at] for at in select([tuple(one.values()) for one in rows], query)]
            assert row in found
