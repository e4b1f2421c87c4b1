"""A table's rows from two machines made one: each row by its key, each cell by who changed it."""

from collections.abc import Mapping, Sequence

from reel_cli.core.errors import ReelError
from reel_cli.features.tables.cell_values import tell_value
from reel_cli.features.tables.rows_file import read_rows, write_rows
from reel_cli.features.tables.schema_file import parse_schema
from reel_cli.features.tables.table import Row, Table, Value

NAMED = 3


def join_rows(  # noqa: PLR0913 (three files, what they are rows of, and whose word counts)
    name: str, schema: str, ours: str, theirs: str, base: str, whose: str
) -> tuple[str, Sequence[str]] | None:
    """Return both sides' rows in one file, and notes for the person; None if a person has to decide.

    What either wrote is there; a row that one took out, and the other left as it was, is gone. Of a cell that
    both changed, what `whose`, the other machine, had stays.
    """
    try:
        table = parse_schema(schema, name)
        mine, others, old = (read_rows(text, table, name) for text in (ours, theirs, base))
    except ReelError:
        return None
    if mine.problems or others.problems:
        return None
    here, there, was = mine.by_key(), others.by_key(), old.by_key()
    puts: dict[Value, Row] = {}
    drops: list[Value] = []
    both: list[str] = []
    for key in dict.fromkeys([*here, *there, *was]):
        a, b, before = here.get(key), there.get(key), was.get(key)
        if a in (b, before):
            continue
        if a is None:
            # this side took it out: only what the other left as it was goes
            drops += [key] if b == before else []
        elif b is None or b == before:
            puts[key] = a
        else:
            puts[key], cells = _join(table, a, b, before)
            both += [f"{tell_value(b[table.key])} ({', '.join(cells)})"] if cells else []
    told = f"{', '.join(both[:NAMED])}{f' and {len(both) - NAMED:,} more' if len(both) > NAMED else ''}"
    notes = [f"domain/{name}.csv: both machines changed {told}; it is as {whose} had it."] if both else []
    return write_rows(others, puts, drops), notes


def _join(table: Table, ours: Row, theirs: Row, base: Row | None) -> tuple[Row, Sequence[str]]:
    """Return one row of two, and the columns in which both are new and differ."""
    old: Mapping[str, Value] = base or {}
    row: dict[str, Value] = {}
    both = []
    for name in table.names:
        here, there, was = ours[name], theirs[name], old.get(name)
        row[name] = here if there == was else there
        if here not in (there, was) and there != was:
            both.append(name)
    return row, both
