"""Evidence of what a persona keeps: memories that somebody kept by an act, and all the others."""

from reel_cli.core.files.ledger_file import read_ledger
from reel_cli.core.git.history import read_log
from reel_cli.core.git.repository import Repository
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.rings.pins import find_pinned
from reel_cli.core.values.memory import IMMUNE_TAGS, REEL_TAGS, is_brought
from reel_cli.features.preference.policy import learn_preference

ACTS = ("restore", "promote")
"""The operations by which a memory is kept; so does a pin, and immunity."""
_NOT_KINDS = (REEL_TAGS - {"relational", "operational", "emotional", "factual"}) | IMMUNE_TAGS
"""Tags that say nothing of what a memory is about, or make it immune by themselves."""


def find_preference(snapshot: Snapshot, repository: Repository | None) -> str:
    """Return the kinds that set the kept memories apart, in one line; "" where that does not show."""
    acted = _acted_on(repository)
    pinned = find_pinned(read_ledger(snapshot))
    kept: list[frozenset[str]] = []
    others: list[frozenset[str]] = []
    for memory in snapshot.memories.values():
        if is_brought(memory.tags):
            continue
        is_kept = memory.immune or memory.id in acted or memory.id in pinned
        (kept if is_kept else others).append(frozenset(memory.tags) - _NOT_KINDS)
    gone = [one for one in snapshot.index.lines.values() if one.pruned and one.id not in snapshot.memories]
    others += [frozenset(line.tags) - _NOT_KINDS for line in gone]
    return learn_preference(kept, others)


def _acted_on(repository: Repository | None) -> set[str]:
    """Return the memories that were brought back, or made of a moment that was looked for."""
    commits = read_log(repository) if repository is not None else ()
    values = (value for commit in commits if commit.op in ACTS for value in commit.values("Reel-Memory"))
    return {value.partition(" ")[0] for value in values}
