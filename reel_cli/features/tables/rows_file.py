"""`domain/<table>.csv`: rows, read against their schema, changed line by line, and joined by their keys."""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from reel_cli.core.errors import ReelError
from reel_cli.core.nearest import nearest
from reel_cli.core.values.change import one_line
from reel_cli.features.tables.cell_values import BadValueError, check_required, read_text_value, tell_value
from reel_cli.features.tables.schema_file import parse_schema
from reel_cli.features.tables.sheet import Sheet, parse_sheet, render_rows, unguard
from reel_cli.features.tables.table import Column, Row, Table, Value, find_foreign, fold_name, fold_text

_DIGITS = re.compile(r"([0-9]+)")
NAMED = 3


@dataclass(frozen=True, slots=True)
class Problem:
    """A problem of a row: its line, the column ("" for the row itself), the cell and what is wrong."""

    line: int
    column: str
    cell: str
    what: str
    unit: str = "line"
    """Unit that `line` counts: JSON has rows."""

    @property
    def words(self) -> str:
        """Return the problem in words, without the file's name."""
        if not self.column:
            return f"{self.unit} {self.line:,}: {self.what}"
        cell = f" {one_line(self.cell, 40)!r}" if self.cell.strip() else ""
        return f"{self.unit} {self.line:,}, {self.column}:{cell} {self.what}"


@dataclass(frozen=True, slots=True)
class Rows:
    """A table's rows as a file holds them: values in the order of the schema's columns.

    Where a row does not fit the schema its values are None, and `problems` says why.
    """

    table: Table
    sheet: Sheet | None = None
    values: Sequence[tuple[Value, ...] | None] = ()
    problems: Sequence[Problem] = ()
    lacking: Sequence[str] = field(default=())
    """Columns that the file does not have."""

    @property
    def sound(self) -> Sequence[tuple[Value, ...]]:
        """Return the rows that fit the schema."""
        return [row for row in self.values if row is not None]

    def by_key(self) -> dict[Value, Row]:
        """Return the rows that fit by their key (see `key_of`), in the order of the file."""
        names, at = self.table.names, self.table.names.index(self.table.key)
        return {key_of(row[at]): dict(zip(names, row, strict=True)) for row in self.sound}


def key_of(value: Value) -> Value:
    """Return the form of a key by which two are the same, ignoring case."""
    return fold_text(value) if isinstance(value, str) else value


def read_rows(text: str, table: Table, shown: str) -> Rows:
    """Return the rows of a table's own file.

    Raises ReelError naming `shown` where the file is no CSV, or has columns that the schema does not.
    """
    if not text.strip("\ufeff \t\r\n"):
        return Rows(table, lacking=table.names)
    sheet = parse_sheet(text, shown, {fold_name(name) for name in table.names})
    places = match_columns(sheet.head, table, f"{shown}, line 1", exact=True)
    return type_rows(sheet, table, places)


def match_columns(
    head: Sequence[str], table: Table, where: str, *, exact: bool = False, known_only: bool = False
) -> dict[str, int]:
    """Return the place in a header of each of the table's columns.

    `known_only` passes over columns that the table does not have. Raises ReelError where there are such,
    where one is there twice, or where there is no key.
    """
    fold: Callable[[str], str] = str.casefold if exact else fold_name
    names = {fold(name): name for name in table.names}
    places: dict[str, int] = {}
    strange = []
    for at, cell in enumerate(head):
        name = names.get(cell.casefold()) if exact else find_foreign(names, cell)
        if name is None:
            strange += [cell] if cell else []
        elif name in places:
            message = f"{where}: the column {name} is there twice."
            raise ReelError(message, hint="keep one of the two")
        else:
            places[name] = at
    if table.key not in places:
        message = f"{where}: there is no column {table.key}, the key of {table.name}."
        raise ReelError(message, hint=f"the first line names the columns, like  {','.join(table.names)}")
    if strange and not known_only:
        one = one_line(strange[0], 40)
        near = nearest(strange[0], table.names)
        message = f"{where}: the table {table.name} has no column {one!r}."
        add = f"add it:  reel domain define {table.name} NAME:TYPE"
        raise ReelError(message, hint=f"did you mean {near}?" if near and near not in places else add)
    return places


def type_rows(sheet: Sheet, table: Table, places: Mapping[str, int]) -> Rows:
    """Return the cells of a sheet as values; each distinct cell is read once."""
    width = max(len(sheet.head), 1)
    cells = [row if len(row) == width else [*row, *[""] * width][:width] for row in sheet.rows]
    wrong: dict[int, Problem] = {}
    for number, row in enumerate(sheet.rows):
        if len(row) > width and any(map(str.strip, row[width:])):
            what = f"there are {len(row)} cells, and {width} columns"
            wrong[number] = Problem(sheet.lines[number][0], "", "", what)
    columns: list[Sequence[Value]] = []
    bad: dict[int, list[Problem]] = {}
    for column in table.columns:
        at = places.get(column.name)
        if at is None:
            columns.append([None] * len(cells))
            continue
        told = [row[at] for row in cells]
        known, refused = _read_each(set(told), column, comma=sheet.comma)
        columns.append([known.get(cell) for cell in told])
        if refused:
            for number, cell in enumerate(told):
                if cell in refused:
                    one = Problem(sheet.lines[number][0], column.name, cell, refused[cell])
                    bad.setdefault(number, []).append(one)
    rows = list(zip(*columns, strict=True))
    key = table.names.index(table.key)
    seen: dict[Value, int] = {}
    for number, values in enumerate(rows):
        if number in bad:
            continue
        first = seen.setdefault(key_of(values[key]), number)
        if first != number:
            what = f"is the key of line {sheet.lines[first][0]:,} as well"
            problem = Problem(sheet.lines[number][0], table.key, tell_value(values[key]), what)
            bad[number] = [problem]
    for number, problem in wrong.items():
        bad[number] = [problem, *bad.get(number, ())]
    problems = [problem for number in sorted(bad) for problem in bad[number]]
    values_ = [None if number in bad else row for number, row in enumerate(rows)]
    return Rows(table, sheet, values_, problems, [name for name in table.names if name not in places])


def _read_each(
    cells: Iterable[str], column: Column, *, comma: bool
) -> tuple[Mapping[str, Value], Mapping[str, str]]:
    """Return each cell's value, and what is wrong with those that have none."""
    known: dict[str, Value] = {}
    refused: dict[str, str] = {}
    for cell in cells:
        try:
            value = read_text_value(unguard(cell.strip()), column, comma=comma)
            if value is None:
                check_required(value, column)
            known[cell] = value
        except BadValueError as error:
            refused[cell] = str(error)
    return known, refused


# -- writing -------------------------------------------------------------------------------


def write_rows(rows: Rows, puts: Mapping[Value, Row], drops: Iterable[Value] = ()) -> str:
    """Return the file with rows put in, by their key (see `key_of`), and others taken out.

    Rows that do not change stay as they are written, where the file is written our way. New ones go where
    the order of keys has them; in a file that is in no such order, to the end. Raises ReelError where a row
    that does not fit would have to be written again.
    """
    gone = set(drops)
    names = rows.table.names
    at = names.index(rows.table.key)
    sheet = rows.sheet
    anew = sheet is None or not sheet.plain or list(sheet.head) != list(names)
    if anew and rows.problems:
        raise _mend(rows)
    old: list[tuple[Value, str | tuple[Value, ...]]] = []
    told = set()
    for number, values in enumerate(rows.values):
        key = key_of(values[at]) if values is not None else _broken_key(rows, number)
        if key in gone:
            continue
        if key in puts and key not in told:
            if values is None:
                raise _mend(rows, number)
            told.add(key)
            old.append((key, tuple(puts[key].get(name) for name in names)))
        elif anew or sheet is None:
            old.append((key, values or ()))
        else:
            old.append((key, sheet.raw(number)))
    new = [(key, tuple(row.get(name) for name in names)) for key, row in puts.items() if key not in told]
    merged = _merge(old, sorted(new, key=lambda pair: sort_key(pair[0])))
    head = render_rows([list(names)]) if anew or sheet is None else sheet.raw_head
    return head + "".join(text if isinstance(text, str) else render_rows([text]) for _, text in merged)


def _mend(rows: Rows, number: int | None = None) -> ReelError:
    """Return the error for a row that does not fit and stands in the way: the first of all, or that one."""
    at = rows.sheet.lines[number][0] if rows.sheet is not None and number is not None else None
    problem = next(one for one in rows.problems if at in (None, one.line))
    return ReelError(f"domain/{rows.table.name}.csv, {problem.words}.", hint="correct that row first")


def _broken_key(rows: Rows, number: int) -> Value:
    """Return the key of a row that does not fit, if it can be read."""
    column = rows.table.column(rows.table.key)
    if rows.sheet is None or column is None:
        return None
    folded = [name.casefold() for name in rows.sheet.head]
    cells = rows.sheet.rows[number]
    at = folded.index(rows.table.key.casefold())
    if at >= len(cells):
        return None
    try:
        return key_of(read_text_value(unguard(cells[at].strip()), column))
    except BadValueError:
        return None


def _merge(
    old: list[tuple[Value, str | tuple[Value, ...]]], new: list[tuple[Value, tuple[Value, ...]]]
) -> list[tuple[Value, str | tuple[Value, ...]]]:
    if not new:
        return old
    keys = [sort_key(key) for key, _ in old]
    if any(a > b for a, b in pairwise(keys)):
        return [*old, *new]
    merged: list[tuple[Value, str | tuple[Value, ...]]] = []
    at = 0
    for key, row in new:
        place = bisect_left(keys, sort_key(key), at)
        merged += old[at:place]
        merged.append((key, row))
        at = place
    return merged + old[at:]


def sort_key(value: Value) -> tuple[object, ...]:
    """Return the sort key of a key: numbers by size, texts by letters and embedded numbers."""
    if value is None:
        return (2,)
    if not isinstance(value, str):
        return (0, value)
    parts = _DIGITS.split(value.casefold())
    told = [(1, len(p.lstrip("0")), p.lstrip("0")) if n % 2 else (0, 0, p) for n, p in enumerate(parts)]
    return (1, told, value)


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
            # this side removed it: it goes only if the other left it unchanged
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
