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
from reel_cli.core.git.process import Git, git_process
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
_PLAIN_VERSIONS = (2, 3)
"""Versions of an index whose entries hold their whole names."""
_HEAD, _MODE, _ID = 12, 24, 40
"""Length of an index's head, and places of the mode and the object's id in an entry, in bytes."""
_LONGEST_NAME = 0xFFF
_BLANK = bytes(_MODE) + (0o100644).to_bytes(4) + bytes(12)
"""Beginning of the entry of a plain file that git did not look at."""
MANY_BLANK = 100
"""Number of such entries from which git is to look at them: earlier versions of reel made no others."""


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
        # git reads a file again, through its filter, that changed in the very moment the index was written
        env={**without_filters(repo), "GIT_INDEX_FILE": str(index)},
    )


def refresh_blank(repo: Repository, git: Git, index: Path) -> None:
    """Have git look at the files of an index file, if it never did at many of them.

    Until then each `git status` reads all of those. An entry stays blank where its file is not as it says.
    """
    try:
        blank = read_plain(index, LARGEST_INDEX).count(_BLANK)
    except FileNotFoundError:
        return
    if blank >= MANY_BLANK:
        where = {**without_filters(repo), "GIT_INDEX_FILE": str(index)}
        # exits with 1 where a file was edited
        git_process(repo.root, "update-index", "-q", "--refresh", holding=git.holding, env=where)


def without_filters(repo: Repository) -> Mapping[str, str]:
    """Return the environment in which git runs no filter, since a comparison would start configured ones."""
    keys = sorted(key for key in repo.read_settings() if key.startswith("filter."))
    first = int(os.environ.get("GIT_CONFIG_COUNT") or 0)
    env = {"GIT_CONFIG_COUNT": str(first + len(keys))}
    for number, key in enumerate(keys, start=first):
        env[f"GIT_CONFIG_KEY_{number}"] = key
        env[f"GIT_CONFIG_VALUE_{number}"] = "false" if key.endswith(".required") else ""
    return env


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


def put_in_index(  # noqa: PLR0913 (what is put in, and what is known of it)
    repo: Repository,
    git: Git,
    folder: Path,
    targets: Sequence[Target],
    index_was: str | None,
    placed: Mapping[str, os.stat_result] | None = None,
) -> Swap:
    """Add the new entries of our paths to the person's index, and touch nothing else in it.

    An entry that is neither as it was nor as it shall be was staged by the person since, and
    stays. While `index_was` still is the index's digest, the prepared one goes in, with the looks of
    the files that were `placed` just now; None after a stop, which may have left it half written.
    """
    prepared = folder / NEXT
    if placed is not None and prepared.exists():
        note_looks(repo, prepared, targets, placed)
        sync_file(prepared)
        took = take_place(repo.index, prepared, index_was)
        if took is not None:
            return took
    again = folder / AGAIN
    for _ in range(TRIES):
        expected = copy_index(repo.index, again)
        updates = _updates(repo, git, again, targets)
        if not updates:
            return Swap.DONE
        update_entries(repo, git, again, updates)
        sync_file(again)
        took = take_place(repo.index, again, expected)
        if took is not None:
            return took
    return Swap.BUSY


def note_looks(
    repo: Repository, index: Path, targets: Sequence[Target], placed: Mapping[str, os.stat_result]
) -> None:
    """Write the looks of placed files into their entries of an index file, so that git need not read them.

    The index must be older than the looks and keeps its time: by that git knows which of the files may have
    changed since without looking different, and compares them. An entry of a form that is not plain is left.
    """
    size = 32 if repo.sha256 else 20
    found = index.stat()
    data = bytearray(read_plain(index, LARGEST_INDEX))
    if os.name == "nt" or data[:4] != b"DIRC" or int.from_bytes(data[4:8]) not in _PLAIN_VERSIONS:
        return
    after = _HEAD
    for name, blob, look in sorted(
        (os.fsencode(repo.prefix + target.path), bytes.fromhex(target.new), placed[target.path])
        for target in targets
        if target.new is not None and target.path in placed
    ):
        at = _find_entry(data, name, blob, after)
        if at is not None:
            data[at : at + _MODE] = _render_times(look)
            data[at + _MODE + 4 : at + _ID] = _render_owner(look)
            after = at
    if any(data[-size:]):
        # git can be set to write no checksum
        make = hashlib.sha256 if repo.sha256 else hashlib.sha1
        data[-size:] = make(memoryview(data)[:-size], usedforsecurity=False).digest()
    index.write_bytes(data)
    os.utime(index, ns=(found.st_atime_ns, found.st_mtime_ns))


def _find_entry(data: bytearray, name: bytes, blob: bytes, after: int) -> int | None:
    """Return where the settled entry of a file begins, from a place on; entries are sorted by name."""
    length = _ID + len(blob) + 2
    flags = min(len(name), _LONGEST_NAME).to_bytes(2)
    at = data.find(blob + flags + name + b"\0", after + _ID)
    return at - _ID if at >= length else None


def _render_times(look: os.stat_result) -> bytes:
    """Return the times, the device and the inode as an entry has them."""
    times = (divmod(nanoseconds, 10**9) for nanoseconds in (look.st_ctime_ns, look.st_mtime_ns))
    return b"".join(map(_word, (*(part for time in times for part in time), look.st_dev, look.st_ino)))


def _render_owner(look: os.stat_result) -> bytes:
    """Return the owner, the group and the size as an entry has them."""
    return b"".join(map(_word, (look.st_uid, look.st_gid, look.st_size)))


def _word(number: int) -> bytes:
    return (number & 0xFFFFFFFF).to_bytes(4)


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
