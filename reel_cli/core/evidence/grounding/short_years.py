"""Years told by their last two digits: `it was 91. february`, `the winter of 78`, `since eighty-five`."""

import re
from collections.abc import Iterator, Sequence
from datetime import date, timedelta

from reel_cli.core.evidence.grounding.date_words import MONTHS
from reel_cli.core.evidence.grounding.dates import DAY_ENDS, When
from reel_cli.core.evidence.grounding.lexicon import UNDER_TWENTY
from reel_cli.core.frozen import late

_ONES = "|".join(UNDER_TWENTY[1:10])
_TENS = ("fifty", "sixty", "seventy", "eighty", "ninety")
_YEAR = rf"(?P<year>\d\d|(?:{'|'.join(_TENS)})[\s-](?:{_ONES}))(?![\w%:/]|[.,-]\d|['’]\w)"
_MONTH = r"(?P<month>jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec)[a-z]*\b\.?"
_WITH_MONTH = (
    late(
        rf"(?i)(?:\b(?P<day>[0-3]?\d)(?:st|nd|rd|th|\.)?\s+(?:of\s+)?)?\b{_MONTH},?\s+(?:of\s+|in\s+)?{_YEAR}"
    ),
    late(rf"(?i)(?<![\w.,:$€£'-])(?P<day>){_YEAR}[.,;]?\s+{_MONTH}(?!\s+(?:the\s+)?\d)"),
)
"""Patterns of a year beside its month, on either side."""
_AFTER_DAYS = 31
_SEASON = r"(?:spring|summer|autumn|fall|winter|christmas|easter|crop|class|vintage|harvest|flood|storm|year)"
_OF_SEASON = late(rf"(?i)\b{_SEASON}\s+of\s+{_YEAR}")
_BEHIND_SEASON = late(rf"(?i)\b{_SEASON}\s+(?:in\s+)?{_YEAR}")
_BEHIND_LEAD = late(rf"(?i)\b(?:in|since|until|till|from|to|before|after|around|by)\s+{_YEAR}")
_ALONE = late(
    r"(?i)(?:^|[.,;:!?—–(]\s+|\b(?:(?:it|that|this) (?:was|is)|it's|that's|not|said|say|meant|mean|or|and"
    rf"|think|but|no)\s+){_YEAR}"
)
"""Patterns of a year behind a season or a preposition, and in a talk of years."""
_OF_YEARS = late(rf"(?i)\b(?:(?:18|19|20)\d\d|(?:that|the|which|what|same|last) (?:{_SEASON})|year|'\d\d)\b")
_FROM = 40
"""The least number that is a year without a word for one: fewer are days, hours or steps."""


def find_short_years(text: str, whens: Sequence[When]) -> list[When]:
    """Return the years, months and days that an even text may name by a year of two digits.

    They are only possible ones, as `since 64` may be since somebody was 64; `whens` are its other dates.
    """
    if not _MAY_HAVE.search(text):
        return []
    found: list[When] = []
    for pattern in _WITH_MONTH:
        for one in pattern.finditer(text):
            if (number := _read(one["year"])) > _AFTER_DAYS:
                found += _with_month(one, _whole(number))
    found += map(_of_year, _OF_SEASON.finditer(text))
    found += (_of_year(one) for one in _BEHIND_SEASON.finditer(text) if _read(one["year"]) >= _FROM)
    found += (_of_year(one) for one in _BEHIND_LEAD.finditer(text) if _is_year(one, text))
    if found or _OF_YEARS.search(text) or any(one.kind == "month" for one in whens):
        found += (_of_year(one) for one in _ALONE.finditer(text) if _is_year(one, text))
    return found


_MAY_HAVE = late(rf"(?i)(?<![\d.,])\d\d(?![\d.,]\d)|\b(?:{'|'.join(_TENS)})[\s-]")


def _is_year(found: re.Match[str], text: str) -> bool:
    many = _read(found["year"]) >= _FROM or found["year"].startswith("0")
    return many and DAY_ENDS.match(text, found.end()) is not None


def _with_month(found: re.Match[str], year: int) -> Iterator[When]:
    month = next(at for at, name in enumerate(MONTHS, 1) if name.startswith(found["month"].casefold()[:3]))
    first = date(year, month, 1)
    last = date(year + month // 12, month % 12 + 1, 1) - timedelta(days=1)
    yield When(found.start(), found.end(), "month", ((first, last),))
    yield _of_year(found)
    if found["day"] and 1 <= int(found["day"]) <= last.day:
        day = date(year, month, int(found["day"]))
        yield When(found.start(), found.end(), "day", ((day, day),), day=day.day)


def _of_year(found: re.Match[str]) -> When:
    year = _whole(_read(found["year"]))
    return When(found.start("year"), found.end("year"), "year", ((date(year, 1, 1), date(year, 12, 31)),))


def _read(told: str) -> int:
    """Return the number of two digits, or of words such as `eighty-five`."""
    if told.isdecimal():
        return int(told)
    tens, ones = re.split(r"[\s-]", told.casefold())
    return 50 + 10 * _TENS.index(tens) + UNDER_TWENTY.index(ones)


def _whole(number: int) -> int:
    return number + (1900 if number >= _FROM else 2000)
