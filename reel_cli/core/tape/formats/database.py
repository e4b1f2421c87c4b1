"""Other programs' SQLite files, looked into without touching or trusting them.

The program a file belongs to may be running, so its rows are never read in place: the file and what
was written to its log are copied to a private folder, and the copy is read. Nothing of theirs is locked
or written, and what is committed but not yet in the file is seen. Only which tables there are is looked
up in the file itself, without a lock. The schema is as untrusted as the rows are: only plain tables are
read, column by column, with time, sizes and functions held down.
"""

import sqlite3
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NoReturn, TypeVar

from reel_cli.core.errors import ReelError
from reel_cli.core.tape.formats.parts import as_text
from reel_cli.core.tape.formats.source import Source
from reel_cli.core.values.change import one_line

MAGIC = b"SQLite format 3\x00"
"""First bytes of every SQLite file."""
LARGEST = 16 * 2**30
"""A larger file is not copied, in bytes."""
LARGEST_BLOB = 16 * 2**20
"""Bytes above which only a blob's length is read."""
LONGEST_WAIT = 20.0
"""Seconds that a statement may take for its next rows."""
LEAST_PATIENCE, BYTES_A_SECOND = 60.0, 2**20
"""Seconds that all statements together may take, and the bytes of the file that add a second each."""
MOST_ROWS = 3_000_000

Row = dict[str, object]
Result = TypeVar("Result")

_LONGEST_VALUE = 256 * 2**20
_LIMITS = (
    (sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST_VALUE),
    (sqlite3.SQLITE_LIMIT_SQL_LENGTH, 1_000_000),
    (sqlite3.SQLITE_LIMIT_EXPR_DEPTH, 100),
    (sqlite3.SQLITE_LIMIT_COMPOUND_SELECT, 4),
    (sqlite3.SQLITE_LIMIT_ATTACHED, 0),
    (sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 100),
    (sqlite3.SQLITE_LIMIT_TRIGGER_DEPTH, 1),
    (sqlite3.SQLITE_LIMIT_WORKER_THREADS, 0),
)
_FUNCTIONS = frozenset({"length", "typeof"})
_PRAGMAS = frozenset({"table_xinfo"})
_STEPS = 20_000
_BATCH = 100
_TRIES = 8
_PAUSE = 0.05
_CHUNK = 4 * 2**20
_MOST_NAMED = 12


class Database:
    """An open copy of somebody's database: its plain tables, and their rows."""

    def __init__(self, connection: sqlite3.Connection, name: str, size: int) -> None:
        self._connection = connection
        self._name = name
        self._size = size
        self._until = 0.0
        self._patience = LEAST_PATIENCE + size / BYTES_A_SECOND
        connection.set_progress_handler(lambda: int(time.monotonic() > self._until), _STEPS)
        self.tables: Mapping[str, frozenset[str]] = dict(self._read_schema())

    def has(self, table: str, *columns: str) -> bool:
        """Return whether there is such a table with at least these columns."""
        return self.tables.get(table, frozenset()).issuperset(columns) and table in self.tables

    def rows(
        self, table: str, columns: Sequence[str], where: tuple[str, object] | None = None
    ) -> Iterator[Row]:
        """Yield the table's rows in the order they were written; missing columns are None.

        `where` asks for those only that have a value in a column. A blob longer than `LARGEST_BLOB` comes
        as its length. Raises ReelError where the file is damaged.
        """
        there = [column for column in columns if column in self.tables.get(table, ())]
        if not there:
            return
        cells = ", ".join(_cell(column) for column in there)
        empty: Row = dict.fromkeys(columns)
        sql = f"SELECT {cells} FROM {_quote(table)}"  # noqa: S608
        if where is None:
            found = self._run(f"{sql} NOT INDEXED")
        elif where[0] in self.tables[table]:
            found = self._run(f"{sql} WHERE {_quote(where[0])} = ?", where[1])
        else:
            return
        for values in found:
            yield empty | dict(zip(there, values, strict=True))

    def _read_schema(self) -> Iterator[tuple[str, frozenset[str]]]:
        listing = "SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > 0 LIMIT 1000"
        names = [name for (name,) in self._run(listing) if isinstance(name, str)]
        for name in names:
            # generated and hidden columns are computed by the schema's expressions and are ignored
            found = self._run(f"PRAGMA table_xinfo({_quote(name)})")
            columns = frozenset(row[1] for row in found if isinstance(row[1], str) and row[6] == 0)
            yield name, columns

    def _run(self, sql: str, *given: object) -> Iterator[tuple[object, ...]]:
        seen = count = 0
        try:
            cursor = self._timed(lambda: self._connection.execute(sql, given))
            with closing(cursor):
                while batch := self._timed(lambda: cursor.fetchmany(_BATCH)):
                    count += len(batch)
                    seen += sum(len(v) for row in batch for v in row if isinstance(v, str | bytes))
                    # pages that point at each other in circles would make a small file endless
                    if count > MOST_ROWS or seen > 2 * self._size + _CHUNK:
                        self._refuse("it holds more than its size allows")
                    yield from batch
        except (sqlite3.Error, sqlite3.Warning, OverflowError, UnicodeError) as error:
            self._refuse(_fault(error))

    def _timed(self, step: Callable[[], Result]) -> Result:
        start = time.monotonic()
        self._until = start + min(LONGEST_WAIT, self._patience)
        try:
            return step()
        finally:
            self._patience -= time.monotonic() - start

    def _refuse(self, fault: str) -> NoReturn:
        message = f"{self._name} cannot be read: {fault}."
        raise ReelError(message, hint="close the program it belongs to and copy the file again")


def tables_of(source: Source) -> Mapping[str, frozenset[str]]:
    """Return its plain tables' names with their columns'; raises ReelError if it is damaged."""
    path = _real_path(source)
    return _peek(str(path), _stamps(path), source.name)


def refuse_foreign(source: Source) -> NoReturn:
    """Raise an error that names the tables of a database that no reader knows."""
    tables = sorted(tables_of(source))
    shown = ", ".join(one_line(name, 30) for name in tables[:_MOST_NAMED])
    more = ", …" if len(tables) > _MOST_NAMED else ""
    seen = f"its tables are {shown}{more}" if tables else "it has no tables"
    message = f"{source.name} is a database, but of no chat program that reel knows: {seen}."
    raise ReelError(
        message, hint="reel reads the databases of Open WebUI, Ollama, llm, Cursor, OpenCode and oterm"
    )


@contextmanager
def open_database(source: Source) -> Iterator[Database]:
    """Yield a private copy of the source's database, open for reading, and deleted afterwards.

    Raises ReelError where it cannot be copied or is damaged.
    """
    path = _real_path(source)
    with TemporaryDirectory(prefix="reel-", ignore_cleanup_errors=True) as folder:
        copy = Path(folder, "copy.db")
        size = _copy(path, copy, source.name)
        with closing(_connect(copy, source.name)) as connection:
            yield Database(connection, source.name, size)


def plain(value: object) -> str | None:
    """Return a cell as text, whatever its type; None if it is empty or cannot be text."""
    if isinstance(value, bytes):
        try:
            value = value.decode("utf-8")
        except UnicodeDecodeError:
            return None
    if isinstance(value, int | float):
        return str(value)
    return as_text(value)


def utc(value: object) -> object:
    """Return a database's time; one without a zone is in UTC."""
    text = plain(value) if isinstance(value, bytes) else value
    if isinstance(text, str) and len(text) >= 16 and text[10:11] in {" ", "T"}:
        tail = text[16:]
        if not tail.endswith(("Z", "z")) and "+" not in tail and "-" not in tail:
            return f"{text}+00:00"
    return text


def by(rows: Iterable[Row], column: str) -> dict[object, list[Row]]:
    """Return the rows in groups, by what stands in a column."""
    groups: dict[object, list[Row]] = {}
    for row in rows:
        groups.setdefault(row[column], []).append(row)
    return groups


@lru_cache(maxsize=4)
def _peek(path: str, stamps: object, name: str) -> Mapping[str, frozenset[str]]:
    """Return the tables; `stamps` only tells one state of the file from another."""
    del stamps
    # the tables' names are nearly always in the file itself, which avoids a copy
    try:
        uri = f"{Path(path).as_uri()}?mode=ro&immutable=1"
        with closing(_harden(sqlite3.connect(uri, uri=True, isolation_level=None))) as connection:
            tables = Database(connection, name, sys.maxsize).tables
    except (sqlite3.Error, ReelError, ValueError):
        tables = {}
    if tables and not _beside(Path(path), "-wal").exists():
        return tables
    source = Source(MAGIC, name, path=Path(path))
    with open_database(source) as database:
        return database.tables


def _real_path(source: Source) -> Path:
    """Return the file's real path: SQLite keeps its log beside the file itself, not beside a link to it."""
    if not source.is_database:
        message = f"{source.name} is not a database."
        raise ReelError(message, hint="leave --format out, and reel looks for itself")
    if source.path is None:
        message = f"{source.name} is a database, which can only be read from a file."
        raise ReelError(message, hint="give the file's name")
    try:
        return source.path.resolve(strict=True)
    except (OSError, RuntimeError) as error:
        _refuse_copy(source.name, error)


def _beside(path: Path, ending: str) -> Path:
    return path.with_name(path.name + ending)


def _stamps(path: Path) -> object:
    return _stamp(path), _stamp(_beside(path, "-wal")), _head(_beside(path, "-wal"))


def _stamp(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size


def _head(path: Path) -> bytes:
    """Return the log's head, which changes when the log is started again."""
    try:
        with path.open("rb") as file:
            return file.read(32)
    except OSError:
        return b""


def _copy(path: Path, copy: Path, name: str) -> int:
    """Copy a database and its log as they are at one moment; how many bytes that was.

    A log that grows meanwhile does no harm: what has no end in it is not read. But when the file itself
    changed, or the log was begun anew, the two may not fit, and the copy is made again.
    """
    try:
        for attempt in range(_TRIES):
            before = _stamp(path), _head(_beside(path, "-wal")), _stamp(_beside(path, "-journal"))
            if before[0] and before[0][1] > LARGEST:
                message = f"{name} is larger than {LARGEST // 2**30} GB, too large to be copied."
                raise ReelError(message, hint="export the chats you want as JSON")
            # copy the journal first: it must hold what it can undo before the file changes
            size = sum(_copy_file(_beside(path, e), _beside(copy, e)) for e in ("-journal", "", "-wal"))
            if before == (_stamp(path), _head(_beside(path, "-wal")), _stamp(_beside(path, "-journal"))):
                return size
            time.sleep(_PAUSE * (attempt + 1))
    except OSError as error:
        _refuse_copy(name, error)
    message = f"{name} is being written to without a pause."
    raise ReelError(message, hint="close the program it belongs to, and try again")


def _copy_file(path: Path, copy: Path) -> int:
    """Copy one file; one that is not there leaves none."""
    copy.unlink(missing_ok=True)
    done = 0
    try:
        source = path.open("rb")
    except FileNotFoundError:
        return 0
    with source, copy.open("wb") as target:
        while chunk := source.read(_CHUNK):
            done += target.write(chunk)
            if done > 2 * LARGEST:
                break
    return done


def _refuse_copy(name: str, error: Exception) -> NoReturn:
    why = (error.strerror if isinstance(error, OSError) else None) or "it is not there"
    message = f"{name} cannot be read: {one_line(why, 80)}."
    raise ReelError(
        message, hint="check that the file is there, that you may read it, and that the disk has room"
    )


def _connect(copy: Path, name: str) -> sqlite3.Connection:
    try:
        return _harden(sqlite3.connect(copy, isolation_level=None, timeout=0))
    except sqlite3.Error as error:
        message = f"{name} cannot be read: {_fault(error)}."
        raise ReelError(message, hint="close the program it belongs to and copy the file again") from error


def _harden(connection: sqlite3.Connection) -> sqlite3.Connection:
    """Deny everything in the file the right to run: views, triggers, and functions in the schema."""
    try:
        for limit, value in _LIMITS:
            connection.setlimit(limit, value)
        for setting in ("trusted_schema = OFF", "cell_size_check = ON", "mmap_size = 0", "query_only = ON"):
            connection.execute(f"PRAGMA {setting}")
        connection.text_factory = lambda raw: raw.decode("utf-8", "replace")
        connection.set_authorizer(_authorize)
    except BaseException:
        connection.close()
        raise
    return connection


def _authorize(
    action: int, first: str | None, second: str | None, _database: str | None, inner: str | None
) -> int:
    """Allow reading columns of plain tables, and nothing else; `inner` is a view or a trigger."""
    allowed = inner is None and (
        action in {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ}
        or (action == sqlite3.SQLITE_FUNCTION and second in _FUNCTIONS)
        or (action == sqlite3.SQLITE_PRAGMA and first in _PRAGMAS)
    )
    return sqlite3.SQLITE_OK if allowed else sqlite3.SQLITE_DENY


def _cell(column: str) -> str:
    name = _quote(column)
    too_long = f"typeof({name}) = 'blob' AND length({name}) > {LARGEST_BLOB}"
    return f"CASE WHEN {too_long} THEN length({name}) ELSE {name} END"


def _quote(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _fault(error: Exception) -> str:
    """Return what is wrong, in plain words if possible, else in SQLite's own."""
    text = str(error)
    if "interrupted" in text:
        return "looking through it takes far too long"
    damaged = ("malformed", "not a database", "disk I/O", "orphan index", "invalid rootpage")
    if isinstance(error, UnicodeError) or any(words in text for words in damaged):
        return "the database is damaged, or not all of it is there"
    if "too big" in text:
        return "a value in it is too large to be part of a chat"
    return f"the database says “{one_line(text, 80)}”"
