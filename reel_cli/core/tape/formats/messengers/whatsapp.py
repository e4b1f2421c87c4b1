"""WhatsApp's exported chat: `_chat.txt` from an iPhone, `WhatsApp Chat with ….txt` from Android.

Each message begins with its day, time and speaker, in the form of the phone's language; what follows on the
next lines belongs to it. Lines of the app itself have no speaker, or begin with a mark that is not seen.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import PurePath

from reel_cli.core.errors import ReelError
from reel_cli.core.frozen import late, mutable
from reel_cli.core.tape.formats.messengers.sides import find_sides
from reel_cli.core.tape.formats.parts import file_label
from reel_cli.core.tape.formats.pasted.days import read_written, tells_order
from reel_cli.core.tape.formats.source import Notes, Reader, Source
from reel_cli.core.tape.formats.times import read_time
from reel_cli.core.values.change import one_line
from reel_cli.core.values.talk import Conversation, Kind, Message

_MARK = "\u200e"
"""Left-to-right mark, which iPhones put before the app's own words."""
_BLANK = "[ \u00a0\u202f]"
_CLOCK = rf"\d{{1,2}}[:.]\d{{2}}(?:[:.]\d{{2}})?(?:{_BLANK}?[AaPp]\.?{_BLANK}?[Mm]\.?)?"
_DAY = r"(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4})"
_THEN = rf"(?:,|{_BLANK}(?:at|um|om|klo|à|a las|alle))?{_BLANK}"
_HEAD = late(
    rf"{_MARK}?(?:\[(?P<phone>{_DAY}){_THEN}(?P<at>{_CLOCK})\]{_BLANK}"
    rf"|(?P<day>{_DAY}){_THEN}(?P<clock>{_CLOCK}){_BLANK}[-–]{_BLANK})(?P<rest>.*)"
)
_SPOKEN = late(r"~?[ \u00a0\u202f]?(?P<name>[^:\n]{1,80}):(?: (?P<text>.*)|$)")
_FILE = late(
    rf"{_MARK}?(?:<[^<>:]{{2,30}}: (?P<phone>[^<>]{{1,200}})>|(?P<name>\S[^<>\n]{{0,200}}\.\w{{2,5}}) "
    r"\((?:file attached|Datei angehängt|archivo adjunto|fichier joint|file allegato|arquivo anexado"
    r"|ficheiro anexado|bestand bijgevoegd)\))"
)
_OMITTED = late(rf"{_MARK}?<[^<>:\n]{{3,40}}>|{_MARK}[^\n]{{1,40}}")
"""Pattern of the app's words for what was sent."""
_EDITED = late(
    rf"[ ]?(?:{_MARK}<[^<>\n]{{3,60}}>|<(?:This message was edited|Diese Nachricht wurde bearbeitet"
    r"|Se editó este mensaje\.?|Ce message a été modifié|Questo messaggio è stato modificato"
    r"|Mensagem editada|Dit bericht is bewerkt)>)$"
)
_DELETED = frozenset({
    "this message was deleted", "you deleted this message",
    "diese nachricht wurde gelöscht", "du hast diese nachricht gelöscht",
    "se eliminó este mensaje", "eliminaste este mensaje",
    "ce message a été supprimé", "vous avez supprimé ce message",
    "questo messaggio è stato eliminato", "hai eliminato questo messaggio",
    "mensagem apagada", "essa mensagem foi apagada", "você apagou esta mensagem",
    "dit bericht is verwijderd", "je hebt dit bericht verwijderd",
})  # fmt: skip
_LEAST, _TASTE = 2, 20_000
_NAMED = late(
    r"WhatsApp[ -]?Chat|_chat$|Chat (?:de|do) WhatsApp|Conversa do WhatsApp|Discussion WhatsApp",
    re.IGNORECASE,
)
_SURE = 90


@mutable
class _Line:
    """One message as it stands."""

    day: str
    clock: str
    rest: str
    """The text behind the time, with the lines below."""


def _sniff(source: Source) -> int:
    if source.opening in {"{", "["} and not source.data[:40].lstrip(b"\xef\xbb\xbf").startswith(b"["):
        return 0
    lines = source.text[:_TASTE].replace("\r\n", "\n").lstrip("\ufeff\n").split("\n")
    if _HEAD.match(lines[0]) is None:
        return 0
    found = [line.rest.split("\n", maxsplit=1)[0] for line in _lines(lines)]
    spoken = [rest for rest in found if _SPOKEN.match(rest)]
    own = any(":" not in rest or _MARK in rest or _is_omitted(rest) for rest in found)
    named = _NAMED.search(PurePath(source.filename or "").stem) is not None
    return _SURE if len(spoken) >= _LEAST and (own or named) else 0


def _lines(lines: Sequence[str]) -> Iterator[_Line]:
    held: _Line | None = None
    for text in lines:
        head = _HEAD.match(text)
        if head is not None:
            if held is not None:
                yield held
            held = _Line(head["phone"] or head["day"], head["at"] or head["clock"], head["rest"])
        elif held is not None:
            held.rest += f"\n{text}"
    if held is not None:
        yield held


def _read(source: Source) -> list[Conversation]:
    notes = Notes()
    found = list(_lines(source.text.replace("\r\n", "\n").lstrip("\ufeff\n").split("\n")))
    if not found:
        message = f"{source.name} is no chat that WhatsApp exported: no line begins with a day and a time."
        raise ReelError(message, hint="export it in WhatsApp: the chat's menu → More → Export chat")
    said: list[tuple[_Line, str, str]] = []
    called = ""
    for line in found:
        first, *below = line.rest.split("\n")
        spoken = _SPOKEN.match(first)
        text = "\n".join([(spoken["text"] or "") if spoken else first, *below]).rstrip()
        name = spoken["name"].strip(f"{_MARK}\u202a\u202c ") if spoken else ""
        if spoken is None or (text.startswith(_MARK) and not _is_file(text)):
            notes.add("a line of WhatsApp's own was left out", f"“{one_line(text.strip(_MARK), 60)}”")
            # the first such line of an iPhone stands under the name of the chat
            called = called or name
        else:
            said.append((line, name, text))
    speakers = list(dict.fromkeys(name for _, name, _ in said))
    title = PurePath(source.filename or "").stem
    other = next((name for name in speakers if name == called or title.endswith(name)), "")
    sides = find_sides(speakers, source, notes, other=other)
    order = _order([line.day for line in found], notes)
    messages: list[Message] = []
    for line, name, text in said:
        messages += _read_message(
            Message(sides[name], text, name=name, time=_time(line, source, notes, day_first=order)), notes
        )
    return [
        Conversation(format="whatsapp", messages=tuple(messages), title=other or None, problems=notes.lines())
    ]


def _is_file(text: str) -> bool:
    """Return whether the app's words stand for something that was sent, or taken back."""
    bare = text.strip(f"{_MARK} .").casefold()
    return bool(_FILE.fullmatch(text.split("\n", maxsplit=1)[0]) or _is_omitted(text) or bare in _DELETED)


def _is_omitted(text: str) -> bool:
    """Return whether a message is the app's word for what was sent; `<smiles>` is a person's own."""
    return _OMITTED.fullmatch(text) is not None and not (text.startswith("<") and text[1].islower())


def _plain(day: str) -> str:
    """Return a day in a form that the days of pasted chats have."""
    return day.replace("-", "/") if not day[:4].isdigit() else day.replace("/", "-").replace(".", "-")


def _order(days: Sequence[str], notes: Notes) -> bool | None:
    """Return whether the day stands before the month: a number above 12 tells, else that time goes on."""
    plain = [_plain(day) for day in dict.fromkeys(days)]
    told = tells_order(plain)
    if told is not None or plain[0][:4].isdigit():
        return told
    running = [first for first in (True, False) if _goes_on(plain, day_first=first)]
    if len(running) == 1 and len(plain) > 1:
        return running[0]
    notes.add("times that do not say their day for certain were left out", plain[0])
    return None


def _goes_on(days: Sequence[str], *, day_first: bool) -> bool:
    read = [read_written(day, day_first=day_first) for day in days]
    return all(read) and all(a.text <= b.text for a, b in pairwise(read) if a and b)


def _time(line: _Line, source: Source, notes: Notes, *, day_first: bool | None) -> str | None:
    clock = re.sub(r"(?<=\d)\.(?=\d)", ":", line.clock)
    clock = re.sub(rf"{_BLANK}?([AaPp])\.?{_BLANK}?[Mm]\.?$", r" \1m", clock)
    written = read_written(f"{_plain(line.day)} {clock}", day_first=day_first)
    return read_time(written.text, source.zone, notes) if written and written.timed else None


def _read_message(said: Message, notes: Notes) -> Iterator[Message]:
    """Yield what was said, and what was sent with it; nothing of a message that was taken back."""
    text, role, time = said.text, said.role, said.time
    first, _, below = text.partition("\n")
    if text.strip(f"{_MARK} .").casefold() in _DELETED:
        notes.add("a message that was deleted later was left out")
        return
    file = _FILE.fullmatch(first)
    label = ""
    if file is not None:
        label, text = file_label({"type": "file", "name": file["phone"] or file["name"]}), below
    elif _is_omitted(text):
        label, text = f"[{one_line(text.strip(f'{_MARK}<>'), 60)}]", ""
    if _EDITED.search(text):
        notes.add("a message that was edited later is kept as it was last")
        text = _EDITED.sub("", text)
    if text.strip():
        yield Message(role, text, name=said.name, time=time)
    if label:
        yield Message(role, label, Kind.ATTACHMENT, time=time)


READER = Reader("whatsapp", _sniff, _read)
