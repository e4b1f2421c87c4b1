"""The file that the local index over the tape is kept in: opened, made anew where it cannot be used."""

import os
import sqlite3
from contextlib import suppress
from pathlib import Path

APPLICATION = 0x5245454D
VERSION = 6
"""Raised whenever the tables, or what is kept in them, change."""

PATIENCE = 20.0
"""Seconds to wait for another process that is writing."""

_SCHEMA = f"""
PRAGMA application_id = {APPLICATION};
PRAGMA user_version = {VERSION};
CREATE TABLE sessions (
    number INTEGER PRIMARY KEY, id TEXT UNIQUE, stamp TEXT, turns INTEGER, words INTEGER, trouble TEXT,
    topic TEXT
);
CREATE TABLE facts (
    rowid INTEGER PRIMARY KEY, number INTEGER, role TEXT, name TEXT, size INTEGER, mark INTEGER
);
CREATE TABLE kept (name TEXT PRIMARY KEY, value TEXT);
CREATE TABLE people (role TEXT, name TEXT, PRIMARY KEY (role, name)) WITHOUT ROWID;
CREATE TABLE notes (number INTEGER PRIMARY KEY, id TEXT, places TEXT, line TEXT);
CREATE TABLE standing (rowid INTEGER PRIMARY KEY, said TEXT);
CREATE TABLE keys (key TEXT, note INTEGER);
CREATE INDEX keys_by_key ON keys (key);
CREATE VIRTUAL TABLE turns USING fts5(body, grams, added, tokenize = 'porter unicode61');
CREATE VIRTUAL TABLE note_texts USING fts5(body, grams, tokenize = 'porter unicode61');
"""

IN_THE_WAY = frozenset(
    {
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_PERM,
    }
)
"""SQLite error codes of a file that is sound but cannot be used now."""


def is_damage(error: sqlite3.Error) -> bool:
    """Return whether an error means that the file itself is damaged."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF not in IN_THE_WAY


def open_file(path: Path) -> tuple[sqlite3.Connection, str | None]:
    """Open the index's file, made or remade where it is missing, foreign or broken; and why it was remade.

    Raises OSError or sqlite3.Error where none can be had there; links are not followed.
    """
    if any(map(os.path.islink, (path, path.parent, path.parent.parent))):
        message = "the cache is a link"
        raise OSError(message)
    why = None
    if path.exists():
        try:
            return _connect(path), None
        except sqlite3.Error as error:
            if not is_damage(error):
                raise
            why = str(error)
            discard(path)
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    connection = sqlite3.connect(path, timeout=PATIENCE, isolation_level=None)
    try:
        connection.executescript(f"BEGIN IMMEDIATE; {_SCHEMA} COMMIT;")
    finally:
        connection.close()
    return _connect(path), why


def open_memory() -> sqlite3.Connection:
    """Return an index that lives as long as the process."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    connection.executescript(_SCHEMA)
    return connection


def discard(path: Path) -> None:
    """Delete the file, with what an interrupted write left beside it."""
    for name in (path, Path(f"{path}-journal")):
        with suppress(OSError):
            name.unlink()


def _connect(path: Path) -> sqlite3.Connection:
    """Open what is there; sqlite3.DatabaseError when it is not an index of this version."""
    if path.stat().st_mode & 0o077:
        path.chmod(0o600)
    connection = sqlite3.connect(path, timeout=PATIENCE, isolation_level=None)
    try:
        _check(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def _check(connection: sqlite3.Connection) -> None:
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if application != APPLICATION:
        message = "it was not reel's"
        raise sqlite3.DatabaseError(message)
    if version != VERSION:
        message = "another version of reel made it"
        raise sqlite3.DatabaseError(message)
