"""Names of the files that count in each ring, and stamps that show a file unchanged without reading it."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ABSENT = "absent"


class Look(NamedTuple):
    """The stamp of a file ("" if it must be read each time), with its creation time in nanoseconds."""

    name: str
    stamp: str
    born: int


def is_memory_file(name: str) -> bool:
    """Return whether a file name in ring 3 is a memory's."""
    return name.startswith("M-") and name.endswith(".md") and "/" not in name


def is_exemplar_file(name: str) -> bool:
    """Return whether a file name in ring 1 is an example's."""
    return name.endswith(".md") and "/" not in name


def is_proposal_file(path: str) -> bool:
    """Return whether a kit path is a proposal in `review/`."""
    return path.startswith("review/") and path.endswith(".md") and path.count("/") == 1


def look_at(path: Path | str, name: str) -> Look:
    """Look at one file; a link is never trusted, for what it leads to may change unseen."""
    try:
        found = os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return Look(name, ABSENT, 0)
    return _look(name, found, linked=stat.S_ISLNK(found.st_mode))


def stamp_folder(folder: Path) -> str:
    """Return one text that changes when any file directly below a folder changes."""
    try:
        opened = os.scandir(folder)
    except (FileNotFoundError, NotADirectoryError):
        return ABSENT
    lines = []
    with opened as entries:
        for entry in entries:
            s = entry.stat(follow_symlinks=False)
            lines.append(f"{entry.name} {s.st_mode} {s.st_size} {s.st_mtime_ns} {s.st_ctime_ns} {s.st_ino}")
    return "\n".join(lines)


def look_into(folder: Path) -> Iterator[Look]:
    """Look at every file right below a folder, in no order; there may be no such folder."""
    try:
        entries = os.scandir(folder)
    except (FileNotFoundError, NotADirectoryError):
        return
    with entries:
        for entry in entries:
            if entry.is_file():
                linked = entry.is_symlink()
                yield _look(entry.name, entry.stat(follow_symlinks=False), linked=linked)


def _look(name: str, found: os.stat_result, *, linked: bool) -> Look:
    changed, meta = found.st_mtime_ns, found.st_ctime_ns
    stamp = "" if linked else f"{found.st_size} {changed} {meta} {found.st_ino}"
    return Look(name, stamp, max(changed, meta))
