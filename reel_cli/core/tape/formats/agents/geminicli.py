"""Gemini CLI's sessions: `session-<time>-<id>.json` or `.jsonl`, and chats saved with `/chat save`."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from reel_cli.core.errors import ReelError
from reel_cli.core.tape.formats.parts import as_fields, as_items, as_text, compact, file_label
from reel_cli.core.tape.formats.source import Notes, Reader, Source
from reel_cli.core.tape.formats.times import read_time
from reel_cli.core.tape.formats.trees import lay_out
from reel_cli.core.values.change import one_line
from reel_cli.core.values.talk import Conversation, Kind, Message

_ROLES = {"user": "user", "gemini": "assistant", "model": "assistant"}
_OWN = frozenset({"info", "error", "warning"})
_LISTS = ("history", "contents")
_SURE, _LIKELY = 95, 75


def _sniff(source: Source) -> int:
    if source.opening not in {"{", "["}:
        return 0
    found = [as_fields(value) for value in source.first]
    if any("projectHash" in fields and "sessionId" in fields for fields in found):
        return _SURE
    return _LIKELY if any(_is_turn(item) for item in _saved(source)[:20]) else 0


def _saved(source: Source) -> list[object]:
    """Return the turns of a saved chat: a list of them, or an object that holds one."""
    root = as_fields(source.first[0]) if len(source.first) == 1 else {}
    held = next((root[key] for key in _LISTS if key in root), None)
    return held if isinstance(held, list) else list(source.first)


def _is_turn(value: object) -> bool:
    fields = as_fields(value)
    return as_text(fields.get("role")) in {"user", "model"} and isinstance(fields.get("parts"), list)


@dataclass(slots=True)
class _Session:
    """The messages of a session as the program would load it; those gone back over stay beside."""

    about: dict[str, object] = field(default_factory=dict)
    parents: dict[str, str | None] = field(default_factory=dict)
    nodes: dict[str, dict[str, object]] = field(default_factory=dict)
    leaf: str | None = None

    def add(self, fields: dict[str, object]) -> None:
        """Take in one record: a message, one anew, what is known of the session, or a step back."""
        back, change = as_text(fields.get("$rewindTo")), as_fields(fields.get("$set"))
        if back is not None:
            self.leaf = self.parents.get(back) if back in self.parents else None
        elif "projectHash" in fields or change:
            told = change or fields
            self.about |= told
            held = told.get("messages")
            if isinstance(held, list):
                self.leaf = None
                for item in held:
                    self._put(as_fields(item))
        else:
            self._put(fields)

    def _put(self, fields: dict[str, object]) -> None:
        name = as_text(fields.get("id")) or f"#{len(self.nodes)}"
        if name not in self.nodes:
            self.parents[name] = self.leaf
        self.nodes[name] = fields
        self.leaf = name


def _read(source: Source) -> Iterator[Conversation]:
    notes = Notes()
    session = _Session()
    for record in _records(source, notes):
        session.add(record)
    if session.about.get("kind") not in (None, "main"):
        message = f"{source.name} holds only what a helper of a Gemini CLI session was told and answered."
        raise ReelError(message, hint="record the session's own file")
    messages = lay_out(
        session.parents, session.leaf, lambda name: list(_read_message(session.nodes[name], source, notes))
    )
    own = as_text(session.about.get("sessionId"))
    yield Conversation(
        format="gemini-cli",
        messages=tuple(messages),
        key=f"gemini-cli:{own}" if own else None,
        title=as_text(session.about.get("summary")),
        started=read_time(session.about.get("startTime"), source.zone, notes),
        model=next((m.model for m in reversed(messages) if m.model), None),
        problems=notes.lines(),
    )


def _records(source: Source, notes: Notes) -> Iterator[dict[str, object]]:
    if source.json_fault is not None:
        yield from (fields for _, fields in source.records(notes))
        return
    root = as_fields(source.json)
    held = next((root[key] for key in _LISTS if key in root), None)
    if isinstance(source.json, list) or isinstance(held, list):
        yield from (as_fields(item) for item in as_items(held or source.json))
    else:
        yield root


def _read_message(fields: dict[str, object], source: Source, notes: Notes) -> Iterator[Message]:
    kind = as_text(fields.get("type")) or as_text(fields.get("role")) or ""
    role = _ROLES.get(kind)
    if role is None:
        what = "a line of the program's own" if kind in _OWN else "a message of nobody reel knows"
        notes.add(f"{what} was left out", one_line(kind, 40))
        return
    time = read_time(fields.get("timestamp"), source.zone, notes)
    model = as_text(fields.get("model")) if role == "assistant" else None
    shown = next((fields[key] for key in ("displayContent", "content", "parts") if fields.get(key)), None)
    said, beside = _sort(shown, role, time, notes)
    if said.strip():
        yield Message(role, said, time=time, model=model)
    yield from beside
    for thought in map(as_fields, as_items(fields.get("thoughts"))):
        told = "\n\n".join(t for key in ("subject", "description") if (t := as_text(thought.get(key))))
        if told:
            yield Message(role, told, Kind.REASONING, time=time, model=model)
    for call in map(as_fields, as_items(fields.get("toolCalls"))):
        kept = {key: call[key] for key in ("name", "args", "result") if call.get(key)}
        if kept:
            yield Message("tool", compact(kept), Kind.TOOL, time=time)


def _sort(value: object, role: str, time: str | None, notes: Notes) -> tuple[str, list[Message]]:
    """Return the text of Gemini's parts (a string, a part or a list of either), and what is beside it."""
    said: list[str] = []
    beside: list[Message] = []
    for part in value if isinstance(value, list) else [value] * bool(value):
        fields = as_fields(part)
        text = part if isinstance(part, str) else fields.get("text")
        if isinstance(text, str) and fields.get("thought") is True:
            beside.append(Message(role, text, Kind.REASONING, time=time))
        elif isinstance(text, str):
            said.append(text)
        elif "functionCall" in fields or "functionResponse" in fields:
            beside.append(Message("tool", compact(fields), Kind.TOOL, time=time))
        elif "inlineData" in fields or "fileData" in fields:
            about = as_fields(fields.get("inlineData") or fields.get("fileData"))
            label = file_label({"type": "file", "name": about.get("displayName") or ""})
            beside.append(Message(role, label, Kind.ATTACHMENT, time=time))
        else:
            notes.add("a part of an unknown kind was left out", f"“{one_line(next(iter(fields), ''), 40)}”")
    return "".join(said), beside


READER = Reader("gemini-cli", _sniff, _read)
