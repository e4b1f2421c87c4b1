"""Domain data as it is held: its tables, their rows, and what is asked of them."""

from collections.abc import Sequence
from dataclasses import dataclass

from reel_cli.core.errors import ReelError
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.nearest import nearest
from reel_cli.core.values.change import one_line
from reel_cli.core.values.settings import SQLITE
from reel_cli.features.tables.cell_values import BadValueError, read_text_value, tell_value
from reel_cli.features.tables.query import Query, parse_query
from reel_cli.features.tables.rows_file import Problem, Rows, key_of, read_rows
from reel_cli.features.tables.schema_file import FOLDER, parse_schema, rows_path, schema_path, table_of_schema
from reel_cli.features.tables.store import compile_query, select
from reel_cli.features.tables.table import Row, Table, Value, check_table_name


@dataclass(frozen=True, slots=True)
class QueryResult:
    """The query, its rows, and the problems of rows that do not fit their schema."""

    query: Query
    rows: Sequence[Row]
    problems: Sequence[Problem] = ()


def list_tables(snapshot: Snapshot) -> Sequence[str]:
    """Return the names of the kit's tables, sorted."""
    found = (table_of_schema(path) for path in snapshot.list(FOLDER))
    return [name for name in found if name is not None and _is_name(name)]


def _is_name(name: str) -> bool:
    try:
        check_table_name(name)
    except ReelError:
        return False
    return True


def find_table(snapshot: Snapshot, name: str) -> Table:
    """Return a table by its name; raises ReelError if there is none, or its schema is unreadable."""
    plain = name.strip().casefold()
    known = list_tables(snapshot)
    if plain not in known:
        near = nearest(plain, known)
        message = f"There is no table {one_line(name, 40)!r}."
        if near:
            raise ReelError(message, hint=f"did you mean {near}?")
        listed = f"the tables are {', '.join(known[:12])}"
        raise ReelError(message, hint=listed if known else "make it:  reel domain define TABLE COLUMN…")
    return parse_schema(snapshot.text(schema_path(plain)) or "", plain)


def read_table(snapshot: Snapshot, table: Table) -> Rows:
    """Return a table's rows; raises ReelError if its file cannot be read as a whole."""
    return read_rows(snapshot.text(rows_path(table.name)) or "", table, rows_path(table.name))


def ask(snapshot: Snapshot, text: str, known: dict[str, Rows] | None = None) -> QueryResult:
    """Return the result of a query; `known` are tables read before, and gets those read now.

    Rows that do not fit their schema are never among it, and are told of in `problems`. Raises QueryError
    where the query is none, ReelError where the table cannot be read.
    """
    tables = list_tables(snapshot)

    def find(name: str) -> Table | None:
        return find_table(snapshot, name) if name in tables else None

    query = parse_query(text, find, tables)
    known = known if known is not None else {}
    if query.table.name not in known:
        known[query.table.name] = read_table(snapshot, query.table)
    held = known[query.table.name]
    rows, names = held.sound, query.table.names
    found = _select_stored(snapshot, query, held)
    picked = [
        dict(zip(names, rows[at], strict=True)) for at in (select(rows, query) if found is None else found)
    ]
    return QueryResult(query, picked, held.problems)


def _select_stored(snapshot: Snapshot, query: Query, held: Rows) -> Sequence[int] | None:
    """Return what the database selects, by place; None where the kit has none, or it says something else."""
    from reel_cli.core.files.tree import WorkTree

    if not isinstance(snapshot.tree, WorkTree) or snapshot.settings.domain_store != SQLITE:
        return None
    from reel_cli.features.tables.database import database_path, is_last_dump, select_stored

    path, table = database_path(snapshot.tree.root), query.table
    dump = snapshot.text(rows_path(table.name)) or ""
    if not path.exists() or not is_last_dump(path, table.name, dump):
        return None
    at = table.names.index(table.key)
    places = {key_of(row[at]): place for place, row in enumerate(held.sound)}
    return select_stored(path, table, places, *compile_query(query))


def find_row(rows: Rows, key: str) -> Row:
    """Return one row by its key as typed; raises ReelError if there is none."""
    table = rows.table
    column = table.column(table.key)
    try:
        value = read_text_value(key, column) if column is not None else None
    except BadValueError as error:
        message = f"{table.key}: {one_line(key, 40)!r} {error}."
        raise ReelError(message) from None
    held = rows.by_key()
    if key_of(value) in held:
        return held[key_of(value)]
    near = nearest(key, [tell_value(row[table.key]) for row in held.values()])
    message = f"There is no {one_line(key, 40)!r} in {table.name}."
    raise ReelError(
        message, hint=f"did you mean {near}?" if near else f"see them with  reel domain find {table.name}"
    )


def name_row(table: Table, row: Row) -> str:
    """Return a row's name, on one line."""
    told = row.get(table.naming)
    return one_line(tell_value(told if told is not None else row[table.key]), 60)


def tell_problems(table: str, problems: Sequence[Problem]) -> str:
    """Return the rows that do not fit, in one sentence for a person; "" if there are none."""
    if not problems:
        return ""
    lines = len({problem.line for problem in problems})
    more = f" ({lines:,} rows in all; reel doctor names them)" if lines > 1 else ""
    return f"{rows_path(table)}, {problems[0].words}. That row is left out{more}."


def as_json(row: Row) -> dict[str, Value]:
    """Return a row as JSON."""
    return dict(row)
