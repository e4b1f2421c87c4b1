"""The threads of `llm`: messages stored once each under a hash, chained, and the calls that made them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

from reel_cli.core.tape.formats.database import Database, Row, by, plain, utc
from reel_cli.core.tape.formats.parts import Content, as_fields, as_items, as_text, compact, file_label
from reel_cli.core.tape.formats.source import Notes, Source
from reel_cli.core.tape.formats.times import read_time
from reel_cli.core.tape.formats.trees import lay_out
from reel_cli.core.values.change import one_line
from reel_cli.core.values.talk import Conversation, Kind, Message

_ROLES = {"user": "user", "assistant": "assistant", "system": "system", "tool": "tool"}
_KINDS = {"system": Kind.SYSTEM, "tool": Kind.TOOL}
_TURN = ("id", "thread_id", "parent_message_hash", "tip_message_hash", "model", "datetime_utc")


def has_threads(tables: Mapping[str, frozenset[str]]) -> bool:
    """Return whether the tables are those of threads."""
    messages, parts = tables.get("messages", frozenset()), tables.get("parts", frozenset())
    return (
        {"hash", "parent_hash", "role"} <= messages
        and {"message_hash", "position", "type"} <= parts
        and "tip_message_hash" in tables.get("threads", frozenset())
        and "turns" in tables
    )


@dataclass(slots=True)
class _Thread:
    """One thread's messages by their hashes: what each follows, when it was made and by which model."""

    parents: dict[str, str | None] = field(default_factory=dict)
    made: dict[str, tuple[str | None, str | None]] = field(default_factory=dict)


class Threads:
    """The threads of a database."""

    def __init__(self, database: Database, source: Source) -> None:
        self._database, self._source = database, source
        self._messages = {
            plain(row["hash"]) or "": (plain(row["parent_hash"]), plain(row["role"]) or "")
            for row in database.rows("messages", ("hash", "parent_hash", "role"))
        }
        self._turns = by(database.rows("turns", _TURN), "thread_id")

    def read(self) -> Iterator[tuple[str, Conversation]]:
        """Yield every thread in which something was said, with its ID."""
        for row in self._database.rows("threads", ("id", "name", "tip_message_hash", "datetime_utc")):
            turns = sorted(self._turns.get(row["id"], ()), key=lambda turn: str(turn["id"]))
            tips = [tip for turn in turns if (tip := plain(turn["tip_message_hash"])) in self._messages]
            tip = plain(row["tip_message_hash"]) or (tips[-1] if tips else None)
            name = plain(row["id"])
            if tip is None or name is None:
                continue
            if tip not in self._messages:
                self._source.notes.add("a thread whose messages are gone was left out", one_line(name, 40))
                continue
            yield name, self._read_one(row, turns, tip, [t for t in tips if t is not None])

    def _read_one(self, row: Row, turns: Sequence[Row], tip: str, tips: Sequence[str]) -> Conversation:
        notes = Notes()
        thread = _Thread()
        read: dict[str, list[Message]] = {}

        def read_once(key: str) -> list[Message]:
            if key not in read:
                read[key] = self._read_message(key, thread, notes)
            return read[key]

        main = self._chain(tip)
        on_main = set(main)
        others = [self._chain(end) for end in tips if end not in on_main]
        thread.parents = {key: self._messages[key][0] for way in (main, *others) for key in way}
        for turn in turns:
            self._date(turn, thread, notes)
        said = [_said(read_once(key)) for key in main]
        kept = set(main)
        for way in others:
            # instructions given anew make a new chain of the same words, which is no other road
            if not _begins(said, [_said(read_once(key)) for key in way]):
                kept.update(way)
        order = {key: place for place, key in enumerate(self._messages)}
        parents = {key: thread.parents[key] for key in sorted(kept, key=order.__getitem__)}
        messages = lay_out(parents, tip, read_once)
        return Conversation(
            format="llm",
            messages=tuple(messages),
            key=f"llm:{plain(row['id'])}",
            title=plain(row["name"]),
            started=read_time(utc(row["datetime_utc"]), self._source.zone, notes),
            model=next((m.model for m in reversed(messages) if m.model and m.road is None), None),
            problems=notes.lines(),
        )

    def _chain(self, tip: str) -> list[str]:
        """Return the messages that end with this one, from the beginning on."""
        way: dict[str, None] = {}
        here: str | None = tip
        while here is not None and here in self._messages and here not in way:
            way[here] = None
            here = self._messages[here][0]
        return list(reversed(way))

    def _date(self, turn: Row, thread: _Thread, notes: Notes) -> None:
        """Record when the messages of one call were made: from its prompt to its end."""
        time = read_time(utc(turn["datetime_utc"]), self._source.zone, notes)
        model = plain(turn["model"])
        asked = plain(turn["parent_message_hash"])
        here = plain(turn["tip_message_hash"])
        walked: set[str] = set()
        while here is not None and here in thread.parents and here not in walked and here != asked:
            walked.add(here)
            thread.made.setdefault(here, (time, model))
            here = thread.parents[here]
        while asked is not None and asked in thread.parents and asked not in thread.made:
            if self._messages[asked][1] == "assistant":
                break
            thread.made[asked] = (time, None)
            asked = thread.parents[asked]

    def _read_message(self, key: str, thread: _Thread, notes: Notes) -> list[Message]:
        given = self._messages[key][1]
        role = _ROLES.get(given.strip().lower())
        if role is None:
            notes.add("a role reel does not know was kept beside what was said", f"“{one_line(given, 40)}”")
        role = role or "system"
        content = Content()
        columns = ("position", "type", "tool_name", "text", "payload")
        parts = list(self._database.rows("parts", columns, where=("message_hash", key)))
        for part in sorted(parts, key=lambda p: p["position"] if isinstance(p["position"], int) else 0):
            self._read_part(part, content, notes)
        if not content.text("").strip() and role == "user":
            # a prompt of nothing but fragments was said with them
            content.said, content.files = content.files, []
        time, model = thread.made.get(key, (None, None))
        model = model if role == "assistant" else None
        text = content.text("\n\n")
        said = (
            [Message(role, text, _KINDS.get(role, Kind.SAID), time=time, model=model)] if text.strip() else []
        )
        return said + content.beside(role, time=time, model=model)

    def _read_part(self, part: Row, content: Content, notes: Notes) -> None:
        kind = plain(part["type"]) or ""
        payload: dict[str, object] = {}
        try:
            payload = as_fields(self._source.parse_json(plain(part["payload"]) or "{}"))
        except (ValueError, RecursionError):
            notes.add("a part that is not JSON was left out")
        if kind in {"text", "reasoning"}:
            text = plain(part["text"]) or as_text(payload.get("text"))
            pieces = [text] if text else self._pieces(payload, content)
            (content.said if kind == "text" else content.reasoning).append("".join(pieces))
        elif kind in {"tool_call", "tool_result"}:
            kept = {"type": kind, "name": plain(part["tool_name"])} | payload
            content.tools.append(compact({k: v for k, v in kept.items() if k != "provider_metadata"}))
        elif kind == "attachment":
            name = as_fields(payload.get("attachment")).get("id")
            content.files.append(attachment_text(self._database, name))
        else:
            notes.add("a part of an unknown kind was left out", f"“{one_line(kind, 40)}”")

    def _pieces(self, payload: dict[str, object], content: Content) -> list[str]:
        """Return the typed words; the fragments between them are separate, as attachments."""
        typed: list[str] = []
        for piece in map(as_fields, as_items(payload.get("text_ref"))):
            literal = piece.get("literal")
            if isinstance(literal, str):
                typed.append(literal.strip("\n"))
            elif text := fragment_text(self._database, piece.get("fragment")):
                content.files.append(text)
        return typed


def _said(messages: Sequence[Message]) -> list[tuple[str, str]]:
    return [(m.role, m.text) for m in messages if m.kind is Kind.SAID]


def _begins(whole: Sequence[list[tuple[str, str]]], start: Sequence[list[tuple[str, str]]]) -> bool:
    """Return whether one conversation begins with everything that was said in the other."""
    words, first = list(chain.from_iterable(whole)), list(chain.from_iterable(start))
    return words[: len(first)] == first


def fragment_text(database: Database, number: object) -> str | None:
    """Return a fragment's text."""
    rows = database.rows("fragments", ("content",), where=("id", number))
    return next((plain(row["content"]) for row in rows), None)


def attachment_text(database: Database, name: object) -> str:
    """Return an attachment's label, followed by its text if it is one."""
    for row in database.rows("attachments", ("type", "path", "url", "content"), where=("id", name)):
        kind = (plain(row["type"]) or "file").split("/")[0]
        label = file_label({"type": kind, "name": plain(row["path"]), "url": plain(row["url"])})
        text = plain(row["content"]) if kind == "text" and isinstance(row["content"], str | bytes) else None
        return f"{label}\n\n{text}" if text else label
    return "[attachment]"
