from pathlib import Path
from typing import Any

import pytest

from reel_cli.core.values.talk import Kind
from tests.support.chat_databases import LLM_LEGACY, LLM_THREADS, make, read_file
from tests.support.chat_fixtures import brief

LLM = LLM_LEGACY + LLM_THREADS


def response(
    name: str, prompt: str, answer: str, conversation: str | None = "c1", **more: Any
) -> dict[str, Any]:
    at = {"datetime_utc": "2023-07-12T03:32:44.123456", "model": "m1"}
    return {"id": name, "prompt": prompt, "response": answer, "conversation_id": conversation, **at, **more}


def chain(*messages: tuple[str, str, str, str | None]) -> dict[str, list[dict[str, Any]]]:
    """Messages as (hash, role, text, parent's hash), each of one text part."""
    return {
        "messages": [{"hash": h, "role": role, "parent_hash": parent} for h, role, _, parent in messages],
        "parts": [
            {"message_hash": h, "position": 0, "type": "text", "text": text} for h, _, text, _ in messages
        ],
    }


def turn(
    name: str, parent: str, tip: str, thread: str = "t1", at: str = "2026-11-22T01:53:33+00:00"
) -> dict[str, Any]:
    return {
        "id": name, "thread_id": thread, "parent_message_hash": parent, "tip_message_hash": tip,
        "model": "m1", "datetime_utc": at,
    }  # fmt: skip


def test_the_conversations_of_earlier_versions_are_read(tmp_path: Path) -> None:
    rows: dict[str, Any] = {
        "conversations": [{"id": "c1", "name": "A talk", "model": "m1"}],
        "responses": [
            response("01b", "and now?", "still well", system="Be kind.", reasoning="hm"),
            response("01a", "how are you?", "well", system="Be kind."),
            response("01c", "alone", "yes", None, datetime_utc="2023-07-12T03:32:44+02:00"),
        ],
        "fragments": [{"id": 1, "content": "a long file"}, {"id": 2, "content": "Speak Finnish."}],
        "prompt_fragments": [{"response_id": "01b", "fragment_id": 1, "order": 0}],
        "system_fragments": [{"response_id": "01c", "fragment_id": 2, "order": 0}],
        "attachments": [
            {"id": "x", "type": "text/plain", "path": "/home/bo/n.txt", "content": b"what it says"},
            {"id": "y", "type": "image/png", "url": "https://example.com/a.png"},
        ],
        "prompt_attachments": [
            {"response_id": "01a", "attachment_id": "x", "order": 0},
            {"response_id": "01a", "attachment_id": "y", "order": 1},
        ],
        "tool_calls": [{"response_id": "01a", "name": "clock", "arguments": "{}"}],
        "tool_results": [{"response_id": "01b", "name": "clock", "output": "Tuesday"}],
    }
    first, alone = read_file(make(tmp_path / "logs.db", LLM_LEGACY, rows))
    assert (first.key, first.title, first.model, first.started) == (
        "llm:c1",
        "A talk",
        "m1",
        "2023-07-12T03:32:44.123+00:00",
    )
    assert brief(first) == [
        ("system", "system", "Be kind."),
        ("said", "user", "how are you?"),
        ("attachment", "user", "[text: /home/bo/n.txt]\n\nwhat it says"),
        ("attachment", "user", "[image: https://example.com/a.png]"),
        ("said", "assistant", "well"),
        ("tool", "tool", '{"name": "clock", "arguments": "{}"}'),
        ("tool", "tool", '{"name": "clock", "output": "Tuesday"}'),
        ("said", "user", "and now?"),
        ("attachment", "user", "a long file"),
        ("said", "assistant", "still well"),
        ("reasoning", "assistant", "hm"),
    ]
    assert (alone.key, brief(alone)[0]) == ("llm:01c", ("system", "system", "Speak Finnish."))
    assert alone.started == "2023-07-12T03:32:44+02:00"


def test_a_prompt_of_nothing_but_fragments_was_said_with_them(tmp_path: Path) -> None:
    rows = {
        "responses": [response("01a", "", "a summary")],
        "fragments": [{"id": 1, "content": "a long file"}],
        "prompt_fragments": [{"response_id": "01a", "fragment_id": 1, "order": 0}],
    }
    [conversation] = read_file(make(tmp_path / "logs.db", LLM_LEGACY, rows))
    assert brief(conversation) == [("said", "user", "a long file"), ("said", "assistant", "a summary")]


def test_threads_are_read_with_the_turns_that_were_left(tmp_path: Path) -> None:
    rows = chain(
        ("s", "system", "Be brief", None),
        ("u1", "user", "hello", "s"),
        ("a1", "assistant", "hi", "u1"),
        ("u2", "user", "left", "a1"),
        ("a2", "assistant", "left too", "u2"),
        ("u3", "user", "taken", "a1"),
        ("a3", "assistant", "", "u3"),
        ("x3", "tool", "", "a3"),
        ("b3", "assistant", "the end", "x3"),
    )
    rows["parts"][2]["position"] = 1
    rows["parts"] = [part for part in rows["parts"] if part["text"]] + [
        {"message_hash": "a1", "position": 0, "type": "reasoning", "text": "a greeting"},
        {
            "message_hash": "a3", "position": 0, "type": "tool_call", "tool_name": "clock",
            "payload": {"name": "clock", "arguments": {}},
        },
        {
            "message_hash": "x3", "position": 0, "type": "tool_result", "tool_name": "clock",
            "payload": {"name": "clock", "output": "Tuesday"},
        },
        {"message_hash": "u3", "position": 1, "type": "attachment", "payload": {"attachment": {"id": "x"}}},
        {"message_hash": "u3", "position": 2, "type": "video"},
    ]  # fmt: skip
    rows["attachments"] = [{"id": "x", "type": "text/csv", "content": b"1,2"}]
    rows["threads"] = [
        {
            "id": "t1",
            "name": "Greetings",
            "tip_message_hash": "b3",
            "datetime_utc": "2026-11-22 01:53:33.383104+00:00",
        },
        {"id": "t2", "name": "A fork", "tip_message_hash": "a1", "forked_from": "t1"},
        {"id": "t3", "name": "Nothing yet"},
    ]
    rows["turns"] = [
        turn("1", "u1", "a1"),
        turn("2", "u2", "a2", at="2026-11-22T02:00:00+00:00"),
        turn("3", "u3", "a3", at="2026-11-22T03:00:00+00:00"),
        turn("4", "x3", "b3", at="2026-11-22T03:00:01+00:00"),
    ]
    found = read_file(make(tmp_path / "logs.db", LLM, rows))
    assert [(c.key, c.title, c.model) for c in found] == [
        ("llm:t1", "Greetings", "m1"),
        ("llm:t2", "A fork", None),
    ]
    assert [(m.kind.value, m.text, m.road) for m in found[0].messages] == [
        ("system", "Be brief", None),
        ("said", "hello", None),
        ("said", "hi", None),
        ("reasoning", "a greeting", None),
        ("said", "taken", None),
        ("attachment", "[text]\n\n1,2", None),
        ("version", "left", 1),
        ("version", "left too", 1),
        ("said", "the end", None),
        ("tool", '{"type": "tool_call", "name": "clock", "arguments": {}}', None),
        ("tool", '{"type": "tool_result", "name": "clock", "output": "Tuesday"}', None),
    ]
    times = {m.text: m.time for m in found[0].messages if m.kind is Kind.SAID}
    assert times == {
        "hello": "2026-11-22T01:53:33+00:00",
        "hi": "2026-11-22T01:53:33+00:00",
        "taken": "2026-11-22T03:00:00+00:00",
        "the end": "2026-11-22T03:00:01+00:00",
    }
    assert "a part of an unknown kind was left out (“video”)" in found[0].problems


def test_fragments_in_a_prompt_stand_beside_what_was_typed(tmp_path: Path) -> None:
    rows = chain(("u1", "user", "", None), ("a1", "assistant", "read", "u1"))
    rows["parts"][0] = {
        "message_hash": "u1", "position": 0, "type": "text",
        "payload": {"text_ref": [{"fragment": 1}, {"literal": "\nwhat is it?"}, {"fragment": 9}, {"x": 1}]},
    }  # fmt: skip
    rows["fragments"] = [{"id": 1, "content": "a long file"}]
    rows["threads"] = [{"id": "t1", "tip_message_hash": "a1"}]
    [conversation] = read_file(make(tmp_path / "logs.db", LLM, rows))
    assert brief(conversation) == [
        ("said", "user", "what is it?"),
        ("attachment", "user", "a long file"),
        ("said", "assistant", "read"),
    ]


def test_a_conversation_from_before_and_after_the_upgrade_is_one_with_the_times_of_both(
    tmp_path: Path,
) -> None:
    rows = chain(
        ("u1", "user", "hello", None),
        ("a1", "assistant", "hi", "u1"),
        ("u2", "user", "more", "a1"),
        ("a2", "assistant", "yes", "u2"),
    )
    rows["threads"] = [{"id": "c1", "name": "n", "tip_message_hash": "a2"}]
    rows["turns"] = [turn("9", "u2", "a2", "c1")]
    rows["conversations"] = [
        {"id": "c1", "name": "n", "model": "m0"},
        {"id": "c2", "name": "old", "model": "m0"},
    ]
    rows["responses"] = [response("1", "hello", "hi"), response("2", "other", "ok", "c2")]
    found = read_file(make(tmp_path / "logs.db", LLM, rows))
    assert [c.key for c in found] == ["llm:c1", "llm:c2"]
    assert [(m.text, (m.time or "")[:4]) for m in found[0].messages] == [
        ("hello", "2023"),
        ("hi", "2023"),
        ("more", "2026"),
        ("yes", "2026"),
    ]


def test_other_instructions_later_do_not_make_a_road_of_the_same_words(tmp_path: Path) -> None:
    rows = chain(
        ("s", "system", "one", None),
        ("u1", "user", "hello", "s"),
        ("a1", "assistant", "hi", "u1"),
        ("S", "system", "two", None),
        ("U1", "user", "hello", "S"),
        ("A1", "assistant", "hi", "U1"),
        ("U2", "user", "more", "A1"),
        ("A2", "assistant", "yes", "U2"),
    )
    rows["threads"] = [{"id": "t1", "tip_message_hash": "A2"}]
    rows["turns"] = [turn("1", "u1", "a1"), turn("2", "U2", "A2")]
    [conversation] = read_file(make(tmp_path / "logs.db", LLM, rows))
    assert [m.text for m in conversation.messages] == ["two", "hello", "hi", "more", "yes"]


def test_the_one_table_of_the_first_versions_is_read(tmp_path: Path) -> None:
    schema = """
    CREATE TABLE logs (id INTEGER PRIMARY KEY, model TEXT, prompt TEXT, system TEXT, prompt_json TEXT,
      options_json TEXT, response TEXT, response_json TEXT, reply_to_id INTEGER, chat_id INTEGER,
      duration_ms INTEGER, datetime_utc TEXT);
    """
    logs = [
        {"id": 1, "prompt": "a", "response": "b", "model": "m", "datetime_utc": "2023-07-01 10:00:00"},
        {"id": 2, "prompt": "other", "response": "x"},
        {"id": 3, "prompt": "c", "response": "d", "chat_id": 1},
    ]
    found = read_file(make(tmp_path / "log.db", schema, {"logs": logs}))
    assert [(c.key, [m.text for m in c.messages]) for c in found] == [
        ("llm:log-1", ["a", "b", "c", "d"]),
        ("llm:log-2", ["other", "x"]),
    ]
    assert found[0].started == "2023-07-01T10:00:00+00:00"


def test_circles_and_lost_messages_end(tmp_path: Path) -> None:
    rows = chain(
        ("u1", "user", "one", "a1"), ("a1", "assistant", "two", "u1"), ("u9", "user", "three", "gone")
    )
    rows["threads"] = [
        {"id": "t1", "tip_message_hash": "a1"},
        {"id": "t2", "tip_message_hash": "u9"},
        {"id": "t3", "tip_message_hash": "nowhere"},
    ]
    found = read_file(make(tmp_path / "logs.db", LLM, rows))
    assert [[m.text for m in c.messages] for c in found] == [["one", "two"], ["three"]]
    assert any("a thread whose messages are gone was left out (t3)" in c.problems for c in found)


@pytest.mark.parametrize("bad", [None, 5, 1.5, b"\xff", b"bytes", "", "[1]", "{" * 10_000])
def test_cells_of_any_type_lead_to_notes(tmp_path: Path, bad: Any) -> None:
    bare = "".join(
        f'CREATE TABLE "{table}" ({", ".join(f"{c!r}" for c in columns)});'.replace("'", '"')
        for table, columns in {
            "conversations": ("id", "name", "model"),
            "responses": ("id", "model", "prompt", "system", "response", "conversation_id", "datetime_utc"),
            "messages": ("hash", "parent_hash", "role"),
            "parts": ("message_hash", "position", "type", "tool_name", "text", "payload"),
            "threads": ("id", "name", "tip_message_hash", "datetime_utc"),
            "turns": ("id", "thread_id", "parent_message_hash", "tip_message_hash", "model", "datetime_utc"),
            "fragments": ("id", "content"),
            "prompt_fragments": ("response_id", "fragment_id", "order"),
        }.items()
    )
    rows = chain(("u1", "user", "said", None))
    rows["threads"] = [
        {"id": "t1", "tip_message_hash": "u1"},
        {"id": bad, "tip_message_hash": bad, "name": bad},
    ]
    rows["turns"] = [
        turn("1", "u1", "u1") | {key: bad} for key in ("thread_id", "tip_message_hash", "model", "id")
    ]
    rows["messages"] += [{"hash": bad, "parent_hash": bad, "role": bad}]
    rows["parts"] += [
        {"message_hash": "u1", "position": bad, "type": bad, "text": bad, "payload": bad},
        {"message_hash": "u1", "position": bad, "type": "text", "payload": bad},
        {"message_hash": bad, "type": "attachment", "payload": bad},
    ]
    rows["responses"] = [response("1", "p", "r") | {key: bad} for key in ("id", "prompt", "conversation_id")]
    rows["conversations"] = [{"id": bad, "name": bad, "model": bad}]
    rows["prompt_fragments"] = [{"response_id": "1", "fragment_id": bad, "order": bad}]
    found = read_file(make(tmp_path / "logs.db", bare, rows))
    assert any(m.text.startswith("said") for c in found for m in c.messages)
