"""The kit's lock: one change at a time, held by whoever still works on it."""

import errno
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from reel_cli.core.errors import StateError
from reel_cli.core.files.private import OWNER_FILE, state_folder, storage_problem

PATIENCE = 5.0
"""Seconds to wait for another reel."""
PAUSE = 0.01
WORTH_SAYING = 0.5
"""Seconds of waiting after which it is reported."""
UNFINISHED = (".reel/state/txn/intent", ".reel/state/purge/plan.json")
"""Notes that a holder writes before it moves git's refs, and that show how it stopped."""
BUSY = (errno.EACCES, errno.EAGAIN, errno.EDEADLK)


@contextmanager
def hold_lock(
    kit: Path, *, patience: float | None = None, waiting: Callable[[], None] | None = None
) -> Iterator[int]:
    """Acquire the kit's lock and yield its descriptor, for git processes to inherit.

    The lock is the open file's, so a git process that outlives reel keeps it until it is done.
    Where the last holder died at work, git's lock files that it left are deleted first. `waiting` is
    called once when it takes a while. Raises StateError naming the holder when it is not free within
    `patience` seconds (PATIENCE, if not given).
    """
    path = state_folder(kit) / "lock"
    flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
    try:
        descriptor = os.open(path, flags, OWNER_FILE)
    except OSError as error:
        raise storage_problem(error, ".reel/state/lock") from error
    try:
        _wait_for(descriptor, PATIENCE if patience is None else patience, waiting)
        since = _unfinished_since(kit, descriptor)
        _sign(descriptor, since)
        if since is not None:
            _drop_git_locks(kit, since)
            _sign(descriptor)
        yield descriptor
        with suppress(OSError):
            os.ftruncate(descriptor, 0)
    finally:
        # closing releases the lock; an explicit unlock would take it from a git process that still runs
        os.close(descriptor)


@contextmanager
def hold_alone(path: Path, message: str, hint: str) -> Iterator[None]:
    """Hold the lock of one file of `.reel/state` as long as the block runs; it ends with the process.

    Raises StateError with this message where another process holds it. Where nothing can be written, nothing
    needs a lock.
    """
    flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
    try:
        descriptor = os.open(path, flags, OWNER_FILE)
    except OSError as error:
        if error.errno not in (errno.EROFS, errno.EACCES, errno.EPERM, errno.ENOENT):
            raise storage_problem(error, f".reel/state/{path.name}") from error
        yield
        return
    try:
        if not try_lock(descriptor):
            raise StateError(message, hint=hint)
        yield
    finally:
        os.close(descriptor)


def _wait_for(descriptor: int, patience: float, waiting: Callable[[], None] | None) -> None:
    began = time.monotonic()
    told = waiting is None
    while not try_lock(descriptor):
        waited = time.monotonic() - began
        if waited > patience:
            message = f"Another reel is at work on this kit{_holder(descriptor)}."
            raise StateError(message, hint="wait until it is done, then run the command again")
        if not told and waited > WORTH_SAYING and waiting is not None:
            waiting()
            told = True
        time.sleep(PAUSE)


def _holder(descriptor: int) -> str:
    text = next(iter(_signature(descriptor)), "")
    return f" (process {text})" if text.isascii() and text.isdigit() else ""


def _signature(descriptor: int) -> list[str]:
    """Return the words in the lock: its holder's process number, and since when something is unfinished."""
    try:
        os.lseek(descriptor, 0, os.SEEK_SET)
        return os.read(descriptor, 60).decode("ascii", "replace").split()
    except OSError:
        return []


def _sign(descriptor: int, since: float | None = None) -> None:
    """Write into the lock who holds it; a holder that dies leaves this behind."""
    text = f"{os.getpid()}\n" if since is None else f"{os.getpid()} {since:.6f}\n"
    with suppress(OSError):
        os.ftruncate(descriptor, 0)
        os.lseek(descriptor, 0, os.SEEK_SET)
        os.write(descriptor, text.encode("ascii"))


def _unfinished_since(kit: Path, descriptor: int) -> float | None:
    """Return when the earliest holder that never let go began (file time); None where the last one let go."""
    times: list[float] = []
    words = _signature(descriptor)
    with suppress(OSError, ValueError):
        if words:
            times.append(os.fstat(descriptor).st_mtime)
            times += [float(word) for word in words[1:2]]
    for mark in UNFINISHED:
        with suppress(OSError):
            times.append((kit / mark).stat().st_mtime)
    return min(times, default=None)


def _drop_git_locks(kit: Path, since: float) -> None:
    from reel_cli.core.git.locks import drop_locks
    from reel_cli.core.git.repository import find_repository

    with suppress(OSError, StateError):  # whoever needs the repository says what is wrong with it
        repo = find_repository(kit)
        if repo is not None:
            drop_locks(repo, since)


if sys.platform == "win32":

    def try_lock(descriptor: int) -> bool:
        """Try to lock an open file; return whether it was free."""
        import msvcrt

        os.lseek(descriptor, 1 << 20, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:

    def try_lock(descriptor: int) -> bool:
        """Try to lock an open file; return whether it was free."""
        import fcntl

        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            if error.errno in BUSY:
                return False
            message = "This disk cannot lock files, so two reels could get in each other's way."
            raise StateError(message, hint="keep the kit on a local disk") from None
        return True
