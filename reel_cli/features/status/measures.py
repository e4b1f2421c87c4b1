"""Measures of how much that must be there is there, as in SRIP-11 §VI; None if nothing is known yet."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Recall:
    """Anchor recall integrity: which of the declared facts a bundle lacks; `why` where none can be packed."""

    declared: int
    missing: Sequence[str] = ()
    why: str = ""

    @property
    def value(self) -> float | None:
        """Return the share that is there."""
        return (self.declared - len(self.missing)) / self.declared if self.declared else None


@dataclass(frozen=True, slots=True)
class Extraction:
    """Fact extraction rate: how many facts came of how many times that they were asked for."""

    kept: int
    refused: int
    attempts: int

    @property
    def value(self) -> float | None:
        """Return the facts per attempt."""
        return self.kept / self.attempts if self.attempts else None


@dataclass(frozen=True, slots=True)
class Coverage:
    """Fact coverage: of which categories there is a fact, and of which there is none."""

    known: Sequence[str]
    unknown: Sequence[str]

    @property
    def value(self) -> float | None:
        """Return the share of categories with a fact; None without categories."""
        every = len(self.known) + len(self.unknown)
        return len(self.known) / every if every else None


@dataclass(frozen=True, slots=True)
class Compression:
    """Compression ratio: what a bundle retains of the past, and all that was said; both in tokens."""

    retained: int | None
    said: int

    @property
    def value(self) -> float | None:
        """Return the share that is retained."""
        return self.retained / self.said if self.said and self.retained is not None else None


@dataclass(frozen=True, slots=True)
class Fullness:
    """The part of the available room that is taken."""

    name: str
    taken: int
    most: int


@dataclass(frozen=True, slots=True)
class Metrics:
    """The measures at one moment of one kit; `turns` are the user's, `gone` those searched for facts."""

    recall: Recall
    extraction: Extraction
    coverage: Coverage
    compression: Compression
    full: Sequence[Fullness]
    turns: int
    gone: int
    resting: int
