"""Days of a turn as its sentences mean them, with or without a year."""

from calendar import monthrange
from collections.abc import Collection, Iterator
from dataclasses import replace
from datetime import date, timedelta
from typing import TYPE_CHECKING

from reel_cli.core.evidence.days.sentence_time import GOES, PAST, sentence_around, side_of_day
from reel_cli.core.evidence.grounding.date_support import is_borne
from reel_cli.core.evidence.grounding.date_words import WEEKDAYS
from reel_cli.core.evidence.grounding.dates import A_WEEKDAY, When, dates
from reel_cli.core.evidence.grounding.lexicon import STOP, even
from reel_cli.core.frozen import late
from reel_cli.core.informal_words import write_out

if TYPE_CHECKING:
    from reel_cli.core.evidence.grounding.source import SourceMessage, Turn


NEAR = 60
"""Days within which a day without a year is taken to be meant, if its sentence leaves the year open."""
MONTH_AND_MORE = 32


def decided(said: "SourceMessage") -> list[When]:
    """Return the dates of a turn; of a day without a year only the past or future one its sentence means.

    Where it says neither, or both, the last such day and the next are left.
    """
    text = even(said.turn.text)
    today = said.turn.day
    return [_decide(one, text, today) if today and _has_no_year(one) else one for one in said.dates]


def bears_years(text: str, said: "SourceMessage") -> bool:
    """Return whether a turn supports every day that a text gives with a year."""
    return not find_other_day(text, said)


def find_other_day(text: str, said: "SourceMessage") -> str:
    """Return the first day with a year of a text that a turn does not support, as it stands; "" for none."""
    whens = decided(said)
    return next((text[one.start : one.end] for one in _named(text) if not is_borne(one, whens, [])), "")


def leaves_year_open(text: str, said: "SourceMessage") -> bool:
    """Return whether a text gives a year to a day that the turn says without one, and the day is not near."""
    today = said.turn.day
    if today is None:
        return False
    whens = decided(said)
    for named in _named(text):
        days = [first for first, _ in named.spans if abs((first - today).days) > NEAR]
        bearing = [one for one in whens if is_borne(named, [one], [])]
        if days and bearing and all(map(_has_no_year, bearing)):
            return True
    return False


def _named(text: str) -> Iterator[When]:
    # without a reference day, only a date with its year counts
    return (one for one in dates(even(text), None) if one.kind == "day")


def _has_no_year(one: When) -> bool:
    days = {(first.month, first.day) for first, _ in one.spans}
    return one.kind == "day" and len(one.spans) == 2 and len(days) == 1


def _decide(one: When, text: str, today: date) -> When:
    side = side_of_day(text, one.start, one.end)
    if not side:
        return one
    return replace(one, spans=tuple(span for span in one.spans if (span[0] > today) == (side > 0)))


_DENIED_DAY = late(r"(?i)\bnot\s+(?:on\s+|until\s+|till\s+)?$")
_GOES_ON = late(r"\s+([a-z]+)")


def look_at_own(turn: "Turn") -> "SourceMessage":
    """Return the index of a turn, written out, in which `the 20th` is the day that its sentence means."""
    from reel_cli.core.evidence.grounding.source import look_at_turn

    turn = replace(turn, text=write_out(turn.text))
    said, today = look_at_turn(turn), turn.day
    if today is None or not any(one.kind == "nth" for one in said.dates):
        return said
    text = even(turn.text)
    # `it was the first of April, now it is the seventh` names the month once
    months = {
        (last.year, last.month) for one in said.dates if one.kind in _OF_MONTHS for _, last in one.spans
    }
    return replace(said, dates=tuple(_count_out(one, text, today, months) for one in said.dates))


_OF_MONTHS = ("day", "month")
_WEEKDAY_BEFORE = late(rf"(?i)\b({'|'.join(WEEKDAYS)}),?\s+$")


def _count_out(one: When, text: str, today: date, months: Collection[tuple[int, int]] = ()) -> When:
    """Return a day of no month with the last such day or the next, as its sentence has it, or in `months`.

    What is no day (`the 20th floor`) or denied (`not the 19th`) stays as it is.
    """
    noun = _GOES_ON.match(text, one.end)
    if one.kind != "nth" or _DENIED_DAY.search(text[: one.start]) or (noun and noun[1] not in STOP):
        return one
    step = -1 if side_of_day(text, one.start, one.end) < 0 else 1
    days = (today + timedelta(days=step * far) for far in range(MONTH_AND_MORE))
    found = next((day for day in days if day.day == one.day), None)
    number = one.day or 0
    if (name := _WEEKDAY_BEFORE.search(text, 0, one.start)) is not None:
        # `Monday the 28th` is the nearest 28th that is a Monday, on the side that the sentence tells of first
        near = (
            today + timedelta(days=side * far) for side in (step, -step) for far in range(2 * MONTH_AND_MORE)
        )
        wanted = WEEKDAYS.index(name[1].casefold())
        found = next((day for day in near if (day.day, day.weekday()) == (number, wanted)), found)
    named = {date(year, month, number) for year, month in months if 1 <= number <= monthrange(year, month)[1]}
    whole = sorted({*named, *([found] if found is not None else [])})
    return replace(one, spans=tuple((day, day) for day in whole)) if whole else one


def as_coming(one: When, text: str, today: date) -> When:
    """Return a day of a text that gives no year as next year's, where its sentence tells of what is to come.

    `He is coming on the first of March`, told in July, is of next March.
    """
    passed = one.kind == "day" and bool(one.spans) and all(last < today for _, last in one.spans)
    if not passed or _YEAR.search(text[one.start : one.end]):
        return one
    side = side_of_day(text, one.start, one.end)
    first, last = sentence_around(text, one.start, one.end)
    goes = side == 0 and GOES.search(text[first:last]) and not PAST.search(text[first:last])
    day = one.spans[-1][0]
    if not (side > 0 or goes) or (day.month, day.day) == (2, 29):
        return one
    coming = day.replace(year=day.year + 1)
    return replace(one, spans=((coming, coming),)) if coming >= today else one


_YEAR = late(r"\b\d{4}\b")


def with_whole_days(text: str) -> str:
    """Return a text in which days of no month have their article: `tues 18th`, `sunday 15`, `14 or 15.`.

    A sentence of nothing but some days says in how many: `Three days.`
    """
    text = _SOME_DAYS.sub(r"\1in \2", text)
    found = _SHORT_DAY.sub(lambda one: f"{one['before']}the {one['day']}th", even(text))
    found = _TWO_DAYS.sub(r"the \1th or the \2th", found)
    return _NO_ARTICLE.sub(r"the \g<0>", found)


MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)"
_SHORT_DAY = late(
    rf"(?i)\b(?P<before>{A_WEEKDAY} )"
    rf"(?P<day>[12]?\d|3[01])(?=[.,;!?]?(?:\s|$))(?! (?:{MONTH}|am\b|pm\b|o'))"
)
_SOME_DAYS = late(r"(?i)((?:^|[.!?]\s)\s*)((?:[2-9]|1\d|two|three|four|five|six|seven|ten) days)(?=[.!]|$)")
_TWO_DAYS = late(r"\b([12]?\d|3[01]) or ([12]?\d|3[01])(?=[.;!?]|$)")
_NO_ARTICLE = late(rf"(?i)(?<!the )(?<![\w-])(?:[12]?\d|3[01])(?:st|nd|rd|th)\b(?! (?:of )?{MONTH})")
