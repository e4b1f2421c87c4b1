"""The files that git tracks in a kit, read from git's index without a process where its form is plain."""

import hashlib
import os
import struct
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from reel_cli.core.change.hand_edits import read_blobs
from reel_cli.core.errors import ReelError
from reel_cli.core.files.tree import LARGEST_FILE, PRIVATE
from reel_cli.core.git.process import run_git
from reel_cli.core.git.repository import Repository

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


class TrackedFile(NamedTuple):
    """A plain file that git tracks: its kit path, and the id of the text that the index has of it."""

    path: str
    blob: str


def read_tracked(repo: Repository) -> Mapping[str, str]:
    """Return the blob ids of the kit's tracked files by kit path; those of the last commit without an index.

    Files that a person took out of the index (`git rm`) are not among them, nor are files in conflict. A file
    that a sparse checkout leaves out is. Empty where git cannot tell either.
    """
    try:
        data = _read_index(repo)
        found = list(_entries(data, 32 if repo.sha256 else 20, os.fsencode(repo.prefix)))
    except (OSError, _NotPlainError, struct.error, IndexError, ValueError):
        try:
            found = list(_ask_git(repo))
        except ReelError:
            # whatever is wrong with the index, the next command that writes says so
            found = []
    start = len(repo.prefix)
    return {
        path[start:]: blob
        for path, blob in found
        if path.startswith(repo.prefix) and not set(PRIVATE).intersection(path[start:].split("/")[:-1])
    }


def _read_index(repo: Repository) -> bytes:
    with repo.index.open("rb") as file:
        data = file.read(LARGEST_FILE + 1)
    size = 32 if repo.sha256 else 20
    if len(data) > LARGEST_FILE or len(data) < _HEAD.size + size:
        raise _NotPlainError
    make = hashlib.sha256 if repo.sha256 else hashlib.sha1
    # git can be told to leave the checksum out; it is all zeros then
    if data[-size:].strip(b"\0") and make(data[:-size], usedforsecurity=False).digest() != data[-size:]:
        raise _NotPlainError
    return data


def _entries(data: bytes, size: int, prefix: bytes) -> Iterator[TrackedFile]:
    """Yield the plain, settled files that an index names; raises _NotPlainError if it does not name all."""
    sign, version, count = _HEAD.unpack_from(data)
    if sign != b"DIRC" or version not in (2, 3, 4):
        raise _NotPlainError
    at, name = _HEAD.size, b""
    for _ in range(count):
        begin, flags_at = at, at + _FIXED + size
        mode = int.from_bytes(data[at + _MODE : at + _MODE + 4])
        flags = int.from_bytes(data[flags_at : flags_at + 2])
        at = flags_at + 2
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
            name.startswith(prefix)
            and mode & _TYPE == _FILE
            and not flags & _STAGE
            and not more & _INTENT_TO_ADD
        ):
            blob = data[begin + _FIXED : flags_at].hex()
            yield TrackedFile(os.fsdecode(name), blob)
    while at < len(data) - size:
        if data[at : at + 4] in ELSEWHERE:
            raise _NotPlainError
        at += 8 + int.from_bytes(data[at + 4 : at + 8])


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """Return a number as git writes offsets, and the place behind it."""
    value = data[at] & 0x7F
    while data[at] & 0x80:
        at += 1
        value = ((value + 1) << 7) | (data[at] & 0x7F)
    return value, at + 1


def _ask_git(repo: Repository) -> Iterator[TrackedFile]:
    """Yield the files as git lists them; for a repository without an index, those of its last commit."""
    head = repo.head()
    if not repo.index.exists():
        blobs = read_blobs(repo, head, "") if head is not None else {}
        yield from (TrackedFile(repo.prefix + path, blob) for path, blob in blobs.items())
        return
    listed = run_git(repo.root, "ls-files", "-s", "-z", "--", *([repo.prefix] if repo.prefix else []))
    for line in listed.split(b"\0"):
        fields, _, name = line.partition(b"\t")
        mode, blob, stage = fields.split() if name else (b"", b"", b"")
        if mode.startswith(b"100") and stage == b"0":
            yield TrackedFile(os.fsdecode(name), blob.decode("ascii"))
