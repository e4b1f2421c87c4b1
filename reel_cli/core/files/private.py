"""Files of a kit that only their owner reads, and files that are on the disk or not there at all."""

import errno
import json
import os
import stat
from contextlib import suppress
from pathlib import Path
from typing import NoReturn

from reel_cli.core.errors import StateError
from reel_cli.core.values.change import one_line

OWNER_FILE = 0o600
LARGEST_OWN = 64 * 1024 * 1024
"""Bytes above which a file of reel's or git's own is refused rather than read into memory."""
OWNER_FOLDER = 0o700
MARK = "place"
"""The file in a folder of reel's own that says where it was made, by the folder's inode, and when."""
FOREIGN = "elsewhere"
"""The folder in `.reel/state` for notes that were not written there."""
NOTES = (
    *("handed", "exchanges", "touches.jsonl", "last_pack.json", "last_start"),
    *("stream.json", "following.json", "backup.json", "verify.json", "maintain.json", "written.json"),
)
"""The notes in `.reel/state` that reel believes; whoever reads the rest looks for a mark of its own."""
SAME_MOMENT = 10
"""A mark was written within so many seconds of its file's last change."""
OTHERS = stat.S_IRWXG | stat.S_IRWXO


def storage_problem(error: OSError, place: str = "The kit's folder") -> StateError:
    """Return the error for a file that could not be written."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        return StateError("The disk is full.", hint="make some room, then run the command again")
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return StateError(f"{place} cannot be written.", hint="check who owns it and may write there")
    if error.errno == errno.ELOOP:
        return StateError(f"{place} is a link that leads to itself.", hint="delete the link")
    return StateError(f"{place} cannot be written: {one_line(error.strerror or str(error))}.")


def state_folder(kit: Path) -> Path:
    """Make `.reel/state` where it is missing, its owner's alone and hidden from git; return it.

    Raises StateError where it cannot be made, or is outside the kit.
    """
    top = kit / ".reel"
    folder = top / "state"
    try:
        for place in (top, folder):
            name = place.relative_to(kit).as_posix()
            # checked before anything is made, because a dangling link could not be followed
            if place.is_symlink():
                _refuse(place, f"{name} is a link, and reel writes through none.", "delete the link")
            if os.path.lexists(place) and not place.is_dir():
                _refuse(place, f"{name} is not a folder, and reel keeps its notes there.", "delete it")
            if place == folder:
                make_own(folder)
            place.mkdir(mode=OWNER_FOLDER, exist_ok=True)
        if not is_own(folder):
            _put_foreign_aside(folder)
        ignore = top / ".gitignore"
        if not os.path.lexists(ignore):
            write_private(ignore, b"*\n")
    except OSError as error:
        raise storage_problem(error) from error
    return folder


def _refuse(place: Path, message: str, way: str) -> NoReturn:
    from reel_cli.core.shell import quote

    raise StateError(message, hint=f"{way}:  rm {quote(str(place))}")


def cache_folder(kit: Path) -> Path | None:
    """Make `.reel/cache` where it is missing, its owner's alone; None where none can be had."""
    folder = kit / ".reel" / "cache"
    try:
        state_folder(kit)
        make_own(folder)
    except (OSError, StateError):
        return None
    return None if folder.is_symlink() else folder


def make_own(folder: Path) -> None:
    """Make a folder where it is missing, with the mark of the place it was made at; OSError."""
    if os.path.lexists(folder):
        return
    # marked before it gets its name, so that nobody takes it for a foreign folder
    fresh = folder.with_name(f".new-{os.getpid()}-{os.urandom(4).hex()}")
    fresh.mkdir(mode=OWNER_FOLDER)
    try:
        mark_own(fresh)
        fresh.rename(folder)
    except OSError:
        (fresh / MARK).unlink(missing_ok=True)
        fresh.rmdir()
        if not folder.is_dir():
            raise


def mark_own(folder: Path) -> None:
    """Mark a folder as made where it lies; OSError where it has a mark already."""
    mark = os.open(folder / MARK, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWNER_FILE)
    try:
        # the disk's own clock, which may differ from this machine's
        os.write(mark, f"{folder.stat().st_ino} {int(os.fstat(mark).st_ctime)}\n".encode())
    finally:
        os.close(mark)


def _put_foreign_aside(folder: Path) -> None:
    """Move notes that came with a copied or unpacked kit out of the way, and mark the folder; OSError.

    They are kept: the kit may be its owner's own copy, or its notes an older reel's.
    """
    aside = folder / FOREIGN
    aside.mkdir(mode=OWNER_FOLDER, exist_ok=True)
    place = aside / f"{os.getpid()}-{os.urandom(4).hex()}"
    place.mkdir(mode=OWNER_FOLDER)
    for name in NOTES:
        with suppress(FileNotFoundError):
            (folder / name).rename(place / name)
    with suppress(FileNotFoundError):
        (folder / MARK).unlink()
    with suppress(FileExistsError):
        mark_own(folder)
    for empty in (place, aside):
        with suppress(OSError):
            empty.rmdir()


def holds_foreign_prompts(kit: Path) -> bool:
    """Return whether prompts under way lie in `.reel/state` that were noted elsewhere or by an older reel."""
    folder = kit / ".reel" / "state"
    prompts = folder / "exchanges"
    return prompts.is_dir() and not is_own(folder) and any(prompts.iterdir())


def drop_foreign_cache(kit: Path, *, make: bool = True) -> None:
    """Delete what lies in `.reel/cache` unless reel made it in this very folder.

    What a cache says is believed, so one that was copied or unpacked with the kit, maybe from a stranger,
    must not be: its mark names another folder, or was not written when its file came to be. All of it is
    made again from the kit's own files. With `make`, the folder is made where it is missing.
    """
    folder = kit / ".reel" / "cache"
    try:
        if is_own(folder) or folder.is_symlink() or folder.parent.is_symlink():
            # a folder reached by a link is ignored
            return
        if not make and not os.path.lexists(folder):
            return
        _make_anew(folder)
    except OSError:
        return


def empty_cache(kit: Path) -> None:
    """Delete what lies in `.reel/cache`, as far as that can be: it is made again from the kit's files.

    A database that only deletes its rows would still have their words.
    """
    folder = kit / ".reel" / "cache"
    if folder.is_dir() and not folder.is_symlink() and not folder.parent.is_symlink():
        with suppress(OSError):
            _make_anew(folder)


def _make_anew(folder: Path) -> None:
    """Delete a cache with all in it, and make it again; OSError."""
    if folder.is_dir():
        import shutil

        # moved aside first, so that nobody finds half of it
        aside = folder.with_name(f".new-{os.getpid()}-{os.urandom(4).hex()}")
        folder.rename(aside)
        shutil.rmtree(aside, ignore_errors=True)
    make_own(folder)


def is_own(folder: Path) -> bool:
    """Return whether a folder has the mark of its location; true for a folder that cannot be made yet."""
    try:
        inode = folder.stat().st_ino
    except OSError:
        return not folder.parent.is_dir()
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    try:
        mark = os.open(folder / MARK, flags)
    except OSError:
        return False
    try:
        marked, moment = map(int, os.read(mark, 100).split())
        changed = os.fstat(mark).st_ctime
    except (OSError, ValueError):
        return False
    finally:
        os.close(mark)
    # an archive's author knows neither the folder nor the time in which it will be unpacked
    return marked == inode and abs(changed - moment) <= SAME_MOMENT


def read_plain(path: Path | str, most: int = LARGEST_OWN) -> bytes:
    """Read a plain file; a pipe is not waited for, and a link is followed only to a plain file.

    Raises OSError, also where it is something else (EINVAL) or has more than `most` bytes (EFBIG).
    """
    with open(path, "rb", opener=open_at_once) as file:
        found = os.fstat(file.fileno())
        if not stat.S_ISREG(found.st_mode):
            raise OSError(errno.EINVAL, "not a plain file", os.fspath(path))
        if found.st_size > most:
            raise OSError(errno.EFBIG, f"larger than {most // 2**20} MB", os.fspath(path))
        return file.read()


def read_json(path: Path) -> object:
    """Read what reel noted for itself; None where it is missing, damaged, or no plain file."""
    try:
        return json.loads(read_plain(path))
    except (OSError, ValueError, RecursionError):
        return None


def open_at_once(path: str, flags: int) -> int:
    """Open a file without waiting for a writer, should it be a pipe."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def write_private(path: Path, data: bytes, *, sync: bool = True) -> None:
    """Write a file only its owner can read, whole or not at all; with `sync` for good.

    Raises OSError, and StateError where its folder is a link.
    """
    path.parent.mkdir(mode=OWNER_FOLDER, parents=True, exist_ok=True)
    if path.parent.is_symlink():
        message = f"{path.parent.name} is a link, and reel writes through none."
        raise StateError(message, hint=f"delete the link:  rm {path.parent}")
    # tempfile would do, and costs more to import than packing takes
    fresh = path.with_name(f".new-{os.getpid()}-{os.urandom(4).hex()}")
    try:
        write_new(fresh, data, OWNER_FILE, sync=sync)
        fresh.replace(path)
    except BaseException:
        fresh.unlink(missing_ok=True)
        raise
    if sync:
        sync_folder(path.parent)


def write_new(path: Path, data: bytes, mode: int, *, sync: bool = True) -> None:
    """Write a file that must not exist yet, with the mode that the umask leaves; with `sync` for good."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    with os.fdopen(os.open(path, flags, mode), "wb") as file:
        file.write(data)
        if sync:
            file.flush()
            os.fsync(file.fileno())


def sync_folder(folder: Path) -> None:
    """Sync a folder's entries to the disk, if the system can."""
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def new_modes(kit: Path) -> tuple[int, int]:
    """Return the modes for new files and folders: the owner's alone if the kit's own folder is."""
    private = not kit.stat().st_mode & OTHERS
    return (OWNER_FILE, OWNER_FOLDER) if private else (0o666, 0o777)
