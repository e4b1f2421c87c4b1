"""The cold start's end (REEL §7.3): four criteria, each with what is there and what is needed."""

from collections.abc import Sequence

from reel_cli.core.frozen import frozen

POOL = 5
MEMORIES = 10
SESSIONS = 3
ENTRIES = 15
STABLE = 2


@frozen
class Criterion:
    """One criterion: its name in words, what the kit has, what it needs."""

    criterion: str
    have: int
    need: int

    @property
    def met(self) -> bool:
        """Return whether the kit has what is needed."""
        return self.have >= self.need


def judge_maturity(
    *, pool: int, memories: int, sessions: int, entries: int, drifts: Sequence[tuple[str, str]]
) -> tuple[Criterion, ...]:
    """Check a kit against the criteria.

    `sessions` is how many sessions the memories span; `drifts` are the checkpoints' (session,
    drift_detected) pairs, oldest first; a session counts as stable by its last checkpoint.
    """
    last: dict[str, str] = dict(drifts)
    best = run = 0
    for verdict in last.values():
        run = run + 1 if verdict == "no" else 0
        best = max(best, run)
    return (
        Criterion("exemplars in the pool", pool, POOL),
        Criterion("memories", memories, MEMORIES),
        Criterion("sessions the memories span", sessions, SESSIONS),
        Criterion("lines in the index", entries, ENTRIES),
        Criterion("sessions in a row without drift", best, STABLE),
    )


def is_mature(criteria: Sequence[Criterion]) -> bool:
    """Return whether the cold start is over."""
    return all(criterion.met for criterion in criteria)
