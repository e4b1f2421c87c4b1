"""The proof of a purge: every object and every file looked through for what must not stand there any more."""

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from reel_cli.core.errors import StateError
from reel_cli.core.files.private import read_plain
from reel_cli.core.git.process import git_process
from reel_cli.core.git.repository import Repository
from reel_cli.core.git.storage.object_reader import read_all_objects
from reel_cli.core.git.storage.trees import parse_tree
from reel_cli.core.tape.erasure.target import NO_TEXT, PurgeTarget
from reel_cli.core.tape.erasure.tombstones import CutSpan, cut_file
from reel_cli.features.purge.aim import Aim

_COUNTS = re.compile(rb'"(?:n|bytes|gone|after|road)": \d+')
_FRAMES = re.compile(rb'\n<!-- \{|"hash": "[0-9a-f]{32}"\} -->\n')
_TAPE = (b"---\nsession: ", b"---\ntape: ")
_WHEN = re.compile(rb"(?m)^(?:author|committer|tagger) .*(> \d+ [+-]\d{4})$")
PERSONS = ("config", "hooks/", "info/", "description")
"""Paths in `.git` that hold a person's own settings, and that reel never writes to."""
_PASSED_OVER = ("objects/", "index")
SCHEMA = ".reel/kit.schema.json"
"""File with reel's own words, which are nobody's secret."""


@dataclass(frozen=True, slots=True)
class Trace:
    """One place where it stands: an object by its id, or a file and its lines from 1.

    `theirs`: a person's own setting of git, or a file that git leaves out; reel does not change it.
    """

    where: str
    lines: tuple[int, ...] = ()
    theirs: bool = False


def scan_objects(repo: Repository, aim: Aim) -> Iterator[Trace]:
    """Yield every object with the text, reachable or not; in other sessions, only what is told again."""
    names: dict[bytes, bool] = {}
    for name, kind, data in read_all_objects(repo.root):
        if kind == "tree":
            items = parse_tree(data, sha256=repo.sha256)
            for item in items.keys() - names.keys():
                names[item] = aim.wanted.stands_in(os.fsdecode(item))
            found = any(names[item] for item in items)
        else:
            found = _holds(data, aim)
        if found:
            yield Trace(f"{kind} {name}")


def _holds(data: bytes, aim: Aim) -> bool:
    """Return whether the text stands in a file's bytes where it must not."""
    if not is_another_session(data, aim.session):
        return stands_in_file(data, aim.wanted)
    cut = CutSpan("", NO_TEXT, retold=aim.retold.texts, talk=aim.retold.talk)
    try:
        return cut_file(data, "", cut)[0] != data
    except StateError:
        # a damaged file is no session's any more
        return stands_in_file(data, aim.wanted)


def is_another_session(data: bytes, session: str | None) -> bool:
    """Return whether some bytes are a session's, but not that one's; False if none is named."""
    return (
        session is not None
        and data.startswith(_TAPE[0])
        and not data.startswith(_TAPE[0] + session.encode() + b"\n")
    )


def stands_in_file(data: bytes, wanted: PurgeTarget) -> bool:
    """Return whether it occurs in a file's or commit's words, without tape numbers and commit times."""
    if not wanted.may_stand_in_bytes(data):
        return False
    if data.startswith(_TAPE):
        data = _FRAMES.sub(b"\0", _COUNTS.sub(b"", data))
    elif data.startswith((b"tree ", b"object ")):
        data = _WHEN.sub(lambda match: match[0].removesuffix(match[1]), data)
    return wanted.stands_in_bytes(data)


def scan_files(kit: Path, aim: Aim, ignored: Sequence[str] = ()) -> Iterator[Trace]:
    """Yield every file below the kit with the text, also in its name; not git's objects.

    `ignored` are the files that git is told to leave out, by kit path.
    """
    passed = set(ignored)
    for path, data in walk_files(kit):
        if (trace := _scan_file(path, data or b"", aim)) is not None:
            theirs = path in passed or path.startswith(tuple(f".git/{name}" for name in PERSONS))
            yield Trace(path, trace, theirs)


def walk_files(kit: Path) -> Iterator[tuple[str, bytes | None]]:
    """Yield every file below the kit with its bytes; None for one that cannot be read. Not git's objects."""
    for here, folders, files in os.walk(kit):
        folders.sort()
        for name in sorted([*files, *(f for f in folders if (Path(here) / f).is_symlink())]):
            place = Path(here) / name
            path = place.relative_to(kit).as_posix()
            inside = path.removeprefix(".git/") if path.startswith(".git/") else None
            if path == SCHEMA or (inside is not None and inside.startswith(_PASSED_OVER)):
                continue
            try:
                yield path, os.fsencode(place.readlink()) if place.is_symlink() else _read(place)
            except OSError:
                yield path, None


def _scan_file(path: str, data: bytes, aim: Aim) -> tuple[int, ...] | None:
    """Return the lines on which it stands (none: in its name); None where it does not."""
    if _holds(data, aim):
        return tuple(aim.wanted.lines_of_bytes(data)) or (1,)
    return () if aim.wanted.stands_in(path) else None


def _read(place: Path) -> bytes:
    return read_plain(place) if place.is_file() else b""


def list_ignored(repo: Repository) -> Sequence[str]:
    """Return the files of the kit that git is told to leave out, but for `.reel`."""
    listed = git_process(
        repo.root, "ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--", "."
    ).stdout
    paths = [os.fsdecode(name) for name in listed.split(b"\0") if name]
    return [path for path in paths if not path.startswith(".reel/")]
