"""Decoding of a file's bytes to text, or to a plain description of what else it is."""

import codecs
import re

from reel_cli.core.errors import ReelError

OF_A_CARD = "a character card makes a kit:  reel init NAME --card FILE"
"""The hint for a character card that is given as a chat."""
LARGEST = 64 * 1024 * 1024
"""A larger file is refused rather than read into memory, in bytes."""

_MAGIC = (
    (b"\x89PNG\r\n\x1a\n", "an image"),
    (b"\xff\xd8\xff", "an image"),
    (b"GIF87a", "an image"),
    (b"GIF89a", "an image"),
    (b"BM", "an image"),
    (b"II*\x00", "an image"),
    (b"MM\x00*", "an image"),
    (b"%PDF-", "a PDF"),
    (b"PK\x03\x04", "a zip archive or an office document"),
    (b"PK\x05\x06", "a zip archive"),
    (b"\x1f\x8b", "a compressed file"),
    (b"BZh", "a compressed file"),
    (b"\xfd7zXZ\x00", "a compressed file"),
    (b"7z\xbc\xaf\x27\x1c", "a compressed file"),
    (b"Rar!\x1a\x07", "a compressed file"),
    (b"SQLite format 3\x00", "a database"),
    (b"GGUF", "a language model"),
    (b"ID3", "a sound file"),
    (b"OggS", "a sound file"),
    (b"fLaC", "a sound file"),
    (b"\x7fELF", "a program"),
    (b"MZ", "a program"),
)
_ASCII_MAGIC = frozenset({b"BM", b"BZh", b"ID3", b"OggS", b"fLaC", b"GGUF", b"MZ"})
"""Signatures a text might begin with; they count only if control bytes follow."""

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_MARKUP = re.compile(rb"\s*(?:<!doctype html|<html|<\?xml|\{\\rtf)", re.IGNORECASE)
_RARE = 1000
"""Bytes per control byte, or byte that is not UTF-8, that is accepted in a text."""


def decode(data: bytes, name: str) -> tuple[str, str | None]:
    """Return the text, without byte order mark, and the encoding's name if it was not plain UTF-8.

    Raises ReelError saying what `name` is where it is not text.
    """
    if len(data) > LARGEST:
        message = f"{name} is larger than {LARGEST // 2**20} MB, too large for a chat."
        raise ReelError(message)
    if not data.strip():
        message = f"{name} is empty."
        raise ReelError(message)
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


def name_kind(data: bytes) -> str | None:
    """Return what a file is by the signature it begins with; None for one that may be a plain text."""
    head = data[:4096]
    for magic, what in _MAGIC:
        if data.startswith(magic) and (magic not in _ASCII_MAGIC or _CONTROL.search(head)):
            return what
    if data[:4] == b"RIFF" and data[8:12] in {b"WEBP", b"AVI ", b"WAVE"}:
        return "an image" if data[8:12] == b"WEBP" else "a film or a sound file"
    if data[4:8] == b"ftyp":
        return "an image, a film or a sound file"
    return "a document with formatting (RTF)" if data.lstrip()[:5].lower() == b"{\\rtf" else None


def _what(data: bytes) -> str | None:
    """Return what a file is that is not text; None for text."""
    head = data[:4096]
    if known := name_kind(data):
        return known
    if _MARKUP.match(head):
        return "a web page or another program's document"
    if sum(1 for _ in _CONTROL.finditer(data)) * _RARE > len(data) + _RARE:
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
