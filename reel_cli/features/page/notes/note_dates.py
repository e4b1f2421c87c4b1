"""Dates in notes: relative days as the dates that they mean, and texts without the dates beside weekdays."""

import re
from collections.abc import Iterator, Sequence
from datetime import date, timedelta

from reel_cli.core.evidence.days.resolved_days import resolve_days
from reel_cli.core.evidence.grounding.date_words import MONTHS, WEEKDAYS
from reel_cli.core.evidence.grounding.dates import dates
from reel_cli.core.evidence.grounding.lexicon import even
from reel_cli.core.evidence.grounding.numbers import ORDINALS
from reel_cli.core.frozen import late
from reel_cli.core.quote_marks import QUOTED

_YEAR = late(r"(?:19|20)\d\d")
_MONTH = "|".join(MONTHS)
_PART = r"(?:\s+(?:morning|lunchtime|afternoon|evening|night))?"
_DATE = rf"(?:around )?(?:\d{{1,2}}(?: (?:{_MONTH}))? to )?(?:\d{{1,2}} )?(?:{_MONTH}) (?:19|20)\d\d\b"
_HAS_DATE = late(rf"(?i){_PART},?\s+{_DATE}")
_DATED = late(rf"(?i)\b(?P<day>{'|'.join(WEEKDAYS)}|weekend){_PART},?\s+(?P<date>{_DATE})")
"""Pattern of a weekday or weekend with its date: `Friday, 6 March 2026`."""
_WHOLE_DATE = late(rf"(?i)\b(?:on |by |until |in )?(?P<date>\d{{1,2}} (?:{_MONTH}) (?:19|20)\d\d)\b")
_DATE_OF_MONTH = late(rf"(?i)(?P<day>\d{{1,2}} (?:{_MONTH}))(?: (?:19|20)\d\d)?\b")
_RANGE_DAY = late(rf"(?i)\d{{1,2}}(?: (?:{_MONTH}))?\b(?= to {_DATE})")
_ORDINALS = {word: count for word, count in ORDINALS.items() if count <= 31}
_NUMBER = rf"\d{{1,2}}(?:st|nd|rd|th)?|{'|'.join(sorted(_ORDINALS, key=len, reverse=True))}"
_NO_TIME = r"(?!\s*(?:[:.]\d|[ap]\.?m\b|o['’]clock|h\b)|(?<=\d)\s+(?!(?:" + _MONTH + r")\b)[a-z])"
_DATED_WEEKDAY = late(
    rf"(?i)\b(?P<name>{'|'.join(WEEKDAYS)}),?\s+(?:the\s+)?(?P<number>{_NUMBER})\b{_NO_TIME}"
)
_BARE_WEEKDAY = late(rf"(?i)\b({'|'.join(WEEKDAYS)})\b(?!,?\s+(?:the\s+)?(?:{_NUMBER})\b{_NO_TIME})")
"""Patterns of a weekday with the day of its month, and of one without."""
_NEAR = 62
"""Days around a chat in which a weekday and a day of the month are looked for."""
_MOST_WEEKDAYS = 2
"""Number of weekdays in a text above which it is a timetable."""


def resolve_note(text: str, day: date, lean: int = 1) -> str:
    """Return words written on `day` with their relative days as dates; a timetable or quotation is left.

    So is what is counted in years: a note may be of a tale, which has no year of ours. A weekday is to come
    where its sentence does not tell (`lean` 1), or is left (0).
    """
    if sum(one.kind == "weekday" for one in dates(even(text), day)) > _MOST_WEEKDAYS:
        return text
    told, end = "", 0
    for quoted in QUOTED.finditer(text):
        told += resolve_days(text[end : quoted.start()], day, lean, years=False) + quoted[0]
        end = quoted.end()
    return told + resolve_days(text[end:], day, lean, years=False)


def is_of_other_day(text: str, day: date, said: Sequence[str]) -> bool:
    """Return whether a chat gives a weekday that a text names another date than the one next to come.

    `Ruth comes on Sunday` of a chat that spoke of `Sunday the fifteenth` is of that Sunday alone.
    """
    names = {one.casefold() for one in _BARE_WEEKDAY.findall(even(text))}
    for name in names:
        number = WEEKDAYS.index(name)
        soon = day + timedelta(days=(number - day.weekday()) % 7 or 7)
        told = {
            one
            for turn in said
            for found in _DATED_WEEKDAY.finditer(even(turn))
            if found["name"].casefold() == name
            for one in _days_of(number, _count(found["number"]), day)
        }
        if told and soon not in told:
            return True
    return False


def _days_of(weekday: int, number: int, day: date) -> Iterator[date]:
    """Yield the days near one that are this weekday and this day of their month."""
    near = (day + timedelta(days=count) for count in range(-_NEAR, _NEAR + 1))
    yield from (one for one in near if one.day == number and one.weekday() == weekday)


def _count(word: str) -> int:
    digits = re.match(r"\d+", word)
    return int(digits[0]) if digits else _ORDINALS[word.casefold()]


def list_open_days(text: str) -> list[str]:
    """Return the words by which a text names days whose year is open; a weekday has its date beside it."""
    plain = even(text)
    whens = dates(plain, date(2024, 1, 1), feasts=True)
    beside = (_HAS_DATE.match(plain, one.end) or _RANGE_DAY.match(plain, one.start) for one in whens)
    named = [plain[one.start : one.end] for one, dated in zip(whens, beside, strict=True) if not dated]
    return [told for told in named if not _YEAR.search(told)]


def join_dates(text: str) -> str:
    """Return a text in which a weekday with its date is one word: `friday6march2026`."""
    return _DATED.sub(lambda found: re.sub(r"\W+", "", found["day"] + found["date"]), text)


def without_dates(text: str) -> str:
    """Return a text without its whole dates, whose weekdays stay."""
    return _WHOLE_DATE.sub(" ", _DATED.sub(r"\g<day>", text))


def whole_dates(text: str) -> frozenset[str]:
    """Return the whole dates of a text."""
    return frozenset(found["date"].casefold() for found in _WHOLE_DATE.finditer(text))


def days_of_month(text: str) -> frozenset[str]:
    """Return the days of a text that have their month, without their year: `6 march`."""
    return frozenset(found["day"].casefold() for found in _DATE_OF_MONTH.finditer(even(text)))


def without_days(text: str) -> str:
    """Return a text without the days that have their month, and without weekdays before them."""
    plain = re.sub(rf"(?i)\b(?:{'|'.join(WEEKDAYS)}),?\s+(?=\d{{1,2}} (?:{_MONTH})\b)", " ", even(text))
    return _DATE_OF_MONTH.sub(" ", plain)


def without_years(text: str) -> str:
    """Return a text without the years of its days."""
    return _DATE_OF_MONTH.sub(r"\g<day>", even(text))
