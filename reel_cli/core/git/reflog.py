"""git's log of where a branch was, without a move that a stopped git wrote down and never made."""

from collections.abc import Sequence
from pathlib import Path

from reel_cli.core.git.process import Git
from reel_cli.core.git.repository import Repository


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
        # the newest first, as git counts them; deleting from the oldest on keeps the numbers of the rest
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
