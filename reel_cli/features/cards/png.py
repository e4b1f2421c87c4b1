"""The text chunks of a PNG, in which a character card travels (PNG, third edition, 11.3.3)."""

import struct
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from reel_cli.core.errors import ReelError

SIGNATURE = b"\x89PNG\r\n\x1a\n"
LARGEST_TEXT = 32 * 1024 * 1024
"""Bytes that one text chunk may unpack to."""
MOST_CHUNKS = 100_000
_TEXT_KINDS = frozenset({b"tEXt", b"zTXt", b"iTXt"})
AGAIN = "download or export it again"


@dataclass(frozen=True, slots=True)
class Chunk:
    """One chunk: its four-letter kind and its content."""

    kind: bytes
    data: bytes

    @property
    def keyword(self) -> str:
        """Return the key a text chunk is stored under; "" where it holds no text."""
        return self.data.split(b"\0", 1)[0].decode("latin-1") if self.kind in _TEXT_KINDS else ""


def is_png(data: bytes) -> bool:
    """Return whether a file begins with the PNG signature."""
    return data.startswith(SIGNATURE)


def split_png(data: bytes, name: str) -> Sequence[Chunk]:
    """Return every chunk of a PNG, in order, the last one IEND.

    Raises ReelError, naming the file by `name`, where it is cut off or not as it was written.
    """
    chunks = list(_chunks(data, name))
    if not chunks or chunks[0].kind != b"IHDR":
        _damaged(name, "it has no header")
    return chunks


def _chunks(data: bytes, name: str) -> Iterator[Chunk]:
    at, found = len(SIGNATURE), 0
    while True:
        if at + 12 > len(data):
            _damaged(name, "it is cut off")
        size, kind = struct.unpack_from(">I4s", data, at)
        end = at + 8 + size
        if end + 4 > len(data):
            _damaged(name, "it is cut off")
        (check,) = struct.unpack_from(">I", data, end)
        if zlib.crc32(data[at + 4 : end]) != check:
            _damaged(name, "a part of it is not as it was written (its checksum is wrong)")
        found += 1
        if found > MOST_CHUNKS:
            _damaged(name, f"it has more than {MOST_CHUNKS:,} parts")
        yield Chunk(kind, data[at + 8 : end])
        if kind == b"IEND":
            return
        at = end + 4


def _damaged(name: str, why: str) -> None:
    message = f"{name} cannot be read as a PNG: {why}."
    raise ReelError(message, hint=AGAIN)


def join_png(chunks: Sequence[Chunk]) -> bytes:
    """Return the file that these chunks make."""
    parts = [SIGNATURE]
    for chunk in chunks:
        check = zlib.crc32(chunk.kind + chunk.data)
        parts += [struct.pack(">I", len(chunk.data)), chunk.kind, chunk.data, struct.pack(">I", check)]
    return b"".join(parts)


def read_text(chunk: Chunk, name: str) -> bytes:
    """Return the text of a tEXt, zTXt or iTXt chunk, unpacked; raises ReelError if broken or too large."""
    _, _, rest = chunk.data.partition(b"\0")
    if chunk.kind == b"tEXt":
        return rest
    if chunk.kind == b"zTXt":
        return _unpack(rest[1:], name)
    packed, rest = rest[:1] == b"\x01", rest[2:]
    # the two flags are followed by a language and a translated key
    parts = rest.split(b"\0", 2)
    if len(parts) < 3:
        _damaged(name, "a text in it is broken")
    return _unpack(parts[2], name) if packed else parts[2]


def _unpack(packed: bytes, name: str) -> bytes:
    unpacker = zlib.decompressobj()
    try:
        text = unpacker.decompress(packed, LARGEST_TEXT + 1)
    except zlib.error:
        text = b""
    if len(text) > LARGEST_TEXT:
        message = f"A text in {name} unpacks to more than {LARGEST_TEXT >> 20} MB, and was not read."
        raise ReelError(message)
    if not unpacker.eof:
        _damaged(name, "a packed text in it is broken")
    return text


def text_chunk(keyword: str, text: bytes) -> Chunk:
    """Return a tEXt chunk; both texts must be free of zero bytes."""
    return Chunk(b"tEXt", keyword.encode("latin-1") + b"\0" + text)


def plain_picture() -> bytes:
    """Return a small plain picture, for a card whose kit has none."""
    width, height, colour = 64, 96, (0x3B, 0x4A, 0x54)
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    rows = (b"\0" + bytes(colour) * width) * height
    return join_png([Chunk(b"IHDR", header), Chunk(b"IDAT", zlib.compress(rows, 9)), Chunk(b"IEND", b"")])
