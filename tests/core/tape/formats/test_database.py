import sqlite3
import subprocess
import sys
import tempfile
import threading
from contextlib import closing
from pathlib import Path

import pytest

from reel_cli.core.errors import ReelError
from reel_cli.core.tape.formats import database as module
from reel_cli.core.tape.formats.database import Database, open_database, plain, tables_of, utc
from tests.support.chat_databases import OLLAMA, make, read_file, source_of
from tests.support.chat_fixtures import brief

CHAT = {
    "chats": [{"id": "c1", "title": "t"}],
    "messages": [{"chat_id": "c1", "role": "user", "content": "hi"}],
}

BROKEN = "broken.db cannot be read: the database is damaged, or not all of it is there."


def refusal(path: Path, format: str = "auto") -> ReelError:  # noqa: A002
    with pytest.raises(ReelError) as error:
        read_file(path, format)
    assert error.value.message.isprintable()
    return error.value


def state(folder: Path) -> dict[str, tuple[int, bytes]]:
    return {p.name: (p.stat().st_mtime_ns, p.read_bytes()) for p in sorted(folder.iterdir())}


@pytest.mark.parametrize(
    "name", ["a b.db", "a?mode=rw.db", "a#b.db", "100%25.db", "ä'\".db", "a&immutable=1"]
)
def test_a_file_of_any_name_is_read(tmp_path: Path, name: str) -> None:
    path = make(tmp_path / "x.db", OLLAMA, CHAT).rename(tmp_path / name)
    before = state(tmp_path)
    assert [brief(c) for c in read_file(path)] == [[("said", "user", "hi")]]
    assert state(tmp_path) == before


WRITER = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("PRAGMA journal_mode = " + sys.argv[2])
connection.execute("PRAGMA wal_autocheckpoint = 0")
connection.execute("INSERT INTO messages (chat_id, role, content) VALUES ('c1', 'assistant', 'in the log')")
connection.execute("PRAGMA cache_size = 1")
connection.execute("PRAGMA cache_spill = 1")
connection.execute("BEGIN IMMEDIATE")
for number in range(50):
    connection.execute("INSERT INTO messages (chat_id, role, content) VALUES ('c1', 'user', ?)", ["x" * 9999])
connection.execute("UPDATE messages SET content = 'half done'")
print("ready", flush=True)
sys.stdin.readline()
connection.execute("ROLLBACK")
connection.execute("INSERT INTO messages (chat_id, role, content) VALUES ('c1', 'user', 'later')")
print("done", flush=True)
sys.stdin.readline()
"""


@pytest.mark.parametrize("mode", ["WAL", "DELETE", "TRUNCATE", "PERSIST"])
def test_a_database_in_the_middle_of_a_transaction_is_read_as_it_was_before_and_not_disturbed(
    tmp_path: Path, mode: str
) -> None:
    path = make(tmp_path / "db.sqlite", OLLAMA, CHAT)
    command = [sys.executable, "-c", WRITER, str(path), mode]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdin is not None
        assert writer.stdout is not None
        assert writer.stdout.readline() == "ready\n"
        before = state(tmp_path)
        [conversation] = read_file(path)
        assert brief(conversation) == [("said", "user", "hi"), ("said", "assistant", "in the log")]
        assert state(tmp_path) == before
        writer.stdin.write("\n")
        writer.stdin.flush()
        assert writer.stdout.readline() == "done\n"
        assert [m.text for m in read_file(path)[0].messages] == ["hi", "in the log", "later"]
        writer.stdin.write("\n")


def test_tables_that_stand_in_the_log_alone_are_seen(tmp_path: Path) -> None:
    path = tmp_path / "db.sqlite"
    with closing(sqlite3.connect(path, isolation_level=None)) as writer:
        writer.execute("PRAGMA journal_mode = WAL")
        writer.execute("PRAGMA wal_autocheckpoint = 0")
        writer.executescript(OLLAMA)
        assert "messages" in tables_of(source_of(path))
        # the file's own size stands still while its log grows: what was seen before does not count
        writer.execute("CREATE TABLE another (x)")
        assert "another" in tables_of(source_of(path))


def test_a_link_is_followed_to_where_the_log_is(tmp_path: Path) -> None:
    (tmp_path / "app").mkdir()
    path = tmp_path / "app" / "db.sqlite"
    with closing(sqlite3.connect(path, isolation_level=None)) as writer:
        writer.execute("PRAGMA journal_mode = WAL")
        writer.executescript(OLLAMA)
        writer.execute("INSERT INTO chats (id) VALUES ('c1')")
        writer.execute("INSERT INTO messages (chat_id, role, content) VALUES ('c1', 'user', 'in the log')")
        link = tmp_path / "link.db"
        link.symlink_to(path)
        assert [brief(c) for c in read_file(link)] == [[("said", "user", "in the log")]]


def test_nothing_is_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(scratch))
    path = make(tmp_path / "db.sqlite", OLLAMA, CHAT)
    with open_database(source_of(path)) as database:
        assert len(list(scratch.iterdir())) == 1
        assert [row["id"] for row in database.rows("chats", ("id",))] == ["c1"]
    assert list(scratch.iterdir()) == []
    path.write_bytes(path.read_bytes()[:5000])
    refusal(path)
    assert list(scratch.iterdir()) == []


def test_a_copy_that_was_overtaken_by_a_writer_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = make(tmp_path / "db.sqlite", OLLAMA, CHAT)
    copied: list[Path] = []
    really = module._copy_file

    def overtaken(source: Path, copy: Path) -> int:
        size = really(source, copy)
        if source == path:
            copied.append(copy)
            if len(copied) == 1:
                with closing(sqlite3.connect(path)) as writer:
                    writer.execute(
                        "INSERT INTO messages (chat_id, role, content) VALUES ('c1', 'user', 'more')"
                    )
                    writer.commit()
        return size

    monkeypatch.setattr(module, "_copy_file", overtaken)
    [conversation] = read_file(path, "ollama")
    assert [m.text for m in conversation.messages] == ["hi", "more"]
    assert len(copied) == 2


def test_a_file_that_never_stands_still_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = make(tmp_path / "db.sqlite", OLLAMA, CHAT)
    really = module._copy_file

    def overtaken(source: Path, copy: Path) -> int:
        size = really(source, copy)
        with path.open("ab") as file:
            file.write(b"\0")
        return size

    monkeypatch.setattr(module, "_copy_file", overtaken)
    monkeypatch.setattr(module, "_PAUSE", 0)
    assert refusal(path, "ollama").message == "db.sqlite is being written to without a pause."


def test_a_truncated_or_damaged_file_is_refused_in_words(tmp_path: Path) -> None:
    rows = [{"chat_id": "c1", "role": "user", "content": "x" * 3000} for _ in range(40)]
    data = make(tmp_path / "db.sqlite", OLLAMA, {"chats": [{"id": "c1"}], "messages": rows}).read_bytes()
    path = tmp_path / "broken.db"
    path.write_bytes(data[: len(data) // 2])
    assert refusal(path).message == BROKEN
    path.write_bytes(data[:20])
    assert refusal(path).message == BROKEN
    path.write_bytes(data[:100] + b"\xff" * (len(data) - 100))
    assert refusal(path).message == BROKEN


def test_every_cut_and_many_flipped_bytes_end_in_words(tmp_path: Path) -> None:
    data = make(tmp_path / "db.sqlite", OLLAMA, CHAT).read_bytes()
    path = tmp_path / "broken.db"
    for at in range(16, len(data), 997):
        for broken in (data[:at], data[:at] + bytes([data[at] ^ 0xFF]) + data[at + 1 :]):
            path.write_bytes(broken)
            try:
                read_file(path)
            except ReelError as error:
                assert error.message.isprintable()  # noqa: PT017


def test_a_foreign_database_is_named_by_its_tables(tmp_path: Path) -> None:
    path = make(tmp_path / "places.sqlite", 'CREATE TABLE moz_places (url); CREATE TABLE "a\x1b[2J" (x)')
    error = refusal(path)
    seen = "its tables are a [2J, moz_places."
    assert error.message == f"places.sqlite is a database, but of no chat program that reel knows: {seen}"
    assert error.hint == "reel reads the databases of Open WebUI, Ollama, llm, Cursor, OpenCode and oterm"
    empty = tmp_path / "empty.db"
    with closing(sqlite3.connect(empty)) as connection:
        connection.execute("PRAGMA user_version = 1")
    assert refusal(empty).message.endswith("it has no tables.")
    for name in ("ollama", "llm", "openwebui"):
        assert "moz_places" in refusal(path, name).message


@pytest.mark.parametrize("name", ["ollama", "llm"])
def test_a_format_of_databases_refuses_what_is_none(tmp_path: Path, name: str) -> None:
    path = tmp_path / "chat.txt"
    path.write_text("You: hi\nAda: hello", encoding="utf-8")
    assert refusal(path, name).message == "chat.txt is not a database."


def test_a_file_that_is_gone_or_closed_to_us_is_refused_in_words(tmp_path: Path) -> None:
    path = make(tmp_path / "db.sqlite", OLLAMA, CHAT)
    source = source_of(path)
    path.unlink()
    with pytest.raises(ReelError, match="No such file") as error, open_database(source):
        pass
    assert error.value.message == "db.sqlite cannot be read: No such file or directory."


HOSTILE = """
CREATE TABLE chats (id TEXT, title TEXT, created_at TEXT GENERATED ALWAYS AS (hex(zeroblob(9999))) VIRTUAL);
CREATE TABLE real (chat_id, role, content);
CREATE VIEW messages AS WITH RECURSIVE t(chat_id, role, content, n) AS (
  SELECT 'c1', 'user', 'x', 1 UNION ALL SELECT chat_id, role, content, n + 1 FROM t
) SELECT * FROM t;
INSERT INTO chats (id) VALUES ('c1');
"""


def test_views_are_not_read_and_what_is_computed_is_not_looked_at(tmp_path: Path) -> None:
    path = make(tmp_path / "trap.db", HOSTILE)
    assert refusal(path).message.endswith("its tables are chats, real.")
    with open_database(source_of(path)) as database:
        assert database.tables["chats"] == {"id", "title"}
        assert list(database.rows("messages", ("chat_id",))) == []
        assert [row["created_at"] for row in database.rows("chats", ("id", "created_at"))] == [None]


@pytest.mark.parametrize(
    "sql",
    [
        "DELETE FROM real",
        "CREATE TABLE more (x)",
        "ATTACH DATABASE '/tmp/other.db' AS other",
        "PRAGMA query_only = OFF",
        "PRAGMA writable_schema = ON",
        "SELECT load_extension('/tmp/x.so')",
        "SELECT * FROM messages",
        "SELECT randomblob(1000)",
        "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SELECT * FROM t",
        "VACUUM INTO '/tmp/copied.db'",
    ],
)
def test_nothing_but_reading_plain_tables_is_allowed(tmp_path: Path, sql: str) -> None:
    path = make(tmp_path / "trap.db", HOSTILE)
    with (
        open_database(source_of(path)) as database,
        pytest.raises(ReelError, match=r"not authorized|prohibited|denied"),
    ):
        list(database._run(sql))


def test_a_statement_that_takes_too_long_is_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = {"real": [{"chat_id": n} for n in range(2000)]}
    path = make(tmp_path / "slow.db", HOSTILE, rows)
    with open_database(source_of(path)) as database:
        monkeypatch.setattr(module, "LONGEST_WAIT", -1.0)
        monkeypatch.setattr(module, "_BATCH", 100_000)
        cross = "SELECT count(a.chat_id) FROM real a, real b, real c"
        with pytest.raises(ReelError, match="takes far too long"):
            list(
                database._run(
                    "SELECT a.chat_id FROM real a, real b WHERE length(a.chat_id) + length(b.chat_id) > 99"
                )
            )
        with pytest.raises(ReelError, match="not authorized"):
            list(database._run(cross))


def test_all_statements_together_have_only_so_much_time(tmp_path: Path) -> None:
    path = make(tmp_path / "slow.db", HOSTILE, {"real": [{"chat_id": n} for n in range(2000)]})
    with open_database(source_of(path)) as database:
        database._patience = -1.0
        with pytest.raises(ReelError, match="takes far too long"):
            list(
                database._run(
                    "SELECT a.chat_id FROM real a, real b WHERE length(a.chat_id) + length(b.chat_id) > 99"
                )
            )


def test_pages_that_point_at_each_other_do_not_make_an_endless_file(tmp_path: Path) -> None:
    schema = "PRAGMA page_size = 512; CREATE TABLE chats (id); CREATE TABLE messages (chat_id, role, content)"
    rows = {"messages": [{"chat_id": "c", "role": "user", "content": "x" * 400} for _ in range(2000)]}
    path = make(tmp_path / "loop.db", schema, rows)
    data = bytearray(path.read_bytes())
    interior = [at for at in range(512, len(data), 512) if data[at] == 5]
    assert len(interior) > 1
    for at in interior:
        # every child of every inner page is made the same inner page
        cells = int.from_bytes(data[at + 3 : at + 5])
        target = (interior[-1] // 512 + 1).to_bytes(4)
        for cell in range(cells):
            pointer = int.from_bytes(data[at + 12 + 2 * cell : at + 14 + 2 * cell])
            data[at + pointer : at + pointer + 4] = target
    path.write_bytes(bytes(data))
    found: list[str] = []
    worker = threading.Thread(target=lambda: found.append(refusal(path).message), daemon=True)
    worker.start()
    worker.join(60)
    assert found == ["loop.db cannot be read: the database is damaged, or not all of it is there."]


def test_more_rows_than_the_file_has_room_for_are_not_believed(tmp_path: Path) -> None:
    path = make(tmp_path / "db.sqlite", HOSTILE, {"real": [{"content": "x" * 100_000} for _ in range(30)]})
    with open_database(source_of(path)) as database:
        assert isinstance(database, Database)
        with pytest.raises(ReelError, match="holds more than its size allows"):
            list(database._run("SELECT a.content FROM real a, real b"))


def test_a_huge_blob_is_not_read_but_measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LARGEST_BLOB", 1000)
    path = make(
        tmp_path / "db.sqlite", "CREATE TABLE t (a, b)", {"t": [{"a": b"x" * 1001, "b": b"x" * 1000}]}
    )
    with open_database(source_of(path)) as database:
        assert list(database.rows("t", ("a", "b"))) == [{"a": 1001, "b": b"x" * 1000}]


def test_text_that_is_not_utf8_and_cells_of_any_type_come_through(tmp_path: Path) -> None:
    path = tmp_path / "db.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE t (a)")
        connection.execute(
            "INSERT INTO t VALUES (CAST(x'68ff69' AS TEXT)), (5), (1.5), (NULL), (x'6869'), (x'ff')"
        )
        connection.commit()
    with open_database(source_of(path)) as database:
        cells = [row["a"] for row in database.rows("t", ("a",))]
    assert cells == ["h\ufffdi", 5, 1.5, None, b"hi", b"\xff"]
    assert [plain(cell) for cell in cells] == ["h\ufffdi", "5", "1.5", None, "hi", None]


def test_rows_come_in_the_order_they_were_written_and_by_a_column(tmp_path: Path) -> None:
    schema = "CREATE TABLE t (id TEXT PRIMARY KEY, k) ; CREATE INDEX i ON t (k, id)"
    rows = {"t": [{"id": "b", "k": 2}, {"id": "a", "k": 1}, {"id": "c", "k": 2}]}
    path = make(tmp_path / "db.sqlite", schema, rows)
    with open_database(source_of(path)) as database:
        assert [row["id"] for row in database.rows("t", ("id", "k", "missing"))] == ["b", "a", "c"]
        assert sorted(str(row["id"]) for row in database.rows("t", ("id",), where=("k", 2))) == ["b", "c"]
        assert list(database.rows("t", ("id",), where=("missing", 2))) == []
        assert list(database.rows("nothing", ("id",))) == []


def test_a_time_without_a_zone_is_in_utc() -> None:
    assert utc("2025-06-05 14:33:10") == "2025-06-05 14:33:10+00:00"
    assert utc(b"2025-06-05T14:33:10.5") == "2025-06-05T14:33:10.5+00:00"
    for known in (
        "2025-06-05 14:33:10Z",
        "2025-06-05 14:33:10.123456789-07:00",
        1749134000,
        "nonsense",
        None,
    ):
        assert utc(known) == known
