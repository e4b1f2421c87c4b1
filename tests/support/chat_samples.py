"""A small chat in every format reel reads, in the shape its program writes."""

import json
from pathlib import Path
from typing import Any

from tests.support.agent_samples import agent_samples
from tests.support.database_samples import Sample, llm_databases, ollama_database, open_webui_database
from tests.support.export_samples import export_samples
from tests.support.messenger_samples import messenger_samples

T = 1_700_000_000


def _json(name: str, value: object) -> Sample:
    return name, json.dumps(value).encode()


def _lines(name: str, *values: object) -> Sample:
    return name, "\n".join(json.dumps(value) for value in values).encode()


def _chatgpt() -> Sample:
    def node(name: str, parent: str | None, children: list[str], role: str, text: str) -> dict[str, Any]:
        message = {
            "id": name,
            "author": {"role": role, "name": None, "metadata": {}},
            "create_time": T + 1.5,
            "content": {"content_type": "text", "parts": [text]},
            "recipient": "all",
            "channel": None,
            "metadata": {"model_slug": "gpt-4o", "attachments": [{"id": "f1", "name": "a.pdf"}]},
        }
        return {"id": name, "parent": parent, "children": children, "message": message}

    thought = node("t", "u", ["a"], "assistant", "")
    thought["message"]["content"] = {
        "content_type": "thoughts",
        "thoughts": [{"summary": "s", "content": "c"}],
    }
    mapping = {
        "root": {"id": "root", "parent": None, "children": ["u"], "message": None},
        "u": node("u", "root", ["t", "b"], "user", "hi"),
        "t": thought,
        "a": node("a", "t", [], "assistant", "hello"),
        "b": node("b", "u", [], "assistant", "hello again"),
    }
    chat = {
        "title": "A chat",
        "create_time": T,
        "update_time": T + 9,
        "mapping": mapping,
        "current_node": "a",
    }
    return _json("conversations.json", [{**chat, "conversation_id": "c1"}, {**chat, "id": "c2"}])


def _claude() -> Sample:
    def message(name: str, after: str, sender: str, *parts: dict[str, Any]) -> dict[str, Any]:
        return {
            "uuid": name,
            "sender": sender,
            "text": "",
            "content": list(parts),
            "parent_message_uuid": after,
            "created_at": "2025-05-01T10:00:00.000000Z",
            "updated_at": "2025-05-01T10:00:00Z",
            "attachments": [{"file_name": "a.txt", "extracted_content": "the lamp"}],
            "files": [{"file_name": "b"}],
        }

    chat = {
        "uuid": "c1",
        "name": "A chat",
        "created_at": "2025-05-01T10:00:00Z",
        "account": {"uuid": "x"},
        "chat_messages": [
            message("m1", "00000000-0000-4000-8000-000000000000", "human", {"type": "text", "text": "hi"}),
            message(
                "m2",
                "m1",
                "assistant",
                {"type": "thinking", "thinking": "hm"},
                {"type": "text", "text": "yo"},
            ),
            message("m3", "m1", "assistant", {"type": "tool_use", "name": "f", "input": {}}),
        ],
    }
    return _json("conversations.json", [chat])


def _lmstudio() -> list[Sample]:
    text = [{"type": "text", "text": "hi"}, {"type": "file", "fileIdentifier": "1.pdf", "fileType": "image"}]
    step = {
        "type": "contentBlock",
        "stepIdentifier": "1700000000000-0.1",
        "style": {"type": "thinking"},
        "content": [{"type": "text", "text": "hm"}],
        "genInfo": {"identifier": "qwen", "stats": {}},
    }
    plain = {**step, "style": None, "content": [{"type": "text", "text": "hello"}]}
    tool = {"type": "toolStatus", "callId": 1, "statusState": {"status": {"type": "toolCallSucceeded"}}}
    answer = {
        "type": "multiStep",
        "role": "assistant",
        "senderInfo": {"senderName": "qwen"},
        "steps": [step, plain],
    }
    ask = {"type": "singleStep", "role": "user", "content": text, "preprocessed": {"content": text}}
    fields = [{"key": "llm.prediction.systemPrompt", "value": "Be."}]
    chat = {
        "name": "A chat",
        "createdAt": T * 1000,
        "systemPrompt": "Be.",
        "perChatPredictionConfig": {"fields": fields},
        "messages": [
            {"versions": [ask], "currentlySelected": 0},
            {
                "versions": [answer, {**answer, "steps": [plain, tool, {"type": "debugInfoBlock"}]}],
                "currentlySelected": 1,
            },
        ],
    }
    early = {"messages": [{"role": "user", "content": "hi"}], "inference_params": {"pre_prompt": "Be."}}
    return [_json("1700000000000.conversation.json", chat), _json("old.chat.json", early)]


def _openwebui() -> list[Sample]:
    def message(name: str, after: str | None, below: list[str], role: str) -> dict[str, Any]:
        return {
            "id": name,
            "parentId": after,
            "childrenIds": below,
            "role": role,
            "timestamp": T,
            "model": "qwen",
            "content": '<details type="reasoning" done="true"><summary>x</summary>\n> hm\n</details>\nhello',
            "files": [{"type": "file", "name": "a.txt", "file": {"data": {"content": "the lamp"}}}],
        }

    tree = {
        "u": message("u", None, ["a", "b"], "user"),
        "a": message("a", "u", [], "assistant"),
        "b": message("b", "u", [], "assistant"),
    }
    inner = {
        "title": "A chat",
        "models": ["qwen"],
        "history": {"currentId": "a", "messages": tree},
        "messages": [],
    }
    return [
        _json("chat-export.json", [{"id": "c1", "title": "A chat", "chat": inner, "created_at": T}]),
        _json("chat.json", inner),
        open_webui_database(json.dumps(inner)),
    ]


def _sillytavern() -> Sample:
    header = {
        "user_name": "Bo",
        "character_name": "Ada",
        "create_date": "2024-7-12@01h31m37s",
        "chat_metadata": {},
    }
    swiped = {
        "name": "Ada",
        "is_user": False,
        "is_system": False,
        "send_date": "June 19, 2023 2:20pm",
        "mes": "hello",
        "swipes": ["hello", "hi"],
        "swipe_id": 0,
        "swipe_info": [{"send_date": T}],
        "extra": {"reasoning": "hm"},
    }
    asked = {
        "name": "Bo",
        "is_user": True,
        "send_date": "2023-4-21 @20h 02m 47s 124ms",
        "mes": "hi",
        "extra": {},
    }
    return _lines("Ada - 2024-7-12.jsonl", header, asked, swiped)


def _claude_code() -> Sample:
    def line(kind: str, name: str, after: str | None, *parts: dict[str, Any]) -> dict[str, Any]:
        return {
            "type": kind,
            "uuid": name,
            "parentUuid": after,
            "sessionId": "s1",
            "isSidechain": False,
            "timestamp": "2025-07-01T10:00:00.000Z",
            "message": {"role": kind, "id": f"m-{name}", "model": "claude", "content": list(parts)},
        }

    text = {"type": "text", "text": "<command-name>/x</command-name><command-args>y</command-args>"}
    return _lines(
        "s1.jsonl",
        line("user", "u1", None, text, {"type": "image", "source": {"data": "AA"}}),
        line(
            "assistant", "a1", "u1", {"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "hello"}
        ),
        line("assistant", "a2", "a1", {"type": "tool_use", "id": "t", "name": "f", "input": {}}),
        line(
            "user",
            "r1",
            "a2",
            {"type": "tool_result", "tool_use_id": "t", "content": [{"type": "text", "text": "x"}]},
        ),
        line("user", "b1", "u1", {"type": "text", "text": "left"}),
        {
            "type": "system",
            "subtype": "compact_boundary",
            "uuid": "cb",
            "parentUuid": None,
            "logicalParentUuid": "r1",
        },
        {
            "type": "attachment",
            "uuid": "q",
            "parentUuid": "cb",
            "attachment": {"type": "queued_command", "prompt": "p"},
        },
        line("assistant", "a3", "q", {"type": "text", "text": "bye"}),
        {"type": "summary", "summary": "A session", "leafUuid": "a3"},
    )


def _jan() -> Sample:
    def message(role: str, **more: Any) -> dict[str, Any]:
        parts = [{"type": "reasoning", "text": {"value": "hm"}}, {"type": "text", "text": {"value": "hi"}}]
        return {
            "object": "thread.message",
            "thread_id": "t1",
            "role": role,
            "content": parts,
            "metadata": {"tool_calls": [{}]},
            "attachments": [{"file": {"filename": "a"}}],
            **more,
        }

    return _lines(
        "messages.jsonl", message("user", created_at=T), message("assistant", created=T * 1000, model="q")
    )


def _koboldai() -> list[Sample]:
    settings = {
        "opmode": 3,
        "chatname": "Bo",
        "chatopponent": "Ada||$||Mia",
        "instruct_starttag": "\\n###\\n",
    }
    about = {"0": {"Selected Text": "One.", "Alternative Text": [{"Text": "Uno."}]}}
    story = {
        "gamestarted": True,
        "prompt": "Bo: hi\nAda:",
        "memory": "m",
        "authorsnote": "a",
        "savedsettings": settings,
    }
    united = {"actions": {"0": {"Selected Text": "One.", "Options": [{"text": "Uno."}]}}, "action_count": 0}
    return [
        _json("story.json", {**story, "actions": [" hello\nBo: bye", "Mia: [<|p|x|p|>]"]}),
        _json(
            "tags.json",
            {**story, "actions": ["{{[INPUT]}}hi{{[OUTPUT]}}", "yo"], "savedsettings": {"opmode": 4}},
        ),
        _json(
            "client.json",
            {**story, "actions": ["One.", "\n> go\n"], "actions_metadata": about, "savedsettings": {}},
        ),
        _json("united.json", {**story, "actions": united, "prompt": "You", "savedsettings": None}),
    ]


def _textgen() -> list[Sample]:
    about = {
        "user_0": {"timestamp": "Jun 05, 2025 14:33", "attachments": [{"name": "a", "content": "b"}]},
        "assistant_1": {"timestamp": "Jun 05, 2025 14:33", "versions": [{"content": "x"}], "model_name": "q"},
    }
    rows = [["<|BEGIN-VISIBLE-CHAT|>", "hello"], ["hi", "<|channel|>final<|message|>yo<|end|>"]]
    return [
        _json(
            "20250605-14-33-00.json",
            {"internal": rows, "visible": [["", "hello"], ["hi", "yo"]], "metadata": about},
        ),
        _json("Ada_20230101-101010.json", {"data": rows, "data_visible": rows}),
    ]


def _sharegpt() -> Sample:
    turns = [
        {"from": "system", "value": "Be."},
        {"from": "human", "value": "hi"},
        {"from": "gpt", "value": "yo"},
    ]
    return _json("sharegpt.json", [{"id": "c1", "conversations": turns}, {"conversations": turns}])


def _messages() -> list[Sample]:
    asked = {
        "role": "user",
        "content": [{"type": "text", "text": "hi"}, {"type": "image_url", "image_url": {"url": "u"}}],
    }
    answered = {
        "role": "assistant",
        "content": "hello <think>",
        "reasoning_content": "hm",
        "created_at": T,
        "tool_calls": [{"id": "t", "function": {"name": "f", "arguments": "{}"}}],
    }
    return [
        _json("chat.json", {"id": "c1", "title": "A chat", "model": "q", "messages": [asked, answered]}),
        _lines("chats.jsonl", {"messages": [asked, answered]}, {"messages": [answered]}),
        _lines("lines.jsonl", {"title": "A chat"}, asked, answered),
    ]


_LLM_LOG = b"""# 2025-05-01T10:00:00    conversation: c1 id: r1

Model: **qwen**

## Prompt

hi

## Response

### Tool calls

- **f**: `x`

hello
"""
_PASTED: list[Sample] = [
    (
        "chat.md",
        b"---\ntitle: A chat\n---\n\n**You:** hi\n\n```\n**You:** x\n```\n\n**Ada (q)** [21:14]: hello\n",
    ),
    ("chat.txt", b"[2026-02-10 21:14] Bo: hi\n[2026-02-10 21:15] Ada: <think>hm</think> hello\n"),
    ("copied.txt", b"You said:\nhi\nChatGPT said:\nThought for 3s\nhello\nChatGPT can make mistakes. So.\n"),
    ("log.md", _LLM_LOG),
]


def samples() -> list[Sample]:
    """At least one file of every format."""
    return [
        _chatgpt(),
        _claude(),
        *_lmstudio(),
        *_openwebui(),
        _sillytavern(),
        _claude_code(),
        _jan(),
        *_koboldai(),
        *_textgen(),
        ollama_database(),
        *llm_databases(),
        _sharegpt(),
        *_messages(),
        *messenger_samples(),
        *export_samples(),
        *agent_samples(),
        *_PASTED,
    ]


def real_samples(shared_data: Path, largest: int = 40_000) -> list[Sample]:
    """The smaller of the files that nobody here wrote."""
    paths = sorted(path for path in (shared_data / "samples").rglob("*") if path.is_file())
    return [(path.name, path.read_bytes()) for path in paths if path.stat().st_size <= largest]
