"""Rows out of the sifting of a conversation: what of its answer holds.

What is kept of a row was said in the stretch, by one turn of it, and fits the table's schema; the rest is
named and left out, row by row and column by column.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.evidence.grounding.lexicon import telling
from reel_cli.core.evidence.grounding.source import Turn
from reel_cli.core.moment import read_day
from reel_cli.core.nearest import nearest
from reel_cli.core.tape.tape_view import read_session, speaker
from reel_cli.core.tape.transcript import tell_entries
from reel_cli.core.values.artifact import Problem
from reel_cli.core.values.change import one_line
from reel_cli.features.stream.reply_rows import ToldRow, read_told_rows, without_rows
from reel_cli.features.stream.row_evidence import SpokenTurns
from reel_cli.features.stream.tables import readable_tables
from reel_cli.features.tables.cell_values import BadValueError, check_required, read_text_value, tell_value
from reel_cli.features.tables.plan import RowsPut, make_put, merge_row
from reel_cli.features.tables.rows_file import Rows, key_of
from reel_cli.features.tables.table import Column, Row, Table, Value, find_foreign, fold_name, fold_text
from reel_cli.features.tables.tables import read_table

if TYPE_CHECKING:
    from reel_cli.core.kit.snapshot import Snapshot
    from reel_cli.core.values.talk import SourceRange

FIELD = "domain"
MOST_KEPT = 30
MOST_LIKENED = 5_000
"""Rows above which a row is found only by its own key or name, letter for letter."""
LEFT = "left out"


@dataclass(frozen=True, slots=True)
class HeldRows:
    """The rows of a reply that hold: a change for each table, and what was left out."""

    puts: tuple[RowsPut, ...] = ()
    problems: tuple[Problem, ...] = ()

    @property
    def count(self) -> int:
        """Return how many rows are new or different."""
        return sum(put.added + put.changed for put in self.puts)


class _LeftOutError(Exception):
    """An error with the reason why a row, or a part of it, is not kept."""


def hold_rows(snapshot: "Snapshot", spans: "Sequence[SourceRange]", lines: Sequence[str]) -> HeldRows:
    """Check the rows of a reply against the stretch it is about, and against their tables."""
    tables = readable_tables(snapshot)
    told = read_told_rows(lines, tables)
    if not told:
        return HeldRows()
    holder = _Holder(snapshot, tables, _spoken(snapshot, spans))
    for row in told:
        holder.take(row)
    return holder.result()


def _spoken(snapshot: "Snapshot", spans: "Sequence[SourceRange]") -> SpokenTurns:
    settings = snapshot.settings
    turns: list[Turn] = []
    for span in spans:
        session = read_session(snapshot, span.session)
        entries = [e for e in session.shown() if span.first <= (e.number or 0) <= span.last]
        # as in the prompt, with later corrections applied
        for entry, text in tell_entries(snapshot, span.session, entries, bare=True) if entries else ():
            who = speaker(entry, user=settings.user, persona=settings.name)
            day = read_day(entry.message.time or session.started or span.session)
            said = without_rows(f"{who}: {text}")
            turns.append(Turn(entry.number or 0, who, said, day, span.session))
    return SpokenTurns(turns, settings.name)


@dataclass(frozen=True, slots=True)
class _Rows:
    """A table as it is held, and its rows by their keys."""

    all: Rows
    by_key: Mapping[Value, Row]

    @property
    def table(self) -> Table:
        return self.all.table


@dataclass(slots=True)
class _Entry:
    """The values that a reply gives for one row so far, and the columns with two different values."""

    held: _Rows
    before: Row | None
    values: dict[str, Value]
    twice: set[str] = field(default_factory=set)


class _Holder:
    """Checker of rows one by one, which collects the sound ones."""

    def __init__(self, snapshot: "Snapshot", tables: Mapping[str, Table], spoken: SpokenTurns) -> None:
        self._snapshot = snapshot
        self._tables = {fold_name(n): t for t in tables.values() for n in (t.title or t.name, t.name)}
        self._spoken = spoken
        self._held: dict[str, _Rows | str] = {}
        self._entries: dict[tuple[str, Value], _Entry] = {}
        self._problems: list[Problem] = []

    def take(self, told: ToldRow) -> None:
        """Add one row, or report why not."""
        table = self._tables.get(fold_name(told.table))
        if table is None:
            near = nearest(told.table, sorted({t.name for t in self._tables.values()}))
            more = f" (did you mean {near}?)" if near else ""
            self._leave(f"there is no table “{one_line(told.table, 40)}”{more}; {LEFT}")
            return
        if not told.cells and not told.stray and len(table.columns) > 1:
            return
        name = one_line(told.key or next((value for _, value in told.cells), ""), 40)
        try:
            self._take(table, told)
        except _LeftOutError as error:
            self._leave(f"{table.name}, {name}{error}; {LEFT}")

    def _take(self, table: Table, told: ToldRow) -> None:
        held = self._rows(table)
        if told.stray:
            message = f": “{told.stray[0]}” names no column"
            raise _LeftOutError(message)
        values = self._values(table, told)
        before, key = self._find(held, told.key, values)
        values.pop(table.key, None)
        known = self._entries.get((table.name, key_of(key)))
        if known is None:
            if len(self._entries) >= MOST_KEPT:
                message = " is one row too many"
                raise _LeftOutError(message)
            self._require_spoken_of(held, before, key, values)
            known = _Entry(held, before, {table.key: before[table.key] if before else key})
            self._entries[table.name, key_of(key)] = known
        for name, value in values.items():
            if name in known.values and known.values[name] != value:
                known.twice.add(name)
            known.values.setdefault(name, value)

    def _rows(self, table: Table) -> "_Rows":
        if table.name not in self._held:
            try:
                rows = read_table(self._snapshot, table)
                self._held[table.name] = _Rows(rows, rows.by_key())
            except ReelError as error:
                self._held[table.name] = error.message
        held = self._held[table.name]
        if isinstance(held, str):
            message = f": {held.rstrip('.')}"
            raise _LeftOutError(message)
        return held

    def _values(self, table: Table, told: ToldRow) -> dict[str, Value]:
        """Return the cells by column, typed; leaves the row out if one does not fit."""
        names = {fold_name(name): name for name in table.names}
        values: dict[str, Value] = {}
        for name, text in told.cells:
            column = table.column(find_foreign(names, name) or "")
            if column is None:
                near = nearest(name, table.names)
                more = f" (did you mean {near}?)" if near else ""
                message = f": there is no column “{one_line(name, 40)}”{more}"
                raise _LeftOutError(message)
            value = _typed(text, column)
            if column.name in values and values[column.name] != value:
                message = f", {column.name}: it says both {_shown(values[column.name])} and {_shown(value)}"
                raise _LeftOutError(message)
            values[column.name] = value
        return values

    def _find(self, held: _Rows, key: str, values: Mapping[str, Value]) -> tuple[Row | None, Value]:
        """Return the row that is meant, None for a new one, and its key."""
        table = held.table
        column = table.column(table.key)
        rows = held.by_key
        typed: Value = None
        wrong: _LeftOutError | None = None
        if column is not None and key:
            try:
                typed = _typed(key, column)
            except _LeftOutError as error:
                wrong = error
        if typed is not None and key_of(typed) in rows:
            return rows[key_of(typed)], typed
        # models call a row by its name as well
        called = [text for text in (key, tell_value(values.get(table.naming))) if text]
        found = _called(table, list(rows.values()), called)
        if found is not None:
            return found, found[table.key]
        if wrong is not None:
            raise wrong
        if typed is None:
            message = f" is told without its {table.key}, which is the key"
            raise _LeftOutError(message)
        return None, typed

    def _require_spoken_of(
        self, held: _Rows, before: Row | None, key: Value, values: Mapping[str, Value]
    ) -> None:
        """Leave out a row that nobody spoke of."""
        table = held.table
        if before is not None:
            names = [tell_value(before[name]) for name in dict.fromkeys((table.key, table.naming))]
            if any(name and self._spoken.mentions(name) for name in names):
                return
            if self._spoken.words & _own_words(held, before):
                return
            message = ": nobody spoke of it"
            raise _LeftOutError(message)
        name = tell_value(values.get(table.naming))
        text = tell_value(key)
        if self._spoken.mentions(text):
            return
        # a key made of the row's name
        mine = telling(text.replace("-", " ").replace("_", " "))
        if not (name and self._spoken.mentions(name) and mine and mine <= telling(name)):
            message = f": nobody said “{one_line(text, 40)}”"
            raise _LeftOutError(message)

    def result(self) -> HeldRows:
        """Return what holds of all the rows."""
        puts: dict[str, dict[Value, Row]] = {}
        for (name, key), entry in self._entries.items():
            table = entry.held.table
            shown = tell_value(entry.values[table.key])
            values = {name: value for name, value in entry.values.items() if self._holds(entry, name, value)}
            row = merge_row(table, entry.before, values)
            try:
                for column in table.columns:
                    _require(row[column.name], column)
            except _LeftOutError as error:
                self._leave(f"{table.name}, {one_line(shown, 40)}{error}; {LEFT}")
                continue
            puts.setdefault(name, {})[key] = row
        held = {entry.held.table.name: entry.held for entry in self._entries.values()}
        made = tuple(make_put(held[name].all, rows) for name, rows in puts.items())
        return HeldRows(tuple(put for put in made if put.change is not None), tuple(self._problems))

    def _holds(self, entry: _Entry, name: str, value: Value) -> bool:
        """Return whether a value is kept; an unchanged one need not have been said."""
        table = entry.held.table
        column = table.column(name)
        if column is None or name == table.key:
            return True
        where = f"{table.name}, {one_line(tell_value(entry.values[table.key]), 40)}, {name}"
        if name in entry.twice:
            self._leave(f"{where}: it is told twice, and not the same; {LEFT}")
            return False
        if entry.before is not None and entry.before[name] == value:
            return True
        if self._spoken.bears(value, column):
            if self._spoken.leaves_year_open(value, column):
                self._leave(f"{where}: nobody said of which year, and {_shown(value)} was taken; look at it")
            return True
        self._leave(f"{where}: nobody said {_shown(value)}; {LEFT}")
        return False

    def _leave(self, what: str) -> None:
        self._problems.append(Problem(FIELD, what))


def _called(table: Table, rows: Sequence[Row], called: Sequence[str]) -> Row | None:
    """Return the one row that goes by a name; None if none does, or more than one."""
    for text in called:
        found = [row for row in rows if fold_text(tell_value(row[table.naming])) == fold_text(text)]
        if len(found) == 1:
            return found[0]
    for text in called if len(rows) <= MOST_LIKENED else ():
        mine = _roots(text)
        names = (table.key, table.naming)
        alike = [row for row in rows if mine and mine in [_roots(tell_value(row[name])) for name in names]]
        if len(alike) == 1:
            return alike[0]
    return None


def _own_words(held: _Rows, row: Row) -> frozenset[str]:
    """Return the roots of a row's name and key that no other row's has."""
    table, rows = held.table, held.by_key
    if len(rows) > MOST_LIKENED:
        return frozenset()
    names = dict.fromkeys((table.key, table.naming))
    others = (other for key, other in rows.items() if key != key_of(row[table.key]))
    taken = frozenset().union(*(_roots(tell_value(other[name])) for other in others for name in names))
    return frozenset().union(*(_roots(tell_value(row[name])) for name in names)) - taken


def _roots(text: str) -> frozenset[str]:
    return telling(text.replace("-", " ").replace("_", " "))


def _typed(text: str, column: Column) -> Value:
    try:
        return read_text_value(text, column)
    except BadValueError as error:
        message = f", {column.name}: “{one_line(text, 40)}” {error}"
        raise _LeftOutError(message) from None


def _require(value: Value, column: Column) -> None:
    try:
        check_required(value, column)
    except BadValueError as error:
        message = f", {column.name} {error}"
        raise _LeftOutError(message) from None


def _shown(value: Value) -> str:
    return f"“{one_line(tell_value(value), 40)}”"
