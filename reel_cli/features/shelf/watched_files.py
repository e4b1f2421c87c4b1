"""Files that are watched where they lie: whether they are as they were, told by a look, and their bytes."""

import os
import stat
from datetime import UTC, datetime
from pathlib import Path

from reel_cli.features.shelf.shelf_file import WatchedFile

SAME, CHANGED, GONE = "", "changed", "gone"


def place_of(kit: Path, watched: WatchedFile) -> Path:
    """Return where a watched file is; a relative path begins at the kit's folder."""
    return _place(kit, watched.path)


def _place(kit: Path, path: str) -> Path:
    return Path(os.path.normpath(os.path.join(os.path.realpath(kit), path)))  # noqa: PTH118


def state_of(kit: Path, watched: WatchedFile) -> str:
    """Return whether a watched file is unchanged, by its size and time alone."""
    try:
        found = os.lstat(place_of(kit, watched))
    except (OSError, ValueError):
        return GONE
    if not stat.S_ISREG(found.st_mode):
        return GONE
    same = found.st_size == watched.size and mtime_of(found) == watched.mtime
    return SAME if same else CHANGED


def mtime_of(found: os.stat_result) -> str:
    """Return when a file was last written, in a sidecar's form."""
    seconds, rest = divmod(found.st_mtime_ns, 10**9)
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%S") + f".{rest // 1000:06d}Z"


def look_at_place(kit: Path, path: str) -> tuple[str, str]:
    """Return a watched file's present size and time, as in a sidecar; "" if it is no regular file."""
    try:
        found = os.lstat(_place(kit, path))
    except (OSError, ValueError):
        return "", ""
    return (str(found.st_size), mtime_of(found)) if stat.S_ISREG(found.st_mode) else ("", "")


def read_place(kit: Path, path: str, most: int) -> bytes | None:
    """Return at most `most` + 1 bytes of a watched file as it is now; None if it is no regular file."""
    flags = os.O_RDONLY
    flags |= getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    try:
        descriptor = os.open(_place(kit, path), flags)
    except (OSError, ValueError):
        return None
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            return None
        try:
            return file.read(most + 1)
        except OSError:
            return None
