"""VS Code's chat sessions: `chatSessions/<id>.json`, the log `<id>.jsonl`, and an exported chat."""

from collections.abc import Iterator

from reel_cli.core.errors import ReelError
from reel_cli.core.tape.formats.parts import as_fields, as_items, as_text, compact, file_label
from reel_cli.core.tape.formats.source import Notes, Reader, Source
from reel_cli.core.tape.formats.times import read_time
from reel_cli.core.values.change import one_line
from reel_cli.core.values.talk import Conversation, Kind, Message

_MARKS = frozenset({"responderUsername", "requesterUsername", "sessionId", "initialLocation"})
_FIRST, _SET, _PUSH, _DELETE = range(4)
"""Kinds of a log's lines: the whole state, a value set, values appended, a value deleted."""
_LONGEST_PATH = 32
_TEXT = frozenset({"", "markdownContent", "markdownVuln"})
_TOOLS = frozenset({"toolInvocation", "toolInvocationSerialized"})
_QUIET = frozenset({
    "undoStop", "prepareToolInvocation", "mcpServersStarting", "codeblockUri", "textEditGroup",
    "progressTask", "progressTaskSerialized", "progressMessage", "confirmation", "command",
    "treeData", "notebookEditGroup", "questionCarousel",
    "elicitation", "elicitationSerialized", "codeCitation", "reference", "warning", "move", "extensions",
    "pullRequest", "clearToPreviousToolInvocation", "multiDiffData", "workspaceEdit", "hook",
})  # fmt: skip
"""Parts of an answer that hold no words of it."""
_SURE = 95


def _sniff(source: Source) -> int:
    if source.opening != "{":
        return 0
    first = as_fields(source.first[0]) if source.first else {}
    state = as_fields(first.get("v")) if first.get("kind") == _FIRST else first
    return _SURE if isinstance(state.get("requests"), list) and not _MARKS.isdisjoint(state) else 0


def _read(source: Source) -> Iterator[Conversation]:
    notes = Notes()
    state = as_fields(_state(source, notes))
    if not isinstance(state.get("requests"), list):
        message = f"{source.name} is no chat session of VS Code: it holds no requests."
        raise ReelError(message, hint="in VS Code run the command  Chat: Export Chat...")
    yield read_session(state, source, notes)


def _state(source: Source, notes: Notes) -> object:
    """Return the session, as the lines of a log leave it."""
    if source.json_fault is None:
        root = as_fields(source.json)
        return root.get("v") if root.get("kind") == _FIRST else root
    state: object = None
    for number, fields in source.records(notes):
        kind = fields.get("kind")
        if kind == _FIRST:
            state = fields.get("v")
        elif not _apply(state, fields):
            notes.add("a change that fits nowhere was left out", f"line {number}")
    return state


def _apply(state: object, change: dict[str, object]) -> bool:
    """Apply a line of the log to the state; False where its path leads nowhere."""
    kind, path = change.get("kind"), as_items(change.get("k"))
    if not path or len(path) > _LONGEST_PATH:
        return False
    *way, last = path
    here = state
    for step in way:
        here = _step(here, step)
    if kind == _PUSH:
        held = _step(here, last)
        if held is None and isinstance(here, dict) and isinstance(last, str):
            held = here[last] = []
        if not isinstance(held, list):
            return False
        start = change.get("i")
        if isinstance(start, int) and start >= 0:
            del held[start:]
        held += as_items(change.get("v"))
        return True
    value = change.get("v") if kind == _SET else None
    if kind not in (_SET, _DELETE):
        return False
    if isinstance(here, dict) and isinstance(last, str):
        here[last] = value
        return True
    if isinstance(here, list) and isinstance(last, int) and 0 <= last <= len(here):
        here[last : last + 1] = [value]
        return True
    return False


def _step(here: object, step: object) -> object:
    if isinstance(here, dict) and isinstance(step, str):
        return here.get(step)
    if isinstance(here, list) and isinstance(step, int) and 0 <= step < len(here):
        return here[step]
    return None


def read_session(state: dict[str, object], source: Source, notes: Notes) -> Conversation:
    """Return the conversation of one session."""
    messages: list[Message] = []
    for request in map(as_fields, as_items(state.get("requests"))):
        messages += _read_request(request, source, notes)
    own = as_text(state.get("sessionId"))
    return Conversation(
        format="vscode",
        messages=tuple(messages),
        key=f"vscode:{own}" if own else None,
        title=as_text(state.get("customTitle")),
        started=read_time(state.get("creationDate"), source.zone, notes),
        model=next((m.model for m in reversed(messages) if m.model), None),
        problems=notes.lines(),
    )


def _read_request(request: dict[str, object], source: Source, notes: Notes) -> Iterator[Message]:
    time = read_time(request.get("timestamp"), source.zone, notes)
    asked = as_text(request.get("message")) or as_text(as_fields(request.get("message")).get("text"))
    if asked:
        yield Message("user", asked, time=time)
    for item in map(as_fields, as_items(as_fields(request.get("variableData")).get("variables"))):
        label = file_label({"type": "file", "name": as_text(item.get("name")) or ""})
        yield Message("user", label, Kind.ATTACHMENT, time=time)
    used = as_text(request.get("modelId"))
    model = used.rpartition("/")[2] if used else None
    yield from _read_answer(as_items(request.get("response")), model, notes)
    broken = as_text(as_fields(as_fields(request.get("result")).get("errorDetails")).get("message"))
    if broken:
        notes.add("an answer ended in an error", one_line(broken, 80))


def _read_answer(parts: list[object], model: str | None, notes: Notes) -> Iterator[Message]:
    """Yield the answer, whose text comes in pieces, and what is beside it."""
    said: list[str] = []
    beside: list[Message] = []
    for part in parts:
        fields = as_fields(part)
        kind = as_text(fields.get("kind")) or ""
        if isinstance(part, str) or kind in _TEXT:
            said.append(part if isinstance(part, str) else _markdown(fields))
        elif kind == "inlineReference":
            said.append(_reference(fields))
        elif kind == "thinking":
            value = fields.get("value")
            thought = value if isinstance(value, str) else "\n".join(str(v) for v in as_items(value))
            beside.append(Message("assistant", thought, Kind.REASONING, model=model))
        elif kind in _TOOLS:
            told = as_fields(fields.get("pastTenseMessage")) or as_fields(fields.get("invocationMessage"))
            call = {"name": fields.get("toolId"), "told": told.get("value") or fields.get("pastTenseMessage")}
            beside.append(Message("tool", compact({k: v for k, v in call.items() if v}), Kind.TOOL))
        elif kind not in _QUIET:
            notes.add("a part of an unknown kind was left out", f"“{one_line(kind, 40)}”")
    text = "".join(said)
    if text.strip():
        yield Message("assistant", text, model=model)
    yield from (m for m in beside if m.text.strip() and m.text != "{}")


def _markdown(fields: dict[str, object]) -> str:
    """Return the text of a piece: its value, or that of its content."""
    content = fields.get("content")
    inner = content if isinstance(content, str) else as_fields(content).get("value")
    value = fields.get("value") if isinstance(fields.get("value"), str) else inner
    return value if isinstance(value, str) else ""


def _reference(fields: dict[str, object]) -> str:
    """Return what the window shows of a reference: its name, or that of the file."""
    inner = as_fields(fields.get("inlineReference"))
    place = as_fields(inner.get("uri")) or as_fields(as_fields(inner.get("location")).get("uri")) or inner
    name = as_text(fields.get("name")) or as_text(inner.get("name"))
    return f"`{name or (as_text(place.get('path')) or '').rpartition('/')[2]}`"


READER = Reader("vscode", _sniff, _read)
