"""A branch that is damaged: gone although git's log has its commits, or pointing at what is no commit."""

import os
import zlib
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

from reel_cli.core.errors import StateError
from reel_cli.core.files.private import open_at_once, read_plain
from reel_cli.core.git.storage.pack_lookup import find_packed_kind

if TYPE_CHECKING:
    from reel_cli.core.git.repository import Repository

HEAD_ROOM = 4096
"""More than the compressed head of an object takes, in bytes."""


def require_commit(repo: "Repository", name: str) -> None:
    """Raise StateError where the id that is checked out names another kind of object."""
    kind = _kind_of(repo, name)
    if kind in ("", "commit"):
        return
    branch = repo.branch() or "HEAD"
    message = f"{_short(branch)} points at a {kind}, not at a commit; nothing was changed."
    raise StateError(message, hint=_way_back(repo, branch, name))


def require_unborn(repo: "Repository", branch: str) -> None:
    """Raise StateError where a branch without a commit had some, or something else is in its file's place.

    git writes its log first, so a first commit that was stopped stands in the log and never was.
    """
    place = repo.common_dir / branch
    blocked = place.is_dir() and any(place.rglob("*"))
    if not blocked and not any(old.strip("0") for old, _ in _moves(repo, branch)):
        return
    message = f"{_short(branch)} has lost its commits; nothing was changed."
    away = ""
    if blocked:
        message = f"{place} is not a plain file, and git cannot work with it; nothing was changed."
        away = "move it away, then  "
    raise StateError(message, hint=f"{away}{_way_back(repo, branch, '')}")


def _way_back(repo: "Repository", branch: str, wrong: str) -> str:
    """The command that has a branch lead to its newest commit again, as far as git's log tells."""
    known = [new for _, new in _moves(repo, branch) if new != wrong and _kind_of(repo, new) in ("", "commit")]
    update = f"git update-ref {quote(branch)} "
    return f"{update}{known[-1]}" if known else f"git fsck --lost-found  lists commits;  {update}COMMIT"


def _moves(repo: "Repository", branch: str) -> list[tuple[str, str]]:
    """The ids that each entry of git's log leads from and to, oldest first."""
    folder = repo.git_dir if branch == "HEAD" else repo.common_dir
    try:
        lines = read_plain(folder / "logs" / branch).decode("ascii", "replace").splitlines()
    except OSError:
        return []
    words = (line.split(" ", 2) for line in lines)
    return [(row[0], row[1]) for row in words if len(row) > 1]


def _kind_of(repo: "Repository", name: str) -> str:
    """Return the kind of an object; "" where it is missing or damaged, which is git's to tell of."""
    return _loose_kind(repo, name) or find_packed_kind(Path(repo.loose_objects, "pack"), name)


def _loose_kind(repo: "Repository", name: str) -> str:
    """The kind of a loose object; "" where it is not loose, or is damaged."""
    path = Path(f"{repo.loose_objects}{name[:2]}{os.sep}{name[2:]}")
    try:
        with open(path, "rb", opener=open_at_once) as file:
            head = zlib.decompressobj().decompress(file.read(HEAD_ROOM), 64)
    except (OSError, zlib.error):
        return ""
    return head.partition(b" ")[0].decode("ascii", "replace")


def _short(branch: str) -> str:
    return f"The branch {branch.removeprefix('refs/heads/')}" if branch != "HEAD" else "HEAD"
