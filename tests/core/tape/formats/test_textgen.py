import json
from pathlib import Path
from typing import Any

import pytest

from reel_cli.core.errors import ReelError
from reel_cli.core.tape.formats.registry import read_source
from reel_cli.core.values.talk import Conversation, Kind, Message
from tests.support.chat_databases import read_file
from tests.support.chat_fixtures import brief

GREETING = "<|BEGIN-VISIBLE-CHAT|>"


def read(root: object, filename: str = "20250605-14-33-10.json") -> Conversation:
    [conversation] = read_source(json.dumps(root).encode(), filename=filename)
    assert conversation.format == "textgen"
    return conversation


def test_a_chat_with_versions_attachments_and_a_greeting_is_read(tmp_path: Path) -> None:
    root = {
        "internal": [[GREETING, "Hello, I am Chiharu."], ["a <b> & c?", "the second"]],
        "visible": [["", "Hello, I am Chiharu."], ["a &lt;b&gt; &amp; c?", "the second"]],
        "metadata": {
            "assistant_0": {"timestamp": "Jun 05, 2025 14:33"},
            "user_1": {
                "timestamp": "Jun 05, 2025 14:34",
                "attachments": [{"name": "n.txt", "type": "text/plain", "content": "all of it"}],
            },
            "assistant_1": {
                "timestamp": "Jun 05, 2025 14:35",
                "model_name": "qwen3-8b",
                "current_version_index": 1,
                "versions": [
                    {
                        "content": "the first",
                        "visible_content": "the first",
                        "timestamp": "Jun 05, 2025 14:34",
                    },
                    {
                        "content": "the second",
                        "visible_content": "the second",
                        "timestamp": "Jun 05, 2025 14:35",
                    },
                ],
            },
        },
    }
    path = tmp_path / "logs" / "chat" / "Chiharu" / "20250605-14-33-10.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(root), encoding="utf-8")
    [conversation] = read_file(path)
    assert conversation == Conversation(
        format="textgen",
        key="textgen:20250605-14-33-10",
        started="2025-06-05T14:33:10+00:00",
        model="qwen3-8b",
        problems=("no time zone is given, so times count as UTC",),
        messages=(
            Message("assistant", "Hello, I am Chiharu.", name="Chiharu", time="2025-06-05T14:33:00+00:00"),
            Message("user", "a <b> & c?", time="2025-06-05T14:34:00+00:00"),
            Message("user", "[text: n.txt]\n\nall of it", Kind.ATTACHMENT, time="2025-06-05T14:34:00+00:00"),
            Message(
                "assistant", "the second", name="Chiharu", time="2025-06-05T14:35:00+00:00", model="qwen3-8b"
            ),
            Message(
                "assistant",
                "the first",
                Kind.VERSION,
                name="Chiharu",
                time="2025-06-05T14:34:00+00:00",
                road=1,
            ),
        ),
    )


@pytest.mark.parametrize(
    ("filename", "key", "title", "name"),
    [
        ("20250605-14-33-10.json", "textgen:20250605-14-33-10", None, None),
        ("a talk.json", None, "a talk", None),
        ("Chiharu_20230401-120000.json", None, None, "Chiharu"),
        ("Chiharu_persistent.json", None, None, "Chiharu"),
    ],
)
def test_an_early_log_is_read_and_what_its_name_says_is_known(
    filename: str, key: str | None, title: str | None, name: str | None
) -> None:
    for root in (
        {"data": [["hi", "hello"]], "data_visible": [["hi", "hello"]]},
        {"data": [["hi", "hello"]]},
        {"internal": [["hi", "hello"]], "visible": [["hi", "hello"]]},
    ):
        conversation = read(root, filename)
        assert brief(conversation) == [("said", "user", "hi"), ("said", "assistant", "hello")]
        assert (conversation.key, conversation.title, conversation.messages[1].name) == (key, title, name)


def test_what_was_shown_is_kept_where_it_is_not_what_the_model_saw() -> None:
    shown = '<audio src="file/x.wav" controls autoplay></audio>\n\nhello &amp; bye'
    conversation = read({"internal": [["hi", "hello & bye"]], "visible": [["ahoj", shown]]})
    assert brief(conversation) == [
        ("said", "user", "hi"),
        ("version", "user", "ahoj"),
        ("said", "assistant", "hello & bye"),
    ]


def test_hidden_channels_are_reasoning() -> None:
    hidden = "<|channel|>analysis<|message|>They greet.<|end|><|start|>assistant"
    text = f"{hidden}<|channel|>final<|message|>Hello.<|return|>"
    conversation = read({"internal": [["hi", text]], "visible": [["hi", text]]})
    assert brief(conversation) == [
        ("said", "user", "hi"),
        ("said", "assistant", "Hello."),
        ("reasoning", "assistant", "They greet."),
    ]


@pytest.mark.parametrize("bad", [None, 5, True, "x", [], ["x", None], {"a": 1}, [[1, 2], [3, 4]]])
def test_wrong_types_lead_to_notes(bad: Any) -> None:
    about = dict.fromkeys(("timestamp", "versions", "attachments", "model_name", "tool_sequence"), bad)
    rows = [["said", "yes"], bad, [bad, bad], ["one"]]
    for metadata in (bad, {"user_0": bad, "assistant_0": about, "assistant_2": about}):
        conversation = read({"internal": rows, "visible": [bad, bad], "metadata": metadata})
        assert conversation.messages[0].text == "said"


def test_what_is_no_log_is_refused() -> None:
    with pytest.raises(ReelError, match="is not a log of text-generation-webui"):
        read_source(b'{"data": [1, 2]}', filename="x.json", format="textgen")
    with pytest.raises(ReelError, match="no chat that reel knows"):
        read_source(b'{"data": [{"x": 1}], "data_visible": [5]}', filename="x.json")
