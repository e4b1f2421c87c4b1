"""`.reel/cache/lattice.sqlite`: the rib points of a kit and their terms, brought up to date chat by chat.

All of it is derived from the tape: a chat's rows depend on that chat's file, the policy and the speakers'
names, and on nothing else, so that a file made anew holds the same rows. What only the whole can say (which
terms are rare, what is a thread, which edges there are) is worked out when asked.
"""

import json
import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import repeat
from operator import itemgetter
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar
from zlib import crc32

from reel_cli.core.cache_file import CacheTables, discard, is_damage
from reel_cli.core.errors import ReelError
from reel_cli.core.tape.session_file import parse_session
from reel_cli.core.values.source import session_order, session_path
from reel_cli.features.threads.ribs import RibPoint, cut_ribs

FILE = ".reel/cache/lattice.sqlite"
_VERSION = 5
"""Raised whenever the tables, or how ribs are cut or measured, change."""
_COMMIT_EVERY = 1 << 24
"""Bytes of chats after which what was cut is kept, so that an interrupted build goes on from there.

Their terms go in sorted, which spares the file most of its reading and writing.
"""
_CACHE = 48_000
"""Kilobytes of the file that are held in memory."""

_LATTICE = CacheTables(
    0x5245454E,
    _VERSION,
    """
CREATE TABLE chats (id TEXT PRIMARY KEY, stamp TEXT) WITHOUT ROWID;
CREATE TABLE ribs (
    chat TEXT, coarse INTEGER, first INTEGER, last INTEGER, begin INTEGER, finish INTEGER,
    words INTEGER, density REAL, entropy REAL, middle INTEGER, time TEXT, terms TEXT,
    PRIMARY KEY (chat, coarse, first)
) WITHOUT ROWID;
CREATE TABLE terms (
    term TEXT, chat TEXT, count INTEGER, ribs TEXT, PRIMARY KEY (term, chat)
) WITHOUT ROWID;
""",
)
_RIBS = (
    "SELECT chat, coarse, first, last, begin, finish, words, density, entropy, middle, time, terms FROM ribs"
)
Progress = Callable[[int, int], None]
"""Function called with the number of chats done, and their total."""
_T = TypeVar("_T")


class Lattice:
    """The open store of one kit; a context manager. Where no file can be had it lives in memory."""

    def __init__(self, path: Path) -> None:
        """Open the file, made anew where it is missing, damaged or of another version."""
        self._path = path
        self._again: Callable[[], None] | None = None
        self._file = self._open()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def refresh(
        self,
        chats: Mapping[str, str],
        read: Callable[[str], bytes],
        policy: str,
        names: frozenset[str],
        progress: Progress | None = None,
    ) -> None:
        """Cut the ribs of chats that changed; `chats` are all that count, with a stamp of each.

        `read` gives the bytes of a chat's file. A chat that cannot be read has no ribs. What another process
        cut counts, also while this one is at it.
        """
        about = f"{policy} {crc32(json.dumps(sorted(names)).encode()):08x}"
        stamps = {chat: f"{stamp} {about}" for chat, stamp in chats.items()}

        def run() -> None:
            _Refresh(self._file, stamps, read, policy, names, progress).run()

        self._again = run
        self._guard(run)

    def list_ribs(self, chats: Iterable[str] | None = None, *, coarse: bool = False) -> list[RibPoint]:
        """Return the rib points in the order of the tape, of these chats where any are given.

        The `coarse` ones come without their terms.
        """
        if chats is None:
            rows = self._ask(f"{_RIBS} WHERE coarse = ?", coarse)
        else:
            query = f"{_RIBS} WHERE chat = ? AND coarse = ?"
            rows = [row for chat in chats for row in self._ask(query, chat, coarse)]
        found = [_rib(row) for row in rows]
        return sorted(found, key=lambda rib: (session_order(rib.session), rib.cycles[0]))

    def read_ribs(self, places: Iterable[tuple[str, int]], terms: Collection[str] = ()) -> list[RibPoint]:
        """Return the ribs at these places, by chat and first cycle, with none of their terms but these."""
        query = f"{_RIBS} WHERE chat = ? AND coarse = 0 AND first = ?"
        return [_rib(row, terms) for place in places for row in self._ask(query, *place)]

    def count_chats(self) -> int:
        """Return the number of chats with a rib."""
        return int(self._ask("SELECT count(DISTINCT chat) FROM ribs")[0][0])

    def spread(self, least: int, most: int, times: float) -> dict[str, tuple[int, int]]:
        """Return in how many chats a term stands, and how often in all, by term.

        Only for terms that at least and at most so many chats have, and that are said so many times in one on
        average.
        """
        rows = self._ask(
            "SELECT term, count(*) AS chats, sum(count) AS times FROM terms"
            " GROUP BY term HAVING chats BETWEEN ? AND ? AND times >= chats * ?",
            *(least, most, times),
        )
        return {term: (chats, count) for term, chats, count in rows}

    def count_chats_with(self, term: str) -> int:
        """Return the number of chats in which a term stands."""
        return int(self._ask("SELECT count(*) FROM terms WHERE term = ?", term)[0][0])

    def find(self, term: str) -> dict[tuple[str, int], int]:
        """Return how often a term stands in each rib that has it, by chat and first cycle."""
        rows = self._ask("SELECT chat, ribs FROM terms WHERE term = ?", term)
        pairs = ((chat, part.split(":")) for chat, ribs in rows for part in ribs.split(" "))
        return {(chat, int(first)): int(count) for chat, (first, count) in pairs}

    def rows(self) -> list[tuple[object, ...]]:
        """Return all that is kept, in a fixed order, to compare two stores."""
        tables = ("chats", "ribs", "terms")
        return [row for name in tables for row in self._ask(f"SELECT * FROM {name}")]  # noqa: S608

    def _ask(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        return self._guard(lambda: self._file.execute(query, values).fetchall())

    def _guard(self, work: Callable[[], _T]) -> _T:
        """Run `work` on the file; where that is damaged or out of reach, make it anew and run it again."""
        try:
            return work()
        except sqlite3.Error as error:
            self._file.close()
            self._file = self._start_over(error)
        if self._again is not None and work is not self._again:
            self._again()
        return work()

    def _start_over(self, error: sqlite3.Error) -> sqlite3.Connection:
        """Return a new file in place of a damaged one; memory where the file is sound but cannot be used."""
        if not is_damage(error):
            return _LATTICE.open_memory()
        discard(self._path)
        return self._open()

    def _open(self) -> sqlite3.Connection:
        try:
            file, _ = _LATTICE.open(self._path)
        except (OSError, sqlite3.Error):
            return _LATTICE.open_memory()
        file.execute(f"PRAGMA cache_size = -{_CACHE}")
        # all of it can be made anew
        file.execute("PRAGMA synchronous = OFF")
        return file


class _Refresh:
    """One bringing up to date of the chats, of which `stamps` gives those that count."""

    def __init__(  # noqa: PLR0913
        self,
        file: sqlite3.Connection,
        stamps: Mapping[str, str],
        read: Callable[[str], bytes],
        policy: str,
        names: frozenset[str],
        progress: Progress | None,
    ) -> None:
        self._file = file
        self._stamps = stamps
        self._read = read
        self._policy = policy
        self._names = names
        self._progress = progress

    def run(self) -> None:
        """Cut what is new or changed, and delete what is gone."""
        known = dict(self._file.execute("SELECT id, stamp FROM chats"))
        gone = [chat for chat in known if chat not in self._stamps]
        due = [chat for chat, stamp in self._stamps.items() if known.get(chat) != stamp]
        done = 0
        while gone or done < len(due):
            with self._file:
                self._file.execute("BEGIN IMMEDIATE")
                for chat in gone:
                    self._drop(chat)
                gone = []
                done = self._cut_some(due, done)
        if self._progress and due:
            self._progress(len(due), len(due))

    def _cut_some(self, due: Sequence[str], done: int) -> int:
        """Cut the next chats, as many as are kept at once; return how many are done then."""
        cut: dict[str, list[RibPoint]] = {}
        size = 0
        while done < len(due) and size < _COMMIT_EVERY:
            chat = due[done]
            if self._progress:
                self._progress(done, len(due))
            done += 1
            row = self._file.execute("SELECT stamp FROM chats WHERE id = ?", (chat,)).fetchone()
            if row is not None:
                if row[0] == self._stamps[chat]:
                    # another process was faster
                    continue
                self._drop(chat)
            data, cut[chat] = self._cut(chat)
            size += len(data)
        self._keep(cut)
        return done

    def _cut(self, chat: str) -> tuple[bytes, list[RibPoint]]:
        try:
            data = self._read(chat)
            return data, cut_ribs(parse_session(data, session_path(chat)), self._policy, self._names)
        except ReelError:
            # reel doctor names a file that cannot be read
            return b"", []

    def _drop(self, chat: str) -> None:
        rows = self._file.execute("SELECT terms FROM ribs WHERE chat = ? AND coarse = 0", (chat,))
        terms = {term for (dumped,) in rows for term in json.loads(dumped)}
        self._file.executemany(
            "DELETE FROM terms WHERE term = ? AND chat = ?", ((term, chat) for term in terms)
        )
        self._file.execute("DELETE FROM ribs WHERE chat = ?", (chat,))
        self._file.execute("DELETE FROM chats WHERE id = ?", (chat,))

    def _keep(self, cut: Mapping[str, Sequence[RibPoint]]) -> None:
        self._file.executemany(
            "INSERT INTO chats VALUES (?, ?)", [(chat, self._stamps[chat]) for chat in cut]
        )
        self._file.executemany(
            "INSERT INTO ribs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (_row(rib) for ribs in cut.values() for rib in ribs),
        )
        rows = [row for chat, ribs in cut.items() for row in _spread_terms(chat, ribs)]
        rows.sort(key=itemgetter(0))
        self._file.executemany("INSERT INTO terms VALUES (?, ?, ?, ?)", rows)


def _spread_terms(chat: str, ribs: Sequence[RibPoint]) -> Iterator[tuple[str, str, int, str]]:
    """Yield each term of a chat: how often it stands there, and in which ribs, as `first:count`."""
    sums: dict[str, int] = {}
    places: dict[str, str] = {}
    for rib in ribs:
        # most terms are said a few times, so that few texts serve all of them
        counts = set(rib.terms.values())
        begun = {count: f"{rib.cycles[0]}:{count}" for count in counts}
        more = {count: f" {text}" for count, text in begun.items()}
        for term, count in rib.terms.items():
            if term in sums:
                sums[term] += count
                places[term] += more[count]
            else:
                sums[term] = count
                places[term] = begun[count]
    return zip(sums, repeat(chat), sums.values(), places.values(), strict=False)


def _row(rib: RibPoint) -> tuple[object, ...]:
    terms = json.dumps(rib.terms, ensure_ascii=False, separators=(",", ":"))
    where = (rib.session, rib.coarse, *rib.cycles, *rib.messages)
    return *where, rib.words, rib.density, rib.entropy, rib.middle, rib.time, terms


def _rib(row: Sequence[Any], only: Collection[str] | None = None) -> RibPoint:
    """Return the rib of a row, with all of its terms or with these."""
    chat, coarse, first, last, begin, finish, words, density, entropy, middle, time, dumped = row
    terms: Mapping[str, int] = {} if only is not None and not only else json.loads(dumped)
    if only:
        terms = {term: terms[term] for term in only if term in terms}
    return RibPoint(
        session=chat,
        cycles=(first, last),
        messages=(begin, finish),
        terms=terms,
        words=words,
        density=density,
        entropy=entropy,
        middle=middle,
        time=time,
        coarse=bool(coarse),
    )
