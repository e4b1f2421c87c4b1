"""Sources of a kit's bytes: the work tree, or any commit. Which names count in a ring, and stamps of files.

A stamp shows that a file is unchanged without reading it.
"""

import errno
import os
import stat
from collections.abc import Iterator, Sequence
from functools import cached_property
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple, Protocol
from zlib import adler32, crc32

from reel_cli.core.errors import ReelError, StateError
from reel_cli.core.files.private import open_at_once
from reel_cli.core.shell import quote

PRIVATE = (".git", ".reel")
LARGEST_FILE = 64 * 1024 * 1024
"""Bytes above which a kit file is refused rather than read into memory."""


class Tree(Protocol):
    """A kit's files, read-only, by kit-relative POSIX path."""

    def read(self, path: str) -> bytes | None:
        """Return the file's bytes, or None where there is none."""
        ...

    def list(self, folder: str) -> Sequence[str]:
        """Return every file below `folder` ("" for the whole kit), sorted; `.git` and `.reel` left out."""
        ...


class TextTree(Tree, Protocol):
    """A tree that gives its files as text too."""

    def text(self, path: str) -> str | None:
        """Return the file as text; ReelError naming the file when it is not UTF-8."""
        ...


def too_large(path: str) -> ReelError:
    """Say that a file of the kit is larger than reel reads."""
    message = f"{path} is larger than {LARGEST_FILE // 2**20} MB."
    return ReelError(
        message, hint=f"move it away, then bring its last text back:  reel restore {quote(path)}"
    )


class WorkTree:
    """The kit as it lies on disk now."""

    def __init__(self, root: Path) -> None:
        """Read below `root`, the directory that holds kit.yaml."""
        self.root = root

        self._inside: dict[str, bool] = {}
        self._real: dict[str, str] = {}

    @cached_property
    def _top(self) -> str:
        return os.path.realpath(self.root)

    def read(self, path: str) -> bytes | None:
        """Read a regular file inside the kit; links that lead out of it are refused."""
        target = os.path.join(self.root, path)  # noqa: PTH118 (a kit has thousands of these)
        try:
            if not self._is_inside(target):
                message = f"{path} is outside the kit."
                raise StateError(message, hint="replace the link by a copy of the file")
            with open(target, "rb", opener=open_at_once) as file:
                found = os.fstat(file.fileno())
                if not stat.S_ISREG(found.st_mode):
                    message = f"{path} is not a plain file."
                    raise StateError(message, hint="put a copy of the file in its place")
                if found.st_size > LARGEST_FILE:
                    raise too_large(path)
                return file.read()
        except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
            return None
        except PermissionError:
            message = f"{path} cannot be read."
            raise StateError(message, hint="check who owns the kit's folder") from None
        except OSError as error:
            if error.errno != errno.ELOOP:
                raise
            message = f"{path} is a link that leads to itself."
            raise StateError(message, hint=f"delete the link, then  reel restore {quote(path)}") from None

    def read_end(self, path: str, size: int) -> bytes:
        """Return the last bytes of a regular file inside the kit; empty where it cannot be read."""
        target = os.path.join(self.root, path)  # noqa: PTH118 (a kit has thousands of these)
        try:
            if not self._is_inside(target):
                return b""
            with open(target, "rb", opener=open_at_once) as file:
                found = os.fstat(file.fileno())
                if not stat.S_ISREG(found.st_mode):
                    return b""
                file.seek(max(0, found.st_size - size))
                return file.read()
        except OSError:
            return b""

    def _is_inside(self, target: str) -> bool:
        """Return whether a file is in the kit after links are resolved; each folder is looked up once."""
        folder = os.path.dirname(target)  # noqa: PTH120
        if folder not in self._inside:
            self._inside[folder] = self._leads_inside(folder)
        return self._inside[folder] and (
            not os.path.islink(target) or self._leads_inside(target)  # noqa: PTH114
        )

    def _leads_inside(self, place: str) -> bool:
        real, top = self._resolve(place), self._top
        return real == top or real.startswith(f"{top.rstrip(os.sep)}{os.sep}")

    def _resolve(self, place: str) -> str:
        """Return what `os.path.realpath` does; no folder of the kit is looked at twice."""
        if place in self._real:
            return self._real[place]
        root = str(self.root)
        above, _, name = place.rpartition(os.sep)
        plain = above.startswith(root) and name not in ("", ".") and ".." not in place[len(root) :]
        if not plain or os.path.islink(place):  # noqa: PTH114
            return os.path.realpath(place)
        real = self._top if above == root else self._resolve(above)
        self._real[place] = f"{real.rstrip(os.sep)}{os.sep}{name}"
        return self._real[place]

    def list(self, folder: str) -> Sequence[str]:
        """Walk the folder; links to directories are not followed."""
        found: list[str] = []
        top = self.root / folder if folder else self.root
        for here, folders, files in os.walk(top):
            folders[:] = sorted(f for f in folders if f not in PRIVATE)
            relative = Path(here).relative_to(self.root).as_posix()
            prefix = "" if relative == "." else f"{relative}/"
            found.extend(prefix + name for name in files)
        return sorted(found)

    def stamp(self, path: str) -> str | None:
        """Return a stamp that changes with the file, without reading it; None if there is no regular file.

        Its size, the times of its last change in nanoseconds, and its inode: the youngest of the
        two times first, so that it can be held against a clock.
        """
        try:
            found = os.lstat(os.path.join(self.root, path))  # noqa: PTH118
        except OSError:
            return None
        if not stat.S_ISREG(found.st_mode):
            return None
        youngest = max(found.st_mtime_ns, found.st_ctime_ns)
        return f"{youngest} {found.st_size} {found.st_mtime_ns} {found.st_ctime_ns} {found.st_ino}"


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


_MARKS = attrgetter("st_mtime_ns", "st_ctime_ns", "st_size", "st_ino", "st_mode")


def stamp_folder(folder: Path | str) -> str:
    """Return one short text that changes when any file directly below a folder changes."""
    marks = _read_marks(folder)
    return ABSENT if marks is None else _stamp(*marks)


def look_at_folder(folder: Path | str) -> Look:
    """Return a folder's stamp with the time of the youngest change of what lies directly below it."""
    marks = _read_marks(folder)
    if marks is None:
        return Look(str(folder), ABSENT, 0)
    return Look(str(folder), _stamp(*marks), max((max(mark[:2]) for mark in marks[1]), default=0))


def _read_marks(folder: Path | str) -> tuple[list[str], list[tuple[int, ...]]] | None:
    """Return the names below a folder, and what shows a change of each; None where there is no folder."""
    try:
        opened = _open_folder(folder)
    except (FileNotFoundError, NotADirectoryError):
        return None
    names, marks = [], []
    try:
        with os.scandir(folder if opened is None else opened) as entries:
            for entry in entries:
                names.append(entry.name)
                marks.append(_MARKS(entry.stat(follow_symlinks=False)))
    finally:
        if opened is not None:
            os.close(opened)
    return names, marks


def _stamp(names: Sequence[str], marks: Sequence[tuple[int, ...]]) -> str:
    # numbers hash the same in every process; names do not, and are held to their bytes
    named = "/".join(names).encode("utf-8", "surrogateescape")
    return f"{len(names)} {crc32(named)} {adler32(named)} {hash(tuple(marks))}"


def _open_folder(folder: Path | str) -> int | None:
    """Open a folder, below which files are found a sixth faster than by path; None where that cannot be."""
    if os.scandir in os.supports_fd:
        return os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    # raises where there is no folder
    os.scandir(folder).close()
    return None


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
