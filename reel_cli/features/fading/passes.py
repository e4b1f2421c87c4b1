"""Last run of an operation on a kit, and the sessions on the tape at that time, from history."""

import os
from collections.abc import Collection
from datetime import datetime

from reel_cli.core.files.commit_message import OP
from reel_cli.core.frozen import frozen
from reel_cli.core.git.history import SESSION_FILE
from reel_cli.core.git.process import Git, git_process
from reel_cli.core.git.repository import Repository, is_commit_id

LOOKED_AT = 8
"""Number of commits that mention the operation and are checked; one that only quotes it does not count."""


@frozen
class Done:
    """A commit by its full id, and when it was made (ISO 8601, the committer's clock)."""

    commit: str
    at: str


def last_done(repo: Repository, op: str) -> Done | None:
    """Return the newest commit of an operation on the kit; None if there is none, or no history."""
    if repo.head() is None:
        return None
    listed = git_process(
        repo.root,
        *("log", f"--max-count={LOOKED_AT}", f"--grep=^{OP}: {op}$", "-z"),
        f"--format=%H%x00%cI%x00%(trailers:key={OP},valueonly,unfold)",
        *("HEAD", "--", *([repo.prefix] if repo.prefix else [])),
    )
    parts = listed.stdout.decode("utf-8", "replace").split("\0")
    for commit, at, told in zip(parts[::3], parts[1::3], parts[2::3], strict=False):
        if told.split() == [op]:
            return Done(commit, at)
    return None


def commit_at(repo: Repository, when: datetime) -> str | None:
    """Return the newest commit not made after a moment; None where there is none."""
    listed = git_process(repo.root, "rev-list", "--max-count=1", f"--before={when.isoformat()}", "HEAD", "--")
    found = listed.stdout.decode("ascii", "replace").strip()
    return found if is_commit_id(found) else None


def sessions_then(repo: Repository, commit: str) -> Collection[str]:
    """Return the sessions that stood on the tape in a commit (a full id), by name."""
    listed = Git(repo.root)(
        "ls-tree", "-r", "-z", "--name-only", "--full-tree", commit, "--", f"{repo.prefix}tape/"
    )
    names = (os.fsdecode(name)[len(repo.prefix) :] for name in listed.split(b"\0"))
    return {name.rpartition("/")[2].removesuffix(".md") for name in names if SESSION_FILE.fullmatch(name)}
