"""git's refs: commits that they lead to, and the log of their moves.

A failure of git never counts as a no.
"""

from collections.abc import Sequence
from pathlib import Path

from reel_cli.core.git.process import AS_IT_IS, Git, git_problem, git_process
from reel_cli.core.git.repository import Repository, is_commit_id


def read_tip(repo: Repository, ref: str) -> str | None:
    """Return the commit that a name leads to, None where there is none; StateError if git cannot answer."""
    asked = git_process(repo.root, "rev-parse", "--verify", "-q", f"{ref}^{{commit}}", env=AS_IT_IS)
    tip = asked.stdout.decode("ascii", "replace").strip()
    if asked.returncode and asked.stderr.strip():
        raise git_problem(asked.stderr.decode("utf-8", "replace"), "rev-parse", repo.root)
    return tip if is_commit_id(tip) else None


def is_ancestor(repo: Repository, commit: str, tip: str) -> bool:
    """Return whether a commit is part of a tip's history; StateError if git cannot answer.

    A commit that git no longer has is part of no history.
    """
    asked = git_process(repo.root, "merge-base", "--is-ancestor", commit, tip, env=AS_IT_IS)
    if asked.returncode > 1:
        # git gives the same message for a missing commit as for settings that it cannot read
        known = git_process(repo.root, "cat-file", "-e", f"{tip}^{{commit}}", env=AS_IT_IS)
        if known.returncode:
            raise git_problem(asked.stderr.decode("utf-8", "replace"), "merge-base", repo.root)
    return asked.returncode == 0


def forget_unmade_move(repo: Repository, git: Git, branch: str, commit: str) -> None:
    """Delete a branch's log entry for a commit that the branch never led to, and HEAD's entry with it.

    git writes the log before it moves the branch, so a git that is stopped in between leaves an entry for a
    commit that was never there. A later entry that begins at the commit shows that the branch was there; the
    log then stays as it is. Raises StateError where git cannot change the log.
    """
    logs = {branch: repo.common_dir / "logs" / branch, "HEAD": repo.git_dir / "logs" / "HEAD"}
    moves = {name: _read_moves(log) for name, log in logs.items()}
    if any(old == commit for found in moves.values() for old, _ in found):
        return
    for name, found in moves.items():
        # git numbers the entries from the newest, so deleting from the oldest keeps the other numbers
        numbers = [number for number, (_, new) in enumerate(reversed(found)) if new == commit]
        for number in reversed(numbers):
            git("reflog", "delete", f"{name}@{{{number}}}")


def _read_moves(log: Path) -> Sequence[tuple[str, str]]:
    """Return the ids that each entry leads from and to, oldest first; nothing where there is no log."""
    try:
        lines = log.read_bytes().decode("ascii", "replace").splitlines()
    except OSError:
        return ()
    words = (line.split(" ", 2) for line in lines)
    return [(row[0], row[1]) for row in words if len(row) > 1]
