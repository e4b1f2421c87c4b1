"""OpenAI-style messages: a list, an object that holds one, or JSONL of either."""

from collections.abc import Iterator, Sequence

from reel_cli.core.errors import ReelError
from reel_cli.core.tape.formats.parts import Content, as_fields, as_items, as_text, compact, read_content
from reel_cli.core.tape.formats.source import Notes, Reader, Source
from reel_cli.core.tape.formats.times import read_time
from reel_cli.core.values.change import one_line
from reel_cli.core.values.talk import Conversation, Kind, Message

_ROLES = {
    "user": "user", "human": "user", "you": "user",
    "assistant": "assistant", "model": "assistant", "ai": "assistant", "bot": "assistant",
    "system": "system", "developer": "system",
    "tool": "tool", "function": "tool", "ipython": "tool",
}  # fmt: skip
_STAMPS = ("timestamp", "created_at", "createdAt", "create_time", "created", "time", "date")
_REASONING = ("reasoning_content", "reasoning", "thinking")
_FIRST = 50
_IDS = ("id", "conversation_id", "uuid")
_ASIDE = frozenset({"tool_calls", "function_call", *_REASONING})
_BODY = frozenset({"content", "text", *_ASIDE})
_KINDS = {"system": Kind.SYSTEM, "tool": Kind.TOOL}
_BARE = 2
"""A message of so many fields has a role and a content, and nothing beside."""
_OF_ROLE = {word: (role, _KINDS.get(role, Kind.SAID)) for word, role in _ROLES.items()}
_BESIDE = frozenset({"name", "model", *_ASIDE, *_STAMPS})
"""Keys of a message other than its role and text."""


def _sniff(source: Source) -> int:
    if not any(_is_message(value) or _is_holder(value) for value in source.first[:_FIRST]):
        return 0
    return 60 if source.opening == "{" and source.json_fault is not None else 70


def _is_message(value: object) -> bool:
    fields = as_fields(value)
    return isinstance(fields.get("role"), str) and not _BODY.isdisjoint(fields)


def _is_holder(value: object) -> bool:
    messages = as_fields(value).get("messages")
    return isinstance(messages, list) and (not messages or any(_is_message(m) for m in messages[:50]))


def _read(source: Source) -> Iterator[Conversation]:
    if source.opening != "[" and source.json_fault is not None:
        yield from _read_lines(source)
        return
    loose: list[object] = []
    holders = others = 0
    for value in source.items():
        fields = as_fields(value)
        if isinstance(fields.get("messages"), list) and not _is_message(fields):
            holders += 1
            yield _read_holder(fields, source)
        elif holders:
            others += 1
        else:
            loose.append(value)
    others += len(loose) if holders else 0
    if others:
        source.notes.add("an entry without messages was left out", f"{others} in all")
    if not holders:
        yield _conversation({}, loose, source)


def _read_lines(source: Source) -> Iterator[Conversation]:
    """Yield conversations of JSONL: one message or conversation a line, with lines about the chat between."""
    loose: list[object] = []
    about: dict[str, object] = {}
    understood = broken = holders = 0
    for number, line in source.lines():
        try:
            value = source.parse_json(line)
        except (ValueError, RecursionError):
            source.notes.add("a line that is not JSON was left out", f"line {number}")
            broken += 1
            continue
        fields = as_fields(value)
        if isinstance(fields.get("messages"), list):
            holders += 1
            yield _read_holder(fields, source)
        elif "role" in fields:
            loose.append(value)
        elif fields and not loose:
            about.update(fields)
        else:
            source.notes.add("a line that is no message was left out", f"line {number}")
            continue
        understood += 1
    if not understood and not broken:
        message = f"{source.name} is JSON Lines, but none of its lines is a message with role and content."
        raise ReelError(message, hint="leave out --format, and reel tells by itself what the file is")
    if understood <= broken:
        message = f"{source.name} cannot be read: {source.json_fault}."
        raise ReelError(message, hint="export the chat again, or save it as plain text with speaker lines")
    if loose or not holders:
        yield _conversation(about, loose, source)


def _read_holder(holder: dict[str, object], source: Source) -> Conversation:
    return _conversation(holder, as_items(holder.get("messages")), source)


def _conversation(about: dict[str, object], items: Sequence[object], source: Source) -> Conversation:
    notes = Notes()
    messages: list[Message] = []
    system = as_text(about.get("system")) or as_text(about.get("system_prompt"))
    if system:
        messages.append(Message("system", system, Kind.SYSTEM))
    for number, item in enumerate(items, start=1):
        # fast path: most items of a long export are plain dicts
        fields = item if type(item) is dict else as_fields(item)
        given, text = fields.get("role"), fields.get("content")
        if (
            type(given) is str
            and type(text) is str
            and given in _OF_ROLE
            and (len(fields) == _BARE or _BESIDE.isdisjoint(fields))
        ):
            role, kind = _OF_ROLE[given]
            messages.append(Message(role, text, kind))
        else:
            messages += _read_message(fields, f"message {number}", source, notes)
    stamps = (read_time(about.get(key), source.zone, notes) for key in _STAMPS)
    return Conversation(
        format="messages",
        messages=tuple(messages),
        key=_key(about),
        title=as_text(about.get("title")) or as_text(about.get("name")),
        started=next((stamp for stamp in stamps if stamp), None),
        model=as_text(about.get("model")) or next((m.model for m in messages if m.model), None),
        problems=notes.lines(),
    )


def _key(about: dict[str, object]) -> str | None:
    for value in (about.get(key) for key in _IDS):
        if as_text(value) or (isinstance(value, int) and not isinstance(value, bool)):
            return f"messages:{value}"
    return None


def _read_message(fields: dict[str, object], where: str, source: Source, notes: Notes) -> list[Message]:
    given = fields.get("role")
    role = _ROLES.get(given.strip().lower()) if isinstance(given, str) else None
    if role is None and not (isinstance(given, str) and given.strip()):
        notes.add("an entry without a role was left out", where)
        return []
    content = read_content(fields["content"] if "content" in fields else fields.get("text"), notes)
    _read_beside(fields, content, notes)
    stamps = (read_time(fields[key], source.zone, notes) for key in _STAMPS if key in fields)
    time = next((stamp for stamp in stamps if stamp), None)
    name, model = as_text(fields.get("name")), as_text(fields.get("model"))
    kind = _KINDS.get(role or "system", Kind.SAID)
    if role is None:
        notes.add("a role reel does not know was kept beside what was said", f"“{one_line(str(given), 40)}”")
        role, name = "system", name or str(given)
    text = content.text("\n\n")
    said = [Message(role, text, kind, name=name, time=time, model=model)]
    beside = content.beside(role, time=time, model=model)
    return [*(said if text.strip() or not beside else ()), *beside]


def _read_beside(fields: dict[str, object], content: Content, notes: Notes) -> None:
    """Collect reasoning and tool calls that stand beside the content."""
    if _ASIDE.isdisjoint(fields):
        return
    found = [fields[key] for key in _REASONING if fields.get(key)]
    for value in found[:1]:
        inner = read_content(as_fields(value).get("content") or value, notes)
        content.reasoning += [*inner.said, *inner.reasoning]
    calls = [as_fields(call) for call in as_items(fields.get("tool_calls"))]
    calls += [{"function": fields["function_call"]}] if fields.get("function_call") else []
    content.tools += [compact(call.get("function") or call) for call in calls]


READER = Reader("messages", _sniff, _read)
