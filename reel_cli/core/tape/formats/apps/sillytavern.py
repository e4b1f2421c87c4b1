"""SillyTavern's chats: `.jsonl`, a line about the chat and then a message a line; group chats too."""

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, tzinfo
from itertools import islice
from pathlib import PurePath

from reel_cli.core.errors import ReelError
from reel_cli.core.frozen import frozen
from reel_cli.core.moment import day_in_words
from reel_cli.core.tape.formats.parts import as_fields, as_items, as_text, compact, file_label
from reel_cli.core.tape.formats.source import Notes, Reader, Source
from reel_cli.core.tape.formats.times import read_time
from reel_cli.core.values.change import one_line
from reel_cli.core.values.talk import HIDDEN, NARRATION, NOTE, Conversation, Kind, Message

_HEADER = frozenset({"user_name", "character_name", "chat_metadata", "create_date"})
_UNUSED = "unused"
_OWN_NAME = re.compile(r".*\d{4}-\d{1,2}-\d{1,2} ?@.*|\d{12,14}|.*\d{13}", re.DOTALL)
"""File names that the app makes up: with a time in them."""
_ENDING = re.compile(r"(?:^|.* - )((?:Branch|Checkpoint) #\d+)", re.DOTALL)
"""Pattern of what the app adds to the name of a copy; older versions put it in front."""
_LONGEST_STEM = 120
_OWN_LINES = frozenset(
    [
        *("help", "welcome", "empty", "generic", "slash_commands", "formatting", "hotkeys", "macros"),
        *("welcome_prompt", "assistant_note"),
    ]
)
"""Types of the lines that the app itself writes into a chat."""
_APP = "SillyTavern System"
_MOST_NAMES = 3
"""Number of speakers whom a title names."""


def _sniff(source: Source) -> int:
    values = [as_fields(value) for value in source.first or _whole_lines(source)]
    if any(_is_message(fields) for fields in values):
        return 95
    header = values[0] if values else {}
    return 90 if len(values) == 1 and len(_HEADER & header.keys()) > 1 else 0


def _whole_lines(source: Source) -> list[object]:
    """Return the first lines that are JSON, for a file whose very first is broken."""
    if source.suffix != ".jsonl" or source.opening != "{":
        return []
    found: list[object] = []
    for _, line in islice(source.lines(), 20):
        with suppress(ValueError, RecursionError):
            found.append(source.parse_json(line))
    return found


def _is_message(fields: dict[str, object]) -> bool:
    return "mes" in fields and not {"name", "is_user", "send_date"}.isdisjoint(fields)


def _read(source: Source) -> Iterator[Conversation]:
    notes = Notes()
    header: dict[str, object] = {}
    read: list[Message] = []
    roads = _Roads()
    understood = 0
    for number, fields in _lines(source, notes):
        if _is_message(fields):
            read += _Line(fields, f"line {number}", source, notes, roads).read()
        elif not understood and not _HEADER.isdisjoint(fields):
            header = fields
        else:
            notes.add("a line that is no message was left out", f"line {number}")
            continue
        understood += 1
    if not understood:
        message = f"{source.name} is not a SillyTavern chat: none of its lines is a message."
        raise ReelError(message, hint="SillyTavern keeps its chats as *.jsonl under data/<user>/chats")
    started = next((m.time for m in read if m.time and m.road is None), None)
    if started is None:
        # it has no time zone, which is worth a remark only where it counts
        started = read_time(header.get("create_date"), source.zone, notes)
    yield Conversation(
        format="sillytavern",
        messages=tuple(read),
        key=_key(header, read, source),
        title=_title(source, read, started),
        started=started,
        model=next((m.model for m in reversed(read) if m.model and m.kind is Kind.SAID), None),
        problems=notes.lines(),
        branch_of=as_text(as_fields(header.get("chat_metadata")).get("main_chat")),
    )


def _title(source: Source, read: list[Message], started: str | None) -> str | None:
    """Return the name the person gave the file; for one that the app made up, who answers and when it began.

    Chats with a character begin with the same greeting, so that their first words do not tell them apart.
    """
    stem = PurePath(source.filename or "").stem
    if not _OWN_NAME.fullmatch(stem):
        return as_text(stem)
    names = dict.fromkeys(m.name for m in read if m.role == "assistant" and m.kind is Kind.SAID and m.name)
    if not names:
        return None
    who = ", ".join(list(names)[:_MOST_NAMES])
    copied = _ENDING.match(stem)
    parts = [who if len(names) <= _MOST_NAMES else f"{who} and others", *_day(started, source.zone)]
    return ", ".join([*parts, copied[1]] if copied else parts)


def _day(started: str | None, zone: tzinfo) -> Iterator[str]:
    if started:
        began = datetime.fromisoformat(started).astimezone(zone)
        yield f"{day_in_words(began.date())} {began:%H:%M}"


def _lines(source: Source, notes: Notes) -> Iterator[tuple[int, dict[str, object]]]:
    """Yield the JSON objects of the file with their line numbers; notes other lines."""
    if source.opening == "[":
        yield from ((n, as_fields(value)) for n, value in enumerate(source.items(), start=1))
        return
    broken: int | None = None
    for number, line in source.lines():
        if broken is not None:
            notes.add("a line that is not JSON was left out", f"line {broken}")
            broken = None
        try:
            yield number, as_fields(source.parse_json(line))
        except (ValueError, RecursionError):
            broken = number
    if broken is not None:
        notes.add("the last line is not whole and was left out", f"line {broken}")


def _key(header: dict[str, object], read: list[Message], source: Source) -> str | None:
    """Return the chat's own id; else the character's name with the file's.

    A branch takes the id of the chat it left along, so that one is told from it by its file's name.
    """
    about = as_fields(header.get("chat_metadata"))
    given = as_text(about.get("integrity"))
    stem = one_line(PurePath(source.filename or "").stem, _LONGEST_STEM)
    if given:
        return (
            f"sillytavern:{given}/{stem}"
            if as_text(about.get("main_chat")) and stem
            else f"sillytavern:{given}"
        )
    speakers = (m.name for m in read if m.role == "assistant" and m.name)
    character = as_text(header.get("character_name"))
    name = next(speakers, None) if character in {None, _UNUSED} else character
    return f"sillytavern:{one_line(name, 80)}/{stem}" if name and stem else None


@dataclass(slots=True)
class _Roads:
    """Counts the roads not taken."""

    last: int = 0

    def new(self) -> int:
        """Return the next branch's number."""
        self.last += 1
        return self.last


@frozen
class _Line:
    """One line that is a message."""

    fields: dict[str, object]
    where: str
    source: Source
    notes: Notes
    roads: _Roads

    def read(self) -> Iterator[Message]:
        """Yield the message as shown, what goes beside it, and the swipes that are not shown."""
        fields, extra = self.fields, as_fields(self.fields.get("extra"))
        role = "user" if fields.get("is_user") is True else "assistant"
        name = as_text(fields.get("name"))
        text = fields.get("mes")
        if not isinstance(text, str):
            if text is not None:
                self.notes.add("a message that is no text was left out", self.where)
            text = ""
        stamp = fields.get("send_date") or fields.get("gen_started")
        time = read_time(stamp, self.source.zone, self.notes)
        model = as_text(extra.get("model")) if role == "assistant" else None
        calls = [call for call in as_items(extra.get("tool_invocations")) if as_fields(call)]
        kind, mark = self._sort(extra)
        if mark == NARRATION:
            role, model = "system", None
        elif mark == NOTE:
            role, model = "user", None
        if text.strip() and not (calls and kind is Kind.SYSTEM):
            yield Message(role, text, kind, name=name, time=time, model=model, mark=mark)
        yield from self._beside(extra, role, time, model)
        for call in calls:
            yield Message("tool", compact(call), Kind.TOOL, time=time)
        if kind is Kind.SAID:
            yield from self._swipes(text, role, name)

    def _sort(self, extra: dict[str, object]) -> tuple[Kind, str | None]:
        """Return the kind and the mark of the message.

        The app hides a message from the model by the sign that its own lines bear; such a message was said.
        """
        hidden, sort = self.fields.get("is_system") is True, extra.get("type")
        if sort == "narrator":
            return Kind.SYSTEM, NARRATION
        if not hidden:
            return Kind.SAID, None
        if sort == "comment":
            return Kind.SYSTEM, NOTE
        if sort in _OWN_LINES or self.fields.get("name") == _APP or as_items(extra.get("tool_invocations")):
            return Kind.SYSTEM, None
        return Kind.SAID, HIDDEN

    def _beside(
        self,
        extra: dict[str, object],
        role: str,
        time: str | None,
        model: str | None,
        road: int | None = None,
    ) -> Iterator[Message]:
        reasoning = as_text(extra.get("reasoning"))
        if reasoning:
            yield Message(role, reasoning, Kind.REASONING, time=time, model=model, road=road)
        for text in _attached(extra):
            yield Message(role, text, Kind.ATTACHMENT, time=time, road=road)

    def _swipes(self, shown: str, role: str, name: str | None) -> Iterator[Message]:
        """Yield the other versions of the message, each a branch of its own; `mes` is the shown one."""
        swipes = as_items(self.fields.get("swipes"))
        infos = as_items(self.fields.get("swipe_info"))
        chosen = self.fields.get("swipe_id")
        told = isinstance(chosen, int) and not isinstance(chosen, bool) and 0 <= chosen < len(swipes)
        if len(swipes) > 1 and not told:
            self.notes.add("which swipe of a message is shown cannot be told", self.where)
        if swipes and shown not in swipes:
            self.notes.add("a message was edited after it was swiped to; both texts are kept", self.where)
        kept = {shown}
        for index, swipe in enumerate(swipes):
            if not isinstance(swipe, str):
                self.notes.add("a swipe that is no text was left out", self.where)
            elif swipe.strip() and swipe not in kept:
                kept.add(swipe)
                info = as_fields(infos[index] if index < len(infos) else None)
                extra = as_fields(info.get("extra"))
                time = read_time(info.get("send_date"), self.source.zone, self.notes)
                model, road = as_text(extra.get("model")), self.roads.new()
                yield Message(role, swipe, Kind.VERSION, name=name, time=time, model=model, road=road)
                yield from self._beside(extra, role, time, model, road)


def _attached(extra: dict[str, object]) -> Iterator[str]:
    """Yield files and pictures, with their extracted text if the chat holds it."""
    for value in (extra.get("file"), *as_items(extra.get("files")), *as_items(extra.get("media"))):
        fields = as_fields(value)
        if fields:
            label = file_label({"type": as_text(fields.get("type")) or "file"} | fields)
            text = as_text(fields.get("text"))
            yield f"{label}\n\n{text}" if text else label
    for key in ("image", "video", "image_swipes"):
        values = extra.get(key)
        for value in values if isinstance(values, list) else [values]:
            if as_text(value):
                yield file_label({"type": key.removesuffix("_swipes"), "url": value})


READER = Reader("sillytavern", _sniff, _read)
