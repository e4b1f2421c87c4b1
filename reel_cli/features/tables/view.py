"""Rows on the screen, as a table where there is room; and rows for a spreadsheet or another program."""

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from reel_cli.core.values.change import one_line
from reel_cli.features.tables.cell_values import tell_value
from reel_cli.features.tables.sheet import render_rows
from reel_cli.features.tables.table import Column, Kind, Row, Table, Value
from reel_cli.features.tables.tables import QueryResult, as_json, name_row
from reel_cli.terminal.console import Console
from reel_cli.terminal.folding import columns

if TYPE_CHECKING:
    from reel_cli.features.tables.plan import RowsPut

LONGEST_CELL = 40
"""Characters of a cell in a printed table."""


def show_rows(console: Console, table: Table, rows: Sequence[Row]) -> str:
    """Return rows in columns; on a narrow terminal, each as a block of lines."""
    right = [at for at, column in enumerate(table.columns) if column.kind is Kind.NUMBER]
    cells = [[one_line(tell_value(row[name]), LONGEST_CELL) for name in table.names] for row in rows]
    told = console.table(table.names, cells, right=right)
    if not console.out.isatty() or all(len(line) <= columns(console.out) for line in told.splitlines()):
        return told
    return "\n\n".join(show_row(console, table, row) for row in rows)


def show_row(console: Console, table: Table, row: Row) -> str:
    """Return one row, a line a column, without empty ones."""
    lines = [f"{name_row(table, row)}"]
    for name in table.names:
        if row[name] is None or (name == table.naming and name != table.key):
            continue
        text = tell_value(row[name])
        if "\n" in text:
            lines += [f"  {name}:", *(f"    {line}" for line in text.split("\n"))]
        else:
            lines.append(console.wrap(f"{name}: {text}", console.out, "  ", "  "))
    return "\n".join(lines)


def tell_column(column: Column, table: Table) -> str:
    """Return a column's definition, in words."""
    kind = "one of " + ", ".join(column.choices) if column.kind is Kind.ONE_OF else column.kind.value
    parts = [kind]
    if column.name == table.key:
        parts.append("the key")
    elif column.required:
        parts.append("required")
    if column.default is not None:
        parts.append(f"else {tell_value(column.default)}")
    if not column.told:
        parts.append("never in a bundle")
    return "; ".join(parts)


def table_json(table: Table, rows: int) -> Mapping[str, Any]:
    """Return a table as JSON."""
    return {
        "table": table.name,
        "title": table.title,
        "key": table.key,
        "rows": rows,
        "columns": [
            {
                "name": column.name,
                "type": column.kind.value,
                "one_of": list(column.choices),
                "required": column.required,
                "default": column.default,
                "told": column.told,
            }
            for column in table.columns
        ],
    }


def put_json(put: "RowsPut", commit: str | None) -> Mapping[str, Any]:
    """Return as JSON what was put in and taken out."""
    key = put.table.key
    return {
        "commit": commit,
        "table": put.table.name,
        "added": [after[key] for before, after in put.rows if before is None],
        "changed": [after[key] for before, after in put.rows if before is not None and before != after],
        "same": put.same,
        "taken": [row[key] for row in put.taken],
    }


def rows_json(put: "RowsPut") -> list[dict[str, Any]]:
    """Return each row that is put in or changed, with its changes, as JSON."""
    table = put.table
    told: list[dict[str, Any]] = []
    for before, after in put.rows:
        names = [name for name in table.names if before is None or before[name] != after[name]]
        if names:
            told.append(
                {
                    "table": table.name,
                    "key": after[table.key],
                    "change": "added" if before is None else "changed",
                    "before": {name: before[name] for name in names} if before is not None else None,
                    "after": {name: after[name] for name in names},
                }
            )
    return told


def tell_put(put: "RowsPut") -> str:
    """Return the change in words: `3 rows added, 1 changed, 20 as they were`."""
    counts = (
        (put.added, "added"),
        (put.changed, "changed"),
        (len(put.taken), "taken out"),
        (put.same, "as it was" if put.same == 1 else "as they were"),
    )
    parts: list[str] = []
    for number, what in counts:
        if number:
            rows = "" if parts else (" row" if number == 1 else " rows")
            parts.append(f"{number:,}{rows} {what}")
    return ", ".join(parts) or "no rows"


def tell_changes(put: "RowsPut", most: int = 12) -> list[str]:
    """Return each row that changes, with its changes, one line each."""
    lines = []
    for before, after in put.rows:
        if before == after:
            continue
        columns = [name for name in put.table.names if before is None or before[name] != after[name]]
        told = [_cell(put.table, name, before, after) for name in columns]
        mark = "+" if before is None else "~"
        lines.append(f"  {mark} {name_row(put.table, after)}  ({'; '.join(filter(None, told))})")
    lines += [f"  - {name_row(put.table, row)}" for row in put.taken]
    return lines if len(lines) <= most + 1 else [*lines[:most], f"  and {len(lines) - most:,} more"]


def _cell(table: Table, name: str, before: Row | None, after: Row) -> str:
    """Return a cell's change; "" if it is shown already, or is empty in a new row."""
    if before is not None:
        return f"{name}: {_brief(before[name])} → {_brief(after[name])}"
    return "" if after[name] is None or name == table.naming else f"{name}: {_brief(after[name])}"


def _brief(value: Value) -> str:
    return one_line(tell_value(value), LONGEST_CELL) or "nothing"


def export_rows(found: QueryResult, form: str, *, for_file: bool = False) -> str:
    """Return rows as `csv`, `json` or `jsonl`.

    In CSV a text that a spreadsheet would take for a formula has an apostrophe in front. For a file it begins
    with a mark, without which spreadsheets take it for an older encoding.
    """
    names = found.query.table.names
    if form == "json":
        return json.dumps([as_json(row) for row in found.rows], ensure_ascii=False, indent=1) + "\n"
    if form == "jsonl":
        return "".join(json.dumps(as_json(row), ensure_ascii=False) + "\n" for row in found.rows)
    text = render_rows([names, *([row[name] for name in names] for row in found.rows)])
    return f"\ufeff{text}" if for_file else text
