"""`domain/<table>.yaml`: what a row of a table holds."""

import re
from collections.abc import Mapping, Sequence

from reel_cli.core.errors import ReelError
from reel_cli.core.files.yaml_text import Plain, parse_mapping, render_flow, render_scalar
from reel_cli.core.nearest import nearest
from reel_cli.core.values.change import one_line
from reel_cli.features.tables.cell_values import BadValueError, read_text_value, tell_value
from reel_cli.features.tables.table import MOST_CHOICES, Column, Kind, Table, make_table

FOLDER = "domain"
_SCHEMA = re.compile(r"domain/([^/]+)\.yaml")
_ROWS = re.compile(r"domain/([^/]+)\.csv")
_YES, _NO = ("yes", "true", "on"), ("no", "false", "off", "")
_KINDS = {kind.value: kind for kind in Kind if kind is not Kind.ONE_OF} | {
    "yes-no": Kind.YES_NO,
    "yes or no": Kind.YES_NO,
    "bool": Kind.YES_NO,
    "boolean": Kind.YES_NO,
    "string": Kind.TEXT,
}


def schema_path(table: str) -> str:
    """Return the kit path of a table's schema."""
    return f"{FOLDER}/{table}.yaml"


def rows_path(table: str) -> str:
    """Return the kit path of a table's rows."""
    return f"{FOLDER}/{table}.csv"


def table_of_schema(path: str) -> str | None:
    """Return the table whose schema a kit path is."""
    found = _SCHEMA.fullmatch(path)
    return found[1] if found else None


def table_of_rows(path: str) -> str | None:
    """Return the table whose rows a kit path is."""
    found = _ROWS.fullmatch(path)
    return found[1] if found else None


def parse_schema(text: str, name: str) -> Table:
    """Return the table of that name; raises ReelError naming the file and the error in it."""
    path = schema_path(name)
    fields = parse_mapping(text, path)
    told = fields.get("columns", "")
    if not isinstance(told, dict):
        message = f"{path}: columns should be `name: type` lines."
        raise ReelError(message, hint="like  title: text")
    try:
        columns = [_column(column, value) for column, value in told.items()]
        return make_table(name, columns, _word(fields, "key"), one_line(_word(fields, "title"), 80))
    except ReelError as error:
        if error.message.startswith(path):
            raise
        message = f"{path}: {error.message}"
        raise ReelError(message, hint=error.hint) from None


def parse_kind(text: str) -> tuple[Kind, tuple[str, ...]]:
    """Return a type as typed: `number`, or choices with / between; raises ReelError for others."""
    plain = one_line(text).casefold()
    if plain in _KINDS:
        return _KINDS[plain], ()
    if "/" in text:
        return Kind.ONE_OF, _choices([one_line(part) for part in text.split("/")])
    near = nearest(text, list(_KINDS))
    message = f"There is no type {one_line(text, 40)!r}."
    known = "text, number, date, yes/no, or choices like  open/done"
    raise ReelError(message, hint=f"did you mean {near}?" if near else f"the types are {known}")


def make_column(  # noqa: PLR0913 (a column, as it is told)
    name: str,
    kind: Kind,
    choices: tuple[str, ...],
    default: str,
    *,
    required: bool = False,
    told: bool = True,
) -> Column:
    """Return a column with its default typed; raises ReelError if that does not fit."""
    bare = Column(name, kind, choices)
    try:
        value = read_text_value(default, bare)
    except BadValueError as error:
        message = f"The default of {one_line(name, 40)}, {one_line(default, 40)!r}, {error}."
        raise ReelError(message) from None
    return Column(name, kind, choices, required, value, told)


def _column(name: str, value: Plain) -> Column:
    if isinstance(value, str):
        kind, choices = parse_kind(value or Kind.TEXT)
        return make_column(name, kind, choices, "")
    if isinstance(value, list):
        return make_column(name, Kind.ONE_OF, _choices([str(one) for one in value]), "")
    told = value.get("one of")
    if isinstance(told, list):
        kind, choices = Kind.ONE_OF, _choices([one for one in told if isinstance(one, str)])
    else:
        kind, choices = parse_kind(_word(value, "type") or Kind.TEXT)
    flags = {key: _flag(value, key, name, usual=key == "told") for key in ("required", "told")}
    return make_column(name, kind, choices, _word(value, "default"), **flags)


def _choices(told: Sequence[str]) -> tuple[str, ...]:
    found = tuple(dict.fromkeys(one_line(choice) for choice in told))
    if "" in found or not found or len(found) > MOST_CHOICES:
        message = f"A one-of has from 1 to {MOST_CHOICES} choices, none of them empty."
        raise ReelError(message, hint="like  status:open/done")
    return found


def _word(fields: Mapping[str, Plain], key: str) -> str:
    value = fields.get(key, "")
    return value.strip() if isinstance(value, str) else ""


def _flag(fields: Mapping[str, Plain], key: str, column: str, *, usual: bool) -> bool:
    word = _word(fields, key).casefold()
    if word not in (*_YES, *_NO):
        message = f"{column}: {key} is {one_line(word, 40)!r}, which is neither yes nor no."
        raise ReelError(message)
    return word in _YES if word else usual


# -- writing -------------------------------------------------------------------------------


def render_schema(table: Table) -> str:
    """Return a new schema."""
    head = f"title: {render_scalar(table.title)}\n" if table.title else ""
    lines = "".join(f"{_line(column, table)}\n" for column in table.columns)
    return f"# What a row of {table.name} holds.\n{head}key: {render_scalar(table.key)}\ncolumns:\n{lines}"


def edit_schema(text: str, before: Table, after: Table) -> str:
    """Return the schema with the changes of `after`; every other line stays as written."""
    lines = text.splitlines()
    start, end, spans = _find_columns(lines)
    if start is None or set(spans) != {column.name for column in before.columns}:
        # another layout, such as one line, is rewritten in ours
        return render_schema(after)
    was = {column.name: column for column in before.columns}
    for name, (first, last) in sorted(spans.items(), key=lambda item: -item[1][0]):
        now = after.column(name)
        if now is None:
            del lines[first:last]
            end -= last - first
        elif _line(now, after) != _line(was[name], before):
            lines[first:last] = [_line(now, after)]
            end -= last - first - 1
    lines[end:end] = [_line(column, after) for column in after.columns if column.name not in was]
    for key, old, new in (("key", before.key, after.key), ("title", before.title, after.title)):
        if old != new:
            _set_top(lines, key, new)
    return "\n".join(lines) + "\n"


def _find_columns(lines: Sequence[str]) -> tuple[int | None, int, dict[str, tuple[int, int]]]:
    """Return the line of `columns:`, where its block ends, and the lines of each column."""
    start = next((at for at, line in enumerate(lines) if re.fullmatch(r"columns:\s*(#.*)?", line)), None)
    spans: dict[str, tuple[int, int]] = {}
    if start is None:
        return None, 0, spans
    end = at = start + 1
    name, deep = "", ""
    while at < len(lines) and (not lines[at].strip() or lines[at][0] in " \t#"):
        found = re.match(r"([ ]+)(?:\"([^\"\\]+)\"|'([^']+)'|([^\s'\"#][^:]*?))\s*:(?:\s|$)", lines[at])
        if found and (not deep or found[1] == deep):
            deep = found[1]
            name = found[2] or found[3] or found[4]
            spans[name] = (at, at + 1)
            end = at + 1
        elif name and lines[at].strip() and lines[at].startswith(f"{deep} "):
            spans[name] = (spans[name][0], at + 1)
            end = at + 1
        at += 1
    return start, end, spans


def _set_top(lines: list[str], key: str, value: str) -> None:
    at = next((n for n, line in enumerate(lines) if line.startswith(f"{key}:")), None)
    fresh = [f"{key}: {render_scalar(value)}"] if value else []
    if at is not None:
        lines[at : at + 1] = fresh
    else:
        place = next(n for n, line in enumerate(lines) if line.startswith("columns:"))
        lines[place:place] = fresh


def _line(column: Column, table: Table) -> str:
    parts = []
    if column.kind is Kind.ONE_OF:
        parts.append(f"one of: {render_flow(column.choices)}")
    else:
        parts.append(f"type: {column.kind.value}")
    if column.required and column.name != table.key:
        parts.append("required: yes")
    if column.default is not None:
        parts.append(f"default: {render_scalar(tell_value(column.default))}")
    if not column.told:
        parts.append("told: no")
    plain = len(parts) == 1 and column.kind is not Kind.ONE_OF
    value = column.kind.value if plain else "{" + ", ".join(parts) + "}"
    return f"  {render_scalar(column.name)}: {value}"
