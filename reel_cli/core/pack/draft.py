"""A bundle in the making: what is loaded so far, and what was left out."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from reel_cli.core.pack.part import BundlePart, LoadedPart, Terms
from reel_cli.core.pack.unit import PAGES, Omissions, Unit
from reel_cli.core.ports import table

if TYPE_CHECKING:
    from reel_cli.core.values.holdings import Tie


class BundleDraft:
    """A bundle in the making; `marks` of what was loaded change when it does."""

    def __init__(self) -> None:
        """Begin with nothing loaded."""
        self.units: list[Unit] = []
        self.left = Omissions()
        self.warnings: list[str] = []
        self.chosen: list[str] = []
        self.ties: Sequence[Tie] = ()
        self.fuller: Collection[str] = ()
        """The threads that go on, where memories have room by them."""
        self.marks: dict[str, str] = {}
        self.shares: Mapping[str, int] = {}
        """Tokens that each ring of a feature's part had room for."""
        self.lifted: dict[str, int] = {}
        """Tokens that a ring of the core may take beyond its most, as nothing else has use for them."""
        self.parts: Sequence[LoadedPart] = ()
        """The features' parts, in the order in which they were given room."""
        self.squeezed = False
        """True if something was left out for lack of room: then nothing more is loaded."""
        self.spare = 0
        """Tokens left over after every part had its room, of which the parts may use a share."""
        self.keeps_free = False
        """True if room that is left over stays free."""
        self.core: dict[str, Sequence[Unit]] = {}
        """The units of the core's own rings."""

    def open(self, parts: Sequence[BundlePart], terms: Terms) -> None:
        """Begin with what must be there of the features' parts."""
        self.parts = [one for part in parts if (one := part.open(self, terms)) is not None]
        self.keeps_free = not terms.topped_up or any(part.part.keeps_free for part in self.parts)

    def told(self) -> list[Unit]:
        """Return what is loaded so far, in no order."""
        held = [unit for units in self.core.values() for unit in units]
        return held + [unit for part in self.parts for unit in part.units]

    def lay(self, opening: list[Unit], rings: Mapping[str, Sequence[Unit]], closing: list[Unit]) -> None:
        """Arrange all units in the order of the page; `rings` are those of the core."""
        found: dict[str, list[Unit]] = {}
        below: dict[str, list[Unit]] = {}
        for units in (*rings.values(), *(part.units for part in self.parts)):
            for unit in units:
                if unit.page not in ("", unit.id):
                    below.setdefault(unit.page, []).append(unit)
                else:
                    found.setdefault(unit.place, []).append(unit)
        if PAGES in found:
            found[PAGES] = [one for unit in found[PAGES] for one in (unit, *below.get(unit.id, ()))]
        page = [unit for name in table().PAGE for unit in found.pop(name, ())]
        # the contract refuses units that have no place on the page
        rest = [unit for units in found.values() for unit in units]
        self.units = [*opening, *page, *rest, *closing]


def tokens_of(units: Iterable[Unit]) -> int:
    """Return the tokens of all these units."""
    return sum(unit.tokens for unit in units)
