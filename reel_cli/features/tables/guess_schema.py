"""A table's schema guessed from a file: names from its header, types from what stands in every row."""

from collections.abc import Mapping, Sequence

from reel_cli.core.errors import ReelError
from reel_cli.core.values.change import one_line
from reel_cli.features.tables.cell_values import BadValueError, read_text_value, tell_value
from reel_cli.features.tables.import_rows import read_items
from reel_cli.features.tables.rows_file import key_of
from reel_cli.features.tables.sheet import parse_sheet, unguard
from reel_cli.features.tables.table import Column, Kind, Table, fold_name, make_table, nameable

_YES_NO = frozenset({"yes", "no", "true", "false", "wahr", "falsch", "ja", "nein"})
"""Words that are certainly no number, no name and no note."""


def guess_table(name: str, text: str, shown: str) -> Table:
    """Return a table that a file's rows fit; its key is the first column without repetition.

    Raises ReelError where the file cannot be read, or has no such column.
    """
    columns: list[Column] = []
    key = ""
    comma = False
    if text.lstrip("\ufeff \t\r\n")[:1] in ("[", "{"):
        cells = _of_json(text, shown)
    else:
        sheet = parse_sheet(text, shown, ())
        comma = sheet.comma
        cells = {
            head: [unguard(row[at].strip()) if at < len(row) else "" for row in sheet.rows]
            for at, head in enumerate(sheet.head)
            if head
        }
    for head, told in cells.items():
        column = Column(_name(head, columns, shown), _kind(told, comma=comma))
        columns.append(column)
        if not key and column.kind is not Kind.YES_NO and _is_key(told, column, comma=comma):
            key = column.name
    if not key:
        message = f"{shown}: no column is filled in and different in each row, so none can be the key."
        raise ReelError(message, hint="give it one with a number for each row, and name that first")
    return make_table(name, columns, key)


def _of_json(text: str, shown: str) -> Mapping[str, Sequence[str]]:
    items = [item for _, item in read_items(text, shown)[0]]
    heads = list(dict.fromkeys(head for item in items if isinstance(item, dict) for head in item))
    rows = [item for item in items if isinstance(item, dict)]
    return {head: [_text(row.get(head)) for row in rows] for head in heads}


def _text(value: object) -> str:
    return tell_value(value).strip() if isinstance(value, str | int | float | bool) else ""


def _name(head: str, known: Sequence[Column], shown: str) -> str:
    """Return a header as a valid column name."""
    plain = nameable(head)
    if not plain:
        message = f"{shown}: {one_line(head, 40)!r} is not a name for a column."
        raise ReelError(message, hint="a name has letters or digits")
    if any(fold_name(one.name) == fold_name(plain) for one in known):
        message = f"{shown}: two columns are called {one_line(head, 40)}."
        raise ReelError(message, hint="call one of them something else")
    return plain


def _kind(cells: Sequence[str], *, comma: bool) -> Kind:
    """Return the type that all of a column's cells have; a number with a leading zero is text."""
    told = {cell for cell in cells if cell}
    if not told or any(len(cell) > 1 and cell.lstrip("+-")[:1] == "0" and cell.isdigit() for cell in told):
        return Kind.TEXT
    if all(cell.casefold() in _YES_NO for cell in told):
        return Kind.YES_NO
    for kind in (Kind.NUMBER, Kind.DATE):
        if all(_fits(cell, kind, comma=comma) for cell in told):
            return kind
    return Kind.TEXT


def _fits(cell: str, kind: Kind, *, comma: bool) -> bool:
    try:
        return read_text_value(cell, Column("c", kind), comma=comma) is not None
    except BadValueError:
        return False


def _is_key(cells: Sequence[str], column: Column, *, comma: bool) -> bool:
    try:
        values = {key_of(read_text_value(cell, column, comma=comma)) for cell in cells}
    except BadValueError:
        return False
    return bool(cells) and None not in values and len(values) == len(cells)
