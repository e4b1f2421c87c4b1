"""A pass of maintenance: what was let go in it so far, wherever it was stopped (REEL §6.7)."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from reel_cli.core.frozen import frozen
from reel_cli.core.git.commit_tree import is_before
from reel_cli.core.git.history import Commit, read_log
from reel_cli.core.git.repository import Repository
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.moment import moment
from reel_cli.core.rings.losses import list_lost
from reel_cli.core.values.change import Change
from reel_cli.core.values.holdings import Counter
from reel_cli.core.values.memory import Level
from reel_cli.features.fading.fading import Fallen, Step
from reel_cli.features.fading.pass_file import UnderWay
from reel_cli.features.fading.plan import OP
from reel_cli.features.forgetting.plan_restore import losses_of, plan_restore

GOES_ON = timedelta(days=1)
"""A pass that was begun longer ago is not gone on with: a new one begins."""


_RINGS = {"note": "2", "stub": "4"}
"""The ring a loss is of, by what was there before; of a memory it is the third."""


@frozen
class SoFar:
    """The progress of a pass: the tokens removed from each ring, and the names that took a step."""

    lost: dict[str, int]
    moved: frozenset[str]


def goes_on(repo: Repository, under_way: UnderWay, now: datetime) -> bool:
    """Return whether a begun pass is continued: it is young, and its commit is still in history."""
    head = repo.head()
    if head is None or abs(now - moment(under_way.begun)) > GOES_ON:
        return False
    return under_way.commit == head or is_before(repo, under_way.commit, head)


def done_since(repo: Repository, commit: str) -> SoFar:
    """Return what maintenance removed since a commit, by history, which shows where a pass stopped."""
    lost: dict[str, int] = {}
    found = list_lost(repo, commit, OP) if commit != repo.head() else ()
    for loss in found:
        ring = _RINGS.get(loss.before, "3")
        lost[ring] = lost.get(ring, 0) + loss.tokens_before - loss.tokens_after
    return SoFar(lost, frozenset(loss.id for loss in found))


def fallen_in_maintenance(snapshot: Snapshot, repo: Repository) -> Mapping[str, Fallen]:
    """Return the last loss of each present memory, if maintenance took it for room or by age.

    What a person let go of themselves is none of it, and neither is what has left ring 3.
    """
    found: dict[str, Fallen] = {}
    seen: set[str] = set()
    for loss in losses_of(snapshot, repo, read_log(repo)):
        name = loss.forgot.id
        if loss.back is None and name not in seen:
            seen.add(name)
            if loss.op == OP and loss.forgot.after in Level.__members__:
                found[name] = Fallen(loss.forgot.before, loss.forgot.after, loss.forgot.tokens_before)
    return found


def plan_raise(  # noqa: PLR0913 (one step, and the history it goes back in)
    snapshot: Snapshot,
    repo: Repository,
    counter: Counter,
    step: Step,
    commits: Sequence[Commit],
    now: datetime,
) -> Change:
    """Return the change that gives a memory back its level before the last step, byte for byte.

    It is not pinned: where room is wanted again, it fades again. Raises what `plan_restore` does.
    """
    restoring = plan_restore(
        snapshot, repo, counter, commits, [step.id], level=step.after, now=now, pin=False
    )
    return replace(restoring.change, notes=(*restoring.change.notes, step.why))
