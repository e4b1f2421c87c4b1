"""Changes of the intake queue between two moments, and the decisions in between."""

from collections import Counter
from collections.abc import Collection

from reel_cli.core.errors import ReelError
from reel_cli.core.kit.kind_diff import KindDiff
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.features.intake.entry import PLACES, Queue
from reel_cli.features.intake.queue import PLACED, read_queue


def compare_intake(start: Snapshot, end: Snapshot, _changed: Collection[str]) -> KindDiff:
    """Return how many things wait, and how many were decided, by where they went.

    A file that cannot be read counts as none.
    """
    before, after = (_read(side) for side in (start, end))
    known = {(one.candidate.key, one.decision) for one in before.decided}
    fresh = Counter(
        one.decision.where for one in after.decided if (one.candidate.key, one.decision) not in known
    )
    decided = {where: fresh[where] for where in PLACES if fresh[where]}
    was, now = len(before.waiting), len(after.waiting)
    lines = []
    if decided:
        lines.append("decided: " + ", ".join(f"{many:,} {PLACED[where]}" for where, many in decided.items()))
    if was != now:
        lines.append(f"{now:,} {'waits' if now == 1 else 'wait'} to be decided (before: {was:,})")
    value = {"waiting": {"before": was, "after": now}, "decided": decided}
    return KindDiff("intake", value, "Worth keeping", lines)


def _read(snapshot: Snapshot) -> Queue:
    try:
        return read_queue(snapshot)
    except ReelError:
        return Queue()
