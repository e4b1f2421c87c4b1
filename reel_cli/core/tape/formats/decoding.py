"""Decoding of a file's bytes to text, or to a plain description of what else it is."""

import codecs
import re

from reel_cli.core.errors import ReelError
from reel_cli.core.file_kind import CONTROL, name_kind

OF_A_CARD = "a character card makes a kit:  reel init NAME --card FILE"
"""The hint for a character card that is given as a chat."""
LARGEST = 64 * 1024 * 1024
"""A larger file is refused rather than read into memory, in bytes."""

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_MARKUP = re.compile(rb"\s*(?:<!doctype html|<html|<\?xml|\{\\rtf)", re.IGNORECASE)
_RARE = 1000
"""Bytes per control byte, or byte that is not UTF-8, that is accepted in a text."""
PASTED = "the pasted text"
"""Name in messages of a chat that came from no file."""


def decode(data: bytes, name: str) -> tuple[str, str | None]:
    """Return the text, without byte order mark, and the encoding's name if it was not plain UTF-8.

    Raises ReelError saying what `name` is where it is not text.
    """
    if len(data) > LARGEST:
        message = f"{name} is larger than {LARGEST // 2**20} MB, too large for a chat."
        raise ReelError(message)
    if not data.strip():
        message = f"{name} is empty."
        again = "copy the chat and paste it once more, or name the file that has it"
        hint = again if name == PASTED else "save the chat in it first, or paste the chat:  reel record -"
        raise ReelError(message, hint=hint)
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return _decode_marked(data, encoding, name)
    what = _what(data)
    if what:
        message = f"{name} is {what}, not a chat."
        if b"chara\0" in data or b"ccv3\0" in data:
            raise ReelError(message, hint=OF_A_CARD)
        raise ReelError(message, hint="save or export the chat as JSON, Markdown or plain text")
    return _decode_unmarked(data)


def _what(data: bytes) -> str | None:
    """Return what a file is that is not text; None for text."""
    head = data[:4096]
    if known := name_kind(data):
        return known
    if _MARKUP.match(head):
        return "a web page or another program's document"
    if sum(1 for _ in CONTROL.finditer(data)) * _RARE > len(data) + _RARE:
        return "a binary file"
    return None


def _decode_marked(data: bytes, encoding: str, name: str) -> tuple[str, str | None]:
    text = data.decode("utf-8-sig" if encoding == "utf-8" else encoding, "replace")
    if "\ufffd" in text and text.count("\ufffd") * _RARE > len(text) + _RARE:
        message = f"{name} is a binary file, not a chat."
        raise ReelError(message, hint="save or export the chat as JSON, Markdown or plain text")
    return text.removeprefix("\ufeff"), None if encoding == "utf-8" else encoding.upper()


def _decode_unmarked(data: bytes) -> tuple[str, str | None]:
    try:
        return data.decode("utf-8"), None
    except UnicodeDecodeError:
        pass
    lenient = data.decode("utf-8", "replace")
    if lenient.count("\ufffd") * _RARE <= len(lenient):
        return lenient, "UTF-8 with broken characters replaced"
    return data.decode("cp1252", "replace"), "Windows-1252"
