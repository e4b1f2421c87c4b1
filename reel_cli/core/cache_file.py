"""SQLite files of what can be made again (`.reel/cache`), made anew where they cannot be used."""

import os
import sqlite3
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

PATIENCE = 20.0
"""Seconds to wait for another process that is writing."""

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


def is_damage(error: Exception) -> bool:
    """Return whether an error means that the file itself is damaged."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF not in IN_THE_WAY


def discard(path: Path) -> None:
    """Delete a file, with what an interrupted write left beside it."""
    for name in (path, Path(f"{path}-journal")):
        with suppress(OSError):
            name.unlink()


class CacheTables(NamedTuple):
    """The tables of a cache, by which its file is known.

    `version` is raised whenever the tables, or what is kept in them, change: a file of another is made anew.
    """

    application: int
    version: int
    tables: str

    def open(self, path: Path) -> tuple[sqlite3.Connection, str | None]:
        """Open the file, made or remade where it is missing, foreign or broken; and why it was remade.

        Raises OSError or sqlite3.Error where none can be had there; links are not followed.
        """
        if any(map(os.path.islink, (path, path.parent, path.parent.parent))):
            message = "the cache is a link"
            raise OSError(message)
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        why = None
        for _ in range(2):
            os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
            if path.stat().st_mode & 0o077:
                path.chmod(0o600)
            connection = sqlite3.connect(path, timeout=PATIENCE, isolation_level=None)
            try:
                self._require(connection)
            except sqlite3.Error as error:
                connection.close()
                if not is_damage(error):
                    raise
                why = str(error)
                discard(path)
            except BaseException:
                connection.close()
                raise
            else:
                return connection, why
        message = "no cache can be made there"
        raise OSError(message)

    def open_memory(self) -> sqlite3.Connection:
        """Return one that lives as long as the process."""
        connection = sqlite3.connect(":memory:", isolation_level=None)
        connection.executescript(self.tables)
        return connection

    def _require(self, connection: sqlite3.Connection) -> None:
        """Make the tables in an empty file; sqlite3.DatabaseError for one that is not of this version."""
        if not _holds_tables(connection):
            connection.execute("BEGIN IMMEDIATE")
            # another process may have been faster
            if not _holds_tables(connection):
                for statement in self.tables.split(";"):
                    connection.execute(statement)
                connection.execute(f"PRAGMA application_id = {self.application}")
                connection.execute(f"PRAGMA user_version = {self.version}")
            connection.execute("COMMIT")
        (application,) = connection.execute("PRAGMA application_id").fetchone()
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        if application != self.application:
            message = "it was not reel's"
            raise sqlite3.DatabaseError(message)
        if version != self.version:
            message = "another version of reel made it"
            raise sqlite3.DatabaseError(message)


def _holds_tables(connection: sqlite3.Connection) -> bool:
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    return bool(tables)
