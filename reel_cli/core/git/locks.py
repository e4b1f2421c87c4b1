"""git's lock files in a kit's repository: which lie there, and which of them no living git holds."""

import os
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from reel_cli.core.frozen import frozen
from reel_cli.core.git.repository import Repository

UNCHANGED_FOR = 1.0
"""A lock is taken for left behind only once it has been as it is for this long, in seconds."""
PAUSE = 0.05
CLOCK_STEP = 0.05
"""A file's time may be this much behind the clock, in seconds."""
SUFFIX = ".lock"
OLD = 60
OLD_INDEX = 3600
PROCESSES = ("tasklist", "/FO", "CSV", "/NH") if os.name == "nt" else ("ps", "-A", "-o", "comm=")
FOLDERS = ("refs", "logs", "objects/info", "objects/pack")
ALONGSIDE = ("packed-refs.new",)
"""Files that git makes under a lock and never uses again once it was stopped."""


@frozen
class LockFile:
    """One lock file, with what tells it from another of the same name: inode, time and size."""

    path: Path
    inode: int
    made_ns: int
    size: int

    @property
    def made(self) -> float:
        """Return when it was last written, in seconds since 1970."""
        return self.made_ns / 1e9


def find_locks(repo: Repository) -> Sequence[LockFile]:
    """Return git's lock files in a repository, by path; links are not followed."""
    places: dict[Path, None] = {}
    for folder in dict.fromkeys((repo.git_dir, repo.common_dir)):
        places |= dict.fromkeys(_locks_in(folder))
        places |= dict.fromkeys(folder / name for name in ALONGSIDE)
        for name in FOLDERS:
            for here, _, files in os.walk(folder / name):
                places |= dict.fromkeys(Path(here) / file for file in files if file.endswith(SUFFIX))
    return sorted((one for place in places if (one := _look(place)) is not None), key=lambda one: one.path)


def _locks_in(folder: Path) -> Iterator[Path]:
    try:
        with os.scandir(folder) as entries:
            yield from [Path(entry) for entry in entries if entry.name.endswith(SUFFIX)]
    except OSError:
        return


def _look(place: Path) -> LockFile | None:
    try:
        status = place.lstat()
    except OSError:
        return None
    if not os.path.isfile(place) or place.is_symlink():  # noqa: PTH113 (a folder or a pipe is no lock)
        return None
    return LockFile(place, status.st_ino, status.st_mtime_ns, status.st_size)


def drop_locks(repo: Repository, since: float) -> Sequence[Path]:
    """Delete the locks that a dead git of reel's left since a time (file time); return their paths.

    The caller holds the kit's lock. Every git that reel starts to write inherits that, so none of them is
    alive. A person's own git may be: unless certainly none works in this repository, all locks stay.
    """
    return _drop_dead([lock for lock in find_locks(repo) if lock.made > since - CLOCK_STEP], repo)


def drop_old_locks(repo: Repository, now: float) -> Sequence[Path]:
    """Delete the old locks, if certainly no git works in this repository; return their paths.

    A lock of the index counts as old after an hour, for git holds that while a person writes a commit's
    message; any other after a minute.
    """
    return _drop_dead([lock for lock in find_locks(repo) if is_old(lock, now)], repo)


def is_old(lock: LockFile, now: float) -> bool:
    """Return whether a lock has been there for longer than a git takes."""
    return now - lock.made > (OLD_INDEX if lock.path.name == "index.lock" else OLD)


def _drop_dead(found: Sequence[LockFile], repo: Repository) -> Sequence[Path]:
    if not found:
        return ()
    _wait(lambda: all(_is_settled(lock) for lock in found))
    if is_git_at_work(repo) is not False:
        return ()
    return [lock.path for lock in found if _drop(lock)]


def _is_settled(lock: LockFile) -> bool:
    return _look(lock.path) != lock or time.time() - lock.made > UNCHANGED_FOR


def _wait(done: Callable[[], bool]) -> None:
    """Wait until something holds, at most for as long as a lock must have been unchanged."""
    began = time.monotonic()
    while not done() and time.monotonic() - began < UNCHANGED_FOR:
        time.sleep(PAUSE)


def _drop(lock: LockFile) -> bool:
    """Delete a lock if it still is the same file."""
    if _look(lock.path) != lock:
        return False
    lock.path.unlink(missing_ok=True)
    return True


def is_git_at_work(repo: Repository) -> bool | None:
    """Return whether a process of git works in this repository; None where that cannot be known."""
    if Path("/proc/self/comm").exists():
        return _is_git_among_processes(repo)
    return None if _is_any_git_alive() else False


def _is_git_among_processes(repo: Repository) -> bool | None:
    """Look through `/proc` for a git that works below the repository's folders."""
    tops = [os.path.realpath(place) for place in (repo.root, repo.git_dir, repo.common_dir)]
    try:
        with os.scandir("/proc") as entries:
            numbers = [entry.name for entry in entries if entry.name.isdigit()]
    except OSError:
        return None
    if not numbers:
        return None
    for number in numbers:
        try:
            name = Path("/proc", number, "comm").read_text(encoding="utf-8", errors="replace")
            if not name.startswith("git") or _is_over(number):
                continue
            here = os.readlink(f"/proc/{number}/cwd")  # noqa: PTH115 (it may name what is gone)
        except OSError:
            continue
        if any(here == top or here.startswith(top + os.sep) for top in tops):
            return True
    return False


def _is_over(number: str) -> bool:
    """Return whether a process has ended and only waits to be asked how."""
    told = Path("/proc", number, "stat").read_text(encoding="utf-8", errors="replace")
    return told.rpartition(")")[2].split()[:1] in (["Z"], ["X"])


def _is_any_git_alive() -> bool:
    """Return whether a git may live anywhere on this machine, as the system's list of processes has it."""
    try:
        told = subprocess.run(PROCESSES, capture_output=True, check=True, timeout=5)
    except (OSError, subprocess.SubprocessError):
        return True
    names = [line.strip(b' "').rpartition(b"/")[2] for line in told.stdout.splitlines()]
    return not names or any(name.startswith(b"git") for name in names)
