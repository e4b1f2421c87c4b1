import json
from pathlib import Path
from typing import Any

import pytest

from reel_cli.core.errors import ReelError
from reel_cli.core.tape.formats.registry import read_source
from reel_cli.core.values.talk import Conversation, Kind, Message
from tests.support.chat_fixtures import brief, read_chat

MODEL = "qwen2.5-14b-instruct"


def read(root: object, filename: str = "1740513600000.conversation.json") -> Conversation:
    [conversation] = read_source(json.dumps(root).encode(), filename=filename)
    return conversation


def said(text: str, role: str = "user", **more: Any) -> dict[str, Any]:
    version = {"type": "singleStep", "role": role, "content": [{"type": "text", "text": text}], **more}
    return {"versions": [version], "currentlySelected": 0}


def test_the_sample_of_another_program_is_read(shared_data: Path) -> None:
    path = shared_data / "samples" / "lmstudio" / "1700000000000.conversation.json"
    [conversation] = read_source(path.read_bytes(), filename=path.name)
    assert conversation == Conversation(
        format="lmstudio",
        key="lmstudio:lmstudio_test_1",
        title="Test LM Studio Conversation",
        started="2025-05-07T08:13:07.520+00:00",
        model="lmstudio-model-1",
        messages=(
            Message("user", "Hello LM Studio!"),
            Message("assistant", "Hello from LM Studio.", model="lmstudio-model-1"),
        ),
    )


def test_a_chat_with_thinking_versions_tools_and_files_is_read() -> None:
    [conversation] = read_chat("lmstudio/1740513600000.conversation.json")
    assert (conversation.key, conversation.title, conversation.started, conversation.model) == (
        "lmstudio:1740513600000",
        "lighthouse, ch. 4",
        "2025-02-25T20:00:00+00:00",
        MODEL,
    )
    assert conversation.problems == ()
    messages = list(conversation.messages)
    assert messages[:7] == [
        Message("system", "You are Ada.", Kind.SYSTEM),
        Message("user", "The keeper finds a letter. Should she open it?", time="2025-02-25T20:01:00+00:00"),
        Message(
            "assistant", "Let her carry it for a day first.", time="2025-02-25T20:01:20+00:00", model=MODEL
        ),
        Message(
            "assistant",
            "She hesitates because it is not hers.\nThat is the scene.",
            Kind.REASONING,
            time="2025-02-25T20:01:20+00:00",
            model=MODEL,
        ),
        Message(
            "assistant",
            "Open it, obviously.",
            Kind.VERSION,
            time="2025-02-25T20:01:10+00:00",
            model=MODEL,
            road=1,
        ),
        Message("user", "Here is the draft. What day is it in Turku?"),
        Message("user", "[document: draft.pdf]", Kind.ATTACHMENT),
    ]
    assert [(m.kind, m.role) for m in messages[7:]] == [
        (Kind.SAID, "assistant"),
        (Kind.TOOL, "tool"),
        (Kind.TOOL, "tool"),
        (Kind.TOOL, "tool"),
        (Kind.SAID, "user"),
    ]
    assert messages[7].text == "Let me look.\n\nIt is Tuesday there."
    assert json.loads(messages[8].text)["name"] == "clock"
    assert json.loads(messages[9].text)["statusState"]["status"]["type"] == "toolCallSucceeded"
    assert json.loads(messages[10].text)["content"] == "Tuesday"


def test_a_chat_of_the_early_versions_is_read() -> None:
    [conversation] = read_chat("lmstudio/early.chat.json")
    assert (conversation.format, conversation.key, conversation.title) == (
        "lmstudio",
        "lmstudio:1709300000000",
        None,
    )
    assert brief(conversation) == [
        ("system", "system", "Be brief."),
        ("said", "user", "hi"),
        ("said", "assistant", "Hello."),
    ]


def test_what_is_odd_is_read_as_far_as_it_goes_and_the_rest_is_noted() -> None:
    [conversation] = read_chat("lmstudio/odd.conversation.json")
    assert brief(conversation) == [
        ("said", "user", "text in a step"),
        ("said", "assistant", "The long answer."),
        ("version", "assistant", "The other answer."),
        ("said", "assistant", "plain string"),
        ("said", "user", "who am I"),
    ]
    assert conversation.problems == (
        "which version of a message is shown cannot be told; the last was taken (3 times; first: message 1)",
        "a part of an unknown kind was left out (3 times; first: “embedding”)",
        "a message holds two different texts; the other is kept as a version (message 2)",
        "a message without any version was left out (2 times; first: message 3)",
        "a message without a known role was taken as the assistant's (message 5)",
        "a step of an unknown kind was left out (“mystery”)",
        "a message without a known role was taken as the user's (message 6)",
        "a text part without text was left out",
    )


@pytest.mark.parametrize(
    ("root", "filename", "key"),
    [
        ({"id": "c1", "createdAt": 5}, "1740513600000.conversation.json", "lmstudio:c1"),
        ({"createdAt": 1700000000001}, "1740513600000.conversation.json", "lmstudio:1740513600000"),
        ({"createdAt": 1700000000001}, "my chat.conversation.json", "lmstudio:1700000000001"),
        ({"createdAt": True}, "my chat.conversation.json", None),
    ],
)
def test_a_chat_is_known_by_its_id_its_file_or_its_time(
    root: dict[str, Any], filename: str, key: str | None
) -> None:
    assert read({**root, "messages": [said("hi")]}, filename).key == key


def test_both_system_prompts_are_kept_where_they_differ() -> None:
    fields = {"fields": [{"key": "llm.prediction.systemPrompt", "value": "the chat's"}]}
    root = {"systemPrompt": "the preset's", "perChatPredictionConfig": fields, "messages": [said("hi")]}
    assert [m.text for m in read(root).messages] == ["the chat's", "the preset's", "hi"]
    fields["fields"][0]["value"] = "the preset's"
    assert [m.text for m in read(root).messages] == ["the preset's", "hi"]


def test_pieces_of_one_block_are_one_text() -> None:
    pieces = [{"type": "text", "text": "Hel", "fromDraftModel": True}, {"type": "text", "text": "lo"}]
    step = {"type": "contentBlock", "content": pieces}
    version = {"type": "multiStep", "role": "assistant", "steps": [step]}
    assert read({"messages": [{"versions": [version], "currentlySelected": 0}]}).messages[0].text == "Hello"


def test_an_answer_of_thinking_alone_was_not_said() -> None:
    step = {
        "type": "contentBlock",
        "style": {"type": "thinking"},
        "content": [{"type": "text", "text": "hm"}],
    }
    version = {"type": "multiStep", "role": "assistant", "steps": [step]}
    conversation = read({"messages": [said("hi"), {"versions": [version], "currentlySelected": 0}]})
    assert brief(conversation) == [("said", "user", "hi"), ("reasoning", "assistant", "hm")]


def test_a_file_without_messages_is_no_conversation() -> None:
    with pytest.raises(ReelError) as error:
        read_source(b'{"a": 1}', filename="x.json", format="lmstudio")
    assert error.value.message == "x.json is not an LM Studio conversation: it holds no list of messages."
    with pytest.raises(ReelError) as error:
        read_source(b'{"messages": [{"versions": []', filename="x.json", format="lmstudio")
    assert error.value.message == "x.json cannot be read: it stops in the middle, at line 1."


def test_each_version_not_shown_is_a_road_of_its_own_and_keeps_what_hangs_on_it() -> None:
    thinking = {"type": "contentBlock", "style": {"type": "thinking"}, "content": "Hm."}
    block = {"type": "contentBlock", "content": [{"type": "text", "text": "Two."}]}
    first = {"type": "singleStep", "role": "assistant", "content": [{"type": "text", "text": "One."}]}
    second = {"type": "multiStep", "role": "assistant", "steps": [thinking, block]}
    both = {**second, "content": [{"type": "text", "text": "Three."}]}
    conversation = read(
        {
            "name": None,
            "messages": [
                said("hi"),
                {"versions": [first, second], "currentlySelected": 0.0},
                {"versions": [both, first], "currentlySelected": 0},
            ],
        }
    )
    assert [(m.kind.value, m.road, m.text) for m in conversation.messages] == [
        ("said", None, "hi"),
        ("said", None, "One."),
        ("version", 1, "Two."),
        ("reasoning", 1, "Hm."),
        ("said", None, "Two."),
        ("reasoning", None, "Hm."),
        ("version", 2, "Three."),
        ("version", 3, "One."),
    ]


def test_what_the_model_was_given_of_a_file_is_kept_beside_what_was_typed() -> None:
    given = "Based on the file notes.txt:\nthe lamp is out\n\nWhat does it say?"
    asked = said("What does it say?")
    asked["versions"][0] |= {"preprocessed": {"role": "user", "content": [{"type": "text", "text": given}]}}
    assert brief(read({"messages": [asked]})) == [
        ("said", "user", "What does it say?"),
        ("attachment", "user", given),
    ]
