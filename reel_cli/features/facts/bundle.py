"""Loading of the facts: in every bundle, whatever its topic (SRIP-11 §III.5).

What protects somebody, or a person noted, must be there. The rest goes in as far as the share has room, in
the order of `choice.py`.
"""

from collections import Counter
from typing import TYPE_CHECKING
from zlib import crc32

from reel_cli.core.errors import ReelError
from reel_cli.core.pack.budget import an, name_window
from reel_cli.core.pack.part import BundlePart, LoadedPart, Terms
from reel_cli.core.values.settings import WHOLE

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from reel_cli.core.pack.loading import Loading
    from reel_cli.core.values.holdings import FactRow

RING = "facts"
NO_SHARE = "no room in the share of the facts"
IN_THE_CHAT = "in this conversation already"


class FactsPart(BundlePart):
    """The facts of a kit that has any."""

    rings = (RING,)
    need = "the facts"
    limited = True

    def gather(self) -> bool:
        """Return whether there are facts; they came with the holdings."""
        return bool(self.holdings.core.facts or self.holdings.core.resting)

    def open(self, made: "Loading", terms: Terms) -> LoadedPart:
        """Return the facts in one loading; ReelError where those that must be there exceed their share."""
        return Known(self, made, terms)


class Known(LoadedPart):
    """Facts in one bundle: first what must be, then as much more as fits."""

    def __init__(self, part: BundlePart, made: "Loading", terms: Terms) -> None:
        """Load what must be there; of an earlier bundle's facts only what is new.

        Raises ReelError where that is more than the share of the facts.
        """
        super().__init__(part, made, terms)
        core, budget, since = terms.holdings.core, terms.budget, terms.since
        self._marks = {f"{RING}:{row.id}": _mark(row) for row in core.facts}
        new = [row for row in core.facts if not since or since.get(f"{RING}:{row.id}") != _mark(row)]
        self._told = [row.id for row in core.facts if row not in new]
        self._rows = new
        self._resting = core.resting
        self.units = terms.writer.facts([row for row in new if row.must])
        self._least = self.tokens
        self.account(RING, budget.facts)
        share = core.settings.facts_share
        if self.tokens > budget.facts:
            percent = f"{share * 100 / WHOLE:g} %"
            message = (
                f"The facts need {self.tokens:,} tokens; their share of {an(name_window(budget.cap))} window"
                f" is {budget.facts:,} ({percent})."
            )
            raise ReelError(
                message, hint="raise facts.share in kit.yaml, or let some of them go:  reel fact list"
            )

    @property
    def least(self) -> int:
        """Return the tokens of the facts that must be there."""
        return self._least

    def fill(self, rest: int) -> None:
        """Add of the others what fits into `rest` and the share, by rank; say what does not."""
        writer, left = self.terms.writer, self.made.left
        room = min(self.least if self.made.squeezed else rest, self.terms.budget.facts)
        chosen = {row.id for row in self._rows if row.must}
        every = writer.facts(self._rows)
        if sum(unit.tokens for unit in every) <= room:
            self.units, chosen = every, {row.id for row in self._rows}
        else:
            for row in sorted((row for row in self._rows if not row.must), key=lambda row: row.rank):
                units = writer.facts([one for one in self._rows if one.id in chosen or one is row])
                if sum(unit.tokens for unit in units) <= room:
                    self.units = units
                    chosen.add(row.id)
        out = [row.id for row in self._rows if row.id not in chosen]
        for name in out:
            del self._marks[f"{RING}:{name}"]
        if out:
            ranked = sorted(self._rows, key=lambda row: row.rank)
            counts = Counter(row.why for row in ranked if row.id in chosen)
            told = ", ".join(f"{count:,} {why}" for why, count in counts.items())
            self.made.chosen.append(f"Chosen to know by heart: {told or 'none'}")
        left.add(RING, self._told, IN_THE_CHAT)
        left.add(RING, out, NO_SHARE)
        for reason in dict.fromkeys(why for _, why in self._resting):
            left.add(RING, [name for name, why in self._resting if why == reason], reason)
        self.made.marks.update(self._marks)

    def chosen(self) -> "Mapping[str, Collection[str]]":
        """Return the IDs of the facts that are not resting."""
        return {RING: {row.id for row in self.terms.holdings.core.facts}}


def _mark(row: "FactRow") -> str:
    return f"{crc32(f'{row.key} {row.value}'.encode()):08x}"
