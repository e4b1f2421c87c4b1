import json
from pathlib import Path
from typing import Any

import pytest

from reel_cli.core.errors import ReelError
from reel_cli.core.tape.formats.registry import read_source
from reel_cli.core.values.talk import Conversation, Kind
from tests.support.chat_databases import OPEN_WEBUI, make, read_file
from tests.support.chat_fixtures import brief


def node(name: str, parent: str | None, content: Any, role: str = "", **more: Any) -> dict[str, Any]:
    role = role or ("user" if name.startswith("u") else "assistant")
    return {"id": name, "parentId": parent, "childrenIds": [], "role": role, "content": content, **more}


def tree(current: str | None, *nodes: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"history": {"messages": {n["id"]: n for n in nodes}, "currentId": current}, "title": "t", **more}


def read(value: object, **more: Any) -> Conversation:
    [conversation] = read_source(json.dumps(value).encode(), filename="x.json", **more)
    assert conversation.format == "openwebui"
    return conversation


def test_the_sample_of_another_program_is_read(shared_data: Path) -> None:
    path = shared_data / "samples" / "openwebui" / "chat-tree.json"
    [conversation] = read_source(path.read_bytes(), filename=path.name)
    assert (conversation.format, conversation.key, conversation.model, conversation.problems) == (
        "openwebui",
        None,
        "deepseek/deepseek-chat:free",
        (),
    )
    assert conversation.title == "\U0001f9e0 Goldwater Rule Ethics"
    assert conversation.started == "2025-04-13T20:52:37.127+00:00"
    assert [(m.kind, m.role, m.time, m.model) for m in conversation.messages] == [
        (Kind.SAID, "user", "2025-04-13T20:52:37+00:00", None),
        (Kind.SAID, "assistant", "2025-04-13T20:52:37+00:00", "deepseek/deepseek-chat:free"),
    ]
    raw = json.loads(path.read_text(encoding="utf-8"))
    assert [m.text for m in conversation.messages] == [m["content"] for m in raw["messages"]]


def test_the_way_shown_was_said_and_the_roads_left_are_versions() -> None:
    chat = tree(
        "a4",
        node("u1", None, "hi", timestamp=1700000000),
        node("a1", "u1", "first answer", timestamp=1700000001000),
        node("a2", "u1", "second answer"),
        node("u2", "a1", "asked of the first"),
        node("a3", "u2", "its answer"),
        node("u3", "a2", "asked of the second"),
        node("a4", "u3", "the end"),
        node("u4", "a1", "asked otherwise"),
        node("u0", None, "hello"),
    )
    conversation = read({"id": "c1", "user_id": "x", "title": "t2", "chat": chat, "created_at": 1699999999})
    assert [(m.kind.value, m.text, m.road) for m in conversation.messages] == [
        ("said", "hi", None),
        ("version", "hello", 3),
        ("said", "second answer", None),
        ("version", "first answer", 1),
        ("version", "asked of the first", 1),
        ("version", "its answer", 1),
        ("version", "asked otherwise", 2),
        ("said", "asked of the second", None),
        ("said", "the end", None),
    ]
    assert (conversation.key, conversation.title) == ("openwebui:c1", "t2")
    assert conversation.started == "2023-11-14T22:13:19+00:00"
    assert conversation.messages[3].time == "2023-11-14T22:13:21+00:00"


DETAILS = """<details type="reasoning" done="true" duration="3">
<summary>Thought for 3 seconds</summary>
> They ask
>
> about &lt;b&gt;.
</details>
Let me look.

<details type="tool_calls" done="true" id="c1" name="clock" arguments="&quot;{}&quot;" result="&quot;Tuesday&quot;">
<summary>Tool Executed</summary>
</details>

It is Tuesday.
```html
<details type="reasoning" done="true">
kept as written
</details>
```"""  # noqa: E501


def test_thinking_and_tools_folded_into_an_answer_are_taken_out_of_it() -> None:
    conversation = read(tree("a1", node("u1", None, "what day?"), node("a1", "u1", DETAILS)))
    assert brief(conversation) == [
        ("said", "user", "what day?"),
        (
            "said",
            "assistant",
            f"Let me look.\n\nIt is Tuesday.\n{DETAILS[DETAILS.index('```') :]}",
        ),
        ("reasoning", "assistant", "They ask\n\nabout &lt;b&gt;."),
        ("tool", "tool", '{"name": "clock", "arguments": "\\"{}\\"", "result": "\\"Tuesday\\""}'),
    ]


def test_thinking_written_as_html_and_thinking_without_an_end_are_read() -> None:
    escaped = (
        '<details type="reasoning" done="true">\n<summary>x</summary>\n&gt; a &lt;b&gt;\n</details>\nSo.'
    )
    open_ended = '<details type="reasoning" done="false">\n<summary>Thinking…</summary>\n> never ends'
    nodes = [
        node("u1", None, "a"),
        node("a1", "u1", escaped),
        node("u2", "a1", "b"),
        node("a2", "u2", open_ended),
    ]
    assert brief(read(tree("a2", *nodes))) == [
        ("said", "user", "a"),
        ("said", "assistant", "So."),
        ("reasoning", "assistant", "a <b>"),
        ("said", "user", "b"),
        ("reasoning", "assistant", "never ends"),
    ]


def test_an_answer_kept_in_steps_is_read() -> None:
    output = [
        {"type": "reasoning", "id": "r", "content": [{"type": "output_text", "text": "Which day?"}]},
        {"type": "function_call", "id": "f", "name": "clock", "arguments": "{}"},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Tuesday."}]},
    ]
    conversation = read(tree("a1", node("u1", None, "day?"), node("a1", "u1", "", output=output)))
    assert brief(conversation)[1:] == [
        ("said", "assistant", "Tuesday."),
        ("reasoning", "assistant", "Which day?"),
        ("tool", "tool", '{"type": "function_call", "name": "clock", "arguments": "{}"}'),
    ]


def test_files_and_sources_are_attached_whole_and_once() -> None:
    text = "all of the book. " * 3000
    file = {"type": "file", "name": "book.txt", "id": "f1", "file": {"id": "f1", "data": {"content": text}}}
    source = {"source": {"name": "book.txt"}, "document": ["all of", text], "metadata": [{}]}
    chat = tree(
        "a1",
        node("u1", None, "read", files=[file, {"type": "image", "url": "data:image/png;base64,AAAA"}]),
        node("a1", "u1", "done", sources=[source]),
        files=[file],
        params={"system": "Be kind."},
    )
    assert brief(read(chat)) == [
        ("system", "system", "Be kind."),
        ("said", "user", "read"),
        ("attachment", "user", f"[file: book.txt]\n\n{text}"),
        ("attachment", "user", "[image]"),
        ("said", "assistant", "done"),
        ("attachment", "assistant", "[source: book.txt]\n\nall of"),
    ]


def test_a_chat_without_a_tree_is_read_from_its_list() -> None:
    listed = [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "ok", "model": "m"}]
    conversation = read([{"id": "c", "chat": {"title": "t", "messages": listed}}])
    assert brief(conversation) == [("said", "user", "hi"), ("said", "assistant", "ok")]
    assert (conversation.key, conversation.model) == ("openwebui:c", "m")


@pytest.mark.parametrize("current", [None, "gone", 5, ["a1"]])
def test_where_the_end_is_unknown_the_latest_leaf_is_taken(current: Any) -> None:
    nodes = [
        node("u1", None, "hi"),
        node("a1", "u1", "new", timestamp=9),
        node("a2", "u1", "old", timestamp=3),
    ]
    conversation = read(tree(current, *nodes))
    assert [m.text for m in conversation.messages] == ["hi", "new", "old"]
    assert conversation.problems[0].startswith("which message is shown cannot be told")


def test_an_answer_written_after_the_last_save_of_the_end_is_still_shown() -> None:
    assert [m.text for m in read(tree("u1", node("u1", None, "hi"), node("a1", "u1", "yes"))).said()] == [
        "hi",
        "yes",
    ]


def test_circles_and_lost_parents_lose_nothing() -> None:
    nodes = [
        node("u1", "a2", "one"),
        node("a1", "u1", "two"),
        node("a2", "a1", "three"),
        node("u9", "gone", "four"),
    ]
    conversation = read(tree("a1", *nodes))
    assert sorted(m.text for m in conversation.messages) == ["four", "one", "three", "two"]
    assert "a message follows one that is not there (u9)" in conversation.problems
    assert [m.text for m in read(tree("u1", node("u1", "u1", "alone"))).messages] == ["alone"]


def test_a_deep_chat_and_a_wide_one_are_read() -> None:
    deep = [node(f"u{i}", f"u{i - 1}" if i else None, str(i)) for i in range(5000)]
    assert len(read(tree("u4999", *deep)).said()) == 5000
    wide = [node("u0", None, "0"), *(node(f"a{i}", "u0", str(i)) for i in range(3000))]
    assert len(read(tree("a5", *wide)).messages) == 3001


@pytest.mark.parametrize("bad", [None, 5, True, "x", [], ["x", None], {"a": 1}, [[]], {"messages": 4}])
def test_wrong_types_lead_to_notes(bad: Any) -> None:
    fields = dict.fromkeys(
        ("parentId", "childrenIds", "timestamp", "files", "sources", "output", "model", "merged"), bad
    )
    chat = tree(
        "u1", node("u1", None, "said") | fields, node("a2", "u1", bad), title=bad, files=bad, params=bad
    )
    chat["history"]["messages"]["odd"] = bad
    about = {"id": bad, "created_at": bad, "chat": chat, "meta": bad}
    conversation = read_source(json.dumps([about, bad, {"chat": bad}]).encode(), filename="x.json")[0]
    assert conversation.messages[0].text == "said"
    assert read(tree("u1", node("u1", None, "said"), node("u2", "u1", "odd", role="") | {"role": bad})).said()


def test_a_persona_that_is_a_model_of_the_app_has_its_name() -> None:
    nodes = [node("u1", None, "hi"), node("a1", "u1", "yes", model="ada-1", modelName="Ada")]
    assert read(tree("a1", *nodes), persona_names=["ada"]).messages[1].name == "Ada"
    assert read(tree("a1", *nodes)).messages[1].name is None


def test_what_is_no_chat_is_refused() -> None:
    with pytest.raises(ReelError, match="is not an Open WebUI chat"):
        read_source(b'{"a": 1}', filename="x.json", format="openwebui")


def chat_row(name: str, chat: Any, **more: Any) -> dict[str, Any]:
    return {
        "id": name,
        "user_id": "p1",
        "title": f"title {name}",
        "chat": chat,
        "created_at": 1700000000,
        **more,
    }


def test_the_database_is_read(tmp_path: Path) -> None:
    attached = node("u1", None, "read it", files=[{"type": "file", "id": "f1", "name": "a.txt"}])
    rows: dict[str, Any] = {
        "user": [{"id": "p1", "name": "Bo"}, {"id": "p2", "name": "Eve"}],
        "file": [{"id": "f1", "filename": "a.txt", "data": {"content": "what the file says"}}],
        "chat": [
            chat_row("c1", tree("a1", attached, node("a1", "u1", "done", model="m"))),
            chat_row("c2", {"title": "x", "history": {"messages": {}}}, current_message_id="a1"),
            chat_row("c3", tree("u1", node("u1", None, "a note")), meta={"internal": True}),
            chat_row("c4", tree("u1", node("u1", None, "a copy")), user_id="shared-c1"),
            chat_row("c5", "{broken"),
            chat_row("c6", tree("u1", node("u1", None, "hers")), user_id="p2"),
        ],
        "chat_message": [
            {
                "id": "c2-u1", "chat_id": "c2", "role": "user", "content": '"from the table"',
                "created_at": 1700000001,
            },
            {
                "id": "c2-a1", "chat_id": "c2", "role": "assistant", "parent_id": "u1",
                "content": '"answered"', "model_id": "m2", "created_at": 1700000002,
            },
        ],
    }  # fmt: skip
    found = read_file(make(tmp_path / "webui.db", OPEN_WEBUI, rows))
    assert [(c.key, c.title, c.model, brief(c)) for c in found] == [
        (
            "openwebui:c1",
            "title c1",
            "m",
            [
                ("said", "user", "read it"),
                ("attachment", "user", "[file: a.txt]\n\nwhat the file says"),
                ("said", "assistant", "done"),
            ],
        ),
        (
            "openwebui:c2",
            "title c2",
            "m2",
            [("said", "user", "from the table"), ("said", "assistant", "answered")],
        ),
        ("openwebui:c6", "title c6", None, [("said", "user", "hers")]),
    ]
    assert [c.messages[0].name for c in found] == ["Bo", "Bo", "Eve"]
    assert found[1].messages[1].time == "2023-11-14T22:13:22+00:00"
    problems = "\n".join(line for c in found for line in c.problems)
    assert "the database holds chats of several people (2 of them)" in problems
    assert "copies that were shared, and chats of the app's own, were left out" in problems
    assert "a chat without messages was left out (title c5)" in problems


@pytest.mark.parametrize("bad", [None, 5, 1.5, b"\xff", b"{}", "", "x", "[" * 100_000, "[1, 2]"])
def test_cells_of_any_type_lead_to_notes(tmp_path: Path, bad: Any) -> None:
    schema = "CREATE TABLE chat (id, user_id, title, chat, created_at, meta); CREATE TABLE user (id, name);"
    good = {"id": "ok", "chat": tree("u1", node("u1", None, "said"))}
    odd = {"id": bad, "user_id": bad, "title": bad, "created_at": bad, "meta": bad, "chat": good["chat"]}
    rows = {"chat": [good, odd, {**good, "chat": bad}], "user": [{"id": bad, "name": bad}]}
    found = read_file(make(tmp_path / "webui.db", schema, rows))
    assert [c.messages[0].text for c in found] == ["said", "said"]
