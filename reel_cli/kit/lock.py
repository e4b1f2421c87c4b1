"""The kit's lock: one change at a time, held by whoever still works on it."""

import errno
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from reel_cli.errors import StateError
from reel_cli.kit.private import OWNER_FILE, state_folder, storage_problem

PATIENCE = 5.0
"""How long to wait for another reel, in seconds."""
PAUSE = 0.01
WORTH_SAYING = 0.5
"""Waiting is told of after this long, in seconds."""
BUSY = (errno.EACCES, errno.EAGAIN, errno.EDEADLK)


@contextmanager
def hold_lock(
    kit: Path, *, patience: float | None = None, waiting: Callable[[], None] | None = None
) -> Iterator[int]:
    """Hold the kit's lock and yield its descriptor, for git processes to inherit.

    The lock is the open file's, so a git process that outlives reel keeps it until it is done.
    `waiting` is called once when it takes a while. Raises StateError naming the holder when it
    is not free within `patience` seconds (PATIENCE, if not given).
    """
    path = state_folder(kit) / "lock"
    flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
    try:
        descriptor = os.open(path, flags, OWNER_FILE)
    except OSError as error:
        raise storage_problem(error, ".reel/state/lock") from error
    try:
        _wait_for(descriptor, PATIENCE if patience is None else patience, waiting)
        with suppress(OSError):  # only for the message of whoever waits
            os.ftruncate(descriptor, 0)
            os.lseek(descriptor, 0, os.SEEK_SET)
            os.write(descriptor, f"{os.getpid()}\n".encode())
        yield descriptor
        with suppress(OSError):
            os.ftruncate(descriptor, 0)
    finally:
        # closing lets go; an explicit unlock would take it from a git process that still works
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
    try:
        os.lseek(descriptor, 0, os.SEEK_SET)
        text = os.read(descriptor, 20).decode("ascii", "replace").strip()
    except OSError:
        return ""
    return f" (process {text})" if text.isascii() and text.isdigit() else ""


if sys.platform == "win32":

    def try_lock(descriptor: int) -> bool:
        """Take the lock of an open file; whether it was free."""
        import msvcrt  # noqa: PLC0415

        os.lseek(descriptor, 1 << 20, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:

    def try_lock(descriptor: int) -> bool:
        """Take the lock of an open file; whether it was free."""
        import fcntl  # noqa: PLC0415

        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            if error.errno in BUSY:
                return False
            message = "This disk cannot lock files, so two reels could get in each other's way."
            raise StateError(message, hint="keep the kit on a local disk") from None
        return True
