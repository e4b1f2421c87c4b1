"""The protocol's own anti-patterns (REEL §10), looked for in what a kit holds and how it came to hold it."""

from collections.abc import Callable, Collection
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from reel_cli.core import finding
from reel_cli.core.errors import ReelError
from reel_cli.core.evidence.memory_check import find_false_memories, hold_all_against_tape
from reel_cli.core.finding import Finding
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.features.doctor.checkpoints import find_theatre
from reel_cli.features.doctor.immunity import find_attachment
from reel_cli.features.doctor.leakage import find_leakage, known_ids
from reel_cli.features.doctor.lineage import find_spirals
from reel_cli.features.doctor.past import memory_id, read_past
from reel_cli.features.doctor.prompts import find_drift
from reel_cli.features.doctor.pruning import find_amnesia, find_unlisted
from reel_cli.features.dream.story.checks import find_invented

if TYPE_CHECKING:
    from reel_cli.core.git.repository import Repository

_OF_THE_PAST = {
    finding.INTEGRITY,
    finding.MEMORY_LEAKAGE,
    finding.DEATH_SPIRAL,
    finding.IDENTITY_DRIFT,
    finding.PRUNING_AMNESIA,
}


def find_antipatterns(
    snapshot: Snapshot,
    kit: Path,
    repo: "Repository | None",
    kinds: Collection[str],
    advance: Callable[[float], None] | None = None,
) -> list[Finding]:
    """What of these kinds can be found, kind by kind; every file that is needed can be read.

    `advance` is told of each memory that is held against the tape.
    """
    past = read_past(snapshot, repo) if _OF_THE_PAST.intersection(kinds) else None
    notes = (
        hold_all_against_tape(snapshot, kit, advance)
        if {finding.FALSE_MEMORY, finding.DEATH_SPIRAL}.intersection(kinds)
        else {}
    )
    found: list[Finding] = []
    if finding.INTEGRITY in kinds:
        found += find_unlisted(snapshot, past)
    if finding.FALSE_MEMORY in kinds:
        found += find_false_memories(notes)
        found += find_invented(snapshot)
    if finding.MEMORY_LEAKAGE in kinds:
        lost = [memory_id(path) for path in past.steps] if past is not None else []
        # the tape's own notes may not be as they were recorded, which is told of as that
        with suppress(ReelError):
            found += find_leakage(snapshot, kit, known_ids(snapshot, lost))
    if finding.DEATH_SPIRAL in kinds:
        found += find_spirals(snapshot, past, notes)
    if finding.IDENTITY_DRIFT in kinds:
        found += find_drift(snapshot, past)
    if finding.PRUNING_AMNESIA in kinds:
        found += find_amnesia(snapshot, past)
    if finding.CHECKPOINT_THEATRE in kinds:
        found += find_theatre(snapshot, kit)
    if finding.OVER_ATTACHMENT in kinds:
        found += find_attachment(snapshot)
    return found
