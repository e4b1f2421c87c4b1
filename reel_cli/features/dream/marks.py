"""Dreams and purges in history: the time of each, in one reading."""

from collections.abc import Sequence
from dataclasses import dataclass

from reel_cli.core.files.commit_message import OP, UNDOES
from reel_cli.core.git.process import git_process
from reel_cli.core.git.repository import Repository, is_commit_id

DREAM, PURGE = "dream", "purge"
_BATCH = f"{DREAM}: batch "
"""Beginning of a batch's commit subject."""


@dataclass(frozen=True, slots=True)
class Marks:
    """Times of woven batches and of purges: ISO 8601, newest first."""

    dreams: Sequence[str] = ()
    purges: Sequence[str] = ()


def read_marks(repo: Repository, tip: str | None = None) -> Marks:
    """Return the dreams and purges up to `tip` (a full id; None: HEAD); empty if history cannot be read.

    A dream that was taken back is none, and neither is one that was only begun or stopped, nor a chapter that
    was held against the tape again.
    """
    head = tip if tip is not None else repo.head()
    if head is None or not is_commit_id(head):
        return Marks()
    keys = (OP, UNDOES, "Reel-Session")
    fields = ("%H", "%cI", "%s", *(f"%(trailers:key={key},valueonly,unfold)" for key in keys))
    listed = git_process(
        repo.root,
        *("log", f"--grep=^{OP}: \\(dream\\|purge\\|undo\\)$", "-z"),
        f"--format={'%x00'.join(fields)}",
        *(head, "--", *([repo.prefix] if repo.prefix else [])),
    )
    if listed.returncode:
        return Marks()
    parts = listed.stdout.decode("utf-8", "replace").split("\0")
    width = len(fields)
    rows = [parts[at : at + width] for at in range(0, len(parts) - width + 1, width)]
    undone = {commit for _, _, _, _, undoes, _ in rows for commit in undoes.split()}
    told = [row[1:] for row in rows if row[0] not in undone]
    batches = (
        at
        for at, subject, op, _, sessions in told
        if op.strip() == DREAM and sessions.strip() and subject.startswith(_BATCH)
    )
    return Marks(tuple(batches), tuple(at for at, _, op, *_ in told if op.strip() == PURGE))
