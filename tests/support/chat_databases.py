"""Databases as chat programs make them: the tables in the programs' own shape, and how tests read them."""

import json
import sqlite3
from collections.abc import Iterable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from reel_cli.core.tape.formats.finish import finish
from reel_cli.core.tape.formats.registry import choose
from reel_cli.core.tape.formats.source import Source
from reel_cli.core.values.talk import Conversation

OLLAMA = """
CREATE TABLE settings (
  id INTEGER PRIMARY KEY CHECK (id = 1), device_id TEXT NOT NULL DEFAULT '',
  schema_version INTEGER NOT NULL DEFAULT 18
);
INSERT OR IGNORE INTO settings (id) VALUES (1);
CREATE TABLE chats (
  id TEXT PRIMARY KEY, title TEXT NOT NULL DEFAULT '',
  created_at TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP, browser_state TEXT
);
CREATE TABLE messages (
  id INTEGER PRIMARY KEY AUTOINCREMENT, chat_id TEXT NOT NULL, role TEXT NOT NULL,
  content TEXT NOT NULL DEFAULT '', thinking TEXT NOT NULL DEFAULT '', stream BOOLEAN NOT NULL DEFAULT 0,
  model_name TEXT, model_cloud BOOLEAN, model_ollama_host BOOLEAN,
  created_at TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP,
  thinking_time_start TIMESTAMP, thinking_time_end TIMESTAMP, tool_result TEXT,
  FOREIGN KEY (chat_id) REFERENCES chats(id) ON DELETE CASCADE
);
CREATE INDEX idx_messages_chat_id ON messages(chat_id);
CREATE TABLE tool_calls (
  id INTEGER PRIMARY KEY AUTOINCREMENT, message_id INTEGER NOT NULL, type TEXT NOT NULL,
  function_name TEXT NOT NULL, function_arguments TEXT NOT NULL, function_result TEXT,
  FOREIGN KEY (message_id) REFERENCES messages(id) ON DELETE CASCADE
);
CREATE INDEX idx_tool_calls_message_id ON tool_calls(message_id);
CREATE TABLE attachments (
  id INTEGER PRIMARY KEY AUTOINCREMENT, message_id INTEGER NOT NULL, filename TEXT NOT NULL,
  data BLOB NOT NULL, FOREIGN KEY (message_id) REFERENCES messages(id) ON DELETE CASCADE
);
CREATE INDEX idx_attachments_message_id ON attachments(message_id);
CREATE TABLE users (name TEXT NOT NULL DEFAULT '', email TEXT NOT NULL DEFAULT '');
"""

OPEN_WEBUI = """
CREATE TABLE user (id VARCHAR NOT NULL PRIMARY KEY, name VARCHAR, email VARCHAR, role VARCHAR);
CREATE TABLE chat (
  id VARCHAR NOT NULL PRIMARY KEY, user_id VARCHAR, title TEXT, chat JSON, created_at BIGINT,
  updated_at BIGINT, share_id TEXT UNIQUE, archived BOOLEAN, pinned BOOLEAN, meta JSON DEFAULT '{}',
  variables JSON, folder_id TEXT,
  tasks JSON, summary TEXT, current_message_id TEXT, last_read_at BIGINT, timer_at BIGINT
);
CREATE TABLE chat_message (
  id TEXT NOT NULL PRIMARY KEY, chat_id TEXT NOT NULL, user_id TEXT, role TEXT NOT NULL, parent_id TEXT,
  content JSON, output JSON, model_id TEXT, files JSON, sources JSON, embeds JSON, meta JSON, done BOOLEAN,
  status_history JSON, error JSON, usage JSON, context_summary TEXT, created_at BIGINT, updated_at BIGINT,
  FOREIGN KEY(chat_id) REFERENCES chat (id) ON DELETE CASCADE
);
CREATE INDEX chat_message_chat_parent_idx ON chat_message (chat_id, parent_id);
CREATE TABLE file (
  id TEXT NOT NULL PRIMARY KEY, user_id TEXT, hash TEXT, filename TEXT, path TEXT, data JSON, meta JSON,
  created_at BIGINT, updated_at BIGINT
);
"""

LLM_LEGACY = """
CREATE TABLE "conversations" ("id" TEXT PRIMARY KEY, "name" TEXT, "model" TEXT);
CREATE TABLE "attachments" ("id" TEXT PRIMARY KEY, "type" TEXT, "path" TEXT, "url" TEXT, "content" BLOB);
CREATE TABLE "prompt_attachments" (
  "response_id" TEXT REFERENCES "responses"("id"), "attachment_id" TEXT REFERENCES "attachments"("id"),
  "order" INTEGER, PRIMARY KEY ("response_id", "attachment_id")
);
CREATE TABLE "responses" (
  "id" TEXT PRIMARY KEY, "model" TEXT, "prompt" TEXT, "system" TEXT, "prompt_json" TEXT, "options_json" TEXT,
  "response" TEXT, "response_json" TEXT, "conversation_id" TEXT REFERENCES "conversations"("id"),
  "duration_ms" INTEGER, "datetime_utc" TEXT, "input_tokens" INTEGER, "output_tokens" INTEGER,
  "token_details" TEXT, "schema_id" TEXT, "resolved_model" TEXT, "reasoning" TEXT
);
CREATE VIRTUAL TABLE "responses_fts" USING FTS5 ("prompt", "response", content="responses");
CREATE TRIGGER "responses_ai" AFTER INSERT ON "responses" BEGIN
  INSERT INTO "responses_fts" (rowid, "prompt", "response") VALUES (new.rowid, new."prompt", new."response");
END;
CREATE TABLE "fragments" (
  "id" INTEGER PRIMARY KEY, "hash" TEXT, "content" TEXT, "datetime_utc" TEXT, "source" TEXT
);
CREATE TABLE "prompt_fragments" (
  "response_id" TEXT REFERENCES "responses"("id"), "fragment_id" INTEGER REFERENCES "fragments"("id"),
  "order" INTEGER, PRIMARY KEY ("response_id", "fragment_id", "order")
);
CREATE TABLE "system_fragments" (
  "response_id" TEXT REFERENCES "responses"("id"), "fragment_id" INTEGER REFERENCES "fragments"("id"),
  "order" INTEGER, PRIMARY KEY ("response_id", "fragment_id", "order")
);
CREATE TABLE "tool_calls" (
  "id" INTEGER PRIMARY KEY, "response_id" TEXT, "tool_id" INTEGER, "name" TEXT, "arguments" TEXT,
  "tool_call_id" TEXT
);
CREATE TABLE "tool_results" (
  "id" INTEGER PRIMARY KEY, "response_id" TEXT, "tool_id" INTEGER, "name" TEXT, "output" TEXT,
  "tool_call_id" TEXT, "instance_id" INTEGER, "exception" TEXT
);
"""

LLM_THREADS = """
CREATE TABLE "messages" (
  "hash" TEXT PRIMARY KEY, "parent_hash" TEXT REFERENCES "messages"("hash"), "role" TEXT,
  "provider_metadata" TEXT
);
CREATE INDEX "idx_messages_parent_hash" ON "messages" ("parent_hash");
CREATE TABLE "parts" (
  "id" INTEGER PRIMARY KEY, "message_hash" TEXT REFERENCES "messages"("hash"), "position" INTEGER,
  "type" TEXT, "tool_name" TEXT, "text" TEXT, "payload" TEXT
);
CREATE UNIQUE INDEX "idx_parts_message_hash_position" ON "parts" ("message_hash", "position");
CREATE TABLE "threads" (
  "id" TEXT PRIMARY KEY, "name" TEXT, "tip_message_hash" TEXT, "forked_from" TEXT, "datetime_utc" TEXT
);
CREATE TABLE "turns" (
  "id" TEXT PRIMARY KEY, "thread_id" TEXT, "parent_message_hash" TEXT, "tip_message_hash" TEXT, "model" TEXT,
  "resolved_model" TEXT, "options_json" TEXT, "schema_id" TEXT, "input_tokens" INTEGER,
  "output_tokens" INTEGER, "token_details" TEXT, "duration_ms" INTEGER, "datetime_utc" TEXT,
  "response_json" TEXT
);
CREATE VIEW "message_tree" AS WITH RECURSIVE t(h) AS (
  SELECT hash FROM messages WHERE parent_hash IS NULL
  UNION ALL SELECT m.hash FROM messages m JOIN t ON m.parent_hash = t.h
) SELECT * FROM t;
"""


def make(path: Path, schema: str, rows: Mapping[str, Iterable[Mapping[str, Any]]] | None = None) -> Path:
    """A database with a program's tables, and rows in them; dicts and lists become JSON."""
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(schema)
        add(connection, rows or {})
        connection.commit()
    return path


def add(connection: sqlite3.Connection, rows: Mapping[str, Iterable[Mapping[str, Any]]]) -> None:
    """Insert rows, without committing them."""
    for table, lines in rows.items():
        for line in lines:
            cells = {k: json.dumps(v) if isinstance(v, dict | list) else v for k, v in line.items()}
            names = ", ".join(f'"{name}"' for name in cells)
            marks = ", ".join("?" * len(cells))
            connection.execute(f'INSERT INTO "{table}" ({names}) VALUES ({marks})', tuple(cells.values()))  # noqa: S608


def source_of(path: Path, **more: Any) -> Source:
    """The file as a source: its first bytes, and where it is."""
    return Source(path.read_bytes()[:4096], str(path), path=path, **more)


def read_file(path: Path, format: str = "auto", **more: Any) -> list[Conversation]:  # noqa: A002
    """Every conversation in the file, as the registry reads it."""
    source = source_of(path, **more)
    reader = choose(source, format)
    return [finish(conversation, source) for conversation in list(reader.read(source))]
