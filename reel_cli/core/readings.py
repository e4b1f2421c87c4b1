"""Bytes read as text, in each way that they may have been meant; the same bytes come of it again."""

import re
from collections.abc import Iterator, Sequence

from reel_cli.core.frozen import frozen

_MARKED = (
    (b"\xff\xfe\0\0", "utf-32-le"),
    (b"\0\0\xfe\xff", "utf-32-be"),
    (b"\xff\xfe", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"),
)
MOST_WAYS = 2
"""Maximum number of ways to decode the same bytes."""
_SEALED = b"%PDF-"
_CONTROL = re.compile(r"[\0-\x08\x0e-\x1a\x1c-\x1f]")
_CLEAR = 8
"""Ratio of nulls on one side to the other from which bytes count as text of two bytes a character."""
_ENOUGH = 1 << 16
"""Bytes in which that shows."""


@frozen
class DecodedText:
    """Bytes decoded as text; `rest` is an incomplete character at their end."""

    text: str
    encoding: str
    errors: str
    rest: bytes = b""

    def write(self, text: str) -> bytes:
        """Return the bytes of another text in the same encoding; a byte order mark stays part of it."""
        return text.encode(self.encoding, self.errors) + self.rest


def readings(data: bytes) -> Iterator[DecodedText]:
    """Yield the ways to read some bytes: UTF-8, UTF-16 or UTF-32 if possible, else a byte a letter."""
    yield DecodedText(data.decode("utf-8", "surrogateescape"), "utf-8", "surrogateescape")
    for encoding in _wide(data):
        size = len(data) - len(data) % (4 if "32" in encoding else 2)
        try:
            text = data[:size].decode(encoding, "surrogatepass")
        except UnicodeDecodeError:
            continue
        yield DecodedText(text, encoding, "surrogatepass", data[size:])
        return
    if b"\0" not in data and not _is_utf8(data):
        # Windows and Unix before UTF-8: the letters of western Europe have the same codes
        yield DecodedText(data.decode("latin-1"), "latin-1", "replace")


def is_sealed(data: bytes) -> bool:
    """Return whether words cannot be searched in the bytes: a picture, an archive, a packed document."""
    if _is_utf8(data):
        return data.startswith(_SEALED)
    return _CONTROL.search(list(readings(data))[-1].text) is not None


def _wide(data: bytes) -> Sequence[str]:
    """Return the encodings that may apply if the text has several bytes a character; else nothing."""
    marked = [encoding for mark, encoding in _MARKED if data.startswith(mark)]
    if marked or b"\0" not in data:
        return marked
    head = data[:_ENOUGH]
    even, odd = head[::2].count(0), head[1::2].count(0)
    if odd > even * _CLEAR:
        return ["utf-16-le"]
    return ["utf-16-be"] if even > odd * _CLEAR else []


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True
