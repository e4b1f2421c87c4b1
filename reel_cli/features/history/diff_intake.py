"""What changed between two moments of what waits to be decided, and what was decided in between."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from reel_cli.core.errors import ReelError
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.features.intake.entry import PLACES, Queue
from reel_cli.features.intake.queue import read_queue


@dataclass(frozen=True, slots=True)
class IntakeChange:
    """How many things waited before and after, and how many were decided in between, by where they went."""

    before: int
    after: int
    decided: Mapping[str, int]


def compare_intake(start: Snapshot, end: Snapshot) -> IntakeChange:
    """The counts; a file that cannot be read counts as none."""
    before, after = (_read(side) for side in (start, end))
    known = {(one.candidate.key, one.decision) for one in before.decided}
    fresh = Counter(
        one.decision.where for one in after.decided if (one.candidate.key, one.decision) not in known
    )
    decided = {where: fresh[where] for where in PLACES if fresh[where]}
    return IntakeChange(len(before.waiting), len(after.waiting), decided)


def _read(snapshot: Snapshot) -> Queue:
    try:
        return read_queue(snapshot)
    except ReelError:
        return Queue()
