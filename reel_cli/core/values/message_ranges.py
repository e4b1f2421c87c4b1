"""Numbers of messages of one session, as ranges."""

from collections.abc import Iterable

Ranges = tuple[tuple[int, int], ...]
"""Message numbers of one session as (first, last) pairs, rising and apart."""


def to_ranges(numbers: Iterable[int]) -> Ranges:
    """Return the ranges that hold these numbers and no other."""
    made: list[tuple[int, int]] = []
    for number in sorted(set(numbers)):
        if made and made[-1][1] == number - 1:
            made[-1] = (made[-1][0], number)
        else:
            made.append((number, number))
    return tuple(made)


def union(one: Ranges, other: Ranges) -> Ranges:
    """Return the numbers that are in either."""
    made: list[tuple[int, int]] = []
    for first, last in sorted((*one, *other)):
        if made and first <= made[-1][1] + 1:
            made[-1] = (made[-1][0], max(last, made[-1][1]))
        else:
            made.append((first, last))
    return tuple(made)


def holds(ranges: Ranges, number: int) -> bool:
    """Return whether a number is in one of the ranges."""
    return any(first <= number <= last for first, last in ranges)


def covers(ranges: Ranges, wanted: Ranges) -> bool:
    """Return whether the ranges contain all that is wanted."""
    return all(any(a <= first and last <= b for a, b in ranges) for first, last in wanted)
