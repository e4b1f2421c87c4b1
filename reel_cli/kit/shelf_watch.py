"""Files that are watched where they lie: whether they are as they were, told by a look, and their bytes."""

import os
import stat
from datetime import UTC, datetime
from pathlib import Path

from reel_cli.model.moment import stamp
from reel_cli.model.shelf import Watched

SAME, CHANGED, GONE = "", "changed", "gone"


def place_of(kit: Path, watched: Watched) -> Path:
    """Where a watched file is; a relative path begins at the kit's folder."""
    return Path(os.path.normpath(kit / watched.path))


def state_of(kit: Path, watched: Watched) -> str:
    """How a watched file stands to what was noted of it, by its size and time alone."""
    try:
        found = os.lstat(place_of(kit, watched))
    except (OSError, ValueError):
        return GONE
    if not stat.S_ISREG(found.st_mode):
        return GONE
    same = found.st_size == watched.size and mtime_of(found) == watched.mtime
    return SAME if same else CHANGED


def mtime_of(found: os.stat_result) -> str:
    """When a file was last written, as a sidecar has it."""
    return stamp(datetime.fromtimestamp(found.st_mtime, UTC))


def read_watched(kit: Path, watched: Watched, most: int) -> bytes | None:
    """A watched file's bytes as they are now; None where it is no plain file, or larger than `most`."""
    flags = (
        os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    )
    try:
        descriptor = os.open(place_of(kit, watched), flags)
    except (OSError, ValueError):
        return None
    with os.fdopen(descriptor, "rb") as file:
        found = os.fstat(file.fileno())
        if not stat.S_ISREG(found.st_mode) or found.st_size > most:
            return None
        try:
            data = file.read(most + 1)
        except OSError:
            return None
    return data if len(data) <= most else None
