"""What of the shelf a bundle may have, as packing sees it: names first, texts only when it is their turn.

Packing takes a few milliseconds, and making a frozen dataclass takes one: what it needs of the shelf is here.
"""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

SHELF = "shelf"
"""The folder of the kit that holds the files."""
SIDECAR = ".meta.yml"
"""What the name of a file's sidecar ends in, behind the file's own."""
_SNIFFED = 8192
"""So many bytes at a file's beginning tell whether it is text, as git has it."""
BINARY = "it is no text"
ELSEWHERE = "it lies elsewhere, and was not kept"
NOT_ALLOWED = "nobody on this machine said that it may be read"
GONE = "it is not where it is watched"
TOO_LARGE = "it is longer than the shelf's share by itself"
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
    """What a watched file was like when last looked at: size, time and SHA-256."""
    aside: bool = False
    """Whether it was set aside, and is told by its summary alone."""


class Opened(NamedTuple):
    """A file's text, or why it has none."""

    text: str | None
    why: str = ""


class Digest(NamedTuple):
    """A summary of a file; `old` where the file is not any more what it was made of."""

    text: str
    old: bool = False


class Desk(Protocol):
    """Opens what lies on the shelf."""

    def open(self, item: ShelfItem, most: int) -> Opened:
        """The file's text; none where it is more than `most` bytes."""

    def digest(self, item: ShelfItem) -> Digest | None:
        """Its summary, where there is one that can be read."""


class Shelved(NamedTuple):
    """The shelf for one bundle: `items`, those to be told of, what is pinned first, then the hotter.

    `left` is what is not, by reason; `told` is what a person should know.
    """

    items: Sequence[ShelfItem]
    left: Sequence[tuple[Sequence[str], str]]
    told: Sequence[str]
    desk: Desk


def text_of(data: bytes) -> str | None:
    """A file's text without a mark at its beginning; None where it is none."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")) and len(data) % 2 == 0:
        # as Notepad and PowerShell save it
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
