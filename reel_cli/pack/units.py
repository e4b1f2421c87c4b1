"""What a bundle is put together from: units, each listed with its size, and the list of what stayed out."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple, overload

from reel_cli.model.bundle import LeftOut, Loaded
from reel_cli.model.holdings import LineRow, MemoryRow
from reel_cli.pack import words
from reel_cli.pack.render import Style

FRAME = "frame"
"""The name, in place of a ring's, of what reel itself says in a bundle."""


class Unit(NamedTuple):
    """A stretch of the bundle that is loaded as one; `tokens` counts it with its headings."""

    ring: str
    id: str
    text: str
    tokens: int
    resolution: str = "whole"

    @property
    def loaded(self) -> Loaded:
        """The unit's line in the account."""
        return Loaded(self.ring, self.id, self.resolution, self.tokens)


class Omissions(Sequence[LeftOut]):
    """Everything that stayed out and why; kept in groups, as it may be thousands."""

    def __init__(self) -> None:
        self.groups: list[tuple[str, Sequence[str], str]] = []

    def add(self, ring: str, ids: Sequence[str], reason: str) -> None:
        """Leave out these IDs of a ring for one reason."""
        if ids:
            self.groups.append((ring, ids, reason))

    def __len__(self) -> int:
        return sum(len(ids) for _, ids, _ in self.groups)

    def __iter__(self) -> Iterator[LeftOut]:
        for ring, ids, reason in self.groups:
            for item in ids:
                yield LeftOut(ring, item, reason)

    def __eq__(self, other: object) -> bool:
        return list(self) == list(other) if isinstance(other, Sequence) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    @overload
    def __getitem__(self, at: int) -> LeftOut: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[LeftOut]: ...
    def __getitem__(self, at: int | slice) -> LeftOut | Sequence[LeftOut]:
        return list(self)[at]


class Writer:
    """Writes the units of a bundle in one style, and says beforehand what the lists' own words will take."""

    def __init__(self, style: Style, count: Callable[[str], int]) -> None:
        """Write in `style` and size by `count`."""
        self.style = style
        self.count = count

    def unit(self, ring: str, name: str, text: str) -> list[Unit]:
        """A unit of its own; none where there is no text."""
        return [Unit(ring, name, text, self.count(text))] if text else []

    def clashes(self, told: Sequence[tuple[str, str]]) -> list[Unit]:
        """What does not agree yet: (name, sentence) pairs, one unit each."""
        units = []
        for place, (name, text) in enumerate(told):
            last = place == len(told) - 1
            item = self.style.end(text) if last else f"{self.style.item}{text}\n"
            units.append(Unit(FRAME, name, item, self.count(item)))
        self.open(units, self.style.section(words.CLASH))
        return units

    # -- ring 4 ----------------------------------------------------------------------------

    def lines_overhead(self) -> int:
        """What the index takes beside its lines, in tokens."""
        return self.count(self._recall) + self._longest(words.RECALL_MORE, words.RECALL_ALL)

    @property
    def _recall(self) -> str:
        return self.style.section(words.RECALL, words.RECALL_INTRO)

    def lines(self, rows: Sequence[LineRow], texts: Mapping[str, str], *, more: bool) -> list[Unit]:
        """The index, the newest line first; `more` says that lines were left out."""
        units = [Unit("4", row.id, texts[row.id], row.tokens) for row in rows]
        self.open(units, self._recall)
        self._close(units, words.RECALL_MORE if more else words.RECALL_ALL)
        return units

    # -- ring 3 ----------------------------------------------------------------------------

    def memories_overhead(self) -> int:
        """What the memories' section takes beside them at most, in tokens."""
        head = self.count(self._remember) + self.count(self.style.faint())
        return head + self._longest(words.REMEMBER_MORE, words.REMEMBER_ALL)

    @property
    def _remember(self) -> str:
        return self.style.section(words.REMEMBER, words.REMEMBER_INTRO)

    def memories(
        self, loaded: Sequence[tuple[MemoryRow, str, int]], texts: Mapping[str, str], *, more: bool
    ) -> list[Unit]:
        """The memories, those told at length first, then those told in a line; each group newest first."""
        made = [Unit("3", row.id, texts[row.id], size, name) for row, name, size in loaded]
        units = [unit for unit in made if self.style.told_at_length(unit.text)]
        faint = [unit for unit in made if not self.style.told_at_length(unit.text)]
        if units:
            self.open(faint, self.style.faint())
        self._close(faint, words.REMEMBER_MORE if more else words.REMEMBER_ALL)
        units += faint
        self.open(units, self._remember)
        return units

    # -- headings go with the first unit, last items with the last ------------------------------

    def _longest(self, *choices: str) -> int:
        return max(self.count(self.style.end(text)) for text in choices)

    def open(self, units: list[Unit], text: str) -> None:
        """Put a section's heading before the first of its units."""
        if units:
            first = units[0]
            tokens = first.tokens + self.count(text)
            units[0] = first._replace(text=text + first.text, tokens=tokens)

    def _close(self, units: list[Unit], said: str) -> None:
        if units:
            last, text = units[-1], self.style.end(said)
            units[-1] = last._replace(text=last.text + text, tokens=last.tokens + self.count(text))
