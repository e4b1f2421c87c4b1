"""The days, numbers and names that a sentence gives, and those that it takes back."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import date, timedelta

from reel_cli.core.evidence.days.resolved_days import resolve_days
from reel_cli.core.evidence.days.sentence_time import is_of_many
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
    masked, places = _read_places(text, day)
    for place in places:
        (denied if place.denied else given)[place.kind] |= place.values
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


def swap_value(held: str, other: Side, holds: Side) -> str:
    """Return a held text with the day or number of `holds` in the place of the one that it replaces.

    The rest of the text stays. "" where it gives no such value, or several could be meant.
    """
    then, now = read_days(other, holds)
    for kind in KINDS[:2]:
        fresh, old, mine = (
            [one for one in _read_places(text, day)[1] if one.kind == kind and not one.denied]
            for text, day in ((holds.says, now), (other.says, then), (held, then))
        )
        gone = _join_values(old) - _join_values(fresh)
        taken = [one for one in mine if one.values & gone]
        said = [holds.says[one.start : one.end].rstrip(" .,") for one in fresh]
        words = [resolve_days(one, now, 1).removeprefix(_ON) for one in said]
        if len(taken) == 1 and len(set(words)) == 1:
            before, after = held[: taken[0].start], held[taken[0].end :]
            if not _ORDINAL.match(words[0]):
                before = _THE.sub("", before)
            return _swap_clock(f"{before}{words[0]}{after}", holds.says)
        if taken or (gone and words):
            return ""
    return ""


def _swap_clock(text: str, said: str) -> str:
    """Return a text with the time of day that is said beside its new day; "" where several could be meant."""
    old, fresh = (list(_CLOCK.finditer(one)) for one in (text, said))
    if not (old and fresh):
        return text
    if len(old) > 1 or len({one[0] for one in fresh}) > 1:
        return ""
    return f"{text[: old[0].start()]}{fresh[0][0]}{text[old[0].end() :]}"


_CLOCK = late(r"(?i)\b\d{1,2}(?:[:.][0-5]\d(?:\s?[ap]\.?m\b)?|\s?[ap]\.?m\b)(?![:.]?\d)")
_ON = "on "
_BESIDE = len(", ")
"""Characters between a weekday and the date that it stands before, at most."""
_ORDINAL = late(r"\d+(?:st|nd|rd|th)\b")
_THE = late(r"(?i)\bthe $")


@frozen
class _ValuePlace:
    """One day or number in a text: where it stands, the values it may mean, whether it is taken back."""

    kind: str
    start: int
    end: int
    values: frozenset[object]
    denied: bool


def _read_places(text: str, day: date | None) -> tuple[str, Sequence[_ValuePlace]]:
    """Return a normalised text without its days, and the days and numbers with their places."""
    plain = even(text)
    found: list[_ValuePlace] = []

    def add(kind: str, start: int, end: int, values: Collection[object]) -> None:
        start += len(_ON) if plain[start:end].casefold().startswith(_ON) else 0
        denied = _DENIED.search(plain[:start]) is not None
        found.append(_ValuePlace(kind, start, end, frozenset(values), denied))

    masked = plain
    for when in dates(plain, day):
        masked = f"{masked[: when.start]}{' ' * (when.end - when.start)}{masked[when.end :]}"
        days: set[object] = {(first.month, first.day) for first, last in when.spans if first == last}
        if when.kind == "weekday" and is_of_many(when, plain):
            # `every Sunday` is no one day
            days = {f"every {when.weekday}"}
        elif not when.spans:
            days = {one for one in (when.weekday, when.day and f"the {when.day}") if one is not None}
        if found and found[-1].values == days and when.start - found[-1].end <= _BESIDE:
            # a weekday with its date is one day
            start = found.pop().start
        else:
            start = when.start
        add("day", start, when.end, days)
    for number in numbers(plain, masked):
        if number.plain:
            add("number", number.start, number.end, number.values)
    return masked, found


def _join_values(places: Sequence[_ValuePlace]) -> frozenset[object]:
    return frozenset().union(*(place.values for place in places))


def folded(text: str) -> str:
    """Return a text in small letters on one line, without its full stop, to be compared."""
    return " ".join(text.split()).casefold().rstrip(".")
