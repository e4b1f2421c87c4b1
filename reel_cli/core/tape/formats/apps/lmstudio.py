"""LM Studio's conversation files: `<ms>.conversation.json`, and `*.chat.json` of its early versions.

The vendor promises no structure, so nothing is taken for granted: every value is looked at before it is
used, and what is not understood is noted.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import count

from reel_cli.core.errors import ReelError
from reel_cli.core.tape.formats.parts import Content, as_fields, as_items, as_text, compact, read_content
from reel_cli.core.tape.formats.source import Notes, Reader, Source
from reel_cli.core.tape.formats.times import read_time
from reel_cli.core.values.change import one_line
from reel_cli.core.values.talk import Conversation, Kind, Message

_SUFFIXES = (".conversation.json", ".chat.json")
_STEP_TIME = re.compile(r"(?:ms-)?(\d{13})(?!\d)")
_STEM = re.compile(r"\d{12,14}")
_SILENT_STEPS = frozenset({"debugInfoBlock"})
"""Step types that the app records for itself; nothing in them was said or done."""
_TOOL_STEPS = frozenset({"toolStatus", "status"})
_ROLES = frozenset({"user", "assistant", "system", "tool"})


@dataclass(slots=True)
class _Version:
    """One version of a message, sorted."""

    role: str
    text: str
    content: Content
    time: str | None = None
    model: str | None = None
    rival: str = ""
    """Text that the file holds for the same version in another place."""
    fed: str = ""
    """The text the model was given instead: with the content of the attached files."""

    def messages(self, kind: Kind) -> Iterator[Message]:
        """Yield the version's text as `kind`, and what goes beside it."""
        if self.text.strip():
            said = Kind.SYSTEM if self.role == "system" else Kind.TOOL if self.role == "tool" else kind
            yield Message(self.role, self.text, said, time=self.time, model=self.model)
        yield from self.content.beside(self.role, time=self.time, model=self.model)
        if self.fed:
            yield Message(self.role, self.fed, Kind.ATTACHMENT, time=self.time)

    def others(self) -> Iterator[Message]:
        """Yield the rival text, which only its own branch has."""
        if self.rival:
            yield Message(self.role, self.rival, Kind.VERSION, time=self.time, model=self.model)


def _sniff(source: Source) -> int:
    if source.opening != "{":
        return 0
    root = as_fields(source.json)
    messages = as_items(root.get("messages"))
    if any(isinstance(as_fields(m).get("versions"), list) for m in messages):
        return 100
    named = (source.filename or "").lower().endswith(_SUFFIXES)
    return 90 if named and messages else 0


def _read(source: Source) -> list[Conversation]:
    root = as_fields(source.json)
    items = root.get("messages")
    if source.json_fault is not None:
        message = f"{source.name} cannot be read: {source.json_fault}."
        raise ReelError(message, hint="LM Studio keeps its chats as *.conversation.json")
    if not isinstance(items, list):
        message = f"{source.name} is not an LM Studio conversation: it holds no list of messages."
        raise ReelError(message, hint="LM Studio keeps its chats as *.conversation.json")
    notes = Notes()
    roads = count(1)
    messages = [Message("system", text, Kind.SYSTEM) for text in _system_prompts(root)]
    for number, item in enumerate(items, start=1):
        messages += _read_message(as_fields(item), f"message {number}", source, notes, roads)
    last_used = as_text(as_fields(root.get("lastUsedModel")).get("identifier"))
    return [
        Conversation(
            format="lmstudio",
            messages=tuple(messages),
            key=_key(root, source),
            title=as_text(root.get("name")) or as_text(root.get("title")),
            started=read_time(root.get("createdAt"), source.zone, notes),
            model=next((m.model for m in messages if m.model), last_used),
            problems=notes.lines(),
        )
    ]


def _key(root: dict[str, object], source: Source) -> str | None:
    created = root.get("createdAt")
    known = (
        as_text(root.get("id")),
        source.stem if _STEM.fullmatch(source.stem) else None,
        str(created) if isinstance(created, int) and not isinstance(created, bool) else as_text(created),
    )
    return next((f"lmstudio:{name}" for name in known if name), None)


def _system_prompts(root: dict[str, object]) -> list[str]:
    """Return the chat's own system prompt, and the one at the top if it differs."""
    found: list[str] = []
    for setting in as_items(as_fields(root.get("perChatPredictionConfig")).get("fields")):
        fields = as_fields(setting)
        if fields.get("key") == "llm.prediction.systemPrompt":
            value = fields.get("value")
            found.append(as_text(value) or as_text(as_fields(value).get("value")) or "")
    found.append(as_text(root.get("systemPrompt")) or "")
    early = (as_fields(root.get(key)) for key in ("inference_params", "inferenceParams"))
    found.extend(as_text(fields.get("pre_prompt")) or "" for fields in early)
    return [text for text in dict.fromkeys(found) if text]


def _read_message(
    item: dict[str, object], where: str, source: Source, notes: Notes, roads: Iterator[int]
) -> Iterator[Message]:
    """Yield the shown message, and after it each hidden version on a branch of its own."""
    versions = as_items(item.get("versions")) or ([item] if "role" in item or "content" in item else [])
    read = [_read_version(as_fields(version), where, source, notes) for version in versions]
    if not read:
        notes.add("a message without any version was left out", where)
        return
    chosen = item.get("currentlySelected", len(read) - 1)
    chosen = int(chosen) if isinstance(chosen, float) and chosen.is_integer() else chosen
    if not isinstance(chosen, int) or isinstance(chosen, bool) or not 0 <= chosen < len(read):
        notes.add("which version of a message is shown cannot be told; the last was taken", where)
        chosen = len(read) - 1
    yield from read[chosen].messages(Kind.SAID)
    left = [list(read[chosen].others())]
    for index, version in enumerate(read):
        if index != chosen:
            left += [list(version.messages(Kind.VERSION)), list(version.others())]
    for road in filter(None, left):
        number = next(roads)
        yield from (replace(message, road=number) for message in road)


def _read_version(version: dict[str, object], where: str, source: Source, notes: Notes) -> _Version:
    role = version.get("role")
    if not isinstance(role, str) or role not in _ROLES:
        guessed = "assistant" if "steps" in version else "user"
        notes.add(f"a message without a known role was taken as the {guessed}'s", where)
        role = guessed
    plain = read_content(version.get("content"), notes)
    steps = _Steps()
    for step in as_items(version.get("steps")):
        steps.read(as_fields(step), notes)
    text, other = plain.text(""), "\n\n".join(block for block in steps.blocks if block.strip())
    if version.get("type") == "multiStep" or not text.strip():
        text, other = other, text
    if not text.strip():
        text, other = other, ""
    rival = other if other.strip() and other.strip() != text.strip() else ""
    if rival:
        notes.add("a message holds two different texts; the other is kept as a version", where)
    content = Content(
        reasoning=plain.reasoning + steps.content.reasoning,
        tools=plain.tools + steps.content.tools,
        files=list(dict.fromkeys(plain.files + steps.content.files)),
    )
    sender = as_text(as_fields(version.get("senderInfo")).get("senderName"))
    stamp = next((t for t in (steps.time, *_stamps(version)) if t is not None), None)
    time = read_time(stamp, source.zone, notes)
    model = (sender or steps.model) if role == "assistant" else None
    fed = read_content(as_fields(version.get("preprocessed")).get("content"), Notes()).text("")
    fed = fed if role == "user" and fed.strip() and fed.strip() != text.strip() else ""
    return _Version(role, text, content, time, model, rival, fed)


def _stamps(version: dict[str, object]) -> tuple[object, ...]:
    preprocessed = as_fields(version.get("preprocessed"))
    return preprocessed.get("timestamp"), version.get("timestamp"), version.get("createdAt")


@dataclass(slots=True)
class _Steps:
    """The steps of a version: blocks of text, thinking, tool calls, the app's own notes."""

    blocks: list[str] = field(default_factory=list)
    content: Content = field(default_factory=Content)
    time: int | None = None
    model: str | None = None

    def read(self, step: dict[str, object], notes: Notes) -> None:
        """Sort one step."""
        kind = as_text(step.get("type"))
        stamp = _STEP_TIME.match(as_text(step.get("stepIdentifier")) or "")
        if stamp and self.time is None:
            self.time = int(stamp[1])
        if kind in _SILENT_STEPS:
            return
        if kind in _TOOL_STEPS:
            self.content.tools.append(compact({k: v for k, v in step.items() if k != "stepIdentifier"}))
        elif kind == "contentBlock" or "content" in step:
            self._read_block(step, notes)
        else:
            notes.add("a step of an unknown kind was left out", f"“{one_line(str(kind), 40)}”")

    def _read_block(self, step: dict[str, object], notes: Notes) -> None:
        block = read_content(step.get("content"), notes)
        self.content.reasoning += block.reasoning
        self.content.tools += block.tools
        self.content.files += block.files
        style = step.get("style")
        text = block.text("")
        if (style if isinstance(style, str) else as_fields(style).get("type")) == "thinking":
            self.content.reasoning.append(text)
        elif step.get("roleOverride") == "tool":
            self.content.tools.append(text)
        else:
            self.blocks.append(text)
        made = as_fields(step.get("genInfo"))
        used = as_text(made.get("identifier")) or as_text(made.get("indexedModelIdentifier"))
        self.model = self.model or used


READER = Reader("lmstudio", _sniff, _read)
