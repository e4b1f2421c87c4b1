"""Days and numbers that two values give to the same thing."""

import re
from datetime import timedelta

from reel_cli.core.evidence.claims import LABEL, YEARLY
from reel_cli.core.evidence.days.said_days import as_coming
from reel_cli.core.evidence.days.sentence_time import is_of_many
from reel_cli.core.evidence.grounding.dates import When, dates
from reel_cli.core.evidence.grounding.lexicon import even, stem, stems
from reel_cli.core.evidence.grounding.numbers import COUNTING, Number, numbers
from reel_cli.core.frozen import late
from reel_cli.features.facts.evidence.told_value import (
    DAYS_OF_YEAR,
    HAPPENED,
    LEAST_COMMON,
    ToldValue,
    without_dates,
)

_ONCE = frozenset(
    map(
        stem,
        [
            "born",
            "birth",
            "birthday",
            "died",
            "death",
            "dies",
            "first",
            "married",
            "wedding",
            "graduated",
            "founded",
        ],
    )
)
"""Stems of what happens once."""
_OFTEN = late(
    r"(?i)\b(?:times|twice|once|every|each)\b|\b(?:hours?|minutes?|days?|nights?|miles?|km) (?:a|per) "
)
_SOON = timedelta(days=10)
_NUMBERS = frozenset(map(stem, COUNTING))


def gives_other_day(older: ToldValue, newer: ToldValue) -> bool:
    """Return whether both give another day to what has one; an appointment that is over had its own."""
    one, two = whens_of(older), whens_of(newer)
    if len(one) != 1 or len(two) != 1:
        return False
    (was,), (is_,) = one, two
    common = (set(stems(newer.value)) & set(stems(older.value))) | set(stems(newer.key))
    if any(a <= d and c <= b for a, b in was.spans for c, d in is_.spans):
        return False
    if common & YEARLY:
        days = [{(a.month, a.day) for a, b in when.spans if a == b} for when in (was, is_)]
        return bool(days[0] and days[1]) and days[0].isdisjoint(days[1])
    if common & _ONCE:
        return was.kind == is_.kind and not (was.relative or is_.relative)
    if HAPPENED.search(newer.value) or HAPPENED.search(older.value) or older.past:
        return False
    exact = ("iso", "slash", "day", "nth", "weekday")
    if was.kind not in exact or is_.kind not in exact or newer.day is None or older.day is None:
        return False
    if "weekday" in (was.kind, is_.kind) and newer.day - older.day > _SOON:
        return False
    return any(b >= newer.day for _, b in was.spans) and any(d >= newer.day for _, d in is_.spans)


def whens_of(told: ToldValue) -> list[When]:
    """Return the dates of a value, each as the days that may be meant on the day it was told."""
    text = even(told.value)
    found = []
    for given in dates(text, told.day):
        one = as_coming(given, text, told.day) if told.day is not None else given
        if one.kind == "weekday" and (told.day is None or is_of_many(one, text)):
            continue
        spans = one.spans
        if one.kind == "weekday" or (len(spans) > 1 and told.day is not None):
            coming = tuple(span for span in spans if told.day is not None and span[1] >= told.day)[:1]
            spans = coming or spans
        found.append(When(one.start, one.end, one.kind, spans, one.relative, one.rough, one.weekday, one.day))
    return found


def gives_other_number(older: ToldValue, newer: ToldValue) -> bool:
    """Return whether both give another number to the same, which is none that grows or recurs."""
    if _OFTEN.search(older.value) or _OFTEN.search(newer.value):
        return False
    one, two = _counted(older), _counted(newer)
    alike = len(one) == len(two) == 1 and _alike_but(older.value, newer.value)
    for was in one:
        if any(was.values & other.values for other in two):
            # it names the older number itself: `fifty-eight hives of the sixty`
            continue
        for is_ in two:
            if len(was.values) != 1 or len(is_.values) != 1:
                continue
            if _is_age(older, was) and _is_age(newer, is_):
                return _ages_apart(older, newer, min(was.values), min(is_.values))
            if was.counts and is_.counts:
                happened = HAPPENED.search(older.value) or HAPPENED.search(newer.value)
                same = was.counts[0] == is_.counts[0] and (alike or not _is_length(newer, is_))
                if same and not happened:
                    return True
            elif alike:
                return True
    return False


def _counted(told: ToldValue) -> list[Number]:
    text = even(told.value)
    found = numbers(text, without_dates(text, dates(text, told.day)))
    return [one for one in found if one.plain and not one.clock and not LABEL.search(text[: one.start])]


def _is_length(told: ToldValue, number: Number) -> bool:
    """Return whether a number is a length of time, which may be of anything; `560 a month` is a price."""
    rate = re.match(r"\s+(?:an?|per|each|every)\b", even(told.value)[number.end :])
    return number.seconds is not None and rate is None


def _is_age(told: ToldValue, number: Number) -> bool:
    text = even(told.value)
    aged = stem("age") in set(stems(told.key))
    return bool(re.match(r"(?i)[\s-]*(?:years?|yrs?)[\s-]+old\b", text[number.end :])) or aged


def _ages_apart(older: ToldValue, newer: ToldValue, was: float, age: float) -> bool:
    """Return whether somebody cannot be so old by now."""
    if older.day is None or newer.day is None:
        return age < was
    apart = (newer.day - older.day).days / DAYS_OF_YEAR
    return age < was or age - was > apart + 1


def _alike_but(one: str, other: str) -> bool:
    """Return whether two values say the same of two lone numbers."""
    mine, theirs = (set(stems(re.sub(r"\d[\d.,]*", " ", even(text)))) - _NUMBERS for text in (one, other))
    return len(mine) >= LEAST_COMMON and mine == theirs
