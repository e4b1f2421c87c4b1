"""Files a person brings for the shelf: read, or only looked at, from wherever they lie; never written."""

import os
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from reel_cli.core.errors import ReelError
from reel_cli.core.files.tree import PRIVATE
from reel_cli.core.values.change import one_line
from reel_cli.features.shelf.names import clean_name
from reel_cli.features.shelf.shelf_file import SHELF, SIDECAR, WatchedFile
from reel_cli.features.shelf.watched_files import mtime_of

LARGEST = 32 * 1024 * 1024
"""Bytes above which a file is not copied; it can be watched where it is."""
MOST = 256 * 1024 * 1024
"""Maximum bytes copied at once."""
_CHUNK = 1024 * 1024


@dataclass(frozen=True, slots=True)
class ShelfSource:
    """A file for the shelf: its name there, its bytes or where it is watched, and the path it was named by.

    `sidecar` is one that lay beside it. `there`: it lies on the shelf already and was only named.
    """

    name: str
    shown: str
    data: bytes | None = None
    watched: WatchedFile | None = None
    sidecar: bytes | None = None
    renamed: bool = False
    there: bool = False

    @property
    def path(self) -> str:
        """Return its path in the kit."""
        return f"{SHELF}/{self.name}"


@dataclass(frozen=True, slots=True)
class SkippedFile:
    """A file of a folder that was passed over, and why."""

    shown: str
    why: str


@dataclass(slots=True)
class SourceFiles:
    """The files that were brought, and what was skipped in the folders."""

    brought: list[ShelfSource] = field(default_factory=list)
    passed: list[SkippedFile] = field(default_factory=list)


class _Unfit(Exception):  # noqa: N818
    """A file that cannot be taken: `why` in words that follow its name, and the mend."""

    def __init__(self, why: str, hint: str | None = None) -> None:
        super().__init__(why)
        self.why = why
        self.hint = hint


def gather_sources(kit: Path, given: Sequence[str], *, watch: bool = False, called: str = "") -> SourceFiles:
    """Read all that a person named, folders with everything in them.

    `called` is the name on the shelf of the one thing given. Raises ReelError, and takes nothing, where one
    of those given cannot be taken, or two would have the same name. What cannot be taken of a folder is
    passed over and listed.
    """
    if called and len(given) != 1:
        message = "--as names one file or folder, and several are given."
        raise ReelError(message, hint="add them one at a time")
    gathering = _SourceWalk(Path(os.path.realpath(kit)), watch=watch)
    for one in given:
        gathering.take(one, called)
    return gathering.found


class _SourceWalk:
    def __init__(self, kit: Path, *, watch: bool) -> None:
        self.kit = kit
        self.watch = watch
        self.found = SourceFiles()
        self._bytes = 0
        self._names: dict[str, str] = {}

    def take(self, given: str, called: str) -> None:
        """Add one file or folder that was named."""
        shown = one_line(given, 120)
        try:
            found = os.lstat(given)
            if stat.S_ISDIR(found.st_mode) and not self._is_kits_own(given):
                top = called or os.path.basename(os.path.realpath(given))  # noqa: PTH119
                before = len(self.found.brought)
                self._take_folder(given, top)
                if len(self.found.brought) == before:
                    message = f"There is nothing in {shown} to put on the shelf."
                    raise ReelError(message)
                return
            self._take_file(given, called or os.path.basename(given))  # noqa: PTH119
        except FileNotFoundError:
            message = f"There is no file {shown}."
            raise ReelError(message) from None
        except OSError as error:
            message = f"{shown} cannot be read: {error.strerror}."
            raise ReelError(message) from None
        except _Unfit as error:
            message = f"{shown} {error.why}."
            raise ReelError(message, hint=error.hint) from None

    def _take_folder(self, folder: str, top: str) -> None:
        for path, inner in _walk(folder, self.kit):
            if self._is_kits_own(path):
                self.found.passed.append(SkippedFile(one_line(path, 120), "is in the kit already"))
                continue
            if path.endswith(SIDECAR) and os.path.isfile(path.removesuffix(SIDECAR)):  # noqa: PTH113
                # it comes with its file
                continue
            try:
                self._take_file(path, f"{top}/{inner}", beside=True)
            except _TooMuchError:
                raise
            except ReelError as error:
                self.found.passed.append(SkippedFile(one_line(path, 120), error.message.rstrip(".")))
            except OSError as error:
                self.found.passed.append(
                    SkippedFile(one_line(path, 120), f"cannot be read: {error.strerror}")
                )
            except _Unfit as error:
                self.found.passed.append(SkippedFile(one_line(path, 120), error.why))

    def _take_file(self, path: str, name: str, *, beside: bool = False) -> None:
        if self._is_kits_own(path):
            self.found.brought.append(self._there(path))
            return
        plain = _utf8(name).replace(os.sep, "/")
        clean = clean_name(plain)
        shown = one_line(_utf8(path), 400)
        if not self._claim(clean, shown):
            return
        if self.watch:
            made = ShelfSource(clean, shown, watched=self._watch(path), renamed=clean != plain)
        else:
            data = read_plain(path, LARGEST)
            self._bytes += len(data)
            if self._bytes > MOST:
                message = f"These are more than {MOST >> 20} MB in all."
                raise _TooMuchError(message, hint="add them in parts, or leave them in place with  --watch")
            made = ShelfSource(
                clean, shown, data=data, renamed=clean != plain, sidecar=_beside(path, wanted=beside)
            )
        self.found.brought.append(made)

    def _claim(self, name: str, shown: str) -> bool:
        """Return whether a name is new; refuse a second file of that name, ignoring case."""
        if self._names.get(name.casefold()) == shown:
            return False
        other = self._names.setdefault(name.casefold(), shown)
        if other != shown:
            message = f"{other} and {shown} would both be called {name} on the shelf."
            raise ReelError(message, hint="add one of them by itself, with  --as NAME")
        return True

    def _is_kits_own(self, path: str) -> bool:
        return Path(os.path.realpath(path)).is_relative_to(self.kit)

    def _there(self, path: str) -> ShelfSource:
        """Return a file in the kit, which can be named only if it is on the shelf."""
        inner = Path(os.path.realpath(path)).relative_to(self.kit).as_posix()
        if not inner.startswith(f"{SHELF}/") or inner.endswith(SIDECAR) or self.watch:
            why = "is in the kit already"
            raise _Unfit(why, "what is on the shelf are copies of files from elsewhere")
        if not stat.S_ISREG(os.lstat(path).st_mode):
            why = "is not a plain file"
            raise _Unfit(why, "put a copy of the file in its place")
        name = inner.removeprefix(f"{SHELF}/")
        if clean_name(_utf8(name)) != name:
            why = "has a name that does not work on every disk"
            raise _Unfit(why, f"rename it, as  {clean_name(_utf8(name))}")
        return ShelfSource(name, inner, there=True)

    def _watch(self, path: str) -> WatchedFile:
        if _utf8(path) != path:
            why = "has a name that is not text, so that it cannot be watched"
            raise _Unfit(why, "copy it:  leave out  --watch")
        if os.path.isabs(path):  # noqa: PTH117
            told = path
        else:
            told = Path(os.path.relpath(os.path.abspath(path), self.kit)).as_posix()  # noqa: PTH100
        return look_closely(path, told)


class _TooMuchError(ReelError):
    """Raised when more is given than can be taken at once."""


def _walk(folder: str, kit: Path) -> Iterator[tuple[str, str]]:
    """Yield every file below a folder with its path there; links to folders are not followed."""
    for here, folders, files in os.walk(folder):
        # the kit's own files would otherwise be listed one by one
        folders[:] = [name for name in folders if not kit.samefile(os.path.join(here, name))]  # noqa: PTH118
        linked = [name for name in folders if os.path.islink(os.path.join(here, name))]  # noqa: PTH114, PTH118
        folders[:] = sorted(name for name in folders if name not in PRIVATE and name not in linked)
        for name in sorted([*files, *linked]):
            path = os.path.join(here, name)  # noqa: PTH118
            yield path, os.path.relpath(path, folder)


def _utf8(text: str) -> str:
    """Return a path as text: what is not UTF-8 in it is shown as such."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _beside(path: str, *, wanted: bool) -> bytes | None:
    """Return the sidecar that lies beside a file of a folder."""
    if not wanted:
        return None
    try:
        return read_plain(f"{path}{SIDECAR}", _CHUNK)
    except (OSError, _Unfit):
        return None


def _open(path: str) -> tuple[int, os.stat_result]:
    """Return a regular file, opened without waiting and without following a link."""
    if stat.S_ISLNK(os.lstat(path).st_mode):
        why = "is a link"
        raise _Unfit(why, "name the file that it leads to")
    flags = (
        os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    )
    if not stat.S_ISREG(os.lstat(path).st_mode):
        why = "is not a plain file"
        raise _Unfit(why)
    descriptor = os.open(path, flags)
    found = os.fstat(descriptor)
    if not stat.S_ISREG(found.st_mode):
        os.close(descriptor)
        why = "is not a plain file"
        raise _Unfit(why)
    return descriptor, found


def read_plain(path: str, most: int) -> bytes:
    """Return a regular file's bytes; raises `_Unfit` if it is none, too large, or changes meanwhile."""
    descriptor, found = _open(path)
    with os.fdopen(descriptor, "rb") as file:
        if found.st_size > most:
            why = f"is larger than {most >> 20} MB ({found.st_size >> 20:,} MB)"
            raise _Unfit(why, "leave it where it is with  --watch , or take only a part of it")
        data = file.read(most + 1)
        after = os.fstat(file.fileno())
    if len(data) != found.st_size or after.st_mtime_ns != found.st_mtime_ns:
        why = "changed while it was read"
        raise _Unfit(why, "add it again when nothing writes to it")
    return data


def look_closely(path: str, told: str) -> WatchedFile:
    """Return a file's present state, its bytes hashed a piece at a time; `told` is its name."""
    descriptor, found = _open(path)
    hashed = sha256()
    with os.fdopen(descriptor, "rb") as file:
        while chunk := file.read(_CHUNK):
            hashed.update(chunk)
    return WatchedFile(told, found.st_size, hashed.hexdigest(), mtime_of(found))
