"""The person's index: what is staged in it, and a change of only our paths, by copy and swap."""

import errno
import hashlib
import os
import shutil
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from enum import Enum
from pathlib import Path

from reel_cli.core.errors import StateError
from reel_cli.core.files.private import read_plain
from reel_cli.core.frozen import frozen
from reel_cli.core.git.intent import StagedEntry, Target
from reel_cli.core.git.process import Git
from reel_cli.core.git.repository import Repository

NEXT = "index.next"
"""The person's index with the change already in it, prepared before the commit."""
AGAIN = "index.again"
"""The same, made anew because the person's index has changed since."""

PATIENCE = 0.6
"""Seconds to wait for a git that holds the index."""
PAUSE = 0.02
TRIES = 8
NO_LINKS = (errno.EPERM, errno.EXDEV, errno.ENOSYS, errno.EOPNOTSUPP, errno.EMLINK, errno.EACCES)
ABSENT = "000000"
LARGEST_INDEX = 1 << 31
"""Bytes above which an index is refused; a kit may be a small part of a very large repository."""


@frozen
class StagedChange:
    """A difference between the index and a commit at one path; None for the side that has no file."""

    committed: StagedEntry | None
    staged: StagedEntry | None


def staged_changes(git: Git, tree: str, index: Path) -> dict[str, StagedChange]:
    """Return every path at which `index` differs from the commit or tree; paths are the repository's.

    Raises StateError while a path is in conflict.
    """
    listed = git(
        *("diff-index", "--cached", "--raw", "-z", "--no-abbrev", "--no-renames"),
        *("--ignore-submodules=none", "--ita-invisible-in-index", "--no-ext-diff", tree, "--"),
        env={"GIT_INDEX_FILE": str(index)},
    )
    parts = listed.split(b"\0")
    found: dict[str, StagedChange] = {}
    for head, name in zip(parts[::2], parts[1::2], strict=False):
        before, after, old, new, status = head.lstrip(b":").decode("ascii").split()
        path = os.fsdecode(name)
        if status.startswith("U"):
            message = f"{path} is in conflict; nothing was changed."
            raise StateError(message, hint="settle it, then  git add  the file, and run the command again")
        found[path] = StagedChange(
            committed=None if before == ABSENT else StagedEntry(before, old),
            staged=None if after == ABSENT else StagedEntry(after, new),
        )
    return found


def read_entries(git: Git, index: Path, paths: Iterable[str]) -> dict[str, StagedEntry]:
    """Return the index's entries at these paths of the repository."""
    wanted = set(paths)
    listed = git("ls-files", "-s", "-z", "--", *few(wanted), env={"GIT_INDEX_FILE": str(index)})
    found: dict[str, StagedEntry] = {}
    for line in listed.split(b"\0"):
        head, _, name = line.partition(b"\t")
        path = os.fsdecode(name)
        if path in wanted:
            mode, blob, _stage = head.decode("ascii").split()
            found[path] = StagedEntry(mode, blob)
    return found


def update_entries(
    repo: Repository, git: Git, index: Path, entries: Mapping[str, StagedEntry | None]
) -> None:
    """Set or (None) remove entries of an index file, without looking at the work tree."""
    if not entries:
        return
    nothing = "0" * (64 if repo.sha256 else 40)
    lines = [
        (f"{entry.mode} {entry.blob}" if entry else f"0 {nothing}").encode() + b"\t" + os.fsencode(path)
        for path, entry in entries.items()
    ]
    git(
        *("update-index", "-z", "--index-info"),
        input=b"".join(line + b"\0" for line in lines),
        env={"GIT_INDEX_FILE": str(index)},
    )


def few(paths: Iterable[str], most: int = 400) -> Sequence[str]:
    """Return the paths for git's command line, or none (so that it lists all) if there are many."""
    given = sorted(paths)
    return given if len(given) <= most else []


def digest(index: Path) -> str | None:
    """Return the SHA-256 of an index file; None if there is no file."""
    try:
        return hashlib.sha256(read_plain(index, LARGEST_INDEX)).hexdigest()
    except FileNotFoundError:
        return None


def copy_index(index: Path, to: Path) -> str | None:
    """Copy an index file, and return the copy's digest; None where there is nothing to copy."""
    to.unlink(missing_ok=True)
    with suppress(FileNotFoundError):
        # copied with its time, by which git decides which files to compare
        shutil.copy2(index, to)
    return digest(to)


class Swap(Enum):
    """Outcomes of swapping the person's index."""

    DONE = "done"
    BUSY = "busy"
    """Another git holds it."""


def put_in_index(
    repo: Repository, git: Git, folder: Path, targets: Sequence[Target], index_was: str | None
) -> Swap:
    """Add the new entries of our paths to the person's index, and touch nothing else in it.

    An entry that is neither as it was nor as it shall be was staged by the person since, and
    stays. While `index_was` still is the index's digest, the prepared one goes in as it is.
    """
    candidate = folder / NEXT
    expected: str | None = index_was
    for _ in range(TRIES):
        if candidate.exists():
            took = take_place(repo.index, candidate, expected)
            if took is not None:
                return took
        candidate = folder / AGAIN
        expected = copy_index(repo.index, candidate)
        updates = _updates(repo, git, candidate, targets)
        if not updates:
            return Swap.DONE
        update_entries(repo, git, candidate, updates)
        sync_file(candidate)
    return Swap.BUSY


def _updates(
    repo: Repository, git: Git, index: Path, targets: Sequence[Target]
) -> dict[str, StagedEntry | None]:
    now = read_entries(git, index, (repo.prefix + target.path for target in targets))
    return {
        repo.prefix + target.path: target.entry
        for target in targets
        if now.get(repo.prefix + target.path) == target.staged != target.entry
    }


def take_place(index: Path, candidate: Path, expected: str | None) -> Swap | None:
    """Rename the candidate over the index under git's own lock; None if the index is another by now."""
    lock = lock_of(index)
    began = time.monotonic()
    while not _claim(lock, candidate):
        if time.monotonic() - began > PATIENCE:
            return Swap.BUSY
        time.sleep(PAUSE)
    try:
        same = digest(index) == expected
    except BaseException:
        lock.unlink()
        raise
    if not same:
        lock.unlink()
        return None
    lock.replace(index)
    return Swap.DONE


def _claim(lock: Path, candidate: Path) -> bool:
    """Make the candidate git's lock file in one step, so that a lock left behind shows whose it is."""
    try:
        os.link(candidate, lock)
    except FileExistsError:
        return False
    except OSError as error:
        if error.errno not in NO_LINKS:
            raise
        return _claim_by_copy(lock, candidate)
    return True


def _claim_by_copy(lock: Path, candidate: Path) -> bool:
    try:
        descriptor = os.open(lock, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
    except FileExistsError:
        return False
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(candidate.read_bytes())
            file.flush()
            os.fsync(file.fileno())
    except BaseException:
        lock.unlink(missing_ok=True)
        raise
    return True


def drop_own_index_lock(index: Path, folder: Path) -> None:
    """Remove a lock of the index that a stopped transaction left; another's stays."""
    lock = lock_of(index)
    for candidate in (folder / NEXT, folder / AGAIN):
        with suppress(FileNotFoundError):
            if lock.samefile(candidate) or read_plain(lock) == read_plain(candidate):
                lock.unlink()
                return


def lock_of(path: Path) -> Path:
    """Return the lock file that git makes for a file of its own."""
    return path.with_name(f"{path.name}.lock")


def sync_file(path: Path) -> None:
    """Sync a file that git wrote to the disk."""
    if os.name == "nt":
        return
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
