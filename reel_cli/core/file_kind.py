"""Kinds of files that are no plain text, by the signature they begin with."""

import re

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
CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
"""Pattern of the control bytes that no text has."""


def name_kind(data: bytes) -> str | None:
    """Return what a file is by the signature it begins with; None for one that may be a plain text."""
    head = data[:4096]
    for magic, what in _MAGIC:
        if data.startswith(magic) and (magic not in _ASCII_MAGIC or CONTROL.search(head)):
            return what
    if data[:4] == b"RIFF" and data[8:12] in {b"WEBP", b"AVI ", b"WAVE"}:
        return "an image" if data[8:12] == b"WEBP" else "a film or a sound file"
    if data[4:8] == b"ftyp":
        return "an image, a film or a sound file"
    return "a document with formatting (RTF)" if data.lstrip()[:5].lower() == b"{\\rtf" else None
