"""`tape/2026/2026-02-10-1.md`: one file a session; it grows and never changes.

It is parsed whole, or only counted and sampled where that is all a caller needs.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import TypeAlias

from reel_cli.core.frozen import frozen
from reel_cli.core.tape import blocks
from reel_cli.core.tape.blocks import Block, read_front_fields
from reel_cli.core.values.source import SESSION_ID
from reel_cli.core.values.talk import Conversation, Entry, Kind, Message, Session

Item: TypeAlias = tuple[str, bytes]
"""A block to be written: its header and its content."""

_LATER = (b', "after": ', b', "supersedes": ')
"""Byte strings in a block that changes earlier messages."""
_TEXTS = ("role", "name", "at", "kind", "model", "mark")
_NUMBERS = ("n", "after", "road")
_KINDS = {kind.value: kind for kind in Kind}
_STEM = re.compile(rf"(?:.*/)?({SESSION_ID.pattern})\.md")


@frozen
class Front:
    """A session file's front matter, frozen when the session was recorded.

    `source` is the conversation's key in its app (`lmstudio:1700000000000`), or the format's name.
    """

    id: str
    started: str | None
    source: str
    title: str | None = None
    model: str | None = None

    @property
    def key(self) -> str | None:
        """Return the conversation's key; None where `source` is only a format's name."""
        return self.source if ":" in self.source else None


def first_entries(conversation: Conversation) -> list[Entry]:
    """Return a conversation's messages as a new session's entries: what was said is numbered from 1."""
    entries: list[Entry] = []
    number = 0
    for message in conversation.messages:
        if message.kind is Kind.SAID:
            number += 1
            entries.append(Entry(number, message))
        else:
            entries.append(Entry(None, message))
    return entries


def render_session(session_id: str, conversation: Conversation, *, started: str | None = None) -> bytes:
    """Return a new session file; `started` (ISO 8601) stands in where the conversation does not know."""
    known = {
        "session": session_id,
        "started": conversation.started or started,
        "source": conversation.key or conversation.format,
        "title": conversation.title,
        "model": conversation.model,
    }
    front = blocks.render_front({key: value for key, value in known.items() if value})
    return blocks.extend(front, _first_items(conversation), session_id)


def _first_items(conversation: Conversation) -> Iterator[Item]:
    """Yield a conversation's entries as `first_entries` returns them, rendered."""
    number = 0
    said = Kind.SAID
    for message in conversation.messages:
        if message.kind is said:
            number += 1
            yield _render_message(message, number), message.text.encode("utf-8")
        else:
            yield _render_message(message, None), message.text.encode("utf-8")


def append_entries(existing: bytes, entries: Sequence[Entry], path: str) -> bytes:
    """Return `existing` with further entries appended; every existing byte is kept.

    The digests of `entries` are not looked at: each is chained anew to what stands before it.
    Raises StateError naming `path` where `existing` is damaged or was changed by hand.
    """
    return blocks.extend(existing, [_render_entry(entry) for entry in entries], path)


def read_front(data: bytes, path: str = "the session file") -> Front:
    """Return the front matter alone; `data` may be the file's first few kilobytes.

    Raises StateError naming `path` and the line where it is damaged.
    """
    fields, _ = blocks.read_front_fields(data, path)
    name = fields.get("session", "")
    stem = _STEM.fullmatch(path)
    if not SESSION_ID.fullmatch(name) or (stem and stem[1] != name):
        blocks.refuse(path, 2, "the session's name is missing or not that of its file")
    return Front(
        name, fields.get("started"), fields.get("source", ""), fields.get("title"), fields.get("model")
    )


def parse_session(data: bytes, path: str, *, proven: bool = False) -> Session:
    """Return a whole session file.

    Raises StateError naming `path` and the line where it is damaged. Whether every byte is what
    was recorded is `verify_chain`'s to say; with `proven`, what is not is refused here, in one reading.
    """
    front = read_front(data, path)
    entries = tuple(_read_entries(data, path, proven=proven))
    return Session(front.id, front.started, front.source, front.title, entries, front.model)


def parse_head(data: bytes, path: str, is_enough: Callable[[Entry], bool]) -> Session:
    """Return the beginning of a session, up to the first said message with which there is enough.

    All that is given is proven. Where something was put right, which may stand at the end, it is read whole.
    Raises StateError as `parse_session` does.
    """
    front = read_front(data, path)
    entries: list[Entry] = []
    whole = any(word in data for word in _LATER)
    for entry in _read_entries(data, path, proven=True):
        entries.append(entry)
        if entry.number is not None and is_enough(entry) and not whole:
            break
    return Session(front.id, front.started, front.source, front.title, tuple(entries), front.model)


def _read_entries(data: bytes, path: str, *, proven: bool) -> Iterator[Entry]:
    number = 0
    for block in blocks.read_blocks(data, path, prove=proven):
        if proven and not block.proven:
            blocks.refuse(
                path, block.line, "what begins here is no longer what was recorded; the tape only ever grows"
            )
        entry = _parse_entry(block, path)
        if entry.number is not None:
            number += 1
        if entry.number not in (None, number) or (entry.number is None) == (entry.message.kind is Kind.SAID):
            blocks.refuse(path, block.line, f"message {number} should stand here")
        yield entry


def _render_entry(entry: Entry) -> Item:
    more = ""
    if entry.after is not None:
        more = f', "after": {entry.after}'
    if entry.supersedes:
        more += f', "supersedes": {blocks.render_value(entry.supersedes)}'
    return _render_message(entry.message, entry.number, more), entry.message.text.encode("utf-8")


def _render_message(message: Message, number: int | None, more: str = "") -> str:
    """Return a header's keys in file order: n, role, name, at, kind, model, after, supersedes, road, mark.

    `more` is `after` and `supersedes`.
    """
    who, what = _render_sort(message.role, message.name, message.kind, message.model)
    counted = f'"n": {number}, ' if number is not None else ""
    at = f', "at": {blocks.render_value(message.time)}' if message.time is not None else ""
    road = f', "road": {message.road}' if message.road is not None else ""
    mark = f', "mark": {blocks.render_value(message.mark)}' if message.mark is not None else ""
    return f"{{{counted}{who}{at}{what}{more}{road}{mark}"


@lru_cache(maxsize=256)
def _render_sort(role: str, name: str | None, kind: Kind, model: str | None) -> tuple[str, str]:
    """Return the header parts that a conversation's messages share: before the time, and after it."""
    who = {"role": role} if name is None else {"role": role, "name": name}
    what = {"kind": kind.value} if model is None else {"kind": kind.value, "model": model}
    return blocks.render_header(who)[1:], f", {blocks.render_header(what)[1:]}"


def _parse_entry(block: Block, path: str) -> Entry:
    get = block.header.get
    role, name, at, kind, model, mark = [x if isinstance(x, str) else None for x in map(get, _TEXTS)]
    number, after, road = [x if isinstance(x, int) else None for x in map(get, _NUMBERS)]
    sort = _KINDS.get(kind or "")
    if sort is None:
        blocks.refuse(path, block.line, "a newer reel wrote this kind of message")
    gone = get("supersedes", [])
    if gone != [] and not (isinstance(gone, list) and all(isinstance(n, int) for n in gone)):
        blocks.refuse(path, block.line, "a message should begin here")
    try:
        text = block.content.decode("utf-8")
    except UnicodeDecodeError:
        blocks.refuse(path, block.line, "what follows is not UTF-8 text")
    message = Message(role or "", text, sort, name=name, time=at, model=model, road=road, mark=mark)
    return Entry(number, message, block.digest, after, tuple(gone))


_NUMBER = re.compile(rb'\n<!-- \{"n": ([1-9]\d*), ')
_END = re.compile(rb'"bytes": (0|[1-9]\d*), "hash": "[0-9a-f]{32}"\} -->')


def count_shown(data: bytes, path: str) -> int:
    """Return the number of messages that `parse_session(data, path).shown()` has, without checking hashes.

    Raises StateError naming `path` and the line where the file is damaged.
    """
    number = _count_plain(data, path)
    return len(parse_session(data, path).shown()) if number is None else number


def numbers_shown(data: bytes, path: str) -> list[int]:
    """Return the number of the last message shown that corrects no other (0 for none), then of those that do.

    Raises StateError as `count_shown` does.
    """
    number = _count_plain(data, path)
    if number is not None:
        return [number]
    shown = parse_session(data, path).shown()
    later = {e.number or 0 for e in shown if e.after is not None or e.supersedes}
    return [max((e.number or 0 for e in shown if e.number not in later), default=0), *sorted(later)]


def _count_plain(data: bytes, path: str) -> int | None:
    """Return how many messages a session has; None where something was corrected, or it is damaged."""
    _, at = read_front_fields(data, path)
    number = 0
    while at < len(data):
        line = data.find(b"\n", at + 1)
        end = _END.search(data, at, line) if line > 0 else None
        if end is None or end.end() != line or any(key in data[at : end.start()] for key in _LATER):
            # corrected later or damaged, which takes a full reading
            return None
        numbered = _NUMBER.match(data, at)
        if numbered:
            number += 1
            if int(numbered[1]) != number:
                return None
        at = line + 1 + int(end[1]) + 1
        if data[at - 1 : at] != b"\n":
            return None
    return number


def read_said(data: bytes, path: str) -> tuple[Sequence[int], Sequence[bytes]]:
    """Return the numbers of the shown messages, and their texts.

    As `parse_session(data, path).shown()` has them; hashes are not looked at. Raises StateError naming `path`
    and the line where the file is damaged.
    """
    _, at = read_front_fields(data, path)
    said: list[bytes] = []
    while at < len(data):
        line = data.find(b"\n", at + 1)
        end = _END.search(data, at, line) if line > 0 else None
        if end is None or end.end() != line or any(key in data[at : end.start()] for key in _LATER):
            # corrected later or damaged, which takes a full reading
            return _said_parsed(data, path)
        numbered = _NUMBER.match(data, at)
        at = line + 1 + int(end[1]) + 1
        if data[at - 1 : at] != b"\n":
            return _said_parsed(data, path)
        if numbered:
            said.append(data[line + 1 : at - 1])
            if int(numbered[1]) != len(said):
                return _said_parsed(data, path)
    return range(1, len(said) + 1), said


def _said_parsed(data: bytes, path: str) -> tuple[Sequence[int], Sequence[bytes]]:
    shown = parse_session(data, path).shown()
    texts = [entry.message.text.encode("utf-8", "replace") for entry in shown]
    return [entry.number or 0 for entry in shown], texts
