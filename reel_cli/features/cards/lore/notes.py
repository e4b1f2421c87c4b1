"""Memories of other programs: exports of ChatGPT or Claude, or anybody's notes."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from reel_cli.core.errors import ReelError
from reel_cli.core.files.json_text import Json, as_object, as_text, parse_json
from reel_cli.core.frozen import late
from reel_cli.core.sentence_end import split_sentences
from reel_cli.core.values.change import one_line
from reel_cli.features.cards.lore.memory_list import ListedMemory, read_list
from reel_cli.features.cards.macros import clean_text

LONGEST_TITLE = 80
NAMED = 8
"""Maximum number of skipped lines named; the others are counted."""
_DATED = re.compile(r"\[?(\d{4}-\d{2}-\d{2})\]?[ \t]*[-–—:.]*[ \t]*(?=\S)")
_NO_JSON = re.compile(rb"\[[^\]\[\"{}\n]{1,60}\][ \t]*[^\s,\]}]")
"""Pattern of the beginning of a text whose first line has brackets, as in `[2024-05-03]. Likes moss.`"""
_TEXT_KEYS = ("memory", "content", "text", "value", "note", "conversations_memory")
_LIST_KEYS = ("memories", "items", "entries", "data", "results")
TIME_KEYS = ("created_at", "created", "create_time", "created_timestamp", "updated_at", "date")
_SECONDS, _MILLISECONDS = range(10**9, 10**10), range(10**12, 10**13)
"""Ranges of numbers that stand for a time: seconds or milliseconds since 1970."""


@dataclass(frozen=True, slots=True)
class LoreNote:
    """One thing that was remembered elsewhere: its words, when it was noted (ISO 8601), what finds it."""

    title: str
    text: str
    created: str = ""
    phrases: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    more: Mapping[str, str] = field(default_factory=dict)
    """Other fields of a note's front matter."""


@dataclass(frozen=True, slots=True)
class LoreFile:
    """The memories in a file, and its lines that only announce a list."""

    noted: Sequence[LoreNote]
    leads: Sequence[str] = ()

    def told(self) -> list[str]:
        """Return what was left out, in sentences."""
        said = [
            f"“{one_line(lead, 60)}” only says that a list follows. It was left out."
            for lead in self.leads[:NAMED]
        ]
        if len(self.leads) > NAMED:
            said.append(f"{len(self.leads) - NAMED:,} more such lines were left out.")
        return said


def read_memories(data: bytes, name: str) -> LoreFile:
    """Return the memories in a file: JSON lists, or a text with one a line or paragraph.

    Raises ReelError, calling the file `name`, where there are none.
    """
    found: list[LoreNote] = []
    leads: list[str] = []
    bare = data.lstrip(b"\xef\xbb\xbf \t\r\n")
    if bare[:1] in {b"[", b"{"} and not _NO_JSON.match(bare):
        texts = _from_json(parse_json(data, name), "")
    else:
        try:
            texts = iter([("", data.decode("utf-8-sig"), "")])
        except UnicodeDecodeError:
            message = f"{name} is not a text in UTF-8."
            raise ReelError(message, hint="save it as plain text") from None
    for title, text, created in texts:
        told, before = read_list(clean_text(text))
        noted = (_noted(one, title, created) for one in told)
        found += [one for one in noted if re.search(r"\w", one.text)]
        leads += before
    if not found:
        message = f"No memories were found in {name}."
        raise ReelError(message, hint="one a line will do, or the JSON that your chat app exports")
    return LoreFile(found, leads)


def _from_json(value: Json, created: str) -> Iterator[tuple[str, str, str]]:
    """Yield the texts in a JSON value, each with its title ("": none) and its day."""
    if isinstance(value, str):
        yield "", value, created
    elif isinstance(value, list):
        for one in value:
            yield from _from_json(one, created)
    elif isinstance(value, dict):
        when = next((day for key in TIME_KEYS if (day := read_day(value.get(key)))), created)
        lists = [value[key] for key in _LIST_KEYS if isinstance(value.get(key), list | dict)]
        said = next((text for key in _TEXT_KEYS if (text := as_text(value.get(key)).strip())), "")
        if said:
            yield one_line(clean_text(as_text(value.get("title"))), LONGEST_TITLE), said, when
        for inner in lists:
            yield from _from_json(inner, when)
        projects = as_object(value.get("project_memories"))
        for inner in projects.values():
            yield from _from_json(inner, when)


def read_day(value: Json) -> str:
    """Return a day or a time from a program in ISO 8601; "" for what is none."""
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


def _noted(one: ListedMemory, title: str, created: str) -> LoreNote:
    """Return a memory of a list; a day before it dates it, and a heading above is included."""
    dated = _DATED.match(one.words)
    day = read_day(dated[1]) if dated else ""
    words = one.words[dated.end() :] if dated and day else one.words
    text = f"{one.heading}: {words}" if one.heading else words
    return LoreNote(title or title_of(words), text, day or created)


_SENTENCE_END = late(r"(?<=[.!?…])\s")


def title_of(text: str) -> str:
    """Return the first sentence of a text, as a title."""
    first = split_sentences(_SENTENCE_END, one_line(text), 1)[0]
    return one_line(first.rstrip(".") if first.count(".") == 1 else first, LONGEST_TITLE)
