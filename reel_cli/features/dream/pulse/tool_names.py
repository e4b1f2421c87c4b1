"""Names of the tools that a session's transcript shows in use."""

import json
import re

from reel_cli.core.tape.session_file import parse_session
from reel_cli.core.values.change import one_line
from reel_cli.core.values.talk import Kind, Message

LONGEST = 60
"""A tool's name is cut after so many characters."""
_NONE = b'"kind": "tool"'
_KEYS = ("name", "tool_name", "toolName", "function_name")
_WITHIN = ("function", "toolCallRequest", "call", "content")
_NAME = re.compile(r'"(?:name|tool_name|toolName|function_name)": ?"((?:[^"\\]|\\.){1,200})"')
_NEAR = 2_000
"""A call that was cut for its length still names its tool within so many characters."""


def tools_used(data: bytes, path: str) -> list[str]:
    """Return the tools a session uses, each once, in order; [] if it uses none, or names none.

    Raises StateError where the file is damaged.
    """
    if _NONE not in data:
        return []
    named = (
        _named(entry.message)
        for entry in parse_session(data, path).entries
        if entry.message.kind is Kind.TOOL and entry.message.road is None
    )
    return list(dict.fromkeys(name for name in named if name))


def _named(message: Message) -> str:
    """Return the tool that a message calls or answers for; "" if it does not say."""
    return one_line(message.name or _in_text(message.text.strip()), LONGEST)


def _in_text(text: str) -> str:
    if not text.startswith("{"):
        return ""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        found = _NAME.search(text, 0, _NEAR)
        return found[1] if found else ""
    return _in_fields(value) if isinstance(value, dict) else ""


def _in_fields(value: dict[str, object], deep: int = 2) -> str:
    for key in _KEYS:
        name = value.get(key)
        if isinstance(name, str) and name.strip():
            return name
    for key in _WITHIN if deep else ():
        inner = value.get(key)
        if isinstance(inner, dict) and (name := _in_fields(inner, deep - 1)):
            return name
    return ""
