"""A table's schema made or changed; what its rows would break is refused."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from reel_cli.core.errors import ReelError
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.values.change import Change, one_line
from reel_cli.features.tables.cell_values import tell_value
from reel_cli.features.tables.plan import OP, find_column
from reel_cli.features.tables.rows_file import Rows, read_rows, type_rows
from reel_cli.features.tables.schema_file import (
    edit_schema,
    make_column,
    parse_kind,
    render_schema,
    rows_path,
    schema_path,
)
from reel_cli.features.tables.sheet import parse_sheet, render_rows
from reel_cli.features.tables.table import Column, Kind, Table, check_column_name, fold_name, make_table
from reel_cli.features.tables.tables import find_table, list_tables


@dataclass(frozen=True, slots=True)
class TableRequest:
    """The person's wishes for a table: columns as `name:type=default`, and other changes of columns.

    None for key and title leaves them as they are.
    """

    columns: Sequence[str] = ()
    key: str | None = None
    title: str | None = None
    required: Sequence[str] = ()
    optional: Sequence[str] = ()
    untold: Sequence[str] = ()
    told: Sequence[str] = ()
    drop: Sequence[str] = ()
    like: Table | None = None
    """A new table that all else changes."""


def plan_define(snapshot: Snapshot, name: str, wanted: TableRequest) -> tuple[Change | None, Table]:
    """Make a table, or change what its columns are; None where all is so already.

    A column that is new has its default in every row. Raises ReelError where what is asked makes no sense, or
    where rows that are there would break it, naming the first with its line and column.
    """
    if name not in list_tables(snapshot):
        table = _shape(wanted.like, name, wanted)
        orphan = snapshot.text(rows_path(name))
        if orphan is not None:
            _fits(orphan, table, table)
        writes: dict[str, bytes | None] = {schema_path(name): render_schema(table).encode()}
        if orphan is None:
            writes[rows_path(name)] = render_rows([table.names]).encode()
        return Change(OP, f"{name} defined, with {', '.join(table.names)}", writes), table
    if wanted.like is not None:
        message = f"There is a table {name} already."
        raise ReelError(message, hint=f"reel domain list {name}  shows it; --like is only for a new table")
    before = find_table(snapshot, name)
    table = _shape(before, name, wanted)
    if table == before:
        return None, table
    text = snapshot.text(rows_path(name)) or ""
    schema = edit_schema(snapshot.text(schema_path(name)) or "", before, table)
    writes = {schema_path(name): schema.encode()}
    rows = _fits(text, before, table)
    if rows is not None:
        writes[rows_path(name)] = rows.encode()
    return Change(OP, f"{name}: {_tell(before, table)}", writes), table


def _shape(before: Table | None, name: str, wanted: TableRequest) -> Table:
    """Return the table as it is to be."""
    columns = {column.name: column for column in before.columns} if before is not None else {}
    bare = replace(before, columns=tuple(columns.values())) if before is not None else None
    for gone in wanted.drop:
        column = _known(bare, gone, name)
        if bare is not None and column.name == (wanted.key or bare.key):
            message = f"{column.name} is the key of {name} and cannot be removed."
            raise ReelError(
                message, hint=f"choose another key first:  reel domain define {name} --key COLUMN"
            )
        columns.pop(column.name, None)
    for spec in wanted.columns:
        column = _column(spec, columns)
        columns[column.name] = column
    made = Table(name, tuple(columns.values()), "")
    for words, change in (
        (wanted.required, {"required": True}),
        (wanted.optional, {"required": False}),
        (wanted.untold, {"told": False}),
        (wanted.told, {"told": True}),
    ):
        for word in words:
            column = _known(made, word, name)
            columns[column.name] = replace(columns[column.name], **change)  # type: ignore[arg-type]
    key = wanted.key if wanted.key is not None else before.key if before is not None else ""
    title = wanted.title if wanted.title is not None else before.title if before is not None else ""
    return make_table(name, list(columns.values()), key, one_line(title, 80))


def _known(table: Table | None, column: str, name: str) -> Column:
    return find_column(table if table is not None else Table(name, (), ""), column)


def _column(spec: str, known: dict[str, Column]) -> Column:
    """Return a column from its definition: `name`, `name:type`, `name:type=default`, `name=default`."""
    head, equals, default = spec.partition("=")
    name, colon, kind = (part.strip() for part in head.partition(":"))
    check_column_name(name)
    was = next((c for c in known.values() if c.name.casefold() == name.casefold()), None)
    if was is None:
        what, choices = parse_kind(kind) if colon else (Kind.TEXT, ())
        return make_column(name, what, choices, default)
    what, choices = parse_kind(kind) if colon else (was.kind, was.choices)
    told = default if equals else tell_value(was.default)
    return make_column(was.name, what, choices, told, required=was.required, told=was.told)


def _fits(text: str, before: Table, after: Table) -> str | None:
    """Return the rows under a new schema; None if they stay as they are written.

    Raises ReelError where one of them does not fit.
    """
    path = rows_path(after.name)
    if not text.strip("\ufeff \t\r\n"):
        return render_rows([after.names])
    sheet = parse_sheet(text, path, {fold_name(column) for column in (*before.names, *after.names)})
    folded = [cell.casefold() for cell in sheet.head]
    if before is after:
        read_rows(text, after, path)
    places = {c.name: folded.index(c.name.casefold()) for c in after.columns if c.name.casefold() in folded}
    new = [column for column in after.columns if column.name not in places]
    loose = replace(
        after,
        columns=tuple(
            replace(c, required=False) if c.default is not None or c in new else c for c in after.columns
        ),
    )
    typed = type_rows(sheet, loose, places)
    filled = [
        None
        if row is None
        else tuple(
            column.default if value is None and (column in new or column.required) else value
            for value, column in zip(row, after.columns, strict=True)
        )
        for row in typed.values
    ]
    _refuse(typed, filled, after, path)
    left = [column for column in before.names if column not in after.names]
    if filled == list(typed.values) and not new and not left:
        return None
    return render_rows([after.names, *(row for row in filled if row is not None)])


def _refuse(typed: Rows, filled: Sequence[tuple[object, ...] | None], table: Table, path: str) -> None:
    """Refuse a schema that rows break."""
    rows = len({problem.line for problem in typed.problems})
    if typed.problems:
        more = f" ({rows:,} rows in all)" if rows > 1 else ""
        message = f"This does not fit rows that are there: {path}, {typed.problems[0].words}{more}."
        raise ReelError(message, hint="correct those rows first, or leave the column as it is")
    for column, values in zip(table.columns, zip(*(row for row in filled if row), strict=True), strict=False):
        if column.required and any(value is None for value in values):
            message = f"This does not fit rows that are there: {column.name} is required, and empty in some."
            raise ReelError(
                message, hint=f"give it a default:  reel domain define {table.name} {column.name}=…"
            )


def _tell(before: Table, after: Table) -> str:
    """Return the differences, in words for a commit."""
    new = [c.name for c in after.columns if c.name not in before.names]
    gone = [name for name in before.names if name not in after.names]
    was = {c.name: c for c in before.columns}
    changed = [c.name for c in after.columns if c.name in was and was[c.name] != c]
    parts = [
        f"column{'' if len(names) == 1 else 's'} {', '.join(names)} {what}"
        for names, what in ((new, "added"), (changed, "changed"), (gone, "taken out"))
        if names
    ]
    if before.key != after.key:
        parts.append(f"its key is {after.key}")
    if before.title != after.title:
        parts.append(f"called {after.title or after.name}")
    return "; ".join(parts)
