"""`.reel/domain.sqlite`: the kit's tables as a database (Memory Keep §II.1.2), for `domain.store: sqlite`.

Each table of the kit is one of the database, with its schema as constraints, so that another program that
writes into it is held to them. Beside them stands, for each, the text of its dump as of the last time that
both said the same.
"""

import sqlite3
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from reel_cli.features.tables.cell_values import BadValueError, check_required, read_value
from reel_cli.features.tables.rows_file import key_of
from reel_cli.features.tables.table import Column, Kind, Row, Table, Value

PATIENCE = 5.0
"""Seconds to wait for another program that writes into the database."""
_TYPES = {
    Kind.TEXT: "TEXT",
    Kind.NUMBER: "NUMERIC",
    Kind.DATE: "TEXT",
    Kind.YES_NO: "INTEGER",
    Kind.ONE_OF: "TEXT",
}
_DUMPS = 'CREATE TABLE IF NOT EXISTS "reel.dumps" (name TEXT PRIMARY KEY, schema TEXT, dump TEXT)'
_BAD = 'CREATE TABLE IF NOT EXISTS "reel.bad" (name TEXT PRIMARY KEY)'
"""Names of tables with rows that no dump can hold: queries are put to the dump of those."""


class LastDump(NamedTuple):
    """A table's schema and rows, as text, when the database and the dump last said the same."""

    schema: str
    dump: str


class StoredRows(NamedTuple):
    """The rows of a table in the database by their keys, and those that do not fit, each with the reason.

    `keys` are the keys of the rows as they stand there; `unlike` those of rows that a dump writes otherwise,
    as without the spaces around a text.
    """

    rows: Mapping[Value, Row]
    bad: Mapping[Value, str]
    keys: Mapping[Value, Value]
    unlike: Collection[Value]


def database_path(kit: Path) -> Path:
    """Return the place of a kit's database."""
    return kit / ".reel" / "domain.sqlite"


@contextmanager
def open_database(path: Path) -> Iterator[sqlite3.Connection]:
    """Yield a connection in one transaction that nobody else writes beside; all of it counts, or nothing.

    Raises sqlite3.Error where the file is no database, is damaged, or stays locked.
    """
    connection = sqlite3.connect(path, isolation_level=None, timeout=PATIENCE)
    connection.text_factory = lambda data: data.decode("utf-8", "surrogateescape")
    try:
        connection.execute("PRAGMA trusted_schema = OFF")
        # what a row no longer says is not left in the file
        connection.execute("PRAGMA secure_delete = ON")
        connection.execute("BEGIN IMMEDIATE")
        connection.execute(_DUMPS)
        connection.execute(_BAD)
        yield connection
        connection.execute("COMMIT")
    finally:
        connection.close()


def last_dumps(connection: sqlite3.Connection) -> Mapping[str, LastDump]:
    """Return what each table's dump was when both said the same."""
    found = connection.execute('SELECT name, schema, dump FROM "reel.dumps"')
    return {name: LastDump(schema, dump) for name, schema, dump in found}


def note_dump(connection: sqlite3.Connection, table: str, schema: str, dump: str) -> None:
    """Note that a table's dump says the same as the database."""
    connection.execute('INSERT OR REPLACE INTO "reel.dumps" VALUES (?, ?, ?)', (table, schema, dump))


def note_bad(connection: sqlite3.Connection, table: str, *, bad: bool) -> None:
    """Note whether a table has rows that its dump cannot hold."""
    change = (
        'INSERT OR REPLACE INTO "reel.bad" VALUES (?)' if bad else 'DELETE FROM "reel.bad" WHERE name = ?'
    )
    connection.execute(change, (table,))


def make_stored(connection: sqlite3.Connection, table: Table) -> None:
    """Make a table anew, empty."""
    drop_stored(connection, table.name)
    columns = ", ".join(_define(column, table) for column in table.columns)
    connection.execute(f"CREATE TABLE {_quote(table.name)} ({columns})")


def has_stored(connection: sqlite3.Connection, name: str) -> bool:
    """Return whether there is a table of this name, whoever made it."""
    asked = "SELECT 1 FROM sqlite_master WHERE name = ? COLLATE NOCASE"
    return connection.execute(asked, (name,)).fetchone() is not None


def drop_stored(connection: sqlite3.Connection, name: str) -> None:
    """Take a table away, and what is noted of its dump."""
    connection.execute(f"DROP TABLE IF EXISTS {_quote(name)}")
    connection.execute('DELETE FROM "reel.dumps" WHERE name = ?', (name,))
    note_bad(connection, name, bad=False)


def read_stored(connection: sqlite3.Connection, table: Table) -> StoredRows:
    """Return a table's rows; sqlite3.Error where it has other columns than its schema."""
    rows: dict[Value, Row] = {}
    bad: dict[Value, str] = {}
    keys: dict[Value, Value] = {}
    unlike: set[Value] = set()
    names = ", ".join(_qualify(table, name) for name in table.names)
    for stored in connection.execute(f"SELECT {names} FROM {_quote(table.name)}"):  # noqa: S608 (quoted names)
        key = stored[table.names.index(table.key)]
        try:
            row = {
                column.name: _typed(value, column)
                for column, value in zip(table.columns, stored, strict=True)
            }
        except BadValueError as error:
            bad[key_of(key)] = str(error)
            continue
        own = key_of(row[table.key])
        if own in rows:
            bad[key] = "has the key of another row, but for upper and lower case"
            continue
        rows[own], keys[own] = row, key
        if tuple(row.values()) != stored:
            unlike.add(own)
    return StoredRows(rows, bad, keys, unlike)


def write_stored(
    connection: sqlite3.Connection, table: Table, puts: Sequence[Row], drops: Sequence[Value]
) -> None:
    """Put rows in, in place of those with the same key, and take those with these keys out."""
    name, key = _quote(table.name), _quote(table.key)
    connection.executemany(f"DELETE FROM {name} WHERE {key} IS ?", [(drop,) for drop in drops])  # noqa: S608
    marks = ", ".join("?" * len(table.columns))
    connection.executemany(
        f"INSERT OR REPLACE INTO {name} VALUES ({marks})",  # noqa: S608 (a quoted name, and question marks)
        [tuple(row.get(one) for one in table.names) for row in puts],
    )


def select_stored(
    path: Path, table: Table, place_of: Mapping[Value, int], statement: str, bound: Sequence[Value]
) -> Sequence[int] | None:
    """Return what a statement about `t` selects, by place; None where the database does not say the same.

    `place_of` gives the place of each row by its key; `t` is the table with its columns as `c0`, `c1` and so
    on, and its place as `n`.
    """
    from reel_cli.features.tables.store import fold_value

    def place(key: Value) -> int | None:
        return place_of.get(key_of(key))

    columns = ", ".join(f"{_qualify(table, name)} AS c{at}" for at, name in enumerate(table.names))
    key = _qualify(table, table.key)
    source = f"SELECT place({key}) AS n, {columns} FROM {_quote(table.name)} WHERE place({key}) IS NOT NULL"  # noqa: S608
    try:
        connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=PATIENCE)
        try:
            connection.create_function("place", 1, place)
            connection.create_function("fold", 1, fold_value, deterministic=True)
            found = connection.execute(f"WITH t AS ({source}) {statement}", bound)
            return [number for (number,) in found]
        finally:
            connection.close()
    except sqlite3.Error:
        return None


def is_last_dump(path: Path, table: str, dump: str) -> bool:
    """Return whether the database says the same as this dump of a table, and no more."""
    try:
        connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=PATIENCE)
        try:
            found = connection.execute(
                'SELECT dump FROM "reel.dumps" WHERE name = ? AND name NOT IN (SELECT name FROM "reel.bad")',
                (table,),
            ).fetchone()
        finally:
            connection.close()
    except sqlite3.Error:
        return False
    return found is not None and found[0] == dump


def find_fault(path: Path) -> str:
    """Return the damage that SQLite finds in the file; "" for none."""
    try:
        connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=PATIENCE)
        try:
            found = connection.execute("PRAGMA integrity_check(1)").fetchone()
        finally:
            connection.close()
    except sqlite3.Error as error:
        return str(error)
    return "" if found and found[0] == "ok" else str(found[0] if found else "nothing can be read")


def _typed(value: object, column: Column) -> Value:
    if column.kind is Kind.YES_NO and value in (0, 1):
        return bool(value)
    if isinstance(value, bytes):
        message = "holds bytes instead of a text"
        raise BadValueError(message)
    found = read_value(value, column)
    check_required(found, column)
    return found


def _define(column: Column, table: Table) -> str:
    name = _quote(column.name)
    checks: Mapping[Kind, Callable[[], str]] = {
        Kind.NUMBER: lambda: f"typeof({name}) IN ('integer', 'real')",
        Kind.DATE: lambda: f"{name} IS date({name})",
        Kind.YES_NO: lambda: f"{name} IN (0, 1)",
        Kind.ONE_OF: lambda: f"{name} IN ({', '.join(map(_literal, column.choices))})",
    }
    parts = [name, _TYPES[column.kind]]
    if column.name == table.key:
        parts.append("PRIMARY KEY")
    if column.required:
        parts.append("NOT NULL")
    if column.default is not None:
        parts.append(f"DEFAULT {_default(column.default)}")
    if column.kind in checks:
        parts.append(f"CHECK ({name} IS NULL OR {checks[column.kind]()})")
    return " ".join(parts)


def _default(value: Value) -> str:
    if isinstance(value, bool):
        return str(int(value))
    return str(value) if isinstance(value, int | float) else _literal(str(value))


def _quote(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _qualify(table: Table, column: str) -> str:
    """Return a column's full name; a quoted word alone would be a text where there is no such column."""
    return f"{_quote(table.name)}.{_quote(column)}"


def _literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
