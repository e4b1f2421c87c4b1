import pytest

from reel_cli.core.tape.formats.finish import finish, split_reasoning
from reel_cli.core.tape.formats.source import Source
from reel_cli.core.values.talk import Conversation, Kind, Message


@pytest.mark.parametrize(
    ("text", "said", "thoughts"),
    [
        ("hello", "hello", []),
        ("<think>a\nb</think>\n\nhello", "hello", ["a\nb"]),
        ("<thinking>a</thinking>hello", "hello", ["a"]),
        ("Hm.\n<think>a</think>\nhello\n<think>b</think>", "Hm.\n\nhello", ["a", "b"]),
        ("<think>cut off", "", ["cut off"]),
        ("<think></think>\nhello", "hello", [""]),
        ("no opener\n</think>\n\nhello", "hello", ["no opener"]),
        ("write `<think>` or `</think>`", "write `<think>` or `</think>`", []),
        ("I <think> so", "I <think> so", []),
        ("```\n<think>\nx\n</think>\n```", "```\n<think>\nx\n</think>\n```", []),
    ],
)
def test_reasoning_is_split_off(text: str, said: str, thoughts: list[str]) -> None:
    assert split_reasoning(text) == (said, thoughts)


def done(*messages: Message, **more: str) -> Conversation:
    return finish(Conversation("text", messages, **more), Source(b""))


def test_only_an_answer_is_looked_through_for_reasoning() -> None:
    text = "<think>a</think>b"
    finished = done(Message("user", text), Message("assistant", text, time="2026-02-10T20:15:00+00:00"))
    assert [(m.role, m.text, m.kind) for m in finished.messages] == [
        ("user", text, Kind.SAID),
        ("assistant", "b", Kind.SAID),
        ("assistant", "a", Kind.REASONING),
    ]
    assert finished.started == "2026-02-10T20:15:00+00:00"


def test_half_characters_are_replaced_everywhere_and_noted_once_a_kind() -> None:
    finished = done(Message("user", "a\ud800b", name="\udfff"), title="\ud83d!", key="messages:\udc00")
    assert (finished.messages[0].text, finished.messages[0].name) == ("a\ufffdb", "\ufffd")
    assert (finished.title, finished.key) == ("\ufffd!", "messages:\ufffd")
    assert finished.problems == ("half of a character (a lone surrogate) was replaced by \ufffd (4 times)",)


def test_names_and_titles_fit_on_a_line_and_bear_no_control_codes() -> None:
    finished = done(Message("user", "x", name="A\x1b[31m\nB" * 100, model="\n"), title="a\r\nb\0c")
    name = finished.messages[0].name or ""
    assert name.startswith("A [31m BA [31m B")
    assert name.isprintable()
    assert len(name) <= 120
    assert (finished.messages[0].model, finished.title) == (None, "a b c")


def test_a_message_without_text_is_left_out_and_noted() -> None:
    finished = done(Message("user", " \n"), Message("user", "x"), Message("assistant", "<think>hm</think>"))
    assert [m.text for m in finished.messages] == ["x", "hm"]
    assert finished.problems == (
        "an answer holds hidden reasoning and nothing else",
        "a message without text was left out (user)",
    )
