"""The index as a whole, and the facts of its turns beside their words."""

import sqlite3
from collections.abc import Iterable, Mapping

from reel_cli.core.frozen import frozen

PLACES_BITS = 24
PLACES = 1 << PLACES_BITS
"""Number of row numbers a session has."""

SHORT_TURNS, LONG_TURNS = 60, 120
"""Words in a session's turns on average, up to which they count as short, and from which as long."""


@frozen
class Fact:
    """The indexed facts of a turn beside its words; `size` is in words."""

    number: int
    role: str
    name: str
    size: int


@frozen
class Overview:
    """The index as a whole: sessions by number with name and words, in the order they were had."""

    names: Mapping[int, str]
    sizes: Mapping[int, int]
    places: Mapping[int, int]
    counts: Mapping[int, int]
    """Turns of each session."""
    turns: int
    words: int

    @property
    def turn_size(self) -> float:
        """Return the words in a turn, on average."""
        return max(1.0, self.words / max(1, self.turns))

    def long_turns(self, session: int) -> float:
        """Return how far a session's turns are long: from 0, as in a chat of friends, to 1."""
        usual = self.sizes[session] / max(1, self.counts[session])
        return min(1.0, max(0.0, (usual - SHORT_TURNS) / (LONG_TURNS - SHORT_TURNS)))

    @property
    def session_size(self) -> float:
        """Return the words in a session, on average."""
        return max(1.0, self.words / max(1, len(self.names)))


def read_facts(file: sqlite3.Connection, rows: Iterable[int]) -> dict[int, Fact]:
    """Return the facts of these turns; skips rows that are not turns."""
    wanted = sorted(rows)
    found: dict[int, Fact] = {}
    for at in range(0, len(wanted), 500):
        part = wanted[at : at + 500]
        marks = ",".join("?" * len(part))
        for row, number, role, name, size in file.execute(
            f"SELECT rowid, number, role, name, size FROM facts WHERE rowid IN ({marks})",  # noqa: S608
            part,
        ):
            found[row] = Fact(number, role, name, size)
    return found
