"""`.reel/cache/lattice.sqlite`: the rib points of a kit and their terms, brought up to date chat by chat.

All of it is derived from the tape: a chat's rows depend on that chat's file, the corrections of it, the
policy and the speakers' names, and on nothing else, so that a file made anew holds the same rows. What only
the whole can say (which terms are rare, what is a thread, which edges there are) is worked out when asked.
"""

import json
import os
import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self
from zlib import crc32

from reel_cli.core.errors import ReelError
from reel_cli.core.tape.session_file import parse_session
from reel_cli.core.values.source import session_order, session_path
from reel_cli.features.threads.ribs import RibPoint, cut_ribs

FILE = ".reel/cache/lattice.sqlite"
APPLICATION = 0x5245454E
VERSION = 2
"""Raised whenever the tables, or how ribs are cut or measured, change."""
PATIENCE = 20.0
"""Seconds to wait for another process that is writing."""
_COMMIT_EVERY = 25
"""Number of chats after which what was cut is kept, so that an interrupted build goes on from there.

Their terms go in sorted, which spares the file most of its reading and writing.
"""
_CACHE = 48_000
"""Kilobytes of the file that are held in memory."""

_SCHEMA = f"""
PRAGMA application_id = {APPLICATION};
PRAGMA user_version = {VERSION};
CREATE TABLE chats (id TEXT PRIMARY KEY, stamp TEXT) WITHOUT ROWID;
CREATE TABLE ribs (
    chat TEXT, first INTEGER, last INTEGER, begin INTEGER, finish INTEGER,
    words INTEGER, density REAL, entropy REAL, middle INTEGER, terms TEXT,
    PRIMARY KEY (chat, first)
) WITHOUT ROWID;
CREATE TABLE terms (
    term TEXT, chat TEXT, count INTEGER, ribs TEXT, PRIMARY KEY (term, chat)
) WITHOUT ROWID;
"""
_COLUMNS = "chat, first, last, begin, finish, words, density, entropy, middle, terms"


class Lattice:
    """The open store of one kit; a context manager. Where no file can be had it lives in memory."""

    def __init__(self, path: Path) -> None:
        """Open the file, made anew where it is missing, damaged or of another version."""
        self._path = path
        self._file = self._open()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    def refresh(
        self,
        chats: Mapping[str, str],
        read: Callable[[str], bytes],
        policy: str,
        names: frozenset[str],
        progress: Callable[[int, int], None] | None = None,
    ) -> None:
        """Cut the ribs of chats that changed; `chats` are all that count, with a stamp of each.

        `read` gives the bytes of a chat's file. A chat that cannot be read has no ribs.
        """
        try:
            self._refresh(chats, read, policy, names, progress)
        except sqlite3.DatabaseError:
            self._file.close()
            with suppress(OSError):
                self._path.unlink()
            self._file = self._open()
            self._refresh(chats, read, policy, names, progress)

    def list_ribs(self, chats: Iterable[str] | None = None) -> list[RibPoint]:
        """Return the rib points in the order of the tape, of these chats where any are given."""
        if chats is None:
            rows = self._file.execute(f"SELECT {_COLUMNS} FROM ribs").fetchall()  # noqa: S608
        else:
            query = f"SELECT {_COLUMNS} FROM ribs WHERE chat = ?"  # noqa: S608
            rows = [row for chat in chats for row in self._file.execute(query, (chat,))]
        found = [_rib(row) for row in rows]
        return sorted(found, key=lambda rib: (session_order(rib.session), rib.cycles[0]))

    def read_ribs(self, places: Iterable[tuple[str, int]], terms: Collection[str] = ()) -> list[RibPoint]:
        """Return the ribs at these places, by chat and first cycle, with none of their terms but these."""
        query = f"SELECT {_COLUMNS} FROM ribs WHERE chat = ? AND first = ?"  # noqa: S608
        rows = (row for place in places for row in self._file.execute(query, place))
        return [_rib(row, terms) for row in rows]

    def count_chats(self) -> int:
        """Return the number of chats with a rib."""
        (count,) = self._file.execute("SELECT count(DISTINCT chat) FROM ribs").fetchone()
        return int(count)

    def spread(self, least: int, most: int, times: float) -> dict[str, tuple[int, int]]:
        """Return in how many chats a term stands, and how often in all, by term.

        Only for terms that at least and at most so many chats have, and that are said so many times in one on
        average.
        """
        rows = self._file.execute(
            "SELECT term, count(*) AS chats, sum(count) AS times FROM terms"
            " GROUP BY term HAVING chats BETWEEN ? AND ? AND times >= chats * ?",
            (least, most, times),
        )
        return {term: (chats, count) for term, chats, count in rows}

    def count_chats_with(self, term: str) -> int:
        """Return the number of chats in which a term stands."""
        (count,) = self._file.execute("SELECT count(*) FROM terms WHERE term = ?", (term,)).fetchone()
        return int(count)

    def find(self, term: str) -> dict[tuple[str, int], int]:
        """Return how often a term stands in each rib that has it, by chat and first cycle."""
        rows = self._file.execute("SELECT chat, ribs FROM terms WHERE term = ?", (term,))
        pairs = ((chat, part.split(":")) for chat, ribs in rows for part in ribs.split(" "))
        return {(chat, int(first)): int(count) for chat, (first, count) in pairs}

    def rows(self) -> list[tuple[object, ...]]:
        """Return all that is kept, in a fixed order, to compare two stores."""
        tables = ("chats", "ribs", "terms")
        return [row for name in tables for row in self._file.execute(f"SELECT * FROM {name}")]  # noqa: S608

    def _refresh(
        self,
        chats: Mapping[str, str],
        read: Callable[[str], bytes],
        policy: str,
        names: frozenset[str],
        progress: Callable[[int, int], None] | None,
    ) -> None:
        about = f"{policy} {crc32(json.dumps(sorted(names)).encode()):08x}"
        stamps = {chat: f"{stamp} {about}" for chat, stamp in chats.items()}
        known = dict(self._file.execute("SELECT id, stamp FROM chats"))
        gone = [chat for chat in known if chat not in stamps]
        due = [chat for chat, stamp in stamps.items() if known.get(chat) != stamp]
        if not gone and not due:
            return
        self._file.execute("BEGIN IMMEDIATE")
        for chat in gone:
            self._drop(chat)
        for at in range(0, len(due), _COMMIT_EVERY):
            cut: dict[str, list[RibPoint]] = {}
            for chat in due[at : at + _COMMIT_EVERY]:
                if progress:
                    progress(at + len(cut), len(due))
                if chat in known:
                    self._drop(chat)
                cut[chat] = _cut(chat, read, policy, names)
            self._keep(cut, stamps)
            self._file.execute("COMMIT")
            self._file.execute("BEGIN IMMEDIATE")
        self._file.execute("COMMIT")
        if progress:
            progress(len(due), len(due))

    def _drop(self, chat: str) -> None:
        rows = self._file.execute("SELECT terms FROM ribs WHERE chat = ?", (chat,))
        terms = {term for (dumped,) in rows for term in json.loads(dumped)}
        self._file.executemany(
            "DELETE FROM terms WHERE term = ? AND chat = ?", ((term, chat) for term in terms)
        )
        self._file.execute("DELETE FROM ribs WHERE chat = ?", (chat,))
        self._file.execute("DELETE FROM chats WHERE id = ?", (chat,))

    def _keep(self, cut: Mapping[str, Sequence[RibPoint]], stamps: Mapping[str, str]) -> None:
        self._file.executemany("INSERT INTO chats VALUES (?, ?)", [(chat, stamps[chat]) for chat in cut])
        self._file.executemany(
            f"INSERT INTO ribs ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",  # noqa: S608
            (
                (
                    chat,
                    *rib.cycles,
                    *rib.messages,
                    rib.words,
                    rib.density,
                    rib.entropy,
                    rib.middle,
                    _dump(rib.terms),
                )
                for chat, ribs in cut.items()
                for rib in ribs
            ),
        )
        rows = [row for chat, ribs in cut.items() for row in _spread_terms(chat, ribs)]
        rows.sort()
        self._file.executemany("INSERT INTO terms VALUES (?, ?, ?, ?)", rows)

    def _open(self) -> sqlite3.Connection:
        path = self._path
        if any(map(os.path.islink, (path, path.parent, path.parent.parent))):
            return self._made(":memory:")
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            if path.exists():
                if (found := _sound(path)) is not None:
                    return found
                path.unlink()
            os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
            return self._made(str(path))
        except (OSError, sqlite3.Error):
            return self._made(":memory:")

    @staticmethod
    def _made(place: str) -> sqlite3.Connection:
        connection = _tune(sqlite3.connect(place, timeout=PATIENCE, isolation_level=None))
        connection.executescript(f"BEGIN IMMEDIATE; {_SCHEMA} COMMIT;")
        return connection


def _tune(connection: sqlite3.Connection) -> sqlite3.Connection:
    connection.execute(f"PRAGMA cache_size = -{_CACHE}")
    # all of it can be made anew
    connection.execute("PRAGMA synchronous = OFF")
    return connection


def _sound(path: Path) -> sqlite3.Connection | None:
    """Return the open file; None where it is not a lattice of this version."""
    connection = sqlite3.connect(path, timeout=PATIENCE, isolation_level=None)
    try:
        (application,) = connection.execute("PRAGMA application_id").fetchone()
        (version,) = connection.execute("PRAGMA user_version").fetchone()
    except sqlite3.DatabaseError:
        application = version = -1
    if (application, version) == (APPLICATION, VERSION):
        return _tune(connection)
    connection.close()
    return None


def _cut(chat: str, read: Callable[[str], bytes], policy: str, names: frozenset[str]) -> list[RibPoint]:
    try:
        return cut_ribs(parse_session(read(chat), session_path(chat)), policy, names)
    except ReelError:
        # reel doctor names a file that cannot be read
        return []


def _spread_terms(chat: str, ribs: Sequence[RibPoint]) -> Iterator[tuple[str, str, int, str]]:
    """Yield each term of a chat: how often it stands there, and in which ribs, as `first:count`."""
    sums: dict[str, int] = {}
    places: dict[str, str] = {}
    for rib in ribs:
        first = rib.cycles[0]
        for term, count in rib.terms.items():
            if term in sums:
                sums[term] += count
                places[term] += f" {first}:{count}"
            else:
                sums[term] = count
                places[term] = f"{first}:{count}"
    return ((term, chat, count, places[term]) for term, count in sums.items())


def _dump(terms: Mapping[str, int]) -> str:
    return json.dumps(terms, ensure_ascii=False, separators=(",", ":"))


def _rib(row: Sequence[object], only: Collection[str] | None = None) -> RibPoint:
    chat, first, last, begin, finish, words, density, entropy, middle, dumped = row
    terms: Mapping[str, int] = {} if only is not None and not only else json.loads(str(dumped))
    if only:
        terms = {term: terms[term] for term in only if term in terms}
    return RibPoint(
        session=str(chat),
        cycles=(int(str(first)), int(str(last))),
        messages=(int(str(begin)), int(str(finish))),
        terms=terms,
        words=int(str(words)),
        density=float(str(density)),
        entropy=float(str(entropy)),
        middle=int(str(middle)),
    )
