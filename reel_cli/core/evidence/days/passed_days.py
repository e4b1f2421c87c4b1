"""Days that a text was noted with and that have passed since."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta
from functools import lru_cache

from reel_cli.core.evidence.days.said_days import MONTH_AND_MORE
from reel_cli.core.evidence.days.sentence_time import (
    NOT_ON,
    PAST,
    is_of_many,
    sentence_around,
    side_of_day,
)
from reel_cli.core.evidence.grounding.dates import When, dates
from reel_cli.core.evidence.grounding.lexicon import even
from reel_cli.core.frozen import late


def has_passed(text: str, noted: date | None, today: date, *, begun: bool = False) -> bool:
    """Return whether a text that was `noted` on a day names days or months, and each of them has passed."""
    last = last_day_of(text, noted, begun=begun)
    return last is not None and last < today


@lru_cache(maxsize=2_048)
def last_day_of(text: str, noted: date | None, *, begun: bool = False) -> date | None:
    """Return the last of the days and months that a text names which was `noted` on a day; None for none.

    A day from which another one is reckoned is no such day, nor one on which it is not to be, nor one on
    which somebody was born or did something, nor one that lay behind when the text was noted, nor the month
    of another day there, nor a weekday of every week; a year alone is one only as in `by 2027`. `begun`: what
    goes on from a day has passed with that day.
    """
    plain = even(text)
    named = [one for one in _join_weekdays(dates(plain, noted, feasts=True), plain, noted) if one.spans]
    named = [one for one in named if not (one.kind == "weekday" and is_of_many(one, plain))]
    named = [one for one in named if not (one.kind == "month" and _is_month_of(one, named))]
    named = [one for one in named if one.kind != "year" or _DUE.search(plain, 0, one.start)]
    named = [one for one in named if not NOT_ON.search(plain[: one.start])]
    named = [one for one in named if not _HAPPENED.search(plain[: one.start])]
    named = [one for one in named if not _was_done(plain, one)]
    reckoned = _COUNTED_FROM if begun else _RECKONED_FROM
    if any(reckoned.search(plain[: one.start]) for one in named):
        # `two weekends after 3 June` is another day
        return None
    ends = [end for one in named for end in [_end(one, plain, noted)] if noted is None or end >= noted]
    return max(ends, default=None)


def _was_done(text: str, one: When) -> bool:
    """Return whether a date is that on which its sentence tells that somebody did or missed something.

    `I missed the question once, 2 August` is a day of the past, and none by which anything is due.
    """
    first, _ = sentence_around(text, one.start, one.end)
    before = text[first : one.start]
    if _ASKS.match(text) or _ARRANGED.search(before) or side_of_day(text, one.start, one.end) >= 0:
        return False
    return any(PAST.match(before, found.end()) for found in _SUBJECT.finditer(before))


def _is_month_of(month: When, named: Sequence[When]) -> bool:
    """Return whether a month is that of a day which the same text names."""
    days = [span for one in named if one.kind != "month" for span in one.spans]
    return any(first <= day and last <= end for first, end in month.spans for day, last in days)


def _join_weekdays(whens: Sequence[When], text: str, noted: date | None) -> list[When]:
    """Return dates in which `Sunday 22nd` is one day: the nearest of that number that is a Sunday."""
    found: list[When] = []
    for one in whens:
        before = found[-1] if found else None
        if before is None or one.kind != "nth" or before.weekday is None or noted is None:
            found.append(one)
            continue
        if not _BETWEEN_DAYS.fullmatch(text, before.end, one.start):
            found.append(one)
            continue
        near = (noted + timedelta(days=side * far) for far in range(2 * MONTH_AND_MORE) for side in (1, -1))
        day = next((day for day in near if (day.day, day.weekday()) == (one.day, before.weekday)), None)
        found[-1] = replace(one, start=before.start, spans=((day, day),) if day is not None else ())
    return found


_NEXT = late(r"(?i)next\b")
_ASKS = late(r"(?i)(?:whether|if|who|what|when|where|why|how|which|ask)\b|.*\?\W*$")
_SUBJECT = late(r"\b(?:I|(?i:you|he|she|we|they)|[A-Z][a-z]+)(?: (?:\w+ly|never|once|also))? ")
_ARRANGED = late(
    r"(?i)\b(?:booked|set|arranged|promised|planned|agreed|asked|invited|moved|changed|put|owed|wanted|needed"
    r"|scheduled|said|told|thought|hoped|meant|swore|expected|offered|chose|decided)\b"
)
"""Patterns of a note that asks, a subject before its verb, and what was done for a day to come."""
_BETWEEN_DAYS = late(r",?\s+(?:the\s+)?|\s*")


def _end(one: When, text: str, noted: date | None) -> date:
    """Return the last day that a date means: of several meanings the first from the day it was noted.

    `Next August` may be a year later than the next one.
    """
    ends = [last for _, last in one.spans]
    if one.kind == "month" and _NEXT.match(text, one.start):
        return max(ends)
    return min((end for end in ends if noted is not None and end >= noted), default=max(ends))


_RECKONED_FROM = late(r"(?i)\b(?:after|since|from|before)\s+(?:the\s+)?$")
"""Pattern of what stands before a day from which another one is reckoned."""
_COUNTED_FROM = late(
    r"(?i)\b(?:after|since|before|(?:days?|weeks?|weekends?|months?|years?) from)\s+(?:the\s+)?$"
)
"""Pattern of the same where what goes on from a day has begun with it."""
_HAPPENED = late(r"(?i)(?<!\bbe )(?<!\bget )\b(?:born|married|died|founded|met)\s+(?:on\s+)?(?:the\s+)?$")
"""Pattern of what stands before the day of a thing that happened and is nothing to be done: `born 27 May`."""
_DUE = late(r"(?i)\b(?:by|until|till|end of)\s+$")
