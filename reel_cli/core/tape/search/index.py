"""The local index over the tape: brought up to date for what changed, then asked.

One row a turn as the person last saw it, in SQLite's FTS5. A row's number is its session's number and its
place in it, so that neighbours, sessions and stretches of time are arithmetic and need no look-up. The
file is a cache that only its owner reads: no word of it is ever shown, and when damaged it is made anew.
"""

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self, TypeVar

from reel_cli.core.cache_file import CacheTables, discard, is_damage
from reel_cli.core.tape.search.answer import answer
from reel_cli.core.tape.search.overview import Overview
from reel_cli.core.tape.search.refresh import IndexRefresh, Progress, RefreshResult, keep_notes
from reel_cli.core.values.search import Note, Question, SearchResult
from reel_cli.core.values.source import session_order
from reel_cli.core.values.talk import Event

if TYPE_CHECKING:
    from reel_cli.core.tape.search.ranking import TurnVectors

INDEX = CacheTables(
    0x5245454D,
    9,
    """
CREATE TABLE sessions (
    number INTEGER PRIMARY KEY, id TEXT UNIQUE, stamp TEXT, turns INTEGER, words INTEGER, trouble TEXT,
    topic TEXT
);
CREATE TABLE facts (
    rowid INTEGER PRIMARY KEY, number INTEGER, role TEXT, name TEXT, size INTEGER, mark INTEGER
);
CREATE TABLE kept (name TEXT PRIMARY KEY, value TEXT);
CREATE TABLE people (role TEXT, name TEXT, PRIMARY KEY (role, name)) WITHOUT ROWID;
CREATE TABLE notes (number INTEGER PRIMARY KEY, id TEXT, places TEXT, line TEXT, past TEXT);
CREATE TABLE standing (rowid INTEGER PRIMARY KEY, said TEXT);
CREATE TABLE keys (key TEXT, note INTEGER);
CREATE TABLE aliases (word TEXT, people TEXT, others TEXT, PRIMARY KEY (word, people)) WITHOUT ROWID;
CREATE INDEX keys_by_key ON keys (key);
CREATE VIRTUAL TABLE turns USING fts5(body, grams, added, tokenize = 'porter unicode61');
CREATE VIRTUAL TABLE note_texts USING fts5(body, grams, tokenize = 'porter unicode61');
""",
)

_T = TypeVar("_T")


def open_index(path: Path) -> "SearchIndex":
    """Return the index kept in a file (`.reel/cache/search.sqlite`), made if missing.

    A foreign, old or corrupt file is thrown away and made anew. Where no file can be had there (a link, a
    read-only disk, another process that does not let go of it), the index lives in memory.
    """
    return SearchIndex(path)


class SearchIndex:
    """The open index of one kit."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._remade: str | None = None
        self._unkept: str | None = None
        self._again: Callable[[], RefreshResult] | None = None
        self._written = 0
        self._known: tuple[tuple[int, ...], Overview, list[tuple[str, str]]] | None = None
        self._meaning: TurnVectors | None = None
        try:
            self._file, self._remade = INDEX.open(path)
        except (OSError, sqlite3.Error) as error:
            self._file, self._unkept = INDEX.open_memory(), str(error)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._file.close()
        if self._meaning is not None:
            self._meaning.close()

    def refresh(  # noqa: PLR0913
        self,
        sessions: Mapping[str, str],
        read: Callable[[str], bytes],
        *,
        corrections: Mapping[str, Sequence[Event]] | None = None,
        notes: Sequence[Note] | Callable[[], Sequence[Note]] = (),
        notes_stamp: str = "",
        progress: Progress | None = None,
    ) -> RefreshResult:
        """Index what changed: `sessions` are all that stand, with a stamp that changes when the file does.

        `read` gives the bytes of one session's file and is called for new and changed ones only. What was put
        right later (`corrections`, by session) is searched with the messages it is about. `notes` may be a
        function, called only where `notes_stamp` is not the one kept. What another process indexed counts.
        """

        def run() -> RefreshResult:
            self._written += 1
            done = IndexRefresh(self._file, sessions, read, corrections or {}, progress).run()
            keep_notes(self._file, notes, notes_stamp)
            return done

        self._again = run
        done = self._guarded(run)
        return RefreshResult(done.sessions, done.gone, self._remade, self._unkept, done.damaged)

    def use(self, meaning: "TurnVectors", progress: Progress | None = None) -> None:
        """Add ranking by meaning from here on, and embed what changed; `meaning` is closed with the index."""
        self._meaning = meaning
        self._guarded(lambda: meaning.refresh(self._file, progress))

    def find(
        self,
        question: Question,
        *,
        limit: int = 20,
        threshold: float | None = None,
        one_per_session: bool = False,
        narrow: bool = False,
    ) -> SearchResult:
        """Return the moments that answer a question, best first, at most `limit`; spans do not overlap.

        Where even the best is less sure than `threshold` (None: the usual one), nothing is found and what was
        nearest is among the discarded. Where the tape seems to answer at all, what follows the best is there
        to fill the room, down to the limit. `narrow` leaves out neighbours that match less, where the room is
        limited. A question without a word to look for finds nothing; none raises.
        """

        def ask() -> SearchResult:
            overview, people = self._overview()
            return answer(
                self._file,
                overview,
                people,
                question,
                limit=limit,
                threshold=threshold,
                one_per_session=one_per_session,
                narrow=narrow,
                meaning=self._meaning,
            )

        return self._guarded(ask)

    def nearest_word(self, word: str) -> str | None:
        """Return the word of the turns that is a letter away from one that stands in none; None for none."""
        from reel_cli.core.tape.search.nearest_word import nearest_said

        return self._guarded(lambda: nearest_said(self._file, word))

    def _overview(self) -> tuple[Overview, list[tuple[str, str]]]:
        """Return the index as a whole, read again whenever this or another process wrote to it."""
        version = (*self._file.execute("PRAGMA data_version").fetchone(), self._written)
        if self._known is None or self._known[0] != version:
            rows = self._file.execute("SELECT number, id, turns, words FROM sessions").fetchall()
            order = sorted(rows, key=lambda row: session_order(row[1]))
            overview = Overview(
                names={row[0]: row[1] for row in rows},
                sizes={row[0]: row[3] for row in rows},
                places={row[0]: at for at, row in enumerate(order)},
                counts={row[0]: row[2] for row in rows},
                turns=sum(row[2] for row in rows),
                words=sum(row[3] for row in rows),
            )
            people = self._file.execute("SELECT role, name FROM people").fetchall()
            self._known = (version, overview, people)
        return self._known[1], self._known[2]

    def _guarded(self, work: Callable[[], _T]) -> _T:
        """Run `work` on the file; if the file proves damaged, rebuild it and run `work` again."""
        try:
            return work()
        except sqlite3.Error as error:
            if self._file.in_transaction:
                self._file.execute("ROLLBACK")
            self._start_over(error)
        if self._again is not None and work is not self._again:
            self._again()
        return work()

    def _start_over(self, error: sqlite3.Error) -> None:
        self._file.close()
        if is_damage(error) and self._unkept is None:
            discard(self._path)
            try:
                self._file, _ = INDEX.open(self._path)
                self._remade = str(error)
            except (OSError, sqlite3.Error) as trouble:
                error = trouble if isinstance(trouble, sqlite3.Error) else sqlite3.Error(str(trouble))
            else:
                return
        self._file, self._unkept = INDEX.open_memory(), str(error)
