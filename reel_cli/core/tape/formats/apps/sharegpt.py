"""ShareGPT: conversations of `from` and `value`, many in a file; JSON or JSONL."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from reel_cli.core.errors import ReelError
from reel_cli.core.tape.formats.parts import as_fields, as_text, compact, read_content
from reel_cli.core.tape.formats.source import Notes, Reader, Source
from reel_cli.core.tape.formats.times import read_time
from reel_cli.core.values.change import one_line
from reel_cli.core.values.talk import Conversation, Kind, Message

_LISTS = ("conversations", "conversation", "items")
_ROLES = {
    "human": "user", "user": "user", "you": "user", "prompter": "user",
    "gpt": "assistant", "assistant": "assistant", "chatgpt": "assistant", "bard": "assistant",
    "bing": "assistant", "claude": "assistant", "gemini": "assistant", "model": "assistant",
    "ai": "assistant", "bot": "assistant", "gpt-3.5-turbo": "assistant", "gpt-4": "assistant",
    "system": "system", "developer": "system",
    "observation": "tool", "tool": "tool", "function": "tool", "function_response": "tool",
    "tool_response": "tool", "ipython": "tool", "function_call": "tool", "tool_call": "tool",
}  # fmt: skip
_KINDS = {"system": Kind.SYSTEM, "tool": Kind.TOOL}
_TEXTS = ("value", "content", "text", "markdown")
_STAMPS = ("create_time", "created_at", "createdAt", "timestamp", "date")


def _sniff(source: Source) -> int:
    return 85 if any(_turns(as_fields(value)) is not None for value in source.first) else 0


def _turns(fields: dict[str, object]) -> list[object] | None:
    """Return the turns of a conversation; None where it is none."""
    for key in _LISTS:
        turns = fields.get(key)
        if isinstance(turns, list) and any(isinstance(as_fields(t).get("from"), str) for t in turns[:50]):
            return turns
    return None


def _read(source: Source) -> Iterator[Conversation]:
    keys: set[str] = set()
    found = 0
    for where, value in _values(source):
        about = as_fields(value)
        turns = _turns(about)
        if turns is None:
            source.notes.add("an entry without turns was left out", where)
            continue
        found += 1
        yield _read_one(about, turns, source, keys)
    if not found:
        message = f"{source.name} is not a ShareGPT file: no conversation of “from” and “value” is in it."
        raise ReelError(message, hint="it should hold a list of objects with conversations")


def _values(source: Source) -> Iterator[tuple[str, object]]:
    if source.opening == "[" or source.json_fault is None:
        yield from ((f"entry {number}", value) for number, value in enumerate(source.items(), start=1))
        return
    for number, line in source.lines():
        try:
            yield f"line {number}", source.parse_json(line)
        except (ValueError, RecursionError):
            source.notes.add("a line that is not JSON was left out", f"line {number}")


def _read_one(about: dict[str, object], turns: list[object], source: Source, keys: set[str]) -> Conversation:
    reading = _ConversationReader()
    system = as_text(about.get("system")) or as_text(about.get("system_prompt"))
    if system:
        reading.messages.append(Message("system", system, Kind.SYSTEM))
    for number, turn in enumerate(turns, start=1):
        reading.add(as_fields(turn), f"turn {number}")
    chosen, rejected = as_fields(about.get("chosen")), as_fields(about.get("rejected"))
    if chosen:
        reading.add(chosen, "the chosen answer")
    if rejected:
        reading.add(rejected, "the rejected answer", road=1)
    return Conversation(
        format="sharegpt",
        messages=tuple(reading.messages),
        key=_key(about, source, keys),
        title=as_text(about.get("title")) or as_text(about.get("name")),
        started=next(
            (t for k in _STAMPS if (t := read_time(about.get(k), source.zone, reading.notes))), None
        ),
        model=as_text(about.get("model")),
        problems=reading.notes.lines(),
    )


def _key(about: dict[str, object], source: Source, keys: set[str]) -> str | None:
    given = about.get("id")
    number = isinstance(given, int) and not isinstance(given, bool)
    key = f"sharegpt:{given}" if as_text(given) or number else None
    if key in keys:
        # two conversations cannot share an ID: later ones are known by their words
        source.notes.add("the same id stands for several conversations", one_line(str(given), 40))
        return None
    if key:
        keys.add(key)
    return key


@dataclass(slots=True)
class _ConversationReader:
    """The state of reading one conversation."""

    messages: list[Message] = field(default_factory=list)
    notes: Notes = field(default_factory=Notes)

    def add(self, fields: dict[str, object], where: str, *, road: int | None = None) -> None:
        """Read one turn."""
        given = as_text(fields.get("from")) or as_text(fields.get("role"))
        if given is None:
            self.notes.add("a turn that does not say who speaks was left out", where)
            return
        role = _ROLES.get(given.strip().lower())
        kind = _KINDS.get(role or "system", Kind.SAID)
        value = next((fields[key] for key in _TEXTS if fields.get(key) is not None), None)
        content = read_content(compact(value) if isinstance(value, dict) else value, self.notes)
        text = content.text("\n\n")
        if road is not None:
            kind = Kind.VERSION
        name = as_text(fields.get("name"))
        if role is None:
            self.notes.add(
                "a role reel does not know was kept beside what was said", f"“{one_line(given, 40)}”"
            )
            role, name = "system", name or given
        self.messages.append(Message(role, text, kind, name=name, road=road))
        self.messages += content.beside(role)


READER = Reader("sharegpt", _sniff, _read)
