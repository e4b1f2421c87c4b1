"""A few words kept of a kit as a whole, for what is made of nearly all of its files."""

import json
import os
import stat
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import TypeVar

from reel_cli import __version__
from reel_cli.core.files.catalog_store import TROUBLE, CatalogUnusable, open_store

T = TypeVar("T")

PLACES = ("kit.yaml", "checkpoints", "journal", "ring1", "ring3", "ring4", "tape")
"""Paths of a kit that hold its past; ring 0, working memory and pending reviews are not looked at."""


class _UntrustedFileError(Exception):
    """An error for a file whose changes may go unnoticed: a link, a pipe."""


def note_kit(kit: Path, kind: str, facts: Sequence[str], make: Callable[[], T]) -> T:
    """Return a note (plain JSON, not null) on a kit: the cached one, or a new one by `make`.

    It is trusted while `facts` and all files in `PLACES` are as they were; a file is trusted to be unchanged
    as the catalog trusts it: by size, times and inode, and not while it is as young as the catalog's clock.
    Where there is a link, or no catalog can be used, it is made each time.
    """
    try:
        stamp, born = _look_over(kit, facts)
    except (OSError, _UntrustedFileError):
        return make()
    name = f"kit {kind}"
    kept, clock = recall_note(kit, name, stamp)
    if kept is not None:
        known: T = json.loads(kept)
        return known
    made = make()
    if born < clock:
        keep_note(kit, name, stamp, json.dumps(made))
    return made


def _look_over(kit: Path, facts: Sequence[str]) -> tuple[str, int]:
    """Return a short stamp of all these files, and the youngest one's creation time in nanoseconds."""
    lines: list[str] = []
    born = 0
    for place in PLACES:
        for path, found in _files(f"{kit}/{place}"):
            changed, meta = found.st_mtime_ns, found.st_ctime_ns
            lines.append(f"{path} {found.st_size} {changed} {meta} {found.st_ino}")
            born = max(born, changed, meta)
    lines.sort()
    text = "\0".join((__version__, *facts, *lines))
    return blake2b(text.encode("utf-8", "surrogateescape"), digest_size=16).hexdigest(), born


def _files(path: str) -> Iterator[tuple[str, os.stat_result]]:
    """Yield a file, or every file below a folder, in no order; there may be none."""
    if Path(path).is_symlink():
        raise _UntrustedFileError(path)
    try:
        entries = os.scandir(path)
    except FileNotFoundError:
        return
    except NotADirectoryError:
        yield path, os.lstat(path)
        return
    with entries:
        for entry in entries:
            found = entry.stat(follow_symlinks=False)
            if stat.S_ISDIR(found.st_mode):
                yield from _files(entry.path)
            elif stat.S_ISREG(found.st_mode):
                yield entry.path, found
            else:
                raise _UntrustedFileError(entry.path)


def recall_note(kit: Path, name: str, stamp: str) -> tuple[str | None, int]:
    """Return the note that is kept; if none, the time before which files must be born (0: keep nothing)."""
    try:
        store = open_store(kit)
    except CatalogUnusable:
        return None, 0
    try:
        kept = None
        with suppress(CatalogUnusable):
            # a damaged note is made again
            kept = store.recall(name, stamp)
        return kept, (0 if kept is not None else store.clock())
    except (OSError, *TROUBLE):
        return None, 0
    finally:
        with suppress(*TROUBLE):
            store.close(keep=False)


def keep_note(kit: Path, name: str, stamp: str, value: str) -> None:
    """Keep a value in the kit's catalog; where that cannot be, nothing is kept."""
    try:
        store = open_store(kit)
    except CatalogUnusable:
        return
    with suppress(*TROUBLE):
        store.keep(name, stamp, value)
    with suppress(*TROUBLE):
        store.close(keep=True)
