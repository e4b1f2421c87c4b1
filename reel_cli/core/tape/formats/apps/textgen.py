"""text-generation-webui: `logs/chat/<character>/<time>.json`, and the logs of its early versions."""

import html
import re
from collections.abc import Iterator
from pathlib import PurePath

from reel_cli.core.errors import ReelError
from reel_cli.core.tape.formats.parts import as_fields, as_items, as_text, compact, file_label
from reel_cli.core.tape.formats.source import Notes, Reader, Source
from reel_cli.core.tape.formats.times import read_time
from reel_cli.core.values.talk import Conversation, Kind, Message

_PAIRS = (("internal", "visible"), ("data", "data_visible"))
_GREETING = "<|BEGIN-VISIBLE-CHAT|>"
"""Value in place of the person's turn before the persona's greeting."""
_OWN_NAME = re.compile(r"(\d{4})(\d{2})(\d{2})-(\d{2})-(\d{2})-(\d{2})")
_EARLY_NAME = re.compile(r"(?P<who>.+)_(?:\d{8}-\d{6}|persistent)", re.DOTALL)
_TAG = re.compile(r"<(?:audio|img|/audio|/img|br|a|/a)\b[^<>]*>")
_CHANNEL = re.compile(r"<\|channel\|>(analysis|commentary|final)[^<]*<\|message\|>")
_CHANNEL_END = re.compile(r"<\|(?:end|return|call)\|>(?:<\|start\|>assistant)?")


def _sniff(source: Source) -> int:
    return 95 if any(_rows(as_fields(value)) is not None for value in source.first[:1]) else 0


def _rows(root: dict[str, object]) -> tuple[list[object], list[object]] | None:
    """Return the rows sent to the model and the rows shown; None if this is not such a log."""
    for internal, visible in _PAIRS:
        rows, shown = root.get(internal), root.get(visible)
        both = isinstance(rows, list) and isinstance(shown, list)
        either = rows if isinstance(rows, list) else shown
        if both and (not rows or any(_is_row(row) for row in as_items(rows)[:20])):
            return as_items(rows), as_items(shown)
        if not both and isinstance(either, list) and either and all(_is_row(row) for row in either[:20]):
            return either, either
    return None


def _is_row(row: object) -> bool:
    return isinstance(row, list) and len(row) == 2 and all(v is None or isinstance(v, str) for v in row)


def _read(source: Source) -> Iterator[Conversation]:
    root = as_fields(next(source.items(), None))
    found = _rows(root)
    if found is None:
        message = f"{source.name} is not a log of text-generation-webui: it holds no rows of two texts."
        raise ReelError(message, hint="it keeps its chats under user_data/logs/chat")
    notes = Notes()
    rows, shown = found
    about = as_fields(root.get("metadata"))
    reading = _LogReader(about, source, notes, _character(source))
    for index, row in enumerate(rows):
        cells = as_items(row)
        if len(cells) != 2:
            notes.add("a row that is not two texts was left out", f"row {index + 1}")
            continue
        seen = as_items(shown[index]) if index < len(shown) else []
        for side, role in enumerate(("user", "assistant")):
            reading.add(role, index, cells[side], seen[side] if len(seen) == 2 else None)
    own = _OWN_NAME.fullmatch(source.stem)
    title = PurePath(source.filename or "").stem
    yield Conversation(
        format="textgen",
        messages=tuple(reading.messages),
        key=f"textgen:{source.stem}" if own else None,
        title=None if own or _EARLY_NAME.fullmatch(title) else as_text(title),
        started=read_time("{}-{}-{}T{}:{}:{}".format(*own.groups()), source.zone, notes) if own else None,
        model=next((m.model for m in reversed(reading.messages) if m.model), None),
        problems=notes.lines(),
    )


def _character(source: Source) -> str | None:
    """Return the speaker's name if the file's place or name gives it."""
    place = source.path or PurePath(source.filename or "")
    if place.parent.parent.name == "chat":
        return as_text(place.parent.name)
    early = _EARLY_NAME.fullmatch(PurePath(source.filename or "").stem)
    return early["who"] if early else None


class _LogReader:
    """The state of reading one log."""

    def __init__(self, about: dict[str, object], source: Source, notes: Notes, character: str | None) -> None:
        self.messages: list[Message] = []
        self._about, self._source, self._notes, self._character = about, source, notes, character
        self._roads = 0

    def add(self, role: str, index: int, cell: object, shown: object) -> None:
        """Read one side of a row: the text, what goes beside it, and its other versions."""
        if not isinstance(cell, str):
            if cell is not None:
                self._notes.add("a text that is none was left out", f"row {index + 1}")
            cell = ""
        text = "" if cell == _GREETING else cell
        about = as_fields(self._about.get(f"{role}_{index}"))
        time = read_time(about.get("timestamp"), self._source.zone, self._notes)
        model = as_text(about.get("model_name")) if role == "assistant" else None
        name = self._character if role == "assistant" else None
        self._say(Message(role, text, name=name, time=time, model=model))
        for call in as_items(about.get("tool_sequence")):
            self.messages.append(Message("tool", compact(call), Kind.TOOL, time=time))
        for value in as_items(about.get("attachments")):
            self.messages.append(Message(role, _attached(as_fields(value)), Kind.ATTACHMENT, time=time))
        others = [as_fields(version) for version in as_items(about.get("versions"))]
        kept = {text, ""}
        for other in others:
            words = as_text(other.get("content")) or ""
            if words not in kept:
                kept.add(words)
                written = read_time(other.get("timestamp"), self._source.zone, self._notes)
                self._leave(Message(role, words, Kind.VERSION, name=name, time=written))
        if isinstance(shown, str) and text.strip() and _bare(shown) not in {_bare(words) for words in kept}:
            self._notes.add(
                "what was shown differs from what the model saw; both are kept", f"row {index + 1}"
            )
            self._leave(Message(role, html.unescape(shown), Kind.VERSION, name=name, time=time))

    def _leave(self, message: Message) -> None:
        self._roads += 1
        self._say(message, self._roads)

    def _say(self, message: Message, road: int | None = None) -> None:
        """Add the message, its hidden channels separately; nothing if it is blank."""
        said, thoughts = _split_channels(message.text)
        for text, kind in ((said, message.kind), *((t, Kind.REASONING) for t in thoughts)):
            if text.strip():
                self.messages.append(
                    Message(message.role, text, kind, message.name, message.time, message.model, road)
                )


def _bare(text: str) -> str:
    """Return a text without the app's display markup."""
    return " ".join(html.unescape(_TAG.sub(" ", text)).split())


def _attached(fields: dict[str, object]) -> str:
    text = as_text(fields.get("content"))
    kind = (as_text(fields.get("type")) or "file").split("/")[0]
    label = file_label({"type": kind, "name": fields.get("name"), "url": fields.get("url")})
    return f"{label}\n\n{text}" if text else label


def _split_channels(text: str) -> tuple[str, list[str]]:
    """Return the final words, and the hidden ones, of models that mark them with channels."""
    marks = list(_CHANNEL.finditer(text))
    if not marks or not text.lstrip().startswith("<|channel|>"):
        return text, []
    said: list[str] = []
    hidden: list[str] = []
    for mark, after in zip(marks, [*marks[1:], None], strict=True):
        piece = _CHANNEL_END.sub("", text[mark.end() : after.start() if after else len(text)]).strip()
        (said if mark[1] == "final" else hidden).append(piece)
    return "\n\n".join(said), [piece for piece in hidden if piece]


READER = Reader("textgen", _sniff, _read)
