"""Relative days of a text as the dates that they were on the day it was said."""

from datetime import date, timedelta
from typing import TYPE_CHECKING

from reel_cli.core.evidence.days.relative_days import FEW_DAYS, name_relative_days
from reel_cli.core.evidence.grounding.date_words import MONTHS, WEEKDAYS
from reel_cli.core.frozen import late
from reel_cli.core.moment import day_in_words

if TYPE_CHECKING:
    import re

_PREPOSITION = r"(?P<lead>\b(?:by|until|till|since|for|before|after|from|on|in|of)\s+)?"
_UNIT = "(?P<unit>week|month|year)"
_RELATIVE = late(
    rf"(?i){_PREPOSITION}(?<!\bthe )(?<!\bher )(?<!\bhis )(?<!\bits )(?<!their )(?<!['’]s )(?<!every )\b"
    rf"(?:(?P<which>next|last|this)\s+{_UNIT}|(?P<day>today|tomorrow|yesterday)"
    rf"|last\s+(?P<weekday>{'|'.join(WEEKDAYS)}))\b(?!['’]s|\s+of\b)"
)
_TWICE = late(
    r"\b(?P<day>(?:\d{1,2} )?[A-Z][a-z]+) (?P<year>\d{4}),? (?:(?:on|the|about|around|roughly) )?"
    rf"(?:(?:{'|'.join(one.capitalize() for one in WEEKDAYS)}),? )?(?P=day)\b(?: (?P=year)\b)?(?! \d{4}\b)"
)
"""A day that was told both ways: `next month, September 2023`, `tomorrow, 24 April`."""
_NAMED_TWICE = late(
    r"\b(?P<day>\d{1,2} [A-Z][a-z]+ \d{4}),? (?P<name>(?:[A-Z][a-z]+ ){1,2}[A-Z][a-z]+),? (?P=day)\b"
)
"""A day that was told in both ways and has a name: `tomorrow, Easter Sunday, 20 April 2025`."""
_UNIT_ALONE = late(r"(?i)\b(?:next|last|this)\s+(?:week|month|year)\b|\b(?:today|tomorrow|yesterday)\b")
"""Pattern of what is put as a date where it can be, and else left as it was said."""
_IN_QUOTES = late(r'"[^"\n]*"|“[^”\n]*”|„[^“”\n]*[“”]|«[^»\n]*»')
"""Pattern of words in quotation marks, which stay as they were said."""
_ABOUT = late(r"(?i)\b(?:around|about|roughly|some)\s+$")
_SATURDAY = 5
_STOPS = late(r"\s*(?:[,.;:!?)”]|$)")


def resolve_days(text: str, day: date | None, lean: int = 0, *, years: bool = True) -> str:
    """Return a text with its relative days as dates, as they were on the day it was said.

    `lean` decides of a weekday whether it is past (-1) or to come (1), where its sentence does not. Without
    `years`, what is counted in them stays as it was said.
    """
    if day is None:
        return text

    def resolved(found: "re.Match[str]") -> str:
        if _is_quoted(text, found.start()):
            return found[0]
        lead = found["lead"] or ""
        try:
            told = _date_of(found, day)
        except OverflowError:
            # before the first day there is, or after the last
            told = None
        if not told:
            return found[0]
        how, what = told
        if lead.strip().casefold() == "of" and how == "on":
            # what was on that day, and no day for which anything is set
            what = f"that day, {what}"
        lead = lead or f"{how} "
        return f"{lead.capitalize() if found[0][0].isupper() else lead}{what}"

    told = _RELATIVE.sub(resolved, text)
    for start, end, name in reversed(name_relative_days(told, day, lean, years=years)):
        if not _UNIT_ALONE.search(told[start:end]) and not _is_quoted(told, start):
            date_said = name.removeprefix("around ") if _ABOUT.search(told[:start]) else name
            behind = told[end:] if _STOPS.match(told, end) else f",{told[end:]}"
            told = f"{told[:end]}, {date_said}{behind}"
    return _TWICE.sub(r"\g<day> \g<year>", _NAMED_TWICE.sub(r"\g<name>, \g<day>", told))


def _is_quoted(text: str, place: int) -> bool:
    return any(found.start() < place < found.end() for found in _IN_QUOTES.finditer(text))


def _date_of(found: "re.Match[str]", day: date) -> tuple[str, str] | None:
    """Return a preposition and the date that a relative day was; None where it may be either of two."""
    if found["day"]:
        shift = {"today": 0, "tomorrow": 1, "yesterday": -1}[found["day"].casefold()]
        return "on", day_in_words(day + timedelta(shift))
    if found["weekday"]:
        back = (day.weekday() - list(WEEKDAYS).index(found["weekday"].casefold())) % 7 or 7
        return ("on", day_in_words(day - timedelta(back))) if back >= FEW_DAYS else None
    step = {"next": 1, "last": -1, "this": 0}[found["which"].casefold()]
    unit = found["unit"].casefold()
    if unit == "week":
        if step == 0 and day.weekday() >= _SATURDAY:
            # on a Sunday it may well be the one that begins
            return None
        monday = day - timedelta(day.weekday()) + timedelta(7 * step)
        return "in", f"the week of {day_in_words(monday)}"
    if unit == "year":
        return "in", str(day.year + step)
    months = day.year * 12 + day.month - 1 + step
    return "in", f"{list(MONTHS)[months % 12].capitalize()} {months // 12}"
