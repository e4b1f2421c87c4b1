import json
from typing import Any

from reel_cli.core.tape.formats.apps import jan
from reel_cli.core.tape.formats.registry import read_source
from reel_cli.core.tape.formats.source import Source
from reel_cli.core.values.talk import Conversation, Kind, Message

THREAD = {
    "id": "jan_1700000000", "object": "thread", "title": "Tea", "created": 1700000000, "updated": 1700000900,
    "assistants": [{"id": "jan", "model": {"id": "qwen3-4b"}, "instructions": "Be brief."}],
}  # fmt: skip


def message(role: str, *parts: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {
        "object": "thread.message", "thread_id": THREAD["id"], "role": role, "status": "ready",
        "content": list(parts), **more,
    }  # fmt: skip


def text(value: str, kind: str = "text") -> dict[str, Any]:
    return {"type": kind, "text": {"value": value, "annotations": []}}


def lines(*messages: dict[str, Any]) -> bytes:
    return "\n".join(json.dumps(each) for each in messages).encode()


CHAT = lines(
    message("user", text("Green or black?"), created_at=1700000001000, id="1"),
    message("assistant", text("He likes both.", "reasoning"), text("Black."), created=1700000005, id="2"),
    message(
        "user",
        text("And this?\n[ATTACHED_FILES]\n- file_id: 1, name: tea.pdf, type: pdf\n[/ATTACHED_FILES]"),
        attachments=[{"file_id": "file-7"}],
    ),
    message(
        "assistant",
        text("A list of teas."),
        {"type": "tool_call", "tool_name": "read", "input": {}},
        model="gemma-3",
        created_at="2023-11-14T22:14:00Z",
    ),
)
SAID = (
    Message("user", "Green or black?", time="2023-11-14T22:13:21+00:00"),
    Message("assistant", "Black.", time="2023-11-14T22:13:25+00:00"),
    Message("assistant", "He likes both.", Kind.REASONING, time="2023-11-14T22:13:25+00:00"),
    Message("user", "And this?"),
    Message("user", "[file: tea.pdf]", Kind.ATTACHMENT),
    Message("user", "[file: file-7]", Kind.ATTACHMENT),
    Message("assistant", "A list of teas.", time="2023-11-14T22:14:00+00:00", model="gemma-3"),
    Message(
        "tool",
        '{"type": "tool_call", "tool_name": "read", "input": {}}',
        Kind.TOOL,
        time="2023-11-14T22:14:00+00:00",
        model="gemma-3",
    ),
)


def read(source: Source) -> Conversation:
    assert jan.READER.sniff(source) > 90
    [conversation] = jan.READER.read(source)
    return conversation


def test_messages_alone_are_read_as_far_as_they_know() -> None:
    [conversation] = read_source(CHAT, filename="messages.jsonl")
    assert conversation == Conversation(
        format="jan",
        messages=SAID,
        key="jan:jan_1700000000",
        started="2023-11-14T22:13:21+00:00",
        model="gemma-3",
    )


def test_the_thread_beside_the_messages_says_what_it_is() -> None:
    beside = {"thread.json": json.dumps(THREAD).encode(), "messages.jsonl": CHAT}
    expected = Conversation(
        format="jan",
        messages=(Message("system", "Be brief.", Kind.SYSTEM), *SAID),
        key="jan:jan_1700000000",
        title="Tea",
        started="2023-11-14T22:13:20+00:00",
        model="gemma-3",
    )
    assert read(Source(CHAT, "messages.jsonl", beside=beside.get)) == expected
    assert read(Source(beside["thread.json"], "thread.json", beside=beside.get)) == expected


def test_a_thread_that_cannot_be_read_is_noted() -> None:
    conversation = read(Source(CHAT, "messages.jsonl", beside={"thread.json": b'{"id": '}.get))
    assert conversation.messages == SAID
    assert conversation.problems == (
        "the thread's title and beginning are not known, because its thread.json cannot be read",
    )


def test_newest_first_is_turned_round_whatever_the_unit_of_time() -> None:
    older = message("user", text("first"), created_at=1700000001)
    newer = message("assistant", text("second"), created_at=1700000002000)
    for order in ((older, newer), (newer, older)):
        [conversation] = read_source(lines(*order))
        assert [m.text for m in conversation.said()] == ["first", "second"]


def test_what_is_broken_is_left_out_and_noted() -> None:
    data = CHAT + b'\n{"role": "nobody", "content": []}\n{"id": 3}\n{"role": "user", "con'
    [conversation] = read_source(data)
    assert conversation.messages == SAID
    assert conversation.problems == (
        "a line that is no message was left out (line 6)",
        "a line that is not JSON was left out (line 7)",
        "an entry without a known role was left out (message 5)",
    )


def test_threads_that_leave_out_what_they_are_are_known_by_their_shape() -> None:
    bare = json.dumps({"role": "user", "content": [text("Green?")], "created_at": 1700000001})
    named = json.dumps({"role": "user", "content": "Green?", "thread_id": "t1"})
    answer = json.dumps({"object": "response", "role": "user", "thread_id": "t1", "content": "Green?"})
    sources = [Source(line.encode(), "messages.jsonl") for line in (bare, named, answer)]
    assert [jan.READER.sniff(source) for source in sources] == [95, 95, 0]
    thread = json.dumps({"id": "t1", "title": "Tea", "assistants": []}).encode()
    source = Source(bare.encode(), "messages.jsonl", beside={"thread.json": thread}.get)
    assert (read(source).key, read(source).title) == ("jan:t1", "Tea")
