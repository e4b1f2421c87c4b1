"""Small sessions of programs that work on files as they talk, in the shape each writes."""

import json
from typing import Any

from tests.support.database_samples import Sample, database

T = 1_700_000_000_000
STAMP = "2026-02-02T07:24:02.806Z"


def lines(*values: object) -> bytes:
    """JSON Lines of these."""
    return "\n".join(json.dumps(value) for value in values).encode()


def codex_records() -> list[dict[str, Any]]:
    """A session of Codex in which one turn was rolled back."""

    def item(**payload: Any) -> dict[str, Any]:
        return {"timestamp": STAMP, "type": "response_item", "payload": payload}

    def event(**payload: Any) -> dict[str, Any]:
        return {"timestamp": STAMP, "type": "event_msg", "payload": payload}

    def message(role: str, *texts: str) -> dict[str, Any]:
        kind = "output_text" if role == "assistant" else "input_text"
        return item(type="message", role=role, content=[{"type": kind, "text": text} for text in texts])

    return [
        {
            "timestamp": STAMP,
            "type": "session_meta",
            "payload": {"id": "s1", "timestamp": STAMP, "cwd": "/x"},
        },
        {"timestamp": STAMP, "type": "turn_context", "payload": {"model": "gpt-5-codex", "cwd": "/x"}},
        message("developer", "Be."),
        message("user", "<environment_context>\n  <cwd>/x</cwd>\n</environment_context>"),
        message("user", "something put in"),
        message("user", "hi"),
        event(type="user_message", message="hi", images=[]),
        item(type="reasoning", summary=[{"type": "summary_text", "text": "hm"}], encrypted_content="x"),
        item(type="function_call", name="shell", arguments="{}", call_id="c"),
        item(type="function_call_output", call_id="c", output="ok"),
        message("assistant", "hello"),
        event(type="agent_message", message="hello"),
        message("user", "wrong way"),
        event(type="user_message", message="wrong way"),
        message("assistant", "yo"),
        event(type="thread_rolled_back", num_turns=1),
        message("user", "right way"),
        event(type="user_message", message="right way"),
        message("assistant", "done"),
    ]


def gptme_messages() -> list[dict[str, Any]]:
    """A conversation of gptme, with times of its own machine."""
    at = "2026-02-02T07:24:0{}.806123"
    return [
        {
            "role": "system",
            "content": "You are gptme.",
            "timestamp": at.format(0),
            "pinned": True,
            "hide": True,
        },
        {"role": "user", "content": "hi", "timestamp": at.format(1), "files": ["/x/a.txt"]},
        {"role": "assistant", "content": "hello", "timestamp": at.format(2), "metadata": {"model": "q"}},
        {"role": "system", "content": "Ran command", "timestamp": at.format(3), "call_id": "c"},
    ]


def pi_entries() -> list[dict[str, Any]]:
    """A session of Pi in which a prompt was put anew."""

    def entry(name: str, after: str | None, role: str, content: object, **more: Any) -> dict[str, Any]:
        inner = {"role": role, "content": content, "timestamp": T, **more}
        return {"type": "message", "id": name, "parentId": after, "timestamp": STAMP, "message": inner}

    call = {"type": "toolCall", "id": "c", "name": "bash", "arguments": {}}
    return [
        {"type": "session", "version": 3, "id": "p1", "timestamp": STAMP, "cwd": "/x"},
        {"type": "model_change", "id": "e0", "parentId": None, "timestamp": STAMP, "modelId": "q"},
        entry("e1", "e0", "user", "hi"),
        entry("e2", "e1", "assistant", [{"type": "thinking", "thinking": "hm"}, call], model="q"),
        entry("e3", "e2", "toolResult", [{"type": "text", "text": "ok"}], toolName="bash"),
        entry("e4", "e3", "assistant", [{"type": "text", "text": "hello"}], model="q"),
        entry("e5", "e0", "user", [{"type": "text", "text": "yo"}]),
        {"type": "session_info", "id": "e6", "parentId": "e5", "timestamp": STAMP, "name": "A chat"},
        entry("e7", "e6", "assistant", [{"type": "text", "text": "hello"}], model="q"),
    ]


def gemini_cli_records() -> list[dict[str, Any]]:
    """A session of Gemini CLI as a log, with a step back and a message anew."""

    def message(name: str, kind: str, content: object, **more: Any) -> dict[str, Any]:
        return {"id": name, "timestamp": STAMP, "type": kind, "content": content, **more}

    return [
        {"sessionId": "g1", "projectHash": "x", "startTime": STAMP, "lastUpdated": STAMP, "kind": "main"},
        message("m1", "user", [{"text": "hi"}], displayContent="hi"),
        message("m2", "gemini", "hel", model="gemini-2.5-pro"),
        message(
            *("m2", "gemini", "hello"),
            model="gemini-2.5-pro",
            thoughts=[{"subject": "Thinking", "description": "hm"}],
            toolCalls=[{"id": "c", "name": "f", "args": {}, "status": "success"}],
        ),
        message("m3", "info", "Saved."),
        message("m4", "user", "wrong way"),
        {"$rewindTo": "m4"},
        message("m5", "user", "yo"),
        {"$set": {"summary": "A chat"}},
    ]


def vscode_session() -> dict[str, Any]:
    """A chat session of VS Code."""
    answer = [
        {"kind": "thinking", "value": "hm"},
        {"value": "hello in ", "supportHtml": False},
        {"kind": "inlineReference", "inlineReference": {"path": "/x/a.py", "scheme": "file"}},
        {"kind": "toolInvocationSerialized", "toolId": "f", "pastTenseMessage": {"value": "Read"}},
        {"kind": "undoStop", "id": "u"},
    ]
    request = {
        "requestId": "r1",
        "message": {"text": "hi", "parts": []},
        "variableData": {"variables": [{"name": "a.py"}]},
        "response": answer,
        "timestamp": T,
        "modelId": "copilot/gpt-4o",
    }
    about = {"version": 3, "responderUsername": "GitHub Copilot", "initialLocation": "panel"}
    return {**about, "requests": [request], "sessionId": "v1", "creationDate": T, "customTitle": "A chat"}


AIDER = """
# aider chat started at 2026-02-02 07:24:02

> aider v0.86.2@@
> Model: q with diff edit format@@

#### hi@@
#### there@@

hello

#### A heading
> a quote

> Applied edit to a.py@@

#### <blank>@@

# aider chat started at 2026-02-02 07:30:00

#### yo@@

hello
""".replace("@@", "  ")


def cursor_database() -> Sample:
    """Cursor's, with a chat by keys and one of its early versions."""

    def bubble(name: str, kind: int, text: str, **more: Any) -> tuple[str, str]:
        return f"bubbleId:c1:{name}", json.dumps({"bubbleId": name, "type": kind, "text": text, **more})

    headers = [{"bubbleId": name, "type": 1} for name in ("b1", "b2", "b3", "b4")]
    outline = {"composerId": "c1", "name": "A chat", "createdAt": T, "fullConversationHeadersOnly": headers}
    early = {"tabs": [{"tabId": "t1", "chatTitle": "Early", "bubbles": [{"type": "user", "text": "hi"}]}]}
    rows = [
        ("composerData:c1", json.dumps(outline)),
        bubble("b1", 1, "hi", createdAt=STAMP),
        bubble("b2", 2, "", toolFormerData={"name": "f", "rawArgs": "{}", "result": "x"}),
        bubble("b3", 2, "hello", thinking={"text": "hm"}, modelInfo={"modelName": "q"}),
    ]
    script = """
        CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
        CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
    """
    item = ("workbench.panel.aichat.view.aichat.chatdata", json.dumps(early))
    found = [("INSERT INTO cursorDiskKV VALUES (?, ?)", row) for row in rows]
    return database("state.vscdb", script, *found, ("INSERT INTO ItemTable VALUES (?, ?)", item))


def opencode_turns() -> list[dict[str, Any]]:
    """The messages of a session of OpenCode."""

    def turn(name: str, role: str, *parts: dict[str, Any], **more: Any) -> dict[str, Any]:
        info = {"id": name, "role": role, "sessionID": "ses_1", "time": {"created": T}, **more}
        return {"info": info, "parts": [{"id": f"prt_{name}{i}", **part} for i, part in enumerate(parts)]}

    text = {"type": "text", "text": "hi"}
    put_in = {"type": "text", "text": "put in", "synthetic": True}
    call = {"type": "tool", "tool": "bash", "state": {"status": "completed", "input": {}, "output": "x"}}
    thought = {"type": "reasoning", "text": "hm"}
    return [
        turn("msg_1", "user", text, put_in, {"type": "file", "filename": "a.txt", "url": "data:x"}),
        turn("msg_2", "assistant", thought, call, {"type": "text", "text": "hello"}, modelID="q"),
        turn("msg_3", "user", {"type": "text", "text": "wrong way"}),
    ]


def opencode_export() -> dict[str, Any]:
    """One as `opencode export` prints it, its last message taken back."""
    about = {"id": "ses_1", "title": "A chat", "time": {"created": T}, "revert": {"messageID": "msg_3"}}
    return {"info": about, "messages": opencode_turns()}


def opencode_database() -> Sample:
    """OpenCode's, with that session and one of a helper."""
    script = """
        CREATE TABLE session (id TEXT, parent_id TEXT, title TEXT, time_created INT, revert TEXT);
        CREATE TABLE message (id TEXT, session_id TEXT, time_created INT, data TEXT);
        CREATE TABLE part (id TEXT, message_id TEXT, session_id TEXT, data TEXT);
    """
    rows: list[tuple[str, tuple[object, ...]]] = [
        (
            "INSERT INTO session VALUES (?, ?, ?, ?, ?)",
            ("ses_1", None, "A chat", T, json.dumps({"messageID": "msg_3"})),
        ),
        ("INSERT INTO session VALUES (?, ?, ?, ?, ?)", ("ses_2", "ses_1", "A helper", T, None)),
    ]
    for turn in opencode_turns():
        name = turn["info"]["id"]
        rows.append(("INSERT INTO message VALUES (?, ?, ?, ?)", (name, "ses_1", T, json.dumps(turn["info"]))))
        for part in turn["parts"]:
            values = (part["id"], name, "ses_1", json.dumps(part))
            rows.append(("INSERT INTO part VALUES (?, ?, ?, ?)", values))
    return database("opencode.db", script, *rows)


def oterm_database() -> Sample:
    """oterm's."""
    script = """
        CREATE TABLE chat (id INTEGER, name TEXT, model TEXT, system TEXT, provider TEXT, parameters TEXT,
            tools TEXT, thinking BOOLEAN);
        CREATE TABLE message (id INTEGER, chat_id INTEGER, author TEXT, text TEXT, images TEXT);
    """
    insert = "INSERT INTO message VALUES (?, ?, ?, ?, ?)"
    chat = (1, "A chat", "qwen", "Be.", "ollama", "{}", "[]", 0)
    return database(
        "store.db",
        script,
        ("INSERT INTO chat VALUES (?, ?, ?, ?, ?, ?, ?, ?)", chat),
        (insert, (1, 1, "user", "hi", '["AAAA"]')),
        (insert, (2, 1, "assistant", "<think>hm</think>\nhello", "[]")),
    )


def agent_samples() -> list[Sample]:
    """At least one file of each."""
    log = [{"kind": 0, "v": {**vscode_session(), "requests": []}}]
    log.append({"kind": 2, "k": ["requests"], "v": vscode_session()["requests"]})
    saved = [{"role": "user", "parts": [{"text": "hi"}]}, {"role": "model", "parts": [{"text": "hello"}]}]
    return [
        ("rollout-2026-02-02T07-24-02-s1.jsonl", lines(*codex_records())),
        ("conversation.jsonl", lines(*gptme_messages())),
        ("2026-02-02_p1.jsonl", lines(*pi_entries())),
        ("session-2026-02-02T07-24-g1.jsonl", lines(*gemini_cli_records())),
        ("checkpoint-x.json", json.dumps(saved).encode()),
        ("v1.json", json.dumps(vscode_session()).encode()),
        ("v1.jsonl", lines(*log)),
        (".aider.chat.history.md", AIDER.encode()),
        cursor_database(),
        ("session.json", json.dumps(opencode_export()).encode()),
        opencode_database(),
        oterm_database(),
    ]
