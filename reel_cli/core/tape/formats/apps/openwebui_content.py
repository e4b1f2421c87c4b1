"""One message of Open WebUI: text, with thinking and tools folded into it, and files beside it."""

import html
import re
from collections.abc import Callable

from reel_cli.core.tape.fences import cut_out
from reel_cli.core.tape.formats.parts import (
    Content,
    as_fields,
    as_items,
    as_text,
    compact,
    file_label,
    read_content,
)
from reel_cli.core.tape.formats.source import Notes
from reel_cli.core.values.change import one_line
from reel_cli.core.values.talk import Kind, Message

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


class Attached:
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
