"""Loading of a conversation's beginning: its first cycles, whole and word for word (SRIP-11 §III.5a).

They are given room before all that need not be there, within their share. What the same bundle tells word
for word further on, as what was said last, is not told here as well.
"""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from reel_cli.core.pack import words
from reel_cli.core.pack.folding import fold_text
from reel_cli.core.pack.part import BundlePart, LoadedPart, Terms
from reel_cli.core.pack.quoting import list_spans
from reel_cli.core.pack.units import Omissions, Unit
from reel_cli.features.stream.cycles import BUFFER, Buffer

if TYPE_CHECKING:
    from reel_cli.core.pack.loading import Loading

NO_SHARE = "no room in the share of how it began"
LONG_CYCLE = "longer by itself than the share of how it began"
TOLD = "told further on, as what was said last"
IN_THE_CHAT = "in this conversation already"
_GAP = f"{words.LEFT_OUT_HERE}\n\n"
_LONGEST_TOKEN = 200
"""Characters of the longest token; a text with more for each token of room need not be counted."""


class BeginningPart(BundlePart):
    """The beginning of a conversation: the one that is continued, else the newest on the tape."""

    rings = (BUFFER,)
    limited = True

    def gather(self) -> bool:
        """Collect the beginning from the conversation to continue, else from the tape."""
        self.buffer = self._find()
        return bool(self.buffer.cycles or self.buffer.told)

    def _find(self) -> Buffer:
        if self.wish.stream is not None:
            found = getattr(self.wish.stream, "buffer", None)
            return found if isinstance(found, Buffer) else Buffer()
        if not self.wish.began or self.source is None:
            return Buffer()
        from reel_cli.features.stream.beginning import gather_buffer, recall_buffer

        settings, notebook = self.holdings.core.settings, self.holdings.notebook
        if self.source.kit is not None:
            return recall_buffer(self.source.kit, settings, notebook)
        return gather_buffer(self.source.snapshot, settings)

    def open(self, made: "Loading", terms: Terms) -> LoadedPart:
        """Return the part in one loading; in a refresh its reader has it already."""
        return Beginning(self, self.buffer, made, terms) if terms.since is None else _Known(self, made, terms)


class _LoadedBeginning(LoadedPart):
    """The part, with what a person should know of it."""

    part: BeginningPart

    def warnings(self) -> Sequence[str]:
        """Return why nothing is told; a warm start tells of a tape that cannot be trusted by itself."""
        return () if "traces" in self.made.shares else self.part.buffer.told


class _Known(_LoadedBeginning):
    """A beginning of which nothing is told, as its reader has it already."""

    def settle(self) -> None:
        """Account for it."""
        sessions: dict[str, list[int]] = {}
        for cycle in self.part.buffer.cycles:
            sessions.setdefault(cycle.session, []).extend(number for number, _ in cycle.said)
        _leave_out(self.made.left, sessions, IN_THE_CHAT)


class Beginning(_LoadedBeginning):
    """The beginning of a conversation, to be written into one bundle."""

    def __init__(self, part: BeginningPart, buffer: Buffer, made: "Loading", terms: Terms) -> None:
        """Load from `buffer` into its share."""
        super().__init__(part, made, terms)
        budget = terms.budget
        self.share = budget.buffer_beside_summary if buffer.now else budget.buffer
        self._buffer = buffer
        self._writer = terms.writer
        self._told: Sequence[tuple[str, int, int]] = ()
        self._long: set[int] = set()
        self._chosen: list[int] = []

    def fill(self, rest: int) -> None:
        """Load as many whole cycles as fit into the share and `rest`; behind one that does not fit, none.

        One that is longer than the whole share is passed over.
        """
        writer, buffer = self._writer, self._buffer
        if not buffer.cycles:
            return
        head, gap = writer.count(self._head()), writer.count(_GAP)
        sizes = [self._size(place) for place in range(len(buffer.cycles))]
        most = min(self.share, rest)
        self._long = {place for place, size in enumerate(sizes) if head + size > self.share}
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

    def leave_to(self, units: Sequence[Unit]) -> None:
        """Leave out what these units tell word for word."""
        if told := told_in(units):
            self._told = [*self._told, *told]
            self.units = self._write()

    def settle(self) -> None:
        """Write down what is told and left out."""
        if not self._buffer.cycles:
            return
        self.account(BUFFER, self.share)
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
            _leave_out(self.made.left, sessions, reason)

    def _size(self, place: int) -> int:
        text = fold_text("".join(text for _, text in self._buffer.cycles[place].said))
        return self._writer.count(text) if len(text) <= self.share * _LONGEST_TOKEN else len(text)

    def _is_told(self, session: str, number: int) -> bool:
        return any(where == session and first <= number <= last for where, first, last in self._told)

    def _follows(self, one: int, other: int) -> bool:
        """Return whether a cycle directly follows another."""
        cycles = self._buffer.cycles
        adjacent = other == one + 1 and cycles[one].session == cycles[other].session
        return adjacent and not cycles[other].gap

    def _head(self) -> str:
        style = self._writer.style
        if self._buffer.now:
            return style.section(words.BEGAN, words.BEGAN_INTRO)
        return style.section(words.LAST_BEGAN, words.LAST_BEGAN_INTRO)

    def _write(self) -> list[Unit]:
        """Return a unit for each stretch of the tape without a gap."""
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
            (name,) = list_spans(session, range(min(numbers), max(numbers) + 1))
            text = fold_text("".join(text for _, text in said))
            units += self._writer.unit(BUFFER, name, (_GAP if units else self._head()) + text)
        return units


def told_in(units: Iterable[Unit]) -> list[tuple[str, int, int]]:
    """Return the stretches of tape that units tell word for word: session, first and last message."""
    found = []
    for unit in units:
        session, _, numbers = unit.id.partition("#")
        if unit.ring in ("stream", "traces") and numbers:
            first, _, last = numbers.partition("-")
            found.append((session, int(first), int(last or first)))
    return found


def _leave_out(left: Omissions, sessions: "dict[str, list[int]]", reason: str) -> None:
    for session, numbers in sessions.items():
        left.add(BUFFER, list_spans(session, numbers), reason)
