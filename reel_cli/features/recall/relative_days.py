"""Relative days in a turn (`last Friday`), with the dates that they were."""

import re
from datetime import date, timedelta

from reel_cli.core.frozen import late
from reel_cli.core.moment import day_in_words

MOST = 3
"""Number of days told of one turn."""
_NEAR = 3
"""Days within which `last Friday` may be the one before."""
_DAYS, _MONTHS = 16, 95
"""Days up to which a vague stretch is told by its middle day, and by the month."""
_WEEK = late(r"(?i)\bweek\b")
_ASKS = late(
    r"(?i)\b(?:when|since when|(?:what|which) (?:\w+ )?(?:day|date|time|week|weekend|month|year|evening)"
    r"|how long ago|how (?:many|much|long) (?:\w+ )?(?:ago|since|before|after|passed|between))\b"
)


def asks_when(text: str) -> bool:
    """Return whether a question asks for a time."""
    return _ASKS.search(text) is not None


def resolve_days(text: str, day: date) -> tuple[str, ...]:
    """Return the relative days of a text said on `day`, as `last Friday: 5 May 2023`; not the unsure ones."""
    from reel_cli.core.evidence.grounding.dates import dates
    from reel_cli.core.evidence.grounding.lexicon import even

    plain = even(text)
    found = {}
    for when in dates(plain, day) if re.search(r"[a-z]", plain) else ():
        spans = list(dict.fromkeys(when.spans))
        if not when.relative or when.rough:
            continue
        if when.kind == "weekday" and len(spans) == 2 and spans[0][0] <= day - timedelta(_NEAR):
            # the nearest is meant where it is not of these very days
            spans = spans[:1] if spans[1][0] < day else spans
        if len(spans) != 1:
            continue
        first, last = spans[0]
        if when.kind == "back" and first != last:
            told = _name_about(first, last)
        else:
            # a week may be told of on its last day, before it is over
            told = _name(
                first, min(last, first + timedelta(6)) if _WEEK.search(plain[when.start : when.end]) else last
            )
        found[" ".join(plain[when.start : when.end].split())] = told
    return tuple(f"{said}: {told}" for said, told in list(found.items())[:MOST])


def _name_about(first: date, last: date) -> str:
    """Return the middle of a vague stretch of days, as exact as the stretch is."""
    middle = first + (last - first) / 2
    day = day_in_words(middle)
    length = (last - first).days
    return f"around {day if length <= _DAYS else day.partition(' ')[2] if length <= _MONTHS else middle.year}"


def _name(first: date, last: date) -> str:
    """Return a day, a month or a year by its name, any other stretch by its ends."""
    after = last + timedelta(days=1)
    if first == last:
        return day_in_words(first)
    if (first.month, first.day, after.month, after.day) == (1, 1, 1, 1):
        return str(first.year)
    if first.day == after.day == 1 and first.month == last.month and first.year == last.year:
        return day_in_words(first).partition(" ")[2]
    return f"{day_in_words(first)} to {day_in_words(last)}"
