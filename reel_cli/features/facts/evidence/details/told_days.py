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


def takes_back(part: str, told: str) -> bool:
    """Return whether a part says which day something no longer is on, and a quotation takes that day back.

    `Moved from 14` is of `not 14 oct any more`, and `not the 14th` of `I used to think it was the 14th`.
    """
    found = _NO_LONGER.fullmatch(even(part).strip(" ."))
    if found is None:
        return False
    month = found["month"]
    signs = (one for one in _TAKES_BACK.finditer(even(told)) if int(one["day"]) == int(found["day"]))
    months = (one["month"] for one in signs)
    return any(not (month and one) or month[:3].casefold() == one[:3].casefold() for one in months)


_THAT_DAY = (
    rf"(?:the\s+)?(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?:\s+(?:of\s+)?(?P<month>(?:{_MONTHS})[a-z]*))?\b"
)
_NO_LONGER = late(
    r"(?i)(?:(?:and|but)\s+)?(?:(?:moved|changed|shifted|postponed|put off|brought forward)\s+from"
    rf"|not|no longer|never)\s+(?:on\s+)?{_THAT_DAY}(?:\s+any ?more)?"
)
_TAKES_BACK = late(
    r"(?i)(?:\b(?:not|no longer|never|instead of|rather than|moved from)(?:\s+(?:on|for))?"
    r"|\b(?:used to (?:think|believe|say)|thought|believed)\s+(?:that\s+)?(?:it|that|this)\s+(?:was|is)"
    r"(?:\s+on)?)"
    rf"\s+{_THAT_DAY}(?!\s*[-:.]\d)"
)


def _weekday(year: int, month: int, day: int) -> str:
    with suppress(ValueError):
        return WEEKDAYS[date(year, month, day).weekday()][:3].casefold()
    return ""


_WEEKDAY_OF = late(
    rf"(?i)\b(?P<name>{'|'.join(WEEKDAYS)}),?\s+(?:the\s+)?(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?"
    rf"(?P<month>{'|'.join(MONTHS)})(?:\s+(?P<year>\d{{4}}))?\b"
)
