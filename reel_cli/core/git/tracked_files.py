"""Files that git tracks, read from its index without a process where its form is plain."""

import hashlib
import os
import re
import struct
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

from reel_cli.core.errors import ReelError
from reel_cli.core.files.tree import LARGEST_FILE, PRIVATE
from reel_cli.core.git.commit_tree import NotLooseError, list_files, read_loose
from reel_cli.core.git.process import Git, run_git
from reel_cli.core.git.repository import Repository


def read_blobs(repo: Repository, commit: str, folder: str) -> Mapping[str, str]:
    """Return the blobs a commit has below one folder of the kit (which ends in a slash), by kit path."""
    with suppress(NotLooseError):
        loose = list_files(repo, commit, repo.prefix + folder)
        return {path[len(repo.prefix) :]: blob for path, blob in loose.items()}
    listed = Git(repo.root)("ls-tree", "-r", "-z", "--full-tree", commit, "--", repo.prefix + folder)
    found: dict[str, str] = {}
    for line in listed.split(b"\0"):
        head, _, name = line.partition(b"\t")
        if head.startswith(b"100"):
            found[os.fsdecode(name)[len(repo.prefix) :]] = head.split()[2].decode("ascii")
    return found


_HEAD = struct.Struct(">4sLL")
_FILE = 0o100000
_TYPE = 0o170000
_STAGE = 0x3000
_MORE_FLAGS = 0x4000
_INTENT_TO_ADD = 0x2000
_FIXED = 40
"""Length of an entry before its object id, in bytes."""
_MODE = 24
ELSEWHERE = (b"link", b"sdir")
"""Extensions that say that entries stand in another file, or for whole folders."""


class _NotPlainError(Exception):
    """The index is damaged, or of a form that only git reads."""


def read_tracked(repo: Repository) -> Mapping[str, str]:
    """Return the blob ids of the kit's tracked files by kit path; those of the last commit without an index.

    Files that a person took out of the index (`git rm`) are not among them, nor are files in conflict. A file
    that a sparse checkout leaves out is. Empty where git cannot tell either.
    """
    try:
        return _read_plainly(_read_index(repo), 32 if repo.sha256 else 20, repo.prefix)
    except (OSError, _NotPlainError, struct.error, IndexError, ValueError):
        try:
            return _without_private(_ask_git(repo), repo.prefix)
        except ReelError:
            # the next command that writes reports a broken index
            return {}


@lru_cache(maxsize=2)
def _read_plainly(data: bytes, size: int, prefix: str) -> Mapping[str, str]:
    """Return the files that an index names; a command that reads one several times does so once."""
    found = _read_simple(data, size)
    if found is None:
        entries = list(_entries(data, size, os.fsencode(prefix)))
        # all at once, which takes half as long as one by one
        found = b"\0".join([name for name, _ in entries]), [blob for _, blob in entries]
    names = os.fsdecode(found[0]).split("\0")
    return _without_private(zip(names, map(bytes.hex, found[1]), strict=False), prefix)


@lru_cache(maxsize=2)
def _simple_entry(size: int) -> re.Pattern[bytes]:
    """Return the pattern of an entry of version 2: of a plain file, and without flags or a stage.

    The null bytes behind its name are all taken, so that one whose successor begins with another is not read.
    """
    head = rb".{%d}\0\0[\x80-\x8f].{%d}(.{%d})[\0-\x0f]." % (_MODE, _FIXED - _MODE - 3, size)
    return re.compile(rb"(?s)" + head + rb"([^\0]+)\0{1,8}+")


def _read_simple(data: bytes, size: int) -> tuple[bytes, Sequence[bytes]] | None:
    """Return the names (null bytes between them) and blobs of an index that names plain files alone.

    In a third of the time that reading it entry by entry takes; None for any other index.
    """
    sign, version, count = _HEAD.unpack_from(data)
    if sign != b"DIRC" or version != 2 or count > len(data):
        return None
    parts = _simple_entry(size).split(data[_HEAD.size :], count)
    # between two entries that were read there must be nothing
    if len(parts) != 3 * count + 1 or any(parts[:-1:3]):
        return None
    _require_whole(parts[-1], size)
    return b"\0".join(parts[2::3]), parts[1::3]


def _require_whole(rest: bytes, size: int) -> None:
    """Raise _NotPlainError where what follows the entries says that more of them stand elsewhere."""
    at = 0
    while at < len(rest) - size:
        if rest[at : at + 4] in ELSEWHERE:
            raise _NotPlainError
        at += 8 + int.from_bytes(rest[at + 4 : at + 8])


def _without_private(found: Iterable[tuple[str, str]], prefix: str) -> Mapping[str, str]:
    """Return the blob ids of the kit's own files, by kit path."""
    start = len(prefix)
    kept = {path[start:]: blob for path, blob in found if path.startswith(prefix)} if prefix else dict(found)
    together = "\0".join(kept)
    for folder in PRIVATE:
        # one search in all of them, since hardly any kit has such a path
        if f"{folder}/" in together:
            for path in [path for path in kept if f"/{folder}/" in f"/{path}"]:
                del kept[path]
    return kept


def _read_index(repo: Repository, index: Path | None = None, largest: int = LARGEST_FILE) -> bytes:
    with (index or repo.index).open("rb") as file:
        data = file.read(largest + 1)
    size = 32 if repo.sha256 else 20
    if len(data) > largest or len(data) < _HEAD.size + size:
        raise _NotPlainError
    make = hashlib.sha256 if repo.sha256 else hashlib.sha1
    # git can be configured to omit the checksum, which is then all zeros
    if data[-size:].strip(b"\0") and make(data[:-size], usedforsecurity=False).digest() != data[-size:]:
        raise _NotPlainError
    return data


def _entries(data: bytes, size: int, prefix: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Yield the names and blobs of the plain, settled files that an index names.

    Raises _NotPlainError if it does not name all.
    """
    sign, version, count = _HEAD.unpack_from(data)
    if sign != b"DIRC" or version not in (2, 3, 4):
        raise _NotPlainError
    read_entry = struct.Struct(f">{_MODE}xL12x{size}sH").unpack_from
    at, name = _HEAD.size, b""
    for _ in range(count):
        begin = at
        mode, blob, flags = read_entry(data, at)
        at += _FIXED + size + 2
        more = 0
        if flags & _MORE_FLAGS:
            more = int.from_bytes(data[at : at + 2])
            at += 2
        if version == 4:
            cut, at = _varint(data, at)
            end = data.index(0, at)
            name = name[: len(name) - cut] + data[at:end]
            at = end + 1
        else:
            end = data.index(0, at)
            name = data[at:end]
            at = begin + ((end - begin) // 8 + 1) * 8
        if (
            mode & _TYPE == _FILE
            and name.startswith(prefix)
            and not flags & _STAGE
            and not more & _INTENT_TO_ADD
        ):
            yield name, blob
    _require_whole(data[at:], size)


SMALL = 1 << 16
"""Bytes of an index above which git compares it with a commit sooner than its trees are rendered here."""


def is_as_committed(repo: Repository, index: Path, commit: str) -> bool:
    """Return whether an index file names exactly what a commit (full id) holds, so that nothing is staged.

    The trees that `git write-tree` would make of it are rendered, and the top one is compared by its id.
    False where that does not show without git: for a large index, a form that is not plain, a packed commit.
    """
    size = 32 if repo.sha256 else 20
    make = hashlib.sha256 if repo.sha256 else hashlib.sha1
    try:
        data = _read_index(repo, index, SMALL)
        top = read_loose(repo, commit, "commit").partition(b"\n")[0]
        return top == b"tree " + _render_top(_settled(data, size), make).hex().encode()
    except (OSError, NotLooseError, _NotPlainError, struct.error, IndexError, ValueError):
        return False


def _settled(data: bytes, size: int) -> Iterator[tuple[int, bytes, bytes]]:
    """Yield the mode, name and object of every entry of an index; _NotPlainError where one is not settled."""
    sign, version, count = _HEAD.unpack_from(data)
    if sign != b"DIRC" or version not in (2, 3):
        raise _NotPlainError
    read_entry = struct.Struct(f">{_MODE}xL12x{size}sH").unpack_from
    at = _HEAD.size
    for _ in range(count):
        mode, item, flags = read_entry(data, at)
        if flags & (_STAGE | _MORE_FLAGS):
            raise _NotPlainError
        end = data.index(0, at + _FIXED + size + 2)
        yield mode, data[at + _FIXED + size + 2 : end], item
        at += ((end - at) // 8 + 1) * 8
    _require_whole(data[at:], size)


def _render_top(entries: Iterable[tuple[int, bytes, bytes]], make: Callable[..., Any]) -> bytes:
    """Return the id of the top tree of these entries, which stand in the order of an index."""
    folders: list[bytes] = []
    rows: list[list[bytes]] = [[]]

    def close() -> bytes:
        tree = b"".join(rows.pop())
        made: bytes = make(b"tree %d\0" % len(tree) + tree, usedforsecurity=False).digest()
        return made

    def leave(depth: int) -> None:
        while len(folders) > depth:
            item = close()
            rows[-1].append(b"40000 %b\0" % folders.pop() + item)

    for mode, path, item in entries:
        *above, name = path.split(b"/")
        if above != folders:
            depth = next((n for n, (x, y) in enumerate(zip(above, folders, strict=False)) if x != y), None)
            leave(min(len(above), len(folders)) if depth is None else depth)
            rows += [[] for _ in above[len(folders) :]]
            folders += above[len(folders) :]
        rows[-1].append(b"%o %b\0" % (mode, name) + item)
    leave(0)
    return close()


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """Return a number as git writes offsets, and the place behind it."""
    value = data[at] & 0x7F
    while data[at] & 0x80:
        at += 1
        value = ((value + 1) << 7) | (data[at] & 0x7F)
    return value, at + 1


def _ask_git(repo: Repository) -> Iterator[tuple[str, str]]:
    """Yield files and blobs as git lists them; without an index, those of the last commit."""
    head = repo.head()
    if not repo.index.exists():
        blobs = read_blobs(repo, head, "") if head is not None else {}
        yield from ((repo.prefix + path, blob) for path, blob in blobs.items())
        return
    listed = run_git(repo.root, "ls-files", "-s", "-z", "--", *([repo.prefix] if repo.prefix else []))
    for line in listed.split(b"\0"):
        fields, _, name = line.partition(b"\t")
        mode, blob, stage = fields.split() if name else (b"", b"", b"")
        if mode.startswith(b"100") and stage == b"0":
            yield os.fsdecode(name), blob.decode("ascii")
