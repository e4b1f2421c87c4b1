"""The databases that chat programs keep, small: their tables, and a chat in them."""

import sqlite3
from collections.abc import Sequence
from contextlib import closing

Sample = tuple[str, bytes]
"""A file's name and what is in it."""


def database(name: str, script: str, *rows: tuple[str, Sequence[object]]) -> Sample:
    """A database of this name, made by the script, with the rows."""
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(script)
        for sql, values in rows:
            connection.execute(sql, values)
        connection.commit()
        return name, connection.serialize()


def open_webui_database(chat: str) -> Sample:
    """Open WebUI's, with one chat given as JSON."""
    return database(
        "webui.db",
        "CREATE TABLE chat (id TEXT, user_id TEXT, title TEXT, chat TEXT, created_at INT, updated_at INT)",
        (
            "INSERT INTO chat VALUES (?, ?, ?, ?, ?, ?)",
            ("c1", "u1", "A chat", chat, 1_700_000_000, 1_700_000_000),
        ),
    )


def ollama_database() -> Sample:
    """The one of Ollama's app."""
    script = """
        CREATE TABLE chats (id TEXT, title TEXT, created_at TEXT);
        CREATE TABLE messages (id INT, chat_id TEXT, role TEXT, content TEXT, thinking TEXT, model_name TEXT,
            created_at TEXT, tool_result TEXT);
        CREATE TABLE tool_calls (message_id INT, function_name TEXT, function_arguments TEXT,
            function_result TEXT);
        CREATE TABLE attachments (message_id INT, filename TEXT, data BLOB);
    """
    insert = "INSERT INTO messages VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
    return database(
        "db.sqlite",
        script,
        ("INSERT INTO chats VALUES (?, ?, ?)", ("c1", "A chat", "2025-05-01 10:00:00")),
        (insert, (1, "c1", "user", "hi", None, None, "2025-05-01 10:00:00", None)),
        (insert, (2, "c1", "assistant", "hello", "hm", "qwen", "2025-05-01T10:00:01Z", "{}")),
        ("INSERT INTO tool_calls VALUES (?, ?, ?, ?)", (2, "f", "{}", "x")),
        ("INSERT INTO attachments VALUES (?, ?, ?)", (1, "a.txt", b"the lamp")),
    )


def llm_databases() -> list[Sample]:
    """The log of `llm`, as it was and with threads."""
    legacy = database(
        "logs.db",
        """
        CREATE TABLE conversations (id TEXT, name TEXT, model TEXT);
        CREATE TABLE responses (id TEXT, model TEXT, prompt TEXT, system TEXT, response TEXT,
            conversation_id TEXT, datetime_utc TEXT);
        """,
        ("INSERT INTO conversations VALUES (?, ?, ?)", ("c1", "A chat", "qwen")),
        (
            "INSERT INTO responses VALUES (?, ?, ?, ?, ?, ?, ?)",
            ("r1", "qwen", "hi", "Be.", "hello", "c1", "2025-05-01T10:00:00.000000+00:00"),
        ),
    )
    threads = database(
        "logs.db",
        """
        CREATE TABLE threads (id TEXT, name TEXT, model TEXT, tip_message_hash TEXT);
        CREATE TABLE turns (id TEXT, thread_id TEXT, parent_message_hash TEXT, tip_message_hash TEXT,
            model TEXT, datetime_utc TEXT);
        CREATE TABLE messages (hash TEXT, parent_hash TEXT, role TEXT);
        CREATE TABLE parts (message_hash TEXT, position INT, type TEXT, tool_name TEXT, text TEXT,
            payload TEXT);
        """,
        ("INSERT INTO threads VALUES (?, ?, ?, ?)", ("t1", "A chat", "qwen", "h2")),
        (
            "INSERT INTO turns VALUES (?, ?, ?, ?, ?, ?)",
            ("n1", "t1", "h1", "h2", "qwen", "2025-05-01T10:00:00"),
        ),
        ("INSERT INTO messages VALUES (?, ?, ?)", ("h1", None, "user")),
        ("INSERT INTO messages VALUES (?, ?, ?)", ("h2", "h1", "assistant")),
        ("INSERT INTO parts VALUES (?, ?, ?, ?, ?, ?)", ("h1", 0, "text", None, "hi", "{}")),
        ("INSERT INTO parts VALUES (?, ?, ?, ?, ?, ?)", ("h2", 0, "text", None, "hello", "{}")),
    )
    return [legacy, threads]
