"""The names, numbers and days of a value, looked up near its quotation, in the chat, and before it."""

from collections.abc import Sequence
from datetime import date

from reel_cli.core.evidence.days.said_days import bears_years
from reel_cli.core.evidence.grounding.check import Claim
from reel_cli.core.evidence.grounding.date_support import is_borne
from reel_cli.core.evidence.grounding.date_words import WEEKDAYS
from reel_cli.core.evidence.grounding.dates import dates
from reel_cli.core.evidence.grounding.lexicon import even, telling
from reel_cli.core.evidence.grounding.numbers import numbers
from reel_cli.core.evidence.grounding.source import Source
from reel_cli.core.evidence.own_words import LENT, SAID, is_named, missing_detail
from reel_cli.core.frozen import late
from reel_cli.core.moment import MONTHS, read_day
from reel_cli.features.facts.evidence.details.told_days import days_of
from reel_cli.features.facts.evidence.fact_support import PART, counts_exactly, named
from reel_cli.features.facts.evidence.told_value import without_dates

WEEKDAY = late(rf"(?i)\b(?:{'|'.join(WEEKDAYS)}),?\s+(?=\d)")
"""Pattern of a weekday before the number of its day."""
ANY_DAY = date(2024, 1, 1)
_NO_NAME = SAID[Claim.NAME].partition("“")[0]
_MONTH = late(rf"(?i)\b(?:{'|'.join(f'{one[:3]}(?:{one[3:]})?' for one in MONTHS)})\b")
_MONTH_SAID = late(
    rf"(?i)(?:\b(?:in|of|since|until|till|from|by|this|last|next|early|late|mid|to|and|\d(?:st|nd|rd|th)?)\s+"
    rf"|(?<!\w)(?!may\b|march\b))({'|'.join(f'{one[:3]}(?:{one[3:]})?' for one in MONTHS)})\b"
)
"""Patterns of a month by its name, and of one in a talk, where `may` and `march` are words as well."""
_SMALL = late(r"(?i)\b(?:of|the|in|on|at|\d+(?:st|nd|rd|th)?)\b")
_DAY_NAME = late(rf"(?i)\b(?:{'|'.join(one[:3] for one in WEEKDAYS)})(?:s|\w*days?)?\b")
_PRONOUN = late(r"(?i)\b(?:he|she|him|her|his|hers|they|them|their)\b")
_OWNS = late(r"'s?$")
_LAST_DAY = 31
_NTH = late(r"(?i)\d(?:st|nd|rd|th)\b")


class ValueDetails:
    """Names, numbers and days of a value, looked up near its quotation, then in the chat, then before it.

    A day stands where each of its parts does: `the 15th` in one turn, `of October` in the other's, `2009` in
    a third. A number or day that is far from the quotation stands beside a word of the fact.
    """

    def __init__(
        self, started: str, near: Source, every: Source, before: Sequence[str], who: Sequence[str] = ()
    ) -> None:
        self._who = who
        self._near = [one.turn.text for one in near.said]
        self._every, self._before = every, before
        self._texts = [one.turn.text for one in every.said]
        # an answer is about what its question asks
        before_each = ["", *self._texts]
        self._asked = dict.fromkeys(self._texts, "")
        for question, text in zip(before_each, self._texts, strict=False):
            if question.rstrip().endswith("?"):
                # one `Yes.` may answer several
                self._asked[text] = f"{self._asked[text]} {question}".strip()
        self._today = read_day(started)

    def bear(self, value: str, key: frozenset[str], told: str) -> bool:
        """Return whether each detail of a value stands somewhere."""
        return not self.find_missing(value, key, told)

    def find_missing(self, value: str, key: frozenset[str], told: str) -> str:
        """Return the first detail of a value that stands nowhere, or the value; "" for none."""
        about = (telling(value) | key | telling(told)) - LENT
        # a name in quotation marks is one as well, and the day of `Monday, 5 January` the fifth
        plain = WEEKDAY.sub("", value.replace('"', ""))
        while why := missing_detail(plain, self._every):
            detail = why.partition("“")[2].partition("”")[0]
            place = plain.casefold().find(detail.casefold())
            if not detail or place < 0:
                return detail or value
            by_name = why.startswith(_NO_NAME)
            if not (self._is_known(detail) if by_name else self.stands_in_parts(detail, about)):
                return detail
            plain = f"{plain[:place]} {plain[place + len(detail) :]}"
        far = [text for text in (*self._texts, *self._before) if self._is_about(text, about)]
        bare = without_dates(even(value), dates(even(value), ANY_DAY))
        for name in () if _PRONOUN.search(even(told)) else named(bare):
            rest = about - telling(name)
            places = (*self._near, *(text for text in far if self._is_about(text, rest) or not rest))
            if not any(is_named(even(text), _OWNS.sub("", name)) for text in (*places, *self._who)):
                return name
        said = self._every.said
        close = {*self._near, *far}
        days = [when for one in said if one.turn.text in close for when in one.dates]
        for when in dates(even(plain), self._today):
            told_day = even(plain)[when.start : when.end]
            if not is_borne(when, days, []) and not self.stands_in_parts(told_day, about):
                return told_day
        for part in PART.split(plain):
            if not counts_exactly(part, "", [*self._near, *far]):
                return part
            if not any(bears_years(part, one) for one in said):
                return part
        return ""

    def _is_about(self, text: str, about: frozenset[str]) -> bool:
        """Return whether a text, or the question that it answers, has one of some words."""
        return bool(telling(f"{self._asked.get(text, '')} {text}") & about)

    def _is_known(self, name: str) -> bool:
        """Return whether a name, without the end that says whose something is, stands anywhere."""
        plain = _OWNS.sub("", even(name))
        return any(is_named(even(text), plain) for text in (*self._texts, *self._before))

    def stands_in_parts(self, detail: str, about: frozenset[str]) -> bool:
        """Return whether each number, month and weekday of a day or a number stands somewhere."""
        far = [one for text in (*self._texts, *self._before) if telling(text) & about for one in (text,)]
        texts = [even(text) for text in (*self._near, *far)]
        counted = {number for text in texts for one in read_counts(text) for number in one}
        months = {one[:3] for one in _MONTH.findall(detail.casefold())}
        days = {one[:3] for one in _DAY_NAME.findall(detail.casefold())}
        today = self._today
        rest = _DAY_NAME.sub(" ", _MONTH.sub(" ", _SMALL.sub(" ", detail)))
        if telling(rest):
            # a month of another language is looked up as a day alone
            return False
        counted |= {float(year) for text in texts for year in _years_of(text)}
        if months or _NTH.search(detail):
            # the number of a day is told as one: `four in the afternoon` is no 4th
            numbered = {float(day) for text in texts for day in days_of(text)}
            numbered |= {float(one.day) for said in self._every.said for one in said.dates if one.day}
            counted = numbered | {one for one in counted if one > _LAST_DAY}
        if today is not None:
            following = MONTHS[today.month % len(MONTHS)][:3].casefold()
            this = MONTHS[today.month - 1][:3].casefold()
            counted |= {float(today.year)} | ({float(today.day)} if this in months else set())
            months -= {this, following}
        said = " ".join(texts).casefold()
        months -= {one[1][:3] for one in _MONTH_SAID.finditer(said)}
        days -= {one[:3] for one in _DAY_NAME.findall(said)}
        return not months and not days and all(one & counted for one in read_counts(detail))


def _years_of(text: str) -> Sequence[int]:
    """Return the years of the last century that a text tells by two figures in words: `in thirty-one`."""
    return [
        _CENTURY
        + 10 * (_TENS.index(one["tens"].casefold()) + 2)
        + _ONES.index((one["ones"] or "").casefold())
        for one in _SHORT_YEAR.finditer(text)
    ]


_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_ONES = ("", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_CENTURY = 1900
_SHORT_YEAR = late(
    rf"(?i)\b(?:in|since|until|till|(?:summer|winter|spring|autumn)(?:\s+of)?|year\s+of)"
    rf"\s+(?P<tens>{'|'.join(_TENS)})"
    rf"(?:[- ](?P<ones>{'|'.join(_ONES[1:])}))?\b"
    r"(?=\s*(?:[.,;:!?)]|$|\s(?:to|and|when|with|as|for|at|on|from|by|i|he|she|we|they|it|the|my|his|her)\b))"
)
"""Pattern of a year told by its last two figures in words, which counts nothing behind it."""


def read_counts(text: str) -> Sequence[frozenset[float]]:
    """Return the numbers of a text, each with all that it may mean."""
    return [frozenset(one.values) for one in numbers(text, text)]


def read_numbers(text: str) -> frozenset[float]:
    """Return all that the numbers of a text may mean."""
    return frozenset(number for one in read_counts(even(text)) for number in one)
