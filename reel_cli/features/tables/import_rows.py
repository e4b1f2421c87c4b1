"""Rows from a file of somebody else's, CSV or JSON: all of them, or none."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from reel_cli.core.errors import ReelError
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.values.change import one_line
from reel_cli.features.tables.cell_values import BadValueError, check_required, read_value
from reel_cli.features.tables.plan import RowsPut, make_put, merge_row
from reel_cli.features.tables.rows_file import Problem, key_of, match_columns, type_rows
from reel_cli.features.tables.schema_file import rows_path
from reel_cli.features.tables.sheet import parse_sheet
from reel_cli.features.tables.table import MOST_ROWS, Row, Table, Value, find_foreign, fold_name
from reel_cli.features.tables.tables import find_table, read_table

SHOWN = 5
"""Maximum number of rows that do not fit named one by one."""

Told = tuple[int, Mapping[str, Value]]
"""A row of a file: its line, and what it says of the table's columns."""


class BadRowsError(ReelError):
    """Rows that break the schema; `problems` are all of them, and nothing was taken over."""

    def __init__(self, shown: str, problems: Sequence[Problem]) -> None:
        """Name the first; the others are told beside it."""
        rows = len({problem.line for problem in problems})
        more = f" ({rows:,} rows do not fit)" if rows > 1 else ""
        super().__init__(
            f"{shown}, {problems[0].words}{more}.", hint="nothing was imported; correct the file"
        )
        self.problems = problems


def plan_import(  # noqa: PLR0913 (a table, what comes in, and how it is taken)
    snapshot: Snapshot,
    name: str,
    text: str,
    shown: str,
    *,
    replace_all: bool = False,
    known_only: bool = False,
) -> RowsPut:
    """Plan to import a file's rows, each by its key; with `replace_all`, other rows are removed.

    Of a row that is there, only the columns the file has change. `known_only` passes over columns that the
    table does not have. Raises BadRowsError where a row breaks the schema, ReelError for all else.
    """
    table = find_table(snapshot, name)
    held = read_table(snapshot, table)
    if held.problems:
        message = f"{rows_path(table.name)}, {held.problems[0].words}."
        raise ReelError(message, hint="correct that row, then import again")
    unit = "line"
    if text.lstrip("\ufeff \t\r\n")[:1] in ("[", "{"):
        told, problems, unit = _read_json(text, shown, table, known_only=known_only)
    else:
        told, problems = _read_csv(text, shown, table, known_only=known_only)
    known = held.by_key()
    puts: dict[Value, Row] = {}
    lines: dict[Value, int] = {}
    found = list(problems)
    for line, values in told:
        key = key_of(values.get(table.key))
        if key in puts:
            what = f"is the key of {unit} {lines[key]:,} as well"
            found.append(Problem(line, table.key, str(values[table.key]), what, unit))
            continue
        lines[key] = line
        puts[key] = merge_row(table, known.get(key), values)
        for column in table.columns:
            try:
                check_required(puts[key][column.name], column)
            except BadValueError as error:
                found.append(Problem(line, column.name, "", str(error), unit))
    if found:
        raise BadRowsError(shown, sorted(found, key=lambda one: one.line))
    if len(known.keys() | puts.keys()) > MOST_ROWS:
        message = f"With these rows {table.name} would have more than {MOST_ROWS:,}."
        raise ReelError(message)
    gone = [row for key, row in known.items() if key not in puts] if replace_all else []
    return make_put(held, puts, gone, f" ({one_line(shown, 60)})")


def _loose(table: Table) -> Table:
    """Return the table with nothing required but its key: what a row lacks may come from elsewhere."""
    return replace(table, columns=tuple(replace(c, required=c.name == table.key) for c in table.columns))


def _read_csv(
    text: str, shown: str, table: Table, *, known_only: bool
) -> tuple[Sequence[Told], Sequence[Problem]]:
    sheet = parse_sheet(text, shown, {fold_name(name) for name in table.names})
    places = match_columns(sheet.head, table, f"{shown}, line 1", known_only=known_only)
    typed = type_rows(sheet, _loose(table), places)
    told = [
        (lines[0], {name: value for name, value in zip(table.names, row, strict=True) if name in places})
        for lines, row in zip(sheet.lines, typed.values, strict=True)
        if row is not None
    ]
    return told, typed.problems


def _read_json(
    text: str, shown: str, table: Table, *, known_only: bool
) -> tuple[Sequence[Told], Sequence[Problem], str]:
    """Return the rows of a list of objects, or of one object a line."""
    items, unit = read_items(text, shown)
    if len(items) > MOST_ROWS:
        message = f"{shown} has more than {MOST_ROWS:,} rows."
        raise ReelError(message)
    loose = {fold_name(c.name): c for c in _loose(table).columns}
    told: list[Told] = []
    problems: list[Problem] = []
    for line, item in items:
        if not isinstance(item, dict):
            problems.append(Problem(line, "", "", "this is not a row; a row is an object, like {…}", unit))
            continue
        values: dict[str, Value] = {}
        wrong: list[Problem] = []
        for name, value in item.items():
            column = find_foreign(loose, name)
            if column is None and known_only:
                continue
            if column is None or column.name in values:
                there = "is there twice" if column is not None else f"is not a column of {table.name}"
                wrong.append(Problem(line, "", "", f"{one_line(name, 40)!r} {there}", unit))
                continue
            try:
                values[column.name] = read_value(value, column)
            except BadValueError as error:
                wrong.append(Problem(line, column.name, _brief(value), str(error), unit))
        if not wrong and values.get(table.key) is None:
            wrong.append(Problem(line, table.key, "", "is empty, and has to be filled in", unit))
        problems += wrong
        told += [] if wrong else [(line, values)]
    return told, problems, unit


def read_items(text: str, shown: str) -> tuple[Sequence[tuple[int, Any]], str]:
    """Return the objects of a JSON list or of JSON lines, each with its number, and its unit.

    Raises ReelError naming the line where it is no JSON.
    """
    text = text.lstrip("\ufeff")
    if text.lstrip()[:1] == "[":
        value = _loads(text, shown, 0)
        return list(enumerate(value, start=1)), "row"
    lines = [(at, line) for at, line in enumerate(text.split("\n"), start=1) if line.strip()]
    try:
        return [(at, _loads(line, shown, at - 1)) for at, line in lines], "line"
    except ReelError:
        if len(lines) == 1 or lines[0][1].rstrip().endswith("}"):
            raise
        # one object over several lines
        return [(1, _loads(text, shown, 0))], "row"


def _loads(text: str, shown: str, above: int) -> Any:  # noqa: ANN401
    try:
        return json.loads(text, object_pairs_hook=_object, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        message = f"{shown}, line {above + error.lineno:,}: this is not JSON ({error.msg})."
    except RecursionError:
        message = f"{shown} is nested too deeply."
    except ValueError as error:
        message = f"{shown}, line {above + 1:,}: {one_line(str(error), 80)}."
    raise ReelError(message, hint="a list of objects, or an object a line, is taken over")


def _object(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        message = "an object has the same name twice"
        raise ValueError(message)
    return found


def _no_constant(name: str) -> None:
    message = f"{name} is no number"
    raise ValueError(message)


def _brief(value: object) -> str:
    return one_line(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)[:200], 40)
