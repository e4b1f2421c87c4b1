import json
from datetime import timedelta, timezone

import pytest

from reel_cli.core.errors import ReelError
from reel_cli.core.tape.formats import json_stream, source
from reel_cli.core.tape.formats.registry import read_source
from reel_cli.core.values.talk import Conversation, Kind, Message
from tests.support.chat_fixtures import brief, read_chat


def read(value: object) -> Conversation:
    [conversation] = read_source(json.dumps(value).encode(), filename="chat.json")
    return conversation


def test_an_object_with_everything_is_read() -> None:
    [conversation] = read_chat("messages/object.json")
    call = '{"name": "map", "arguments": "{\\"to\\": \\"Turku\\"}"}'
    late = "2026-02-10T20:15:07.250+00:00"
    assert conversation == Conversation(
        format="messages",
        key="messages:c-17",
        title="The wrong train",
        started="2026-02-10T21:14:00+01:00",
        model="mistral-small",
        messages=(
            Message("system", "You are Ada.", Kind.SYSTEM),
            Message("user", "I took the wrong train.", name="Bo", time="2026-02-10T20:15:00+00:00"),
            Message("assistant", "Which way?\n\nNot north, I hope.", name="Ada", time=late),
            Message("assistant", "He sounds tired.", Kind.REASONING, time=late),
            Message("user", "This way:"),
            Message("user", "[image]", Kind.ATTACHMENT),
            Message("tool", call, Kind.TOOL),
            Message("tool", "2 h 4 min", Kind.TOOL, name="map"),
            Message("assistant", "Two hours, then."),
        ),
        problems=("a time could not be read and was left out (yesterday-ish)",),
    )


def test_lines_of_messages_are_one_conversation() -> None:
    [conversation] = read_chat("messages/lines.jsonl")
    assert brief(conversation) == [
        ("said", "user", "hi"),
        ("said", "assistant", "Hello."),
        ("reasoning", "assistant", "short"),
        ("said", "user", "bye"),
    ]
    assert conversation.problems == ("a line that is not JSON was left out (line 4)",)
    assert conversation.started == "2026-02-10T20:15:00+00:00"


def test_lines_of_conversations_are_several() -> None:
    first, second = read_chat("messages/conversations.jsonl")
    assert brief(first) == [("said", "user", "one"), ("said", "assistant", "1")]
    assert brief(second) == [("said", "user", "two"), ("said", "assistant", "2")]
    assert first.problems == ("1 conversation without a message was left out",)


@pytest.mark.parametrize(
    ("value", "count"),
    [
        ([{"role": "user", "content": "hi"}], 1),
        ({"role": "user", "content": "hi"}, 1),
        ({"messages": [{"role": "user", "content": "hi"}]}, 1),
        ([{"messages": [{"role": "user", "content": "hi"}]}] * 2, 2),
    ],
)
def test_a_list_an_object_and_a_list_of_objects_are_read(value: object, count: int) -> None:
    conversations = read_source(json.dumps(value).encode(), filename="chat.json")
    assert [brief(c) for c in conversations] == [[("said", "user", "hi")]] * count


def test_a_line_about_the_chat_may_stand_before_its_messages() -> None:
    data = (
        b'{"title": "t", "id": 7}\n{"role": "user", "content": "hi"}\n{"role": "assistant", "content": "yo"}'
    )
    [conversation] = read_source(data)
    assert (conversation.title, conversation.key, len(conversation.said())) == ("t", "messages:7", 2)


@pytest.mark.parametrize(
    ("role", "kind", "expected"),
    [
        ("user", Kind.SAID, "user"),
        ("Human", Kind.SAID, "user"),
        ("assistant", Kind.SAID, "assistant"),
        ("model", Kind.SAID, "assistant"),
        ("ai", Kind.SAID, "assistant"),
        ("bot", Kind.SAID, "assistant"),
        ("system", Kind.SYSTEM, "system"),
        ("developer", Kind.SYSTEM, "system"),
        ("tool", Kind.TOOL, "tool"),
        ("function", Kind.TOOL, "tool"),
    ],
)
def test_roles(role: str, kind: Kind, expected: str) -> None:
    conversation = read([{"role": "user", "content": "hi"}, {"role": role, "content": "x"}])
    assert conversation.messages[1] == Message(expected, "x", kind)


def test_an_unknown_role_is_kept_beside_and_noted() -> None:
    conversation = read(
        [{"role": "user", "content": "hi"}, {"role": "narrator", "content": "rain"}, {"content": "?"}]
    )
    assert conversation.messages[1:] == (Message("system", "rain", Kind.SYSTEM, name="narrator"),)
    assert conversation.problems == (
        "a role reel does not know was kept beside what was said (“narrator”)",
        "an entry without a role was left out (message 3)",
    )


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("a\r\nb ", [("said", "user", "a\r\nb ")]),
        (["a", {"type": "text", "text": {"value": "b"}}], [("said", "user", "a\n\nb")]),
        ({"type": "text", "text": "a"}, [("said", "user", "a")]),
        ([{"type": "refusal", "refusal": "no"}], [("said", "user", "no")]),
        ([{"type": "thinking", "thinking": "hm"}, "a"], [("said", "user", "a"), ("reasoning", "user", "hm")]),
        ([{"type": "file", "file": {"filename": "a\nb.pdf"}}], [("attachment", "user", "[file: a b.pdf]")]),
        ([{"type": "input_image", "url": "https://a.org/a.png"}], [("attachment", "user", "[image: https://a.org/a.png]")]),
        (None, []),
        (7, []),
        ([{"type": "embedding"}], []),
        ("", []),
    ],
)  # fmt: skip
def test_content_of_many_shapes(content: object, expected: list[tuple[str, str, str]]) -> None:
    conversation = read([{"role": "user", "content": content}, {"role": "user", "content": "last"}])
    assert brief(conversation) == [*expected, ("said", "user", "last")]
    assert bool(conversation.problems) == (not expected)


def test_of_a_picture_a_sound_and_a_model_s_state_the_words_are_kept() -> None:
    """REEL §12.3: reel handles text only; a picture or sound leaves a mark, and a model's state nothing."""
    parts = [
        {"type": "text", "text": "Look and listen."},
        {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}},
        {"type": "input_audio", "input_audio": {"data": "AAAA", "format": "wav"}},
        {"type": "state", "state": "AAAA"},
    ]
    conversation = read([{"role": "user", "content": parts}, {"role": "assistant", "content": "I do."}])
    assert brief(conversation) == [
        ("said", "user", "Look and listen."),
        ("attachment", "user", "[image]"),
        ("attachment", "user", "[audio]"),
        ("said", "assistant", "I do."),
    ]


def test_reasoning_and_tools_in_other_places() -> None:
    conversation = read(
        [
            {"role": "assistant", "content": "a", "reasoning": {"content": "hm"}},
            {"role": "assistant", "content": "b", "thinking": [{"type": "text", "text": "hmm"}]},
            {"role": "assistant", "content": "", "function_call": {"name": "f", "arguments": "{}"}},
        ]
    )
    assert brief(conversation) == [
        ("said", "assistant", "a"),
        ("reasoning", "assistant", "hm"),
        ("said", "assistant", "b"),
        ("reasoning", "assistant", "hmm"),
        ("tool", "tool", '{"name": "f", "arguments": "{}"}'),
    ]


def test_times_take_the_zone_that_was_asked_for() -> None:
    value = [
        {"role": "user", "content": "hi", "timestamp": 1770754500},
        {"role": "user", "content": "x", "created_at": "2026-02-10 23:00:00"},
    ]
    [conversation] = read_source(json.dumps(value).encode(), zone=timezone(timedelta(hours=2)))
    assert [m.time for m in conversation.messages] == [
        "2026-02-10T22:15:00+02:00",
        "2026-02-10T23:00:00+02:00",
    ]
    assert conversation.problems == ("no time zone is given, so times count as UTC+02:00",)


@pytest.mark.parametrize(
    ("given", "key"),
    [("x", "messages:x"), (1, "messages:1"), (0, "messages:0"), (True, None), ("", None), (None, None)],
)
def test_only_a_real_id_is_a_key(given: object, key: str | None) -> None:
    assert read({"id": given, "messages": [{"role": "user", "content": "hi"}]}).key == key


def test_a_list_that_holds_no_message_is_refused() -> None:
    values: list[object] = [[], {"messages": []}, {"messages": [{"role": "system", "content": "x"}]}]
    for value in values:
        with pytest.raises(ReelError) as error:
            read_source(json.dumps(value).encode(), filename="x.json", format="messages")
        assert error.value.message == "x.json has no message in it."


def test_a_cut_off_object_is_not_taken_for_lines() -> None:
    data = b'{"messages": [\n{"role": "user", "content": "a"},\n{"role": "assistant", "content": "b"}\n'
    for format_ in ("auto", "messages"):
        with pytest.raises(ReelError) as error:
            read_source(data, filename="x.json", format=format_)
        assert error.value.message == "x.json cannot be read: it stops in the middle, at line 3."


def test_a_last_line_that_is_cut_off_is_noted() -> None:
    data = b'{"role": "user", "content": "a"}\n{"role": "assistant", "content": "b"}\n{"role": "us'
    [conversation] = read_source(data)
    assert [m.text for m in conversation.messages] == ["a", "b"]
    assert conversation.problems == ("a line that is not JSON was left out (line 3)",)


def test_training_examples_are_one_conversation_each() -> None:
    one = {
        "messages": [
            {"role": "system", "content": "Be wry."},
            {"role": "user", "content": "Capital of France?"},
        ]
    }
    answer = {"role": "assistant", "content": "Paris, as if nobody knew.", "weight": 0}
    other = {"messages": [{"role": "user", "content": None}, {"role": "user", "content": "hi"}, answer]}
    lines = f"{json.dumps(one)}\n{json.dumps(other)}\n"
    first, second = read_source(lines.encode(), filename="toy_chat_fine_tuning.jsonl")
    assert brief(first) == [("system", "system", "Be wry."), ("said", "user", "Capital of France?")]
    assert brief(second) == [("said", "user", "hi"), ("said", "assistant", "Paris, as if nobody knew.")]


def test_a_long_file_is_read_as_a_short_one(monkeypatch: pytest.MonkeyPatch) -> None:
    turns = [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "Hello."}]
    holders = [{"id": n, "messages": turns} for n in range(5)]
    files = [
        json.dumps(turns).encode(),
        json.dumps([*holders, {"note": 1}]).encode(),
        "\n".join(json.dumps(turn) for turn in turns).encode(),
        "\n".join(json.dumps(holder) for holder in holders).encode(),
        json.dumps(holders[0]).encode(),
    ]
    short = [read_source(data, filename="x.json") for data in files]
    assert [len(found) for found in short] == [1, 5, 1, 5, 1]
    monkeypatch.setattr(source, "WHOLE", 10)
    monkeypatch.setattr(json_stream, "WINDOW", 16)
    assert [read_source(data, filename="x.json") for data in files] == short
