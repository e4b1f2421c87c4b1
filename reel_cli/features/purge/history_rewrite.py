"""All of a history made anew with other contents: what does not change keeps its name, to the byte.

Trees first, then commits, the oldest first: so whatever a commit's message names by its id, a blob in a
trailer or an earlier commit, is known by its new id when the message is written.
"""

import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from reel_cli.core.errors import ReelError
from reel_cli.core.git.process import AS_IT_IS, Git
from reel_cli.core.git.repository import Repository
from reel_cli.core.git.storage.object_reader import ObjectReader
from reel_cli.core.git.storage.objects import NewObjects
from reel_cli.core.git.storage.pack_file import object_id
from reel_cli.core.git.storage.trees import Item, parse_tree, render_tree
from reel_cli.core.tape.erasure.target import PurgeTarget

Rewrite = Callable[[str, bytes], bytes]
"""A file's new bytes, from its path in the kit and its bytes."""

FLUSH = 64 << 20
"""Bytes of new objects that are held before they are stored."""
_ID = re.compile(r"(?<![0-9A-Za-z])[0-9a-f]{7,64}(?![0-9A-Za-z])")
_PEOPLE = (b"author ", b"committer ", b"tagger ")
_SIGNED = (b"gpgsig", b"gpgsig-sha256", b"mergetag")
_EMPTY: frozenset[str] = frozenset()


@dataclass
class HistoryRewrite:
    """The rewriting of one repository's history; new objects go to the repository at `into`.

    `names` are the new ids of what changed, by the old ones. `blobs` tells, by path, which versions of a file
    changed, and `commits_of` in how many commits one of them stands.
    """

    repo: Repository
    into: Git
    reader: ObjectReader
    rewrite: Rewrite
    wanted: PurgeTarget
    scratch: Path
    dry: bool = False
    names: dict[str, str] = field(default_factory=dict)
    blobs: dict[str, set[str]] = field(default_factory=dict)
    commits_of: dict[str, int] = field(default_factory=dict)
    messages: int = 0
    """Number of commits whose message or author names it."""
    commits: int = 0
    first: str | None = None
    """The oldest commit that changes."""
    _trees: dict[tuple[str, str], tuple[str, frozenset[str]]] = field(default_factory=dict)
    _files: dict[tuple[str, str], str] = field(default_factory=dict)
    _parts: dict[str, str] = field(default_factory=dict)
    _size: int = 0
    _stored: int = 0
    _starts: dict[str, list[str]] | None = None

    def __post_init__(self) -> None:
        self._objects = NewObjects(self.repo)

    # -- commits --------------------------------------------------------------------------------

    def run(self, tips: Sequence[str]) -> None:
        """Make all commits anew that these lead to; `names` has those that changed."""
        if not tips:
            return
        asked = "\n".join(dict.fromkeys(tips)).encode("ascii") + b"\n"
        listed = self.into("rev-list", "--topo-order", "--reverse", "--stdin", input=asked, env=AS_IT_IS)
        order = listed.decode("ascii").split()
        self.commits = len(order)
        raw: dict[str, bytes] = {}
        for commit in order:
            raw[commit] = self.reader.read(commit)[1]
            fresh, hit = self.tree(_tree_of(raw[commit]), "")
            self.names[_tree_of(raw[commit])] = fresh
            for path in hit:
                self.commits_of[path] = self.commits_of.get(path, 0) + 1
        for commit in order:
            data = raw.pop(commit)
            made = self._commit(data)
            if made == data:
                continue
            self.first = self.first or commit
            self.names[commit] = self._keep("commit", made)
            self._starts = None
        self.names = {old: new for old, new in self.names.items() if old != new}

    def _commit(self, data: bytes) -> bytes:
        head, _, message = data.partition(b"\n\n")
        lines = _unfold(head)
        said, told = self._people(lines), self._message(message, lines)
        self.messages += said or self.wanted.stands_in_bytes(message)
        fresh = []
        for line in lines:
            key, _, value = line.partition(b" ")
            if key in (b"tree", b"parent"):
                known = self.names.get(value.decode("ascii"))
                fresh.append(key + b" " + known.encode("ascii") if known else line)
            elif line.startswith(_PEOPLE):
                fresh.append(self._person(line))
            else:
                fresh.append(line)
        made = b"\n".join(fresh) + b"\n\n" + told
        if made == data:
            return data
        # a rewritten commit no longer matches its signature
        fresh = [line for line in fresh if line.partition(b" ")[0] not in _SIGNED]
        return b"\n".join(fresh) + b"\n\n" + told

    def _people(self, lines: Iterable[bytes]) -> bool:
        return any(line.startswith(_PEOPLE) and self._person(line) != line for line in lines)

    def _person(self, line: bytes) -> bytes:
        """Return a commit's person line without the wanted text; the time is a number and nobody's words."""
        who, mark, when = line.rpartition(b"> ")
        role, _, name = who.partition(b" ")
        return role + b" " + self.wanted.replace_bytes(name)[0] + mark + when if mark else line

    def _message(self, message: bytes, lines: list[bytes]) -> bytes:
        coded = next((line for line in lines if line.startswith(b"encoding ")), None)
        if coded is not None:
            try:
                plain = message.decode(coded[9:].decode("ascii")).encode("utf-8")
            except (LookupError, UnicodeDecodeError):
                plain = message
            if plain != message and self.wanted.stands_in_bytes(plain):
                lines.remove(coded)
                message = plain
        text = message.decode("utf-8", "surrogateescape")
        text = _ID.sub(lambda match: self.new_name(match[0]), text)
        return self.wanted.replace_bytes(text.encode("utf-8", "surrogateescape"))[0]

    def new_name(self, old: str) -> str:
        """Return an id's new form, also of its beginning; unchanged if it did not change."""
        if old in self.names:
            return self.names[old]
        if len(old) >= 40:
            return old
        if self._starts is None:
            self._starts = {}
            for name in self.names:
                self._starts.setdefault(name[:7], []).append(name)
        found = [name for name in self._starts.get(old[:7], ()) if name.startswith(old)]
        return self.names[found[0]][: len(old)] if len(found) == 1 else old

    def tag(self, name: str) -> str:
        """Rewrite an annotated tag; return its new id, unchanged if nothing changed."""
        data = self.reader.read(name)[1]
        head, _, message = data.partition(b"\n\n")
        lines = _unfold(head)
        target, kind = (lines[at].partition(b" ")[2].decode("ascii") for at in (0, 1))
        fresh = self.point(target, kind)
        message = re.sub(rb"-----BEGIN (?:PGP|SSH) SIGNATURE-----.*", b"", message, flags=re.DOTALL)
        told = self._message(message, lines)
        rest = [
            self._person(line) if line.startswith(_PEOPLE) else self.wanted.replace_bytes(line)[0]
            for line in lines[1:]
        ]
        made = b"\n".join([b"object " + fresh.encode("ascii"), *rest]) + b"\n\n" + told
        unsigned = data.partition(b"\n\n")[0] + b"\n\n" + message
        if made == unsigned:
            return name
        self.names[name] = self._keep("tag", made)
        return self.names[name]

    def holds(self, ref: str, name: str, kind: str) -> bool:
        """Return whether it occurs in one of git's names, in a tag's own text, or in a note."""
        if self.new_part(ref) != ref:
            return True
        if kind == "tag":
            return self.wanted.stands_in_bytes(self.reader.read(name)[1])
        if ref.startswith("refs/notes/") and kind == "commit":
            found: dict[str, Item] = {}
            self._gather(_tree_of(self.reader.read(name)[1]), "", found)
            notes = (self.reader.read(item.object)[1] for item in found.values())
            return any(self.wanted.stands_in_bytes(note) for note in notes)
        return False

    def point(self, name: str, kind: str) -> str:
        """Return the new object for a name that led to an object of this kind."""
        if kind == "tag":
            return self.tag(name)
        if kind == "tree":
            return self.tree(name, "")[0]
        if kind == "blob":
            return self._blob(name, "")
        return self.names.get(name, name)

    def notes(self, tip: str, signature: str) -> str:
        """Return git's notes on the renamed commits: one commit, without their earlier history."""
        found: dict[str, Item] = {}
        self._gather(_tree_of(self.reader.read(tip)[1]), "", found)
        items = {
            os.fsencode(self.names.get(name, name)): Item(item.mode, self._blob(item.object, f"notes/{name}"))
            for name, item in found.items()
        }
        tree = self._keep("tree", render_tree(items))
        lines = [
            f"tree {tree}",
            f"author {signature}",
            f"committer {signature}",
            "",
            "Notes, after a purge\n",
        ]
        return self._keep("commit", "\n".join(lines).encode())

    def _gather(self, tree: str, above: str, found: dict[str, Item]) -> None:
        for name, item in parse_tree(self.reader.read(tree)[1], sha256=self.repo.sha256).items():
            whole = above + os.fsdecode(name)
            if item.is_folder:
                self._gather(item.object, whole, found)
            else:
                found[whole] = item

    # -- trees and files ------------------------------------------------------------------------

    def tree(self, name: str, path: str) -> tuple[str, frozenset[str]]:
        """Rewrite a folder; return its new id, and the paths of changed files below it."""
        known = self._trees.get((name, path))
        if known is not None:
            return known
        data = self.reader.read(name)[1]
        items = parse_tree(data, sha256=self.repo.sha256)
        fresh: dict[bytes, Item] = {}
        hit: set[str] = set()
        for raw, item in items.items():
            below = f"{path}/{os.fsdecode(raw)}" if path else os.fsdecode(raw)
            made = item.object
            if item.is_folder:
                made, inside = self.tree(item.object, below)
                hit |= inside
            elif item.mode.startswith(("100", "120")):
                made = self._blob(item.object, below)
                if made != item.object:
                    hit.add(below)
            called = self.new_part(os.fsdecode(raw))
            if called != os.fsdecode(raw):
                hit.add(below)
            fresh[_free(os.fsencode(called), items, fresh, raw)] = Item(item.mode, made)
        changed = fresh != items
        result = (self._keep("tree", render_tree(fresh)) if changed else name), frozenset(hit) or _EMPTY
        self._trees[name, path] = result
        return result

    def new_part(self, name: str) -> str:
        """Return a file's or folder's name without the wanted text."""
        if name not in self._parts:
            self._parts[name] = self.wanted.replace(name)[0]
        return self._parts[name]

    def _blob(self, name: str, path: str) -> str:
        known = self._files.get((name, path))
        if known is not None:
            return known
        data = self.reader.read(name)[1]
        made = self.rewrite(path, data)
        fresh = name if made == data else self._keep("blob", made)
        if fresh != name:
            self.names.setdefault(name, fresh)
            self.blobs.setdefault(path, set()).add(name)
        self._files[name, path] = fresh
        return fresh

    # -- storing --------------------------------------------------------------------------------

    def _keep(self, kind: str, data: bytes) -> str:
        name = self._objects.add(kind, b"" if self.dry else data, self._name(kind, data))
        self._size += len(data)
        if self._size > FLUSH:
            self.flush()
        return name

    def _name(self, kind: str, data: bytes) -> str:
        return object_id(kind, data, sha256=self.repo.sha256)

    def flush(self) -> None:
        """Store what is held."""
        if not self.dry:
            self._stored += 1
            with (self.scratch / f"objects-{self._stored}").open("x+b") as file:
                self._objects.write(self.into, file)
        self._objects = NewObjects(self.repo)
        self._size = 0


def _free(name: bytes, items: Mapping[bytes, Item], taken: Mapping[bytes, Item], was: bytes) -> bytes:
    """Return a name that no other entry of the folder has."""
    found, number = name, 2
    while found != was and (found in taken or found in items):
        stem, dot, end = name.partition(b".")
        found, number = b"%b-%d%b%b" % (stem, number, dot, end), number + 1
    return found


def _tree_of(commit: bytes) -> str:
    if not commit.startswith(b"tree "):
        message = "The history of this kit is damaged: a commit in it cannot be read."
        raise ReelError(message, hint="git fsck  says more")
    return commit[5 : commit.index(b"\n")].decode("ascii")


def _unfold(head: bytes) -> list[bytes]:
    """Return a header's fields, each with the lines that go on from it."""
    return re.split(rb"\n(?! )", head)
