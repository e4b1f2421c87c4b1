"""History of a kit as a checkup reads it, once: the commits, each memory's origin, the losses."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.git.history import Commit, read_log
from reel_cli.core.git.tracked_files import read_blobs
from reel_cli.core.kit.checkup import read_memory_steps
from reel_cli.core.kit.hand_edits import BY_HAND, Step
from reel_cli.features.forgetting.plan_restore import losses_of

if TYPE_CHECKING:
    from reel_cli.core.git.repository import Repository
    from reel_cli.core.kit.snapshot import Snapshot
    from reel_cli.core.rings.losses import Loss

RING_3 = "ring3/"
SHORT = 7
"""Characters of a commit's ID on screen."""


@dataclass(frozen=True)
class Past:
    """A kit's history as a checkup needs it; `commits` newest first, `steps` of each file of ring 3 too."""

    repo: "Repository"
    commits: Sequence[Commit]
    steps: Mapping[str, Sequence[Step]]
    losses: Sequence["Loss"]
    kept: frozenset[str]
    """The files of ring 3 that the newest commit has: a merge may take one away without a step of its own."""
    first: str = field(default="")
    """The commit with which the kit begins, by its full id: what it brings was not written here."""

    @cached_property
    def by_id(self) -> Mapping[str, Commit]:
        """Return each commit by its full id."""
        return {commit.id: commit for commit in self.commits}

    def is_by_hand(self, commit: str) -> bool:
        """Return whether a person made the commit, or reel for a person's own edits."""
        known = self.by_id.get(commit)
        return known is not None and known.op in (None, BY_HAND)

    def is_unseen(self, commit: str) -> bool:
        """Return whether a person made the commit without reel, so that nobody approved it there."""
        known = self.by_id.get(commit)
        return known is not None and known.op is None


def read_past(
    snapshot: "Snapshot",
    repo: "Repository | None",
    read: Callable[["Repository"], Mapping[str, Sequence[Step]]] = read_memory_steps,
) -> Past | None:
    """Read it; None where there is no history, or it cannot be read (which is told of elsewhere).

    `read` gives the steps of each memory's file, where they are known already.
    """
    try:
        if repo is None or repo.head() is None:
            return None
        commits = read_log(repo)
        steps = read(repo)
        losses = losses_of(snapshot, repo, commits)
        kept = frozenset(read_blobs(repo, commits[0].id, RING_3)) if commits else frozenset()
    except ReelError:
        return None
    return Past(repo, commits, steps, losses, kept, commits[-1].id if commits else "")


def memory_id(path: str) -> str:
    """Return a memory's ID from its path: `M-004` of `ring3/M-004.md`."""
    return path.removeprefix(RING_3).removesuffix(".md")


def told_of(commit: Commit) -> str:
    """Return a commit for a sentence: its day, its short ID, its subject."""
    return f'{commit.time[:10]}, {commit.id[:SHORT]} "{commit.subject}"'
