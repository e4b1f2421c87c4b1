"""Evidence of what a persona keeps: memories that somebody kept by an act, and all the others."""

import re
from collections.abc import Sequence

from reel_cli.core.evidence.grounding.date_words import MONTHS, SEASONS, WEEKDAYS
from reel_cli.core.files.ledger_file import read_ledger
from reel_cli.core.git.history import read_log
from reel_cli.core.git.repository import Repository
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.pack.cue import stems_of
from reel_cli.core.rings.pins import find_pinned
from reel_cli.core.values.memory import IMMUNE_TAGS, REEL_TAGS, is_brought
from reel_cli.features.preference.policy import Trait, learn_preference

ACTS = ("restore", "promote")
"""The operations by which a memory is kept; so does a pin, and immunity."""
_WORD = re.compile(r"\w[\w'’]*")
_DAYS = frozenset((*MONTHS, *WEEKDAYS, *SEASONS))
"""Words that only say when something was."""
_NOT_KINDS = (REEL_TAGS - {"relational", "operational", "emotional", "factual"}) | IMMUNE_TAGS
"""Tags that say nothing of what a memory is about, or make it immune by themselves."""


def find_preference(snapshot: Snapshot, repository: Repository | None) -> str:
    """Return what sets the memories apart that were kept, in one line; "" where that does not show."""
    acted = _acted_on(repository)
    pinned = find_pinned(read_ledger(snapshot))
    names = _words(f"{snapshot.settings.name} {snapshot.settings.user}")
    kept: list[Trait] = []
    others: list[Trait] = []
    for memory in snapshot.memories.values():
        if is_brought(memory.tags):
            continue
        is_kept = memory.immune or memory.id in acted or memory.id in pinned
        trait = _trait(memory.tags, f"{memory.title}. {memory.marker}", names)
        (kept if is_kept else others).append(trait)
    gone = [one for one in snapshot.index.lines.values() if one.pruned and one.id not in snapshot.memories]
    others += [_trait(line.tags, line.description, names) for line in gone]
    return learn_preference(kept, others)


def _acted_on(repository: Repository | None) -> set[str]:
    """Return the memories that were brought back, or made of a moment that was looked for."""
    commits = read_log(repository) if repository is not None else ()
    values = (value for commit in commits if commit.op in ACTS for value in commit.values("Reel-Memory"))
    return {value.partition(" ")[0] for value in values}


def _trait(tags: Sequence[str], text: str, names: dict[str, str]) -> Trait:
    words = {stem: word for stem, word in _words(text).items() if stem not in names}
    return Trait(frozenset(tags) - _NOT_KINDS, words)


def _words(text: str) -> dict[str, str]:
    """Return the content words of a text, each by its stem as it is first written."""
    found: dict[str, str] = {}
    for word in _WORD.findall(text):
        if word.casefold() in _DAYS or any(c.isdigit() for c in word):
            continue
        for stem in stems_of(word.casefold()):
            found.setdefault(stem, word)
    return found
