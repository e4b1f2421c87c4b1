import json
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.core.errors import ReelError
from reel_cli.core.tape.formats.registry import read_source
from reel_cli.core.values.talk import Conversation, Kind, Message

ROOT = "00000000-0000-4000-8000-000000000000"


def say(name: str, sender: str, text: str = "", *, after: object = None, **more: object) -> dict[str, object]:
    """A message as the export has it."""
    about: dict[str, object] = {
        "uuid": name,
        "sender": sender,
        "text": text,
        "content": [{"type": "text", "text": text, "citations": []}] if text else [],
        "created_at": "2026-02-10T20:15:00.123456Z",
        "attachments": [],
        "files": [],
    }
    return about | ({"parent_message_uuid": after} if after is not None else {}) | more


def chat(*messages: object, **more: object) -> dict[str, object]:
    about = {"uuid": "c-1", "name": "A talk", "created_at": "2026-02-10T20:14:00Z", "updated_at": None}
    return about | {"account": {"uuid": "me"}, "chat_messages": list(messages)} | more


def read(*chats: object) -> list[Conversation]:
    return read_source(json.dumps(chats).encode(), filename="conversations.json")


def brief(conversation: Conversation) -> list[tuple[object, ...]]:
    return [(m.kind.value, m.role, m.text, m.road) for m in conversation.messages]


def test_a_real_export_is_read(shared_data: Path) -> None:
    path = shared_data / "samples/claude/export-85-conversations.json"
    [conversation] = read_source(path.read_bytes(), filename=path.name)
    assert (conversation.key, conversation.title, conversation.started) == (
        "claude:76a904ac-7838-4a01-9e91-020411c40566",
        "How Photosynthesis Works",
        "2025-06-21T20:48:38.467+00:00",
    )
    assert [m.role for m in conversation.said()] == ["user", "assistant"] * 5
    assert conversation.problems == ("84 conversations without a message were left out",)


def test_real_thinking_is_kept_beside_the_answer(shared_data: Path) -> None:
    path = shared_data / "samples/claude/thinking-blocks.json"
    [conversation] = read_source(path.read_bytes(), filename=path.name)
    assert conversation.messages == (
        Message("user", "Can you greet me?", time="2025-01-01T00:00:01+00:00"),
        Message("assistant", "Hello there! It's great to hear from you.", time="2025-01-01T00:00:05+00:00"),
        Message(
            "assistant",
            "The user asked for a greeting. I should respond warmly and invite further conversation.",
            Kind.REASONING,
            time="2025-01-01T00:00:05+00:00",
        ),
    )


def test_blocks_attachments_and_files_are_sorted() -> None:
    blocks = [
        {"type": "thinking", "thinking": "Hm."},
        {"type": "text", "text": "Let me look.\n"},
        {"type": "tool_use", "id": "t", "name": "search", "input": {"q": "rain"}, "integration_name": None},
        {"type": "tool_result", "content": [{"type": "text", "text": "It rained."}], "is_error": False},
        {"type": "token_budget"},
        {"type": "text", "text": "It rained."},
        {"type": "hologram"},
    ]
    asked = say(
        "q",
        "human",
        "Did it rain?",
        attachments=[
            {"file_name": "log.txt", "file_type": "txt", "extracted_content": "day 1: rain\n"},
            {"file_name": "empty.pdf", "extracted_content": ""},
        ],
        files=[{"file_name": "sky.png", "file_kind": "image"}, {"file_name": "a.csv"}],
        files_v2=[{"file_name": "a.csv"}],
    )
    [conversation] = read(chat(asked, say("a", "assistant", "fallback", content=blocks)))
    assert brief(conversation) == [
        ("said", "user", "Did it rain?", None),
        ("attachment", "user", "day 1: rain\n", None),
        ("attachment", "user", "[file: empty.pdf]", None),
        ("attachment", "user", "[image: sky.png]", None),
        ("attachment", "user", "[file: a.csv]", None),
        ("said", "assistant", "Let me look.\n\nIt rained.", None),
        ("reasoning", "assistant", "Hm.", None),
        ("tool", "tool", '{"name": "search", "input": {"q": "rain"}}', None),
        ("tool", "tool", "It rained.", None),
    ]
    assert conversation.messages[1].name == "log.txt"
    assert conversation.problems == ("a part of an unknown kind was left out (“hologram”)",)


def test_the_text_counts_only_where_the_content_has_none() -> None:
    old = say("q", "human") | {"text": "From before.", "content": []}
    older = {"sender": "assistant", "text": "Yes."}
    [conversation] = read(chat(old, older, {"sender": "robot", "text": "Beep."}))
    assert brief(conversation) == [
        ("said", "user", "From before.", None),
        ("said", "assistant", "Yes.", None),
        ("system", "system", "Beep.", None),
    ]


def test_retries_branch_and_the_newest_is_shown() -> None:
    messages = [
        say("q", "human", "q", after=ROOT),
        say("a", "assistant", "a", after="q"),
        say("b", "assistant", "b", after="q", created_at="2026-02-10T20:17:00Z"),
        say("q2", "human", "q2", after="a", created_at="2026-02-10T20:16:00Z"),
    ]
    [newest] = read(chat(*messages))
    assert brief(newest) == [
        ("said", "user", "q", None),
        ("said", "assistant", "b", None),
        ("version", "assistant", "a", 1),
        ("version", "user", "q2", 1),
    ]
    [named] = read(chat(*messages, current_leaf_message_uuid="q2"))
    assert [m.text for m in named.said()] == ["q", "a", "q2"]
    assert [(m.text, m.road) for m in named.messages if m.road] == [("b", 1)]


def test_the_same_id_twice_and_none_at_all_lose_nothing() -> None:
    [conversation] = read(
        chat(say("x", "human", "1"), say("x", "assistant", "2"), {"sender": "human", "text": "3"})
    )
    assert [m.text for m in conversation.said()] == ["1", "2", "3"]


def test_an_export_of_empty_chats_says_so() -> None:
    try:
        read(chat(), chat(uuid="c-2"))
    except ReelError as error:
        assert error.message == "conversations.json has no message in it."  # noqa: PT017
    else:
        raise AssertionError


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
FIELDS = (
    *("uuid", "sender", "text", "content", "created_at", "attachments", "files", "files_v2"),
    *("parent_message_uuid", "type", "name", "input", "thinking", "file_name", "extracted_content"),
)


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_values_of_any_type_anywhere_are_borne(data: st.DataObject) -> None:
    block: dict[str, object] = {
        "type": data.draw(st.sampled_from(["text", "thinking", "tool_use", "tool_result"]))
    }
    message = say(
        "q", "human", "q", content=[block], attachments=[{"file_name": "x"}], files=[{"file_name": "y"}]
    )
    broken = chat(message, say("a", "assistant", "a", after="q"), say("b", "assistant", "b", after="a"))
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.sampled_from([message, block, broken]))
        place[data.draw(st.sampled_from(FIELDS))] = data.draw(JUNK)
    found = read(broken, chat(say("s", "human", "sound"), uuid="c-2"))
    assert found[-1].said()[0].text == "sound"


def test_messages_with_role_and_content_are_read_as_text() -> None:
    one = {"uuid": "1", "role": "user", "content": "hi"}
    two = {"uuid": "2", "author": {"role": "assistant"}, "content": [{"type": "poem", "text": "hello"}]}
    [found] = read(chat(one, two))
    assert [(m.role, m.text) for m in found.said()] == [("user", "hi"), ("assistant", "hello")]
    assert found.problems == (
        "its messages say who speaks in a way reel did not know, and were read as text",
        "a part of a kind reel does not know was read as text (“poem”)",
    )


def test_a_shared_chat_has_the_title_it_was_shared_under() -> None:
    shared = chat(say("1", "human", "hi"), name=None, snapshot_name="The lamp")
    [found] = read_source(json.dumps(shared).encode(), filename="snapshot.json")
    assert (found.title, [m.text for m in found.said()]) == ("The lamp", ["hi"])


def test_a_chat_on_each_line_is_read() -> None:
    text = "\n".join(json.dumps(chat(say("1", "human", word), uuid=word)) for word in ("hi", "hello"))
    found = read_source(f"{text}\n{{broken".encode(), filename="conversations.jsonl")
    assert [(c.key, [m.text for m in c.said()]) for c in found] == [
        ("claude:hi", ["hi"]),
        ("claude:hello", ["hello"]),
    ]
    assert "a line that is not JSON was left out (line 3)" in found[0].problems
