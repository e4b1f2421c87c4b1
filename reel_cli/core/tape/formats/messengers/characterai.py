"""Character.AI as people's tools save it: histories of messages, or turns with their candidates."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import pairwise

from reel_cli.core.errors import ReelError
from reel_cli.core.tape.formats.parts import as_fields, as_items, as_text, file_label
from reel_cli.core.tape.formats.source import Notes, Reader, Source
from reel_cli.core.tape.formats.times import read_time
from reel_cli.core.values.talk import Conversation, Kind, Message

_LISTS = ("histories", "chats", "conversations")
_SPOKEN = ("msgs", "messages", "turns")
_IDS = ("external_id", "chat_id", "id")
_REDACTED = "_REDACTED]"
_SURE = 95


def _sniff(source: Source) -> int:
    if source.opening not in {"{", "["}:
        return 0
    return _SURE if any(_spoken(chat) for value in source.first[:1] for chat in _chats(value)) else 0


def _chats(value: object) -> Iterator[dict[str, object]]:
    """Yield the chats of a saved file, whichever of its lists they are in."""
    root = as_fields(value)
    held = next((root[key] for key in _LISTS if key in root), None)
    inner = as_fields(held)
    if inner:
        held = next((inner[key] for key in _LISTS if key in inner), None)
    if isinstance(held, list):
        yield from (as_fields(chat) for chat in held)
    elif root:
        yield root


def _spoken(chat: dict[str, object]) -> list[dict[str, object]]:
    """Return the messages of a chat; none where they are not Character.AI's."""
    for key in _SPOKEN:
        found = [as_fields(item) for item in as_items(chat.get(key))]
        if any(_is_turn(fields) or _is_old(fields) for fields in found[:20]):
            return found
    return []


def _is_turn(fields: dict[str, object]) -> bool:
    return isinstance(fields.get("candidates"), list) and isinstance(fields.get("author"), dict)


def _is_old(fields: dict[str, object]) -> bool:
    return "text" in fields and ("is_human" in as_fields(fields.get("src")) or "src__is_human" in fields)


def _read(source: Source) -> Iterator[Conversation]:
    found = False
    for value in source.items():
        character = as_fields(as_fields(as_fields(value).get("info")).get("character"))
        for chat in _chats(value):
            found = True
            yield _read_chat(chat, as_text(character.get("name")), source)
    if not found:
        message = f"{source.name} holds no chat of Character.AI: neither histories nor turns."
        raise ReelError(message, hint="leave out --format, and reel tells by itself what the file is")


def _read_chat(chat: dict[str, object], character: str | None, source: Source) -> Conversation:
    notes = Notes()
    found = _spoken(chat)
    messages: list[Message] = []
    roads = 0
    for fields in _in_order(found, source):
        shown, others = _turn(fields, notes) if _is_turn(fields) else _old(fields, notes)
        human, name = _author(fields, character)
        role = "user" if human else "assistant"
        time = read_time(fields.get("create_time") or fields.get("created"), source.zone, notes)
        if shown:
            messages.append(Message(role, shown, name=name, time=time))
        for other in others:
            roads += 1
            messages.append(Message(role, other, Kind.VERSION, name=name, time=time, road=roads))
        picture = as_text(fields.get("image_rel_path"))
        if picture:
            label = file_label({"type": "image", "name": picture.rpartition("/")[2]})
            messages.append(Message(role, label, Kind.ATTACHMENT, time=time))
    own = next((text for key in _IDS if (text := as_text(chat.get(key)))), None)
    own = own or next(
        (text for f in found if (text := as_text(as_fields(f.get("turn_key")).get("chat_id")))), None
    )
    stamp = chat.get("create_time") or chat.get("created")
    return Conversation(
        format="characterai",
        messages=tuple(messages),
        key=f"characterai:{own}" if own else None,
        title=as_text(chat.get("name")) or as_text(chat.get("title")) or character,
        started=read_time(stamp, source.zone, notes),
        problems=notes.lines(),
    )


def _author(fields: dict[str, object], character: str | None) -> tuple[bool, str | None]:
    """Return whether a person spoke, and the name; a name that a tool blackened is none."""
    author, src = as_fields(fields.get("author")), as_fields(fields.get("src"))
    human = author.get("is_human") or src.get("is_human") or fields.get("src__is_human")
    names = (author.get("name"), src.get("name"), fields.get("src__name"), fields.get("display_name"))
    name = next((text for value in names if (text := as_text(value))), None)
    name = None if name and name.endswith(_REDACTED) else name
    return human is True, name or (None if human is True else character)


def _turn(fields: dict[str, object], notes: Notes) -> tuple[str, Sequence[str]]:
    """Return the text that is shown of a turn, and the other candidates."""
    found = [as_fields(candidate) for candidate in as_items(fields.get("candidates"))]
    texts = [(c.get("candidate_id"), text) for c in found if (text := as_text(c.get("raw_content")))]
    if not texts:
        notes.add("a turn without text was left out")
        return "", ()
    chosen = fields.get("primary_candidate_id")
    shown = next((text for name, text in texts if name == chosen), texts[0][1])
    return shown, list(dict.fromkeys(text for _, text in texts if text != shown))


def _old(fields: dict[str, object], notes: Notes) -> tuple[str, Sequence[str]]:
    text = as_text(fields.get("text"))
    if text is None:
        notes.add("a message without text was left out")
        return "", ()
    return ("", (text,)) if fields.get("is_alternative") is True else (text, ())


def _in_order(found: Sequence[dict[str, object]], source: Source) -> Sequence[dict[str, object]]:
    """Return the turns as they were said; some tools save the newest first."""
    times = [read_time(fields.get("create_time"), source.zone, Notes()) for fields in found]
    moments = [datetime.fromisoformat(time) for time in times if time]
    backwards = len(moments) == len(found) > 1 and all(a >= b for a, b in pairwise(moments))
    return list(reversed(found)) if backwards and moments[0] > moments[-1] else found


READER = Reader("characterai", _sniff, _read)
