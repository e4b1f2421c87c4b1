"""git's trees: the folders of a commit, read, changed into those of the next commits, and rendered."""

import os
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import NoReturn

from reel_cli.core.errors import StateError
from reel_cli.core.frozen import frozen
from reel_cli.core.git.commit_tree import NotLooseError, read_folder
from reel_cli.core.git.intent import StagedEntry
from reel_cli.core.git.process import Git, git_process
from reel_cli.core.git.repository import Repository
from reel_cli.core.git.storage.objects import NewObjects

FOLDER = "40000"


@frozen
class Item:
    """One entry of a tree: git's mode as written there, and the object's id."""

    mode: str
    object: str

    @property
    def is_folder(self) -> bool:
        """Return whether the item is a tree itself."""
        return self.mode in (FOLDER, f"0{FOLDER}")


def parse_tree(data: bytes, *, sha256: bool) -> dict[bytes, Item]:
    """Return a tree's entries by name; raises StateError if it is no tree."""
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


class Folder:
    """One folder's entries, in git's order, in which a folder's name ends in a slash."""

    def __init__(self, items: Mapping[bytes, Item] | None = None) -> None:
        """Begin with these."""
        self._items = dict(items or {})
        ordered = sorted((_order(name, item), _render_item(name, item)) for name, item in self._items.items())
        self._order = [key for key, _ in ordered]
        self._rows = [row for _, row in ordered]
        self.made: str | None = None
        """The id under which it was last stored."""

    def __bool__(self) -> bool:
        """Return whether the folder has any items."""
        return bool(self._items)

    def get(self, name: bytes) -> Item | None:
        """Return the entry of that name."""
        return self._items.get(name)

    def put(self, name: bytes, item: Item) -> None:
        """Set an entry."""
        self.drop(name)
        self._items[name] = item
        key = _order(name, item)
        at = bisect_left(self._order, key)
        self._order.insert(at, key)
        self._rows.insert(at, _render_item(name, item))

    def drop(self, name: bytes) -> None:
        """Remove an entry, if there is one."""
        item = self._items.pop(name, None)
        if item is not None:
            at = bisect_left(self._order, _order(name, item))
            del self._order[at], self._rows[at]

    def render(self) -> bytes:
        """Return the tree object."""
        return b"".join(self._rows)


def render_tree(items: Mapping[bytes, Item]) -> bytes:
    """Return a tree object of these entries."""
    return Folder(items).render()


def _order(name: bytes, item: Item) -> bytes:
    return name + b"/" if item.is_folder else name


def _render_item(name: bytes, item: Item) -> bytes:
    return item.mode.encode("ascii") + b" " + name + b"\0" + bytes.fromhex(item.object)


class Trees:
    """One commit's folders, read as they are needed, and changed into those of the next commits."""

    def __init__(self, objects: NewObjects, folders: Mapping[str, Mapping[bytes, Item]]) -> None:
        """Begin with these folders of a commit (see `read_folders`)."""
        self._objects = objects
        self._folders = {path: Folder(items) for path, items in folders.items()}

    def entry(self, path: str) -> StagedEntry | None:
        """Return the file at a path of the repository; a link or submodule too, with its mode."""
        folder, _, name = path.rpartition("/")
        item = self._item(folder, name)
        return StagedEntry(item.mode.zfill(6), item.object) if item else None

    def set(self, path: str, entry: StagedEntry | None) -> None:
        """Set a file, with the folders above it, or (None) remove it."""
        folder, _, name = path.rpartition("/")
        key = os.fsencode(name)
        if entry is None:
            if folder in self._folders:
                self._folders[folder].drop(key)
            return
        for above in _with_parents(folder):
            up, _, own = above.rpartition("/")
            there = self._item(up, own)
            if above and there is not None and not there.is_folder:
                message = f"{above} is a file in history, and a folder is in its place; nothing was changed."
                raise StateError(message, hint="commit what was done there, then run the command again")
            self._folders.setdefault(above, Folder())
        self._folders[folder].put(key, Item(entry.mode, entry.blob))

    def write(self, changed: Iterable[str]) -> str:
        """Render the folders above the changed paths; return the id of the top one."""
        folders = {above for path in changed for above in _with_parents(path.rpartition("/")[0])} | {""}
        top = ""
        for folder in sorted(folders, key=lambda f: (-f.count("/"), f == "", f)):
            items = self._folders.get(folder) or Folder()
            up, _, own = folder.rpartition("/")
            if items or not folder:
                items.made = top = self._objects.add("tree", items.render(), like=items.made)
                if folder:
                    self._folders.setdefault(up, Folder()).put(os.fsencode(own), Item(FOLDER, top))
            elif (there := self._item(up, own)) and there.is_folder:
                self._folders[up].drop(os.fsencode(own))
        return top

    def _item(self, folder: str, name: str) -> Item | None:
        items = self._folders.get(folder)
        return items.get(os.fsencode(name)) if items is not None else None


def read_folders(
    repo: Repository, git: Git, commit: str | None, paths: Iterable[str]
) -> dict[str, dict[bytes, Item]]:
    """Return the folders above these paths of the repository as a commit has them; "" is the top one.

    Raises StateError where history has lost one.
    """
    if commit is None:
        return {"": {}}
    folders = sorted({above for path in paths for above in _with_parents(path.rpartition("/")[0])} | {""})
    read: dict[str, bytes | None] = {}
    with suppress(NotLooseError):
        read.update((folder, read_folder(repo, commit, folder)) for folder in folders)
    plain = [folder for folder in folders if folder not in read and "\n" not in folder]
    if plain:
        asked = "".join(f"{commit}:{folder}\n" for folder in plain)
        answers = _read_answers(git("cat-file", "--batch", input=os.fsencode(asked)))
        read |= dict(zip(plain, answers, strict=True))
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
    """Yield each answer of `cat-file --batch`: a tree's bytes, or None for anything else."""
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


def _refuse_damage() -> NoReturn:
    message = "The history of this kit is damaged: a folder in it cannot be read."
    raise StateError(message, hint="git fsck  says what is missing; a clone or backup has it")


def _with_parents(folder: str) -> Iterator[str]:
    """Yield the top folder, every folder on the way to this one, and this one."""
    yield ""
    parts = folder.split("/") if folder else []
    for depth in range(1, len(parts) + 1):
        yield "/".join(parts[:depth])
