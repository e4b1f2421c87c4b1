from pathlib import Path
from typing import Any

import pytest

from reel_cli.core.values.talk import Conversation, Kind, Message
from tests.support.chat_databases import OLLAMA, make, read_file
from tests.support.chat_fixtures import brief


def said(chat: str, role: str, content: Any, **more: Any) -> dict[str, Any]:
    return {
        "chat_id": chat,
        "role": role,
        "content": content,
        "created_at": "2025-07-30 13:15:41.5-07:00",
        **more,
    }


def test_a_chat_with_thinking_tools_and_files_is_read(tmp_path: Path) -> None:
    rows = {
        "chats": [{"id": "0198-a", "title": "Weather", "created_at": "2025-07-30 20:15:40"}],
        "messages": [
            said("0198-a", "user", "what day?"),
            said("0198-a", "assistant", "", thinking="I should look.", model_name="qwen3:8b"),
            said("0198-a", "tool", "Tuesday", tool_result='{"day": "Tuesday"}'),
            said("0198-a", "assistant", "It is Tuesday.", model_name="qwen3:8b"),
        ],
        "tool_calls": [
            {"message_id": 2, "type": "function", "function_name": "clock", "function_arguments": "{}"},
        ],
        "attachments": [
            {"message_id": 1, "filename": "notes.md", "data": b"all of it\n" * 5000},
            {"message_id": 1, "filename": "a.png", "data": b"\x89PNG\r\n\x1a\n\x00\xff"},
            {"message_id": 1, "filename": "b.bin", "data": b"\x00\x00"},
        ],
    }
    at = "2025-07-30T13:15:41.500-07:00"
    [conversation] = read_file(make(tmp_path / "db.sqlite", OLLAMA, rows))
    assert conversation == Conversation(
        format="ollama",
        key="ollama:0198-a",
        title="Weather",
        started="2025-07-30T20:15:40+00:00",
        model="qwen3:8b",
        messages=(
            Message("user", "what day?", time=at),
            Message("user", "[file: notes.md]\n\n" + "all of it\n" * 5000, Kind.ATTACHMENT, time=at),
            Message("user", "[file: a.png]", Kind.ATTACHMENT, time=at),
            Message("user", "[file: b.bin]", Kind.ATTACHMENT, time=at),
            Message("assistant", "I should look.", Kind.REASONING, time=at, model="qwen3:8b"),
            Message("tool", '{"name": "clock", "arguments": "{}"}', Kind.TOOL, time=at),
            Message("tool", "Tuesday", Kind.TOOL, time=at),
            Message("tool", '{"day": "Tuesday"}', Kind.TOOL, time=at),
            Message("assistant", "It is Tuesday.", time=at, model="qwen3:8b"),
        ),
    )


def test_every_chat_is_one_and_messages_without_a_chat_are_found(tmp_path: Path) -> None:
    rows = {
        "chats": [{"id": "b", "title": ""}, {"id": "a"}, {"id": "empty"}],
        "messages": [
            said("a", "user", "1"),
            said("b", "user", "2"),
            said("a", "user", "3"),
            said("gone", "user", "4"),
        ],
    }
    found = read_file(make(tmp_path / "db.sqlite", OLLAMA, rows))
    assert [(c.key, c.title, [m.text for m in c.messages]) for c in found] == [
        ("ollama:b", None, ["2"]),
        ("ollama:a", None, ["1", "3"]),
        ("ollama:empty", None, []),
        ("ollama:gone", None, ["4"]),
    ]


def test_an_early_schema_without_later_tables_is_read(tmp_path: Path) -> None:
    schema = """
    CREATE TABLE chats (id TEXT PRIMARY KEY, title TEXT);
    CREATE TABLE messages (id INTEGER PRIMARY KEY, chat_id TEXT, role TEXT, content TEXT);
    """
    rows = {"chats": [{"id": "a"}], "messages": [{"chat_id": "a", "role": "user", "content": "hi"}]}
    [conversation] = read_file(make(tmp_path / "db.sqlite", schema, rows))
    assert brief(conversation) == [("said", "user", "hi")]


@pytest.mark.parametrize("bad", [None, 5, 1.5, b"\xff", b"bytes", "", "x"])
def test_cells_of_any_type_lead_to_notes(tmp_path: Path, bad: Any) -> None:
    schema = """
    CREATE TABLE chats (id, title, created_at);
    CREATE TABLE messages (id, chat_id, role, content, thinking, model_name, created_at, tool_result);
    CREATE TABLE tool_calls (message_id, function_name, function_arguments, function_result);
    CREATE TABLE attachments (message_id, filename, data);
    """
    rows = {
        "chats": [{"id": "a"}, dict.fromkeys(("id", "title", "created_at"), bad)],
        "messages": [
            {"id": 1, "chat_id": "a", "role": "user", "content": "said"},
            dict.fromkeys(
                ("id", "role", "content", "thinking", "model_name", "created_at", "tool_result"), bad
            )
            | {"chat_id": "a"},
            {"chat_id": bad, "role": "user", "content": bad},
        ],
        "tool_calls": [
            dict.fromkeys(("message_id", "function_name", "function_arguments", "function_result"), bad)
        ],
        "attachments": [dict.fromkeys(("message_id", "filename", "data"), bad)],
    }
    found = read_file(make(tmp_path / "db.sqlite", schema, rows))
    assert "said" in [m.text for m in found[0].messages]
