"""Bringing the database and its dump to say the same: `domain.store: sqlite`.

The database is where rows are kept; `domain/TABLE.csv` is its dump, which git holds. Whatever changed since
both said the same is brought to the other, row by row and cell by cell: from the database into the dump,
where it waits in `reel review` like an edit by hand; from the dump, after a commit, a merge, an undo or an
edit, into the database. Of a cell that both changed, the database's stays, and the dump as it was is kept.
"""

import os
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from reel_cli.core.errors import ReelError
from reel_cli.core.values.change import name_some, one_line
from reel_cli.core.values.settings import SQLITE
from reel_cli.features.tables.cell_values import tell_value
from reel_cli.features.tables.database import (
    LastDump,
    StoredRows,
    database_path,
    drop_stored,
    has_stored,
    last_dumps,
    make_stored,
    note_bad,
    note_dump,
    open_database,
    read_stored,
    write_stored,
)
from reel_cli.features.tables.rows_file import Rows, key_of, read_rows, write_rows
from reel_cli.features.tables.schema_file import FOLDER, parse_schema, rows_path, schema_path
from reel_cli.features.tables.table import Row, Table, Value
from reel_cli.features.tables.tables import list_tables

if TYPE_CHECKING:
    from reel_cli.core.kit.snapshot import Snapshot
    from reel_cli.terminal.open_kit import OpenKit

NAMED = 3
_UNUSABLE = ("SQLITE_CORRUPT", "SQLITE_NOTADB", "SQLITE_ERROR")
"""Errors of SQLite after which the file is put aside; SQLITE_ERROR is a column or table that is gone."""
NOTE = "domain-store"
"""The name of the note that says in which state of the files both said the same."""


class StrangeDatabaseError(Exception):
    """A database that reel did not make, or of which it no longer knows what its dump was."""


class MergedRows(NamedTuple):
    """The rows of both sides: what the dump lacks, and the cells that both changed.

    `kept` are rows that the database let go of and the dump changed: they stay.
    """

    puts: Mapping[Value, Row]
    drops: Sequence[Value]
    both: Sequence[str]
    kept: Sequence[str]


def settle_store(opened: "OpenKit") -> None:
    """Bring the database and its dump to say the same, and report what that changed.

    Nothing is done in a kit that keeps its tables in files, beyond bringing home what a database still has.
    """
    from reel_cli.core.kit.kit_note import keep_note, recall_note

    place = database_path(opened.root)
    if opened.repository is None or not (place.exists() or _asks_for_one(opened.root)):
        return
    stamp = _stamp(opened.root)
    if recall_note(opened.root, NOTE, stamp)[0] is not None:
        return
    settler = StoreSettler(opened)
    try:
        clean = settler.settle()
    except (ReelError, OSError) as error:
        told = error.message if isinstance(error, ReelError) else f"{place.name}: {error.strerror}."
        opened.console.say(f"The tables' database was left as it is. {told}")
        return
    for note in settler.told:
        opened.console.say(opened.console.wrap(note, opened.console.err))
    if clean:
        keep_note(opened.root, NOTE, _stamp(opened.root), "same")


def _asks_for_one(kit: Path) -> bool:
    try:
        return b"sqlite" in (kit / "kit.yaml").read_bytes()
    except OSError:
        return False


def _stamp(kit: Path) -> str:
    """Return a stamp that changes when the database, a dump or the settings do."""
    place = database_path(kit)
    files = [
        place,
        place.with_name(f"{place.name}-wal"),
        kit / "kit.yaml",
        *sorted((kit / FOLDER).glob("*.*")),
    ]
    return "\n".join(_print_of(file) for file in files)


def _print_of(file: Path) -> str:
    try:
        found = file.stat()
    except OSError:
        return f"{file.name} is missing"
    return f"{file.name} {found.st_ino} {found.st_size} {found.st_mtime_ns}"


class StoreSettler:
    """One settling of a kit's database and its dump; `told` is what to say of it."""

    def __init__(self, opened: "OpenKit") -> None:
        """Settle the kit that is opened."""
        self.opened = opened
        self.path = database_path(opened.root)
        self.told: list[str] = []
        self._clean = True

    @property
    def snapshot(self) -> "Snapshot":
        """Return the kit's files."""
        return self.opened.snapshot

    def settle(self) -> bool:
        """Return whether both say the same now. Raises ReelError or OSError where nothing can be done."""
        stored = self.snapshot.settings.domain_store == SQLITE
        new = not self.path.exists()
        if new and not stored:
            return True
        try:
            self._settle_tables()
        except StrangeDatabaseError as error:
            self._begin_again(str(error))
        except sqlite3.DatabaseError as error:
            if error.sqlite_errorname not in _UNUSABLE and not self.path.is_dir():
                busy = error.sqlite_errorname in ("SQLITE_BUSY", "SQLITE_LOCKED")
                message = "Another program is writing into it." if busy else f"SQLite says: {error}."
                raise ReelError(message) from None
            self._begin_again(str(error))
        if not stored and self._clean:
            self.path.unlink()
            self.told.append(f"The tables are kept in files ({FOLDER}/*.csv); the database is removed.")
        elif new and stored and list_tables(self.snapshot):
            self.told.append(f"The tables are kept in .reel/{self.path.name}; {FOLDER}/*.csv is their dump.")
        return self._clean

    def _begin_again(self, why: str) -> None:
        """Put a database that cannot be used aside, and make it again from its dump."""
        kept = next(place for place in _aside(self.path) if not os.path.lexists(place))
        self.path.rename(kept)
        self.told.append(
            f".reel/{self.path.name} could not be used ({one_line(why, 80)}). It was made again from"
            f" {FOLDER}/*.csv, and the old file is kept as .reel/{kept.name}."
        )
        self._settle_tables()

    def _settle_tables(self) -> None:
        from reel_cli.core.files.private import OWNER_FILE, state_folder

        state_folder(self.opened.root)
        with open_database(self.path) as connection:
            self.path.chmod(OWNER_FILE)
            known = last_dumps(connection)
            names = list_tables(self.snapshot)
            for name in names:
                try:
                    table = parse_schema(self.snapshot.text(schema_path(name)) or "", name)
                    self._settle_one(connection, table)
                except ReelError as error:
                    self._clean = False
                    self.told.append(f"{name}: the database was left as it is. {error.message}")
            for name in known.keys() - set(names):
                self._let_go(connection, name)

    def _settle_one(self, connection: sqlite3.Connection, table: Table) -> None:
        """Bring one table and its dump to say the same."""
        path = rows_path(table.name)
        schema = self.snapshot.text(schema_path(table.name)) or ""
        dump = self.snapshot.text(path) or ""
        last = last_dumps(connection).get(table.name)
        held = read_rows(dump, table, path)
        if last is None:
            if has_stored(connection, table.name):
                # its rows may be in no dump
                message = f"its table {table.name} is not reel's"
                raise StrangeDatabaseError(message)
            make_stored(connection, table)
            write_stored(connection, table, list(held.by_key().values()), ())
            note_dump(connection, table.name, schema, dump)
            return
        was, base = _read_last(last, table.name)
        stored = read_stored(connection, was)
        self._tell_bad(table, stored)
        note_bad(connection, table.name, bad=bool(stored.bad))
        changed = _changed(base, stored)
        if not changed and not stored.unlike and (last.schema, last.dump) == (schema, dump):
            return
        merged = _merge(table, changed, base, held)
        if merged.kept:
            rows = f"the row{'s' if len(merged.kept) > 1 else ''} {name_some(merged.kept, NAMED)}"
            self.told.append(
                f"{table.name}: the database let go of {rows}, which {path} changed meanwhile."
                " The file's holds"
            )
        fresh = dump
        if merged.puts or merged.drops:
            fresh = write_rows(held, merged.puts, merged.drops)
            self._write_dump(table, dump, fresh, merged)
        now = read_rows(fresh, table, path).by_key()
        if last.schema != schema:
            if stored.bad:
                message = "Correct these rows before its columns change."
                raise ReelError(message)
            make_stored(connection, table)
            write_stored(connection, table, list(now.values()), ())
        else:
            puts = [
                row
                for key, row in now.items()
                if key not in stored.bad and (key in stored.unlike or stored.rows.get(key) != row)
            ]
            gone = [key for own, key in stored.keys.items() if own not in now]
            again = [stored.keys[own] for own in map(_key_in(table), puts) if own in stored.keys]
            write_stored(connection, table, puts, [*gone, *again])
        note_dump(connection, table.name, schema, fresh)

    def _write_dump(self, table: Table, before: str, after: str, merged: MergedRows) -> None:
        """Write what the database has into the dump; where both changed a cell, keep the dump as it was."""
        from reel_cli.core.files.tree import WorkTree
        from reel_cli.core.git.lock import hold_lock
        from reel_cli.core.kit.hand_edits import keep_copy, write_file

        opened, path = self.opened, rows_path(table.name)
        with hold_lock(opened.root):
            if (WorkTree(opened.root).read(path) or b"") != before.encode():
                message = f"{path} was edited meanwhile."
                raise ReelError(message)
            write_file(opened.root, path, after.encode(), sync=True)
        count = len(merged.puts) + len(merged.drops)
        rows = f"{count:,} row{'' if count == 1 else 's'}"
        self.told.append(
            f"{table.name}: {rows} changed in the database; {path} has them now, and waits in  reel review"
        )
        if merged.both:
            copy = keep_copy(opened.root, path, before.encode(), opened.now())
            self.told.append(
                f"{path} and the database both changed {name_some(merged.both, NAMED)}. The database's holds;"
                f" the file as it was is kept in {copy.relative_to(opened.root)}"
            )
        opened.look_again()

    def _tell_bad(self, table: Table, stored: StoredRows) -> None:
        if stored.bad:
            self._clean = False
            self.told.append(next(tell_bad(table, stored)))

    def _let_go(self, connection: sqlite3.Connection, name: str) -> None:
        """Take a table away whose schema is gone; what only the database had of it is kept."""
        was, base = _read_last(last_dumps(connection)[name], name)
        stored = read_stored(connection, was)
        if _changed(base, stored) or stored.bad:
            self._clean = False
            self.told.append(
                f"{name} is no table of the kit any more, but the database has rows that its dump never had."
                f" It stays there; take it back with  reel restore {schema_path(name)}"
            )
            return
        drop_stored(connection, name)


def _read_last(last: LastDump, name: str) -> tuple[Table, Mapping[Value, Row]]:
    """Return a table and its rows when the database and its dump last said the same."""
    try:
        was = parse_schema(last.schema, name)
        return was, read_rows(last.dump, was, rows_path(name)).by_key()
    except (ReelError, TypeError, AttributeError):
        message = f"its note of what {rows_path(name)} was cannot be read"
        raise StrangeDatabaseError(message) from None


def list_bad_rows(path: Path, snapshot: "Snapshot") -> list[str]:
    """Return what is wrong with rows of the database that its dump cannot hold."""
    told: list[str] = []
    with open_database(path) as connection:
        for name, last in last_dumps(connection).items():
            if name in list_tables(snapshot):
                table, _ = _read_last(last, name)
                told += tell_bad(table, read_stored(connection, table))
    return told


def tell_bad(table: Table, stored: StoredRows) -> Iterator[str]:
    """Yield, for each row that its dump cannot hold, a sentence about it."""
    for key, why in stored.bad.items():
        shown = one_line(tell_value(key) if not isinstance(key, bytes) else repr(key), 40)
        yield f"{table.name}: the row {shown!r} of the database {why}. It stays there until it is corrected."


def _key_in(table: Table) -> Callable[[Row], Value]:
    return lambda row: key_of(row[table.key])


def _aside(path: Path) -> Iterator[Path]:
    number = 0
    while True:
        number += 1
        yield path.with_name(f"domain-damaged-{number}.sqlite")


def _changed(base: Mapping[Value, Row], stored: StoredRows) -> Mapping[Value, Row | None]:
    """Return what the database has otherwise than its last dump, by key; None for a row that is gone."""
    found: dict[Value, Row | None] = {key: row for key, row in stored.rows.items() if base.get(key) != row}
    found.update((key, None) for key in base if key not in stored.rows and key not in stored.bad)
    return found


def _merge(
    table: Table, changed: Mapping[Value, Row | None], base: Mapping[Value, Row], held: Rows
) -> MergedRows:
    """Return what to write into the dump so that it has what changed in the database."""
    here = held.by_key()
    puts: dict[Value, Row] = {}
    drops: list[Value] = []
    both: list[str] = []
    kept: list[str] = []
    for key, row in changed.items():
        now, was = here.get(key), base.get(key)
        if row is None:
            if now is not None and now == was:
                drops.append(key)
            elif now is not None:
                kept.append(tell_value(key))
            continue
        made = {name: row.get(name, (now or {}).get(name)) for name in table.names}
        cells = []
        for name in table.names if now is not None else ():
            old = (was or {}).get(name)
            if row.get(name) == old:
                made[name] = (now or {})[name]
            elif (now or {})[name] not in (old, row.get(name)):
                cells.append(name)
        if cells:
            both.append(f"{tell_value(row[table.key])} ({', '.join(cells)})")
        if made != now:
            puts[key] = made
    return MergedRows(puts, drops, both, kept)
