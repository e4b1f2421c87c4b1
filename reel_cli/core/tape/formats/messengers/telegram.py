"""Telegram Desktop's export in JSON: `result.json` with one chat, or with every chat of the account."""

from collections.abc import Iterator, Mapping

from reel_cli.core.errors import ReelError
from reel_cli.core.tape.formats.messengers.sides import find_sides
from reel_cli.core.tape.formats.parts import as_fields, as_items, as_text, file_label
from reel_cli.core.tape.formats.source import Notes, Reader, Source
from reel_cli.core.tape.formats.times import read_time
from reel_cli.core.values.change import one_line
from reel_cli.core.values.talk import Conversation, Kind, Message

_ALONE = frozenset({"personal_chat", "bot_chat"})
_MONOLOGUES = {
    "saved_messages": "your saved messages were left out",
    "private_channel": "a channel, where nobody answers, was left out",
    "public_channel": "a channel, where nobody answers, was left out",
}
_TYPES = frozenset(
    {*_ALONE, *_MONOLOGUES, "private_group", "private_supergroup", "public_supergroup", "public_group"}
)
_MEDIA = {
    "sticker": "sticker", "video_message": "film", "voice_message": "sound", "animation": "animation",
    "video_file": "film", "audio_file": "sound",
}  # fmt: skip
_THINGS = {
    "contact_information": "contact", "location_information": "location", "poll": "poll",
    "invoice_information": "invoice", "game_title": "game", "giveaway_information": "giveaway",
}  # fmt: skip
_SURE = 95


def _sniff(source: Source) -> int:
    root = as_fields(source.first[0]) if source.opening == "{" and len(source.first) == 1 else {}
    return _SURE if any(_is_chat(chat) for chat in _chats(root)) else 0


def _is_chat(fields: dict[str, object]) -> bool:
    if as_text(fields.get("type")) not in _TYPES or not isinstance(fields.get("messages"), list):
        return False
    first = [as_fields(item) for item in as_items(fields["messages"])[:20]]
    return not first or any("date" in item and ("from" in item or "action" in item) for item in first)


def _chats(root: dict[str, object]) -> Iterator[dict[str, object]]:
    if "messages" in root:
        yield root
    for place in ("chats", "left_chats"):
        yield from (as_fields(chat) for chat in as_items(as_fields(root.get(place)).get("list")))


def _read(source: Source) -> Iterator[Conversation]:
    root = as_fields(next(source.items(), None))
    own = as_fields(root.get("personal_information")).get("user_id")
    found = False
    for chat in _chats(root):
        found = True
        left = _MONOLOGUES.get(str(chat.get("type")))
        if left:
            source.notes.add(left, one_line(as_text(chat.get("name")) or "", 60))
        else:
            yield _read_chat(chat, str(own) if own is not None else None, source)
    if not found:
        message = f"{source.name} is no export of Telegram: it holds neither messages nor chats."
        raise ReelError(message, hint="export the chat in Telegram Desktop, as machine-readable JSON")


def _read_chat(chat: dict[str, object], own: str | None, source: Source) -> Conversation:
    notes = Notes()
    found = [as_fields(item) for item in as_items(chat.get("messages"))]
    sides = _sides(chat, found, own, source, notes)
    messages: list[Message] = []
    for fields in found:
        if _is_message(fields):
            if fields.get("type") != "message":
                kind = one_line(str(fields.get("type")), 40)
                notes.add("a message of a kind reel does not know was read as text", f"“{kind}”")
            messages += _read_message(fields, sides[_speaker(fields)], source, notes)
        else:
            kind = as_text(fields.get("action")) or as_text(fields.get("type")) or ""
            notes.add("a line of Telegram's own was left out", one_line(kind, 40))
    number = chat.get("id")
    return Conversation(
        format="telegram",
        messages=tuple(messages),
        key=f"telegram:{number}" if isinstance(number, int) or as_text(number) else None,
        title=as_text(chat.get("name")),
        problems=notes.lines(),
    )


def _is_message(fields: dict[str, object]) -> bool:
    """Return whether somebody speaks in an entry, whatever kind it says it is."""
    spoken = "from" in fields and "action" not in fields
    return fields.get("type") == "message" or (spoken and bool(_text(fields.get("text")).strip()))


def _speaker(fields: dict[str, object]) -> str:
    """Return who spoke: the number of the account, else the name."""
    number = fields.get("from_id")
    return str(number).removeprefix("user") if number else as_text(fields.get("from")) or ""


def _sides(
    chat: dict[str, object], found: list[dict[str, object]], own: str | None, source: Source, notes: Notes
) -> Mapping[str, str]:
    """Return the side of every speaker; a chat of two is called by the other's number and name."""
    names: dict[str, str] = {}
    for fields in filter(_is_message, found):
        names.setdefault(_speaker(fields), as_text(fields.get("from")) or _speaker(fields))
    called = {str(chat.get("id")), as_text(chat.get("name")) or ""}
    if as_text(chat.get("type")) in _ALONE and not called.isdisjoint(names):
        return {who: "assistant" if who in called else "user" for who in names}
    if own in names:
        rest = {who: name for who, name in names.items() if who != own}
        sides = find_sides(["you", *rest.values()], source, notes)
        return {own: "user"} | {who: sides[name] for who, name in rest.items()}
    sides = find_sides(
        list(dict.fromkeys(names.values())), source, notes, other=as_text(chat.get("name")) or ""
    )
    return {who: sides[name] for who, name in names.items()}


def _read_message(fields: dict[str, object], role: str, source: Source, notes: Notes) -> Iterator[Message]:
    time = read_time(fields.get("date_unixtime") or fields.get("date"), source.zone, notes)
    name = as_text(fields.get("from"))
    text = _text(fields.get("text"))
    from_whom = as_text(fields.get("forwarded_from"))
    if "forwarded_from" in fields:
        label = file_label({"type": "forwarded", "name": from_whom or ""})
        yield Message(role, f"{label}\n\n{text}" if text.strip() else label, Kind.ATTACHMENT, time=time)
    elif text.strip():
        if fields.get("edited") or fields.get("edited_unixtime"):
            notes.add("a message that was edited later is kept as it was last")
        yield Message(role, text, name=name, time=time)
    for label in _files(fields):
        yield Message(role, label, Kind.ATTACHMENT, time=time)


def _text(value: object) -> str:
    """Return the text of a message: a string, or pieces of which some are marked (bold, a link)."""
    if isinstance(value, str):
        return value
    pieces = (piece if isinstance(piece, str) else as_fields(piece).get("text") for piece in as_items(value))
    return "".join(piece for piece in pieces if isinstance(piece, str))


def _files(fields: dict[str, object]) -> Iterator[str]:
    """Yield a label for each thing that was sent with a message."""
    if "photo" in fields:
        yield file_label({"type": "image", "name": _path(fields.get("photo"))})
    media = as_text(fields.get("media_type"))
    if "file" in fields or media:
        name = as_text(fields.get("sticker_emoji")) or as_text(fields.get("file_name"))
        yield file_label({"type": _MEDIA.get(media or "", "file"), "name": name or _path(fields.get("file"))})
    for key, what in _THINGS.items():
        if key in fields:
            about = as_fields(fields[key])
            names = (about.get(k) for k in ("question", "title", "first_name"))
            told = next((text for value in names if (text := as_text(value))), as_text(fields[key]))
            yield file_label({"type": what, "name": told or ""})


def _path(value: object) -> str:
    """Return a file's name; "" where the export left the file out and says so in parentheses."""
    path = as_text(value) or ""
    return "" if path.startswith("(") else path.rpartition("/")[2]


READER = Reader("telegram", _sniff, _read)
