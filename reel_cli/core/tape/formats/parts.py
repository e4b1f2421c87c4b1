"""A message's content as JSON apps keep it: a string, or a list of parts of many kinds."""

import json
from dataclasses import dataclass, field

from reel_cli.core.tape.formats.source import Notes
from reel_cli.core.values.change import one_line
from reel_cli.core.values.talk import Kind, Message

_TEXT = frozenset({"text", "input_text", "output_text", "refusal"})
_REASONING = frozenset({"thinking", "reasoning", "redacted_thinking", "summary_text"})
_TOOL = frozenset({
    "tool_use", "tool_result", "tool_call", "toolCallRequest", "toolCallResult", "function_call",
    "server_tool_use", "function_call_output", "toolCall",
})  # fmt: skip
_FILE = frozenset({
    "file", "image", "image_url", "input_image", "input_file", "input_audio", "audio", "video", "document",
    "attachment",
})  # fmt: skip
_LABELS = ("name", "filename", "file_name", "fileName", "title", "fileIdentifier", "url", "uri")
_LONGEST_LABEL = 200
_MOST_KEYS = 8
LONGEST_TOOL = 20_000
"""A tool's answer is cut after so many characters; a page or a listing can be far longer than any chat."""


@dataclass(slots=True)
class Content:
    """One message's content, sorted: what was said, and what goes beside it."""

    said: list[str] = field(default_factory=list)
    reasoning: list[str] = field(default_factory=list)
    tools: list[str] = field(default_factory=list)
    files: list[str] = field(default_factory=list)

    def text(self, joint: str) -> str:
        """Return all that was said, its pieces joined by `joint`."""
        return joint.join(self.said)

    def beside(self, role: str, *, time: str | None = None, model: str | None = None) -> list[Message]:
        """Return the messages that follow the said message, each piece by its kind."""
        kinds = ((Kind.REASONING, self.reasoning), (Kind.TOOL, self.tools), (Kind.ATTACHMENT, self.files))
        return [
            Message("tool" if kind is Kind.TOOL else role, text, kind, time=time, model=model)
            for kind, texts in kinds
            for text in texts
            if text.strip()
        ]


def as_text(value: object) -> str | None:
    """Return the value if it is a string that is not blank."""
    return value if isinstance(value, str) and value.strip() else None


def as_fields(value: object) -> dict[str, object]:
    """Return the value if it is a JSON object, else an empty one."""
    return value if isinstance(value, dict) else {}


def as_items(value: object) -> list[object]:
    """Return the value if it is a JSON list, else an empty one."""
    return value if isinstance(value, list) else []


def compact(value: object, longest: int = LONGEST_TOOL) -> str:
    """Return a tool's call or answer as one line of JSON, or a string as it is, cut if very long."""
    try:
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    except (ValueError, RecursionError):
        return ""
    return text if len(text) <= longest else f"{text[:longest]}… ({len(text):,} characters)"


def tell_keys(value: object) -> str:
    """Return the names of an object's first fields, for a note about a shape that no reader knows."""
    fields = as_fields(value)
    keys = ", ".join(one_line(key, 30) or "“”" for key in list(fields)[:_MOST_KEYS])
    return f"{keys}, …" if len(fields) > _MOST_KEYS else keys


def read_content(value: object, notes: Notes, into: Content | None = None) -> Content:
    """Sort a content value; parts of an unknown kind are left out and noted."""
    content = into or Content()
    if isinstance(value, str):
        content.said.append(value)
    elif isinstance(value, list):
        for part in value:
            _read_part(part, content, notes)
    elif isinstance(value, dict):
        _read_part(value, content, notes)
    elif value is not None:
        notes.add("content that is neither text nor a list of parts was left out", type(value).__name__)
    return content


def _read_part(part: object, content: Content, notes: Notes) -> None:
    if isinstance(part, str):
        content.said.append(part)
        return
    fields = as_fields(part)
    kind = fields.get("type")
    kind = kind if isinstance(kind, str) else "text" if "text" in fields else ""
    text = _part_text(fields)
    if kind in _TEXT:
        if text is None:
            notes.add("a text part without text was left out")
        else:
            content.said.append(text)
    elif kind in _REASONING:
        content.reasoning.append(text or "")
    elif kind in _TOOL:
        content.tools.append(compact(fields))
    elif kind in _FILE:
        content.files.append(file_label(fields))
    elif (plain := as_text(fields.get("text"))) is not None:
        content.said.append(plain)
        notes.add("a part of a kind reel does not know was read as text", f"“{one_line(kind, 40)}”")
    else:
        notes.add("a part of an unknown kind was left out", f"“{one_line(kind, 40)}”")


def _part_text(fields: dict[str, object]) -> str | None:
    """Return a part's text, which may be a string or an object with `value`."""
    for key in ("text", "refusal", "thinking", "reasoning", "content"):
        value = fields.get(key)
        if isinstance(value, dict):
            value = value.get("value")
        if isinstance(value, str):
            return value
    return None


def file_label(fields: dict[str, object]) -> str:
    """Return a placeholder for a file: what kind, and what it is called; never its data."""
    kind = as_text(fields.get("fileType")) or as_text(fields.get("type")) or "file"
    kind = kind.removeprefix("input_").removesuffix("_url")
    inner = as_fields(fields.get(as_text(fields.get("type")) or ""))
    for found in (fields, inner):
        label = next((text for key in _LABELS if (text := as_text(found.get(key)))), None)
        if label and not label.startswith("data:"):
            return f"[{one_line(kind, 40)}: {one_line(label, _LONGEST_LABEL)}]"
    return f"[{one_line(kind, 40)}]"
