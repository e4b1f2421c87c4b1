"""Rings 3 and 4 without some of what they hold, where a bundle is not to have it."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from reel_cli.core.pack.units import Omissions, Writer
from reel_cli.core.values.holdings import Holdings, LineRow, Lines, Memories, MemoryRow

LIVED_FIRST = "the index has room only for what was lived"


def without_heard(holdings: Holdings, writer: Writer, most: int, left: Omissions) -> Holdings:
    """Holdings whose index tells only what was lived, where two sections would take half of its `most`."""
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
        """How many there are."""
        return len(self._rows)

    @property
    def brought(self) -> int:
        """How many of them came from elsewhere."""
        return sum(row.brought for row in self._rows)

    @property
    def markers(self) -> int:
        """The tokens of all their markers."""
        return sum(row.marker for row in self._rows)

    @property
    def tags(self) -> int:
        """The tokens of all their tags."""
        return sum(row.tag for row in self._rows)

    def newest(self) -> Iterator[MemoryRow]:
        """All rows, the newest first."""
        return iter(self._rows)

    def ids(self) -> Sequence[str]:
        """All IDs, the newest first."""
        return [row.id for row in self._rows]

    def texts(self, chosen: Mapping[str, str]) -> Mapping[str, str]:
        """The written texts of chosen IDs."""
        return self._whole.texts(chosen)


class SomeLines:
    """Ring 4 without these."""

    def __init__(self, whole: Lines, without: Collection[str]) -> None:
        """Leave out the lines `without`."""
        self._whole = whole
        self._without = without

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self.ids())

    @cached_property
    def brought(self) -> int:
        """How many of them stand for what came from elsewhere."""
        return sum(row.brought for row in self.newest())

    @cached_property
    def tokens(self) -> int:
        """The tokens of them all."""
        return sum(row.tokens for row in self.newest())

    def newest(self, *, immune: bool | None = None) -> Iterator[LineRow]:
        """All rows, or only those with this flag, the newest first."""
        return (row for row in self._whole.newest(immune=immune) if row.id not in self._without)

    def ids(self) -> Sequence[str]:
        """All IDs, the newest first."""
        return [name for name in self._whole.ids() if name not in self._without]

    def words(self) -> Iterator[tuple[str, str]]:
        """Each ID with its words."""
        return (pair for pair in self._whole.words() if pair[0] not in self._without)

    def texts(self, ids: Iterable[str]) -> Mapping[str, str]:
        """The written lines of these IDs."""
        return self._whole.texts(ids)
