"""Loading what a kept conversation goes on with: its summary, its last messages, what it is to keep to.

They stand behind the rings (Memory Keep II.5). Summary and what is pinned must be there; of the last messages
as many are as fit, whole and word for word.
"""

from typing import TYPE_CHECKING

from reel_cli.core.blockquote import plain_item
from reel_cli.core.pack import words
from reel_cli.core.pack.folding import fold_line, fold_text
from reel_cli.core.pack.units import Omissions, Unit, Writer
from reel_cli.features.dream.waking.bundle import spans
from reel_cli.features.stream.stream import STREAM, Resumption

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reel_cli.core.pack.budget import Budget
    from reel_cli.core.pack.loading import Loading

IN_SUMMARY = "told in the summary"
NO_ROOM = "no room, and not in the summary yet"


class Streaming:
    """One kept conversation, to be written into one bundle."""

    def __init__(self, going_on: Resumption, writer: Writer) -> None:
        """Go on from `going_on`."""
        self.going_on = going_on
        self.writer = writer
        style = writer.style
        so_far = style.section(words.SO_FAR, words.SO_FAR_INTRO) + f"{style.quote(going_on.summary)}\n\n"
        self._summary = writer.unit(STREAM, "summary", so_far)
        items = "".join(f"{style.item}{plain_item(fold_line(line))}\n" for line in going_on.pinned)
        pinned = style.section(words.PINNED, words.PINNED_INTRO) + f"{items}\n" if items else ""
        self._pinned = writer.unit(STREAM, "pinned", pinned)

    @property
    def least(self) -> int:
        """What must be there, in tokens."""
        return sum(unit.tokens for unit in (*self._summary, *self._pinned))

    def load_into(self, made: "Loading", budget: "Budget", rest: int) -> list[Unit]:
        """Load it, its last messages within what is wished for, else their share, and within `rest`."""
        wished = self.going_on.overlap
        most = min(budget.overlap, budget.stream - self.least) if wished is None else wished
        units = self.load(max(0, min(most, rest)), rest, made.left)
        made.shares = {**made.shares, STREAM: max(budget.stream, sum(unit.tokens for unit in units))}
        return units

    def load(self, most: int, room: int, left: Omissions) -> list[Unit]:
        """All of it, the last messages in at most `most` tokens; those before them are listed in `left`.

        What is in no summary yet goes along in any case, where it fits into `room`.
        """
        said, session = self.going_on.said, self.going_on.session
        first = self._first_that_fits(most)
        new = next((at for at, one in enumerate(said) if one.number > self.going_on.upto), len(said))
        if new < first:
            first = max(new, self._first_that_fits(room))
        gone = [one.number for one in said[:first]]
        upto = self.going_on.upto
        left.add(STREAM, spans(session, [n for n in gone if n <= upto]), IN_SUMMARY)
        left.add(STREAM, spans(session, [n for n in gone if n > upto]), NO_ROOM)
        told = [one.number for one in said[first:]]
        overlap: list[Unit] = []
        if told:
            name = spans(session, range(min(told), max(told) + 1))[0]
            overlap = self.writer.unit(STREAM, name, self._conversation(first))
        return [*self._summary, *overlap, *self._pinned]

    def _first_that_fits(self, most: int) -> int:
        """From which of the messages on they fit, best where the person begins to speak."""
        said, count = self.going_on.said, self.writer.count
        used, first = count(self._conversation(len(said))), len(said)
        while first and (used := used + count(said[first - 1].text)) <= most:
            first -= 1
        while first < len(said) and count(self._conversation(first)) > most:
            first += 1
        opens = (at for at in range(first, len(said)) if said[at].opens)
        better = next(opens, first)
        new = [one.number for one in said[first:better]]
        return first if any(number > self.going_on.upto for number in new) else better

    def _conversation(self, first: int) -> str:
        said: Sequence[str] = [one.text for one in self.going_on.said[first:]]
        return self.writer.style.section(words.OVERLAP, words.OVERLAP_INTRO) + fold_text("".join(said))
