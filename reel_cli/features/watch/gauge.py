"""How full the window is while a chat goes on: every message is counted once (Memory Keep §II.4).

What was counted stays in running sums, so a new turn costs what it costs itself, however long the chat is.
Who reads a chat knows what of it is as it was, and says so: only what follows is looked at.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from reel_cli.core.evidence.phrases import fold
from reel_cli.core.pack.recognize import find_bundle
from reel_cli.core.tape.session_size import UNSEEN
from reel_cli.core.values.fullness import Fullness, empty_stream
from reel_cli.core.values.talk import Message
from reel_cli.features.record.references import TELLING_WORDS, has_whole_words

if TYPE_CHECKING:
    from reel_cli.core.values.holdings import Counter
    from reel_cli.core.values.memory import IndexLine
    from reel_cli.core.values.settings import Settings


class GaugeReading(NamedTuple):
    """The result of one look at a chat.

    `named` are the index lines whose phrase came up, each phrase once in a chat; `crossed` says that it has
    just become too full, and `large` is the size of a new message that alone is more than the cap (else 0).
    `again` is how many messages had to be counted anew: somebody edited them, or those before them.
    """

    full: Fullness
    named: Sequence["IndexLine"] = ()
    crossed: bool = False
    large: int = 0
    again: int = 0


class Anchors:
    """The phrases of the index, each told of once."""

    def __init__(self, lines: Iterable["IndexLine"]) -> None:
        """Index the lines that are long enough to be distinctive."""
        self._left: dict[str, IndexLine] = {}
        for line in lines:
            if len(line.anchor.split()) >= TELLING_WORDS:
                self._left.setdefault(fold(line.anchor), line)

    def take(self, text: str) -> "list[IndexLine]":
        """Return the lines whose phrase stands in a text and was not told of yet."""
        padded = f" {fold(text)} "
        found = [phrase for phrase in self._left if phrase in padded and has_whole_words(padded, phrase)]
        return [self._left.pop(phrase) for phrase in found]


class Gauge:
    """One chat's gauge: give it the messages as they stand, and it counts what is new."""

    def __init__(
        self,
        settings: "Settings",
        counter: "Counter",
        lines: Iterable["IndexLine"] = (),
        *,
        aside: Callable[[], int] = int,
    ) -> None:
        """Count by `counter`; `aside` tells what the bundle takes where it does not stand in the chat."""
        self._empty = empty_stream(settings, 0)
        self._each, self._once = settings.template_message, settings.template_fixed
        self._count = counter.count
        self._anchors = Anchors(lines)
        self._aside = aside
        self._texts: list[str] = []
        self._places: list[int] = []
        """Indices of the texts among the chat's messages."""
        self._sums: list[tuple[int, int, int]] = []
        self._began = self._told = False

    def look(self, messages: Sequence[Message], same: int = 0) -> GaugeReading:
        """Return the chat's state; at the first look nothing in it is news.

        `same` is how many of its messages, from the first, are known to be as they were at the last look;
        those after them are compared.
        """
        before = len(self._texts)
        sure = bisect_right(self._places, same - 1)
        fresh = [(at, m.text) for at, m in enumerate(messages[same:], same) if m.kind not in UNSEEN]
        kept = self._same(fresh, sure)
        gone = frozenset(self._texts[sure + kept :])
        del self._texts[sure + kept :], self._sums[sure + kept :], self._places[sure:]
        self._places += [at for at, _ in fresh]
        named: list[IndexLine] = []
        large = 0
        for _, text in fresh[kept:]:
            bundle, turn = self._size(text)
            sums = self._sums[-1] if self._sums else (0, 0, 0)
            around = (turn > 0) * self._each
            self._sums.append((sums[0] + bundle, sums[1] + turn + around, sums[2] + (turn > 0)))
            self._texts.append(text)
            if turn and self._began and text not in gone:
                named += self._anchors.take(text)
                large = max(large, turn if turn > self._empty.cap else 0)
        full = self.full
        crossed = full.is_full and not self._told
        self._began, self._told = True, full.is_full
        return GaugeReading(full, named, crossed, large, before - sure - kept)

    @property
    def full(self) -> Fullness:
        """Return how full it was at the last look."""
        bundle, turns, said = self._sums[-1] if self._sums else (0, 0, 0)
        bundle = bundle or self._aside()
        around = self._once + self._each if bundle else 0
        return self._empty._replace(bundle=bundle + around, turns=turns, said=said)

    def _same(self, fresh: Sequence[tuple[int, str]], sure: int) -> int:
        """Return how many of the new texts equal those counted after the first `sure`."""
        pairs = zip(fresh, self._texts[sure:], strict=False)
        return next(
            (at for at, ((_, now), was) in enumerate(pairs) if now != was),
            min(len(fresh), len(self._texts) - sure),
        )

    def _size(self, text: str) -> tuple[int, int]:
        """Return how many tokens of a message are a bundle, and how many a turn."""
        span = find_bundle(text)
        if span is None:
            return 0, self._count(text)
        start, end = span
        beside = f"{text[:start]}{text[end:]}".strip()
        return self._count(text[start:end]), self._count(beside) if beside else 0


def same_beginning(before: Sequence[Message], now: Sequence[Message]) -> int:
    """Return how many messages, from the first, are the same in both."""
    for at, (was, is_) in enumerate(zip(before, now, strict=False)):
        if was is not is_ and (was.text != is_.text or was.kind is not is_.kind):
            return at
    return min(len(before), len(now))
