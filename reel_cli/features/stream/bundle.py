"""Loading what a kept conversation goes on with: its summary, its last messages, what it is to keep to.

They stand behind the rings (Memory Keep §II.5). Summary and what is pinned must be there; of the last
messages as many are as fit, whole and word for word.
"""

from typing import TYPE_CHECKING

from reel_cli.core.blockquote import plain_item
from reel_cli.core.errors import StateError
from reel_cli.core.pack import words
from reel_cli.core.pack.part import BundlePart, LoadedPart, Terms
from reel_cli.core.pack.some_holdings import SomeLines, SomeMemories
from reel_cli.core.pack.unit import Omissions, Unit
from reel_cli.core.pack.words import MessageText, fold_line, fold_text, list_spans
from reel_cli.core.tape.tape_view import read_session, standing_sessions
from reel_cli.core.tape.transcript import tell_lived
from reel_cli.core.values.memory import EXPERIENCE
from reel_cli.features.stream.beginning import first_of_kept
from reel_cli.features.stream.stream import STREAM, KeptConversation, Resumption

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reel_cli.core.kit.snapshot import Snapshot
    from reel_cli.core.pack.draft import BundleDraft
    from reel_cli.core.values.holdings import Holdings

IN_SUMMARY = "told in the summary"
MOST_TOLD = 200
"""Maximum number of its last messages read for the overlap, beside all that are in no summary."""
NO_ROOM = "no room, and not in the summary yet"


NOTICED_BEFORE = "noticed earlier in this conversation, and found again when it comes up"
TOLD_BELOW = "told below, as a memory"


class StreamPart(BundlePart):
    """The state of a kept conversation; a refresh in the middle of it has no need of that."""

    rings = (STREAM,)
    need = "the conversation's summary"
    keeps_free = True

    def gather(self) -> bool:
        """Return whether the wish goes on from something."""
        return isinstance(self.wish.stream, Resumption)

    def open(self, made: "BundleDraft", terms: Terms) -> "ConversationUnits | None":
        """Return the part in one loading; None in a refresh."""
        going_on = self.wish.stream
        if terms.since is not None or not isinstance(going_on, Resumption):
            return None
        return ConversationUnits(self, going_on, made, terms)


class ConversationUnits(LoadedPart):
    """One kept conversation, to be written into one bundle."""

    def __init__(self, part: BundlePart, going_on: Resumption, made: "BundleDraft", terms: Terms) -> None:
        """Build the units of the summary and the pins of `going_on`."""
        super().__init__(part, made, terms)
        self.going_on = going_on
        self.writer = terms.writer
        style = self.writer.style
        so_far = style.section(words.SO_FAR, words.SO_FAR_INTRO) + f"{style.quote(going_on.summary)}\n\n"
        self._summary = self.writer.unit(STREAM, "summary", so_far)
        items = "".join(f"{style.item}{plain_item(fold_line(line))}\n" for line in going_on.pinned)
        pinned = style.section(words.PINNED, words.PINNED_INTRO) + f"{items}\n" if items else ""
        self._pinned = self.writer.unit(STREAM, "pinned", pinned)

    @property
    def least(self) -> int:
        """Return the tokens of summary and pinned lines, which must be there."""
        return sum(unit.tokens for unit in (*self._summary, *self._pinned))

    def narrow(self, holdings: "Holdings") -> "Holdings":
        """Set aside in a small window what was noticed over this conversation, as `set_aside` has it."""
        small = self.terms.budget.small
        return set_aside(holdings, self.going_on, self.made.left) if small else holdings

    def fill(self, rest: int) -> None:
        """Load it, its last messages within what is wished for, else their share, and within `rest`."""
        budget, room = self.terms.budget, rest - self.least
        wished = self.going_on.overlap
        most = min(budget.overlap, budget.stream - self.least) if wished is None else wished
        self.units = self.load(max(0, min(most, room)), room, self.made.left)
        self.account(STREAM, max(budget.stream, self.tokens))

    def load(self, most: int, room: int, left: Omissions) -> list[Unit]:
        """Return all units, the last messages in at most `most` tokens; lists the others in `left`.

        What is in no summary yet goes along in any case, where it fits into `room`.
        """
        said, session = self.going_on.said, self.going_on.session
        first = self._first_that_fits(most)
        new = next((at for at, one in enumerate(said) if one.number > self.going_on.upto), len(said))
        if new < first:
            first = max(new, self._first_that_fits(room))
        gone = [one.number for one in said[:first]]
        upto = self.going_on.upto
        left.add(STREAM, list_spans(session, [n for n in gone if n <= upto]), IN_SUMMARY)
        left.add(STREAM, list_spans(session, [n for n in gone if n > upto]), NO_ROOM)
        told = [one.number for one in said[first:]]
        overlap: list[Unit] = []
        if told:
            name = list_spans(session, range(min(told), max(told) + 1))[0]
            overlap = self.writer.unit(STREAM, name, self._conversation(first))
        return [*self._summary, *overlap, *self._pinned]

    def _first_that_fits(self, most: int) -> int:
        """Return the first message from which the rest fits, preferably where the person begins to speak."""
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


def set_aside(holdings: "Holdings", stream: Resumption, left: Omissions) -> "Holdings":
    """A small window's holdings for a conversation that goes on, and what of it is left out.

    Of what was noticed over it only the last keep's is told, and once: experience is never poured in as a
    whole (Memory Keep §II.2), and summary and overlap are there already.
    """
    before = [name for name in holdings.memories.ids() if name in stream.noticed_before]
    if before:
        left.add("3", before, NOTICED_BEFORE)
        holdings = holdings._replace(memories=SomeMemories(holdings.memories, stream.noticed_before))
    there = {*holdings.memories.ids()}
    told = [name for name in holdings.lines.ids() if name in stream.noticed and name in there]
    gone = [name for name in holdings.lines.ids() if name in stream.noticed_before]
    if told or gone:
        left.add("4", told, TOLD_BELOW)
        left.add("4", gone, NOTICED_BEFORE)
        holdings = holdings._replace(lines=SomeLines(holdings.lines, {*told, *gone}))
    return holdings


def resume(snapshot: "Snapshot", kept: KeptConversation) -> Resumption:
    """Return the parts of the bundle with which a kept conversation goes on.

    Raises StateError where its session is not on the tape any more.
    """
    if kept.session not in standing_sessions(snapshot):
        message = f"Chat {kept.session}, which was summed up, is no longer recorded."
        raise StateError(message, hint="sum up the newest conversation instead:  reel keep")
    shown = read_session(snapshot, kept.session).shown()
    since = next((at for at, entry in enumerate(shown) if (entry.number or 0) > kept.upto), len(shown))
    tail = shown[min(since, max(0, len(shown) - MOST_TOLD)) :]
    said: list[MessageText] = []
    for entry, text in tell_lived(snapshot, kept.session, tail) if tail else ():
        said.append(MessageText(entry.number or 0, text, opens=not said or entry.message.role == "user"))
    told = Resumption(kept.summary, kept.session, said, kept.upto, kept.overlap, kept.pinned)
    last, before = _noticed(snapshot, kept)
    return told._replace(buffer=first_of_kept(snapshot, kept), noticed=last, noticed_before=before)


def _noticed(snapshot: "Snapshot", kept: KeptConversation) -> tuple[frozenset[str], frozenset[str]]:
    """Return the memories noticed over a conversation at its last keep, and at earlier ones."""
    sessions = {span.session for span in kept.whole}
    own = frozenset(
        memory.id
        for memory in snapshot.memories.values()
        if EXPERIENCE in memory.tags and sessions.issuperset(memory.sessions)
    )
    return own.intersection(kept.noticed), own.difference(kept.noticed)
