"""Grok's export: `prod-grok-backend.json` of its zip archive, conversations with their responses."""

from collections.abc import Iterator

from reel_cli.core.errors import ReelError
from reel_cli.core.tape.formats.parts import as_fields, as_items, as_text, file_label, tell_keys
from reel_cli.core.tape.formats.source import Notes, Reader, Source
from reel_cli.core.tape.formats.times import read_time
from reel_cli.core.tape.formats.trees import lay_out, newest_leaf
from reel_cli.core.values.change import one_line
from reel_cli.core.values.talk import Conversation, Kind, Message

_SENDERS = {"human": "user", "user": "user", "assistant": "assistant", "grok": "assistant"}
_IDS = ("_id", "response_id", "responseId", "id")
_PARENTS = ("parent_response_id", "parentResponseId")
_STAMPS = ("create_time", "createTime")
_ABOUT = ("id", "conversation_id", "conversationId", "_id")
_SURE = 95


def _sniff(source: Source) -> int:
    if source.opening not in {"{", "["}:
        return 0
    found = (item for value in source.first[:20] for item in _conversations(value))
    return (
        _SURE
        if any(_is_conversation(as_fields(item)) for item, _ in zip(found, range(50), strict=False))
        else 0
    )


def _conversations(value: object) -> list[object]:
    inner = as_fields(value).get("conversations")
    return inner if isinstance(inner, list) else [value]


def _is_conversation(fields: dict[str, object]) -> bool:
    first = [_response(item) for item in as_items(fields.get("responses"))[:20]]
    return any("sender" in item and "message" in item for item in first)


def _response(item: object) -> dict[str, object]:
    """Return a response, which the export wraps in an object of its own."""
    fields = as_fields(item)
    return as_fields(fields.get("response")) or fields


def _read(source: Source) -> Iterator[Conversation]:
    found = False
    for value in source.items():
        for item in _conversations(value):
            fields = as_fields(item)
            if isinstance(fields.get("responses"), list):
                found = True
                yield _read_conversation(fields, source)
            else:
                source.notes.add("an entry that is no conversation was left out", tell_keys(fields))
    if not found:
        message = f"{source.name} is no export of Grok: it holds no conversation with responses."
        raise ReelError(message, hint="export it at  https://accounts.x.ai/data")


def _read_conversation(fields: dict[str, object], source: Source) -> Conversation:
    notes = Notes()
    about = as_fields(fields.get("conversation")) or fields
    found: dict[str, dict[str, object]] = {}
    for number, item in enumerate(as_items(fields.get("responses")), start=1):
        response = _response(item)
        name = next((text for key in _IDS if (text := as_text(response.get(key)))), f"#{number}")
        found[name if name not in found else f"{name}#{number}"] = response
    parents = _parents(found)
    leaf = newest_leaf(parents, lambda name: _moment(found[name]))
    messages = lay_out(parents, leaf, lambda name: list(_read_response(found[name], source, notes)))
    own = next((text for key in _ABOUT if (text := as_text(about.get(key)))), None)
    return Conversation(
        format="grok",
        messages=tuple(messages),
        key=f"grok:{own}" if own else None,
        title=as_text(about.get("title")),
        started=read_time(_stamp(about), source.zone, notes),
        model=next((m.model for m in reversed(messages) if m.model), None),
        problems=notes.lines(),
    )


def _parents(found: dict[str, dict[str, object]]) -> dict[str, str | None]:
    """Return the response that each follows; the one before it where the file has no such links."""
    linked = any(as_text(response.get(key)) for response in found.values() for key in _PARENTS)
    parents: dict[str, str | None] = {}
    before: str | None = None
    for name, response in found.items():
        parent = next((text for key in _PARENTS if (text := as_text(response.get(key)))), None)
        parents[name] = parent if linked else before
        before = name
    return parents


def _stamp(fields: dict[str, object]) -> object:
    """Return a time, which may be wrapped as a database writes it: `{"$date": {"$numberLong": "…"}}`."""
    value = next((fields[key] for key in _STAMPS if fields.get(key)), None)
    if isinstance(value, dict):
        value = value.get("$date")
    if isinstance(value, dict):
        value = value.get("$numberLong")
    return value


def _moment(fields: dict[str, object]) -> float:
    stamp = _stamp(fields)
    if isinstance(stamp, int | float):
        return float(stamp) if abs(stamp) < 1e18 else 0.0
    return float(stamp) if isinstance(stamp, str) and stamp.isdecimal() and len(stamp) < 18 else 0.0


def _read_response(fields: dict[str, object], source: Source, notes: Notes) -> Iterator[Message]:
    sender = fields.get("sender")
    role = _SENDERS.get(sender.strip().lower()) if isinstance(sender, str) else None
    time = read_time(_stamp(fields), source.zone, notes)
    text = as_text(fields.get("message")) or as_text(fields.get("query")) or ""
    kind = Kind.SAID
    if role is None:
        if text:
            notes.add(
                "a message of nobody reel knows was kept beside what was said", one_line(str(sender), 40)
            )
        role, kind = "system", Kind.SYSTEM
    model = as_text(fields.get("model")) if role == "assistant" else None
    if text:
        yield Message(role, text, kind, time=time, model=model)
    elif fields.get("partial") is True or fields.get("error"):
        notes.add("an answer that was broken off before a word was left out")
    thoughts = [fields.get("thinking_trace"), *map(_trace, as_items(fields.get("agent_thinking_traces")))]
    for thought in dict.fromkeys(told for value in thoughts if (told := as_text(value))):
        yield Message(role, thought, Kind.REASONING, time=time, model=model)
    for file in as_items(fields.get("file_attachments")):
        about = as_fields(file)
        called = as_text(file) or as_text(about.get("file_name")) or as_text(about.get("name")) or ""
        yield Message(role, file_label({"type": "file", "name": called}), Kind.ATTACHMENT, time=time)


def _trace(value: object) -> object:
    return as_fields(value).get("thinking_trace")


READER = Reader("grok", _sniff, _read)
