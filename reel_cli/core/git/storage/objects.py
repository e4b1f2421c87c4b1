"""git's objects, made here: blobs, trees and commits of a whole chain go to git in one stream.

What is streamed is a pack, as `git fetch` receives one, and like there git itself takes it apart: a few
objects become loose ones, many stay one pack. Either way git reads every byte back before anything names it.
"""

import os
from collections.abc import Collection, Iterable, Sequence
from typing import IO, NoReturn

from reel_cli.core.errors import StateError
from reel_cli.core.git.process import Git
from reel_cli.core.git.repository import Repository
from reel_cli.core.git.storage.pack_file import (
    DELTA,
    TYPES,
    deflate,
    entry_head,
    hasher,
    object_id,
    pack_head,
    render_delta,
    render_distance,
)

AT_MOST_LOOSE = 100
"""Number of objects below which they are stored loose, as git does with fetched objects
(fetch.unpackLimit)."""
LARGE = 2 << 20
"""Bytes from which objects stay one pack, however few they are: git need not compress them again."""
MOST_STEPS = 40
"""Maximum length of a delta chain; git's is 50."""
WORTH_SHARING = 1 << 20
"""Bytes from which both processors compress."""

CRUD = "".join(map(chr, range(33))) + ".,:;<>\"\\'"
"""Characters that git trims from both ends of a name and an e-mail address."""


class NewObjects:
    """Objects that are not in git yet, by their ids."""

    def __init__(self, repo: Repository) -> None:
        """Begin empty."""
        self._sha256 = repo.sha256
        self._held: dict[str, tuple[str, bytes]] = {}
        self._like: dict[str, tuple[str, int]] = {}

    def add(self, kind: str, data: bytes, known: str | None = None, *, like: str | None = None) -> str:
        """Add an object and return its ID (`known`, if the caller has it).

        `like` names an earlier one of the kind from which it differs little, and is stored by that.
        """
        name = known or object_id(kind, data, sha256=self._sha256)
        if name not in self._held:
            self._held[name] = kind, data
            _, steps = self._like.get(like or "", ("", 0))
            if like in self._held and steps < MOST_STEPS:
                self._like[name] = like, steps + 1
        return name

    def leave_out(self, names: Iterable[str]) -> None:
        """Discard these objects; git has them."""
        for name in names:
            self._held.pop(name, None)

    def hand_over(self, names: Iterable[str], other: "NewObjects") -> None:
        """Move these objects to the other collection, if they are in this one."""
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

    def _base(self, name: str) -> str | None:
        """Return the object that this one is stored as a delta of; it precedes it."""
        base, _ = self._like.get(name, (None, 0))
        return base if base in self._held else None

    def _delta(self, name: str) -> bytes | None:
        base = self._base(name)
        return None if base is None else render_delta(self._held[base][1], self._held[name][1])

    def _size(self) -> int:
        return sum(len(data) for _, data in self._held.values())

    def _write_pack(self, file: IO[bytes]) -> bytes:
        """Write all objects as a pack; return its checksum."""
        check = hasher(sha256=self._sha256)()

        def put(part: bytes) -> None:
            check.update(part)
            file.write(part)

        put(pack_head(len(self._held)))
        places: dict[str, int] = {}
        wanted = [self._delta(name) or data for name, (_, data) in self._held.items()]
        for (name, (kind, _)), bare, body in zip(self._held.items(), wanted, _compress(wanted), strict=True):
            places[name] = file.tell()
            if (base := self._base(name)) is None:
                put(entry_head(TYPES[kind], len(bare)) + body)
            else:
                put(entry_head(DELTA, len(bare)) + render_distance(places[name] - places[base]) + body)
        file.write(check.digest())
        return check.hexdigest().encode("ascii")


def present(git: Git, names: Collection[str]) -> frozenset[str]:
    """Return the names of those blobs that git has."""
    if not names:
        return frozenset()
    asked = "".join(f"{name}\n" for name in names).encode("ascii")
    told = git("cat-file", "--batch-check", input=asked).decode("ascii", "replace").splitlines()
    return frozenset(line.split(" ")[0] for line in told if line.split(" ")[1:2] == ["blob"])


def _compress(contents: Sequence[bytes]) -> Iterable[bytes]:
    if sum(map(len, contents)) < WORTH_SHARING:
        return map(deflate, contents)
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(deflate, contents))


# -- commits ----------------------------------------------------------------------------------------


def render_commit(tree: str, parent: str | None, signature: str, message: str) -> bytes:
    """Return a commit object; author and committer are one."""
    lines = [f"tree {tree}", *([f"parent {parent}"] if parent else ())]
    return "\n".join([*lines, f"author {signature}", f"committer {signature}", "", message]).encode()


def clean_name(text: str) -> str:
    """Return a name or mail as git writes it into a commit."""
    return "".join(c for c in text if c not in "<>\n\0").strip(CRUD)


def _refuse_other_bytes() -> NoReturn:
    message = "git stored other bytes than it was given; nothing was changed."
    raise StateError(message, hint="check the disk, then run the command again")
