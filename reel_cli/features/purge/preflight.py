"""Conditions for rewriting a kit's history, and the parts of it that reel does not reach."""

import os
from collections.abc import Sequence
from dataclasses import dataclass

from reel_cli.core.change.preflight import require_branch
from reel_cli.core.errors import StateError
from reel_cli.core.git.index import lock_of, without_filters
from reel_cli.core.git.process import AS_IT_IS, Git, git_process, lock_problem
from reel_cli.core.git.repository import Repository

LEFT = ("refs/stash", "refs/remotes/")
"""Names that are let go: what they lead to would keep the old history."""


@dataclass(frozen=True, slots=True)
class Name:
    """One of git's names: what it leads to, and of what kind that is."""

    ref: str
    object: str
    kind: str


@dataclass(frozen=True, slots=True)
class Remote:
    """A remote repository by its name and address."""

    name: str
    address: str


def require_alone(repo: Repository) -> None:
    """Refuse to rewrite a history that is not this kit's alone, or not all here; StateError."""
    if repo.prefix:
        message = f"This kit is part of a larger git repository ({repo.root.name}), whose history is shared."
        raise StateError(
            message, hint="git filter-repo  in that repository can do it; all who share it must agree"
        )
    if repo.git_dir != repo.common_dir or not (repo.root / ".git").is_dir():
        message = "This kit is a linked work tree or a submodule: its history is shared with another folder."
        raise StateError(message, hint="run the command in the folder that has the real .git")
    if any((repo.common_dir / "worktrees").glob("*/HEAD")):
        message = "Other work trees are linked to this kit and share its history."
        raise StateError(message, hint="remove them first:  git worktree list  and  git worktree remove PATH")
    if (repo.common_dir / "shallow").exists():
        message = "This copy lacks the older history, so nothing could be purged for good."
        raise StateError(message, hint="fetch the rest first:  git fetch --unshallow")
    borrowed = repo.common_dir / "objects" / "info" / "alternates"
    if borrowed.exists() and borrowed.read_bytes().strip():
        message = "This kit borrows its history from another repository on this machine."
        raise StateError(
            message, hint="make it its own first:  git repack -a -d && rm .git/objects/info/alternates"
        )
    if git_process(repo.root, "config", "--get", "extensions.partialclone").stdout.strip():
        message = "This is a partial clone: part of the history is missing."
        raise StateError(message, hint="clone it whole, and run the command there")
    if os.path.lexists(lock_of(repo.index)):
        raise lock_problem(lock_of(repo.index))
    require_branch(repo)
    _refuse_substitutes(repo)
    _refuse_half_staged(repo)


def _refuse_substitutes(repo: Repository) -> None:
    replaced = Git(repo.root)("for-each-ref", "--format=%(refname)", "refs/replace/", env=AS_IT_IS)
    if replaced.strip() or (repo.common_dir / "info" / "grafts").exists():
        message = "Parts of this history are replaced by others (git replace); rewriting it would lose them."
        raise StateError(message, hint="to remove a replacement:  git replace -d")


def _refuse_half_staged(repo: Repository) -> None:
    listed = Git(repo.root)(
        *("status", "--porcelain=v1", "-z", "--no-renames", "--untracked-files=no"), env=without_filters(repo)
    )
    for entry in listed.split(b"\0"):
        if len(entry) > 3 and entry[:1] not in b" ?" and entry[1:2] != b" ":
            path = os.fsdecode(entry[3:])
            message = f"{path} is partly staged in git; nothing was changed."
            raise StateError(
                message,
                hint=f"stage all of it:  git add {path}  , or none of it:  git restore --staged {path}",
            )


def list_names(repo: Repository) -> Sequence[Name]:
    """Return every name that leads to an object, except those that lead to another name."""
    listed = Git(repo.root)(
        "for-each-ref", "--format=%(refname)%00%(objectname)%00%(objecttype)%00%(symref)%00", env=AS_IT_IS
    )
    rows = [row.split("\0") for row in listed.decode("utf-8", "surrogateescape").split("\n") if row]
    return [Name(*row[:3]) for row in rows if len(row) > 3 and not row[3]]


def count_stashed(repo: Repository) -> int:
    """Return the number of stashed changes."""
    listed = git_process(repo.root, "reflog", "show", "--format=%H", "refs/stash", "--")
    return len(listed.stdout.split()) if not listed.returncode else 0


def list_remotes(repo: Repository) -> Sequence[Remote]:
    """Return the remotes in the kit's settings."""
    asked = git_process(repo.root, "config", "-z", "--get-regexp", r"^remote\..*\.(url|pushurl)$")
    found: dict[str, Remote] = {}
    for row in asked.stdout.decode("utf-8", "surrogateescape").split("\0"):
        key, _, address = row.partition("\n")
        name = key.removeprefix("remote.").rpartition(".")[0]
        if name:
            found.setdefault(name, Remote(name, address))
    return list(found.values())
