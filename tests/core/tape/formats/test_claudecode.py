import json
from typing import Any

import pytest

from reel_cli.core.errors import ReelError
from reel_cli.core.tape.formats.registry import read_source
from reel_cli.core.values.talk import Conversation

SESSION = "5f9d1c2e-0000-4000-8000-000000000001"
Row = tuple[str, str, int | None, str]


def line(kind: str, name: str, after: str | None, content: object, **more: Any) -> dict[str, Any]:
    minute = sum(name.encode()) % 60
    message: dict[str, Any] = {"role": kind, "content": content}
    if kind == "assistant":
        message |= {"id": more.pop("answer", f"msg_{name}"), "model": "claude-opus-4"}
    return {
        "type": kind, "uuid": name, "parentUuid": after, "sessionId": SESSION, "isSidechain": False,
        "timestamp": f"2025-07-01T10:{minute:02}:00.000Z", "message": message, **more,
    }  # fmt: skip


def user(name: str, after: str | None, content: object, **more: Any) -> dict[str, Any]:
    return line("user", name, after, content, **more)


def answer(name: str, after: str | None, content: object, **more: Any) -> dict[str, Any]:
    text = [{"type": "text", "text": content}] if isinstance(content, str) else content
    return line("assistant", name, after, text, **more)


def tool(name: str) -> list[dict[str, Any]]:
    return [{"type": "tool_use", "id": name, "name": "Read", "input": {"file": name}}]


def result(name: str, content: object = "done") -> list[dict[str, Any]]:
    return [{"type": "tool_result", "tool_use_id": name, "content": content}]


def read_all(lines: list[Any], filename: str = f"{SESSION}.jsonl") -> list[Conversation]:
    text = "\n".join(each if isinstance(each, str) else json.dumps(each) for each in lines)
    return read_source(text.encode(), filename=filename)


def read(lines: list[Any], filename: str = f"{SESSION}.jsonl") -> Conversation:
    [conversation] = read_all(lines, filename)
    assert conversation.format == "claude-code"
    return conversation


def rows(conversation: Conversation) -> list[Row]:
    return [(m.kind.value, m.role, m.road, m.text) for m in conversation.messages]


def said(conversation: Conversation) -> list[str]:
    return [m.text for m in conversation.said()]


def test_a_session_with_thinking_and_tools_is_read() -> None:
    conversation = read(
        [
            {"type": "file-history-snapshot", "messageId": "u1", "snapshot": {}},
            user("m", None, "Caveat: the messages below", isMeta=True),
            user("u1", "m", "Why does it fail?"),
            answer("a1", "u1", [{"type": "thinking", "thinking": "The log says."}], answer="msg_1"),
            answer("a2", "a1", "Let me look.", answer="msg_1"),
            answer("a3", "a2", tool("t1"), answer="msg_1"),
            user(
                "r1",
                "a3",
                result("t1", [{"type": "text", "text": "line 1"}, {"type": "image", "source": {}}]),
            ),
            answer("a4", "r1", "The path is wrong."),
            {"type": "summary", "summary": "Another session", "leafUuid": "elsewhere"},
            {"type": "summary", "summary": "The wrong path", "leafUuid": "a4"},
        ]
    )
    assert rows(conversation) == [
        ("said", "user", None, "Why does it fail?"),
        ("said", "assistant", None, "Let me look."),
        ("reasoning", "assistant", None, "The log says."),
        ("tool", "tool", None, '{"type": "tool_use", "id": "t1", "name": "Read", "input": {"file": "t1"}}'),
        (
            "tool",
            "tool",
            None,
            '{"type": "tool_result", "tool_use_id": "t1", "content": "line 1\\n\\n[image]"}',
        ),
        ("said", "assistant", None, "The path is wrong."),
    ]
    assert (conversation.key, conversation.title, conversation.model, conversation.problems) == (
        f"claude-code:{SESSION}", "The wrong path", "claude-opus-4", (),
    )  # fmt: skip
    assert conversation.messages[0].time == "2025-07-01T10:46:00+00:00"


def test_a_prompt_that_was_taken_back_is_a_road_not_taken() -> None:
    first = [
        user("u1", None, "Start"),
        answer("a1", "u1", "Ready"),
        user("b1", "a1", "First try"),
        answer("b2", "b1", "First answer"),
        user("b3", "b1", "First answer, please"),
        answer("b4", "b3", "So be it"),
    ]
    second = [user("c1", "a1", "Second try"), answer("c2", "c1", "Second answer")]
    assert rows(read(first + second)) == [
        ("said", "user", None, "Start"),
        ("said", "assistant", None, "Ready"),
        ("said", "user", None, "Second try"),
        ("version", "user", 1, "First try"),
        ("version", "assistant", 1, "First answer"),
        ("version", "user", 2, "First answer, please"),
        ("version", "assistant", 2, "So be it"),
        ("said", "assistant", None, "Second answer"),
    ]
    # what was the road shown becomes one left: it gets the next number, the others keep theirs
    later = rows(read([*first, *second, user("d1", "a1", "Third try")]))
    assert [(road, text) for kind, _, road, text in later if kind == "version"] == [
        (1, "First try"),
        (1, "First answer"),
        (2, "First answer, please"),
        (2, "So be it"),
        (3, "Second try"),
        (3, "Second answer"),
    ]


def test_tools_that_ran_side_by_side_are_no_fork() -> None:
    conversation = read([
        user("u1", None, "Go"),
        answer("a1", "u1", "Both at once.", answer="m"),
        answer("a2", "a1", tool("t1"), answer="m"),
        answer("a3", "a2", tool("t2"), answer="m"),
        user("r1", "a2", result("t1")),
        user("r2", "a3", result("t2")),
        answer("a4", "r2", "Done."),
    ])  # fmt: skip
    assert said(conversation) == ["Go", "Both at once.", "Done."]
    assert {m.kind.value for m in conversation.messages} == {"said", "tool"}
    assert sum(1 for m in conversation.messages if m.kind.value == "tool") == 4


def test_a_compacted_session_goes_on_where_it_was() -> None:
    boundary = {
        "type": "system", "subtype": "compact_boundary", "uuid": "cb", "parentUuid": None,
        "logicalParentUuid": "a1", "sessionId": SESSION, "content": "Conversation compacted",
    }  # fmt: skip
    lines = [
        user("u1", None, "Start"),
        answer("a1", "u1", "Ready"),
        boundary,
        user("cs", "cb", "This session is being continued.", isCompactSummary=True),
        # what outlives the compaction is written again, after the summary
        answer("a1", "cs", "Ready"),
        user("u2", "a1", "On"),
        answer("a2", "u2", "And on"),
    ]
    assert said(read(lines)) == ["Start", "Ready", "On", "And on"]
    del lines[4]
    lines[4] = user("u2", "cs", "On")
    conversation = read(lines)
    assert said(conversation) == ["Start", "Ready", "On", "And on"]
    assert ("system", "system", None, "This session is being continued.") in rows(conversation)


def test_what_the_program_says_in_the_persons_place_is_not_said() -> None:
    command = "<command-name>/review</command-name>\n<command-args>{}</command-args>"
    conversation = read(
        [
            user("u1", None, command.format("the tests")),
            user("u2", "u1", command.format("")),
            user("u3", "u2", "<local-command-stdout>ok</local-command-stdout>"),
            user("u4", "u3", "Look here.<system-reminder>be kind</system-reminder>"),
            user("u5", "u4", "What is a <system-reminder>?"),
            user("u6", "u5", "[Request interrupted by user]"),
            answer("a1", "u6", "API Error: 500", isApiErrorMessage=True),
        ]
    )
    assert said(conversation) == ["/review the tests", "Look here.", "What is a <system-reminder>?"]
    assert [m.text for m in conversation.messages if m.kind.value == "tool"] == [
        "/review", "<local-command-stdout>ok</local-command-stdout>", "[Request interrupted by user]",
        "API Error: 500",
    ]  # fmt: skip


def test_what_was_typed_meanwhile_and_what_was_attached_is_read() -> None:
    def attached(name: str, after: str, **fields: Any) -> dict[str, Any]:
        return {
            "type": "attachment",
            "uuid": name,
            "parentUuid": after,
            "sessionId": SESSION,
            "attachment": fields,
        }

    conversation = read(
        [
            user("u1", None, "Start"),
            attached("f", "u1", type="file", filename="src/notes.md", content={"text": "long"}),
            answer("a1", "f", "Ready"),
            attached("q", "a1", type="queued_command", prompt="And the parser, too"),
            attached("n", "q", type="queued_command", prompt="<task>", commandMode="task-notification"),
            answer("a2", "n", "Done"),
        ]
    )
    assert rows(conversation) == [
        ("said", "user", None, "Start"),
        ("attachment", "user", None, "[file: src/notes.md]"),
        ("said", "assistant", None, "Ready"),
        ("said", "user", None, "And the parser, too"),
        ("said", "assistant", None, "Done"),
    ]


def test_a_resumed_session_is_one_and_goes_by_its_files_name() -> None:
    old = [
        user("u1", None, "Start") | {"sessionId": "old"},
        answer("a1", "u1", "Ready") | {"sessionId": "old"},
    ]
    conversation = read([*old, user("u2", "a1", "On")])
    assert (said(conversation), conversation.key) == (["Start", "Ready", "On"], f"claude-code:{SESSION}")
    assert read([*old, user("u2", "a1", "On")], "old.jsonl").key == "claude-code:old"
    assert [c.key for c in read_all([*old, user("u2", None, "Another")])] == [
        "claude-code:old", f"claude-code:{SESSION}",
    ]  # fmt: skip


def test_lines_that_are_broken_or_lead_nowhere_break_no_chain() -> None:
    lines: list[Any] = [
        user("u1", None, "Start"),
        '{"type": "assistant", "uuid": "a1", "parentUuid"',
        user("u2", "a1", "On"),
        user("z", "z", "after itself"),
    ]
    conversation = read(lines)
    assert said(conversation) == ["Start", "On", "after itself"]
    assert conversation.problems == ("a line that is not JSON was left out (line 2)",)
    circle = read([*lines, user("x", "y", "round"), user("y", "x", "and round")])
    assert sorted(m.text for m in circle.messages) == ["On", "Start", "after itself", "and round", "round"]


def test_side_conversations_are_left_out_and_a_file_of_nothing_else_says_so() -> None:
    aside = user("s1", None, "Search the code", isSidechain=True)
    conversation = read([user("u1", None, "Start"), aside])
    assert said(conversation) == ["Start"]
    assert conversation.problems == ("a line of what a helper of the session said to itself was left out",)
    with pytest.raises(ReelError) as error:
        read([aside], "agent-1.jsonl")
    assert error.value.message == (
        "agent-1.jsonl holds only what a helper of a Claude Code session said to itself."
    )


def test_the_name_a_person_gave_weighs_most() -> None:
    titles = [
        {"type": "ai-title", "aiTitle": "By the model", "sessionId": SESSION},
        {"type": "custom-title", "customTitle": "By me", "sessionId": SESSION},
    ]
    assert read([user("u1", None, "Start"), *titles]).title == "By me"
    assert read([user("u1", None, "Start"), titles[0]]).title == "By the model"
