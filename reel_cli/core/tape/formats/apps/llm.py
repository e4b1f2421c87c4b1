"""The log of the `llm` command, `logs.db`: its threads, and the conversations of its earlier versions.

Both kinds stand side by side in a file that has lived through an upgrade; a conversation that is there
as a thread is read as one.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from reel_cli.core.tape.formats.apps.llm_threads import Threads, attachment_text, fragment_text, has_threads
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
from reel_cli.core.tape.formats.parts import compact
from reel_cli.core.tape.formats.source import Notes, Reader, Source
from reel_cli.core.tape.formats.times import read_time
from reel_cli.core.values.talk import Conversation, Kind, Message

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
        # a response of no conversation is one by itself
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
                    # the same instructions stand at every response; only another one is news
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


READER = Reader("llm", "llm's logs.db", _sniff, _read)
