"""A mark that changes with a kit's history, read quickly from two small files of git's."""

import os
from pathlib import Path

from reel_cli.core.files.private import read_plain
from reel_cli.core.files.ring_files import look_at
from reel_cli.core.git.git_folder import ForeignRepositoryError, GitFolder

_BRANCH = "ref: refs/heads/"


def history_mark(kit: Path) -> str:
    """Return a mark that changes with the commit that decides which text of ring 0 is approved."""
    kit = kit.resolve()
    for place in (kit, *kit.parents):
        mark = place / ".git"
        if not os.path.lexists(mark):
            continue
        found = _plain_head(mark)
        if not found:
            return _head_by_git(kit)
        try:
            GitFolder(kit, place, mark, mark).check_once()
        except ForeignRepositoryError:
            return ""
        return f"{place} {found}"
    return ""


def _plain_head(git: Path) -> str | None:
    """Return a mark of the checked-out commit if two small files give it; else None."""
    try:
        whole = (git / "objects").is_dir() and not os.path.lexists(git / "commondir")
        if not whole or (git / "HEAD").is_symlink():
            return None
        head = read_plain(git / "HEAD").decode("ascii").strip()
        branch = head.removeprefix("ref: ")
        if not head.startswith(_BRANCH) or ".." in branch or "/." in branch:
            return None
        try:
            return read_plain(git / branch).decode("ascii").strip()
        except FileNotFoundError:
            return f"{branch} {look_at(git / 'packed-refs', '').stamp}"
    except (OSError, ValueError):
        return None


def _head_by_git(kit: Path) -> str:
    from reel_cli.core.git.repository import find_own_repository

    repository = find_own_repository(kit)
    return f"{repository.root} {repository.head()}" if repository else ""
