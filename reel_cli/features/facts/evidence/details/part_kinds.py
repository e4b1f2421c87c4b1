"""Kinds of the parts of a value: a time, an amount, a place, or plain words; and the words that end a part.

`8 June` is a time, `46,500` an amount, `in Gdansk` a place, `has a van` none of these. A later value with a
part of the same kind says that part anew.
"""

import re
from collections.abc import Iterator, Sequence
from datetime import date

from reel_cli.core.evidence.days.passed_days import last_day_of
from reel_cli.core.evidence.grounding.dates import When, dates
from reel_cli.core.evidence.grounding.lexicon import even, stem
from reel_cli.core.evidence.grounding.numbers import Number, numbers
from reel_cli.core.frozen import frozen, late
from reel_cli.features.facts.evidence.told_value import without_dates

ENDING = late(
    r"(?i)\b(?:no longer|not any ?more|over|done|finished|ended|ends|gone|went|left|leaves?|leaving|lost|sold"
    r"|sells|moved?|moves|moving|stopped|quits?|sacked|fired|retire\w*|closed|closes|cancell?ed|off|died|dead|dies"
    r"|instead|replac\w+|became|becomes|changed|switched|turned|broke|broken|split|settled|decided|kept|signed"
    r"|signs|told|found|back|returned|now|passed|failed|won|free|out|again|new)\b"
)
"""Pattern of words by which a value says that something came to an end, or to something else."""
OFTEN = late(
    r"(?i)\b(?:every|each|once|twice|(?:\w+ )?times) (?:(?:a|per|other|second|third|two|three|four|six) )?"
    r"(?:\d+ )?(?:day|week|fortnight|month|quarter|year|morning|evening|night"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day)s?\b"
    r"|\b(?:daily|weekly|fortnightly|monthly|yearly|annually|nightly)\b"
)
"""Pattern of how often something is."""
_DAY_OF_WEEK = late(r"(?i)\b(?:weekdays?|weekends?|(?:mon|tues?|wed|weds|thurs?|thu|fri|sat|sun))\b")
_CLOCK = late(
    r"(?i)\b(?:at|by|before|after|till|until|from|to) (?:half |quarter )?"
    r"(?:\d{1,2}(?::\d\d)?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen"
    r"|noon|midnight)(?: o'clock)?\b(?!\s*(?:%|[a-z]))"
    r"|\b\d{1,2}:\d\d\b|\b\d{1,2} ?(?:am|pm)\b|\bo'clock\b"
)
_PLACE = late(
    r"(?i)\b(?:in|at|on|near|under|behind|beside|above|below|next to)\b(?! (?:after|for|with)\b)(?= \w)"
    r"|\b(?:upstairs|downstairs)\b|\b(?:from|to) (?:the )?(?-i:[A-Z])[\w'-]+"
)
_MONEY = late(
    r"(?i)[$€£¥]|\b(?:euros?|pounds?|quid|dollars?|z[lł]oty\w*|kroner?|crowns?|francs?|cents?|pence|eur|gbp|usd)\b"
)
_UNIT = late(r"(?i)\s*-?(?P<unit>%|[^\W\d_]+)")
_RATE = late(r"(?i)\b(?:an?|per|each)\s+(?:day|week|fortnight|month|quarter|year|night|evening)\b")
_YEARS = late(r"(?i)\b\d+ ?(?:yrs|mins|hrs|wks|mths)\b")
_MAKE = late(r" [^\W\d_]{3,}")
_BETWEEN = frozenset(("to", "or", "and"))
_SMALL = (
    frozenset(
        map(
            stem,
            (
                [
                    "a",
                    "an",
                    "at",
                    "by",
                    "each",
                    "for",
                    "from",
                    "in",
                    "instead",
                    "is",
                    "of",
                    "on",
                    "per",
                    "since",
                    "till",
                    "to",
                    "until",
                    "was",
                    "with",
                    "not",
                    "are",
                ]
            ),
        )
    )
    | _BETWEEN
)


@frozen
class PartKinds:
    """The kinds of a text: whether it tells a day or an hour, how often, how long, a place; units of amounts.

    An amount without a unit has the unit "".
    """

    day: bool
    often: bool
    length: bool
    place: bool
    units: frozenset[str]

    @property
    def plain(self) -> bool:
        """Return whether a text is of none of these kinds."""
        return not (self.day or self.often or self.length or self.place or self.units)

    def says_anew(self, older: "PartKinds") -> bool:
        """Return whether a newer text has something of a kind that an older part has."""
        alike = (
            (self.day and older.day)
            or (self.often and older.often)
            or (self.length and older.length)
            or (self.place and older.place)
        )
        if alike or not (self.units and older.units):
            return alike
        return "" in self.units or "" in older.units or bool(self.units & older.units)


def kinds_of(text: str, day: date | None) -> PartKinds:
    """Return the kinds of a text that was told on a day."""
    plain = even(text)
    often = OFTEN.search(plain) is not None
    rest = _blank(OFTEN, plain)
    whens = [one for one in dates(rest, day) if _is_time(one, rest)]
    bare = without_dates(rest, whens)
    clock = _CLOCK.search(bare) is not None
    bare = _blank(_CLOCK, bare)
    counted = _blank(_RATE, bare)
    found = [one for one in numbers(counted, counted) if one.plain or one.seconds]
    return PartKinds(
        bool(whens) or clock or _DAY_OF_WEEK.search(rest) is not None or any(one.clock for one in found),
        often,
        any(one.seconds for one in found) or _YEARS.search(counted) is not None,
        _PLACE.search(bare) is not None,
        frozenset(
            _units(
                [one for one in found if not (one.seconds or one.clock or _YEARS.match(counted, one.start))],
                counted,
            )
        ),
    )


def _blank(pattern: re.Pattern[str], text: str) -> str:
    return pattern.sub(lambda one: " " * len(one[0]), text)


def _is_time(one: When, text: str) -> bool:
    """Return whether a date in a text is a time, and no ordinal or year of make: `a beige 2009 Micra`."""
    return one.kind != "ordinal" and not (one.kind == "year" and _MAKE.match(text, one.end))


def _units(found: Sequence[Number], text: str) -> Iterator[str]:
    """Yield the unit of each amount: one name for money, the stem of what it counts, "" for none."""
    for number in found:
        if _MONEY.search(text[max(0, number.start - 2) : number.end + 12]):
            yield "money"
            continue
        named = _UNIT.match(text, number.end)
        unit = stem(named["unit"].casefold()) if named is not None else ""
        if not (unit in _BETWEEN and number is not found[-1]):
            yield "" if unit in _SMALL else unit


def is_of_a_day(text: str, noted: date | None) -> bool:
    """Return whether a text names a day of a month from which nothing begins: `8 June`, no `from 8 June`."""
    plain = even(text)
    return any(
        one.kind not in _LOOSE and not _BEGINS.search(plain, 0, one.start) for one in dates(plain, noted)
    )


def has_run_out(text: str, noted: date | None, today: date | None) -> bool:
    """Return whether each day that a text names has passed, or lay behind when it was noted."""
    if today is None or all(one.kind in _LOOSE for one in dates(even(text), noted)):
        return False
    last = last_day_of(text, noted)
    return last is not None and last < today


def begins_later(text: str, today: date | None) -> bool:
    """Return whether a text says from which later day it holds; `moved from the 3rd to the 24th` does not."""
    plain = even(text)
    return today is not None and any(
        _begins(one, today) > today
        for one in dates(plain, today)
        if one.spans and _FROM.search(plain, 0, one.start) and not _TO.match(plain, one.end)
    )


def _begins(one: When, today: date) -> date:
    """Return the first day of a date: the coming weekday, the month that is nearest."""
    firsts = [first for first, _ in one.spans]
    return max(firsts) if one.kind == "weekday" else min(firsts, key=lambda first: abs(first - today))


_LOOSE = ("weekday", "month", "year", "ordinal")
"""Kinds of dates that may be of many days."""
_BEGINS = late(r"(?i)\b(?:from|since|as of|starting(?: on)?|beginning|effective)\s+(?:the\s+)?$")
_FROM = late(r"(?i)\b(?:from|as of|starting(?: on)?|beginning|effective)\s+(?:the\s+)?$")
_TO = late(r"(?i)\s+to\b")


def is_rule(text: str) -> bool:
    """Return whether a text says how often something is, or its bounds: `every Tuesday, between 2 and 3`."""
    return OFTEN.search(even(text)) is not None or _BOUNDS.search(even(text)) is not None


def is_measure(text: str, today: date | None) -> bool:
    """Return whether a text gives a number that was measured on one day: `2.6 on the 3rd of November`."""
    plain = even(text)
    days = [one for one in dates(plain, today) if one.kind not in _LOOSE]
    over = (
        today is not None and bool(days) and all(last <= today for one in days for _, last in one.spans[-1:])
    )
    units = kinds_of(text, today).units - {"money"}
    return (
        over
        and bool(units)
        and not is_rule(text)
        and not any(_BEGINS.search(plain, 0, one.start) for one in days)
    )


_BOUNDS = late(
    r"(?i)\b(?:between [\w.]+ and [\w.]+|should (?:be|stay)|target|aim\w*|at (?:least|most)|no (?:more|less)"
    r" than|max\w*|min\w*|under|over|above|below) "
)
