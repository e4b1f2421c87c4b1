"""Units of a bundle, each with its size, and the list of what was left out."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, overload

from reel_cli.core.pack import words
from reel_cli.core.pack.render import Style
from reel_cli.core.values.bundle import LeftOut, Loaded
from reel_cli.core.values.holdings import FactRow, LineRow, MemoryRow

if TYPE_CHECKING:
    from reel_cli.core.values.holdings import Lines, Memories

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
        """Return the unit's line in the account."""
        return Loaded(self.ring, self.id, self.resolution, self.tokens)


class Omissions(Sequence[LeftOut]):
    """The list of everything left out, with reasons; kept in groups, since there may be thousands."""

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


def count_apart(held: "Memories | Lines") -> tuple[int, int]:
    """Return how many were lived, and how many came from elsewhere."""
    return held.count - held.brought, held.brought


class Writer:
    """A writer of a bundle's units in one style, which also predicts the size of the lists' own words."""

    def __init__(self, style: Style, count: Callable[[str], int]) -> None:
        """Write in `style` and size by `count`."""
        self.style = style
        self.count = count

    def unit(self, ring: str, name: str, text: str) -> list[Unit]:
        """Return a unit of its own; none if there is no text."""
        return [Unit(ring, name, text, self.count(text))] if text else []

    def clashes(self, told: Sequence[tuple[str, str]]) -> list[Unit]:
        """Return the units of the contradictions: (name, sentence) pairs, one unit each."""
        units = []
        for place, (name, text) in enumerate(told):
            last = place == len(told) - 1
            item = self.style.end(text) if last else f"{self.style.item}{text}\n"
            units.append(Unit(FRAME, name, item, self.count(item)))
        self.open(units, self.style.section(words.CLASH))
        return units

    def facts(self, rows: Sequence[FactRow]) -> list[Unit]:
        """Return the units of the facts, in this order, each kind under its heading."""
        units = []
        for place, row in enumerate(rows):
            text = self.style.fact(row.key, row.value)
            if place == 0 or rows[place - 1].category != row.category:
                text = self.style.about(row.category) + text
            if place == 0:
                text = self.style.section(words.KNOWN, words.KNOWN_INTRO) + text
            if place == len(rows) - 1 or rows[place + 1].category != row.category:
                text += "\n"
            units.append(Unit("facts", row.id, text, self.count(text)))
        return units

    # -- ring 4 ----------------------------------------------------------------------------

    def lines_overhead(self, lines: "Lines") -> int:
        """Return the most tokens that the index takes beside its lines."""
        lived = self.count(self._recall) + self._longest(words.RECALL_MORE, words.RECALL_ALL)
        if not lines.brought:
            return lived
        heard = self.count(self._heard) + self._longest(words.HEARD_MORE, words.RECALL_ALL)
        return heard + (lived if lines.count > lines.brought else 0)

    @property
    def _recall(self) -> str:
        return self.style.section(words.RECALL, words.RECALL_INTRO)

    @property
    def _heard(self) -> str:
        return self.style.section(words.HEARD, words.HEARD_INTRO)

    def lines(
        self, rows: Sequence[LineRow], texts: Mapping[str, str], *, more: bool, more_heard: bool = False
    ) -> list[Unit]:
        """Return the units of the index, newest line first, with what was not lived apart.

        `more` says that lines were left out, `more_heard` that lines of what was not lived were.
        """
        lived = [Unit("4", row.id, texts[row.id], row.tokens) for row in rows if not row.brought]
        self.open(lived, self._recall)
        self._close(lived, words.RECALL_MORE if more else words.RECALL_ALL)
        heard = [Unit("4", row.id, texts[row.id], row.tokens) for row in rows if row.brought]
        if heard:
            self.open(heard, self._heard)
            self._close(heard, words.HEARD_MORE if more_heard else words.RECALL_ALL)
        return lived + heard

    # -- ring 3 ----------------------------------------------------------------------------

    def memories_overhead(self, memories: "Memories") -> int:
        """Return the most tokens that the memories' sections take beside the memories."""
        lived = self.count(self._remember) + self.count(self.style.further(words.FAINT))
        lived += self._longest(words.REMEMBER_MORE, words.REMEMBER_ALL)
        if not memories.brought:
            return lived
        told = self.count(self._told) + self.count(self.style.further(words.BRIEFLY))
        told += self._longest(words.TOLD_MORE, words.REMEMBER_ALL)
        return told + (lived if memories.count > memories.brought else 0)

    @property
    def _remember(self) -> str:
        return self.style.section(words.REMEMBER, words.REMEMBER_INTRO)

    @property
    def _told(self) -> str:
        return self.style.section(words.TOLD, words.TOLD_INTRO)

    def memories(
        self,
        loaded: Sequence[tuple[MemoryRow, str, int]],
        texts: Mapping[str, str],
        *,
        more: bool,
        more_told: bool = False,
    ) -> list[Unit]:
        """Return the units of the memories, with what was not lived apart.

        Of each those told at length come first, then those told in a line; each group newest first. `more`
        and `more_told` say that of the one and the other some were left out.
        """
        lived = [one for one in loaded if not one[0].brought]
        units = self._remembered(
            lived, texts, words.FAINT, words.REMEMBER_MORE if more else words.REMEMBER_ALL
        )
        self.open(units, self._remember)
        if len(lived) == len(loaded):
            return units
        brought = [one for one in loaded if one[0].brought]
        end = words.TOLD_MORE if more_told else words.REMEMBER_ALL
        told = self._remembered(brought, texts, words.BRIEFLY, end)
        self.open(told, self._told)
        return units + told

    def _remembered(
        self, loaded: Sequence[tuple[MemoryRow, str, int]], texts: Mapping[str, str], further: str, end: str
    ) -> list[Unit]:
        made = [Unit("3", row.id, texts[row.id], size, name) for row, name, size in loaded]
        units = [unit for unit in made if self.style.told_at_length(unit.text)]
        faint = [unit for unit in made if not self.style.told_at_length(unit.text)]
        if units:
            self.open(faint, self.style.further(further))
        self._close(faint, end)
        return units + faint

    # -- headings go with the first unit, last items with the last ------------------------------

    def _longest(self, *choices: str) -> int:
        return max(self.count(self.style.end(text)) for text in choices)

    def open(self, units: list[Unit], text: str) -> None:
        """Write a section's heading before the first of its units."""
        if units:
            first = units[0]
            tokens = first.tokens + self.count(text)
            units[0] = first._replace(text=text + first.text, tokens=tokens)

    def _close(self, units: list[Unit], said: str) -> None:
        if units:
            last, text = units[-1], self.style.end(said)
            units[-1] = last._replace(text=last.text + text, tokens=last.tokens + self.count(text))
