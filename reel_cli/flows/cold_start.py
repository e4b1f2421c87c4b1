"""The cold start: whether a kit is mature yet, as its files show (REEL §7)."""

from collections.abc import Sequence
from pathlib import PurePosixPath

from reel_cli.kit.checkpoint_file import read_checkpoint
from reel_cli.kit.snapshot import Snapshot
from reel_cli.model.maturity import Criterion, is_mature, judge_maturity


def measure_maturity(snapshot: Snapshot) -> Sequence[Criterion]:
    """The criteria, each with what this kit has."""
    drifts = []
    for path in snapshot.checkpoints:
        fields = read_checkpoint(snapshot.text(path) or "", path)
        session = PurePosixPath(path).stem.rpartition(".")[0]
        drifts.append((session, fields.get("drift_detected", "").strip().casefold()))
    return judge_maturity(
        pool=len(snapshot.exemplars),
        memories=len(snapshot.memories),
        sessions=len({s for m in snapshot.memories.values() for s in m.sessions}),
        entries=len(snapshot.index.lines),
        drifts=[(session, {"false": "no", "true": "yes"}.get(drift, drift)) for session, drift in drifts],
    )


def is_cold(snapshot: Snapshot) -> bool:
    """Whether the kit is still in its cold start."""
    return not is_mature(measure_maturity(snapshot))
