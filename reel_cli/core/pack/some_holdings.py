"""Rings 3 and 4 without some of what they hold, where a bundle is not to have it."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from reel_cli.core.pack.render import Writer
from reel_cli.core.pack.unit import Omissions
from reel_cli.core.values.holdings import Holdings, LineRow, Lines, Memories, MemoryRow, RestingParts

GATED = "found by query only (experience: gated)"
TAKEN_BACK = "its chat was taken back"
LIVED_FIRST = "the index has room only for what was lived"


def without_memories(holdings: Holdings) -> Holdings:
    """Return holdings without any memory; the lines that point at them stay."""
    return holdings._replace(memories=SomeMemories(holdings.memories, frozenset(holdings.memories.ids())))


def without_resting(holdings: Holdings, rests: RestingParts) -> Holdings:
    """Return holdings without what came of nothing but chats that were taken back; `rests` says what that is.

    An anchor that rests leaves its place to nobody: a person chose it, and its chat may count again.
    """
    if rests == RestingParts():
        return holdings
    core = holdings.core
    if rests.working is not None and core.working:
        core = core._replace(working=rests.working)
    if rests.examples:
        anchor = core.active.anchor
        core = core._replace(
            exemplars=[one for one in core.exemplars if one.slug not in rests.examples],
            active=replace(
                core.active,
                anchor=None if anchor in rests.examples else anchor,
                active=tuple(one for one in core.active.active if one not in rests.examples),
                resting=tuple(one for one in core.active.resting if one not in rests.examples),
            ),
        )
    return holdings._replace(
        core=core,
        memories=SomeMemories(holdings.memories, rests.memories) if rests.memories else holdings.memories,
        lines=SomeLines(holdings.lines, rests.lines) if rests.lines else holdings.lines,
        rests=rests,
    )


def add_resting(left: Omissions, rests: RestingParts) -> None:
    """Name what rests among what is left out."""
    for ring, names in (("1", rests.examples), ("3", rests.memories), ("4", rests.lines)):
        if names:
            left.add(ring, sorted(names), TAKEN_BACK)


def without_heard(holdings: Holdings, writer: Writer, most: int, left: Omissions) -> Holdings:
    """Return holdings with only lived lines if two sections would take half of the index's `most`."""
    if writer.lines_overhead(holdings.lines) * 2 <= most:
        return holdings
    heard = [row.id for row in holdings.lines.newest() if row.brought]
    left.add("4", heard, LIVED_FIRST)
    return holdings._replace(lines=SomeLines(holdings.lines, frozenset(heard)))


class SomeMemories:
    """Ring 3 without these."""

    def __init__(self, whole: Memories, without: Collection[str]) -> None:
        """Leave out the memories `without`."""
        self._whole = whole
        self._without = without

    @cached_property
    def _rows(self) -> Sequence[MemoryRow]:
        return [row for row in self._whole.newest() if row.id not in self._without]

    @property
    def count(self) -> int:
        """Return the number of memories."""
        return len(self._rows)

    @property
    def brought(self) -> int:
        """Return how many of the memories came from elsewhere."""
        return sum(row.brought for row in self._rows)

    @property
    def markers(self) -> int:
        """Return the tokens of all their markers."""
        return sum(row.marker for row in self._rows)

    @property
    def tags(self) -> int:
        """Return the tokens of all their tags."""
        return sum(row.tag for row in self._rows)

    @property
    def whole(self) -> int:
        """Return the tokens of all of them as they are kept."""
        return sum(row.whole for row in self._rows)

    @property
    def levels(self) -> Mapping[str, int]:
        """Return the number of memories by level."""
        return Counter(row.level for row in self._rows)

    def newest(self) -> Iterator[MemoryRow]:
        """Yield all rows, newest first."""
        return iter(self._rows)

    def ids(self) -> Sequence[str]:
        """Return all IDs, newest first."""
        return [row.id for row in self._rows]

    def texts(self, chosen: Mapping[str, str]) -> Mapping[str, str]:
        """Return the written texts of chosen IDs."""
        return self._whole.texts(chosen)


class SomeLines:
    """Ring 4 without these."""

    def __init__(self, whole: Lines, without: Collection[str]) -> None:
        """Leave out the lines `without`."""
        self._whole = whole
        self._without = without

    @property
    def count(self) -> int:
        """Return the number of lines."""
        return len(self.ids())

    @cached_property
    def brought(self) -> int:
        """Return how many of the lines stand for imported content."""
        return sum(row.brought for row in self.newest())

    @cached_property
    def tokens(self) -> int:
        """Return the tokens of all lines."""
        return sum(row.tokens for row in self.newest())

    @property
    def least(self) -> int:
        """Return a number of tokens that no line is shorter than."""
        return self._whole.least

    def newest(self, *, immune: bool | None = None) -> Iterator[LineRow]:
        """Yield all rows, or only those with this flag, newest first."""
        return (row for row in self._whole.newest(immune=immune) if row.id not in self._without)

    def ids(self) -> Sequence[str]:
        """Return all IDs, newest first."""
        return [name for name in self._whole.ids() if name not in self._without]

    def immune_ids(self) -> Collection[str]:
        """Return the IDs of the immune ones."""
        return {name for name in self._whole.immune_ids() if name not in self._without}

    def words(self) -> Iterator[tuple[str, str]]:
        """Yield each ID with its words."""
        return (pair for pair in self._whole.words() if pair[0] not in self._without)

    def texts(self, ids: Iterable[str]) -> Mapping[str, str]:
        """Return the written lines of these IDs."""
        return self._whole.texts(ids)
