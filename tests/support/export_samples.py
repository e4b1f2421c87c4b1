"""Small exports of Gemini, Google AI Studio and Grok, in the shape their programs write."""

import json
from typing import Any

from tests.support.database_samples import Sample

T = 1_700_000_000


def aistudio_prompt() -> dict[str, Any]:
    """A prompt of Google AI Studio with a file, a thought, code, and a draft that was not sent."""
    chunks = [
        {"text": "hi", "role": "user", "tokenCount": 1, "createTime": "2026-01-29T14:32:00.123Z"},
        {"driveDocument": {"id": "1aB"}, "role": "user", "tokenCount": 258},
        {"text": "hm", "role": "model", "isThought": True, "thinkingBudget": -1},
        {
            "text": "hello",
            "role": "model",
            "isEdited": True,
            "finishReason": "STOP",
            "parts": [
                {"text": "hel"},
                {"text": "lo"},
                {"executableCode": {"code": "1", "language": "PYTHON"}},
            ],
        },
    ]
    return {
        "runSettings": {"temperature": 1.0, "model": "models/gemini-2.5-pro", "safetySettings": []},
        "systemInstruction": {"parts": [{"text": "Be."}]},
        "chunkedPrompt": {"chunks": chunks, "pendingInputs": [{"text": "and", "role": "user"}]},
    }


def gemini_activities() -> list[dict[str, Any]]:
    """Google Takeout's list of activities, the newest first."""

    def activity(title: str, hour: int, *answers: str, **more: Any) -> dict[str, Any]:
        about = {"header": "Gemini Apps", "title": title, "time": f"2026-02-02T{hour:02}:24:02.806Z"}
        items = {"safeHtmlItem": [{"html": answer} for answer in answers]} if answers else {}
        return {**about, "products": ["Gemini Apps"], "activityControls": ["x"], **items, **more}

    return [
        activity("Gave feedback: Good response", 9),
        activity("Prompted and then?", 8, "<p>yo <b>you</b></p>", "<ul><li>a</li></ul>", imageFile="a.png"),
        activity("Prompted hi", 7, "<p>hello</p>"),
        activity("Prompted x", 6, "<p>y</p>", titleUrl="https://gemini.google.com/app/abcdef12"),
    ]


def gemini_conversation() -> dict[str, Any]:
    """One conversation of Google Takeout."""
    stamp = "2026-02-02T07:24:02Z"
    asked = {"prompt": "hi", "turn_index": 0, "turn_last_modified": stamp}
    answered = {
        "text": [{"data": "hello"}, {"cards": [{"content": "yo"}]}],
        "images": ["conversation_1_turn_1_images_0"],
        "model_thoughts": [{"headline": "Thinking", "description": "hm"}],
        "turn_index": 1,
        "turn_last_modified": stamp,
    }
    turns = [{"user_turn": asked}, {"system_turn": answered}]
    return {"title": "A chat", "creation_time": stamp, "conversation_turns": turns}


def grok_export() -> dict[str, Any]:
    """Grok's export: a conversation in which an answer was asked for again."""

    def response(number: int, sender: str, text: str, after: int | None, **more: Any) -> dict[str, Any]:
        about = {"_id": f"r{number}", "sender": sender, "message": text, "model": "grok-3"}
        stamp = {"create_time": {"$date": {"$numberLong": str((T + number) * 1000)}}}
        parent = {"parent_response_id": f"r{after}"} if after else {}
        return {"response": {**about, **stamp, **parent, **more}, "share_link": None}

    about = {"id": "c1", "title": "A chat", "create_time": "2023-11-14T22:13:20.5Z"}
    responses = [
        response(1, "human", "hi", None, file_attachments=["f1"]),
        response(2, "ASSISTANT", "hello", 1),
        response(3, "ASSISTANT", "yo", 1, thinking_trace="hm"),
    ]
    return {"conversations": [{"conversation": about, "responses": responses}], "projects": [], "tasks": []}


def export_samples() -> list[Sample]:
    """One file of each."""
    return [
        ("My prompt", json.dumps(aistudio_prompt()).encode()),
        ("MyActivity.json", json.dumps(gemini_activities()).encode()),
        ("conversation_1.txt", json.dumps(gemini_conversation()).encode()),
        ("prod-grok-backend.json", json.dumps(grok_export()).encode()),
    ]
