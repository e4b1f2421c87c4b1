"""OpenCode's database, `opencode.db`, and a session as `opencode export` prints it."""

import json
from collections.abc import Iterator, Sequence

from reel_cli.core.errors import ReelError
from reel_cli.core.tape.formats.database import open_database, plain, refuse_foreign, tables_of
from reel_cli.core.tape.formats.parts import as_fields, as_items, as_text, compact, file_label
from reel_cli.core.tape.formats.source import Notes, Reader, Source
from reel_cli.core.tape.formats.times import read_time
from reel_cli.core.tape.formats.trees import lay_out
from reel_cli.core.values.change import one_line
from reel_cli.core.values.talk import Conversation, Kind, Message

_SESSION = ("id", "parent_id", "title", "time_created", "revert")
_MESSAGE = ("id", "session_id", "data")
_PART = ("id", "message_id", "session_id", "data")
_QUIET = frozenset({"step-start", "step-finish", "snapshot", "patch", "compaction", "retry", "agent"})
_SURE = 95
Turn = tuple[str, dict[str, object], Sequence[dict[str, object]]]
"""A message: its ID, what is known of it, and its parts."""


def _sniff(source: Source) -> int:
    if source.is_database:
        tables = tables_of(source)
        parts, messages = tables.get("part", frozenset()), tables.get("message", frozenset())
        return _SURE if {*_PART} <= parts and {*_MESSAGE} <= messages and "session" in tables else 0
    root = as_fields(source.first[0]) if source.opening == "{" and len(source.first) == 1 else {}
    turns = [as_fields(item) for item in as_items(root.get("messages"))[:20]]
    return _SURE if any(isinstance(t.get("parts"), list) and _is_info(t.get("info")) for t in turns) else 0


def _is_info(value: object) -> bool:
    return {"role", "sessionID"} <= as_fields(value).keys()


def _read(source: Source) -> Iterator[Conversation]:
    if source.is_database:
        yield from _read_database(source)
        return
    root = as_fields(next(source.items(), None))
    if "messages" not in root:
        message = f"{source.name} is no session of OpenCode: it holds no messages."
        raise ReelError(message, hint="print one with  opencode export SESSION")
    about = as_fields(root.get("info"))
    turns = [
        (
            as_text(as_fields(turn.get("info")).get("id")) or f"#{number}",
            as_fields(turn.get("info")),
            [as_fields(part) for part in as_items(turn.get("parts"))],
        )
        for number, turn in enumerate(map(as_fields, as_items(root["messages"])))
    ]
    created = as_fields(about.get("time")).get("created")
    yield _read_session(about | {"time_created": created}, turns, source)


def _read_database(source: Source) -> Iterator[Conversation]:
    with open_database(source) as database:
        known = database.has("session", "id") and database.has("message", *_MESSAGE)
        if not (known and database.has("part", *_PART)):
            refuse_foreign(source)
        for row in list(database.rows("session", _SESSION)):
            if plain(row["parent_id"]):
                source.notes.add(
                    "a session of a helper was left out", one_line(plain(row["title"]) or "", 60)
                )
                continue
            parts: dict[object, list[tuple[str, dict[str, object]]]] = {}
            for part in database.rows("part", _PART, where=("session_id", row["id"])):
                parts.setdefault(part["message_id"], []).append(
                    (plain(part["id"]) or "", _json(part["data"]))
                )
            found = [
                (
                    plain(m["id"]) or "",
                    _json(m["data"]),
                    [part for _, part in sorted(parts.get(m["id"], []), key=_id)],
                )
                for m in database.rows("message", _MESSAGE, where=("session_id", row["id"]))
            ]
            # IDs rise with time
            yield _read_session(row | {"revert": _json(row["revert"])}, sorted(found, key=_id), source)


def _id(one: Sequence[object]) -> str:
    return str(one[0])


def _json(value: object) -> dict[str, object]:
    try:
        return as_fields(json.loads(plain(value) or "null"))
    except (ValueError, RecursionError):
        return {}


def _read_session(about: dict[str, object], turns: Sequence[Turn], source: Source) -> Conversation:
    notes = Notes()
    # what was taken back is still there, from one message on
    back = as_text(as_fields(about.get("revert")).get("messageID"))
    parents: dict[str, str | None] = {}
    groups: dict[str, list[Message]] = {}
    leaf = before = None
    for name, info, parts in turns:
        own = name if name not in parents else f"{name}#{len(parents)}"
        parents[own], groups[own] = before, list(_read_turn(info, parts, source, notes))
        before = own
        leaf = own if back is None or name < back else leaf
    messages = lay_out(parents, leaf or before, lambda name: groups[name])
    own_id = plain(about.get("id"))
    return Conversation(
        format="opencode",
        messages=tuple(messages),
        key=f"opencode:{own_id}" if own_id else None,
        title=plain(about.get("title")),
        started=read_time(about.get("time_created"), source.zone, notes),
        model=next((m.model for m in reversed(messages) if m.model), None),
        problems=notes.lines(),
    )


def _read_turn(
    info: dict[str, object], parts: Sequence[dict[str, object]], source: Source, notes: Notes
) -> Iterator[Message]:
    given = as_text(info.get("role"))
    role = given if given in {"user", "assistant"} else "system"
    if role == "system" and parts:
        notes.add("a role reel does not know was kept beside what was said", f"“{one_line(str(given), 40)}”")
    time = read_time(as_fields(info.get("time")).get("created"), source.zone, notes)
    model = as_text(info.get("modelID")) if role == "assistant" else None
    said: list[str] = []
    beside: list[Message] = []
    for part in parts:
        kind, text = as_text(part.get("type")) or "", as_text(part.get("text"))
        if kind == "text" and text and (part.get("synthetic") is True or part.get("ignored") is True):
            beside.append(Message("system", text, Kind.SYSTEM, time=time))
        elif kind == "text":
            said.append(text or "")
        elif kind == "reasoning":
            beside.append(Message(str(role), text or "", Kind.REASONING, time=time, model=model))
        elif kind in {"tool", "subtask"}:
            state = as_fields(part.get("state"))
            kept = {"name": part.get("tool"), "input": state.get("input"), "output": state.get("output")}
            beside.append(
                Message("tool", compact({k: v for k, v in kept.items() if v}), Kind.TOOL, time=time)
            )
        elif kind == "file":
            label = file_label({"type": "file", "name": as_text(part.get("filename")) or ""})
            beside.append(Message(str(role), label, Kind.ATTACHMENT, time=time))
        elif kind not in _QUIET:
            notes.add("a part of an unknown kind was left out", f"“{one_line(kind, 40)}”")
    words = "\n\n".join(text for text in said if text.strip())
    if words:
        yield Message(
            str(role), words, Kind.SYSTEM if role == "system" else Kind.SAID, time=time, model=model
        )
    yield from (m for m in beside if m.text.strip() and m.text != "{}")


READER = Reader("opencode", _sniff, _read)
