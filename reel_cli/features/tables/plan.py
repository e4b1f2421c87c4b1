"""Changes of domain data: a table defined, rows put in and taken out; one commit each."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from reel_cli.core.errors import ReelError
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.nearest import nearest
from reel_cli.core.values.change import Change, for_screen, one_line
from reel_cli.features.tables.cell_values import BadValueError, check_required, read_value, tell_value
from reel_cli.features.tables.rows_file import Rows, key_of, write_rows
from reel_cli.features.tables.schema_file import rows_path, schema_path
from reel_cli.features.tables.table import Column, Row, Table, Value
from reel_cli.features.tables.tables import find_row, find_table, list_tables, name_row, read_table

OP = "domain"
NAMED = 3
"""Maximum number of rows named in a commit's subject; more are counted."""


@dataclass(frozen=True, slots=True)
class RowsPut:
    """The rows put into a table: the change (None if nothing changes), and each row before and after."""

    change: Change | None
    table: Table
    rows: Sequence[tuple[Row | None, Row]]
    taken: Sequence[Row] = ()

    @property
    def added(self) -> int:
        """Return how many rows are new."""
        return sum(before is None for before, _ in self.rows)

    @property
    def changed(self) -> int:
        """Return how many rows existed and are different now."""
        return sum(before is not None and before != after for before, after in self.rows)

    @property
    def same(self) -> int:
        """Return how many rows existed unchanged."""
        return sum(before == after for before, after in self.rows)


def plan_put(snapshot: Snapshot, name: str, words: Sequence[str]) -> RowsPut:
    """Plan to add one row, given as `column=value`; the first word may be the key alone.

    Of a row that is there, only what is told changes. Raises ReelError where it does not fit the schema.
    """
    table = find_table(snapshot, name)
    told: dict[str, object] = {}
    for place, word in enumerate(words):
        column, mark, value = word.partition("=")
        if not mark and place == 0:
            column, value = table.key, word
        elif not mark:
            message = f"{one_line(word, 40)!r} names no column."
            raise ReelError(message, hint=f"write it as  column=value , like  {table.names[-1]}=…")
        told[find_column(table, column).name] = value
    return plan_put_rows(snapshot, table.name, [told])


def find_column(table: Table, name: str) -> Column:
    """Return a table's column; raises ReelError with the nearest name if there is none."""
    column = table.column(name.strip())
    if column is None:
        near = nearest(name, table.names)
        message = f"There is no column {one_line(name, 40)!r} in {table.name}."
        listed = f"the columns are {', '.join(table.names)}"
        raise ReelError(message, hint=f"did you mean {near}?" if near else listed)
    return column


def plan_put_rows(snapshot: Snapshot, name: str, told: Sequence[Mapping[str, object]]) -> RowsPut:
    """Plan to add rows, each as a mapping from columns to values, texts or typed ones.

    Of a row that is there, only what is told changes; a new one has the defaults. All of them, or none:
    raises ReelError naming the first that does not fit the schema.
    """
    table = find_table(snapshot, name)
    held = read_table(snapshot, table)
    known = held.by_key()
    puts: dict[Value, Row] = {}
    for row in told:
        values = {column.name: _typed(table, column, row[column.name]) for column in _columns(table, row)}
        if values.get(table.key) is None:
            message = f"This row has no {table.key}, which is the key of {table.name}."
            raise ReelError(
                message, hint=f"give it first, like  reel domain put {table.name} KEY column=value"
            )
        key = key_of(values[table.key])
        puts[key] = merge_row(table, puts.get(key, known.get(key)), values)
        for column in table.columns:
            try:
                check_required(puts[key][column.name], column)
            except BadValueError as error:
                message = f"{table.name}, {column.name} {error}."
                near = _near(values[table.key], known, table) if key not in known else None
                hint = f"there is no such row yet; did you mean {near}?" if near else None
                raise ReelError(message, hint=hint or f"say it as  {column.name}=…") from None
    return make_put(held, puts)


def _near(key: Value, known: Mapping[Value, Row], table: Table) -> str | None:
    """Return the key that is there and most like one that is not."""
    return nearest(tell_value(key), [tell_value(row[table.key]) for row in known.values()])


def _columns(table: Table, row: Mapping[str, object]) -> Sequence[Column]:
    return [find_column(table, name) for name in row]


def _typed(table: Table, column: Column, value: object) -> Value:
    try:
        return read_value(value, column)
    except BadValueError as error:
        shown = one_line(str(value), 40)
        message = f"{table.name}, {column.name}: {shown!r} {error}."
        raise ReelError(message) from None


def merge_row(table: Table, before: Row | None, values: Mapping[str, Value]) -> Row:
    """Return a row with new values over its old ones, or the defaults; its key stays as written."""
    if before is None:
        return {
            column.name: values[column.name] if values.get(column.name) is not None else column.default
            for column in table.columns
        }
    return {
        name: before[name] if name == table.key else values.get(name, before[name]) for name in table.names
    }


def make_put(held: Rows, puts: Mapping[Value, Row], gone: Sequence[Row] = (), source: str = "") -> RowsPut:
    """Return the change that puts these rows in and takes others out."""
    table = held.table
    known = held.by_key()
    rows = [(known.get(key), row) for key, row in puts.items()]
    fresh = {key: row for key, row in puts.items() if known.get(key) != row}
    if not fresh and not gone:
        return RowsPut(None, table, rows)
    text = write_rows(held, fresh, [key_of(row[table.key]) for row in gone])
    made = RowsPut(None, table, rows, gone)
    change = Change(OP, f"{table.name}: {_tell(made)}{source}", {rows_path(table.name): text.encode()})
    return RowsPut(change, table, rows, gone)


def _tell(put: RowsPut) -> str:
    """Name the changed rows: few by their names (on screen), many by their number."""
    new = [after for before, after in put.rows if before is None]
    changed = [(before, after) for before, after in put.rows if before is not None and before != after]
    parts = []
    if len(changed) == 1 and not new and not put.taken:
        before, after = changed[0]
        columns = ", ".join(name for name in put.table.names if before[name] != after[name])
        return f"{for_screen(name_row(put.table, after), 'a row')}, {columns} changed"
    for rows, what in (
        (new, "added"),
        ([after for _, after in changed], "changed"),
        (put.taken, "taken out"),
    ):
        many = f"{len(rows):,} row{'' if len(rows) == 1 else 's'}"
        if len(rows) > NAMED or (rows and len(put.rows) > NAMED):
            parts.append(f"{many} {what}")
        elif rows:
            named = ", ".join(name_row(put.table, row) for row in rows)
            parts.append(f"{for_screen(named, many)} {what}")
    return ", ".join(parts)


def plan_drop_rows(snapshot: Snapshot, name: str, keys: Sequence[str]) -> RowsPut:
    """Plan to remove rows by their keys; ReelError if one of them is not there."""
    table = find_table(snapshot, name)
    held = read_table(snapshot, table)
    found = {key_of(row[table.key]): row for row in (find_row(held, key) for key in keys)}
    return make_put(held, {}, list(found.values()))


def plan_drop_table(snapshot: Snapshot, name: str) -> tuple[Change, int]:
    """Plan to remove a whole table, schema and rows; return the change and how many rows it had.

    One whose files cannot be read can be taken away all the same.
    """
    plain = name.strip().casefold()
    if plain not in list_tables(snapshot):
        find_table(snapshot, name)
    data = snapshot.read(rows_path(plain))
    try:
        count = len(read_table(snapshot, find_table(snapshot, plain)).values)
    except ReelError:
        count = max((data or b"").count(b"\n") - 1, 0)
    writes: dict[str, bytes | None] = {schema_path(plain): None}
    if data is not None:
        writes[rows_path(plain)] = None
    many = "one row" if count == 1 else f"{count:,} rows"
    return Change(OP, f"{plain} taken away, with {many}", writes), count
