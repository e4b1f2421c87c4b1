"""Index of the tape's sessions: each one's key and message fingerprints, known without reading it.

Kept in a small SQLite file that is derived from the tape and nothing else: whatever is wrong with it, it is
made again. A print is the same for texts that are alike but for their spaces, and may be the same for others,
so what is found here is only where to look: a session that could hold a conversation is never left out.
"""

import os
import sqlite3
import time
from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from urllib.parse import quote
from zlib import crc32

from reel_cli.core.cache_file import discard
from reel_cli.core.errors import StateError
from reel_cli.core.frozen import frozen
from reel_cli.core.tape.continuation import could_match
from reel_cli.core.tape.session_file import parse_session, read_front
from reel_cli.core.values.talk import Conversation, Session, session_order, session_path

APPLICATION = 0x5245454E
VERSION = 1
"""Raised whenever the table, or how a print is made, changes."""

PATIENCE = 2.0
"""Seconds to wait for another process that is writing."""
MOST_BRANCHING = 8
"""Number of sessions that are read to find the one that a chat was copied from."""
FIRST = 8
"""Words of a text that make its fingerprint."""
_LIKELY = (64, 160)
"""Numbers of characters that mostly hold those words; splitting a long text copies the rest of it."""
CLOCK_TRIES = 40
PAUSE = 0.001

_SCHEMA = f"""
PRAGMA application_id = {APPLICATION};
PRAGMA user_version = {VERSION};
CREATE TABLE sessions (
    name TEXT PRIMARY KEY, stamp TEXT, source TEXT, started TEXT, prints BLOB, checked INTEGER
) WITHOUT ROWID;
"""


@frozen
class Sketch:
    """One session as far as telling conversations apart needs it.

    `source` and `started` as in its front matter; `prints` of the said messages, in the order
    shown. A session that is not as it was recorded is `damaged`: it may hold anything.
    """

    name: str
    source: str = ""
    started: str | None = None
    prints: Sequence[int] = ()
    damaged: bool = False

    @property
    def key(self) -> str | None:
        """Return the conversation's key; None where it has none."""
        return self.source if ":" in self.source else None


def print_of(text: str) -> int:
    """Return a number that is equal for texts that fold to the same one, and rarely for others."""
    for length in (*_LIKELY, len(text)):
        words = text[:length].split(None, FIRST)
        if len(words) > FIRST or length >= len(text):
            break
    return crc32(" ".join(words[:FIRST]).encode("utf-8", "surrogatepass"))


def sketch_session(session: Session) -> Sketch:
    """Return the sketch of a session."""
    prints = [print_of(entry.message.text) for entry in session.shown()]
    return Sketch(session.id, session.source, session.started, prints)


def sketch_bytes(name: str, data: bytes) -> Sketch:
    """Return the sketch of a session file; `damaged` if it cannot be read, or was changed by hand."""
    path = session_path(name)
    with suppress(StateError):
        return sketch_session(parse_session(data, path, proven=True))
    try:
        return Sketch(name, read_front(data, path).source, damaged=True)
    except StateError:
        return Sketch(name, damaged=True)


class KnownSessions:
    """The sessions of one tape; those planned in this run as well as those on the disk."""

    def __init__(self, path: Path | None = None) -> None:
        """Keep sketches in the file `path` between runs; None, or a link: only while this lives."""
        self._path = None if path is None or path.is_symlink() else path
        self._sketches: dict[str, Sketch] = {}
        self._stamps: dict[str, str] = {}
        self._fresh: set[str] = set()
        """Sessions whose row in the file is missing or wrong."""
        self._by_key: dict[str, set[str]] = {}
        self._without_key: set[str] = set()
        self._damaged: set[str] = set()
        self._by_print: dict[int, set[str]] | None = None
        self._asked = False
        self._loaded = False

    # -- keeping up with the tape ------------------------------------------------------------

    def refresh(
        self,
        sessions: Iterable[str],
        stamp: Callable[[str], str | None],
        read: Callable[[str], bytes | None],
    ) -> None:
        """Index exactly these sessions; reads only files that are new or changed.

        `stamp` says what tells one state of a kit path from another, beginning with its youngest
        time in nanoseconds; None where it cannot be told, and then the file is read.
        """
        if not self._loaded:
            self._load()
        names = set(sessions)
        for gone in self._sketches.keys() - names:
            self._forget(gone)
            self._fresh.add(gone)
        for name in names:
            now = stamp(session_path(name))
            if name in self._sketches and now is not None and self._stamps.get(name) == now:
                continue
            data = read(session_path(name)) or b""
            self.note(sketch_bytes(name, data))
            # a change during the reading shows in the stamp only afterwards
            if now is not None and stamp(session_path(name)) == now:
                self._stamps[name] = now

    def note(self, sketch: Sketch) -> None:
        """Index a session as it is now, or as it is planned."""
        self._forget(sketch.name)
        self._sketches[sketch.name] = sketch
        self._fresh.add(sketch.name)
        if sketch.damaged:
            self._damaged.add(sketch.name)
        if sketch.key is None:
            self._without_key.add(sketch.name)
        else:
            self._by_key.setdefault(sketch.key, set()).add(sketch.name)
        if self._by_print is not None:
            for one in sketch.prints:
                self._by_print.setdefault(one, set()).add(sketch.name)

    def settle(self, sizes: Mapping[str, int], stamp: Callable[[str], str | None]) -> None:
        """Keep the sessions that were noted as planned and are now on disk with the given sizes."""
        for name, size in sizes.items():
            now = stamp(session_path(name))
            if now is not None and int(now.split()[1]) == size:
                self._stamps[name] = now
        self.save()

    def _forget(self, name: str) -> None:
        old = self._sketches.pop(name, None)
        self._stamps.pop(name, None)
        self._damaged.discard(name)
        self._without_key.discard(name)
        if old is None:
            return
        if old.key is not None:
            self._by_key.get(old.key, set()).discard(name)
        if self._by_print is not None:
            for one in old.prints:
                self._by_print.get(one, set()).discard(name)

    @classmethod
    def read_only(cls, path: Path, largest: int) -> "KnownSessions | None":
        """Return what another tape's file says, without writing there; None where it cannot be read.

        A file of more than `largest` bytes is not read.
        """
        try:
            if path.is_symlink() or not path.is_file() or path.stat().st_size > largest:
                return None
            uri = f"file:{quote(str(path))}?mode=ro"
            connection = sqlite3.connect(uri, uri=True, timeout=0.1, isolation_level=None)
            try:
                _require_ours(connection)
                rows = connection.execute("SELECT * FROM sessions").fetchall()
            finally:
                connection.close()
            sketches = [_parse_row(row) for row in rows]
        except (OSError, sqlite3.Error, ValueError, TypeError):
            return None
        known = cls()
        for _, sketch in sketches:
            known.note(sketch)
        return known

    # -- asking --------------------------------------------------------------------------------

    @property
    def damaged(self) -> Sequence[str]:
        """Return the sessions that are not as they were recorded, newest first."""
        return _newest_first(self._damaged)

    def with_key(self, key: str) -> Sequence[str]:
        """Return the sessions recorded under a key, and those whose key cannot be told; newest first."""
        return _newest_first([*self._by_key.get(key, ()), *self.damaged])

    def sure_of(self, key: str) -> Sequence[str]:
        """Return the sessions recorded under a key, without those that cannot be read; newest first."""
        return _newest_first(self._by_key.get(key, set()) - self._damaged)

    def names(self) -> frozenset[str]:
        """Return the sessions that are known."""
        return frozenset(self._sketches)

    def alike(self, conversation: Conversation) -> Sequence[str]:
        """Return every session that `match` could match without the key; newest first."""
        keyed = conversation.key is not None
        likely = [*self.damaged]
        if keyed and not self._without_key:
            return likely
        new = [print_of(message.text) for message in conversation.said()]
        for name in self._sharing(set(new)):
            sketch = self._sketches[name]
            if (sketch.key is None or not keyed) and could_match(
                sketch.source, sketch.started, conversation, sketch.prints, new
            ):
                likely.append(name)
        return _newest_first(likely)

    def branching(self, conversation: Conversation) -> Sequence[str]:
        """Return the sessions of the conversation's app that have most of what the person said in it.

        A greeting is in every chat with a character, so it tells nothing.
        """
        app = f"{conversation.format}:"
        asked = {print_of(message.text) for message in conversation.said() if message.role == "user"}
        found = [self._sketches[name] for name in self._sharing(asked)]
        shared = {
            one.name: len(asked.intersection(one.prints)) for one in found if one.source.startswith(app)
        }
        newest = _newest_first(shared)
        return sorted(newest, key=lambda name: -shared[name])[:MOST_BRANCHING]

    def _sharing(self, prints: set[int]) -> set[str]:
        """Return the sessions in which one of these was said."""
        if self._by_print is None and not self._asked:
            # for a single question a linear search is faster
            self._asked = True
            return {name for name, sketch in self._sketches.items() if not prints.isdisjoint(sketch.prints)}
        if self._by_print is None:
            self._by_print = {}
            for name, sketch in self._sketches.items():
                for one in sketch.prints:
                    self._by_print.setdefault(one, set()).add(name)
        return set().union(*(self._by_print.get(one, ()) for one in prints))

    # -- the file --------------------------------------------------------------------------------

    def _load(self) -> None:
        self._loaded = True
        if self._path is None or not self._path.exists():
            return
        try:
            connection = _connect(self._path)
            try:
                rows = connection.execute("SELECT * FROM sessions").fetchall()
            finally:
                connection.close()
            sketches = [_parse_row(row) for row in rows]
        except (sqlite3.Error, ValueError, TypeError, UnicodeDecodeError) as error:
            if not _is_busy(error):
                discard(self._path)
            return
        for stamp, sketch in sketches:
            self.note(sketch)
            self._stamps[sketch.name] = stamp
        self._fresh.clear()

    def save(self) -> None:
        """Keep what is known for the next run; where it cannot be written, nothing is kept."""
        if self._path is None or not self._fresh:
            return
        with suppress(OSError, sqlite3.Error):
            connection = _open(self._path)
            try:
                self._write(connection, _clock(self._path, self._youngest()))
            finally:
                connection.close()

    def _youngest(self) -> int:
        return max((_time_of(self._stamps[n]) for n in self._fresh if n in self._stamps), default=0)

    def _write(self, connection: sqlite3.Connection, clock: int) -> None:
        kept = {n for n in self._fresh if n in self._stamps and _time_of(self._stamps[n]) < clock}
        kept -= {name for name in kept if self._sketches[name].damaged}
        connection.execute("BEGIN IMMEDIATE")
        connection.executemany("DELETE FROM sessions WHERE name = ?", [(n,) for n in self._fresh - kept])
        rows = [_render_row(self._stamps[name], self._sketches[name]) for name in sorted(kept)]
        connection.executemany("REPLACE INTO sessions VALUES (?, ?, ?, ?, ?, ?)", rows)
        connection.execute("COMMIT")
        self._fresh -= kept


def _newest_first(names: Iterable[str]) -> list[str]:
    return sorted(set(names), key=session_order, reverse=True)


def _time_of(stamp: str) -> int:
    return int(stamp.split(maxsplit=1)[0])


def _render_row(stamp: str, sketch: Sketch) -> tuple[object, ...]:
    row = (sketch.name, stamp, sketch.source, sketch.started or "")
    prints = array("I", sketch.prints).tobytes()
    return (*row, prints, _checksum(row, prints))


def _parse_row(row: Sequence[object]) -> tuple[str, Sketch]:
    """Return a row's stamp and sketch; ValueError or TypeError where it is damaged."""
    name, stamp, source, started, prints, checked = row
    if (
        not isinstance(name, str)
        or not isinstance(stamp, str)
        or not isinstance(source, str)
        or not isinstance(started, str)
        or not isinstance(prints, bytes)
        or checked != _checksum(row[:4], prints)
    ):
        raise ValueError
    session_order(name), _time_of(stamp)
    held = array("I")
    held.frombytes(prints)
    return stamp, Sketch(name, source, started or None, held)


def _checksum(texts: Sequence[object], prints: bytes) -> int:
    return crc32(prints, crc32("\x1f".join(map(str, texts)).encode("utf-8", "surrogatepass")))


def _is_busy(error: Exception) -> bool:
    busy = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in busy


def _clock(path: Path, youngest: int) -> int:
    """Return the file system's time; a file as young as this may still change unnoticed."""
    for _ in range(CLOCK_TRIES):
        os.utime(path)
        now = path.stat().st_mtime_ns
        if now > youngest:
            return now
        time.sleep(PAUSE)
    return now


def _open(path: Path) -> sqlite3.Connection:
    """Return the file's connection; made again where it is missing, foreign or broken."""
    if path.exists():
        try:
            return _connect(path)
        except sqlite3.Error as error:
            if _is_busy(error):
                raise
            discard(path)
    os.close(os.open(path, os.O_CREAT | os.O_RDWR | getattr(os, "O_NOFOLLOW", 0), 0o600))
    connection = sqlite3.connect(path, timeout=PATIENCE, isolation_level=None)
    try:
        connection.execute("PRAGMA synchronous = OFF")
        connection.executescript(f"BEGIN IMMEDIATE; {_SCHEMA} COMMIT;")
    except BaseException:
        connection.close()
        raise
    return connection


def _connect(path: Path) -> sqlite3.Connection:
    """Open what is there; sqlite3.DatabaseError when it is not ours, or of another version."""
    connection = sqlite3.connect(path, timeout=PATIENCE, isolation_level=None)
    try:
        connection.execute("PRAGMA synchronous = OFF")
        _require_ours(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def _require_ours(connection: sqlite3.Connection) -> None:
    """Raise sqlite3.DatabaseError, as SQLite itself would for another file, for one that is not ours."""
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if (application, version) != (APPLICATION, VERSION):
        message = "not a cache of this version"
        raise sqlite3.DatabaseError(message)
