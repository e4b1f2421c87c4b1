"""The log of the `llm` command, `logs.db`: its threads, and the conversations of its earlier versions.

Both kinds stand side by side in a file that has lived through an upgrade; a conversation that is there
as a thread is read as one.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain

from reel_cli.core.tape.formats.database import (
    Database,
    Row,
    by,
    open_database,
    plain,
    refuse_foreign,
    tables_of,
    utc,
)
from reel_cli.core.tape.formats.parts import Content, as_fields, as_items, as_text, compact, file_label
from reel_cli.core.tape.formats.source import Notes, Reader, Source
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
            # repeated instructions make a new chain of the same words, which is not another branch
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
            # a prompt that consists of fragments was said with them
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


_RESPONSE = ("id", "model", "prompt", "system", "response", "reasoning", "conversation_id", "datetime_utc")
_EARLIEST = (
    "id", "model", "prompt", "system", "response", "chat_id", "datetime_utc", "timestamp_utc", "timestamp",
)  # fmt: skip
_EARLIEST_TABLES = ("logs", "log")


def _sniff(source: Source) -> int:
    if not source.is_database:
        return 0
    tables = tables_of(source)
    known = has_threads(tables) or any(
        {"prompt", "response", "model"} <= tables.get(name, frozenset())
        for name in ("responses", *_EARLIEST_TABLES)
    )
    return 95 if known else 0


def _read(source: Source) -> Iterator[Conversation]:
    with open_database(source) as database:
        if not _sniff(source):
            refuse_foreign(source)
        done: set[str] = set()
        legacy = _Legacy(database, source)
        if has_threads(database.tables):
            for name, conversation in Threads(database, source).read():
                done.add(name)
                yield legacy.date(name, conversation)
        yield from legacy.read(done)
        yield from _read_earliest(database, source)


class _Legacy:
    """The tables `conversations` and `responses`."""

    def __init__(self, database: Database, source: Source) -> None:
        self._database, self._source = database, source
        rows = database.rows("responses", ("id", "conversation_id"))
        # a response without a conversation is one by itself
        self._ids = by(rows, "conversation_id")
        self._about = {
            plain(row["id"]) or "": row for row in database.rows("conversations", ("id", "name", "model"))
        }

    def read(self, done: set[str]) -> Iterator[Conversation]:
        """Yield every conversation that is not `done`."""
        for given, rows in self._ids.items():
            name = plain(given)
            if name is None:
                for row in rows:
                    alone = plain(row["id"])
                    if alone not in done:
                        yield self._read_one(alone, [row["id"]])
            elif name not in done:
                yield self._read_one(name, [row["id"] for row in rows])

    def date(self, name: str, conversation: Conversation) -> Conversation:
        """Return a thread, with the times of what was said in it before the upgrade."""
        if all(message.time for message in conversation.said()) or name not in self._about:
            return conversation
        given = next((key for key in self._ids if plain(key) == name), None)
        before = self._read_one(name, [row["id"] for row in self._ids.get(given, ())] if given else [])
        known = {(m.role, m.text): m for m in reversed(before.messages) if m.kind is Kind.SAID}
        messages: list[Message] = []
        for message in conversation.messages:
            twin = known.get((message.role, message.text)) if message.kind is Kind.SAID else None
            if twin and message.time is None:
                messages.append(replace(message, time=twin.time, model=message.model or twin.model))
            else:
                messages.append(message)
        return replace(conversation, messages=tuple(messages))

    def _read_one(self, name: str | None, ids: Sequence[object]) -> Conversation:
        notes = Notes()
        messages: list[Message] = []
        system = ""
        for given in sorted(ids, key=str):
            for row in self._database.rows("responses", _RESPONSE, where=("id", given)):
                read = self._read_response(row, notes)
                if read and read[0].kind is Kind.SYSTEM:
                    # instructions are repeated at every response; only a change counts
                    read, system = (read[1:], system) if read[0].text == system else (read, read[0].text)
                messages += read
        about = self._about.get(name or "")
        return Conversation(
            format="llm",
            messages=tuple(messages),
            key=f"llm:{name}" if name else None,
            title=plain(about["name"]) if about else None,
            started=next((m.time for m in messages if m.time), None),
            model=(plain(about["model"]) if about else None)
            or next((m.model for m in messages if m.model), None),
            problems=notes.lines(),
        )

    def _read_response(self, row: Row, notes: Notes) -> list[Message]:
        time = read_time(utc(row["datetime_utc"]), self._source.zone, notes)
        model = plain(row["model"])
        instructions = [*self._fragments("system_fragments", row), plain(row["system"]) or ""]
        system = "\n\n".join(text for text in instructions if text)
        messages = [Message("system", system, Kind.SYSTEM, time=time)] if system else []
        for result in self._database.rows(
            "tool_results", ("name", "output"), where=("response_id", row["id"])
        ):
            told = {"name": plain(result["name"]), "output": plain(result["output"])}
            messages.append(Message("tool", compact(told), Kind.TOOL, time=time))
        prompt, fragments = plain(row["prompt"]), self._fragments("prompt_fragments", row)
        if prompt is None and fragments:
            prompt, fragments = "\n\n".join(fragments), []
        if prompt:
            messages.append(Message("user", prompt, time=time))
        attached = fragments + self._attachments(row)
        messages += [Message("user", text, Kind.ATTACHMENT, time=time) for text in attached]
        answer, reasoning = plain(row["response"]), plain(row["reasoning"])
        if answer:
            messages.append(Message("assistant", answer, time=time, model=model))
        if reasoning:
            messages.append(Message("assistant", reasoning, Kind.REASONING, time=time, model=model))
        for call in self._database.rows(
            "tool_calls", ("name", "arguments"), where=("response_id", row["id"])
        ):
            told = {"name": plain(call["name"]), "arguments": plain(call["arguments"])}
            messages.append(Message("tool", compact(told), Kind.TOOL, time=time))
        return messages

    def _fragments(self, table: str, row: Row) -> list[str]:
        """Return the texts that a prompt was put together from, which are stored once for all."""
        links = self._database.rows(table, ("fragment_id", "order"), where=("response_id", row["id"]))
        ordered = sorted(links, key=lambda link: link["order"] if isinstance(link["order"], int) else 0)
        return [text for link in ordered if (text := fragment_text(self._database, link["fragment_id"]))]

    def _attachments(self, row: Row) -> list[str]:
        links = self._database.rows(
            "prompt_attachments", ("attachment_id",), where=("response_id", row["id"])
        )
        return [attachment_text(self._database, link["attachment_id"]) for link in links]


def _read_earliest(database: Database, source: Source) -> Iterator[Conversation]:
    """Yield the chats of the first versions' one table; replies name a chat by its first row's number."""
    for table in _EARLIEST_TABLES:
        if not database.has(table, "prompt", "response"):
            continue
        chats: dict[object, list[Row]] = {}
        for row in database.rows(table, _EARLIEST):
            chats.setdefault(row["chat_id"] if row["chat_id"] is not None else row["id"], []).append(row)
        for name, rows in chats.items():
            yield _read_chat(name, rows, source)


def _read_chat(name: object, rows: Sequence[Row], source: Source) -> Conversation:
    notes = Notes()
    messages: list[Message] = []
    system = ""
    for row in rows:
        stamp = next((row[k] for k in ("datetime_utc", "timestamp_utc", "timestamp") if row[k]), None)
        time = read_time(utc(stamp), source.zone, notes)
        told, prompt, answer = (plain(row[key]) for key in ("system", "prompt", "response"))
        if told and told != system:
            system = told
            messages.append(Message("system", told, Kind.SYSTEM, time=time))
        if prompt:
            messages.append(Message("user", prompt, time=time))
        if answer:
            messages.append(Message("assistant", answer, time=time, model=plain(row["model"])))
    return Conversation(
        format="llm",
        messages=tuple(messages),
        key=f"llm:log-{name}" if plain(name) else None,
        model=next((m.model for m in messages if m.model), None),
        problems=notes.lines(),
    )


READER = Reader("llm", _sniff, _read)
