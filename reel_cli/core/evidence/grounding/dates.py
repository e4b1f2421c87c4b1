"""Dates in a text: as days, months and years, and as `yesterday` and `next Friday` from a known day."""

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta

from reel_cli.core.evidence.grounding.lexicon import even, evened_case, has_any
from reel_cli.core.evidence.grounding.numbers import UNDER_TWENTY
from reel_cli.core.frozen import frozen, late
from reel_cli.core.moment import MONTHS as MONTH_NAMES

MONTHS = tuple(map(str.lower, MONTH_NAMES))
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
SEASONS = {"spring": (3, 5), "summer": (6, 8), "fall": (9, 11), "autumn": (9, 11), "winter": (12, 2)}
_TO_TWELVE = UNDER_TWENTY[1:13]
SMALL = {word: number for number, word in enumerate(_TO_TWELVE, 1)} | {
    "a": 1,
    "an": 1,
    "couple": 2,
    "couple of": 2,
    "few": 3,
}
_M = (
    r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?"
)
_D = r"(?P<day>[0-3]?\d)(?:st|nd|rd|th)?\b"
_Y = r"(?:,?\s+(?:of\s+)?(?P<year>(?:19|20)\d\d)\b)?"
_W = r"(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?"
ONES = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")
TEENS = (
    "tenth", "eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth",
    "eighteenth", "nineteenth", "twentieth",
)  # fmt: skip
_WRITTEN = rf"(?:(?P<tens>twenty|thirty)[\s-])?(?P<ones>{'|'.join((*ONES, *TEENS))}|thirtieth)"
_COUNT = rf"(?P<count>\d+|an?|{'|'.join(_TO_TWELVE)}|(?:a )?couple(?: of)?|(?:a )?few)"
_PART = (
    r"(?P<part>early|mid|late|(?:the )?(?:beginning|start|middle|end) of"
    r"|(?:the )?(?:first|second|third|fourth|last) week of)"
)
_BACK = r"(?P<dir>ago|before|earlier|prior|back|later|from now|from today)"
_COUNTED = r"(?!\s*(?:tokens|%|words|dollars|euros|people|steps|calories|yen|meters|metres)|[.,]\d)"
_NEAR = r"(?P<near>the day before yesterday|the day after tomorrow|yesterday|tomorrow|last night)"
_WHICH = r"(?P<which>last|next|this|past|coming|previous|following)"
PATTERNS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (kind, late(pattern, re.IGNORECASE))
    for kind, pattern in (
        ("iso", r"\b(?P<year>(?:19|20)\d\d)-(?P<mon>[01]\d)-(?P<day>[0-3]\d)\b"),
        ("slash", r"\b(?P<one>[0-3]?\d)/(?P<two>[0-3]?\d)/(?P<year>(?:19|20)?\d\d)\b"),
        ("day", rf"\b{_D}\s+(?:of\s+)?{_M}{_Y}"),
        (
            "day",
            rf"\b{_D}(?=\s*(?:and|or|to|through|until|till|-|,)\s*[0-3]?\d(?:st|nd|rd|th)?\s+(?:of\s+)?{_M}{_Y})",
        ),
        ("day", rf"\b{_M}\s+(?:the\s+)?{_D}(?!\s*%|:){_Y}"),
        ("written", rf"\b(?:the\s+)?{_WRITTEN}\s+of\s+{_M}{_Y}"),
        ("written", rf"\b{_M}\s+(?:the\s+)?{_WRITTEN}\b{_Y}"),
        ("part", rf"\b{_PART}[\s-]+{_M}{_Y}"),
        ("month", rf"\b(?:(?P<which>last|next|this|past)\s+)?{_M}{_Y}"),
        ("season", r"\b(?P<which>last|next|this|past|that)\s+(?P<season>spring|summer|fall|autumn|winter)\b"),
        ("near", rf"\b{_NEAR}\b"),
        ("later", r"\b(?:later|earlier)\s+(?P<later>this\s+(?:week|month|year))\b"),
        ("end", r"\b(?:the\s+)?end of (?:the|this) (?P<later>week|month|year)\b"),
        ("span", rf"\b{_WHICH}\s+(?P<span>week(?:end)?|month|year)\b"),
        ("back", rf"\b{_COUNT}\s+(?P<unit>day|night|week|weekend|month|year)s?\s+{_BACK}\b"),
        ("back", rf"\b(?P<dir>in|within)\s+{_COUNT}\s+(?P<unit>day|week|month|year)s?\b"),
        ("weekday", rf"\b(?:(?P<which>last|next|this|past|coming|on|by|that)\s+)?(?P<weekday>{_W})s?\b"),
        ("year", rf"(?<![\d$€£.,])\b(?P<year>(?:19|20)\d\d)\b{_COUNTED}"),
        ("nth", rf"\bthe\s+{_D}(?=[\s,.;!?)]|$)"),
        ("ordinal", rf"\bthe\s+{_WRITTEN}\b"),
    )
)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
SIGNS: dict[str, tuple[str, ...]] = {
    "iso": ("-",),
    "slash": ("/",),
    "day": _MONTHS,
    "written": _MONTHS,
    "part": _MONTHS,
    "month": _MONTHS,
    "season": tuple(SEASONS),
    "near": ("yesterday", "tomorrow", "last night"),
    "later": ("later", "earlier"),
    "end": ("end of",),
    "span": ("week", "month", "year"),
    "back": ("day", "night", "week", "month", "year"),
    "weekday": ("mon", "tue", "wed", "thu", "fri", "sat", "sun"),
    "year": ("19", "20"),
    "nth": ("th", "st", "nd", "rd"),
    "ordinal": (*ONES, *TEENS, "thirtieth"),
}
"""Signs without which no pattern of the kind can match; looking for them is faster than trying the
patterns."""
WITH_DIGITS = frozenset({"iso", "slash", "day", "nth"})
FIXED = frozenset({"iso", "slash", "year", "nth", "ordinal"})
"""Kinds of date patterns that need no reference day."""
DIGIT = late(r"\d")
NO_DATE = frozenset({"may", "march", "mar", "sun", "sat", "wed", "mon", "dec", "fri", "jan"})
"""Words that are also dates: only with a capital letter, and a month only in the place of a date."""
LEAD = late(
    r"(?i)\b(?:in|of|by|on|until|till|since|last|next|this|early|late|mid|end|from|to|through|around|before"
    r"|after|for|and|that|every|the|past)[\s-]+$"
)


_WEEK_ON, _WEEK = late(r"(?i)\ba week\s+$"), late(r"(?i)\s+week\b")
"""Patterns of what stands before and after a weekday that is a week later: `a week on Friday`."""
_A_WEEK = timedelta(days=7)
_RANGE_ON = late(rf"(?i)\s*(?:to|till|until|thru|through|-|–)\s*{_W}\b")
_RANGE_TO = late(rf"(?i)\b{_W}\s*(?:to|till|until|thru|through|-|–)\s*$")
"""Patterns of what stands after the first weekday of a range, and before the second."""
DAY_LEAD = late(
    rf"(?i)\b(?:on|by|until|till|before|after|since|due|from|for|through|to|was|is|it's|{_W}),?\s+$"
)
"""Pattern of what stands before a day that only its number in words names: `due on the ninth`."""
DAY_ENDS = late(
    r"\s*(?:[.,;:!?)\]\"”—–-]|$)"
    r"|(?i:\s+(?:and|or|but|at|in|for|to|with|because|so|if|when|we|i|you|he|she|they|then|now|instead)\b)"
)
"""Pattern of what goes on after such a day; after others it counts something: `the ninth symphony`."""


@frozen
class When:
    """One date: where it stands, and the stretches of days it may mean (first, last).

    `kind` is what it is told as; `relative` says that it was reckoned from a day; `rough` that it is vague.
    """

    start: int
    end: int
    kind: str
    spans: tuple[tuple[date, date], ...]
    relative: bool = False
    rough: bool = False
    weekday: int | None = None
    day: int | None = None


def dates(text: str, today: date | None, also: Sequence[date] = (), *, said: bool = False) -> list[When]:
    """Return every date in a normalised text, in order; relative ones are computed from `today`.

    What looks back on several days may mean any of them: it is reckoned from those in `also` as well. A day
    that was `said` without its year may have been the last of its kind or the next.
    """
    found: list[When] = []
    taken: set[int] = set()
    plain = evened_case(text)
    digit = DIGIT.search(text) is not None
    likely = {
        kind for kind, signs in SIGNS.items() if (digit or kind not in WITH_DIGITS) and has_any(plain, signs)
    }
    for kind, pattern in PATTERNS:
        if kind not in likely:
            continue
        for match in pattern.finditer(text):
            if not taken.isdisjoint(range(*match.span())) or not _is_date(kind, match, text):
                continue
            when = _read_from(kind, match, (today, *also) if kind not in FIXED else (today,), said=said)
            if when is not None:
                found.append(when)
                taken.update(range(*match.span()))
    return _narrow_weekdays(sorted(found, key=lambda one: one.start), text)


def list_weekdays(whens: Sequence[When], text: str) -> Iterator[tuple[When, When]]:
    """Yield each weekday with the date right behind it: `Thursday, 12 March`."""
    for one, other in itertools.pairwise(whens):
        close = one.weekday is not None and re.fullmatch(r",?\s+(?:the\s+)?", text[one.end : other.start])
        if close and other.kind == "day" and other.spans:
            yield one, other


def _narrow_weekdays(whens: list[When], text: str) -> list[When]:
    """Return the dates; of a weekday before a date that falls on it, only that day is meant."""
    days = {
        one.start: [span for span in day.spans if span[0].weekday() == one.weekday]
        for one, day in list_weekdays(whens, text)
    }
    return [replace(one, spans=tuple(days[one.start])) if days.get(one.start) else one for one in whens]


def date_word(claim: str) -> str:
    """Return the word for a date that was found in a text: day, month, year, season or time."""
    match = next((kind for kind, pattern in PATTERNS if pattern.search(even(claim))), "")
    words = {"year": "year", "month": "month", "part": "month", "season": "season"}
    return words.get(match, "time" if match in {"span", "back", "later", "end"} else "day")


def _read_from(kind: str, match: re.Match[str], days: Sequence[date | None], *, said: bool) -> When | None:
    """Return a date with the spans it may mean from any of these days; None if it has none."""
    whens = []
    for day in days:
        try:
            whens.append(_read(kind, match, day, said=said))
        except (ValueError, OverflowError):
            # not a day, or beyond the calendar's range
            continue
    read = [when for when in whens if when is not None]
    if len(read) < 2:
        return read[0] if read else None
    return replace(read[0], spans=tuple(dict.fromkeys(span for when in read for span in when.spans)))


def _is_in_range(match: re.Match[str], text: str) -> bool:
    """Return whether a weekday stands beside another, to which or from which it counts: `mon to fri`."""
    return bool(_RANGE_ON.match(text, match.end()) or _RANGE_TO.search(text, 0, match.start("weekday")))


def _is_date(kind: str, match: re.Match[str], text: str) -> bool:
    if kind == "ordinal" and match["tens"] is None:
        return match[0] == text or (
            match["ones"].casefold() != "second"
            and DAY_LEAD.search(text, 0, match.start()) is not None
            and DAY_ENDS.match(text, match.end()) is not None
        )
    group = {"month": "month", "weekday": "weekday", "part": "month"}.get(kind)
    if group is None:
        return kind != "nth" or re.search(r"(?:st|nd|rd|th)$", match[0]) is not None
    word = match[group]
    if word.islower():
        if kind != "weekday":
            return word in MONTHS and word not in NO_DATE
        return (word not in NO_DATE and word.endswith("day")) or _is_in_range(match, text)
    if word.casefold() in NO_DATE and kind == "month":
        before = text[: match.start(group)]
        return bool(LEAD.search(before) or match["year"]) and not text[match.end(group) :].startswith(
            ("'", "-")
        )
    if word.casefold() in ("sun", "sat") and kind == "weekday":
        return match["which"] is not None
    return not word.isupper() or len(word) > 3


def _read(kind: str, match: re.Match[str], today: date | None, *, said: bool) -> When | None:
    got = match.groupdict()
    start, end = match.span()
    if kind == "written":
        # May the first, or the first of May
        kind, got = "day", {**got, "day": str(_ordinal(got))}
    if kind in ("iso", "day", "slash"):
        spans = tuple((d, d) for d in _days(kind, got, today, said=said))
        day = int(got["day"]) if got.get("day") else None
        return When(start, end, "day", spans, day=day) if spans else None
    if kind == "ordinal":
        day = _ordinal(got)
        return When(start, end, "nth", (), day=day) if day <= 31 else None
    if kind == "nth":
        day = int(got["day"])
        return When(start, end, "nth", (), day=day) if 1 <= day <= 31 else None
    if kind == "year":
        year = int(got["year"])
        return When(start, end, "year", ((date(year, 1, 1), date(year, 12, 31)),))
    if kind in ("month", "part"):
        return When(start, end, "month", tuple(_months(got, today)))
    if kind == "weekday":
        number = next(i for i, name in enumerate(WEEKDAYS) if name.startswith(got["weekday"].casefold()[:3]))
        spans = tuple(_weekdays(number, (got["which"] or "").casefold(), today)) if today else ()
        if _WEEK_ON.search(match.string, 0, start) or _WEEK.match(match.string, end):
            spans = tuple((first + _A_WEEK, last + _A_WEEK) for first, last in spans)
        return When(start, end, "weekday", spans, relative=True, weekday=number)
    if today is None:
        return When(start, end, kind, (), relative=True)
    spans = tuple((a, b) for a, b in _relative(kind, got, today))
    rough = "few" in (got.get("count") or "") or "couple" in (got.get("count") or "")
    return When(start, end, kind, spans, relative=True, rough=rough)


def _ordinal(got: Mapping[str, str | None]) -> int:
    """Return the number of a day written in words."""
    tens = {"twenty": 20, "thirty": 30}.get((got["tens"] or "").casefold(), 0)
    ones = (got["ones"] or "").casefold()
    return tens + (30 if ones == "thirtieth" else (*ONES, *TEENS).index(ones) + 1)


def _days(kind: str, got: dict[str, str | None], today: date | None, *, said: bool) -> Iterator[date]:
    if kind == "slash":
        year = int(got["year"] or 0)
        year += 2000 if year < 100 else 0
        one, two = int(got["one"] or 0), int(got["two"] or 0)
        tries = [(year, one, two), (year, two, one)]
    elif kind == "iso":
        tries = [(int(got["year"] or 0), int(got["mon"] or 0), int(got["day"] or 0))]
    else:
        month, day = _month(got["month"] or ""), int(got["day"] or 0)
        tries = [(year, month, day) for year in _years(got, today)]
        if today is not None and not got.get("year"):
            # a day without a year is the one nearest to the day of writing; in speech it is the last or the
            # next
            tries = sorted(
                tries, key=lambda one: abs((one[0] - today.year) * 365 + (one[1] - today.month) * 30)
            )
            tries = _on_both_sides(tries, today) if said else tries[:1]
    for year, month, day in tries:
        try:
            yield date(year, month, day)
        except ValueError:
            continue


def _on_both_sides(tries: Sequence[tuple[int, int, int]], today: date) -> list[tuple[int, int, int]]:
    """Return the nearest day up to today and the nearest after, of days sorted from near to far."""
    now = (today.year, today.month, today.day)
    sides = ([one for one in tries if one <= now], [one for one in tries if one > now])
    return [side[0] for side in sides if side]


def _years(got: dict[str, str | None], today: date | None) -> list[int]:
    if got.get("year"):
        return [int(got["year"] or 0)]
    return [today.year - 1, today.year, today.year + 1] if today else []


def _month(name: str) -> int:
    return next(number for number, month in enumerate(MONTHS, 1) if month.startswith(name.casefold()[:3]))


def _months(got: dict[str, str | None], today: date | None) -> Iterator[tuple[date, date]]:
    month = _month(got["month"] or "")
    part = (got.get("part") or "").casefold()
    for year in _years(got, today):
        first = date(year, month, 1)
        last = _month_end(first)
        weeks = {
            "first week": (1, 8),
            "second week": (7, 15),
            "third week": (14, 22),
            "fourth week": (21, 29),
        }
        if "week" in part and "last" not in part:
            low, high = next(days for name, days in weeks.items() if name in part)
            yield first.replace(day=low), first.replace(day=min(high, last.day))
        elif part.startswith(("late", "end", "the end", "last", "the last")):
            yield last - timedelta(days=12), last
        elif part.startswith(("early", "beginning", "start", "the beginning", "the start")):
            yield first, first.replace(day=12)
        elif part:
            yield first.replace(day=8), first.replace(day=22)
        else:
            yield first, last


def _weekdays(number: int, which: str, today: date) -> Iterator[tuple[date, date]]:
    ahead = (number - today.weekday()) % 7 or 7
    behind = (today.weekday() - number) % 7 or 7
    days = []
    if which not in ("next", "coming", "by"):
        days += [today - timedelta(days=behind)]
        if which in ("last", "past"):
            days.append(today - timedelta(days=behind + 7))
    if which not in ("last", "past"):
        days.append(today + timedelta(days=ahead))
        if which == "next":
            days.append(today + timedelta(days=ahead + 7))
    if number == today.weekday() and which in ("", "on", "that"):
        days.append(today)
    for day in days:
        yield day, day


def _relative(kind: str, got: dict[str, str | None], today: date) -> Iterator[tuple[date, date]]:
    if kind == "near":
        shift = {"yesterday": -1, "last night": -1, "tomorrow": 1, "the day before yesterday": -2}
        day = today + timedelta(days=shift.get((got["near"] or "").casefold(), 2))
        yield day, day
    elif kind in ("later", "end"):
        unit = (got["later"] or "").casefold().split()[-1]
        first, last = _around(unit, 0, today)
        yield (last - timedelta(days=12) if kind == "end" and unit != "week" else first), last
    elif kind == "season":
        low, high = SEASONS[(got["season"] or "").casefold()]
        for year in (today.year - 1, today.year, today.year + 1):
            yield date(year, low, 1), _month_end(date(year + (high < low), high, 1))
    elif kind == "span":
        which = (got["which"] or "").casefold()
        by = {"last": -1, "past": -1, "previous": -1, "this": 0}.get(which, 1)
        yield _around((got["span"] or "").casefold(), by, today)
    else:
        yield from _counted(got, today)


def _around(unit: str, shift: int, today: date) -> tuple[date, date]:
    monday = today - timedelta(days=today.weekday())
    if unit == "week":
        first = monday + timedelta(weeks=shift)
        return (first, today if shift < 0 else first + timedelta(days=6))
    if unit == "weekend":
        if shift < 0:
            back = today - timedelta(days=(today.weekday() - 5) % 7 or 7)
            return back - timedelta(days=1 if today.weekday() < 5 else 7), back + timedelta(days=1)
        return monday + timedelta(days=4 + 7 * shift), monday + timedelta(days=6 + 7 * shift)
    if unit == "month":
        number = today.year * 12 + today.month - 1 + shift
        first = date(number // 12, number % 12 + 1, 1)
        return first, _month_end(first)
    return date(today.year + shift, 1, 1), date(today.year + shift, 12, 31)


_LENGTH = {"day": 1, "night": 1, "week": 7, "weekend": 7, "month": 30, "year": 365}


def _counted(got: dict[str, str | None], today: date) -> Iterator[tuple[date, date]]:
    word = (got["count"] or "").casefold()
    rough = "few" in word or "couple" in word
    count = int(word) if word.isdigit() else SMALL.get(word.removeprefix("a ") or "a", 1)
    unit = _LENGTH[(got["unit"] or "").casefold()]
    back = (got["dir"] or "").casefold() in ("ago", "before", "earlier", "prior", "back")
    least, most = (2, 8) if rough else (count, count)
    slack = 0 if unit == 1 and not rough else (unit if unit > 300 else (unit + 1) // 2 + 1)
    if most * unit > 100_000:
        return
    near, far = least * unit - slack, most * unit + slack
    if back:
        yield today - timedelta(days=far), today - timedelta(days=near)
    else:
        yield today + timedelta(days=near), today + timedelta(days=far)


def _month_end(first: date) -> date:
    after = (
        first.replace(year=first.year + 1, month=1)
        if first.month == 12
        else first.replace(month=first.month + 1)
    )
    return after - timedelta(days=1)


def _length(span: tuple[date, date]) -> int:
    return (span[1] - span[0]).days


def is_borne(claim: When, said: list[When], today: list[date]) -> bool:
    """Return whether any date that was said, or the day on which it was said, may be the claimed one."""
    if claim.kind == "nth":
        return any(d.day == claim.day for d in today) or any(
            one.day == claim.day
            or any(_has_day(span, claim.day) for span in one.spans if _length(span) <= 10)
            for one in said
        )
    if claim.relative and not claim.spans:
        return True
    exact = {a for one in said if one.kind == "day" for a, _ in one.spans} if claim.kind == "day" else set()
    # a `next week` that also stands there as a day means that day
    spans = [
        span
        for one in said
        for span in one.spans
        if span[0] == span[1]
        or not 0 < _length(span) <= 16
        or not any(span[0] <= day <= span[1] for day in exact)
    ]
    spans += [(day, day) for day in today]
    if claim.kind == "weekday" and any(one.weekday == claim.weekday for one in said):
        return True
    if claim.kind == "weekday":
        return any(_length(s) <= 3 and _meets(c, s) for c in claim.spans for s in spans)
    for mine in claim.spans:
        size = _length(mine)
        most = 10 if size <= 1 else 45 if size <= 45 else 4_000
        if any(_length(span) <= most and _meets(mine, span) and _tells(span, claim, mine) for span in spans):
            return True
        exactly = claim.kind == "day"
        if not exactly and any(one.rough and _meets(mine, span) for one in said for span in one.spans):
            return True
    return False


def _tells(span: tuple[date, date], claim: When, mine: tuple[date, date]) -> bool:
    """Return whether a span of days supports a day: `last week` supports its first, middle and last."""
    if claim.kind != "day" or _length(span) <= 3:
        return True
    first, last = span
    return mine[0] in (first, last, first + (last - first) / 2)


def _meets(one: tuple[date, date], other: tuple[date, date]) -> bool:
    return one[0] <= other[1] and other[0] <= one[1]


def _has_day(span: tuple[date, date], day: int | None) -> bool:
    return any((span[0] + timedelta(days=i)).day == day for i in range(_length(span) + 1))
