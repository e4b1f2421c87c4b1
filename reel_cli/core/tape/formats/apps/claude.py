"""Claude.ai's export: `conversations.json` of its zip archive, or the list in a file by itself."""

import re
from collections.abc import Iterator
from datetime import datetime

from reel_cli.core.tape.formats.parts import (
    Content,
    as_fields,
    as_items,
    as_text,
    compact,
    file_label,
    read_content,
    tell_keys,
)
from reel_cli.core.tape.formats.source import Notes, Reader, Source
from reel_cli.core.tape.formats.times import read_time
from reel_cli.core.tape.formats.trees import lay_out, newest_leaf
from reel_cli.core.values.change import one_line
from reel_cli.core.values.talk import Conversation, Kind, Message

_ROOT = "00000000-0000-4000-8000-000000000000"
"""Parent ID of the first message of a chat."""
_SENDERS = {"human": "user", "user": "user", "assistant": "assistant"}
_TITLES = ("name", "snapshot_name", "title")
_SILENT = frozenset({"token_budget", "flag"})
_LONGEST_CALL = 1_000_000
_IDS = re.compile(rb'"uuid"\s*:\s*"([^"\\]{1,100})"\s*,\s*"name"\s*:')


def _sniff(source: Source) -> int:
    if source.opening not in {"[", "{"}:
        return 0
    found = [as_fields(value) for value in source.first]
    return 95 if any(_messages(fields) is not None for fields in found) else 0


def _messages(fields: dict[str, object]) -> list[dict[str, object]] | None:
    """Return a chat's messages; None where it is no chat. A design's are wrapped."""
    found = fields.get("chat_messages")
    if isinstance(found, list):
        return [as_fields(item) for item in found]
    held = [as_fields(item) for item in as_items(fields.get("messages"))] if "project" in fields else []
    designed = [as_fields(item.get("content")) for item in held]
    if not any("role" in inner and "timestamp" in inner for inner in designed):
        return None
    return [
        {
            "uuid": item.get("uuid"),
            "sender": item.get("role") or inner.get("role"),
            "text": inner.get("content"),
            "content": inner.get("contentBlocks"),
            "created_at": inner.get("timestamp"),
            "attachments": inner.get("attachments"),
        }
        for item, inner in zip(held, designed, strict=True)
    ]


def _read(source: Source) -> Iterator[Conversation]:
    for value in source.items():
        fields = as_fields(value)
        messages = _messages(fields)
        if messages is not None:
            yield _read_chat(fields, messages, source)
        else:
            source.notes.add("an entry that is no conversation was left out", tell_keys(fields))


def _read_chat(fields: dict[str, object], found: list[dict[str, object]], source: Source) -> Conversation:
    notes = Notes()
    names = _names(found)
    messages = dict(zip(names, found, strict=True))
    parents = _parents(messages)
    leaf = as_text(fields.get("current_leaf_message_uuid"))
    if leaf not in messages:
        leaf = newest_leaf(parents, lambda name: _moment(messages[name], source, notes))
    model = as_text(fields.get("model"))
    said = lay_out(parents, leaf, lambda name: list(_read_message(messages[name], source, notes)))
    started = read_time(fields.get("created_at"), source.zone, notes)
    own = as_text(fields.get("uuid"))
    return Conversation(
        format="claude",
        messages=tuple(said),
        key=f"claude:{own}" if own else None,
        title=next((t for key in _TITLES if (t := as_text(fields.get(key)))), None),
        started=started,
        model=model,
        problems=notes.lines(),
    )


def _names(found: list[dict[str, object]]) -> list[str]:
    """Return an ID for each message, its own where it has one that no other has."""
    names: dict[str, None] = {}
    for number, message in enumerate(found):
        own = as_text(message.get("uuid")) or f"#{number}"
        names[own if own not in names else f"{own}#{number}"] = None
    return list(names)


def _parents(messages: dict[str, dict[str, object]]) -> dict[str, str | None]:
    """Return each message's parent; the message before it where the file has no such links."""
    parents: dict[str, str | None] = {}
    before: str | None = None
    for name, message in messages.items():
        parent = message.get("parent_message_uuid", before)
        parents[name] = parent if isinstance(parent, str) and parent != _ROOT else None
        before = name
    return parents


def _moment(message: dict[str, object], source: Source, notes: Notes) -> float:
    written = read_time(message.get("created_at"), source.zone, notes)
    return datetime.fromisoformat(written).timestamp() if written else 0.0


def _read_message(message: dict[str, object], source: Source, notes: Notes) -> Iterator[Message]:
    sender = message.get("sender")
    if sender is None:
        sender = message.get("role") or as_fields(message.get("author")).get("role")
        notes.add_once("its messages say who speaks in a way reel did not know, and were read as text")
    role = _SENDERS.get(sender) if isinstance(sender, str) else None
    time = read_time(message.get("created_at"), source.zone, notes)
    content = _sort(message.get("content"), notes)
    text = content.text("\n\n")
    if not text.strip():
        text = as_text(message.get("text")) or as_text(message.get("message")) or ""
    kind = Kind.SAID
    if role is None:
        if text.strip() and message:
            notes.add(
                "a message of nobody reel knows was kept beside what was said", one_line(str(sender), 40)
            )
        role, kind = "system", Kind.SYSTEM
    if text.strip():
        yield Message(role, text, kind, time=time)
    yield from content.beside(role, time=time)
    for item in as_items(message.get("attachments")):
        file = as_fields(item)
        inside = as_text(file.get("extracted_content"))
        name = as_text(file.get("file_name"))
        if inside or file:
            label = file_label({"type": "file", "name": name or ""})
            yield Message(role, inside or label, Kind.ATTACHMENT, name=name if inside else None, time=time)
    for label in _files(message):
        yield Message(role, label, Kind.ATTACHMENT, time=time)


def _files(message: dict[str, object]) -> list[str]:
    """Return labels of what was uploaded and is not in the export."""
    listed = [*as_items(message.get("files")), *as_items(message.get("files_v2"))]
    labels = []
    for file in map(as_fields, listed):
        kind = as_text(file.get("file_kind"))
        name = as_text(file.get("file_name")) or as_text(file.get("file_uuid"))
        if file:
            labels.append(file_label({"type": "image" if kind == "image" else "file", "name": name or ""}))
    return list(dict.fromkeys(labels))


def _sort(blocks: object, notes: Notes) -> Content:
    """Return the blocks of a message by their kind, without text that the app withdrew."""
    content = Content()
    if not isinstance(blocks, list):
        return read_content(blocks, notes, content)
    for block in blocks:
        fields = as_fields(block)
        kind = fields.get("type")
        if isinstance(kind, str) and kind in _SILENT:
            continue
        if kind == "tool_use":
            call = {key: fields[key] for key in ("name", "input") if fields.get(key)}
            content.tools.append(compact(call, _LONGEST_CALL))
        elif kind == "tool_result":
            content.tools.append(compact(_result(fields)))
        elif kind == "voice_note":
            content.said.append(as_text(fields.get("text")) or as_text(fields.get("title")) or "")
        else:
            read_content(fields or block, notes, content)
    content.said = [text.strip("\n") for text in content.said if text.strip()]
    return content


def _result(fields: dict[str, object]) -> object:
    """Return a tool's answer: its texts, or all of its content if there are none."""
    given = fields.get("content")
    texts = [as_text(as_fields(part).get("text")) for part in as_items(given)]
    found = "\n\n".join(text for text in texts if text)
    return found or as_text(given) or {key: fields[key] for key in ("name", "content") if fields.get(key)}


def _list_keys(source: Source) -> list[str]:
    """Return candidate keys of all conversations in the file, without parsing it."""
    if not source.has_early_key("chat_messages"):
        return []
    return [f"claude:{name.decode('utf-8', 'replace')}" for name in _IDS.findall(source.data)]


READER = Reader("claude", _sniff, _read, _list_keys)
