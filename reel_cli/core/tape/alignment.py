"""Alignment of equal messages in two readings of a conversation, with bounded cost for any length."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Hashable, Sequence
from typing import TypeAlias

Pairs: TypeAlias = list[tuple[int, int]]
"""Pairs of an index in the old reading and one in the new; both increase."""


def align(old: Sequence[Hashable], new: Sequence[Hashable]) -> Pairs:
    """Pair what both readings have, in order.

    The common beginning and end; between them, what stands once in each (in the longest order that
    both agree on), and whatever is alike right beside those. No pair is ever wrong; with many
    repeated messages some may be missed. O(n log n).
    """
    head, tail = _edges(old, new, (0, 0), (len(old), len(new)))
    pairs = [(i, i) for i in range(head)]
    end = (len(old) - tail, len(new) - tail)
    at = (head, head)
    for anchor in [*_anchors(old, new, at, end), end]:
        before, after = _edges(old, new, at, anchor)
        pairs += [(at[0] + i, at[1] + i) for i in range(before)]
        pairs += [(anchor[0] - i, anchor[1] - i) for i in range(after, 0, -1)]
        if anchor != end:
            pairs.append(anchor)
        at = (anchor[0] + 1, anchor[1] + 1)
    return pairs + [(end[0] + i, end[1] + i) for i in range(tail)]


def _edges(
    old: Sequence[Hashable], new: Sequence[Hashable], start: tuple[int, int], end: tuple[int, int]
) -> tuple[int, int]:
    """Return how many items are equal at the start, and then at the end, of the stretch."""
    room = min(end[0] - start[0], end[1] - start[1])
    head = 0
    while head < room and old[start[0] + head] == new[start[1] + head]:
        head += 1
    tail = 0
    while tail < room - head and old[end[0] - 1 - tail] == new[end[1] - 1 - tail]:
        tail += 1
    return head, tail


def _anchors(
    old: Sequence[Hashable], new: Sequence[Hashable], start: tuple[int, int], end: tuple[int, int]
) -> Pairs:
    """Return pairs of items that occur exactly once in both stretches, as many as possible in order."""
    in_old, in_new = Counter(old[start[0] : end[0]]), Counter(new[start[1] : end[1]])
    where = {new[j]: j for j in range(start[1], end[1]) if in_new[new[j]] == 1}
    both = [(i, where[old[i]]) for i in range(start[0], end[0]) if in_old[old[i]] == 1 and old[i] in where]
    lasts: list[int] = []
    ends: list[int] = []
    previous: list[int] = []
    for position, (_, j) in enumerate(both):
        at = bisect_left(lasts, j)
        previous.append(ends[at - 1] if at else -1)
        lasts[at : at + 1] = [j]
        ends[at : at + 1] = [position]
    rising: Pairs = []
    position = ends[-1] if ends else -1
    while position >= 0:
        rising.append(both[position])
        position = previous[position]
    return rising[::-1]
