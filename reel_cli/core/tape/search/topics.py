"""The words a session is about, kept with it, and the sessions that go on with one another's matter.

Somebody who goes on talking (`It's done. What's next?`) shares few words with the evening that they go on
from, but evenings of one matter share many with each other. So a session also counts by how near it is to
the best ones, and by how well those nearest to it do.
"""

import heapq
import re
import sqlite3
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from math import log, log1p, sqrt

from reel_cli.core.tape.search.forms import STOP, rarity
from reel_cli.core.tape.search.query import pairs

_WORD = re.compile(r"\w{3,}")
KEPT = 48
"""Words kept of a session, those that are rare in any text and frequent in it."""
READ = 300
"""Characters of a turn that tell what a session is about."""
COMPARED = 20
"""Number of sessions, the best, that are compared."""
BEST = 3
"""Number of sessions that the others are compared with, and of neighbours that a session is judged by."""
BY_BEST, BY_NEIGHBOURS = 0.4, 0.5
"""Shares of the best score that are added to the session nearest to the best ones, and to the one with the
best neighbours. From .2 to .6 each is within .01 of these on RealMem, by the figures of all four people."""


def topic_words(texts: Iterable[str]) -> str:
    """Return the heaviest words of a session's turns with how often each is said, as the index keeps them."""
    starts = "\n".join(text[:READ] for text in texts).lower()
    said = Counter(_WORD.findall(starts))
    said.update(pairs(starts))
    weights = {word: log1p(n) * rarity(word) for word, n in said.items() if word not in STOP}
    heaviest = heapq.nsmallest(KEPT, weights, key=lambda word: (-weights[word], word))
    return " ".join(f"{word} {said[word]}" for word in heaviest)


def near_topics(file: sqlite3.Connection, sessions: Mapping[int, float]) -> dict[int, float]:
    """Return what sessions have added for their matter, as shares of the best score."""
    best = heapq.nlargest(COMPARED, sessions, key=lambda number: (sessions[number], number))
    vectors = _vectors(file, best)
    best = [number for number in best if vectors.get(number)]
    centre: dict[str, float] = {}
    for number in best[:BEST]:
        for word, weight in vectors[number].items():
            centre[word] = centre.get(word, 0.0) + sessions[number] * weight
    by_best = _shares({number: _product(vectors[number], centre) for number in best})
    near: dict[int, list[tuple[float, int]]] = {number: [] for number in best}
    for one, other in combinations(best, 2):
        closeness = _product(vectors[one], vectors[other])
        near[one].append((closeness, other))
        near[other].append((closeness, one))
    by_neighbours = _shares(
        {number: _mean(heapq.nlargest(BEST, around), sessions) for number, around in near.items()}
    )
    return {number: BY_BEST * by_best[number] + BY_NEIGHBOURS * by_neighbours[number] for number in best}


def _vectors(file: sqlite3.Connection, numbers: Sequence[int]) -> dict[int, dict[str, float]]:
    """Return the words of these sessions with their weights, each session's of length 1."""
    marks = ",".join("?" * len(numbers))
    query = f"SELECT number, topic FROM sessions WHERE number IN ({marks})"  # noqa: S608
    said = {number: _read(topic) for number, topic in file.execute(query, list(numbers))}
    held = Counter(word for counts in said.values() for word in counts)
    found = {}
    for number, counts in said.items():
        weights = {
            word: log1p(n) * rarity(word) * log(1 + (len(said) - held[word] + 0.5) / (held[word] + 0.5))
            for word, n in counts.items()
        }
        length = sqrt(sum(weight * weight for weight in weights.values())) or 1.0
        found[number] = {word: weight / length for word, weight in weights.items()}
    return found


def _read(topic: str) -> dict[str, int]:
    parts = topic.split()
    return dict(zip(parts[::2], map(int, parts[1::2]), strict=True))


def _product(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    return sum(weight * other[word] for word, weight in one.items() if word in other)


def _mean(around: Sequence[tuple[float, int]], sessions: Mapping[int, float]) -> float:
    """Return the mean score of some sessions, each by its closeness."""
    whole = sum(closeness for closeness, _ in around)
    return sum(closeness * sessions[number] for closeness, number in around) / whole if whole else 0.0


def _shares(values: Mapping[int, float]) -> dict[int, float]:
    best = max(values.values(), default=0.0) or 1.0
    return {number: value / best for number, value in values.items()}
