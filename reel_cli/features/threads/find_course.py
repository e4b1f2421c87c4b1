"""From one memory along its threads: the memories it came from, and those it went on in."""

from pathlib import Path
from typing import TYPE_CHECKING

from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.values.search import CourseStep, MemoryCourse
from reel_cli.features.threads.survey import open_lattice, survey_threads

if TYPE_CHECKING:
    from reel_cli.core.values.memory import Memory

MOST = 3
"""Number of memories told on either side: those nearest in time."""


def find_course(root: Path, snapshot: Snapshot, memory: str) -> MemoryCourse:
    """Return the memories that share a thread with one, earlier and later, each in order of time."""
    with open_lattice(root, snapshot) as lattice:
        found = [one for one in survey_threads(lattice, snapshot) if memory in {m.id for m in one.memories}]
    near: dict[str, tuple[Memory, str]] = {}
    for one in found:
        for other in one.memories:
            near.setdefault(other.id, (other, one.thread.name))
    steps = [
        CourseStep(other.id, other.title, thread)
        for other, thread in sorted(near.values(), key=lambda pair: pair[0].order)
    ]
    at = next((place for place, step in enumerate(steps) if step.id == memory), 0)
    return MemoryCourse(steps[max(0, at - MOST) : at], steps[at + 1 : at + 1 + MOST])
