"""Jan's threads: `threads/<id>/messages.jsonl`, and `thread.json` beside it, which says what it is."""

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from itertools import pairwise

from reel_cli.core.errors import ReelError
from reel_cli.core.tape.formats.decoding import decode
from reel_cli.core.tape.formats.parts import Content, as_fields, as_items, as_text, compact, read_content
from reel_cli.core.tape.formats.source import Notes, Reader, Source
from reel_cli.core.tape.formats.times import read_time
from reel_cli.core.values.change import one_line
from reel_cli.core.values.talk import Conversation, Kind, Message

_ROLES = {"user": "user", "assistant": "assistant", "system": "system", "tool": "tool"}
_STAMPS = ("created_at", "created", "completed_at")
_THREAD, _MESSAGES = "thread.json", "messages.jsonl"
_FILES = ("\n[ATTACHED_FILES]", "[/ATTACHED_FILES]")
"""Marks of the block that newer builds append to a prompt for the model."""
_FILE_NAME = re.compile(r"(?m)\bname: ([^,\n]{1,200})")
_SURE = 95


def _sniff(source: Source) -> int:
    if len(source.first) == 1 and _is_thread(as_fields(source.first[0])):
        return _SURE if _beside(source, _MESSAGES) is not None else 0
    # Jan writes one message a line; a list of such messages has OpenAI's form
    if source.opening == "[":
        return 0
    return _SURE if any(_is_message(as_fields(value)) for value in source.first) else 0


def _is_thread(fields: dict[str, object]) -> bool:
    says_so = fields.get("object") == "thread" or ("object" not in fields and "assistants" in fields)
    return says_so and as_text(fields.get("id")) is not None


def _is_message(fields: dict[str, object]) -> bool:
    """Return whether it is a message of a thread: it says so, or, in some builds, only names its thread."""
    if "role" not in fields or "object" in fields:
        return fields.get("object") == "thread.message" and "role" in fields
    parts = [as_fields(part) for part in as_items(fields.get("content"))]
    named = as_text(fields.get("thread_id")) is not None
    return named or any("value" in as_fields(part.get("text")) for part in parts)


def _beside(source: Source, name: str) -> str | None:
    data = source.beside(name)
    if data is None:
        return None
    try:
        return decode(data, name)[0]
    except ReelError:
        return None


def _read(source: Source) -> list[Conversation]:
    notes = Notes()
    thread = as_fields(source.first[0]) if len(source.first) == 1 else {}
    lines: Iterable[tuple[int, str]]
    if _is_thread(thread):
        lines = enumerate((_beside(source, _MESSAGES) or "").split("\n"), start=1)
    else:
        lines, thread = source.lines(), _thread(source, notes)
    records = list(_records(lines, source, notes))
    if not records:
        message = f"{source.name} holds no message of a Jan thread."
        raise ReelError(message, hint="Jan keeps its chats as threads/<id>/messages.jsonl")
    assistant = as_fields(next(iter(as_items(thread.get("assistants"))), None))
    used = assistant.get("model")
    model = as_text(used) or as_text(as_fields(used).get("id"))
    told = as_text(assistant.get("instructions"))
    messages = [Message("system", told, Kind.SYSTEM)] if told else []
    for number, fields in enumerate(_in_order(records, source), start=1):
        messages += _read_message(fields, f"message {number}", source, notes)
    name = as_text(thread.get("id")) or next((n for r in records if (n := as_text(r.get("thread_id")))), None)
    created = next((thread[key] for key in ("created", "created_at") if thread.get(key)), None)
    about = as_fields(thread.get("metadata"))
    return [
        Conversation(
            format="jan",
            messages=tuple(messages),
            key=f"jan:{name}" if name else None,
            title=as_text(thread.get("title")) or as_text(about.get("title")),
            started=read_time(created, source.zone, notes),
            model=next((m.model for m in messages if m.model), None) or model,
            problems=notes.lines(),
        )
    ]


def _thread(source: Source, notes: Notes) -> dict[str, object]:
    text = _beside(source, _THREAD)
    if text is None:
        return {}
    try:
        return as_fields(source.parse_json(text))
    except (ValueError, RecursionError, ReelError):
        notes.add("the thread's title and beginning are not known, because its thread.json cannot be read")
        return {}


def _records(lines: Iterable[tuple[int, str]], source: Source, notes: Notes) -> Iterator[dict[str, object]]:
    for number, line in lines:
        if not line.strip():
            continue
        try:
            fields = as_fields(source.parse_json(line))
        except (ValueError, RecursionError):
            notes.add("a line that is not JSON was left out", f"line {number}")
            continue
        if "role" in fields:
            yield fields
        else:
            notes.add("a line that is no message was left out", f"line {number}")


def _in_order(records: Sequence[dict[str, object]], source: Source) -> Sequence[dict[str, object]]:
    """Return the records as they were said; some builds wrote the newest first."""
    times = [datetime.fromisoformat(time) for fields in records if (time := _time(fields, source, Notes()))]
    backwards = len(times) == len(records) > 1 and all(a > b for a, b in pairwise(times))
    return list(reversed(records)) if backwards else records


def _time(fields: dict[str, object], source: Source, notes: Notes) -> str | None:
    return next((t for key in _STAMPS if (t := read_time(fields.get(key), source.zone, notes))), None)


def _read_message(fields: dict[str, object], where: str, source: Source, notes: Notes) -> Iterator[Message]:
    given = fields.get("role")
    role = _ROLES.get(given) if isinstance(given, str) else None
    if role is None:
        notes.add("an entry without a known role was left out", where)
        return
    content = read_content(fields.get("content"), notes)
    about = as_fields(fields.get("metadata"))
    content.said = [_without_files(text, content) for text in content.said]
    content.tools += [compact(call) for call in as_items(about.get("tool_calls"))]
    content.files += [label for a in as_items(fields.get("attachments")) if (label := _label(as_fields(a)))]
    time = _time(fields, source, notes)
    used = next((v for v in (fields.get("model"), about.get("modelId"), about.get("model")) if v), None)
    model = as_text(used) or as_text(as_fields(used).get("id"))
    model = model if role == "assistant" else None
    kind = {"system": Kind.SYSTEM, "tool": Kind.TOOL}.get(role, Kind.SAID)
    text = content.text("\n\n")
    beside = content.beside(role, time=time, model=model)
    if text.strip() or not beside:
        yield Message(role, text, kind, time=time, model=model)
    yield from beside
    if as_text(fields.get("status")) in {"error", "stopped"}:
        notes.add("an answer that was broken off is kept as far as it came", where)


def _without_files(text: str, content: Content) -> str:
    """Return the prompt as it was typed; the names of attachments go beside it."""
    before, found, rest = text.partition(_FILES[0])
    inner, closed, after = rest.partition(_FILES[1])
    if not found or not closed:
        return text
    content.files += [f"[file: {one_line(name, 200)}]" for name in _FILE_NAME.findall(inner)] or ["[file]"]
    return before.rstrip() + after.rstrip()


def _label(fields: dict[str, object]) -> str | None:
    inner = as_fields(fields.get("file")) or fields
    known = (inner.get(key) for key in ("filename", "name", "file_name", "fileName", "file_id", "id"))
    name = next((text for value in known if (text := as_text(value))), None)
    return f"[file: {one_line(name, 200)}]" if name else None


READER = Reader("jan", _sniff, _read)
