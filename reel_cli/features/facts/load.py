"""Loading what is known by heart: in every bundle, whatever the talk is about (SRIP-11 §III.5).

What the user said, or a person noted, must be there. What a dream made of it goes in as far as the share has
room for it.
"""

from collections.abc import Mapping, Sequence
from zlib import crc32

from reel_cli.core.errors import ReelError
from reel_cli.core.pack.budget import Budget, an, name_window
from reel_cli.core.pack.units import Omissions, Unit, Writer
from reel_cli.core.values.holdings import Core, FactRow
from reel_cli.core.values.settings import WHOLE

RING = "facts"
NO_SHARE = "no room in the share of the facts"
IN_THE_CHAT = "in this conversation already"


class Known:
    """What of the facts is loaded: first what must be, then as much more as fits."""

    def __init__(
        self, core: Core, budget: Budget, writer: Writer, since: Mapping[str, str] | None = None
    ) -> None:
        """Take what must be there; with `since`, an earlier bundle's marks, only what is new.

        Raises ReelError where that is more than the share of the facts.
        """
        self._budget = budget
        self._writer = writer
        self.marks = {f"{RING}:{row.id}": _mark(row) for row in core.facts}
        new = [row for row in core.facts if not since or since.get(f"{RING}:{row.id}") != _mark(row)]
        self._told = [row.id for row in core.facts if row not in new]
        self._rows = new
        self._resting = core.resting
        self.units: Sequence[Unit] = writer.facts([row for row in new if row.firm])
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
    def tokens(self) -> int:
        """What is loaded takes."""
        return sum(unit.tokens for unit in self.units)

    def fill(self, room: int, left: Omissions) -> None:
        """Add of the others what fits into `room` and the share, the firmest first; say what does not."""
        room = min(room, self._budget.facts)
        chosen = {row.id for row in self._rows if row.firm}
        every = self._writer.facts(self._rows)
        if sum(unit.tokens for unit in every) <= room:
            self.units, chosen = every, {row.id for row in self._rows}
        else:
            for row in sorted((row for row in self._rows if not row.firm), key=lambda row: row.rank):
                units = self._writer.facts([one for one in self._rows if one.id in chosen or one is row])
                if sum(unit.tokens for unit in units) <= room:
                    self.units = units
                    chosen.add(row.id)
        out = [row.id for row in self._rows if row.id not in chosen]
        for name in out:
            del self.marks[f"{RING}:{name}"]
        left.add(RING, self._told, IN_THE_CHAT)
        left.add(RING, out, NO_SHARE)
        for reason in dict.fromkeys(why for _, why in self._resting):
            left.add(RING, [name for name, why in self._resting if why == reason], reason)


def _mark(row: FactRow) -> str:
    return f"{crc32(f'{row.key} {row.value}'.encode()):08x}"
