"""Tools that a session uses, as the readers of each app record them."""

import json

import pytest

from reel_cli.core.tape.session_file import render_session
from reel_cli.core.values.talk import Conversation, Kind, Message
from reel_cli.features.dream.pulse.pulse_weeks import LONGEST, tools_used


def used(*messages: Message) -> list[str]:
    said = Conversation("messages", (Message("user", "Hello."), *messages))
    return tools_used(render_session("2026-02-10-1", said), "tape/2026/2026-02-10-1.md")


def tool(text: object, name: str | None = None, road: int | None = None) -> Message:
    return Message("tool", text if isinstance(text, str) else json.dumps(text), Kind.TOOL, name, road=road)


@pytest.mark.parametrize(
    ("call", "name"),
    [
        ({"name": "web_search", "arguments": "{}"}, "web_search"),
        ({"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "ls"}}, "Bash"),
        ({"type": "tool_result", "tool_use_id": "t1", "content": "a b"}, ""),
        ({"type": "toolCallRequest", "toolName": "calc", "parameters": {}}, "calc"),
        ({"type": "toolStatus", "content": {"name": "calc"}}, "calc"),
        ({"id": "c1", "type": "function", "function": {"name": "weather", "arguments": "{}"}}, "weather"),
        ({"type": "tool_call", "tool_name": "fetch"}, "fetch"),
        ({"name": "  "}, ""),
        ({"name": ["web_search"]}, ""),
        ({"function": "web_search"}, ""),
        ([{"name": "web_search"}], ""),
        ("What the page says.", ""),
        ('{"name": "fetch", "input": {"url": "https://example.org/… (30,000 characters)', "fetch"),
        ('{"url": "https://example.org/… (30,000 characters)', ""),
        ("{" * 3_000, ""),
        ("", ""),
    ],
)
def test_a_call_names_its_tool(call: object, name: str) -> None:
    assert used(tool(call)) == ([name] if name else [])


def test_each_tool_once_in_order_however_often_it_is_called() -> None:
    search, python = {"name": "web_search"}, {"name": "python"}
    assert used(tool(search), tool(python), tool(search), tool("3.14", name="python")) == [
        "web_search",
        "python",
    ]


def test_what_an_app_names_itself_and_what_was_left_does_not_count() -> None:
    assert used(tool("print(1)", name="python"), tool({"name": "bio"}, road=1)) == ["python"]


def test_a_session_without_tools_uses_none_whatever_is_said() -> None:
    assert used(Message("assistant", '{"kind": "tool", "name": "web_search"}')) == []


def test_a_name_is_one_short_line() -> None:
    (name,) = used(tool({"name": "a\x1b[31m\n" + "b" * 500}))
    assert len(name) == LONGEST
    assert name.startswith("a [31m bbb")
