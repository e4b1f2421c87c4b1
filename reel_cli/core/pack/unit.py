"""The units of a bundle, and what of a kit is in none of them."""

from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple, overload

from reel_cli.core.pack.words import FRAME
from reel_cli.core.values.bundle import LeftOut, LoadedUnit

if TYPE_CHECKING:
    from reel_cli.core.values.holdings import Lines, Memories


SCENES = "scenes"
"""The ring of what was said, word for word."""
PAGES = "pages"
"""The place on the page of memories told at length."""
SETTLED, LATELY = "settled", "lately"
"""The places of scenes that stay as they are on most evenings, and of the last memories told at length."""
TRUST = "trust"
"""The ID and the place of the order of trust."""
CHANGED = "changed"
"""The ID and the place of the list of what has changed since what stands before it."""
STANDING = "standing"
"""The place of the facts that were known before the last evenings."""
RECALLED = "recalled"
"""The place of the index in a small window."""
YIELDING = "yielding"
"""The place of scenes that stay as they are in a small window, where they have the least room."""
VARIES = "varies"
"""The place of the exemplars beside the anchor, which rotate."""


class Unit(NamedTuple):
    """A stretch of the bundle that is loaded as one; `tokens` counts it with its headings."""

    ring: str
    id: str
    text: str
    tokens: int
    resolution: str = "whole"
    source: str = ""
    page: str = ""
    """ID of the memory told at length that it is, or stands below; "" for none."""
    spot: str = ""
    """Name of its place on the page, where that is not the usual one."""

    @property
    def place(self) -> str:
        """Return the name of its place on the page."""
        if self.ring == FRAME:
            return self.spot or "clash"
        return self.spot or (PAGES if self.page else self.ring)

    @property
    def loaded(self) -> LoadedUnit:
        """Return the unit's line in the account."""
        return LoadedUnit(self.ring, self.id, self.resolution, self.tokens, self.source, self.text)


class Omissions(Sequence[LeftOut]):
    """The list of everything left out, with reasons; kept in groups, since there may be thousands."""

    def __init__(self) -> None:
        self.groups: list[tuple[str, Sequence[str], str]] = []

    def add(self, ring: str, ids: Sequence[str], reason: str) -> None:
        """Leave out these IDs of a ring for one reason."""
        if ids:
            self.groups.append((ring, ids, reason))

    def drop(self, ring: str, reasons: Collection[str]) -> None:
        """Take back what was left out of a ring for one of these reasons."""
        self.groups[:] = [one for one in self.groups if one[0] != ring or one[2] not in reasons]

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


class Beyond(NamedTuple):
    """The memories that a bundle does not tell: whether some `lived` or `told` ones are left out.

    `none_lived` and `none_told` say that there is nothing beyond what is told of them. `gone` is how many
    memories were let go of whose lines are left out, in a small window.
    """

    lived: bool = False
    told: bool = False
    none_lived: bool = False
    none_told: bool = False
    gone: int = 0


def count_apart(held: "Memories | Lines") -> tuple[int, int]:
    """Return how many were lived, and how many came from elsewhere."""
    return held.count - held.brought, held.brought
