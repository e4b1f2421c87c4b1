"""Rows of the shelf for a bundle, as packing sees them: names first, texts only when needed.

Packing takes a few milliseconds, and making a frozen dataclass takes one: what it needs of the shelf is here.
"""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

SHELF = "shelf"
"""The folder of the kit that holds the files."""
SIDECAR = ".meta.yml"
"""Ending of the name of a file's sidecar, after the file's own name."""
_SNIFFED = 8192
"""Bytes at a file's beginning that show whether it is text, as in git."""
BINARY = "it is not text"
ELSEWHERE = "it is outside the kit, and was not copied"
NOT_ALLOWED = "reading it was not allowed on this machine"
GONE = "it is no longer where it is watched"
TOO_LARGE = "it alone is longer than the shelf's share"
UNREADABLE = "it cannot be read"


class ShelfItem(NamedTuple):
    """One file, as its sidecar tells of it; `told_in` is the kit path of a summary, made of `told_of`."""

    id: str
    title: str
    summary: str = ""
    pin: bool = False
    told_in: str = ""
    told_of: str = ""
    watched: str = ""
    noted: str = ""
    """State of a watched file when last looked at: size, time and SHA-256."""
    aside: bool = False
    """True if it was set aside, and only its summary is told."""
    listed: bool = False
    """True if hot.yml keeps it at hand."""


class FileText(NamedTuple):
    """A file's text, or why it has none."""

    text: str | None
    why: str = ""


class Digest(NamedTuple):
    """A summary of a file; `old` where the file is not any more what it was made of."""

    text: str
    old: bool = False


class Desk(Protocol):
    """A reader of the files on the shelf."""

    def open(self, item: ShelfItem, most: int) -> FileText:
        """Return the file's text; none if it exceeds `most` bytes."""

    def digest(self, item: ShelfItem) -> Digest | None:
        """Return its summary, if there is one that can be read."""


class ShelfContents(NamedTuple):
    """The shelf for one bundle: `items`, those to be told of, what is pinned first, then the hotter.

    `left` is what is not, by reason; `told` is what a person should know.
    """

    items: Sequence[ShelfItem]
    left: Sequence[tuple[Sequence[str], str]]
    told: Sequence[str]
    desk: Desk


def text_of(data: bytes) -> str | None:
    """Return a file's text without a byte order mark; None if it is no text."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")) and len(data) % 2 == 0:
        # Notepad and PowerShell save it this way
        try:
            told = data.decode("utf-16")
        except UnicodeDecodeError:
            return None
        return None if "\0" in told else told
    if b"\0" in data[:_SNIFFED]:
        return None
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return None
