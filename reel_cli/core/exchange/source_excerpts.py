"""A memory's source as a prompt shows it: all of it, or what has most to do with the memory."""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.evidence.phrases import fold, quotations
from reel_cli.core.frozen import frozen
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.tape.tape_view import read_session
from reel_cli.core.tape.transcript import GAP, shorten, tell_entries
from reel_cli.core.values.memory import Memory, where_of

if TYPE_CHECKING:
    from reel_cli.core.values.holdings import Counter

LEAST_SOURCE = 300
"""Tokens of source text below which a page waits for the next paste."""
LONGER_WORD = 4
"""Letters of a word below which it does not show which message a page is about."""


@frozen
class SourceExcerpt:
    """A memory's source: each message as told, its tokens, how much it has to do with the memory."""

    units: tuple[tuple[str, int, int], ...]

    @property
    def tokens(self) -> int:
        """Return the token count of all units."""
        return sum(tokens for _, tokens, _ in self.units)


def tell_source(snapshot: Snapshot, memory: Memory, counter: "Counter") -> SourceExcerpt | None:
    """Return the messages a memory was made of; None if none of them is on this tape."""
    about = {word for word in fold(memory.body).split() if len(word) >= LONGER_WORD}
    phrases = [fold(phrase) for phrase in (memory.anchor, *quotations(memory.body)) if phrase]
    found: list[tuple[str, int, int]] = []
    for span in where_of(memory):
        try:
            shown = read_session(snapshot, span.session).shown()
        except ReelError:
            continue
        entries = [e for e in shown if not span.last or span.first <= (e.number or 0) <= span.last]
        if not entries:
            continue
        for _, unit in tell_entries(snapshot, span.session, entries):
            plain = fold(unit)
            shared = len(about.intersection(plain.split()))
            anchored = any(phrase in plain for phrase in phrases)
            found.append((unit, counter.count(unit) + 1, shared + 1000 * anchored))
    return SourceExcerpt(tuple(found)) if found else None


def share_out(sources: Sequence[SourceExcerpt], left: int, counter: "Counter") -> list[str]:
    """Return the source text of each memory: all of it if there is room, else its most relevant messages.

    Each is sure of `LEAST_SOURCE`, and `left` is the room beyond that, in tokens. Those that need little
    get it whole; the rest of the room is shared by the others.
    """
    room = [min(source.tokens, LEAST_SOURCE) for source in sources]
    left += sum(room)
    waiting = sorted(range(len(sources)), key=lambda at: sources[at].tokens)
    for place, at in enumerate(waiting):
        room[at] = min(sources[at].tokens, left // (len(waiting) - place))
        left -= room[at]
    return [_excerpt(source, room[at], counter) for at, source in enumerate(sources)]


def _excerpt(source: SourceExcerpt, room: int, counter: "Counter") -> str:
    if source.tokens <= room:
        chosen = set(range(len(source.units)))
    else:
        gap = counter.count(GAP)
        chosen = set()
        left = room
        for at in sorted(range(len(source.units)), key=lambda i: (-_worth(source.units[i]), i)):
            _, tokens, _ = source.units[at]
            if tokens + gap <= left:
                chosen.add(at)
                left -= tokens + gap
    if not chosen:
        best = max(range(len(source.units)), key=lambda i: _worth(source.units[i]))
        return shorten(source.units[best][0], room, counter).rstrip("\n")
    told: list[str] = []
    for at, (unit, _, _) in enumerate(source.units):
        if at in chosen:
            told.append(unit)
        elif not told or told[-1] != GAP:
            told.append(GAP)
    return "".join(told).rstrip("\n")


def _worth(unit: tuple[str, int, int]) -> float:
    """Return the relevance of a message to the page, relative to its length."""
    _, tokens, score = unit
    return score / math.sqrt(tokens + 20)
