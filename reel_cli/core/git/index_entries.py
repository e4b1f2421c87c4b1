"""Entries of an index file, set without a process of git where the file is small and plain."""

import hashlib
import os
import stat
from collections.abc import Iterator, Mapping, MutableMapping
from pathlib import Path

from reel_cli.core.files.private import read_plain
from reel_cli.core.git.intent import StagedEntry
from reel_cli.core.git.repository import Repository, blob_id

SMALL = 1 << 16
"""Bytes of an index above which git is quicker."""
SIGN = b"DIRC"
PLAIN_VERSIONS = (2, 3)
"""Versions of an index whose entries hold their whole names."""
HEAD, FIXED = 12, 40
"""Length of an index's head, and of an entry before its object's id, in bytes."""
CHANGED_AT, WRITTEN_AT, INODE = slice(0, 4), slice(8, 12), slice(20, 24)
SIZE = slice(36, 40)
"""Places in an entry: the seconds of its file's two times, the inode, and the size."""
LONGEST_NAME = 0xFFF
NOT_SETTLED = 0xF000
"""Flags of an entry that is in conflict, has more flags, or is taken to be unchanged."""
TREES = b"TREE"
"""The part after the entries that git makes anew; any other is left to git."""
NOTHING = bytes(4)


class _NotPlainError(Exception):
    """The index is damaged, or of a form that is left to git."""


def set_entries(repo: Repository, index: Path, entries: Mapping[str, StagedEntry | None]) -> bool:
    """Set or (None) remove entries of an index file that nobody else writes, as `git update-index` does.

    The work tree is not looked at for them. Returns False, with nothing written, where git has to do it.
    """
    size = 32 if repo.sha256 else 20
    make = hashlib.sha256 if repo.sha256 else hashlib.sha1
    changes = {os.fsencode(path): entry for path, entry in entries.items()}
    try:
        data, written = _read(index)
        rows = dict(_rows(data, size))
        if not all(map(_is_plain_name, entries)) or _replaces_folder(rows, changes):
            return False
        _compare_young(repo, rows, written)
    except (OSError, _NotPlainError, ValueError, IndexError):
        return False
    # git can be set to write no checksum
    unchecked = bool(data) and not any(data[-size:])
    if data and not unchecked and make(data[:-size], usedforsecurity=False).digest() != data[-size:]:
        return False
    for name, entry in changes.items():
        if entry is None:
            rows.pop(name, None)
        else:
            flags = min(len(name), LONGEST_NAME).to_bytes(2)
            mode = _word(int(entry.mode, 8))
            rows[name] = bytes(INODE.stop) + mode + bytes(12) + bytes.fromhex(entry.blob) + flags
    listed = b"".join(_padded(*row) for row in sorted(rows.items()))
    body = SIGN + _word(PLAIN_VERSIONS[0]) + _word(len(rows)) + listed
    with index.open("wb") as file:
        file.write(body + (bytes(size) if unchecked else make(body, usedforsecurity=False).digest()))
    return True


def _read(index: Path) -> tuple[bytes, int]:
    """Return an index and the second in which it was written; nothing where there is none yet."""
    try:
        data = read_plain(index, SMALL)
    except FileNotFoundError:
        return b"", 0
    return data, int(index.stat().st_mtime)


def _rows(data: bytes, size: int) -> Iterator[tuple[bytes, bytes]]:
    """Yield each entry's name and what precedes it; _NotPlainError where not all are plain."""
    if not data:
        return
    if data[:4] != SIGN or int.from_bytes(data[4:8]) not in PLAIN_VERSIONS:
        raise _NotPlainError
    at, length = HEAD, FIXED + size + 2
    for _ in range(int.from_bytes(data[8:HEAD])):
        if int.from_bytes(data[at + length - 2 : at + length]) & NOT_SETTLED:
            raise _NotPlainError
        end = data.index(0, at + length)
        yield data[at + length : end], data[at : at + length]
        at += ((end - at) // 8 + 1) * 8
    while at < len(data) - size:
        if data[at : at + 4] != TREES:
            raise _NotPlainError
        at += 8 + int.from_bytes(data[at + 4 : at + 8])
    if at != len(data) - size:
        raise _NotPlainError


def _padded(name: bytes, fixed: bytes) -> bytes:
    whole = fixed + name
    return whole + bytes(8 - len(whole) % 8)


def _is_plain_name(path: str) -> bool:
    parts = path.lower().split("/")
    return not any(part in ("", ".", "..", ".git") or part.startswith("git~") for part in parts)


def _replaces_folder(rows: Mapping[bytes, bytes], changes: Mapping[bytes, StagedEntry | None]) -> bool:
    """Return whether a file would come where a folder with files is, or the other way round."""
    new = [name for name, entry in changes.items() if entry is not None and name not in rows]
    if not new:
        return False
    folders: set[bytes] = set()
    for name in (*rows, *new):
        above = name.rpartition(b"/")[0]
        while above and above not in folders:
            folders.add(above)
            above = above.rpartition(b"/")[0]
    return not folders.isdisjoint((*rows, *new))


def _compare_young(repo: Repository, rows: MutableMapping[bytes, bytes], written: int) -> None:
    """Mark the entries whose files may have changed since in the second in which the index was written.

    A size of 0 has git compare the file. Written anew, the index would be younger than such a change, and git
    would not look for it.
    """
    for name, fixed in rows.items():
        if int.from_bytes(fixed[WRITTEN_AT]) < written or fixed[SIZE] == NOTHING:
            continue
        place = f"{repo.root}{os.sep}{os.fsdecode(name)}"
        try:
            found = os.lstat(place)
        except OSError:
            continue
        if _word(int(found.st_mtime)) != fixed[WRITTEN_AT] or _word(found.st_size) != fixed[SIZE]:
            # git sees that
            continue
        same = _word(int(found.st_ctime)) == fixed[CHANGED_AT] and _word(found.st_ino) == fixed[INODE]
        if not same or not stat.S_ISREG(found.st_mode) or not _holds(repo, place, fixed):
            rows[name] = fixed[: SIZE.start] + NOTHING + fixed[SIZE.stop :]


def _holds(repo: Repository, place: str, fixed: bytes) -> bool:
    return blob_id(read_plain(place), sha256=repo.sha256) == fixed[FIXED:-2].hex()


def _word(number: int) -> bytes:
    return (number & 0xFFFFFFFF).to_bytes(4)
