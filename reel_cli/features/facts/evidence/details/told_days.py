"""Days that a text tells, and those of a value that its quotation tells otherwise."""

from contextlib import suppress
from datetime import date
from itertools import pairwise

from reel_cli.core.evidence.grounding.date_words import WEEKDAYS
from reel_cli.core.evidence.grounding.dates import dates
from reel_cli.core.evidence.grounding.lexicon import even
from reel_cli.core.frozen import late
from reel_cli.core.moment import MONTHS

_MONTHS = "|".join(one[:3] for one in MONTHS)
_DAY_SAID = late(
    rf"(?i)\b(?P<day>\d{{1,2}})(?:(?:st|nd|rd|th)\b|\s+(?:of\s+)?(?:{_MONTHS})[a-z]*\b)"
    rf"|\b(?:{_MONTHS})[a-z]*\s+(?P<after>\d{{1,2}})\b"
)
"""Pattern of the number of a day: `the 15th`, `15 October`, `October 15`."""


def days_of(text: str) -> frozenset[int]:
    """Return the numbers of the days that a text tells."""
    return frozenset(int(one["day"] or one["after"]) for one in _DAY_SAID.finditer(even(text)))


def tells_other_day(value: str, told: str, today: date | None) -> bool:
    """Return whether a quotation tells days, and a value others, or a weekday that its day does not have."""
    mine, theirs = days_of(value), days_of(told)
    if mine and theirs and (mine.isdisjoint(theirs) or (len(mine) <= len(theirs) and not mine <= theirs)):
        return True
    whens = dates(even(value), today)
    for one, other in pairwise(whens):
        # `on Wednesday in three days` is of one day
        beside = one.kind == "weekday" and other.relative and other.start - one.end == 1
        if beside and not {*one.spans} & {*other.spans}:
            return True
    for found in _WEEKDAY_OF.finditer(even(value)):
        years = (
            [int(found["year"])] if found["year"] else [] if today is None else [today.year, today.year + 1]
        )
        month = next(
            at for at, one in enumerate(MONTHS, 1) if one[:3].casefold() == found["month"][:3].casefold()
        )
        names = {_weekday(year, month, int(found["day"])) for year in years}
        if years and found["name"][:3].casefold() not in names:
            return True
    return False


def _weekday(year: int, month: int, day: int) -> str:
    with suppress(ValueError):
        return WEEKDAYS[date(year, month, day).weekday()][:3].casefold()
    return ""


_WEEKDAY_OF = late(
    rf"(?i)\b(?P<name>{'|'.join(WEEKDAYS)}),?\s+(?:the\s+)?(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?"
    rf"(?P<month>{'|'.join(MONTHS)})(?:\s+(?P<year>\d{{4}}))?\b"
)
