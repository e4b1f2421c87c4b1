"""Questions that a page foresaw, and the turns that answer them.

A page asks for what may be asked later in other words than were said. Such a question is like no turn: it
says only in which stretch the answer is. Which turn of it answers is decided by the ranking, and the others
of the stretch come next.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import field

from reel_cli.core.frozen import frozen
from reel_cli.core.tape.search.query import Term

FORESEEN = 2.0
"""Lift of a stretch that answers a question foreseen word for word, as a share of each turn's score."""
LEAST_FORESEEN = 0.45
"""Likeness from which a foreseen question counts as the one asked."""


@frozen
class Foreseen:
    """A question that a note foresaw: the terms it holds, and the turns of which one answers it.

    `likeness` to the question asked is from 0 to 1. `anchor` returns the turn that holds the note's phrase.
    """

    note: int
    mask: int
    likeness: float
    stretch: Sequence[int]
    anchor: Callable[[], int | None]


@frozen
class Leads:
    """The turns that notes lead to, by row (a note's number, a mask of its terms), and what notes foresaw."""

    turns: Mapping[int, tuple[int, int]] = field(default_factory=dict)
    foreseen: Sequence[Foreseen] = ()


FindLeads = Callable[[Sequence[Term], Sequence[float], Collection[int] | None], Leads]
"""Function from terms, their weights and the allowed sessions to what notes lead to."""


def find_unsaid(foreseen: Sequence[Foreseen], found: Iterable[Sequence[int]]) -> dict[int, tuple[int, int]]:
    """Return the turns with the phrases of notes in whose stretch no word of the question was found."""
    said = {row for rows in found for row in rows} if foreseen else set[int]()
    anchors = ((one.anchor(), one) for one in foreseen if said.isdisjoint(one.stretch))
    return {row: (one.note, one.mask) for row, one in anchors if row is not None}


def lift_foreseen(
    scores: Mapping[int, float], foreseen: Sequence[Foreseen]
) -> tuple[dict[int, float], list[tuple[int, Foreseen]]]:
    """Return scores, the best at 1, with each answering stretch lifted; and the best turn of each."""
    lift: dict[int, float] = {}
    chosen = []
    for one in foreseen:
        known = [row for row in one.stretch if row in scores]
        if known:
            chosen.append((max(known, key=scores.__getitem__), one))
        more = FORESEEN * one.likeness**2
        lift.update((row, max(more, lift.get(row, 0.0))) for row in known)
    lifted = {row: value * (1 + lift.get(row, 0.0)) for row, value in scores.items()}
    best = max(lifted.values(), default=0.0) or 1.0
    return {row: value / best for row, value in lifted.items()}, chosen
