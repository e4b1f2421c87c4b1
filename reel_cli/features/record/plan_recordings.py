"""Record many conversations: one after another, each on top of those before it, or all as one change."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from reel_cli.core.frozen import frozen
from reel_cli.core.tape.continuation import State
from reel_cli.core.values.change import Change
from reel_cli.features.record.plan import Recorded

_TOLD = (State.NEW, State.GROWN, State.CORRECTED, State.KNOWN)
"""The order in which states are summed up."""
_DETAILS = re.compile(r" \([^()]*\)$")
"""Pattern of the end of a remark: how often and where it applies."""


@frozen
class LeftOut:
    """A conversation that cannot go on the tape, and why, in words."""

    why: str
    hint: str | None = None


@dataclass(slots=True)
class Tally:
    """The results of many recordings, counted; `added` counts messages that are new on the tape."""

    states: Counter[State] = field(default_factory=Counter)
    added: int = 0
    undated: int = 0
    """Number of new ones without a date."""
    taken_back: list[str] = field(default_factory=list)
    problems: dict[str, list[str]] = field(default_factory=dict)
    """Problems while reading, by kind, with the places where they occurred."""

    @property
    def count(self) -> int:
        """Return the number of conversations."""
        return self.states.total()

    def add(self, name: str, found: Recorded) -> None:
        """Count one; `name` is what to call it where it is an example."""
        self.states[found.state] += 1
        self.added += found.added
        self.undated += found.undated
        if found.taken_back:
            self.taken_back.append(found.session)
        for problem in found.problems:
            self.problems.setdefault(_DETAILS.sub("", problem), []).append(name)

    def states_in_words(self) -> str:
        """Return the counts of the states in words: `548 new, 2 grown, 1 known`."""
        return ", ".join(f"{self.states[state]:,} {state.value}" for state in _TOLD if self.states[state])


def squash(parts: Sequence[Recorded]) -> Change | None:
    """Return one change for all of `parts`, each planned on those before it; None for none.

    Its commit names every session it touches.
    """
    changes = [part.change for part in parts if part.change is not None]
    if len(changes) < 2:
        return changes[0] if changes else None
    sessions = list(dict.fromkeys(part.session for part in parts if part.change is not None))
    days = sorted(session[:10] for session in sessions)
    span = days[0] if days[0] == days[-1] else f"{days[0]} to {days[-1]}"
    added = sum(part.added for part in parts)
    count = f"{len(changes):,} conversations ({span}), {added:,} message{'' if added == 1 else 's'}"
    writes: dict[str, bytes | None] = {}
    reads: dict[str, bytes | None] = {}
    for change in changes:
        # what a later part read of an earlier one's is not on the disk yet
        reads.update({path: data for path, data in change.reads.items() if path not in writes})
        writes.update(change.writes)
    others = _once(pair for change in changes for pair in change.trailers if pair[0] != "Reel-Session")
    notes = tuple(dict.fromkeys(note for change in changes for note in change.notes))
    trailers = (*(("Reel-Session", session) for session in sessions), *others)
    return Change("record", count, writes, trailers, notes, reads)


def _once(pairs: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    yield from dict.fromkeys(pairs)
