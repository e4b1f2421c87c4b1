"""What others remembered: memories that ChatGPT or Claude exported, or anybody wrote down."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime

from reel_cli.cards.json_text import Json, as_object, as_text, parse_json
from reel_cli.cards.macros import clean_text
from reel_cli.errors import ReelError
from reel_cli.model.change import one_line

LONGEST_TITLE = 80
_BULLET = re.compile(r"[ \t]*(?:[-*•–]|\d{1,3}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?")
_DATED = re.compile(r"\[?(\d{4}-\d{2}-\d{2})\]?[ \t]*[-–—:.]*[ \t]*(?=\S)")
_HEADING = re.compile(r"#{1,6}[ \t]+")
_TEXT_KEYS = ("memory", "content", "text", "value", "note", "conversations_memory")
_LIST_KEYS = ("memories", "items", "entries", "data", "results")
TIME_KEYS = ("created_at", "created", "create_time", "created_timestamp", "updated_at", "date")
_SECONDS, _MILLISECONDS = range(10**9, 10**10), range(10**12, 10**13)
"""What a number is that stands for a time: seconds or milliseconds since 1970."""


@dataclass(frozen=True, slots=True)
class Noted:
    """One thing that was remembered elsewhere: its words, when it was noted (ISO 8601), what finds it."""

    title: str
    text: str
    created: str = ""
    phrases: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    more: Mapping[str, str] = field(default_factory=dict)
    """What else stood in a note's front matter."""


def read_memories(data: bytes, name: str) -> list[Noted]:
    """The memories in one file: a JSON list (or lists in objects), or a text with one a line or paragraph.

    Raises ReelError, calling the file `name`, where there are none.
    """
    if data.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in {b"[", b"{"}:
        found = list(_from_json(parse_json(data, name), ""))
    else:
        try:
            found = list(_from_text(data.decode("utf-8-sig")))
        except UnicodeDecodeError:
            message = f"{name} is not a text in UTF-8."
            raise ReelError(message, hint="save it as plain text") from None
    if not found:
        message = f"No memories were found in {name}."
        raise ReelError(message, hint="one a line will do, or the JSON that your chat app exports")
    return found


def _from_json(value: Json, created: str) -> Iterator[Noted]:
    if isinstance(value, str):
        yield from _from_text(value, created)
    elif isinstance(value, list):
        for one in value:
            yield from _from_json(one, created)
    elif isinstance(value, dict):
        when = next((day for key in TIME_KEYS if (day := read_day(value.get(key)))), created)
        lists = [value[key] for key in _LIST_KEYS if isinstance(value.get(key), list | dict)]
        said = next((text for key in _TEXT_KEYS if (text := as_text(value.get(key)).strip())), "")
        if said:
            title = one_line(clean_text(as_text(value.get("title"))), LONGEST_TITLE)
            for noted in _from_text(said, when):
                yield Noted(title, noted.text, when) if title else noted
        for inner in lists:
            yield from _from_json(inner, when)
        projects = as_object(value.get("project_memories"))
        for inner in projects.values():
            yield from _from_json(inner, when)


def read_day(value: Json) -> str:
    """A day or a time as programs write it, in ISO 8601; "" for what is none."""
    if isinstance(value, str):
        try:
            return datetime.fromisoformat(value).isoformat()
        except ValueError:
            return ""
    if isinstance(value, int | float):
        whole = int(value) if abs(value) < 10**15 else 0
        seconds = whole if whole in _SECONDS else whole // 1000 if whole in _MILLISECONDS else 0
        return datetime.fromtimestamp(seconds, UTC).isoformat() if seconds else ""
    return ""


def _from_text(text: str, created: str = "") -> Iterator[Noted]:
    """One memory an item or paragraph; a heading above them is told with each."""
    heading = ""
    for paragraph in _paragraphs(clean_text(text)):
        if _HEADING.match(paragraph) or re.fullmatch(r"\*\*[^*\n]{1,80}\*\*:?", paragraph):
            heading = one_line(_HEADING.sub("", paragraph).strip("*: "))
            continue
        words, day = _undated(paragraph)
        if not re.search(r"\w", words):
            continue
        yield Noted(title_of(words), f"{heading}: {words}" if heading else words, day or created)


def _paragraphs(text: str) -> Iterator[str]:
    """Items and paragraphs, each folded to one line; a text without either, line by line."""
    plain = not re.search(r"(?m)^[ \t]*(?:[-*•–]|\d{1,3}[.)])[ \t]|^\s*$", text.strip())
    held: list[str] = []
    for line in [*text.splitlines(), ""]:
        begins = bool(_BULLET.match(line) or _HEADING.match(line))
        if held and (begins or plain or not line.strip() or _HEADING.match(held[0])):
            yield one_line(" ".join(held)) if not _HEADING.match(held[0]) else held[0].strip()
            held = []
        if line.strip():
            held.append(_BULLET.sub("", line, count=1) if _BULLET.match(line) else line)


def _undated(words: str) -> tuple[str, str]:
    found = _DATED.match(words)
    return (words[found.end() :], read_day(found[1])) if found else (words, "")


def title_of(text: str) -> str:
    """The first sentence of a text, as a title."""
    first = re.split(r"(?<=[.!?…])\s", one_line(text), maxsplit=1)[0]
    return one_line(first.rstrip(".") if first.count(".") == 1 else first, LONGEST_TITLE)
