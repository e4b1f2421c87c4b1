"""oterm's database: `store.db`, chats and their messages, without times."""

import json
from collections.abc import Iterator

from reel_cli.core.tape.formats.database import open_database, plain, refuse_foreign, tables_of
from reel_cli.core.tape.formats.parts import as_items, compact
from reel_cli.core.tape.formats.source import Notes, Reader, Source
from reel_cli.core.values.change import one_line
from reel_cli.core.values.talk import Conversation, Kind, Message

_CHAT = ("id", "name", "model", "system")
_MESSAGE = ("id", "chat_id", "author", "text", "images")
_ROLES = {
    "user": "user", "me": "user", "assistant": "assistant", "ollama": "assistant", "system": "system",
    "tool": "tool",
}  # fmt: skip
_KINDS = {"system": Kind.SYSTEM, "tool": Kind.TOOL}
_SURE = 95


def _sniff(source: Source) -> int:
    if not source.is_database:
        return 0
    tables = tables_of(source)
    chats, messages = tables.get("chat", frozenset()), tables.get("message", frozenset())
    return _SURE if {"id", "name", "model"} <= chats and {"chat_id", "author", "text"} <= messages else 0


def _read(source: Source) -> Iterator[Conversation]:
    with open_database(source) as database:
        if not (database.has("chat", "id") and database.has("message", "chat_id", "author", "text")):
            refuse_foreign(source)
        for chat in database.rows("chat", _CHAT):
            notes = Notes()
            model = plain(chat["model"])
            told = plain(chat["system"])
            messages = [Message("system", told, Kind.SYSTEM)] if told else []
            rows = list(database.rows("message", _MESSAGE, where=("chat_id", chat["id"])))
            rows.sort(key=lambda row: row["id"] if isinstance(row["id"], int) else 0)
            for row in rows:
                messages += _read_message(row, model, notes)
            # the numbers of its chats are this store's alone, and no key
            yield Conversation(
                format="oterm",
                messages=tuple(messages),
                title=plain(chat["name"]),
                model=model,
                problems=notes.lines(),
            )


def _read_message(row: dict[str, object], model: str | None, notes: Notes) -> Iterator[Message]:
    given = (plain(row["author"]) or "").strip()
    role = _ROLES.get(given.lower())
    if role is None:
        notes.add("a role reel does not know was kept beside what was said", f"“{one_line(given, 40)}”")
        role = "system"
    text = plain(row["text"])
    if text:
        shown = compact(text) if role == "tool" else text
        yield Message(role, shown, _KINDS.get(role, Kind.SAID), model=model if role == "assistant" else None)
    try:
        images = as_items(json.loads(plain(row["images"]) or "[]"))
    except (ValueError, RecursionError):
        images = []
    yield from (Message(role, "[image]", Kind.ATTACHMENT) for _ in images[:100])


READER = Reader("oterm", _sniff, _read)
