"""Memories that have left what was said, to be made again from the tape at their own level (REEL §10.2)."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.evidence.memory_check import hold_all_against_tape
from reel_cli.core.files.memory_file import parse_memory
from reel_cli.core.kit.head_note import HistoryNote
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.values.change import one_line
from reel_cli.core.values.holdings import Counter
from reel_cli.core.values.memory import Level, Memory, memory_path
from reel_cli.features.fading.fading import SIZES, Move, Step
from reel_cli.features.forgetting.lineage import has_compressed_again, list_strayed, read_regeneration
from reel_cli.features.forgetting.past import Past, read_past

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from reel_cli.core.git.repository import Repository


def list_regenerations(
    snapshot: Snapshot,
    kit: Path,
    repo: "Repository | None",
    counter: Counter,
    only: "Collection[str] | None" = None,
) -> "Sequence[Step]":
    """Return the memories to make again, worst first, then oldest; each keeps its level.

    With `only`, no others than these are looked at. A glance at the kit is enough: only what is found is
    read whole.
    """
    past = _read_past_of_lineages(snapshot, kit, repo)
    notes = hold_all_against_tape(snapshot, kit, only=only)
    strayed = [
        replace(one, memory=parse_memory(snapshot.text(path) or "", path))
        for one in list_strayed(snapshot, past, notes)
        if only is None or one.memory.id in only
        for path in (memory_path(one.memory.id),)
    ]
    if not strayed:
        return []
    strayed.sort(key=lambda one: (-one.lineage.depth, -one.share, one.memory.order))
    rule = read_regeneration(snapshot, kit, repo)
    return [
        _regeneration(one.memory, "; ".join(one.reasons), counter)
        for one in strayed
        if rule.takes(one.memory)
    ]


def _read_past_of_lineages(snapshot: Snapshot, kit: Path, repo: "Repository | None") -> Past | None:
    """Return a kit's history if a memory may have a lineage in it; None if none has."""
    if repo is None:
        return None
    read: list[Past | None] = []

    def look() -> bool:
        read.append(read_past(snapshot, repo))
        return read[0] is not None and has_compressed_again(read[0])

    if not HistoryNote("lineages", look).recall(kit, repo):
        return None
    return read[0] if read else read_past(snapshot, repo)


def name_regenerations(snapshot: Snapshot, names: "Sequence[str]", counter: Counter) -> "Sequence[Step]":
    """Return the steps that make these memories again because a person says so.

    Raises ReelError where one is not there, or is a tag.
    """
    found = []
    for name in dict.fromkeys(name.upper() for name in names):
        memory = snapshot.memories.get(name)
        if memory is None:
            message = f"There is no memory {one_line(name, 20)}."
            raise ReelError(message, hint="see them with  reel memory list")
        if memory.level is Level.L4:
            message = f"Only one line is left of {name}; it cannot be written again."
            raise ReelError(message, hint=f"bring its text back first:  reel restore {name} --level L1")
        found.append(_regeneration(memory, "in doubt", counter))
    return found


def _regeneration(memory: Memory, why: str, counter: Counter) -> Step:
    level, tokens = memory.level.value, counter.count(memory.body)
    most = min(tokens, SIZES[level][1])
    return Step(Move.REGENERATE, memory.id, memory.title, level, level, tokens, why, asks=True, then=most)
