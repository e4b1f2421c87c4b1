"""The words a session is about, kept with it, and the sessions that go on with one another's matter.

Somebody who goes on talking (`It's done. What's next?`) shares few words with the evening that they go on
from, but evenings of one matter share many with each other. So a session also counts by how near it is to
the best ones, by how well those nearest to it do, and by how many newer ones there are of its matter: whoever
goes on with a matter mostly means what was said of it last.
"""

import heapq
import re
import sqlite3
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import log, log1p, sqrt

from reel_cli.core.tape.search.forms import STOP, rarity
from reel_cli.core.tape.search.query import pairs

_WORD = re.compile(r"\w{3,}")
KEPT = 48
"""Words kept of a session, those that are rare in any text and frequent in it."""
READ = 300
"""Characters of a turn that tell what a session is about."""
COMPARED = 40
"""Number of sessions, the best, that are compared."""
BEST = 3
"""Number of sessions that the others are compared with, and of neighbours that a session is judged by."""
BY_BEST, BY_NEIGHBOURS = 0.4, 0.5
"""Shares of the best score that are added to the session nearest to the best ones, and to the one with the
best neighbours. From .2 to .6 each is within .01 of these on RealMem, by the figures of all four people."""
OTHER_MATTER, SAME_MATTER = 0.1, 0.4
"""Closeness up to which two sessions are of different matters, and from which they are of the same."""
_LONER = 0.3
"""Closeness to other sessions, in all, of which a session without a matter is judged as if it had it."""

FEATURES = (
    "score, with the shares for the best sessions and the best neighbours",
    "mean score of the other sessions, each by its closeness",
    "score by the words that are said again and again where they are said",
    "score of an older session by its closeness, of the one where that is most",
    "the first of these, over one more than the newer sessions of its matter",
)
WEIGHTS = (1.8, 4.5, 1.5, -2.9, 2.6)
"""Weights of `FEATURES`: multinomial logistic regression (ridge 30) on which of the best 40 sessions the 508
queries of RealMem want. What they are worth, fitted on three people and judged on the fourth: the table in
bench/recall_choices.md."""


def topic_words(texts: Iterable[str]) -> str:
    """Return the heaviest words of a session's turns with how often each is said, as the index keeps them."""
    starts = "\n".join(text[:READ] for text in texts).lower()
    said = Counter(_WORD.findall(starts))
    said.update(pairs(starts))
    weights = {word: log1p(n) * rarity(word) for word, n in said.items() if word not in STOP}
    heaviest = heapq.nsmallest(KEPT, weights, key=lambda word: (-weights[word], word))
    return " ".join(f"{word} {said[word]}" for word in heaviest)


def judge_sessions(
    file: sqlite3.Connection,
    sessions: Mapping[int, float],
    repeated: Mapping[int, float],
    places: Mapping[int, int],
) -> dict[int, tuple[float, float, float]]:
    """Return by session what nearness adds to a turn's score; and a factor for it, with what all adds.

    `sessions` are the best scores, `repeated` those by the words that are said again and again, and `places`
    tell which session is newer. Only the best sessions are judged.
    """
    best = heapq.nlargest(COMPARED, sessions, key=lambda number: (sessions[number], number))
    scores = [sessions[number] for number in best]
    near = _closeness(file, best)
    added = _near_topics(near, scores)
    whole = max((score + more for score, more in zip(scores, added, strict=True)), default=0.0) or 1.0
    lifted = [(score + more) / whole for score, more in zip(scores, added, strict=True)]
    around = _shares([_product(row, lifted) / (sum(row) + _LONER) for row in near])
    again = _shares([repeated.get(number, 0.0) for number in best])
    judged = {}
    for at, number in enumerate(best):
        row = near[at]
        newer = [places[other] > places[number] for other in best]
        older = max(
            (min(row[i], SAME_MATTER) * scores[i] for i, after in enumerate(newer) if not after), default=0.0
        )
        later = sum(_is_same(closeness) for closeness, after in zip(row, newer, strict=True) if after)
        factor = (WEIGHTS[0] + WEIGHTS[4] / (1 + later)) / whole
        more = WEIGHTS[1] * around[at] + WEIGHTS[2] * again[at] + WEIGHTS[3] * older
        judged[number] = (added[at], factor, factor * added[at] + more)
    return judged


def _is_same(closeness: float) -> float:
    """Return how far two sessions are of one matter, from 0 to 1."""
    return min(1.0, max(0.0, (closeness - OTHER_MATTER) / (SAME_MATTER - OTHER_MATTER)))


def _near_topics(near: Sequence[Sequence[float]], scores: Sequence[float]) -> list[float]:
    """Return what sessions, best first, have added for the best ones and their neighbours."""
    few = range(min(BEST, len(scores)))
    by_best = _shares([sum((at == i or row[i]) * scores[i] for i in few) for at, row in enumerate(near)])
    by_neighbours = _shares([_mean(heapq.nlargest(BEST, zip(row, scores, strict=True))) for row in near])
    return [BY_BEST * one + BY_NEIGHBOURS * other for one, other in zip(by_best, by_neighbours, strict=True)]


def _closeness(file: sqlite3.Connection, numbers: Sequence[int]) -> list[list[float]]:
    """Return how close these sessions are to each other by the words they share, from 0 to 1; 0 to itself."""
    held: dict[str, list[tuple[int, int]]] = {}
    marks = ",".join("?" * len(numbers))
    query = f"SELECT number, topic FROM sessions WHERE number IN ({marks})"  # noqa: S608
    places = {number: at for at, number in enumerate(numbers)}
    for number, topic in file.execute(query, list(numbers)):
        parts = topic.split()
        for word, count in zip(parts[::2], parts[1::2], strict=True):
            held.setdefault(word, []).append((places[number], int(count)))
    lengths, near = [0.0] * len(numbers), [[0.0] * len(numbers) for _ in numbers]
    for word, holders in held.items():
        # a word of one session alone tells of no other, and would only make it longer
        if (count := len(holders)) > 1:
            weight = rarity(word) * log(1 + (len(numbers) - count + 0.5) / (count + 0.5))
            weighed = [(at, weight * log1p(n)) for at, n in holders]
            for i, (at, one) in enumerate(weighed):
                lengths[at] += one * one
                for to, other in weighed[:i]:
                    near[at][to] += one * other
    for at, row in enumerate(near):
        for to in range(at):
            row[to] += near[to][at]
            if row[to]:
                row[to] /= sqrt(lengths[at] * lengths[to])
            near[to][at] = row[to]
    return near


def _product(one: Sequence[float], other: Sequence[float]) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True))


def _mean(around: Sequence[tuple[float, float]]) -> float:
    """Return the mean of some sessions' scores, each by its closeness."""
    whole = sum(closeness for closeness, _ in around)
    return sum(closeness * score for closeness, score in around) / whole if whole else 0.0


def _shares(values: Sequence[float]) -> list[float]:
    best = max(values, default=0.0) or 1.0
    return [value / best for value in values]
