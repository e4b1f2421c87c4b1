"""The tables that the sifting of a conversation is asked about: what they hold, and which rows came up."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.values.change import one_line
from reel_cli.core.values.settings import WHOLE
from reel_cli.features.tables.cell_values import tell_value
from reel_cli.features.tables.table import Column, Kind, Table, fold_text
from reel_cli.features.tables.tables import find_table, list_tables, read_table

if TYPE_CHECKING:
    from reel_cli.core.kit.snapshot import Snapshot
    from reel_cli.core.values.holdings import Counter

TABLES_SHARE = WHOLE * 6 // 100
"""Share of the cap that the tables may take in the prompt."""
ROOM_FOR_ROWS = 300
"""Tokens for the matching rows that exist already."""
MOST_LISTED = 12
MOST_CHOICES = 12


@dataclass(frozen=True, slots=True)
class AskedTables:
    """The tables a prompt asks about, each with its line; `passed_over` are those without room."""

    lines: Mapping[str, str] = field(default_factory=dict)
    passed_over: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """Return the text for the prompt, without rows."""
        return "\n".join(self.lines.values())


def tables_to_ask(snapshot: "Snapshot", counter: "Counter") -> AskedTables:
    """Return the kit's tables, as many as fit, without those with an unreadable schema."""
    room = snapshot.settings.cap * TABLES_SHARE // WHOLE
    lines: dict[str, str] = {}
    passed_over = []
    for table in readable_tables(snapshot).values():
        line = _describe(table)
        size = counter.count(line) + 1
        if size > room:
            passed_over.append(table.name)
            continue
        room -= size
        lines[table.name] = line
    return AskedTables(lines, tuple(passed_over))


def with_rows_spoken_of(snapshot: "Snapshot", asked: AskedTables, said: str, counter: "Counter") -> str:
    """Return the tables for the prompt, each with the rows that were mentioned.

    A row is told by its key and what it is called, where a bundle may hold these; nothing else of it is.
    """
    room = ROOM_FOR_ROWS
    told = []
    for name, line in asked.lines.items():
        told.append(line)
        table = find_table(snapshot, name)
        rows = _rows_spoken_of(snapshot, table, said)
        there = f"  In {name} already, and spoken of: {'; '.join(rows)}"
        size = counter.count(there) + 1 if rows else 0
        if rows and size <= room:
            room -= size
            told.append(there)
    return "\n".join(told)


def _rows_spoken_of(snapshot: "Snapshot", table: Table, said: str) -> list[str]:
    shown = [name for name in dict.fromkeys((table.key, table.naming)) if _is_told(table, name)]
    if table.key not in shown:
        return []
    try:
        rows = read_table(snapshot, table).by_key().values()
    except ReelError:
        return []
    padded = f" {_words(said)} "
    found = []
    for row in rows:
        names = [tell_value(row[name]) for name in shown if row[name] is not None]
        if any(len(plain) > 1 and f" {plain} " in padded for plain in map(_words, names)):
            found.append(one_line(names[0], 60) + "".join(f" ({one_line(one, 60)})" for one in names[1:]))
            if len(found) == MOST_LISTED:
                break
    return found


def _words(text: str) -> str:
    return " ".join("".join(c if c.isalnum() else " " for c in fold_text(text)).split())


def _is_told(table: Table, name: str) -> bool:
    column = table.column(name)
    return column is not None and column.told


def readable_tables(snapshot: "Snapshot") -> dict[str, Table]:
    """Return the kit's tables by name, without those with an unreadable schema."""
    found: dict[str, Table] = {}
    for name in list_tables(snapshot):
        try:
            found[name] = find_table(snapshot, name)
        except ReelError:
            # reported by the doctor and wherever its rows are asked for
            continue
    return found


def _describe(table: Table) -> str:
    """Return a table on one line: its columns, and what each holds."""
    columns = [
        f"{column.name} ({'the key, ' if column.name == table.key else ''}{_kind(column)})"
        for column in table.columns
    ]
    return f"- {table.name}: {', '.join(columns)}"


def _kind(column: Column) -> str:
    if column.kind is Kind.ONE_OF:
        return " / ".join(one_line(choice, 40) for choice in column.choices[:MOST_CHOICES])
    return "date, as 2026-03-01" if column.kind is Kind.DATE else column.kind.value
