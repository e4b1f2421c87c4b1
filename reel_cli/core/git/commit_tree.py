"""A kit as one commit holds it, read without a process where git's objects are loose.

What reel and a person commit is loose until git packs it, and a process of git takes longer than all that
most commands read of a commit. Nothing is taken on trust: an object whose bytes do not hash to its name is
none, and whatever is not found here, or is not plain, is left to git, which has the last word.
"""

import hashlib
import os
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property, lru_cache
from types import TracebackType
from typing import TYPE_CHECKING, Self

from reel_cli.core.errors import ReelError, StateError
from reel_cli.core.files.private import read_plain
from reel_cli.core.files.tree import LARGEST_FILE, PRIVATE
from reel_cli.core.frozen import frozen
from reel_cli.core.git.process import git_process, run_git
from reel_cli.core.git.repository import Repository, is_commit_id

if TYPE_CHECKING:
    from reel_cli.core.git.storage.object_reader import ObjectReader

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


MOST_STEPS = 64
"""Number of commits above which the way from one to another is left to git."""


@frozen
class CommitStep:
    """A commit with one parent; the message as git keeps it."""

    commit: str
    parent: str
    message: bytes


def steps_since(repo: "Repository", old: str, new: str) -> Sequence[CommitStep] | None:
    """Return the commits that lead straight from one commit to another (full ids), newest first.

    None where they are many, or not all loose, or where history branches or is cut off.
    """
    if os.path.lexists(repo.common_dir / "shallow"):
        return None
    steps: list[CommitStep] = []
    with suppress(NotLooseError):
        while new != old:
            head, _, message = read_loose(repo, new, "commit").partition(b"\n\n")
            parents = [line[7:] for line in head.split(b"\n") if line.startswith(b"parent ")]
            if len(parents) != 1 or len(steps) == MOST_STEPS:
                return None
            steps.append(CommitStep(new, parents[0].decode("ascii", "replace"), message))
            new = steps[-1].parent
        return steps
    return None


def is_before(repo: "Repository", early: str, late: str) -> bool:
    """Return whether one commit leads to the other; both are full ids. git is asked where that is far."""
    if steps_since(repo, early, late) is not None:
        return True
    return git_process(repo.root, "merge-base", "--is-ancestor", early, late).returncode == 0


MOST_YOUNG = 32
"""Number of commits above which a whole history is left to git."""


@lru_cache(maxsize=8)
def read_young_history(repo: "Repository", head: str) -> Sequence[tuple[str, bytes]] | None:
    """Return each commit up to `head` (a full id) with its message as git keeps it, oldest first.

    None where they are more than a few, or not all loose, or where history branches or is cut off. A process
    of git takes longer than reading them all.
    """
    if os.path.lexists(repo.common_dir / "shallow") or os.path.lexists(repo.common_dir / "info/grafts"):
        return None
    found: list[tuple[str, bytes]] = []
    commit = head
    with suppress(NotLooseError):
        while len(found) < MOST_YOUNG:
            head_lines, _, message = read_loose(repo, commit, "commit").partition(b"\n\n")
            fields = head_lines.split(b"\n")
            parents = [line[7:] for line in fields if line.startswith(b"parent ")]
            if len(parents) > 1 or any(line.startswith(b"encoding ") for line in fields):
                return None
            found.append((commit, message))
            if not parents:
                return found[::-1]
            commit = parents[0].decode("ascii", "replace")
    return None


def folder_ids(repo: "Repository", commit: str, folders: Iterable[str]) -> Mapping[str, str]:
    """Return the trees of folders at the top of the kit in a commit; raises NotLooseError."""
    wanted = {os.fsencode(folder) for folder in folders}
    data = read_folder(repo, commit, repo.prefix.rstrip("/")) or b""
    return {os.fsdecode(name): item for _, name, item in _entries(repo, data) if name in wanted}


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
    tree = read_folder(repo, commit, folder.rstrip("/"))
    every = _walk(repo, tree or b"")
    found = {folder + os.fsdecode(path): item for mode, path, item in every if mode.startswith(FILE)}
    return dict(sorted(found.items()))


@lru_cache(maxsize=64)
def list_names(repo: "Repository", tree: str) -> Sequence[bytes]:
    """Return the paths of all that stands below a tree by its id, links too; raises NotLooseError."""
    return [path for _, path, _ in _walk(repo, read_loose(repo, tree, "tree"))]


def list_top(repo: "Repository", commit: str, folder: str) -> Mapping[bytes, tuple[bytes, str]]:
    """Return the mode and object of each entry of a folder of a commit; raises NotLooseError."""
    data = read_folder(repo, commit, folder.rstrip("/")) or b""
    return {name: (mode, item) for mode, name, item in _entries(repo, data)}


def _walk(repo: "Repository", data: bytes, place: bytes = b"") -> Iterator[tuple[bytes, bytes, str]]:
    """Yield the mode, path and object of all below a tree that is no folder; raises NotLooseError."""
    for mode, name, item in _entries(repo, data):
        if mode == FOLDER:
            yield from _walk(repo, read_loose(repo, item, "tree"), place + name + b"/")
        else:
            yield mode, place + name, item


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


def _list_ids(repo: Repository, rev: str) -> Mapping[str, str]:
    with suppress(NotLooseError):
        loose = list_files(repo, rev, repo.prefix)
        whole = {path[len(repo.prefix) :]: blob for path, blob in loose.items()}
        return {path: blob for path, blob in whole.items() if not _is_private(path)}
    listed = run_git(
        repo.root,
        *("ls-tree", "-r", "-z", "--full-tree", rev),
        *(("--", repo.prefix) if repo.prefix else ()),
    )
    found: dict[str, str] = {}
    for line in listed.split(b"\0"):
        head, _, name = line.partition(b"\t")
        if not head.startswith(b"100"):
            continue
        path = os.fsdecode(name)[len(repo.prefix) :]
        if not _is_private(path):
            found[path] = head.split()[2].decode("ascii")
    return dict(sorted(found.items()))


def _is_private(path: str) -> bool:
    return any(part in PRIVATE for part in path.split("/")[:-1])


@lru_cache(maxsize=8)
def _known_ids(repo: Repository, commit: str) -> Mapping[str, str]:
    """Return the blob ids of a commit by its id, whose files never change."""
    return _list_ids(repo, commit)


class CommitTree:
    """A kit as one commit holds it: a Tree over loose objects, and one `git cat-file --batch` for others.

    Links and submodules are no files here. Use it as a context manager, or let it go: its
    process ends with it.
    """

    def __init__(self, repo: Repository, rev: str) -> None:
        """Read from the commit `rev`, a full id; ReelError when it is anything else."""
        if not is_commit_id(rev):
            message = f"{rev!r} is not a commit's full id."
            raise ReelError(message)
        self.repo = repo
        self.rev = rev
        self._reader: ObjectReader | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __del__(self) -> None:
        self.close()

    def close(self) -> None:
        """End the reading process; the tree may still be used, and starts another."""
        reader: ObjectReader | None = getattr(self, "_reader", None)
        self._reader = None
        if reader is not None:
            reader.close()

    @cached_property
    def ids(self) -> Mapping[str, str]:
        """Return every file's blob id by kit path, sorted by path; `.git` and `.reel` left out."""
        return _known_ids(self.repo, self.rev) if is_commit_id(self.rev) else _list_ids(self.repo, self.rev)

    def read(self, path: str) -> bytes | None:
        """Return the file's bytes, or None where the commit has none."""
        blob = self.ids.get(path)
        return None if blob is None else self.read_blob(blob, path)

    def list(self, folder: str) -> Sequence[str]:
        """Return every file below `folder` ("" for the whole kit), sorted."""
        if not folder:
            return list(self.ids)
        return [path for path in self.ids if path.startswith(f"{folder.rstrip('/')}/")]

    def read_blob(self, blob: str, name: str = "") -> bytes:
        """Return the bytes of a blob by its full id; raises StateError if history has lost it."""
        if not is_commit_id(blob):
            message = f"{blob!r} is not a blob's full id."
            raise ReelError(message)
        if self._reader is None:
            with suppress(NotLooseError):
                return read_loose(self.repo, blob, "blob")
        if self._reader is None:
            from reel_cli.core.git.storage.object_reader import ObjectReader

            self._reader = ObjectReader(self.repo.root)
        kind, size = self._reader.ask(blob) or ("", 0)
        if kind == "blob" and size > LARGEST_FILE:
            self.close()
            message = f"{name or blob} is larger than {LARGEST_FILE // 2**20} MB."
            raise ReelError(message)
        data = self._reader.take(size) if kind == "blob" else None
        if data is None:
            self.close()
            message = f"The history of this kit is damaged: {name or blob} is missing from it."
            raise StateError(message, hint="git fsck  says what is missing; a clone or backup has it")
        return data
