"""Open WebUI: an exported chat, a list of them, and its database `webui.db`."""

import html
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from reel_cli.core.blockquote import cut_out
from reel_cli.core.errors import ReelError
from reel_cli.core.tape.formats.database import Database, open_database, plain, refuse_foreign, tables_of
from reel_cli.core.tape.formats.parts import (
    Content,
    as_fields,
    as_items,
    as_text,
    compact,
    file_label,
    read_content,
)
from reel_cli.core.tape.formats.source import Notes, Reader, Source
from reel_cli.core.tape.formats.times import read_time
from reel_cli.core.tape.formats.trees import latest_below, lay_out, newest_leaf
from reel_cli.core.values.change import one_line
from reel_cli.core.values.talk import Conversation, Kind, Message

_OPENED = re.compile(r'(?m)^[ \t]*<details type="(reasoning|tool_calls|code_interpreter)"([^<>]*)>')
_CLOSED = "</details>"
_SUMMARY = re.compile(r"\s*<summary>[^<]*</summary>[ \t]*\n?")
_QUOTED = re.compile(r"(?m)^>[ ]?")
_ATTRIBUTE = re.compile(r'([a-z_]+)="([^"]*)"')
_TOLD = ("name", "arguments", "result", "output")


def split_details(text: str, content: Content) -> str:
    """Return the text without folded blocks outside code fences, which go into `content`.

    A block without its end takes all that follows: the answer was stopped in it.
    """
    said, blocks = cut_out(text, _OPENED, lambda _: _CLOSED)
    for opened, inner in blocks:
        _read_block(opened[1], opened[2], inner, content)
    return said


def _read_block(kind: str, attributes: str, body: str, content: Content) -> None:
    body = _SUMMARY.sub("", body, count=1).strip()
    if kind == "reasoning":
        # newer versions write the quoted lines as HTML, older ones as they are
        body = html.unescape(body) if body.startswith("&gt;") else body
        content.reasoning.append(_QUOTED.sub("", body))
        return
    told = {key: html.unescape(value) for key, value in _ATTRIBUTE.findall(attributes) if key in _TOLD}
    content.tools += [compact(told)] if told else []
    content.tools += [body] if body and body not in told.values() else []


def read_output(items: list[object], content: Content, notes: Notes) -> None:
    """Sort the steps that newer versions keep beside a message's text."""
    for item in items:
        fields = as_fields(item)
        kind = as_text(fields.get("type")) or ""
        if kind == "message":
            read_content(fields.get("content"), notes, content)
        elif kind == "reasoning":
            inner = read_content(fields.get("content") or fields.get("summary"), notes)
            content.reasoning.append("\n".join([*inner.said, *inner.reasoning]))
        elif kind:
            content.tools.append(compact({k: v for k, v in fields.items() if k not in {"id", "status"}}))
        else:
            notes.add("a step of an unknown kind was left out")


class Attachments:
    """The attachments of one conversation's messages; a text that occurred before is only named."""

    def __init__(self, file_text: Callable[[str], str | None]) -> None:
        self._file_text = file_text
        self._seen: set[str] = set()

    def files(self, values: object) -> list[str]:
        """Return a message's files, each with its extracted text if the chat holds one."""
        found: list[str] = []
        for value in as_items(values):
            fields = as_fields(value)
            inner = as_fields(fields.get("file"))
            name = next(
                (t for f in (fields, inner) for k in ("name", "filename") if (t := as_text(f.get(k)))), None
            )
            known = {
                "type": as_text(fields.get("type")) or "file",
                "name": name or "",
                "url": fields.get("url"),
            }
            ids = (as_text(fields.get("id")), as_text(inner.get("id")))
            text = as_text(as_fields(inner.get("data")).get("content")) or as_text(fields.get("content"))
            text = text or next((t for i in ids if i and (t := self._file_text(i))), None)
            found += self._once(file_label(known), [text] if text else [])
            docs = as_items(fields.get("docs"))
            found += self._once("", [t for d in docs if (t := as_text(as_fields(d).get("content")))])
        return found

    def sources(self, values: object) -> list[str]:
        """Return the passages an answer was given to read, each under the name of its source."""
        found: list[str] = []
        for value in as_items(values):
            fields = as_fields(value)
            origin = as_fields(fields.get("source"))
            name = as_text(origin.get("name")) or as_text(origin.get("url")) or as_text(fields.get("source"))
            texts = [text for text in map(as_text, as_items(fields.get("document"))) if text]
            found += self._once(f"[source: {one_line(name, 200)}]" if name else "[source]", texts)
        return found

    def _once(self, label: str, texts: list[str]) -> list[str]:
        fresh = [text for text in texts if text not in self._seen]
        self._seen.update(fresh)
        named = label and label not in self._seen
        self._seen.add(label)
        return ["\n\n".join([label, *fresh] if label else fresh)] if fresh or named else []


def attachments(texts: list[str], role: str, time: str | None, model: str | None) -> list[Message]:
    """Return attached texts as messages."""
    return [Message(role, text, Kind.ATTACHMENT, time=time, model=model) for text in texts]


_ROLES = {"user": "user", "assistant": "assistant", "system": "system", "tool": "tool"}
_KINDS = {"system": Kind.SYSTEM, "tool": Kind.TOOL}
_CHAT = ("id", "user_id", "title", "chat", "created_at", "meta", "current_message_id")
_MESSAGE = {
    "id": "id", "chat_id": "chat_id", "role": "role", "parent_id": "parentId", "content": "content",
    "output": "output", "model_id": "model", "files": "files", "sources": "sources",
    "created_at": "timestamp",
}  # fmt: skip
_JSON_CELLS = ("content", "output", "files", "sources")


def _sniff(source: Source) -> int:
    if source.is_database:
        tables = tables_of(source)
        return 100 if {"id", "title", "chat"} <= tables.get("chat", frozenset()) else 0
    return 95 if any(_is_chat(value) for value in source.first) else 0


def _is_chat(value: object) -> bool:
    fields = as_fields(value)
    inner = as_fields(fields.get("chat"))
    return _has_tree(fields) or _has_tree(inner) or isinstance(inner.get("messages"), list)


def _has_tree(chat: dict[str, object]) -> bool:
    return isinstance(as_fields(chat.get("history")).get("messages"), dict)


def _read(source: Source) -> Iterator[Conversation]:
    if source.is_database:
        with open_database(source) as database:
            if not database.has("chat", "id", "chat"):
                refuse_foreign(source)
            yield from _read_database(database, source)
        return
    found = 0
    for item in source.items():
        if not _is_chat(item):
            source.notes.add("an entry that is no chat was left out")
            continue
        found += 1
        fields = as_fields(item)
        inner = as_fields(fields.get("chat"))
        yield _Chat(fields, inner or fields, source).read()
    if not found:
        message = f"{source.name} is not an Open WebUI chat: it holds no history of messages."
        raise ReelError(message, hint="export it in Open WebUI with  Download → Export chat (.json)")


class _Chat:
    """One chat: what is known about it, and the chat itself."""

    def __init__(
        self,
        about: dict[str, object],
        chat: dict[str, object],
        source: Source,
        file_text: Callable[[str], str | None] = lambda _: None,
    ) -> None:
        self._about, self._chat, self._source = about, chat, source
        self._notes = Notes()
        self._attached = Attachments(file_text)

    def read(self, *, user_name: str | None = None) -> Conversation:
        """Return the conversation; `user_name` is the database's name of the person."""
        messages = [Message("system", text, Kind.SYSTEM) for text in self._system_prompts()]
        body = list(self._messages())
        listed = as_items(self._chat.get("models"))
        known = next((text for text in map(as_text, listed) if text), None)
        named = [replace(m, name=user_name) if m.role == "user" else m for m in body] if user_name else body
        spare = attachments(self._attached.files(self._chat.get("files")), "user", None, None)
        stamps = (self._about.get("created_at"), self._chat.get("timestamp"), self._chat.get("created_at"))
        return Conversation(
            format="openwebui",
            messages=(*messages, *named, *spare),
            key=next((f"openwebui:{i}" for i in map(as_text, self._ids()) if i), None),
            title=as_text(self._about.get("title")) or as_text(self._chat.get("title")),
            started=next((t for s in stamps if (t := self._time(s))), None),
            model=next((m.model for m in reversed(body) if m.model and m.kind is Kind.SAID), known),
            problems=self._notes.lines(),
        )

    def _ids(self) -> tuple[object, object]:
        return self._about.get("id"), self._chat.get("id")

    def _time(self, value: object) -> str | None:
        return read_time(value, self._source.zone, self._notes)

    def _system_prompts(self) -> list[str]:
        texts = (as_fields(self._chat.get("params")).get("system"), self._chat.get("system"))
        return [text for text in dict.fromkeys(map(as_text, texts)) if text]

    def _messages(self) -> Iterator[Message]:
        history = as_fields(self._chat.get("history"))
        nodes = {key: as_fields(node) for key, node in as_fields(history.get("messages")).items()}
        blank = [key for key, node in nodes.items() if not node]
        for key in blank:
            self._notes.add("a message that is none was left out", one_line(key, 40))
            del nodes[key]
        if not nodes:
            for number, item in enumerate(as_items(self._chat.get("messages")), start=1):
                yield from self._read_message(as_fields(item), f"message {number}")
            return
        places = {key: place for place, key in enumerate(nodes, start=1)}
        parents, shown = self._shown(nodes, history.get("currentId"))
        yield from lay_out(
            parents, shown, lambda key: self._read_message(nodes[key], f"message {places[key]}")
        )

    def _shown(
        self, nodes: Mapping[str, dict[str, object]], current: object
    ) -> tuple[dict[str, str | None], str | None]:
        """Return the parent of each message, and the last message of the conversation."""
        parents = {key: as_text(node.get("parentId")) for key, node in nodes.items()}
        lost = [key for key, parent in parents.items() if parent is not None and parent not in parents]
        for key in lost:
            self._notes.add("a message follows one that is not there", one_line(key, 40))
        if isinstance(current, str) and current in parents:
            # the app itself continues at the end of the current branch
            return parents, latest_below(parents, current)
        self._notes.add("which message is shown cannot be told; the last one written was taken")
        return parents, newest_leaf(parents, lambda key: self._age(nodes[key]))

    @staticmethod
    def _age(node: dict[str, object]) -> float:
        stamp = node.get("timestamp")
        return float(stamp) if isinstance(stamp, int | float) and abs(stamp) < 1e18 else 0.0

    def _read_message(self, fields: dict[str, object], where: str) -> list[Message]:
        notes = self._notes
        given = fields.get("role")
        role = _ROLES.get(given.strip().lower()) if isinstance(given, str) else None
        if role is None:
            if not fields.get("content"):
                notes.add("an entry without a role was left out", where)
                return []
            role = "assistant" if fields.get("model") or fields.get("modelName") else "user"
            notes.add(f"a message without a known role was taken as the {role}'s", where)
        content = self._content(fields, role)
        time = self._time(fields.get("timestamp"))
        model = as_text(fields.get("model")) if role == "assistant" else None
        text = content.text("\n\n")
        kind = _KINDS.get(role, Kind.SAID)
        beside = content.beside(role, time=time, model=model)
        texts = self._attached.files(fields.get("files"))
        for key in ("sources", "citations"):
            texts += self._attached.sources(fields.get(key))
        beside += attachments(texts, role, time, model)
        if not text.strip() and not beside and fields.get("error"):
            notes.add("an answer that failed was left out", where)
            return []
        said = Message(role, text, kind, name=self._name(fields, role), time=time, model=model)
        merged = as_text(as_fields(fields.get("merged")).get("content"))
        also = [Message(role, merged, Kind.VERSION, time=time)] if merged else []
        return [*([said] if text.strip() or not beside else []), *beside, *also]

    def _content(self, fields: dict[str, object], role: str) -> Content:
        """Return the message's text and its folded blocks; if it has none, those of its steps."""
        content = read_content(fields.get("content"), self._notes)
        if role == "assistant":
            content.said = [split_details(text, content) for text in content.said]
        steps = as_items(fields.get("output"))
        if steps:
            other = Content()
            read_output(steps, other, self._notes)
            if not content.text("").strip():
                content.said = other.said
            content.reasoning = content.reasoning or other.reasoning
            content.tools = content.tools or other.tools
        return content

    def _name(self, fields: dict[str, object], role: str) -> str | None:
        """Return the persona's name if the app's model has it."""
        name = as_text(fields.get("modelName"))
        known = {given.casefold() for given in self._source.persona_names}
        return name if role == "assistant" and name and name.casefold() in known else None


def _read_database(database: Database, source: Source) -> Iterator[Conversation]:
    names = {plain(row["id"]): plain(row["name"]) for row in database.rows("user", ("id", "name"))}
    people: set[str] = set()
    for row in database.rows("chat", _CHAT):
        about: dict[str, object] = {key: plain(row[key]) for key in ("id", "title")}
        about["created_at"] = row["created_at"]
        person = plain(row["user_id"]) or ""
        if as_fields(_json_cell(row["meta"], source)).get("internal") is True or person.startswith("shared-"):
            source.notes.add("copies that were shared, and chats of the app's own, were left out")
            continue
        chat = as_fields(_json_cell(row["chat"], source))
        if not _has_tree(chat) or not as_fields(as_fields(chat["history"]).get("messages")):
            rows = _loose_messages(database, row["id"], source)
            listed = as_items(chat.get("messages"))
            if not rows and not listed:
                source.notes.add("a chat without messages was left out", one_line(str(about["title"]), 60))
                continue
            current = as_fields(chat.get("history")).get("currentId") or plain(row["current_message_id"])
            chat = chat | ({"history": {"messages": rows, "currentId": current}} if rows else {})
        people.add(person)
        yield _Chat(about, chat, source, lambda name: _file_text(database, name, source)).read(
            user_name=names.get(person)
        )
    if len(people) > 1:
        source.notes.add("the database holds chats of several people", f"{len(people)} of them")


def _loose_messages(database: Database, chat: object, source: Source) -> dict[str, object]:
    """Return the messages of a chat that newer versions also keep in a table of their own."""
    found: dict[str, object] = {}
    for row in database.rows("chat_message", tuple(_MESSAGE), where=("chat_id", chat)):
        fields = {new: row[old] for old, new in _MESSAGE.items()}
        fields |= {key: _json_cell(row[key], source) for key in _JSON_CELLS}
        fields |= {key: plain(fields[key]) for key in ("role", "parentId", "model")}
        found[(plain(row["id"]) or "").removeprefix(f"{plain(chat)}-")] = fields
    return found


def _file_text(database: Database, name: str, source: Source) -> str | None:
    for row in database.rows("file", ("data",), where=("id", name)):
        return as_text(as_fields(_json_cell(row["data"], source)).get("content"))
    return None


def _json_cell(value: object, source: Source) -> object:
    """Return a cell that holds JSON; text that is not JSON counts as text."""
    text = plain(value)
    if text is None:
        return None
    try:
        return source.parse_json(text)
    except (ValueError, RecursionError):
        if text.lstrip()[:1] in {"{", "["}:
            source.notes.add("a cell that should hold JSON does not, and was left out")
            return None
        return text


READER = Reader("openwebui", _sniff, _read)
