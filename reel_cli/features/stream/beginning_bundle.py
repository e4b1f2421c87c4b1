"""Loading how a conversation began: its first cycles, whole and word for word (SRIP-11 §III.5a).

They are given room before all that need not be there, within their share. What the same bundle tells word
for word further on, as what was said last, is not told here as well.
"""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from reel_cli.core.pack import words
from reel_cli.core.pack.folding import fold_text
from reel_cli.core.pack.units import Omissions, Unit, Writer
from reel_cli.features.stream.cycles import BUFFER, Buffer

if TYPE_CHECKING:
    from reel_cli.core.pack.budget import Budget
    from reel_cli.core.pack.loading import Loading

NO_SHARE = "no room in the share of how it began"
LONG_CYCLE = "longer by itself than the share of how it began"
TOLD = "told further on, as what was said last"
IN_THE_CHAT = "in this conversation already"
_GAP = f"{words.LEFT_OUT_HERE}\n\n"
_LONGEST_TOKEN = 200
"""In characters; no token is longer, so a text of more for each there is room for need not be counted."""


class Beginning:
    """How a conversation began, to be written into one bundle."""

    def __init__(self, buffer: Buffer, budget: "Budget", writer: Writer, room: int) -> None:
        """Load as many whole cycles as fit into the share and `room`; behind one that does not fit, none.

        One that is longer than the whole share is passed over.
        """
        self.share = budget.buffer_beside_summary if buffer.now else budget.buffer
        self.squeezed = False
        """Whether there was less room than the share, and too little."""
        self._buffer = buffer
        self._writer = writer
        self._told: Sequence[tuple[str, int, int]] = ()
        head, gap = writer.count(self._head()), writer.count(_GAP)
        sizes = [self._size(place) for place in range(len(buffer.cycles))]
        most = min(self.share, room)
        self._long = {place for place, size in enumerate(sizes) if head + size > self.share}
        self._chosen: list[int] = []
        used = head
        for place, size in enumerate(sizes):
            if place in self._long:
                continue
            used += size + (0 if not self._chosen or self._follows(self._chosen[-1], place) else gap)
            if used > most:
                self.squeezed = used <= self.share
                break
            self._chosen.append(place)
        self.units = self._write()
        while self.units and self.tokens > most:
            # counts of parts and of the whole may differ where a part begins with a sign
            self._chosen.pop()
            self.units = self._write()

    @property
    def tokens(self) -> int:
        """What is loaded takes."""
        return sum(unit.tokens for unit in self.units)

    def leave_to(self, units: Iterable[Unit]) -> int:
        """Leave out what these units tell word for word; how much room that frees, in tokens."""
        before = self.tokens
        self._told = [*self._told, *told_in(units)]
        self.units = self._write()
        return before - self.tokens

    def add_to(self, made: "Loading") -> Sequence[Unit]:
        """Its units, and the account of all that is told and left out."""
        made.shares = {**made.shares, BUFFER: self.share}
        reasons: dict[str, dict[str, list[int]]] = {TOLD: {}, LONG_CYCLE: {}, NO_SHARE: {}}
        for place, cycle in enumerate(self._buffer.cycles):
            for number, _ in cycle.said:
                why = LONG_CYCLE if place in self._long else NO_SHARE
                if self._is_told(cycle.session, number):
                    why = TOLD
                elif place in self._chosen:
                    continue
                reasons[why].setdefault(cycle.session, []).append(number)
        for reason, sessions in reasons.items():
            _leave_out(made.left, sessions, reason)
        return self.units

    def _size(self, place: int) -> int:
        text = fold_text("".join(text for _, text in self._buffer.cycles[place].said))
        return self._writer.count(text) if len(text) <= self.share * _LONGEST_TOKEN else len(text)

    def _is_told(self, session: str, number: int) -> bool:
        return any(where == session and first <= number <= last for where, first, last in self._told)

    def _follows(self, one: int, other: int) -> bool:
        """Whether a cycle stands right behind another."""
        cycles = self._buffer.cycles
        adjacent = other == one + 1 and cycles[one].session == cycles[other].session
        return adjacent and not cycles[other].gap

    def _head(self) -> str:
        style = self._writer.style
        if self._buffer.now:
            return style.section(words.BEGAN, words.BEGAN_INTRO)
        return style.section(words.LAST_BEGAN, words.LAST_BEGAN_INTRO)

    def _write(self) -> list[Unit]:
        """A unit for each stretch of the tape without a gap."""
        runs: list[list[int]] = []
        for place in self._chosen:
            if runs and self._follows(runs[-1][-1], place):
                runs[-1].append(place)
            else:
                runs.append([place])
        units: list[Unit] = []
        for run in runs:
            session = self._buffer.cycles[run[0]].session
            said = [one for place in run for one in self._buffer.cycles[place].said]
            said = [(number, text) for number, text in said if not self._is_told(session, number)]
            if not said:
                continue
            numbers = [number for number, _ in said]
            name = _span(session, min(numbers), max(numbers))
            text = fold_text("".join(text for _, text in said))
            units += self._writer.unit(BUFFER, name, (_GAP if units else self._head()) + text)
        return units


def told_in(units: Iterable[Unit]) -> list[tuple[str, int, int]]:
    """The stretches of tape that units tell word for word: session, first and last message."""
    found = []
    for unit in units:
        session, _, numbers = unit.id.partition("#")
        if unit.ring in ("stream", "traces") and numbers:
            first, _, last = numbers.partition("-")
            found.append((session, int(first), int(last or first)))
    return found


def leave_out_whole(left: Omissions, buffer: Buffer) -> None:
    """Account for a beginning of which nothing is told, as its reader has it already."""
    sessions: dict[str, list[int]] = {}
    for cycle in buffer.cycles:
        sessions.setdefault(cycle.session, []).extend(number for number, _ in cycle.said)
    _leave_out(left, sessions, IN_THE_CHAT)


def _leave_out(left: Omissions, sessions: "dict[str, list[int]]", reason: str) -> None:
    for session, numbers in sessions.items():
        runs: list[list[int]] = []
        for number in sorted(numbers):
            if runs and number == runs[-1][1] + 1:
                runs[-1][1] = number
            else:
                runs.append([number, number])
        left.add(BUFFER, [_span(session, first, last) for first, last in runs], reason)


def _span(session: str, first: int, last: int) -> str:
    """A stretch as the tape's places are written; the modules that know them otherwise are slow to import."""
    return f"{session}#{first}-{last}" if last > first else f"{session}#{first}"
