"""git's objects that lie as files of their own, read without a process.

What reel and a person commit is loose until git packs it, and a process of git takes longer than all that
most commands read of a commit. Nothing is taken on trust: an object whose bytes do not hash to its name is
none, and whatever is not found here, or is not plain, is left to git, which has the last word.
"""

import hashlib
import os
import zlib
from collections.abc import Iterator
from typing import TYPE_CHECKING

from reel_cli.core.files.private import read_plain
from reel_cli.core.files.tree import LARGEST_FILE

if TYPE_CHECKING:
    from reel_cli.core.git.repository import Repository

HEAD_ROOM = 64
"""Bytes that exceed any object's header."""
FOLDER = b"40000"
FILE = b"100"
"""Beginning of the modes of plain files."""


class NotLooseError(Exception):
    """An error for objects that are not, or not all, loose; git has to be asked."""


def read_loose(repo: "Repository", name: str, kind: str) -> bytes:
    """Return an object's bytes by its full id.

    Raises NotLooseError where it is not loose, not whole, too large, or of another kind.
    """
    if not repo.plain:
        raise NotLooseError
    try:
        packed = read_plain(f"{repo.loose_objects}{name[:2]}{os.sep}{name[2:]}", LARGEST_FILE)
        unpacker = zlib.decompressobj()
        data = unpacker.decompress(packed, LARGEST_FILE + HEAD_ROOM)
    except (OSError, zlib.error):
        raise NotLooseError from None
    head, _, body = data.partition(b"\0")
    whole = unpacker.eof and len(body) <= LARGEST_FILE and head == f"{kind} {len(body)}".encode()
    make = hashlib.sha256 if repo.sha256 else hashlib.sha1
    if not whole or make(data, usedforsecurity=False).hexdigest() != name:
        raise NotLooseError
    return body


def read_folder(repo: "Repository", commit: str, folder: str) -> bytes | None:
    """Return a commit's tree at a path of the repository ("" the top one); None if there is no folder.

    Raises NotLooseError.
    """
    line = read_loose(repo, commit, "commit").partition(b"\n")[0]
    data = read_loose(repo, line.removeprefix(b"tree ").decode("ascii", "replace"), "tree")
    for part in folder.split("/") if folder else ():
        named = {name: item for mode, name, item in _entries(repo, data) if mode == FOLDER}
        inside = named.get(os.fsencode(part))
        if inside is None:
            return None
        data = read_loose(repo, inside, "tree")
    return data


def list_files(repo: "Repository", commit: str, folder: str) -> dict[str, str]:
    """Return the plain files below a folder of a commit, their blobs by path from the top of the repository.

    `folder` is "" or ends in a slash. Raises NotLooseError.
    """
    found: dict[str, str] = {}
    waiting = [(folder, read_folder(repo, commit, folder.rstrip("/")))]
    while waiting:
        place, data = waiting.pop()
        for mode, name, item in _entries(repo, data or b""):
            path = place + os.fsdecode(name)
            if mode == FOLDER:
                waiting.append((f"{path}/", read_loose(repo, item, "tree")))
            elif mode.startswith(FILE):
                found[path] = item
    return dict(sorted(found.items()))


def _entries(repo: "Repository", data: bytes) -> Iterator[tuple[bytes, bytes, str]]:
    """Yield a tree's entries: mode, name and object; raises NotLooseError if it is no tree."""
    size = 32 if repo.sha256 else 20
    at = 0
    while at < len(data):
        space, end = data.find(b" ", at), data.find(b"\0", at)
        if not at < space < end - 1 or end + size >= len(data):
            raise NotLooseError
        yield data[at:space].lstrip(b"0"), data[space + 1 : end], data[end + 1 : end + 1 + size].hex()
        at = end + 1 + size
