"""git's objects, made here: blobs, trees and commits of a whole chain go to git in one stream.

What is streamed is a pack, as `git fetch` receives one, and like there git itself takes it apart: a few
objects become loose ones, many stay one pack. Either way git reads every byte back before anything names it.
"""

import hashlib
import os
import zlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import IO, NoReturn

from reel_cli.errors import StateError
from reel_cli.kit.git import Repository
from reel_cli.kit.git_process import Git, git_process
from reel_cli.kit.intent import Staged

AT_MOST_LOOSE = 100
"""Below this many, objects are stored loose, as git does with what it fetches (fetch.unpackLimit)."""
LARGE = 2 << 20
"""From so many bytes on they stay one pack, however few they are: git need not compress them again."""
LEVEL = 1
"""git's own level of compression for new objects."""
WORTH_SHARING = 1 << 20
"""From so many bytes on, both processors compress."""

TYPES: Mapping[str, int] = {"commit": 1, "tree": 2, "blob": 3, "tag": 4}
FOLDER = "40000"
CRUD = "".join(map(chr, range(33))) + ".,:;<>\"\\'"
"""What git trims from both ends of a name and a mail."""


class NewObjects:
    """Objects that are not in git yet, by their ids."""

    def __init__(self, repo: Repository) -> None:
        """Begin empty."""
        self._sha256 = repo.sha256
        self._held: dict[str, tuple[str, bytes]] = {}

    def add(self, kind: str, data: bytes, known: str | None = None) -> str:
        """Take an object in and return its id (`known`, where the caller has it)."""
        name = known or object_id(kind, data, sha256=self._sha256)
        self._held.setdefault(name, (kind, data))
        return name

    def leave_out(self, names: Iterable[str]) -> None:
        """Do not store these: git has them."""
        for name in names:
            self._held.pop(name, None)

    def hand_over(self, names: Iterable[str], other: "NewObjects") -> None:
        """Let the other collection have those of these that are in here."""
        for name in names:
            if name in self._held:
                kind, data = self._held.pop(name)
                other.add(kind, data, name)

    def write(self, git: Git, scratch: IO[bytes]) -> None:
        """Store them all, by way of an empty file; StateError if git cannot, or got other bytes."""
        if not self._held:
            return
        check = self._write_pack(scratch)
        scratch.seek(0)
        if len(self._held) < AT_MOST_LOOSE and self._size() < LARGE:
            git("unpack-objects", "-q", input=scratch)
        elif git("index-pack", "--stdin", input=scratch).split()[-1:] != [check]:
            _refuse_other_bytes()

    def _size(self) -> int:
        return sum(len(data) for _, data in self._held.values())

    def _write_pack(self, file: IO[bytes]) -> bytes:
        """All objects as a pack; return its checksum."""
        check = _hasher(sha256=self._sha256)()

        def put(part: bytes) -> None:
            check.update(part)
            file.write(part)

        put(b"PACK" + (2).to_bytes(4, "big") + len(self._held).to_bytes(4, "big"))
        packed = _compress([data for _, data in self._held.values()])
        for (kind, data), body in zip(self._held.values(), packed, strict=True):
            put(_entry_head(TYPES[kind], len(data)) + body)
        file.write(check.digest())
        return check.hexdigest().encode("ascii")


def store_blobs(git: Git, contents: Sequence[bytes], names: Sequence[str], scratch: IO[bytes]) -> None:
    """Store many blobs as one pack that git makes, which is quicker than to have git check one made here.

    `names` are their ids, which git must find for itself; `scratch` is an empty file. Raises
    StateError where git cannot, or got other bytes.
    """
    for number, data in enumerate(contents, start=1):
        scratch.write(b"blob\nmark :%d\ndata %d\n" % (number, len(data)))
        scratch.write(data)
        scratch.write(b"\nget-mark :%d\n" % number)
    scratch.write(b"done\n")
    scratch.seek(0)
    settings = (f"pack.compression={LEVEL}", "fastimport.unpackLimit=0")
    asked = ("fast-import", "--quiet", "--done", "--depth=0")
    told = git(*(part for setting in settings for part in ("-c", setting)), *asked, input=scratch)
    if told.decode("ascii", "replace").split() != list(names):
        _refuse_other_bytes()


def present(git: Git, names: Collection[str]) -> frozenset[str]:
    """Those of some blobs that git has."""
    if not names:
        return frozenset()
    asked = "".join(f"{name}\n" for name in names).encode("ascii")
    told = git("cat-file", "--batch-check", input=asked).decode("ascii", "replace").splitlines()
    return frozenset(line.split(" ")[0] for line in told if line.split(" ")[1:2] == ["blob"])


def object_id(kind: str, data: bytes, *, sha256: bool) -> str:
    """The id that git has for an object of this kind."""
    digest = _hasher(sha256=sha256)(f"{kind} {len(data)}\0".encode())
    digest.update(data)
    return digest.hexdigest()


def _hasher(*, sha256: bool) -> "Callable[..., hashlib._Hash]":
    return partial(hashlib.sha256 if sha256 else hashlib.sha1, usedforsecurity=False)


def _entry_head(kind: int, size: int) -> bytes:
    """The type, and the size in groups of 4, 7, 7… bits, the lowest first."""
    byte, size = kind << 4 | size & 15, size >> 4
    head = bytearray()
    while size:
        head.append(byte | 0x80)
        byte, size = size & 0x7F, size >> 7
    head.append(byte)
    return bytes(head)


def _compress(contents: Sequence[bytes]) -> Iterable[bytes]:
    if sum(map(len, contents)) < WORTH_SHARING:
        return map(_deflate, contents)
    from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(_deflate, contents))


def _deflate(data: bytes) -> bytes:
    return zlib.compress(data, LEVEL)


# -- commits ----------------------------------------------------------------------------------------


def render_commit(tree: str, parent: str | None, signature: str, message: str) -> bytes:
    """A commit object; author and committer are one."""
    lines = [f"tree {tree}", *([f"parent {parent}"] if parent else ())]
    return "\n".join([*lines, f"author {signature}", f"committer {signature}", "", message]).encode()


def clean_name(text: str) -> str:
    """A name or mail as git writes it into a commit."""
    return "".join(c for c in text if c not in "<>\n\0").strip(CRUD)


# -- trees ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Item:
    """One entry of a tree: git's mode as written there, and the object's id."""

    mode: str
    object: str

    @property
    def is_folder(self) -> bool:
        """Whether it is a tree itself."""
        return self.mode in (FOLDER, f"0{FOLDER}")


def parse_tree(data: bytes, *, sha256: bool) -> dict[bytes, Item]:
    """A tree's entries by name; StateError where it is none."""
    size = 32 if sha256 else 20
    found: dict[bytes, Item] = {}
    at = 0
    while at < len(data):
        space, end = data.find(b" ", at), data.find(b"\0", at)
        name = data[space + 1 : end]
        if not at < space < end or end + size >= len(data) or not name or name in found:
            _refuse_damage()
        found[name] = Item(data[at:space].decode("ascii", "replace"), data[end + 1 : end + 1 + size].hex())
        at = end + 1 + size
    return found


def render_tree(items: Mapping[bytes, Item]) -> bytes:
    """A tree object: entries in git's order, in which a folder's name ends in a slash."""

    def order(pair: tuple[bytes, Item]) -> bytes:
        return pair[0] + b"/" if pair[1].is_folder else pair[0]

    return b"".join(
        item.mode.encode("ascii") + b" " + name + b"\0" + bytes.fromhex(item.object)
        for name, item in sorted(items.items(), key=order)
    )


class Trees:
    """One commit's folders, read as they are needed, and changed into those of the next commits."""

    def __init__(self, objects: NewObjects, folders: Mapping[str, dict[bytes, Item]]) -> None:
        """Begin with these folders of a commit (see `read_folders`)."""
        self._objects = objects
        self._folders = dict(folders)

    def entry(self, path: str) -> Staged | None:
        """The file at a path of the repository; a link or submodule too, with its mode."""
        folder, _, name = path.rpartition("/")
        item = self._folders.get(folder, {}).get(os.fsencode(name))
        return Staged(item.mode.zfill(6), item.object) if item else None

    def set(self, path: str, entry: Staged | None) -> None:
        """Put a file in its place, with the folders above it, or (None) take it away."""
        folder, _, name = path.rpartition("/")
        key = os.fsencode(name)
        if entry is None:
            self._folders.get(folder, {}).pop(key, None)
            return
        for above in _with_parents(folder):
            up, _, own = above.rpartition("/")
            there = self._folders.get(up, {}).get(os.fsencode(own))
            if above and there is not None and not there.is_folder:
                message = f"{above} is a file in history, and a folder is in its place; nothing was changed."
                raise StateError(message, hint="commit what was done there, then run the command again")
            self._folders.setdefault(above, {})
        self._folders[folder][key] = Item(entry.mode, entry.blob)

    def write(self, changed: Iterable[str]) -> str:
        """Render the folders above the changed paths; return the id of the top one."""
        folders = {above for path in changed for above in _with_parents(path.rpartition("/")[0])} | {""}
        top = ""
        for folder in sorted(folders, key=lambda f: (-f.count("/"), f == "", f)):
            items = self._folders.get(folder, {})
            up, _, own = folder.rpartition("/")
            if not folder:
                top = self._objects.add("tree", render_tree(items))
            elif items:
                made = self._objects.add("tree", render_tree(items))
                self._folders.setdefault(up, {})[os.fsencode(own)] = Item(FOLDER, made)
            elif (there := self._folders.get(up, {}).get(os.fsencode(own))) and there.is_folder:
                del self._folders[up][os.fsencode(own)]
        return top


def read_folders(
    repo: Repository, git: Git, commit: str | None, paths: Iterable[str]
) -> dict[str, dict[bytes, Item]]:
    """The folders above these paths of the repository as a commit has them; "" is the top one.

    Raises StateError where history has lost one.
    """
    if commit is None:
        return {"": {}}
    folders = sorted({above for path in paths for above in _with_parents(path.rpartition("/")[0])} | {""})
    plain = [folder for folder in folders if "\n" not in folder]
    asked = "".join(f"{commit}:{folder}\n" for folder in plain)
    answers = _read_answers(git("cat-file", "--batch", input=os.fsencode(asked)))
    read = dict(zip(plain, answers, strict=True))
    for folder in folders:
        if folder not in read:
            asked_alone = git_process(repo.root, "cat-file", "tree", f"{commit}:{folder}")
            read[folder] = None if asked_alone.returncode else asked_alone.stdout
    found = {
        folder: parse_tree(data, sha256=repo.sha256) for folder, data in read.items() if data is not None
    }
    for folder in folders:
        up, _, own = folder.rpartition("/")
        named = found[up].get(os.fsencode(own)) if folder and up in found else None
        if folder not in found and (not folder or (named is not None and named.is_folder)):
            _refuse_damage()
    return found


def _read_answers(output: bytes) -> Iterator[bytes | None]:
    """What `cat-file --batch` says to each line: a tree's bytes, or None for anything else."""
    at = 0
    while at < len(output):
        end = output.index(b"\n", at)
        head = output[at:end].rsplit(b" ", 2)
        at = end + 1
        if not head[-1].isdigit():
            # missing, ambiguous, or (in a newer git) submodule
            yield None
            continue
        size = int(head[-1])
        yield output[at : at + size] if head[-2] == b"tree" else None
        at += size + 1


def _refuse_other_bytes() -> NoReturn:
    message = "git stored other bytes than it was given; nothing was changed."
    raise StateError(message, hint="check the disk, then run the command again")


def _refuse_damage() -> NoReturn:
    message = "The history of this kit is damaged: a folder in it cannot be read."
    raise StateError(message, hint="git fsck  says what is missing; a clone or backup has it")


def _with_parents(folder: str) -> Iterator[str]:
    """The top folder, every folder on the way to this one, and it."""
    yield ""
    parts = folder.split("/") if folder else []
    for depth in range(1, len(parts) + 1):
        yield "/".join(parts[:depth])
