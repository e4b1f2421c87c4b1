"""A folder of notes read: what is a note in it, and what had to be left out."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from reel_cli.core.errors import ReelError
from reel_cli.core.files import front_matter
from reel_cli.core.files.yaml_text import Plain
from reel_cli.core.values.change import one_line
from reel_cli.features.cards.lore.note_files import LeftOut
from reel_cli.features.cards.lore.note_page import broken_front_matter, note_from
from reel_cli.features.cards.lore.notes import LoreNote

_OTHER_NAMES = ("aliases", "alias")
_TAGS = ("tags", "tag")
NAMED = 8
"""Maximum number of skipped items named; the others are counted."""


@dataclass(frozen=True, slots=True)
class Vault:
    """The contents of a folder of notes.

    `unread` are the notes that could not be read, `empty` is how many have nothing in them.
    """

    notes: Sequence[LoreNote]
    unread: Sequence[LeftOut] = ()
    empty: int = 0

    def told(self) -> list[str]:
        """Return what was left out, in sentences."""
        said = [f"{one.why} It was left out." for one in self.unread[:NAMED]]
        if len(self.unread) > NAMED:
            said.append(f"{len(self.unread) - NAMED:,} more cannot be read either, and were left out.")
        if self.empty:
            nothing = "1 note has" if self.empty == 1 else f"{self.empty:,} notes have"
            said.append(f"{nothing} nothing in {'it' if self.empty == 1 else 'them'} to remember.")
        return said


def read_vault(notes: Iterable[tuple[str, bytes] | LeftOut], shown: str) -> Vault:
    """Return the notes of a folder called `shown`; an unreadable one does not stop the rest.

    Raises ReelError where there is no note in it that can be read.
    """
    found: list[LoreNote] = []
    unread: list[LeftOut] = []
    empty = 0
    for one in notes:
        if isinstance(one, LeftOut):
            unread.append(one)
            continue
        path, data = one
        text = _decoded(data)
        if text is None:
            unread.append(LeftOut(path, f"{one_line(path, 200)} is not a text in UTF-8."))
            continue
        noted = _note(path, text.replace("\r\n", "\n"))
        if noted is None:
            empty += 1
        else:
            found.append(noted)
    if not found:
        message = f"No notes were found in {shown}."
        if unread:
            message = f"{message} {unread[0].why}"
            raise ReelError(message, hint="save it as UTF-8, or name another folder")
        raise ReelError(message, hint="a note is a Markdown file with something in it")
    return Vault(found, unread, empty)


def _decoded(data: bytes) -> str | None:
    # some editors on Windows save UTF-16 and mark it in the first two bytes
    encoding = "utf-16" if data[:2] in {b"\xff\xfe", b"\xfe\xff"} else "utf-8-sig"
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        return None


def _note(path: str, text: str) -> LoreNote | None:
    fields: Mapping[str, Plain]
    try:
        document = front_matter.split(text, path)
        fields, body = document.fields, document.body
    except ReelError:
        # anything but front matter is part of the note
        fields, body = broken_front_matter(text) or ({}, text.partition("\n")[2])
    tags = [
        tag.lstrip("#").lower()
        for key in _TAGS
        for one in _texts(fields.get(key, ""))
        # a tag holds no space
        for tag in one.split()
    ]
    also = [name for key in _OTHER_NAMES for name in _texts(fields.get(key, ""))]
    plain = {key: ", ".join(_texts(value, cut=False)) for key, value in fields.items()}
    return note_from(path, body, plain, tuple(tags), tuple(also))


def _texts(value: Plain, *, cut: bool = True) -> list[str]:
    if isinstance(value, str):
        return [part.strip() for part in value.split(",") if part.strip()] if cut else [value]
    if isinstance(value, list):
        return [one for one in value if isinstance(one, str)]
    return [f"{key}: {', '.join(_texts(inner, cut=False))}" for key, inner in value.items()]
