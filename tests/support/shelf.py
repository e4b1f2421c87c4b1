"""Kits that many tests begin with, made once in a run by the first worker that wants one, then copied."""

import hashlib
import os
import pickle
import shutil
import stat
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar, cast

from reel_cli.core.files.private import MARK, OWNER_FOLDER, mark_own

if TYPE_CHECKING:
    from tests.support.cli import Reel

PASSING = ("objects", "index", "cache", "logs", MARK)
"""Names in `.git` and `.reel` that hang on the moment, or follow from the rest."""

RETURNED = "returned.pickle"
"""File beside a thing on the shelf: the value that was returned when it was made."""
_shelf: Path | None = None
_returned: dict[Path, object] = {}
"""The value that was returned when each thing on the shelf was made."""
T = TypeVar("T")


def copy_kit(source: Path, target: Path) -> None:
    """Copy a kit, as if all that was done to it had been done where the copy lies."""
    _copy_folder(source, target)
    _mark_as_own(target)


def _mark_as_own(kit: Path) -> None:
    state = kit / ".reel" / "state"
    if (state / MARK).exists():
        (state / MARK).unlink()
        mark_own(state)


def set_up(place: Path) -> None:
    """Keep things here from now on; other processes may do so as well."""
    global _shelf  # noqa: PLW0603 (the tests' one shelf, as long as the process)
    _shelf = place


def ready_made(folder: Path, what: str, make: Callable[[], T]) -> T:
    """Do to `folder` what `make` does; where it was done to one like it before, by a copy of what came of it.

    Returns the value of `make` when it was done. Alike are folders of one name that hold the same files at
    the same HEAD, and places where nothing is yet. `what` names all else that `make` goes by. The copy is
    taken the first time as well, so that it never matters which test comes first.
    """
    assert _shelf is not None
    kept = _shelf / hashlib.sha256(f"{what}\0{_print_of(folder)}".encode()).hexdigest()[:24] / folder.name
    if not kept.exists():
        _put_on_shelf(kept, folder, make())
    if kept not in _returned:
        _returned[kept] = pickle.loads((kept.parent / RETURNED).read_bytes())  # noqa: S301 (our own)
    if folder.exists():
        shutil.rmtree(folder)
    _write_folder(_read_folder(kept), folder)
    _mark_as_own(folder)
    return cast("T", _returned[kept])


def _put_on_shelf(kept: Path, folder: Path, returned: object) -> None:
    """Keep a folder and what was returned; where another process was quicker, what that one made stays."""
    half = kept.parent.with_name(f"{kept.parent.name}-{os.getpid()}")
    half.mkdir()
    (half / RETURNED).write_bytes(pickle.dumps(returned))
    _copy_folder(folder, half / folder.name)
    try:
        half.rename(kept.parent)
    except OSError:
        shutil.rmtree(half)


def take_over(reel: "Reel", root: Path, example: str) -> Path:
    """Make a kit of an example kit (`ada`, `meridian`) in a folder; `reel` runs inside it from here on."""
    from tests.support.cli import CHECKOUT

    template = CHECKOUT / "kits" / example
    ready_made(root, f"{example} taken over", lambda: reel("init", root, "--template", template).ok())
    reel.cwd = root
    return root


class _Held(NamedTuple):
    """A file or a link of a folder that is held in memory; of a link, where it leads is its content."""

    name: str
    mode: int
    times: tuple[int, int]
    data: bytes


class _HeldFolder(NamedTuple):
    """A folder that is held in memory; `place` is where it lies below the one that was read, or ""."""

    place: str
    mode: int
    times: tuple[int, int]
    files: Sequence[_Held]


@lru_cache(maxsize=48)
def _read_folder(source: Path) -> Sequence[_HeldFolder]:
    """Return what lies in a folder of the shelf, which never changes; a folder before those inside it."""
    found: list[_HeldFolder] = []
    for here, folders, files in os.walk(source):
        links = [name for name in folders if Path(here, name).is_symlink()]
        held = [_hold(f"{here}/{name}", name) for name in (*files, *links)]
        own = Path(here).stat()
        times = own.st_atime_ns, own.st_mtime_ns
        found.append(_HeldFolder(here.removeprefix(str(source)), stat.S_IMODE(own.st_mode), times, held))
    return found


def _hold(path: str, name: str) -> _Held:
    found = Path(path).lstat()
    times = found.st_atime_ns, found.st_mtime_ns
    if stat.S_ISLNK(found.st_mode):
        return _Held(name, 0, times, os.fsencode(Path(path).readlink()))
    return _Held(name, stat.S_IMODE(found.st_mode), times, Path(path).read_bytes())


def _write_folder(held: Sequence[_HeldFolder], target: Path) -> None:
    """Write a folder out of memory, with modes and times; in 40 % of the time that a copy takes."""
    target.parent.mkdir(parents=True, exist_ok=True)
    umask = os.umask(0)
    try:
        for folder in held:
            place = f"{target}{folder.place}"
            os.mkdir(place, OWNER_FOLDER)  # noqa: PTH102 (a hundred calls for each test)
            for file in folder.files:
                _write_file(f"{place}/{file.name}", file)
    finally:
        os.umask(umask)
    for folder in reversed(held):
        place = f"{target}{folder.place}"
        os.chmod(place, folder.mode)  # noqa: PTH101
        os.utime(place, ns=folder.times)


def _write_file(place: str, file: _Held) -> None:
    if not file.mode:
        Path(place).symlink_to(os.fsdecode(file.data))
        return
    descriptor = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL, file.mode)
    try:
        written = 0
        while written < len(file.data):
            written += os.write(descriptor, file.data[written:] if written else file.data)
        os.utime(descriptor, ns=file.times)
    finally:
        os.close(descriptor)


def _copy_folder(source: str | Path, target: str | Path) -> None:
    """Copy a folder's content, modes and times; in 60 % of the time that `shutil.copytree` takes."""
    Path(target).mkdir(parents=True, exist_ok=True)
    with os.scandir(source) as entries:
        for entry in entries:
            place = f"{target}/{entry.name}"
            if entry.is_symlink():
                Path(place).symlink_to(Path(entry.path).readlink())
            elif entry.is_dir():
                _copy_folder(entry.path, place)
            else:
                _copy_file(entry.path, place, entry.stat())
    own = Path(source).stat()
    Path(target).chmod(stat.S_IMODE(own.st_mode))
    os.utime(target, ns=(own.st_atime_ns, own.st_mtime_ns))


def _copy_file(source: str, target: str, seen: os.stat_result) -> None:
    """Copy a file's bytes, mode and times."""
    here, there = os.open(source, os.O_RDONLY), os.open(target, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        while data := os.read(here, seen.st_size + 1):
            os.write(there, data)
        os.fchmod(there, stat.S_IMODE(seen.st_mode))
        os.utime(there, ns=(seen.st_atime_ns, seen.st_mtime_ns))
    finally:
        os.close(here)
        os.close(there)


def _print_of(folder: Path) -> str:
    """Return the content of a folder, to tell it from another."""
    found = hashlib.sha256(folder.name.encode())
    for here, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if name not in PASSING)
        for name in sorted(files):
            place = Path(here, name)
            if name not in PASSING:
                held = os.fsencode(place.readlink()) if place.is_symlink() else place.read_bytes()
                found.update(f"{place.relative_to(folder)}\0{len(held)}\0".encode() + held)
    return found.hexdigest()
