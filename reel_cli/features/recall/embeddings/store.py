"""The vectors of a tape's turns, in a file beside the index: a cache like it, thrown away as readily.

One row a session: which turns it had (by what they say), how many pieces each was cut into, and a vector a
piece, in bytes from -127 to 127. Vectors are compared by direction alone, so no scale is kept.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reel_cli.core.cache_file import CacheTables, discard

KEY_BYTES = 8
MOST_PIECES = 8
"""Maximum number of pieces of a turn; later ones are not read."""
MOST_DIMENSIONS = 8192

_VECTORS = CacheTables(
    0x5245454E,
    1,
    """
CREATE TABLE kept (name TEXT PRIMARY KEY, value TEXT);
CREATE TABLE sessions (id TEXT PRIMARY KEY, stamp TEXT, keys BLOB, pieces BLOB, vectors BLOB) WITHOUT ROWID;
""",
)


@dataclass(frozen=True, slots=True)
class Block:
    """A session's turns: a key each, the number of its pieces, and the pieces' vectors on end."""

    keys: bytes
    pieces: bytes
    vectors: bytes

    def is_sound(self, dimensions: int) -> bool:
        """Return whether the three fit together."""
        return (
            len(self.keys) == KEY_BYTES * len(self.pieces)
            and all(1 <= n <= MOST_PIECES for n in self.pieces)
            and len(self.vectors) == sum(self.pieces) * dimensions
        )

    def by_key(self, dimensions: int) -> Iterator[tuple[bytes, bytes]]:
        """Yield each turn's key with its vectors."""
        at = 0
        for place, pieces in enumerate(self.pieces):
            end = at + pieces * dimensions
            yield self.keys[place * KEY_BYTES : (place + 1) * KEY_BYTES], self.vectors[at:end]
            at = end


class VectorFile:
    """The open file of one model's vectors; a file that is damaged, foreign or another model's is emptied.

    Where none can be had there (a link, a read-only disk), the vectors live as long as the process. No method
    raises for what the file holds.
    """

    def __init__(self, path: Path, model: str) -> None:
        self._path = path
        self._model = model
        self._file = self._open()
        if self._kept("model") != model:
            self.empty()

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    @property
    def dimensions(self) -> int:
        """Return the length of a vector; 0 while there is none."""
        kept = self._kept("dimensions")
        known = int(kept) if kept.isascii() and kept.isdigit() and len(kept) <= 5 else 0
        return known if known <= MOST_DIMENSIONS else 0

    def stamps(self) -> dict[str, str]:
        """Return the sessions there are, with the stamp each had."""
        return dict(self._rows("SELECT id, stamp FROM sessions"))

    def read(self, session: str) -> Block | None:
        """Return a session's vectors; None if there are none, or they are broken."""
        rows = self._rows("SELECT keys, pieces, vectors FROM sessions WHERE id = ?", session)
        if not rows or not all(isinstance(part, bytes) for part in rows[0]):
            return None
        block = Block(*rows[0])
        return block if block.is_sound(self.dimensions) else None

    def write(self, session: str, stamp: str, block: Block, dimensions: int) -> None:
        """Keep a session's vectors; the first ones say how long all are."""
        self._do("REPLACE INTO kept VALUES ('dimensions', ?)", str(dimensions))
        self._do(
            "REPLACE INTO sessions VALUES (?, ?, ?, ?, ?)",
            session,
            stamp,
            block.keys,
            block.pieces,
            block.vectors,
        )

    def remove(self, session: str) -> None:
        """Forget a session."""
        self._do("DELETE FROM sessions WHERE id = ?", session)

    def empty(self) -> None:
        """Forget everything; from here on it is this model's."""
        self._do("DELETE FROM sessions")
        self._do("DELETE FROM kept")
        self._do("REPLACE INTO kept VALUES ('model', ?)", self._model)

    def _kept(self, name: str) -> str:
        rows = self._rows("SELECT value FROM kept WHERE name = ?", name)
        return str(rows[0][0]) if rows else ""

    def _rows(self, query: str, *values: str) -> list[tuple[Any, ...]]:
        try:
            return self._file.execute(query, values).fetchall()
        except sqlite3.Error:
            return []

    def _do(self, query: str, *values: str | bytes) -> None:
        try:
            self._file.execute(query, values)
        except sqlite3.Error:
            self._file.close()
            discard(self._path)
            self._file = self._open()
            self._file.execute("REPLACE INTO kept VALUES ('model', ?)", (self._model,))
            with suppress(sqlite3.Error):
                self._file.execute(query, values)

    def _open(self) -> sqlite3.Connection:
        try:
            return _VECTORS.open(self._path)[0]
        except (OSError, sqlite3.Error):
            return _VECTORS.open_memory()
