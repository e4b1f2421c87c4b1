"""What waits for a person's word."""

from dataclasses import dataclass
from enum import StrEnum


class ReviewKind(StrEnum):
    """What is proposed, or was edited by hand."""

    IDENTITY = "identity"
    """A persona's suggestion to change ring 0; words, not yet an edit."""
    EXEMPLAR = "exemplar"
    """An exchange, verbatim, proposed for the ring 1 pool."""
    HAND = "hand"
    """An edit made by hand in ring 0, in the pool, or anywhere else."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """One file in `review/`: where it came from, and what it proposes (`text`, verbatim)."""

    id: str
    kind: ReviewKind
    session: str
    made: str
    title: str
    text: str
    role: str = ""
    source: str = ""
    why: str = ""
    """Why it is proposed, where nobody named it; "" where the persona did."""
