"""A pass of maintenance: what was let go in it so far, wherever it was stopped (REEL §6.7)."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from reel_cli.flows.let_fade import OP
from reel_cli.kit.git import Repository
from reel_cli.kit.losses import list_lost
from reel_cli.kit.maintenance import UnderWay
from reel_cli.kit.revisions import is_before
from reel_cli.model.moment import moment

GOES_ON = timedelta(days=1)
"""A pass that was begun longer ago is not gone on with: a new one begins."""


@dataclass(frozen=True, slots=True)
class SoFar:
    """What a pass has done: the tokens it took from each ring, and the names that took a step."""

    lost: dict[str, int]
    moved: frozenset[str]


def goes_on(repo: Repository, under_way: UnderWay, now: datetime) -> bool:
    """Whether a pass that was begun is gone on with: it is young, and its commit is still in history."""
    head = repo.head()
    if head is None or abs(now - moment(under_way.begun)) > GOES_ON:
        return False
    return under_way.commit == head or is_before(repo, under_way.commit, head)


def done_since(repo: Repository, commit: str) -> SoFar:
    """What maintenance let go since a commit, by history; it alone knows where a pass was stopped."""
    lost: dict[str, int] = {}
    found = list_lost(repo, commit, OP) if commit != repo.head() else ()
    for loss in found:
        ring = "4" if loss.before == "stub" else "3"
        lost[ring] = lost.get(ring, 0) + loss.tokens_before - loss.tokens_after
    return SoFar(lost, frozenset(loss.id for loss in found))
