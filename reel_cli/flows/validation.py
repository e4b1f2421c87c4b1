"""Memories that have left what was said, to be made again from the tape at their own level (REEL §10.2)."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from reel_cli.flows.doctor_lineage import list_strayed
from reel_cli.flows.doctor_past import read_past
from reel_cli.flows.grounding import hold_all_against_tape
from reel_cli.kit.memory_file import memory_path, parse_memory
from reel_cli.kit.snapshot import Snapshot
from reel_cli.model.fading import SIZES, Move, Step
from reel_cli.model.holdings import Counter
from reel_cli.model.memory import Level

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reel_cli.kit.git import Repository


def list_regenerations(
    snapshot: Snapshot, kit: Path, repo: "Repository | None", counter: Counter
) -> "Sequence[Step]":
    """The memories to be made again, the worst first, then the oldest; each stays at the level it has.

    A tag is one line cut from the index, and is none of them. A glance at the kit is enough: only what is
    found is read whole.
    """
    past = read_past(snapshot, repo)
    strayed = [
        replace(one, memory=parse_memory(snapshot.text(path) or "", path))
        for one in list_strayed(snapshot, past, hold_all_against_tape(snapshot, kit))
        for path in (memory_path(one.memory.id),)
    ]
    strayed.sort(key=lambda one: (-one.lineage.depth, -one.share, one.memory.order))
    return [
        Step(
            Move.REGENERATE,
            one.memory.id,
            one.memory.title,
            one.memory.level.value,
            one.memory.level.value,
            tokens,
            "; ".join(one.reasons),
            asks=True,
            then=min(tokens, SIZES[one.memory.level.value][1]),
        )
        for one in strayed
        if one.memory.level is not Level.L4
        for tokens in (counter.count(one.memory.body),)
    ]
