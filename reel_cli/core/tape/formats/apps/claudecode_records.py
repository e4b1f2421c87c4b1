"""One line of a Claude Code session, sorted: what was typed, what was answered, what the program added."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from reel_cli.core.tape.formats.parts import Content, as_fields, as_items, as_text, compact, read_content
from reel_cli.core.tape.formats.source import Notes, Source
from reel_cli.core.tape.formats.times import read_time
from reel_cli.core.values.change import one_line
from reel_cli.core.values.talk import Kind, Message

_PROGRAM_SAYS = (
    "<local-command-", "<bash-", "<task-notification>", "<user-memory-input>", "[Request interrupted by user",
)  # fmt: skip
"""Beginnings of texts in the person's turns that come from the program."""
_COMMAND = re.compile(r"<command-name>\s*(?P<name>[^<\n]{1,200}?)\s*</command-name>")
_ARGUMENTS = ("<command-args>", "</command-args>")
_INSERTED = ("system-reminder", "ide_opened_file", "ide_selection", "ide_diagnostics")
_MADE_UP = "<synthetic>"


@dataclass(slots=True)
class Record:
    """One line. `parent` is None where it begins a chain, "" where it does not say what it follows.

    `answer` is what the lines of one answer have in common; `place` counts the lines read.
    """

    id: str
    parent: str | None
    place: int
    role: str = "system"
    session: str | None = None
    answer: str | None = None
    stamp: object = None
    model: str | None = None
    sidechain: bool = False
    bridges: bool = False
    """True if the context was compacted here; the record belongs to what came before."""
    content: Content = field(default_factory=Content)
    system: list[str] = field(default_factory=list)
    """Texts that the program added to the conversation by itself."""

    @property
    def counts(self) -> bool:
        """Return whether the record is part of what was said or done, and not bookkeeping."""
        return bool(self.says or self.content.reasoning or self.content.tools or self.content.files)

    @property
    def says(self) -> bool:
        """Return whether the record holds text of the person or of the answer."""
        return any(text.strip() for text in self.content.said)


@dataclass(slots=True)
class Turn:
    """The records of one prompt or one answer, and the roads that were left for it."""

    records: list[Record]
    roads: list[tuple[int, list["Turn"]]] = field(default_factory=list)

    @property
    def says(self) -> bool:
        """Return whether anything in the turn counts as said."""
        return any(record.says for record in self.records)

    def messages(self, kind: Kind, road: int | None, source: Source, notes: Notes) -> Iterator[Message]:
        """Yield the text as `kind`, and what goes beside it."""
        speaker = next((r for r in self.records if r.says), self.records[0])
        time = read_time(speaker.stamp, source.zone, notes)
        if self.says:
            text = "\n\n".join(t for r in self.records for t in r.content.said if t.strip())
            yield Message(speaker.role, text, kind, time=time, model=speaker.model, road=road)
        for record in self.records:
            beside_time = time if record is speaker else read_time(record.stamp, source.zone, notes)
            for message in record.content.beside(record.role, time=beside_time, model=record.model):
                yield replace(message, road=road)
            for text in record.system:
                yield Message("system", text, Kind.SYSTEM, time=beside_time, road=road)


def parse_record(fields: dict[str, object], place: int, notes: Notes) -> Record | None:
    """Return the line as a record; None for bookkeeping that no other line depends on."""
    kind, identity = as_text(fields.get("type")), as_text(fields.get("uuid"))
    message = as_fields(fields.get("message"))
    speaks = kind in {"user", "assistant"} and bool(message)
    if identity is None and not speaks:
        return None
    parent = fields.get("parentUuid", "")
    record = Record(
        id=identity or f"#{place}",
        parent=parent if isinstance(parent, str) else None,
        place=place,
        session=as_text(fields.get("sessionId")) or as_text(fields.get("session_id")),
        stamp=fields.get("timestamp"),
        sidechain=fields.get("isSidechain") is True,
    )
    if kind == "system" and fields.get("subtype") == "compact_boundary":
        record.bridges = True
        record.parent = as_text(fields.get("logicalParentUuid")) or ""
    elif kind == "attachment":
        _read_attachment(as_fields(fields.get("attachment")), record)
    elif speaks:
        _read_message(fields, message, record, notes)
    return record


def _read_message(
    fields: dict[str, object], message: dict[str, object], record: Record, notes: Notes
) -> None:
    record.role = "assistant" if fields.get("type") == "assistant" else "user"
    found = _read_parts(message.get("content"), notes)
    if fields.get("isMeta") is True:
        return
    if fields.get("isCompactSummary") is True or fields.get("isVisibleInTranscriptOnly") is True:
        record.system = [text for text in found.said if text.strip()]
        return
    record.content = found
    if record.role == "user":
        _sort_prompt(found)
        return
    record.answer = as_text(message.get("id")) or as_text(fields.get("requestId"))
    model = as_text(message.get("model"))
    record.model = None if model == _MADE_UP else model
    if model == _MADE_UP or fields.get("isApiErrorMessage") is True:
        found.tools = [*found.tools, *found.said]
        found.said = []


def _read_parts(value: object, notes: Notes) -> Content:
    """Return the content, with tools' answers as text and without their pictures."""
    if not isinstance(value, list):
        return read_content(value, notes)
    content = Content()
    for part in value:
        fields = as_fields(part)
        if fields.get("type") == "tool_result":
            shown = read_content(fields.get("content"), notes)
            told = {key: fields[key] for key in ("type", "tool_use_id", "is_error") if fields.get(key)}
            content.tools.append(compact({**told, "content": "\n\n".join([*shown.said, *shown.files])}))
        else:
            read_content([part], notes, content)
    return content


def _sort_prompt(content: Content) -> None:
    """Leave as said what the person typed."""
    typed: list[str] = []
    for text in content.said:
        rest, inserted = _without_insertions(text)
        content.files += [one_line(piece, 200) for piece in inserted if piece.startswith("<ide_")]
        start = rest.lstrip()
        command = _COMMAND.search(start[:2000]) if start.startswith("<command-") else None
        if command:
            told = f"{command['name']} {_between(start, *_ARGUMENTS).strip()}".strip()
            (typed if " " in told else content.tools).append(told)
        elif start.startswith(_PROGRAM_SAYS):
            content.tools.append(rest.strip())
        elif rest.strip():
            typed.append(rest if not inserted else rest.strip())
    content.said = typed


def _between(text: str, start: str, end: str) -> str:
    _, found, rest = text.partition(start)
    return rest.partition(end)[0] if found else ""


def _without_insertions(text: str) -> tuple[str, list[str]]:
    """Return the text without what the program put into it, and those pieces."""
    inserted: list[str] = []
    for tag in _INSERTED:
        start, end = f"<{tag}>", f"</{tag}>"
        kept: list[str] = []
        at = 0
        while (found := text.find(start, at)) >= 0 and (close := text.find(end, found)) >= 0:
            kept.append(text[at:found])
            at = close + len(end)
            inserted.append(text[found:at])
        text = "".join([*kept, text[at:]])
    return text, inserted


def _read_attachment(fields: dict[str, object], record: Record) -> None:
    """Record a prompt that was typed during the previous answer, or a file."""
    kind = as_text(fields.get("type"))
    prompt = fields.get("prompt")
    if kind == "queued_command" and as_text(fields.get("commandMode")) in {None, "prompt"}:
        record.role = "user"
        texts = [prompt] if isinstance(prompt, str) else [as_fields(p).get("text") for p in as_items(prompt)]
        record.content.said = [text for text in texts if isinstance(text, str)]
        _sort_prompt(record.content)
    elif kind in {"file", "new_file", "image", "pdf_reference", "compact_file_reference"}:
        name = as_text(fields.get("filename")) or as_text(fields.get("displayPath"))
        record.role = "user"
        record.content.files = [f"[file: {one_line(name, 200)}]" if name else "[file]"]
