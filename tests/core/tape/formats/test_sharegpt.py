import json
from pathlib import Path
from typing import Any

import pytest

from reel_cli.core.errors import ReelError
from reel_cli.core.tape.formats.registry import read_source
from reel_cli.core.values.talk import Conversation, Message
from tests.support.chat_fixtures import brief


def read(value: object, filename: str = "x.json") -> list[Conversation]:
    found = read_source(json.dumps(value).encode(), filename=filename)
    assert {conversation.format for conversation in found} == {"sharegpt"}
    return found


def talk(*turns: tuple[str, Any], **more: Any) -> dict[str, Any]:
    return {"conversations": [{"from": who, "value": what} for who, what in turns], **more}


def test_five_hundred_conversations_of_one_file_are_five_hundred(shared_data: Path) -> None:
    path = shared_data / "samples" / "sharegpt" / "500-conversations.json"
    found = read_source(path.read_bytes(), filename=path.name)
    assert len(found) == len({c.key for c in found}) == 500
    assert found[0] == Conversation(
        format="sharegpt",
        key="sharegpt:identity_0",
        messages=(
            Message("user", "Who are you?"),
            Message(
                "assistant",
                "I am Vicuna, a language model trained by researchers from "
                "Large Model Systems Organization (LMSYS).",
            ),
            Message("user", "Have a nice day!"),
            Message("assistant", "You too!"),
        ),
    )
    raw = json.loads(path.read_text(encoding="utf-8"))
    assert [[m.text for m in c.messages] for c in found] == [
        [t["value"] for t in r["conversations"]] for r in raw
    ]


def test_a_conversation_with_missing_turns_is_read(shared_data: Path) -> None:
    path = shared_data / "samples" / "sharegpt" / "missing-turns.json"
    [conversation] = read_source(path.read_bytes(), filename=path.name)
    assert [m.role for m in conversation.messages[:4]] == ["user", "user", "assistant", "user"]
    assert conversation.key is None
    assert conversation.problems == ("a message without text was left out (assistant)",)


@pytest.mark.parametrize(
    ("given", "role", "kind"),
    [
        ("human", "user", "said"), ("user", "user", "said"), ("Human", "user", "said"),
        ("gpt", "assistant", "said"), ("assistant", "assistant", "said"), ("chatgpt", "assistant", "said"),
        ("bard", "assistant", "said"), ("model", "assistant", "said"),
        ("system", "system", "system"), ("observation", "tool", "tool"), ("tool", "tool", "tool"),
        ("function_call", "tool", "tool"), ("function_response", "tool", "tool"),
        ("oracle", "system", "system"),
    ],
)  # fmt: skip
def test_who_speaks_is_known_by_many_words(given: str, role: str, kind: str) -> None:
    [conversation] = read([talk(("human", "hi"), (given, "x"))])
    assert brief(conversation)[1] == (kind, role, "x")
    assert bool(conversation.problems) == (given == "oracle")


def test_system_chosen_rejected_and_what_is_known_of_a_chat_are_read() -> None:
    answers = {"chosen": {"from": "gpt", "value": "good"}, "rejected": {"from": "gpt", "value": "bad"}}
    about = {"title": "t", "model": "m", "create_time": 1700000000, "system": "Be kind.", "id": 7}
    [conversation] = read(talk(("human", "hi"), **answers, **about))
    assert brief(conversation) == [
        ("system", "system", "Be kind."),
        ("said", "user", "hi"),
        ("said", "assistant", "good"),
        ("version", "assistant", "bad"),
    ]
    assert [m.road for m in conversation.messages] == [None, None, None, 1]
    assert (conversation.key, conversation.title, conversation.model) == ("sharegpt:7", "t", "m")
    assert conversation.started == "2023-11-14T22:13:20+00:00"


def test_the_same_id_twice_is_the_first_ones_alone() -> None:
    found = read([talk(("human", "a"), id="i"), talk(("human", "b"), id="i"), talk(("human", "c"))])
    assert [c.key for c in found] == ["sharegpt:i", None, None]
    assert any("the same id stands for several conversations (i)" in c.problems for c in found)


def test_jsonl_is_read_and_a_broken_line_is_named() -> None:
    data = "\n".join(
        [json.dumps(talk(("human", "a"))), json.dumps(talk(("gpt", "b"))), '{"conversations": [{"fr']
    )
    found = read_source(data.encode(), filename="x.jsonl")
    assert [brief(c) for c in found] == [[("said", "user", "a")], [("said", "assistant", "b")]]
    assert any("a line that is not JSON was left out (line 3)" in c.problems for c in found)


@pytest.mark.parametrize("bad", [None, 5, True, [], ["x", 3], {"a": 1}, "", float("nan")])
def test_wrong_types_lead_to_notes(bad: object) -> None:
    turns = [
        {"from": "human", "value": "said"},
        bad,
        {"from": bad, "value": "x"},
        {"from": "gpt", "value": bad},
    ]
    about = dict.fromkeys(("id", "title", "model", "system", "create_time", "chosen", "rejected"), bad)
    found = read([{"conversations": turns, **about}, bad, {"conversations": bad}])
    assert found[0].messages[0].text == "said"


def test_a_file_without_turns_is_refused() -> None:
    with pytest.raises(ReelError, match="is not a ShareGPT file"):
        read_source(b'[{"conversations": []}]', filename="x.json", format="sharegpt")
