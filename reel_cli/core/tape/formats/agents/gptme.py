"""gptme's conversations: `<name>/conversation.jsonl`, one message a line, with the time of its machine."""

from collections.abc import Iterator

from reel_cli.core.errors import ReelError
from reel_cli.core.frozen import late
from reel_cli.core.tape.formats.parts import as_fields, as_items, as_text, compact, file_label
from reel_cli.core.tape.formats.source import Notes, Reader, Source
from reel_cli.core.tape.formats.times import read_time
from reel_cli.core.values.change import one_line
from reel_cli.core.values.talk import Conversation, Kind, Message

_KEYS = frozenset({
    "role", "content", "timestamp", "files", "file_hashes", "pinned", "hide", "quiet", "ui_only",
    "ephemeral_ttl", "call_id", "metadata",
})  # fmt: skip
_OWN = frozenset({"pinned", "hide", "file_hashes", "ui_only", "ephemeral_ttl", "call_id"})
_NAME = "conversation.jsonl"
_NUDGE = late(r"(?s)\s*<system>.*</system>\s*")
_SURE = 95


def _sniff(source: Source) -> int:
    found = [as_fields(value) for value in source.first] if source.opening == "{" else []
    whole = all(
        fields.keys() <= _KEYS and {"role", "content", "timestamp"} <= fields.keys() for fields in found
    )
    named = (source.filename or "").endswith(_NAME) and found and found[0].get("role") == "system"
    return _SURE if found and whole and (named or any(_OWN & fields.keys() for fields in found)) else 0


def _read(source: Source) -> list[Conversation]:
    notes = Notes()
    messages: list[Message] = []
    for number, fields in source.records(notes):
        if isinstance(fields.get("role"), str):
            messages += _read_message(fields, source, notes, begun=any(m.kind is Kind.SAID for m in messages))
        else:
            notes.add("a line that is no message was left out", f"line {number}")
    if not messages:
        message = f"{source.name} holds no message of a gptme conversation."
        raise ReelError(message, hint="gptme keeps its chats as <name>/conversation.jsonl")
    # a branch is a file of another name, and another chat
    own = source.path is not None and (source.filename or "").endswith(_NAME)
    name = source.path.parent.name if own and source.path is not None else ""
    return [
        Conversation(
            format="gptme",
            messages=tuple(messages),
            key=f"gptme:{name}" if name else None,
            title=name or None,
            model=next((m.model for m in reversed(messages) if m.model), None),
            problems=notes.lines(),
        )
    ]


def _read_message(
    fields: dict[str, object], source: Source, notes: Notes, *, begun: bool
) -> Iterator[Message]:
    """Yield a message; a line of the program is an instruction before anybody spoke, and a tool's after."""
    role = str(fields.get("role"))
    time = read_time(fields.get("timestamp"), source.zone, notes)
    text = as_text(fields.get("content"))
    if text is None and isinstance(fields.get("content"), list | dict):
        text = compact(fields["content"])
        notes.add("a message that is no text was kept as it stands")
    if role not in {"user", "assistant", "system", "tool"}:
        notes.add("a role reel does not know was kept beside what was said", f"“{one_line(role, 40)}”")
        role = "system"
    if role == "user" and text and _NUDGE.fullmatch(text):
        # in a run that nobody watches gptme asks the model itself to go on
        role = "system"
    model = as_text(as_fields(fields.get("metadata")).get("model")) if role == "assistant" else None
    if text and role in {"user", "assistant"}:
        yield Message(role, text, time=time, model=model)
    elif text and (begun or role == "tool"):
        yield Message("tool", compact(text), Kind.TOOL, time=time)
    elif text:
        yield Message("system", text, Kind.SYSTEM, time=time)
    for file in as_items(fields.get("files")):
        name = (as_text(file) or "").rpartition("/")[2]
        yield Message(role, file_label({"type": "file", "name": name}), Kind.ATTACHMENT, time=time)


READER = Reader("gptme", _sniff, _read)
