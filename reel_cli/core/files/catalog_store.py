"""`.reel/cache/catalog.sqlite`: what packing would otherwise parse and count again each time.

Nothing in it is the truth. It is written without waiting for the disk, so each row carries a checksum, and
whatever is wrong with it, it is thrown away. Only its owner reads it.
"""

import os
import sqlite3
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any
from zlib import crc32

from reel_cli.core.cache_file import discard, is_damage
from reel_cli.core.command_scope import kept_open

APPLICATION = 0x5245454C
VERSION = 7
"""Raised whenever the tables, or what is kept in them, change."""

KEPT_COUNTS = 4_000
KEPT_PROFILES = 4
PATIENCE = 2.0
"""Seconds to wait for another process that is writing."""

_SCHEMA = f"""
PRAGMA application_id = {APPLICATION};
PRAGMA user_version = {VERSION};
CREATE TABLE kept (name TEXT PRIMARY KEY, stamp TEXT, value TEXT, checked INTEGER);
CREATE TABLE counts (tokenizer TEXT, hash INTEGER, text TEXT, tokens INTEGER, checked INTEGER);
CREATE INDEX counts_by_hash ON counts (hash, tokenizer);
CREATE TABLE profiles (id INTEGER PRIMARY KEY, name TEXT UNIQUE, checked INTEGER);
CREATE TABLE memories (
    profile INTEGER, name TEXT, stamp TEXT,
    day TEXT, nth INTEGER, place INTEGER, number INTEGER,
    id TEXT, level TEXT, whole INTEGER, marker INTEGER, tag INTEGER, mark TEXT, brought INTEGER,
    checked INTEGER,
    PRIMARY KEY (profile, name)
) WITHOUT ROWID;
CREATE INDEX memories_by_age ON memories
    (profile, day, nth, place, number, id, level, whole, marker, tag, mark, brought, checked);
CREATE TABLE memory_texts (
    profile INTEGER, id TEXT, resolution TEXT, text TEXT, checked INTEGER,
    PRIMARY KEY (profile, id, resolution)
);
CREATE TABLE lines (
    profile INTEGER, place INTEGER, id TEXT, tokens INTEGER, immune INTEGER, mark TEXT, brought INTEGER,
    checked INTEGER,
    PRIMARY KEY (profile, place)
) WITHOUT ROWID;
CREATE INDEX lines_by_flag ON lines (profile, immune, place, id, tokens, mark, brought, checked);
CREATE TABLE line_texts (
    profile INTEGER, id TEXT, text TEXT, words TEXT, checked INTEGER,
    PRIMARY KEY (profile, id)
);
"""


Place = tuple[Path, int, int]
"""A catalog's path, and the device and inode of the file that is open."""


class CatalogUnusable(Exception):  # noqa: N818
    """The catalog cannot be used; everything is read the plain way instead."""


def checksum(values: Iterable[object]) -> int:
    """Return a row's checksum."""
    return crc32("\x1f".join(map(str, values)).encode("utf-8", "surrogatepass"))


def verify(row: Sequence[Any]) -> Sequence[Any]:
    """Return a row without its checksum, which comes last; raises CatalogUnusable if they disagree."""
    if checksum(row[:-1]) != row[-1]:
        message = "a row was damaged"
        raise CatalogUnusable(message)
    return row[:-1]


TROUBLE = (sqlite3.Error, UnicodeDecodeError)
"""Errors from a catalog that cannot be used; SQLite's own messages may quote the damaged content."""


class Store:
    """The open catalog of one kit; every method may raise what `TROUBLE` names."""

    def __init__(self, place: Place, connection: sqlite3.Connection) -> None:
        """Wrap an open connection; `open_store` makes one."""
        self._place = place
        self.path = place[0]
        self.connection = connection
        self._clock: int | None = None

    def rows(self, query: str, *values: object) -> sqlite3.Cursor:
        """Run a statement."""
        return self.connection.execute(query, values)

    def begin(self) -> None:
        """Read everything from one state, and write all or nothing."""
        self.connection.execute("BEGIN")

    def clock(self) -> int:
        """Return the file system's time when this process first meant to keep something, in nanoseconds.

        A file as young as that may still change without looking different, so nothing is kept of it.
        """
        if self._clock is None:
            os.utime(self.path)
            self._clock = self.path.stat().st_mtime_ns
        return self._clock

    def close(self, *, keep: bool) -> None:
        """Keep or drop what was written, and close; a command leaves it open for its next use."""
        try:
            if self.connection.in_transaction:
                self.connection.execute("COMMIT" if keep else "ROLLBACK")
        except BaseException:
            self.connection.close()
            raise
        kept = kept_open()
        if kept is None or self._place in kept:
            self.connection.close()
        else:
            kept[self._place] = self.connection

    # -- single values ---------------------------------------------------------------------

    def recall(self, name: str, stamp: str) -> str | None:
        """Return the value kept under a name, if it was kept with this stamp."""
        row = self.rows(
            "SELECT name, value, checked FROM kept WHERE name = ? AND stamp = ?", name, stamp
        ).fetchone()
        return None if row is None else str(verify(row)[1])

    def keep(self, name: str, stamp: str, value: str) -> None:
        """Keep a value under a name, in place of another."""
        self.rows("REPLACE INTO kept VALUES (?, ?, ?, ?)", name, stamp, value, checksum((name, value)))

    def drop(self, name: str) -> None:
        """Keep nothing under a name."""
        self.rows("DELETE FROM kept WHERE name = ?", name)

    def profile(self, name: str) -> int:
        """Return the ID of the rows of one way of writing and counting; evicts old ones."""
        row = self.rows("SELECT id, name, checked FROM profiles WHERE name = ?", name).fetchone()
        if row is not None:
            return int(verify(row)[0])
        known = [r[0] for r in self.rows("SELECT id FROM profiles ORDER BY id DESC")]
        for old in known[KEPT_PROFILES - 1 :]:
            for table in ("memories", "memory_texts", "lines", "line_texts"):
                self.rows(f"DELETE FROM {table} WHERE profile = ?", old)  # noqa: S608
            self.rows("DELETE FROM profiles WHERE id = ?", old)
            self.rows("DELETE FROM kept WHERE name LIKE ?", f"{old} %")
        new = max(known, default=0) + 1
        self.rows("INSERT INTO profiles VALUES (?, ?, ?)", new, name, checksum((new, name)))
        return new

    # -- counts ----------------------------------------------------------------------------

    def recall_count(self, tokenizer: str, text: str) -> int | None:
        """Return the count kept for exactly this text."""
        found = self.rows(
            "SELECT tokenizer, text, tokens, checked FROM counts WHERE hash = ? AND tokenizer = ?",
            crc32(text.encode()),
            tokenizer,
        )
        return next((int(row[2]) for row in found if row[1] == text and verify(row)), None)

    def keep_counts(self, tokenizer: str, counts: Iterable[tuple[str, int]]) -> None:
        """Keep counts; when they have become many, the older ones go."""
        if self.rows("SELECT count(*) FROM counts").fetchone()[0] > KEPT_COUNTS:
            self.rows("DELETE FROM counts")
        self.connection.executemany(
            "INSERT INTO counts VALUES (?, ?, ?, ?, ?)",
            (
                (tokenizer, crc32(text.encode()), text, tokens, checksum((tokenizer, text, tokens)))
                for text, tokens in counts
            ),
        )


def open_store(kit: Path) -> Store:
    """Open the catalog of a kit, making or remaking it where it is missing, foreign or broken.

    Raises CatalogUnusable where none can be had; links are not followed.
    """
    top = kit / ".reel"
    path = top / "cache" / "catalog.sqlite"
    if any(map(os.path.islink, (top, path.parent, path))):
        message = "the cache is a link"
        raise CatalogUnusable(message)
    try:
        if path.exists():
            try:
                return _take_up(path) or _connect(path)
            except TROUBLE as error:
                if not is_damage(error):
                    raise
                discard(path)
        _create(kit, path)
        return _connect(path)
    except (OSError, *TROUBLE) as error:
        raise CatalogUnusable(str(error)) from error


def _take_up(path: Path) -> Store | None:
    """Return the catalog with the connection that this command has open and does not use now."""
    kept = kept_open()
    if not kept:
        return None
    found = path.stat()
    place = path, found.st_dev, found.st_ino
    connection = kept.pop(place, None)
    return Store(place, connection) if isinstance(connection, sqlite3.Connection) else None


def _create(kit: Path, path: Path) -> None:
    from reel_cli.core.errors import StateError
    from reel_cli.core.files.private import OWNER_FILE, make_own, state_folder

    try:
        state_folder(kit)
    except StateError as error:
        raise CatalogUnusable(error.message) from error
    make_own(path.parent)
    os.close(os.open(path, os.O_CREAT | os.O_RDWR, OWNER_FILE))
    connection = sqlite3.connect(path, timeout=PATIENCE, isolation_level=None)
    try:
        connection.execute("PRAGMA synchronous = OFF")
        connection.executescript(f"BEGIN IMMEDIATE; {_SCHEMA} COMMIT;")
    finally:
        connection.close()


def _connect(path: Path) -> Store:
    """Open what is there; sqlite3.DatabaseError when it is not a catalog of this version."""
    found = path.stat()
    if found.st_mode & 0o077:
        path.chmod(0o600)
    connection = sqlite3.connect(path, timeout=PATIENCE, isolation_level=None)
    try:
        (application,) = connection.execute("PRAGMA application_id").fetchone()
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        connection.execute("PRAGMA synchronous = OFF")
    except BaseException:
        connection.close()
        raise
    if (application, version) != (APPLICATION, VERSION):
        connection.close()
        message = "not a catalog of this version"
        raise sqlite3.DatabaseError(message)
    return Store((path, found.st_dev, found.st_ino), connection)
