"""Days of a turn as its sentences mean them: past or to come, with or without a year."""

from calendar import monthrange
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from datetime import date, timedelta
from typing import TYPE_CHECKING

from reel_cli.core.evidence.grounding.date_support import is_borne
from reel_cli.core.evidence.grounding.dates import A_WEEKDAY, When, dates
from reel_cli.core.evidence.grounding.lexicon import STOP, even
from reel_cli.core.frozen import late
from reel_cli.core.informal_words import write_out
from reel_cli.core.moment import day_in_words

if TYPE_CHECKING:
    from reel_cli.core.evidence.grounding.source import SourceMessage, Turn

NEAR = 60
"""Days within which a day without a year is taken to be meant, if its sentence leaves the year open."""
_MONTH_AND_MORE = 32
_BOUND = late(r"[.!?;]\s+|\n")
_LEADS_ON = late(r"(?i)\b(?:next|coming|upcoming)\s+(?:\w+,?\s+){0,2}$")
_LEADS_BACK = late(r"(?i)\b(?:last|past|previous)\s+(?:\w+,?\s+){0,2}$")
_IS_ON = late(r"(?i)(?:\b(?:is|are|am)|'[sm]|'re)\s+(?:(?:on|for|from|the|until|till)\s+)*$")
_COMING = late(
    r"(?i)\b(?:will|won't|shall|due|deadline|gonna|going to|until|till|by|expect\w*|plan(?:s|ned|ning)?"
    r"|schedul\w*|hop(?:e|es|ing)|soon|upcoming|remind|must|should|supposed|wants? to|needs? to|ha(?:ve|s) to"
    r"|let's|expires?|begins?|starts?|opens?|closes?|ends?|leaves|arrives?|departs?)\b|'ll\b"
)
_DONE_BY_NOW = late(
    r"(?i)(?:\b(?:is|are|am|be|being|gets?|getting|have|has)|'s|'re|'ve)\s+(?:\w+ly\s+|already\s+)?"
    r"\w+ed\b(?:,?\s+(?:and|or)\s+\w+ed\b)?"
)
"""Pattern of things done by now, which put no day in the past: `I've booked it for 3 June`."""
_SET_FOR = late(r"(?i)\b(?:for|to|until|till)\s+(?:the\s+)?(?:\w+day,?\s+)?$")
_PAST = late(
    r"(?i)\b(?:was|wasn't|were|weren't|did|didn't|had|hadn't|since|ago|been|born|died|went|came|got|met|saw|took"
    r"|left|gave|made|said|told|found|lost|bought|sold|fell|broke|began|wrote|sent|paid|spent|won|became|flew"
    r"|rang|sang|swam|drank|wore|stood|hid|threw|stole|shook|froze|forgot|fed|led|rode|dug|hung|swept|wept"
    r"|understood|drew|caught|fought|drove|ran|grew|knew|thought|brought|kept|held|heard|felt|spoke|chose|ate|slept|woke|built|taught|quit"
    r"|(?!(?:need|plan+|schedul|expect|suppos|hundr|inde|spe|fe|se|we|sacr|nak|wick|alfr|fr|be|re|sh|shr)ed\b)"
    r"[a-z]{2,}ed)\b"
)


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
    side = _side(text, one.start, one.end)
    if not side:
        return one
    return replace(one, spans=tuple(span for span in one.spans if (span[0] > today) == (side > 0)))


def _side(text: str, start: int, end: int) -> int:
    """Return -1 for past, 1 for future, 0 if the sentence does not say."""
    first, last = _sentence(text, start, end)
    before = text[first:start]
    if _LEADS_ON.search(before):
        return 1
    if _LEADS_BACK.search(before):
        return -1
    sentence = f"{before}…{text[end:last]}"
    coming = bool(_COMING.search(sentence) or _IS_ON.search(before))
    past = bool(not _SET_FOR.search(before) and _PAST.search(_DONE_BY_NOW.sub("", sentence)))
    return coming - past


def _sentence(text: str, start: int, end: int) -> tuple[int, int]:
    """Return where the sentence begins and ends in which a day stands."""
    first = max((found.end() for found in _BOUND.finditer(text, 0, start)), default=0)
    bound = _BOUND.search(text, end)
    return first, bound.start() if bound else len(text)


def has_passed(text: str, noted: date | None, today: date, *, begun: bool = False) -> bool:
    """Return whether a text that was `noted` on a day names days or months, and each of them has passed.

    A day from which another one is reckoned is no such day, nor one on which it is not to be, nor one that
    lay behind when the text was noted, nor the month of another day there, nor a weekday of every week; a
    year alone is one only as in `by 2027`. `begun`: what goes on from a day has passed with that day.
    """
    plain = even(text)
    named = [one for one in _join_weekdays(dates(plain, noted, feasts=True), plain, noted) if one.spans]
    named = [one for one in named if not (one.kind == "weekday" and _is_of_many(one, plain))]
    named = [one for one in named if not (one.kind == "month" and _is_month_of(one, named))]
    named = [one for one in named if one.kind != "year" or _DUE.search(plain, 0, one.start)]
    named = [one for one in named if not _NOT_ON.search(plain[: one.start])]
    reckoned = _COUNTED_FROM if begun else _RECKONED_FROM
    if any(reckoned.search(plain[: one.start]) for one in named):
        # `two weekends after 3 June` is another day
        return False
    ends = [end for one in named for end in [_end(one, noted)] if noted is None or end >= noted]
    return bool(ends) and max(ends) < today


def _is_of_many(one: When, text: str) -> bool:
    """Return whether a weekday is one of many: `on Tuesdays`, `a Saturday`, or one of a timetable."""
    plural = text[one.start : one.end].casefold().endswith("days")
    again = _AGAIN_AND_AGAIN.search(text[: one.start]) or _OF_MANY.match(text, one.end)
    return plural or again is not None


def _is_month_of(month: When, named: Sequence[When]) -> bool:
    """Return whether a month is that of a day which the same text names."""
    days = [span for one in named if one.kind != "month" for span in one.spans]
    return any(first <= day and last <= end for first, end in month.spans for day, last in days)


def _join_weekdays(whens: Sequence[When], text: str, noted: date | None) -> list[When]:
    """Return dates in which `Sunday 22nd` is one day: the nearest of that number that is a Sunday."""
    found: list[When] = []
    for one in whens:
        before = found[-1] if found else None
        if before is None or one.kind != "nth" or before.weekday is None or noted is None:
            found.append(one)
            continue
        if not _BETWEEN_DAYS.fullmatch(text, before.end, one.start):
            found.append(one)
            continue
        near = (noted + timedelta(days=side * far) for far in range(2 * _MONTH_AND_MORE) for side in (1, -1))
        day = next((day for day in near if (day.day, day.weekday()) == (one.day, before.weekday)), None)
        found[-1] = replace(one, start=before.start, spans=((day, day),) if day is not None else ())
    return found


_BETWEEN_DAYS = late(r",?\s+(?:the\s+)?|\s*")


def _end(one: When, noted: date | None) -> date:
    """Return the last day that a date means: of several meanings the first from the day it was noted."""
    ends = [last for _, last in one.spans]
    return min((end for end in ends if noted is not None and end >= noted), default=max(ends))


_RECKONED_FROM = late(r"(?i)\b(?:after|since|from|before)\s+(?:the\s+)?$")
"""Pattern of what stands before a day from which another one is reckoned."""
_COUNTED_FROM = late(
    r"(?i)\b(?:after|since|before|(?:days?|weeks?|weekends?|months?|years?) from)\s+(?:the\s+)?$"
)
"""Pattern of the same where what goes on from a day has begun with it."""
_DUE = late(r"(?i)\b(?:by|until|till|end of)\s+$")
_NOT_ON = late(r"(?i)\b(?:not|never|(?<!\bor )no|nothing)\b[^.,;:]*$|n['’]t\b[^.,;:]*$")
"""Pattern of what stands before a day on which a thing is not to be: `not wanted in April`."""
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


def _count_out(one: When, text: str, today: date, months: Collection[tuple[int, int]] = ()) -> When:
    """Return a day of no month with the last such day or the next, as its sentence has it, or in `months`.

    What is no day (`the 20th floor`) or denied (`not the 19th`) stays as it is.
    """
    noun = _GOES_ON.match(text, one.end)
    if one.kind != "nth" or _DENIED_DAY.search(text[: one.start]) or (noun and noun[1] not in STOP):
        return one
    step = -1 if _side(text, one.start, one.end) < 0 else 1
    days = (today + timedelta(days=step * far) for far in range(_MONTH_AND_MORE))
    found = next((day for day in days if day.day == one.day), None)
    number = one.day or 0
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
    side = _side(text, one.start, one.end)
    first, last = _sentence(text, one.start, one.end)
    goes = side == 0 and _GOES.search(text[first:last]) and not _PAST.search(text[first:last])
    day = one.spans[-1][0]
    if not (side > 0 or goes) or (day.month, day.day) == (2, 29):
        return one
    coming = day.replace(year=day.year + 1)
    return replace(one, spans=((coming, coming),)) if coming >= today else one


_YEAR = late(r"\b\d{4}\b")


def tells_past(sentence: str) -> bool:
    """Return whether a sentence tells of something that was done or has happened, and of nothing to come."""
    past = _PAST.search(sentence) or _DONE_BY_NOW.search(sentence)
    return past is not None and not _COMING.search(sentence)


def with_whole_days(text: str) -> str:
    """Return a text in which days of no month have their article: `tues 18th`, `sunday 15`, `14 or 15.`."""
    found = _SHORT_DAY.sub(lambda one: f"{one['before']}the {one['day']}th", even(text))
    found = _TWO_DAYS.sub(r"the \1th or the \2th", found)
    return _NO_ARTICLE.sub(r"the \g<0>", found)


_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)"
_SHORT_DAY = late(
    rf"(?i)\b(?P<before>{A_WEEKDAY} )"
    rf"(?P<day>[12]?\d|3[01])(?=[.,;!?]?(?:\s|$))(?! (?:{_MONTH}|am\b|pm\b|o'))"
)
_TWO_DAYS = late(r"\b([12]?\d|3[01]) or ([12]?\d|3[01])(?=[.;!?]|$)")
_NO_ARTICLE = late(rf"(?i)(?<!the )(?<![\w-])(?:[12]?\d|3[01])(?:st|nd|rd|th)\b(?! (?:of )?{_MONTH})")


FEW_DAYS = 3
"""Days below which `last Tuesday` may be this week's or the one before."""
_SHORT_STRETCH, _LONG_STRETCH = 16, 95
"""Days up to which a vague stretch is named by its middle day, and by the month."""
_SATURDAY = 5
_DAY_NAME = rf"{A_WEEKDAY}s?"
_RELATIVE_SIGN = late(
    r"(?i)day\b|\b(?:mon|tue|wed|thu|fri|tonight|tomorrow|ago|later|weekend|morning|afternoon|evening|night|earlier"
    r"|week|weeks|month|months|year|years|days|last|next|this|back|before|now)\b"
)
"""Pattern of words without one of which a text names no relative day."""
_AGAIN_AND_AGAIN = late(
    rf"(?i)(?:\b(?:every|each|any|an?|some|most|alternate|other|good|black|easter|ash|palm"
    rf"|first|second|third|fourth|fifth|1st|2nd|3rd|[45]th|{_DAY_NAME}\s*(?:-|–|to|through))\s+)$"
)
_OF_MANY = late(
    rf"(?i)(?:\s*(?:-|–|to|through)\s*{_DAY_NAME}\b|['’]s\b"
    r"|\s+(?:of\s+)?(?:each|every|a|the)\s+(?:week|fortnight|month|quarter|year)\b"
    r"|(?:\s+at\s+\d[\d:.]*(?:\s*[ap]\.?m\.?)?)?:(?!\d))"
)
"""Pattern behind a day of several, or one of a timetable: `Saturday at 4:00 PM: one wine`."""
_HAS_ITS_DATE = late(r"(?i),?\s+(?:the\s+)?\d{1,2}(?:st|nd|rd|th)?\b(?!\s*(?:am|pm|o['’]clock)\b|[:.]\d)")
_BEHIND_ITS_DATE = late(r"(?i)\b\d{1,2}(?:st|nd|rd|th)?,?\s+(?:\(|the\s+)?$")
_PART_OF_DAY = late(r"(?i)\s+(?:morning|lunchtime|afternoon|evening|night)\b")
_SAME_DAY = late(r"(?i)\b(?:tonight|this (?:morning|afternoon|evening))\b")
_WEEK = late(r"(?i)\bweek\b")
_IN_YEARS = late(r"(?i)\byears?\b")
_DATE_BEHIND = late(
    rf"(?i)(?:\s+(?:morning|lunchtime|afternoon|evening|night))?,?\s+\(?(?:{_DAY_NAME},?\s+)?(?:the\s+)?"
    rf"\d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?{_MONTH}"
)
"""Pattern of the date behind a relative day: `tonight, Thursday 5 February`."""
_BARE_DAY = late(
    r"(?i)\b(?:on|by|until|till|before|after|for|from|since|is|was|are|this|comes?|due)\s+(?:the\s+)?$"
)
_DAY_STANDS = late(
    r"(?i)(?:\s+(?:morning|lunchtime|afternoon|evening|night))?(?:\s*(?:[.,;!?)]|$)|\s+(?:at|in|from|to|with|and|or)\b)"
)
"""Patterns of what stands before or behind a weekday that says when; `Wednesday squats` are on any."""
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
_GOES = late(
    r"(?i)\b(?:go(?:es|ing)?|com(?:es?|ing)|rings?|ringing|fl(?:y|ies|ying)|mov(?:es?|ing)|viewing)\b"
)
"""Pattern of what puts a weekday ahead, in a sentence of the present."""


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
    before = text[_sentence(text, when.start, when.end)[0] : when.start]
    clause = before[max((found.end() for found in _CLAUSE_FROM.finditer(before)), default=0) :]
    if _IS_ON.search(clause) or (_COMING.search(clause) and not _NOT_ON.search(clause)):
        return False
    return any(pattern.search(clause) for pattern in (_NOT_ON, _PERFECT, _PAST))


def _weekday(when: When, text: str, day: date, lean: int) -> tuple[date, date] | None:
    """Return the day that a weekday was; None where it is of no one day, has its date or may be two."""
    said = text[when.start : when.end]
    if (
        _is_of_many(when, text)
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
        said_so = _side(text, when.start, when.end) or _leads_on(text, when)
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


def _leads_on(text: str, when: When) -> int:
    """Return 1 where a weekday's sentence tells of the present, and of what is to be on that day; else 0."""
    first, last = _sentence(text, when.start, when.end)
    sentence = text[first:last]
    return int(_GOES.search(sentence) is not None and _PAST.search(sentence) is None)


def _weekend(when: When, text: str, day: date, lean: int) -> tuple[date, date] | None:
    """Return the Saturday and Sunday that a weekend was; None where it may be either of two."""
    which = text[when.start : when.end].partition(" ")[0].casefold()
    is_weekend = day.weekday() >= _SATURDAY
    before = day - timedelta((day.weekday() - _SATURDAY) % 7)
    if which in ("last", "past"):
        saturday = None if is_weekend else before
    elif which == "this":
        side = _side(text, when.start, when.end) or lean
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
