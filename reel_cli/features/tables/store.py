"""A table's rows in SQLite, in memory, and a query put to them.

The statement is made of columns by their place and of question marks; every value is bound, and no word that
somebody wrote is ever part of it.
"""

import sqlite3
from collections.abc import Sequence

from reel_cli.features.tables.query import Condition, Empty, Not, Query, Test
from reel_cli.features.tables.table import Column, Kind, Table, Value, fold_text


def select(rows: Sequence[Sequence[Value]], query: Query) -> Sequence[int]:
    """Return the rows that a query selects, by their place among `rows`, in the query's order."""
    if query.where is None and not query.order:
        return range(min(len(rows), query.limit or len(rows)))
    statement, bound = compile_query(query)
    connection = sqlite3.connect(":memory:", isolation_level=None)
    try:
        connection.create_function("fold", 1, fold_value, deterministic=True)
        names = [f"c{place}" for place in range(len(query.table.columns))]
        connection.execute(f"CREATE TABLE t (n INTEGER PRIMARY KEY, {', '.join(names)})")
        connection.execute("BEGIN")
        marks = ", ".join("?" * len(names))
        connection.executemany(
            f"INSERT INTO t ({', '.join(names)}) VALUES ({marks})",  # noqa: S608 (places, and question marks)
            rows,
        )
        connection.execute("COMMIT")
        return [number - 1 for (number,) in connection.execute(statement, bound)]
    finally:
        connection.close()


def compile_query(query: Query) -> tuple[str, Sequence[Value]]:
    """Return the statement and what is bound to its question marks."""
    bound: list[Value] = []
    statement = "SELECT n FROM t"
    if query.where is not None:
        statement += f" WHERE {_condition(query.where, query.table, bound)}"
    order = [_order(column, query.table, bound, backwards=back) for column, back in query.order]
    statement += f" ORDER BY {', '.join([*order, 'n'])}"
    if query.limit is not None:
        statement += " LIMIT ?"
        bound.append(query.limit)
    return statement, bound


def _condition(asked: Condition, table: Table, bound: list[Value]) -> str:
    if isinstance(asked, Not):
        return f"NOT ({_condition(asked.of, table, bound)})"
    if isinstance(asked, Empty):
        return f"{_place(asked.column, table)} IS NULL"
    if isinstance(asked, Test):
        return _test(asked, table, bound)
    word = " AND " if asked.every else " OR "
    return f"({word.join(_condition(part, table, bound) for part in asked.parts)})"


_SIGNS = {"=": "=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}


def _test(asked: Test, table: Table, bound: list[Value]) -> str:
    """Return a comparison, which is false rather than unknown if the cell is empty."""
    place = _folded(asked.column, table)
    values = [fold_text(value) if isinstance(value, str) else value for value in asked.values]
    bound.extend(values)
    if asked.sign == "in":
        return f"coalesce({place} IN ({', '.join('?' * len(values))}), 0)"
    if asked.sign == "contains":
        return f"coalesce(instr({place}, ?) > 0, 0)"
    return f"coalesce({place} {_SIGNS[asked.sign]} ?, 0)"


def _order(column: Column, table: Table, bound: list[Value], *, backwards: bool) -> str:
    place = _place(column, table)
    told = _folded(column, table)
    if column.kind is Kind.ONE_OF:
        told = f"CASE {place} {' '.join(f'WHEN ? THEN {at}' for at in range(len(column.choices)))} END"
        bound.extend(column.choices)
    return f"{place} IS NULL, {told}{' DESC' if backwards else ''}"


def _place(column: Column, table: Table) -> str:
    return f"c{table.names.index(column.name)}"


def _folded(column: Column, table: Table) -> str:
    place = _place(column, table)
    return f"fold({place})" if column.kind in (Kind.TEXT, Kind.ONE_OF) else place


def fold_value(value: str | None) -> str | None:
    """Return a text without the difference of upper and lower case, as SQLite calls it."""
    return None if value is None else fold_text(value)
