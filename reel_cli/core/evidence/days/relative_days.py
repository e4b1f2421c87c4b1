"""Relative days of a text (`last Tuesday`, `in two weeks`), each with the date that it was."""

from datetime import date, timedelta

from reel_cli.core.evidence.days.said_days import MONTH
from reel_cli.core.evidence.days.sentence_time import (
    COMING,
    DAY_NAME,
    IS_ON,
    NOT_ON,
    PAST,
    goes_on_day,
    is_of_many,
    sentence_around,
    side_of_clause,
    side_of_day,
)
from reel_cli.core.evidence.grounding.dates import When, dates
from reel_cli.core.evidence.grounding.lexicon import even
from reel_cli.core.frozen import late
from reel_cli.core.moment import day_in_words

FEW_DAYS = 3
"""Days below which `last Tuesday` may be this week's or the one before."""
_SHORT_STRETCH, _LONG_STRETCH = 16, 95
"""Days up to which a vague stretch is named by its middle day, and by the month."""
_SATURDAY = 5
_RELATIVE_SIGN = late(
    r"(?i)day\b|\b(?:mon|tue|wed|thu|fri|tonight|tomorrow|ago|later|weekend|morning|afternoon|evening|night|earlier"
    r"|week|weeks|month|months|year|years|days|last|next|this|back|before|now)\b"
)
"""Pattern of words without one of which a text names no relative day."""
_HAS_ITS_DATE = late(r"(?i),?\s+(?:the\s+)?\d{1,2}(?:st|nd|rd|th)?\b(?!\s*(?:am|pm|o['’]clock)\b|[:.]\d)")
_BEHIND_ITS_DATE = late(r"(?i)\b\d{1,2}(?:st|nd|rd|th)?,?\s+(?:\(|the\s+)?$")
_PART_OF_DAY = late(r"(?i)\s+(?:morning|lunchtime|afternoon|evening|night)\b")
_SAME_DAY = late(r"(?i)\b(?:tonight|this (?:morning|afternoon|evening))\b")
_WEEK = late(r"(?i)\bweek\b")
_IN_YEARS = late(r"(?i)\byears?\b")
_DATE_BEHIND = late(
    rf"(?i)(?:\s+(?:morning|lunchtime|afternoon|evening|night))?,?\s+\(?(?:{DAY_NAME},?\s+)?(?:the\s+)?"
    rf"\d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?{MONTH}"
)
"""Pattern of the date behind a relative day: `tonight, Thursday 5 February`."""
_BARE_DAY = late(
    r"(?i)\b(?:on|by|until|till|before|after|for|from|since|is|was|are|this|comes?|due)\s+(?:the\s+)?$"
)
_DAY_STANDS = late(
    r"(?i)(?:\s+(?:morning|lunchtime|afternoon|evening|night))?(?:\s*(?:[.,;!?)]|$)|\s+(?:at|in|from|to|with|and|or)\b)"
)
"""Patterns of what stands before or behind a weekday that says when; `Wednesday squats` are on any."""
_FEELS_ABOUT = late(
    r"(?i)\b(?:of|about|over)\s+$"
    r"|\b(?:glad|sorry|sad|proud|ashamed|tired|sore|happy|pleased|grateful|thank\w*|relieved|worn|shaken|quiet"
    r"|warm|low|flat|raw)\b[^.;:,]*\s(?:for|from|after|since|with|by)\s+$"
)
"""Pattern of what stands before a weekday that a feeling is about, past or not: `glad of Friday`."""
_THAT_ONE = late(r"(?i)\bthe\s+$")
"""Pattern of what stands before a weekday of a week that was spoken of: `on the Saturday`."""
_NO_STRETCH = late(r"(?i)\b(?:an?|the|my|our|her|his|its|their|every|['’]s)\s+$")
_STRETCH_OF = late(r"(?i)['’]s|\s+of\b")
"""Patterns of what stands before and after a stretch that is not reckoned from today: `the last month of`."""
_FROM_ANOTHER = late(r"(?i)\b(?:before|earlier|prior|later)$")
"""Pattern of a stretch that is reckoned from another day: `six days before the wedding`."""
_TAKES = late(r"(?i)(?:in|within)\b")
_CLAUSE_FROM = late(r"(?i)[,:]\s|\b(?:that|and|but|so|because)\s")
_PERFECT = late(
    r"(?i)(?:\b(?:have|has|had)|['’](?:ve|s))\s+(?:(?:only|just|never|ever|already|not)\s+)?"
    r"(?:been|seen|done|gone|\w+(?:en|wn|ung|unk|ought|aught|ept|elt))\b"
)
"""Patterns of a count of days that a thing may take, of where its clause begins, and of what was by now."""
_WEEK_LATER = late(r"(?i)\ba week\s+$")


def name_relative_days(
    text: str, day: date, lean: int = 0, *, years: bool = True
) -> list[tuple[int, int, str]]:
    """Return the relative days of a text said on `day`: where each stands, and the date that it was.

    What may be either of two days is left out, and so is what is counted from something else than `day`
    (`two weeks before`). `lean` decides where a weekday's sentence does not say whether it is past (-1) or to
    come (1). Without `years`, what is counted in them is left, as a tale may be of no year. The text is one
    that `even` leaves as long as it is.
    """
    plain = even(text)
    if len(plain) != len(text) or not _RELATIVE_SIGN.search(plain):
        return []
    found = [
        (one.start(), one.end(), day_in_words(day))
        for one in _SAME_DAY.finditer(plain)
        if not _DATE_BEHIND.match(plain, one.end())
    ]
    for when in dates(plain, day):
        if not when.relative or when.rough or _DATE_BEHIND.match(plain, when.end):
            continue
        if when.kind == "near" and _NO_STRETCH.search(plain[: when.start]):
            # `a last night party`
            continue
        said, end = plain[when.start : when.end], when.end
        if is_no_day(when, plain) or (when.kind == "back" and _IN_YEARS.search(said) and not years):
            continue
        if when.kind == "weekday":
            span = _weekday(when, plain, day, lean)
            if span is not None and _has_other_time(plain, day, *span):
                continue
            behind = _PART_OF_DAY.match(plain, end)
            end = behind.end() if behind else end
        elif said.casefold().endswith("weekend"):
            span = _weekend(when, plain, day, lean)
        else:
            of_its_own = _NO_STRETCH.search(plain[: when.start]) or _STRETCH_OF.match(plain, end)
            spans = [] if when.kind == "span" and of_its_own else list(dict.fromkeys(when.spans))
            span = spans[0] if len(spans) == 1 else None
        if span is not None:
            found.append((when.start, end, _name_span(when.kind, *span, said)))
    return sorted(found)


def is_no_day(when: When, text: str) -> bool:
    """Return whether a count of days in a text is reckoned from another day, or is how long a thing took.

    `In four months` is a day to come only where its clause denies nothing and tells of nothing past.
    """
    said = text[when.start : when.end]
    if when.kind != "back" or _FROM_ANOTHER.search(said):
        return when.kind == "back"
    if not _TAKES.match(said):
        return False
    before = text[sentence_around(text, when.start, when.end)[0] : when.start]
    clause = before[max((found.end() for found in _CLAUSE_FROM.finditer(before)), default=0) :]
    if IS_ON.search(clause) or (COMING.search(clause) and not NOT_ON.search(clause)):
        return False
    return any(pattern.search(clause) for pattern in (NOT_ON, _PERFECT, PAST))


def _weekday(when: When, text: str, day: date, lean: int) -> tuple[date, date] | None:
    """Return the day that a weekday was; None where it is of no one day, has its date or may be two."""
    said = text[when.start : when.end]
    if (
        is_of_many(when, text)
        or _HAS_ITS_DATE.match(text, when.end)
        or _BEHIND_ITS_DATE.search(text[: when.start])
        or _THAT_ONE.search(text[: when.start])
    ):
        return None
    which = said.partition(" ")[0].casefold() if " " in said else ""
    days = sorted({first for first, _ in when.spans})
    past = [one for one in days if one < day]
    coming = [one for one in days if one > day]
    if len(days) == 1 or _WEEK_LATER.search(text[: when.start]) or _WEEK.match(text, when.end + 1):
        # of `a week on Friday` the dates are those of both Fridays, a week later
        found = days[-1]
    elif which in ("last", "past") and past and past[-1] <= day - timedelta(FEW_DAYS):
        found = past[-1]
    elif which == "next" and coming and coming[0].isocalendar()[:2] != day.isocalendar()[:2]:
        found = coming[0]
    elif which in ("last", "past", "next", "that"):
        return None
    else:
        said_so = side_of_day(text, when.start, when.end) or goes_on_day(text, when)
        said_so = said_so or (0 if lean else side_of_clause(text, when.start, when.end))
        if not said_so and _FEELS_ABOUT.search(text, 0, when.start):
            return None
        side = said_so or lean or which == "this"
        if said_so * lean < 0:
            return None
        near = coming if side > 0 else past if side < 0 and day not in days else []
        alone = not (said_so or which) and not _DAY_STANDS.match(text, when.end)
        if not near or (alone and not _BARE_DAY.search(text[: when.start])):
            return None
        found = coming[0] if side > 0 else past[-1]
    return found, found


def _has_other_time(text: str, day: date, first: date, last: date) -> bool:
    """Return whether a text names a day, month or year in which these days do not lie."""
    named = (one for one in dates(text, day) if one.spans and not one.relative)
    return not all(any(start <= first and last <= end for start, end in one.spans) for one in named)


def _weekend(when: When, text: str, day: date, lean: int) -> tuple[date, date] | None:
    """Return the Saturday and Sunday that a weekend was; None where it may be either of two."""
    which = text[when.start : when.end].partition(" ")[0].casefold()
    is_weekend = day.weekday() >= _SATURDAY
    before = day - timedelta((day.weekday() - _SATURDAY) % 7)
    if which in ("last", "past"):
        saturday = None if is_weekend else before
    elif which == "this":
        side = side_of_day(text, when.start, when.end) or lean
        saturday = before if is_weekend or side < 0 else before + timedelta(7) if side > 0 else None
    else:
        saturday = None
    return (saturday, saturday + timedelta(1)) if saturday is not None else None


def _name_span(kind: str, first: date, last: date, said: str) -> str:
    """Return the name of a stretch of days; of the end of a month or a year, that month or year."""
    if kind == "end" and not _WEEK.search(said):
        day = day_in_words(last)
        return str(last.year) if last.month - first.month > 1 else day.partition(" ")[2]
    return _name_about(first, last) if kind == "back" and first != last else _name(first, last, said)


def _name_about(first: date, last: date) -> str:
    """Return the middle of a vague stretch of days, as exact as the stretch is."""
    middle = first + (last - first) / 2
    day = day_in_words(middle)
    length = (last - first).days
    if length <= _SHORT_STRETCH:
        return f"around {day}"
    return f"around {day.partition(' ')[2] if length <= _LONG_STRETCH else middle.year}"


def _name(first: date, last: date, said: str) -> str:
    """Return a day, a month or a year by its name, any other stretch by its ends."""
    if _WEEK.search(said):
        # a week may be told of on its last day, before it is over
        last = min(last, first + timedelta(6))
    after = last + timedelta(days=1)
    if first == last:
        return day_in_words(first)
    if (first.month, first.day, after.month, after.day) == (1, 1, 1, 1):
        return str(first.year)
    if first.day == after.day == 1 and first.month == last.month and first.year == last.year:
        return day_in_words(first).partition(" ")[2]
    begins = str(first.day) if (first.month, first.year) == (last.month, last.year) else day_in_words(first)
    return f"{begins} to {day_in_words(last)}"
