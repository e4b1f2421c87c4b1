"""Cursor's database, `state.vscdb`: a chat's outline and each of its messages, under keys."""

import json
from collections.abc import Iterator
from itertools import chain

from reel_cli.core.tape.formats.agents.vscode import read_session
from reel_cli.core.tape.formats.database import Database, open_database, plain, refuse_foreign, tables_of
from reel_cli.core.tape.formats.parts import as_fields, as_items, as_text, compact
from reel_cli.core.tape.formats.source import Notes, Reader, Source
from reel_cli.core.tape.formats.times import read_time
from reel_cli.core.tape.formats.trees import put_in_order
from reel_cli.core.values.talk import Conversation, Kind, Message

_CHATS, _ITEMS = "cursorDiskKV", "ItemTable"
_OLD = "workbench.panel.aichat.view.aichat.chatdata"
_COPILOT = "interactive.sessions"
_COMPOSER = "composerData:"
_ROLES: dict[object, str] = {1: "user", 2: "assistant", "user": "user", "ai": "assistant"}
_STAMPS = ("createdAt", "timestamp")
_SURE, _LIKELY = 95, 60


def _sniff(source: Source) -> int:
    if not source.is_database:
        return 0
    tables = tables_of(source)
    if {"key", "value"} <= tables.get(_CHATS, frozenset()):
        return _SURE
    # VS Code's own database has the same table of items
    return _LIKELY if {"key", "value"} == tables.get(_ITEMS, frozenset()) else 0


def _read(source: Source) -> Iterator[Conversation]:
    with open_database(source) as database:
        if not (database.has(_CHATS, "key", "value") or database.has(_ITEMS, "key", "value")):
            refuse_foreign(source)
        keys = [key for row in database.rows(_CHATS, ("key",)) if (key := plain(row["key"]))]
        for key in (key for key in keys if key.startswith(_COMPOSER)):
            yield _read_composer(as_fields(_value(database, _CHATS, key)), key, database, source)
        old = as_fields(_value(database, _ITEMS, _OLD))
        for tab in map(as_fields, as_items(old.get("tabs"))):
            yield _read_chat(tab, [as_fields(b) for b in as_items(tab.get("bubbles"))], source)
        for session in map(as_fields, as_items(_value(database, _ITEMS, _COPILOT))):
            yield read_session(session, source, Notes())


def _value(database: Database, table: str, key: str) -> object:
    """Return the JSON under a key; None where there is none."""
    for row in database.rows(table, ("value",), where=("key", key)):
        try:
            found: object = json.loads(plain(row["value"]) or "null")
        except (ValueError, RecursionError):
            return None
        return found
    return None


def _read_composer(fields: dict[str, object], key: str, database: Database, source: Source) -> Conversation:
    name = as_text(fields.get("composerId")) or key.removeprefix(_COMPOSER)
    bubbles = [as_fields(item) for item in as_items(fields.get("conversation"))]
    for header in map(as_fields, as_items(fields.get("fullConversationHeadersOnly"))):
        found = _value(database, _CHATS, f"bubbleId:{name}:{header.get('bubbleId')}")
        # a bubble that is gone is noted by the reader of messages, as one that says nothing
        bubbles.append(as_fields(found) or {"gone": True})
    return _read_chat({"composerId": name} | fields, bubbles, source)


def _read_chat(fields: dict[str, object], bubbles: list[dict[str, object]], source: Source) -> Conversation:
    notes = Notes()
    used = as_text(as_fields(fields.get("modelConfig")).get("modelName"))
    groups = [list(_read_bubble(bubble, source, notes)) for bubble in bubbles]
    own = as_text(fields.get("composerId")) or as_text(fields.get("tabId")) or as_text(fields.get("id"))
    titles = (fields.get(key) for key in ("name", "chatTitle", "title"))
    return Conversation(
        format="cursor",
        messages=tuple(put_in_order(groups)),
        key=f"cursor:{own}" if own else None,
        title=next((title for value in titles if (title := as_text(value))), None),
        started=read_time(fields.get("createdAt"), source.zone, notes),
        model=next((m.model for group in groups for m in group if m.model), used),
        problems=notes.lines(),
    )


def _read_bubble(bubble: dict[str, object], source: Source, notes: Notes) -> Iterator[Message]:
    if "gone" in bubble:
        notes.add("a message that is not in the database was left out")
        return
    kind = bubble.get("type")
    role = _ROLES.get(kind) if isinstance(kind, int | str) else None
    text = as_text(bubble.get("text")) or as_text(bubble.get("rawText"))
    if role is None:
        if text:
            notes.add("a message of nobody reel knows was kept beside what was said", str(kind)[:40])
        role = "system"
    timing = as_fields(bubble.get("timingInfo"))
    stamps = chain((bubble.get(key) for key in _STAMPS), (timing.get("clientStartTime"),))
    time = next((t for stamp in stamps if (t := read_time(stamp, source.zone, notes))), None)
    model = as_text(bubble.get("modelType")) or as_text(as_fields(bubble.get("modelInfo")).get("modelName"))
    model = model if role == "assistant" else None
    if text:
        yield Message(role, text, Kind.SYSTEM if role == "system" else Kind.SAID, time=time, model=model)
    thought = as_text(as_fields(bubble.get("thinking")).get("text")) or as_text(bubble.get("thinking"))
    if thought:
        yield Message(role, thought, Kind.REASONING, time=time, model=model)
    call = as_fields(bubble.get("toolFormerData"))
    kept = {key: call[key] for key in ("name", "rawArgs", "result") if call.get(key)}
    if kept:
        yield Message("tool", compact(kept), Kind.TOOL, time=time)


READER = Reader("cursor", _sniff, _read)
