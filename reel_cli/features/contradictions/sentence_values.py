"""The days, numbers and names that a sentence gives, and those that it takes back."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta

from reel_cli.core.evidence.grounding.dates import dates
from reel_cli.core.evidence.grounding.lexicon import bare, even, stem
from reel_cli.core.evidence.grounding.names import names
from reel_cli.core.evidence.grounding.numbers import numbers
from reel_cli.core.frozen import frozen, late
from reel_cli.core.moment import read_day
from reel_cli.core.values.review import Side

_DENIED = late(
    r"(?i)\b(?:not|instead of|rather than|no longer"
    r"|(?:moved|changed|shifted|pushed|brought forward|up|down) from)\s+(?:(?:on|at|the|from|for)\s+)*$"
)
"""Pattern of the words before a value that a sentence only takes back."""
_AHEAD = 31
"""Number of days ahead among which the next day of a number is."""
KINDS = ("day", "number", "name")
"""Kinds of values, by which those of two texts are compared."""


@frozen
class SentenceValues:
    """The days, numbers and names of a text, by kind, those it takes back, and the text without days."""

    by_kind: dict[str, frozenset[object]]
    denied: dict[str, frozenset[object]]
    rest: str


def read_values(text: str, day: date | None) -> SentenceValues:
    """Return the values that a text gives, and those that it takes back."""
    plain = even(text)
    given: dict[str, set[object]] = {kind: set() for kind in KINDS}
    denied: dict[str, set[object]] = {kind: set() for kind in KINDS}
    masked = plain
    for when in dates(plain, day):
        masked = f"{masked[: when.start]}{' ' * (when.end - when.start)}{masked[when.end :]}"
        into = denied if _DENIED.search(plain[: when.start]) else given
        into["day"] |= {(first.month, first.day) for first, last in when.spans if first == last}
        if not when.spans:
            into["day"] |= {one for one in (when.weekday, when.day and f"the {when.day}") if one is not None}
    for number in numbers(plain, masked):
        if number.plain:
            into = denied if _DENIED.search(plain[: number.start]) else given
            into["number"] |= number.values
    for start, _, word in names(plain, masked):
        into = denied if _DENIED.search(plain[:start]) else given
        into["name"].add(stem(bare(word)))
    fixed = [{kind: frozenset(many) for kind, many in one.items()} for one in (given, denied)]
    return SentenceValues(fixed[0], fixed[1], masked)


def come_to_same(one: str, other: str) -> bool:
    """Return whether two sentences give the same numbers after a change: `10, not 5`, `from 5 to 10`."""
    told = [read_values(_FROM_TO.sub("to", even(text)), None) for text in (one, other)]
    given = [values.by_kind["number"] - values.denied["number"] for values in told]
    changed = any(values.denied["number"] for values in told) or _FROM_TO.search(f"{one}\n{other}")
    return bool(changed and given[0]) and given[0] == given[1]


_FROM_TO = late(r"(?i)\bfrom\s+[^,.;\n]{1,30}?\s+to\b")


def read_values_ahead(text: str, day: date | None) -> SentenceValues:
    """Return the values of a text written on a day; `the 12th` is also the next 12th after that."""
    found = read_values(text, day)
    bare = {str(one) for one in found.by_kind["day"] if isinstance(one, str)}
    ahead = [day + timedelta(days=count) for count in range(_AHEAD)] if day is not None and bare else []
    more = {(one.month, one.day) for one in reversed(ahead) if f"the {one.day}" in bare}
    return replace(found, by_kind={**found.by_kind, "day": found.by_kind["day"] | more})


def read_days(*sides: Side) -> Sequence[date | None]:
    """Return the day of each side; a note has none, and is read on the day of the other one."""
    days = [read_day(side.day) for side in sides]
    return [day or next(filter(None, days), None) for day in days]


def read_sides(*sides: Side) -> Sequence[SentenceValues]:
    """Return the values of each of the sides of a decision."""
    return [read_values(side.says, day) for side, day in zip(sides, read_days(*sides), strict=True)]


def folded(text: str) -> str:
    """Return a text in small letters on one line, without its full stop, to be compared."""
    return " ".join(text.split()).casefold().rstrip(".")
