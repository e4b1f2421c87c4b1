"""What history tells of dreams and of purges: when each was, in one reading."""

from collections.abc import Sequence
from dataclasses import dataclass

from reel_cli.kit.commit_message import OP, UNDOES
from reel_cli.kit.git import Repository, is_commit_id
from reel_cli.kit.git_process import git_process

DREAM, PURGE = "dream", "purge"


@dataclass(frozen=True, slots=True)
class Marks:
    """When a batch of a dream was woven, and when something was purged: ISO 8601, the newest first."""

    dreams: Sequence[str] = ()
    purges: Sequence[str] = ()


def read_marks(repo: Repository, tip: str | None = None) -> Marks:
    """What history tells up to `tip` (a full id; None: what is checked out); nothing where it cannot be read.

    A dream that was taken back is none, and neither is one that was only begun or stopped.
    """
    head = tip if tip is not None else repo.head()
    if head is None or not is_commit_id(head):
        return Marks()
    keys = (OP, UNDOES, "Reel-Session")
    listed = git_process(
        repo.root,
        *("log", f"--grep=^{OP}: \\(dream\\|purge\\|undo\\)$", "-z"),
        "--format="
        + "%x00".join(["%H", "%cI", *(f"%(trailers:key={key},valueonly,unfold)" for key in keys)]),
        *(head, "--", *([repo.prefix] if repo.prefix else [])),
    )
    if listed.returncode:
        return Marks()
    parts = listed.stdout.decode("utf-8", "replace").split("\0")
    width = 2 + len(keys)
    rows = [parts[at : at + width] for at in range(0, len(parts) - width + 1, width)]
    undone = {commit for _, _, _, undoes, _ in rows for commit in undoes.split()}
    told = [(op.strip(), at, sessions) for commit, at, op, _, sessions in rows if commit not in undone]
    return Marks(
        tuple(at for op, at, sessions in told if op == DREAM and sessions.strip()),
        tuple(at for op, at, _ in told if op == PURGE),
    )
