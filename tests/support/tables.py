"""Tables at random, and their rows: whatever a schema allows."""

from collections.abc import Sequence
from datetime import date

from hypothesis import strategies as st

from reel_cli.features.tables.query import Both, Condition, Empty, Not, Query, Test
from reel_cli.features.tables.table import Column, Kind, Row, Table, Value, make_table

LINES = st.text(
    st.one_of(
        st.sampled_from(list("aAzß 0;\n,'\"=+-@\t|%_\\`é日🙂")),
        st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"], exclude_characters="\ufffe\uffff"),
    ),
    max_size=25,
)
TEXTS = LINES.map(str.strip).filter(bool)
NUMBERS = st.one_of(
    st.integers(-(10**12), 10**12),
    st.tuples(st.integers(-(10**7), 10**7), st.integers(1, 9)).map(lambda p: float(f"{p[0]}.{p[1]}")),
)
DATES = st.dates(date(1, 1, 1), date(9999, 12, 31)).map(date.isoformat)
CHOICES = ("open", "in hand", "Done", "=1")


def values(column: Column) -> st.SearchStrategy[Value]:
    """Return values that a column may hold, but for nothing."""
    return {
        Kind.TEXT: TEXTS,
        Kind.NUMBER: NUMBERS,
        Kind.DATE: DATES,
        Kind.YES_NO: st.booleans(),
        Kind.ONE_OF: st.sampled_from(CHOICES),
    }[column.kind]


@st.composite
def tables(draw: st.DrawFn) -> Table:
    """A table of any columns; the key is a text or a number."""
    kinds = draw(st.lists(st.sampled_from(list(Kind)), max_size=5))
    columns = [Column("id", draw(st.sampled_from([Kind.TEXT, Kind.NUMBER])))]
    for number, kind in enumerate(kinds):
        choices = CHOICES if kind is Kind.ONE_OF else ()
        bare = Column(f"c{number}", kind, choices, required=draw(st.booleans()), told=draw(st.booleans()))
        default = draw(st.one_of(st.none(), values(bare)))
        columns.append(Column(bare.name, kind, choices, bare.required, default, bare.told))
    return make_table("things", columns, title=draw(st.sampled_from(["", "What there is"])))


@st.composite
def filled(draw: st.DrawFn, most: int = 8) -> tuple[Table, Sequence[Row]]:
    """A table and rows of it, each with its own key."""
    table = draw(tables())
    rows: dict[object, Row] = {}
    for _ in range(draw(st.integers(0, most))):
        row: dict[str, Value] = {}
        for column in table.columns:
            some = values(column)
            row[column.name] = draw(some if column.required else st.one_of(st.none(), some))
        key = row["id"]
        rows.setdefault(key.casefold() if isinstance(key, str) else key, row)
    return table, list(rows.values())


@st.composite
def conditions(draw: st.DrawFn, table: Table, rows: Sequence[Row], depth: int = 3) -> Condition:
    """Return questions to a table, most of them about values in its rows."""
    kind = draw(st.integers(0, 4 if depth else 1))
    column = draw(st.sampled_from(table.columns))
    if kind == 0:
        return Empty(column)
    if kind == 1:
        there = [row[column.name] for row in rows if row[column.name] is not None]
        some = st.one_of(st.sampled_from(there), values(column)) if there else values(column)
        ordered = column.kind in (Kind.TEXT, Kind.NUMBER, Kind.DATE)
        signs = ["=", "in", *(["<", "<=", ">", ">="] if ordered else [])]
        sign = draw(st.sampled_from([*signs, *(["contains"] if column.kind is Kind.TEXT else [])]))
        count = draw(st.integers(1, 3)) if sign == "in" else 1
        return Test(column, sign, tuple(draw(some) for _ in range(count)))
    if kind == 2:
        return Not(draw(conditions(table, rows, depth - 1)))
    parts = [draw(conditions(table, rows, depth - 1)) for _ in range(draw(st.integers(2, 3)))]
    return Both(tuple(parts), every=kind == 3)


@st.composite
def queries(draw: st.DrawFn, table: Table, rows: Sequence[Row]) -> Query:
    """A whole query."""
    order = draw(st.lists(st.tuples(st.sampled_from(table.columns), st.booleans()), max_size=2))
    where = draw(st.one_of(st.none(), conditions(table, rows)))
    return Query(table, where, tuple(order), draw(st.one_of(st.none(), st.integers(1, 5))))
