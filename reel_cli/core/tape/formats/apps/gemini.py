"""Gemini's chats as Google Takeout gives them: one file for each conversation, or the list of activities.

The list (`MyActivity.json`) has an entry for each prompt with its answer in HTML. Where an entry does not say
which chat it belongs to, those of one day are one conversation.
"""

import re
from collections.abc import Iterator, Sequence
from datetime import datetime

from reel_cli.core.errors import ReelError
from reel_cli.core.frozen import late
from reel_cli.core.tape.formats.html_text import html_to_text
from reel_cli.core.tape.formats.parts import as_fields, as_items, as_text, file_label
from reel_cli.core.tape.formats.source import Notes, Reader, Source
from reel_cli.core.tape.formats.times import read_time
from reel_cli.core.tape.formats.trees import put_in_order
from reel_cli.core.values.change import one_line
from reel_cli.core.values.talk import Conversation, Kind, Message

_PROMPT = late(r"(?:Prompted(?: with)?|Asked(?: Gemini)?|Said|Branched|Answered):? ", re.IGNORECASE)
_ASIDE = late(r"(?:Used|Created|Gave|Added|Selected|Searched|Viewed|Visited|Opened|Turned)\b")
_CHAT = late(r"https://gemini\.google\.com/app/([A-Za-z0-9_-]{4,64})")
_PRODUCT = late(r"\b(?:Gemini|Bard)\b")
_SURE = 95
_LEAST_ALIKE = 3


def _sniff(source: Source) -> int:
    if source.opening not in {"{", "["}:
        return 0
    found = [as_fields(value) for value in source.first]
    if any(isinstance(fields.get("conversation_turns"), list) for fields in found[:1]):
        return _SURE
    return _SURE if any(_is_activity(fields) for fields in found) else 0


def _is_activity(fields: dict[str, object]) -> bool:
    products = [as_text(fields.get("header")), *map(as_text, as_items(fields.get("products")))]
    named = any(name and _PRODUCT.search(name) for name in products)
    return named and isinstance(fields.get("title"), str) and "time" in fields


def _read(source: Source) -> Iterator[Conversation]:
    activities: list[dict[str, object]] = []
    found = False
    for value in source.items():
        fields = as_fields(value)
        if isinstance(fields.get("conversation_turns"), list):
            found = True
            yield _read_turns(fields, source)
        elif _is_activity(fields):
            activities.append(fields)
        else:
            source.notes.add(
                "an activity of another product was left out", one_line(str(fields.get("header")), 40)
            )
    if not found and not activities:
        message = f"{source.name} holds no chat with Gemini."
        raise ReelError(message, hint="in Google Takeout choose My Activity → Gemini Apps, as JSON")
    yield from _read_activities(activities, source)


# a file for each conversation -------------------------------------------------------------------


def _read_turns(fields: dict[str, object], source: Source) -> Conversation:
    notes = Notes()
    groups = [
        list(_read_turn(as_fields(turn), source, notes)) for turn in as_items(fields["conversation_turns"])
    ]
    started = read_time(fields.get("creation_time"), source.zone, notes)
    return Conversation(
        format="gemini",
        messages=tuple(put_in_order(groups)),
        key=f"gemini:{source.stem}:{started}" if started else None,
        title=as_text(fields.get("title")),
        started=started,
        problems=notes.lines(),
    )


def _read_turn(turn: dict[str, object], source: Source, notes: Notes) -> Iterator[Message]:
    asked, answered = as_fields(turn.get("user_turn")), as_fields(turn.get("system_turn"))
    if not asked and not answered:
        notes.add("a turn of neither side was left out")
    for role, fields in (("user", asked), ("assistant", answered)):
        time = read_time(fields.get("turn_last_modified"), source.zone, notes)
        text = as_text(fields.get("prompt")) if role == "user" else _answer(fields)
        if fields.get("turn_deleted_time"):
            notes.add("a message that was deleted later was left out")
            continue
        if text:
            yield Message(role, text, time=time)
        for thought in map(as_fields, as_items(fields.get("model_thoughts"))):
            told = "\n\n".join(t for key in ("headline", "description") if (t := as_text(thought.get(key))))
            if told:
                yield Message(role, told, Kind.REASONING, time=time)
        for name in as_items(fields.get("images")):
            yield Message(
                role, file_label({"type": "image", "name": as_text(name) or ""}), Kind.ATTACHMENT, time=time
            )


def _answer(fields: dict[str, object]) -> str:
    found: list[str] = []
    for item in map(as_fields, as_items(fields.get("text"))):
        cards = [as_fields(card).get("content") for card in as_items(item.get("cards"))]
        found += [text for value in (item.get("data"), *cards) if (text := as_text(value))]
    return "\n\n".join(found)


# the list of activities -------------------------------------------------------------------------


def _read_activities(found: Sequence[dict[str, object]], source: Source) -> Iterator[Conversation]:
    groups: dict[str, list[dict[str, object]]] = {}
    before = _common_word([str(fields["title"]) for fields in found if fields.get("safeHtmlItem")])
    times = [(read_time(fields.get("time"), source.zone, Notes()) or "", fields) for fields in found]
    days = 0
    for time, fields in sorted(times, key=lambda one: one[0]):
        own = _CHAT.search(f"{fields.get('titleUrl')} {fields.get('details')}")
        days += own is None
        groups.setdefault(own[1] if own else _day(time, source), []).append(fields)
    if days:
        source.notes.add_once(
            "prompts that do not say which chat they belong to were put together by their day"
        )
    for name, entries in groups.items():
        notes = Notes()
        messages = [m for fields in entries for m in _read_activity(fields, before, source, notes)]
        yield Conversation(
            format="gemini",
            messages=tuple(messages),
            key=f"gemini:{name}" if name else None,
            started=read_time(entries[0].get("time"), source.zone, notes),
            problems=notes.lines(),
        )


def _day(time: str, source: Source) -> str:
    """Return the day of a time where the person is; the times of the list are in UTC."""
    return datetime.fromisoformat(time).astimezone(source.zone).date().isoformat() if time else ""


def _common_word(titles: Sequence[str]) -> str:
    """Return what all prompts of an export in another language begin with; "" where that is not plain."""
    if len(titles) < _LEAST_ALIKE or any(_PROMPT.match(title) for title in titles):
        return ""
    # the first and the last in order differ where any two do
    first, last = min(titles), max(titles)
    alike = first[
        : next((i for i, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), len(first))
    ]
    return alike[: max(alike.rfind(" "), alike.rfind("\u00a0")) + 1]


def _read_activity(fields: dict[str, object], before: str, source: Source, notes: Notes) -> Iterator[Message]:
    title = as_text(fields.get("title")) or ""
    time = read_time(fields.get("time"), source.zone, notes)
    verb = _PROMPT.match(title)
    items = [as_text(as_fields(item).get("html")) for item in as_items(fields.get("safeHtmlItem"))]
    answer = "\n\n".join(text for item in items if item and (text := html_to_text(item)))
    if verb is None and (_ASIDE.match(title) or not answer):
        notes.add("an activity that is no prompt was left out", f"“{one_line(title, 60)}”")
        return
    if verb is None and not before:
        notes.add("a prompt is kept with the word that Google puts before it", f"“{one_line(title, 40)}”")
    asked = title[verb.end() :] if verb else title.removeprefix(before)
    if asked.strip():
        yield Message("user", asked, time=time)
    for key in ("imageFile", "attachedFiles", "audioFiles"):
        held = fields.get(key)
        for file in as_items(held) or [held] * bool(held):
            name = as_text(file) or as_text(as_fields(file).get("name")) or ""
            yield Message("user", file_label({"type": "file", "name": name}), Kind.ATTACHMENT, time=time)
    if answer:
        yield Message("assistant", answer, time=time)


READER = Reader("gemini", _sniff, _read)
