"""The database of Ollama's desktop app: `db.sqlite`, chats and their messages."""

from collections.abc import Iterator

from reel_cli.core.tape.formats.database import (
    Database,
    Row,
    open_database,
    plain,
    refuse_foreign,
    tables_of,
    utc,
)
from reel_cli.core.tape.formats.parts import compact
from reel_cli.core.tape.formats.source import Notes, Reader, Source
from reel_cli.core.tape.formats.times import read_time
from reel_cli.core.values.change import one_line
from reel_cli.core.values.talk import Conversation, Kind, Message

_ROLES = {"user": "user", "assistant": "assistant", "system": "system", "tool": "tool"}
_KINDS = {"system": Kind.SYSTEM, "tool": Kind.TOOL}
_MESSAGE = ("id", "chat_id", "role", "content", "thinking", "model_name", "created_at", "tool_result")
_CALL = ("message_id", "function_name", "function_arguments", "function_result")
_ATTACHMENT = ("message_id", "filename", "data")


def _sniff(source: Source) -> int:
    if not source.is_database:
        return 0
    tables = tables_of(source)
    chats, messages = tables.get("chats", frozenset()), tables.get("messages", frozenset())
    return 95 if "id" in chats and {"chat_id", "role", "content"} <= messages else 0


def _read(source: Source) -> Iterator[Conversation]:
    with open_database(source) as database:
        if not (database.has("chats", "id") and database.has("messages", "chat_id", "role", "content")):
            refuse_foreign(source)
        known: set[object] = set()
        for chat in database.rows("chats", ("id", "title", "created_at")):
            known.add(chat["id"])
            yield _read_chat(database, chat, source)
        lost = {row["chat_id"] for row in database.rows("messages", ("chat_id",))} - known
        for name in sorted(lost, key=str):
            source.notes.add("messages whose chat was deleted were found", one_line(str(name), 40))
            yield _read_chat(database, {"id": name, "title": None, "created_at": None}, source)


def _read_chat(database: Database, chat: Row, source: Source) -> Conversation:
    notes = Notes()
    rows = list(database.rows("messages", _MESSAGE, where=("chat_id", chat["id"])))
    rows.sort(key=lambda row: row["id"] if isinstance(row["id"], int) else 0)
    messages: list[Message] = []
    for number, row in enumerate(rows, start=1):
        messages += _read_message(database, row, f"message {number}", source, notes)
    name = plain(chat["id"])
    return Conversation(
        format="ollama",
        messages=tuple(messages),
        key=f"ollama:{name}" if name else None,
        title=plain(chat["title"]),
        started=read_time(utc(chat["created_at"]), source.zone, notes),
        model=next((m.model for m in reversed(messages) if m.model), None),
        problems=notes.lines(),
    )


def _read_message(
    database: Database, row: Row, where: str, source: Source, notes: Notes
) -> Iterator[Message]:
    given = plain(row["role"]) or ""
    role = _ROLES.get(given.strip().lower())
    if role is None:
        notes.add("a role reel does not know was kept beside what was said", f"“{one_line(given, 40)}”")
        role = "system"
    time = read_time(utc(row["created_at"]), source.zone, notes)
    model = plain(row["model_name"]) if role == "assistant" else None
    text = plain(row["content"])
    if text is None and row["content"] not in {None, "", b""} and not isinstance(row["content"], str):
        notes.add("a message that is no text was left out", where)
    if text:
        yield Message(role, text, _KINDS.get(role, Kind.SAID), time=time, model=model)
    thinking = plain(row["thinking"])
    if thinking:
        yield Message(role, thinking, Kind.REASONING, time=time, model=model)
    for call in database.rows("tool_calls", _CALL, where=("message_id", row["id"])):
        told = {"name": plain(call["function_name"]), "arguments": plain(call["function_arguments"])}
        result = plain(call["function_result"])
        yield Message("tool", compact(told | ({"result": result} if result else {})), Kind.TOOL, time=time)
    result = plain(row["tool_result"])
    if result and result != text:
        yield Message("tool", compact(result), Kind.TOOL, time=time)
    for file in database.rows("attachments", _ATTACHMENT, where=("message_id", row["id"])):
        yield Message(role, _attached(file), Kind.ATTACHMENT, time=time)


def _attached(row: Row) -> str:
    """Return a file's name, and its contents if they are text."""
    label = f"[file: {one_line(plain(row['filename']) or '', 200)}]"
    data = row["data"]
    text = plain(data) if isinstance(data, str | bytes) else None
    return f"{label}\n\n{text}" if text and "\x00" not in text else label


READER = Reader("ollama", _sniff, _read)
