"""Numbers that a note or fact changes although nobody said another one."""

from collections.abc import Iterable
from math import isclose

from reel_cli.core.evidence.grounding.dates import dates
from reel_cli.core.evidence.grounding.lexicon import even, stem
from reel_cli.core.evidence.grounding.numbers import Number, numbers
from reel_cli.core.evidence.grounding.source import mask
from reel_cli.core.evidence.own_words import NO

_TEN_THOUSAND = 10_000
_LEAST = 0.001
"""Difference of two numbers below which they are one: sums of decimal numbers are not exact."""


def find_changed_number(before: str, after: str, said: Iterable[str]) -> tuple[int, int] | None:
    """Return where in `after` a number stands that takes the place of one in `before` and was not said.

    Both count the same or nothing, and it is neither sum nor difference of the old number, or one that was
    said, and another that was said. None for no such number.
    """
    was, now = _counted(before), _counted(after)
    stays = frozenset(value for one in was for value in one.values)
    fresh = [one for one in now if one.values.isdisjoint(stays)]
    values = frozenset(value for one in fresh for value in one.values)
    gone = [one for one in was if values and not any(one.values & other.values for other in now)]
    heard = [one for text in said for one in _all_numbers(text)] if gone else []
    told = {value for one in heard for value in one.values}
    for one in fresh:
        rivals = [other for other in gone if one.counts[:1] == other.counts[:1]]
        alike = len(rivals) == 1 and rivals[0].seconds == one.seconds is None
        # `it's 75 now, not 60`, of thousands
        in_thousands = {value / 1_000 for value in one.values if value >= _TEN_THOUSAND}
        if not (alike and told.isdisjoint(one.values | in_thousands)):
            continue
        added = (other for other in heard if _may_add_up(other, one))
        if not _follows(one, rivals[0], {value for other in added for value in other.values}):
            return one.start, one.end
    return None


def has_grown(before: str, after: str, said: str) -> bool:
    """Return whether a text has the number of another, and more or less of the same as was said.

    It counts something: `room 12` does not grow. What was said is neither asked nor denied, and has another
    number than before, which would only be said again.
    """
    was, now, told = _counted(before), _counted(after), _counted(said)
    if not (len(was) == len(now) == len(told) == 1 and was[0].seconds == now[0].seconds is None):
        return False
    same = was[0].counts[:1] == now[0].counts[:1] and told[0].counts[:1] in (now[0].counts[:1], ())
    [old], [new], [more] = (one[0].values for one in (was, now, told))
    if not (same and now[0].counts) or more == old or "?" in said or NO.search(even(said)):
        return False
    return any(isclose(new, worked_out, abs_tol=_LEAST) for worked_out in (old + more, old - more))


def _follows(one: Number, other: Number, told: set[float]) -> bool:
    """Return whether a number is the sum or the difference of the old one, or one said, and another said."""
    first = {*other.values, *told}
    worked_out = [value for a in first for b in told for value in (abs(a - b), a + b)]
    return any(isclose(number, value, abs_tol=_LEAST) for number in one.values for value in worked_out)


def _may_add_up(said: Number, one: Number) -> bool:
    """Return whether a number that was said may be part of another; `one place` and `2.5 mg` are of none."""
    if said.counts[:1] == one.counts[:1]:
        return True
    return said.values != {1.0} and not _MEASURES.intersection(said.counts[:1])


_MEASURES = frozenset(
    map(
        stem,
        (
            "mg",
            "mcg",
            "ml",
            "gram",
            "kg",
            "km",
            "mile",
            "metre",
            "litre",
            "percent",
            "pound",
            "euro",
            "dollar",
        ),
    )
)


def _all_numbers(text: str) -> Iterable[Number]:
    plain = even(text)
    return numbers(plain, plain)


def _counted(text: str) -> list[Number]:
    """Return the numbers of a text that count something: neither days nor times of day."""
    plain = even(text)
    masked = mask(plain, [(one.start, one.end) for one in dates(plain, None)])
    return [one for one in numbers(plain, masked) if one.plain and not one.clock and len(one.values) == 1]
