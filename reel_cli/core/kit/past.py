"""A kit as a commit holds it; and what was once made of its files, kept by their blobs.

A blob never changes, so what is kept of one holds for every commit that has it, and needs no clock. The
cache is `.reel/cache/past.sqlite`; where it cannot be used, all is read and made as if there were none.
"""

import json
import sqlite3
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, TypeVar
from zlib import crc32

from reel_cli import __version__
from reel_cli.core.files.private import OWNER_FILE, cache_folder
from reel_cli.core.files.tree import Tree
from reel_cli.core.git.commit_tree import CommitTree
from reel_cli.core.kit.glance import Glance

T = TypeVar("T")

CACHE = "past.sqlite"
APPLICATION = 0x52454C50
MOST = 60_000
"""Maximum number of notes; the oldest are dropped."""
PATIENCE = 2.0
"""Seconds to wait for another process that is writing."""
_SCHEMA = f"""
PRAGMA application_id = {APPLICATION};
CREATE TABLE IF NOT EXISTS notes (
    kind TEXT, path TEXT, blob TEXT, value TEXT, checked INTEGER, PRIMARY KEY (kind, path, blob)
) WITHOUT ROWID;
"""


class BlobGlance(Glance):
    """An overview of a kit whose files' blobs are known; what is noted of a file is kept by its blob."""

    def __init__(self, tree: Tree, name: str, kit: Path, ids: Mapping[str, str]) -> None:
        """Read from `tree`; `ids` are its files' blobs, and `kit` is the folder whose cache may be used."""
        super().__init__(tree, name)
        self.ids = ids
        self._folder = kit

    def note(self, kind: str, paths: Iterable[str], make: Callable[[str], T]) -> Mapping[str, T]:
        """Return a note (plain JSON) on each file: the one kept for its blob, or a new one by `make`."""
        wanted = list(paths)
        blobs = {path: self.ids[path] for path in wanted if path in self.ids}
        connection = _open(self._folder)
        if connection is None:
            return super().note(kind, wanted, make)
        with closing(connection):
            known: dict[str, T] = _recall(connection, f"{__version__} {kind}", blobs)
            fresh = {path: make(path) for path in wanted if path not in known}
            new = {path: note for path, note in fresh.items() if path in blobs}
            _keep(connection, f"{__version__} {kind}", new, blobs)
        return {path: known[path] if path in known else fresh[path] for path in wanted}


class PastGlance(BlobGlance):
    """An overview of a kit as a commit holds it."""

    def __init__(self, commit: CommitTree, name: str, kit: Path) -> None:
        """Read from `commit`; `kit` is the folder whose cache may be used."""
        super().__init__(commit, name, kit, commit.ids)
        self.commit = commit


def _open(kit: Path) -> sqlite3.Connection | None:
    """Return the cache, made if it is missing or foreign; None if there can be none."""
    folder = cache_folder(kit)
    path = folder / CACHE if folder is not None else None
    if path is None or path.is_symlink():
        return None
    for _ in range(2):
        try:
            path.touch(OWNER_FILE)
            return _connect(path)
        except sqlite3.OperationalError:
            # the database is busy, or the disk is read-only
            return None
        except sqlite3.DatabaseError:
            with suppress(OSError):
                path.unlink()
        except OSError:
            return None
    return None


def _connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=PATIENCE, isolation_level=None)
    try:
        connection.execute("PRAGMA synchronous = OFF")
        _claim(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def _claim(connection: sqlite3.Connection) -> None:
    """Make the table in an empty file; sqlite3.DatabaseError where the file is something else."""
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if not application and not tables:
        connection.executescript(_SCHEMA)
    elif application != APPLICATION:
        message = "not a cache of reel's"
        raise sqlite3.DatabaseError(message)


def _recall(connection: sqlite3.Connection, kind: str, blobs: Mapping[str, str]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    try:
        rows = connection.execute("SELECT path, blob, value, checked FROM notes WHERE kind = ?", (kind,))
        for path, blob, value, checked in rows:
            if blobs.get(path) == blob and checked == _checksum(path, blob, value):
                found[path] = json.loads(value)
    except (sqlite3.Error, ValueError, TypeError, UnicodeError):
        # a damaged cache counts as empty
        return {}
    return found


def _keep(
    connection: sqlite3.Connection, kind: str, notes: Mapping[str, object], blobs: Mapping[str, str]
) -> None:
    if not notes:
        return
    rows = []
    for path, note in notes.items():
        value = json.dumps(note, ensure_ascii=False)
        rows.append((kind, path, blobs[path], value, _checksum(path, blobs[path], value)))
    with suppress(sqlite3.Error, UnicodeError):
        connection.execute("BEGIN IMMEDIATE")
        (held,) = connection.execute("SELECT count(*) FROM notes").fetchone()
        if held + len(rows) > MOST:
            connection.execute("DELETE FROM notes")
        connection.executemany("REPLACE INTO notes VALUES (?, ?, ?, ?, ?)", rows)
        connection.execute("COMMIT")


def _checksum(*parts: str) -> int:
    return crc32("\x1f".join(parts).encode("utf-8", "surrogatepass"))
