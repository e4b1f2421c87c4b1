"""Bringing the index up to date: the turns of sessions that changed, and the memories."""

import json
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from zlib import crc32

from reel_cli.core.errors import ReelError, StateError
from reel_cli.core.frozen import frozen, mutable
from reel_cli.core.tape.search.note_search import LINES_BITS, split_lines
from reel_cli.core.tape.search.overview import PLACES
from reel_cli.core.tape.search.query import clean, grams, pairs, words
from reel_cli.core.tape.search.standing_words import find_standing
from reel_cli.core.tape.search.topics import topic_words
from reel_cli.core.tape.session_file import parse_session
from reel_cli.core.values.search import Note
from reel_cli.core.values.source import session_path
from reel_cli.core.values.talk import Event, Session

_COMMIT_EVERY = 1 << 25
"""Bytes of sessions after which what was indexed is kept, so that an interrupted build goes on from there."""

_Row = tuple[tuple[str, str, str], tuple[int | None, str, str, int, int]]
"""A turn: what is searched of it (words, pairs, what was put right), and its facts, the mark last."""

Progress = Callable[[int, int], None]
"""Function called with the number of sessions done, and their total."""


@frozen
class RefreshResult:
    """The result of bringing the index up to date.

    `sessions` were read anew or further, `gone` left. `remade` says why the file had to be built anew (None:
    it had not, or there was none), `unkept` why the index could not be kept on disk and lives in memory only.
    `damaged` are sessions whose file cannot be read, with what is wrong; they are not searched.
    """

    sessions: Sequence[str] = ()
    gone: Sequence[str] = ()
    remade: str | None = None
    unkept: str | None = None
    damaged: Mapping[str, str] = field(default_factory=dict)


@mutable
class IndexRefresh:
    """One bringing up to date of the turns."""

    file: sqlite3.Connection
    sessions: Mapping[str, str]
    read: Callable[[str], bytes]
    corrections: Mapping[str, Sequence[Event]]
    progress: Progress | None

    def run(self) -> RefreshResult:
        """Index what is new or changed, and delete what is gone."""
        stamps = {
            name: f"{stamp} {_mark(*(e.digest + e.text for e in self.corrections[name]))}"
            if self.corrections.get(name)
            else stamp
            for name, stamp in self.sessions.items()
        }
        rows = self.file.execute("SELECT id, number, stamp, trouble FROM sessions").fetchall()
        known = {row[0]: (row[1], row[2]) for row in rows}
        damaged = {row[0]: row[3] for row in rows if row[3] and row[0] in stamps}
        gone = [name for name in known if name not in stamps]
        due = [name for name, stamp in stamps.items() if name not in known or known[name][1] != stamp]
        if not gone and not due:
            return RefreshResult(damaged=damaged)
        self.file.execute("BEGIN IMMEDIATE")
        self.file.execute("DELETE FROM aliases")
        for name in gone:
            number = known[name][0]
            for table in ("turns", "facts", "standing"):
                self.file.execute(
                    f"DELETE FROM {table} WHERE rowid BETWEEN ? AND ?",  # noqa: S608
                    (number * PLACES, (number + 1) * PLACES - 1),
                )
            self.file.execute("DELETE FROM sessions WHERE number = ?", (number,))
        unkept = 0
        for at, name in enumerate(due):
            if self.progress:
                self.progress(at, len(due))
            try:
                data, unread = self.read(name), None
            except ReelError as error:
                # one unreadable file must not keep the others out
                data, unread = b"", error.message
            damaged.pop(name, None)
            trouble = self._index(name, stamps[name], data, unread)
            if trouble:
                damaged[name] = trouble
            unkept += len(data)
            if unkept > _COMMIT_EVERY:
                self.file.execute("COMMIT")
                self.file.execute("BEGIN IMMEDIATE")
                unkept = 0
        if gone:
            # forget names that no remaining message has
            self.file.execute("DELETE FROM people")
            self.file.execute("INSERT INTO people SELECT DISTINCT role, name FROM facts WHERE name <> ''")
        self.file.execute("COMMIT")
        if self.progress:
            self.progress(len(due), len(due))
        return RefreshResult(due, gone, damaged=damaged)

    def _index(self, name: str, stamp: str, data: bytes, trouble: str | None) -> str | None:
        """Index one session, from the first turn on that is not as it was indexed; what is wrong with it.

        With `trouble` it could not be read at all, and nothing of it is found.
        """
        session = Session(name, None, "")
        try:
            session = parse_session(data, session_path(name)) if trouble is None else session
        except StateError as error:
            trouble = error.message
        corrected = _corrected(session, self.corrections.get(name, ()))
        turns = _turns(session, corrected)
        row = self.file.execute("SELECT number FROM sessions WHERE id = ?", (name,)).fetchone()
        if row is None:
            number = self.file.execute("SELECT coalesce(max(number), 0) + 1 FROM sessions").fetchone()[0]
            same = 0
        else:
            number = row[0]
            kept = self.file.execute(
                "SELECT rowid, mark FROM facts WHERE rowid BETWEEN ? AND ? ORDER BY rowid",
                (number * PLACES, (number + 1) * PLACES - 1),
            ).fetchall()
            same = 0
            while same < min(len(kept), len(turns)) and kept[same][1] == turns[same][1][-1]:
                same += 1
            changed = [(row,) for row, _ in kept[same:]]
            self.file.executemany("DELETE FROM turns WHERE rowid = ?", changed)
            self.file.executemany("DELETE FROM facts WHERE rowid = ?", changed)
            self.file.executemany("DELETE FROM standing WHERE rowid = ?", changed)
        new = list(enumerate(turns[same:], start=number * PLACES + same))
        self.file.executemany(
            "INSERT INTO turns (rowid, body, grams, added) VALUES (?,?,?,?)",
            [(row, *searched) for row, (searched, _) in new],
        )
        self.file.executemany(
            "INSERT INTO facts VALUES (?,?,?,?,?,?)", [(row, *fact) for row, (_, fact) in new]
        )
        held = (
            (row, "\n".join(find_standing(searched[0])))
            for row, (searched, fact) in new
            if fact[1] == "user" and fact[0] not in corrected
        )
        self.file.executemany("INSERT INTO standing VALUES (?, ?)", [one for one in held if one[1]])
        size = sum(fact[3] for _, fact in turns)
        self.file.execute(
            "REPLACE INTO sessions VALUES (?, ?, ?, ?, ?, ?, ?)",
            (
                number,
                name,
                stamp,
                len(turns),
                size,
                trouble,
                topic_words(searched[0] for searched, _ in turns),
            ),
        )
        self.file.executemany(
            "INSERT OR IGNORE INTO people VALUES (?, ?)",
            {(fact[1], fact[2]) for _, fact in turns[same:] if fact[2]},
        )
        return trouble


def keep_notes(
    file: sqlite3.Connection, notes: Sequence[Note] | Callable[[], Sequence[Note]], stamp: str
) -> None:
    """Index the memories where they are not those that are kept."""
    kept = file.execute("SELECT value FROM kept WHERE name = 'notes'").fetchone()
    if kept is not None and kept[0] == stamp and stamp:
        return
    file.execute("BEGIN IMMEDIATE")
    for table in ("notes", "keys", "note_texts", "aliases"):
        file.execute(f"DELETE FROM {table}")  # noqa: S608
    for number, note in enumerate(notes() if callable(notes) else notes, start=1):
        places = json.dumps([[w.session, w.first, w.last] for w in note.where])
        past = json.dumps([[clean(text), until] for text, until in note.past])
        row = (number, note.id, places, clean(note.line), past)
        file.execute("INSERT INTO notes VALUES (?, ?, ?, ?, ?)", row)
        lines = enumerate(split_lines(clean(note.text)), start=number << LINES_BITS)
        file.executemany(
            "INSERT INTO note_texts (rowid, body, grams) VALUES (?, ?, ?)",
            [(row, line, " ".join(grams(line))) for row, line in lines],
        )
        # in the note's order: the first key found in a turn decides where its sentences lead
        keys = dict.fromkeys(" ".join([*words(clean(key)), *pairs(clean(key))]) for key in note.keys)
        file.executemany("INSERT INTO keys VALUES (?, ?)", [(key, number) for key in keys if key])
    file.execute("REPLACE INTO kept VALUES ('notes', ?)", (stamp,))
    file.execute("COMMIT")


def _corrected(session: Session, corrections: Sequence[Event]) -> Mapping[int | None, Sequence[str]]:
    """Return what was put right by the message it is about; of a whole session, by its first."""
    found: dict[int | None, list[str]] = {}
    for event in corrections:
        opening = session.shown()[-PLACES:][:1]
        first = event.about[0] if event.about else (opening[0].number if opening else None)
        found.setdefault(first, []).append(event.text)
    return found


def _turns(session: Session, corrected: Mapping[int | None, Sequence[str]]) -> list[_Row]:
    """Return the turns of a session as they are kept; narration is found with the message before it."""
    shown = session.shown()[-PLACES:]
    added = {number: list(told) for number, told in corrected.items()}
    for number, told in session.narrated().items():
        first = shown[0].number if shown else None
        added.setdefault(number or first, []).extend(told)
    rows: list[_Row] = []
    for entry in shown:
        text = clean(entry.message.text)
        extra = clean("\n".join(added.get(entry.number, ())))
        both = f"{text}\n{extra}" if extra else text
        two = grams(both)
        fact = (
            entry.number,
            entry.message.role,
            clean(entry.message.name or ""),
            both.count(" ") + 1 + sum(1 for _ in pairs(both)),
        )
        rows.append(((text, " ".join(two), extra), (*fact, _mark(text, extra, *map(str, fact)))))
    return rows


def _mark(*parts: str) -> int:
    return crc32("\x1f".join(parts).encode("utf-8", "surrogatepass"))
