"""The files a summary is to be made of, as they are now: read a piece at a time, whatever their size."""

import os
import stat
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import IO

from reel_cli.core.errors import ReelError
from reel_cli.core.files.state import State
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.shell import quote
from reel_cli.core.values.change import one_line
from reel_cli.features.shelf.shelf_file import ShelfFile, WatchedFile
from reel_cli.features.shelf.summaries.files import MOST_SOURCES, is_source_path
from reel_cli.features.shelf.survey import as_typed, find_files
from reel_cli.features.shelf.watched_files import mtime_of, place_of

LARGEST = 1024 * 1024 * 1024
"""Bytes above which a file is not summarized."""
_CHUNK = 1024 * 1024


@dataclass(frozen=True, slots=True)
class SummarizedFile:
    """A file as a summary takes it: its size in bytes, its lines, its SHA-256, and how to read it.

    `watched` is what is to be noted of a watched file that changed since it was noted.
    """

    file: ShelfFile
    size: int
    lines: int
    sha256: str
    open: Callable[[], IO[bytes]] = field(repr=False)
    watched: WatchedFile | None = None

    @property
    def path(self) -> str:
        """Return its path in the kit."""
        return self.file.path


def take_sources(snapshot: Snapshot, kit: Path, wanted: Sequence[str]) -> list[SummarizedFile]:
    """Return the files meant, in order; raises ReelError if one has nothing to summarize."""
    files = find_files(snapshot, wanted, kit)
    if len(files) > MOST_SOURCES:
        message = f"One summary is of {MOST_SOURCES} files at most, and these are {len(files):,}."
        raise ReelError(message, hint="name fewer of them")
    return [take_source(snapshot, kit, file) for file in files]


def take_source(snapshot: Snapshot, kit: Path, file: ShelfFile) -> SummarizedFile:
    """Return one file; raises ReelError if it is gone, empty, no text, or its page is unreadable."""
    if file.trouble:
        gone = not file.held and file.watched is None
        mend = f"reel restore {quote(file.path)}" if gone else "fix its page first"
        raise ReelError(file.trouble, hint=mend)
    if not is_source_path(file.path):
        message = f"{one_line(file.name, 80)} has a name that a page cannot contain."
        raise ReelError(message, hint="give it a plain one")
    if file.watched is not None:
        return _take_watched(kit, file)
    data = snapshot.read(file.path) or b""
    return _looked_at(file, lambda: BytesIO(data))


def _take_watched(kit: Path, file: ShelfFile) -> SummarizedFile:
    if file.watched is None:
        raise ValueError(file.path)
    if file.watched.path not in State(kit).watched():
        # a foreign kit must not name a file to be read here
        shown = one_line(file.watched.path, 120)
        message = f"{file.name} is watched at {shown}, which this kit may not read on this machine."
        raise ReelError(message, hint=f"if it is yours:  reel shelf add --watch {quote(shown)}")
    place = place_of(kit, file.watched)

    def reopen() -> IO[bytes]:
        return _open_plain(place)

    try:
        with closing(reopen()) as opened:
            found = os.fstat(opened.fileno())
        taken = _looked_at(file, reopen)
    except OSError:
        message = f"{file.path}: {one_line(str(place), 120)}, which it watches, is not there any more."
        raise ReelError(message, hint=f"put it back, or  reel shelf drop {as_typed([file])}") from None
    now = WatchedFile(file.watched.path, taken.size, taken.sha256, mtime_of(found))
    other = now if now != file.watched else None
    return SummarizedFile(file, taken.size, taken.lines, taken.sha256, reopen, other)


def _open_plain(place: Path) -> IO[bytes]:
    flags = os.O_RDONLY
    flags |= getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    opened = os.fdopen(os.open(place, flags), "rb")
    if not stat.S_ISREG(os.fstat(opened.fileno()).st_mode):
        opened.close()
        raise OSError(place)
    return opened


def _looked_at(file: ShelfFile, reopen: Callable[[], IO[bytes]]) -> SummarizedFile:
    """Return size, lines and hash in one pass; raises ReelError if it is empty, too long, or no text."""
    made, size, lines, last = sha256(), 0, 0, b""
    with closing(reopen()) as opened:
        while chunk := opened.read(_CHUNK):
            if not size and _is_binary(chunk):
                message = f"{file.name} is not text, so reel cannot read it."
                raise ReelError(
                    message, hint=f"write a line about it yourself, as summary in {one_line(file.sidecar)}"
                )
            size += len(chunk)
            if size > LARGEST:
                message = f"{file.name} is larger than {LARGEST >> 30} GB."
                raise ReelError(message, hint="take a part of it")
            made.update(chunk)
            lines += chunk.count(b"\n")
            last = chunk[-1:]
    if not size:
        message = f"{file.name} is empty: there is nothing to sum up."
        raise ReelError(message)
    return SummarizedFile(file, size, lines + (last != b"\n"), made.hexdigest(), reopen)


def _is_binary(head: bytes) -> bool:
    """Return whether a file that begins so is not text."""
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return False
    if b"\0" in head[:8192]:
        return True
    try:
        head.decode("utf-8")
    except UnicodeDecodeError as error:
        # a character may be cut at the end of the bytes read
        return error.start < len(head) - 3
    return False


def text_reader(taken: SummarizedFile) -> IO[str]:
    """Return a file opened as text, to be read line by line; invalid characters read as `�`."""
    from io import TextIOWrapper

    opened = taken.open()
    head = opened.read(2)
    opened.seek(0)
    wide = head in (b"\xff\xfe", b"\xfe\xff")
    encoding = "utf-16" if wide else "utf-8-sig"
    return TextIOWrapper(opened, encoding, errors="replace", newline=None)
