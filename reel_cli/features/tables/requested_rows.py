"""The rows of domain data that a bundle is asked for: by what is typed, and by what the kit always asks."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.values.change import one_line
from reel_cli.features.tables.cell_values import tell_value
from reel_cli.features.tables.row_request import AskedRow, RequestedRows
from reel_cli.features.tables.tables import ask, tell_problems

if TYPE_CHECKING:
    from reel_cli.core.kit.snapshot import Snapshot
    from reel_cli.features.tables.rows_file import Rows
    from reel_cli.features.tables.table import Row, Table


def gather_asked(snapshot: "Snapshot", typed: Sequence[str], usual: Sequence[str] = ()) -> RequestedRows:
    """Return the rows that filters ask for, each once: `typed` ones first, then the kit's `usual`.

    Raises QueryError or ReelError where one that was typed cannot be answered; a usual one is passed over
    then, and told of.
    """
    rows: dict[str, AskedRow] = {}
    told: list[str] = []
    known: dict[str, Rows] = {}
    for place, text in enumerate([*typed, *usual]):
        try:
            found = ask(snapshot, text, known)
        except ReelError as error:
            if place < len(typed):
                raise
            told.append(f"kit.yaml, domain.with: {one_line(text, 60)!r} was passed over. {error.message}")
            continue
        if found.problems:
            told.append(tell_problems(found.query.table.name, found.problems))
        for row in found.rows:
            made = _tell(found.query.table, row)
            rows.setdefault(made.id, made)
    tables = list(dict.fromkeys(_table(row) for row in rows.values()))
    ordered = sorted(rows.values(), key=lambda row: tables.index(_table(row)))
    return RequestedRows(ordered, list(dict.fromkeys(told)))


def _table(row: AskedRow) -> str:
    return row.id.partition("/")[0]


def _tell(table: "Table", row: "Row") -> AskedRow:
    """Return a row for a bundle: without its key if it has a name, and without private columns."""
    told = {column.name: row[column.name] for column in table.columns if column.told}
    name = next((n for n in (table.naming, table.key) if told.get(n) is not None), "")
    parts = [
        (column.replace("_", " ").replace("-", " "), tell_value(value))
        for column, value in told.items()
        if value is not None and column not in (name, table.key)
    ]
    key = one_line(tell_value(row[table.key]), 80)
    return AskedRow(f"{table.name}/{key}", table.heading, tell_value(told[name]) if name else "", parts)
