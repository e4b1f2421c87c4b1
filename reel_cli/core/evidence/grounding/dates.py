"""Dates in a text: as days, months and years, and as `yesterday` and `next Friday` from a known day."""

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date, timedelta
from functools import lru_cache

from reel_cli.core import informal_words
from reel_cli.core.evidence.grounding.date_words import MONTHS, ONES, SEASONS, TEENS, TO_TWELVE, WEEKDAYS
from reel_cli.core.evidence.grounding.lexicon import UNDER_TWENTY, even, evened_case, has_any
from reel_cli.core.frozen import frozen, late

_M = (
    r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?"
)
_D = r"(?P<day>[0-3]?\d)(?:st|nd|rd|th)?\b"
_TENS = r"(?:fifty|sixty|seventy|eighty|ninety)"
_Y = (
    r"(?:,?\s+(?:of\s+)?(?:(?P<year>(?:19|20)\d\d)\b|(?P<short>'\d\d\b"
    rf"|(?:nineteen[\s-])?{_TENS}(?:[\s-](?:{'|'.join(UNDER_TWENTY[1:10])}))?(?=\s*(?:[.,;:!?)]|$)))))?"
)
"""Pattern of the year behind a month: `1984`, `'84`, `eighty-four` at the end of a clause."""
A_WEEKDAY = r"(?:mon|tues?|wed(?:nes|s)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?"
_WRITTEN = rf"(?:(?P<tens>twenty|thirty)[\s-])?(?P<ones>{'|'.join((*ONES, *TEENS))}|thirtieth)"
_COUNT = rf"(?P<count>\d+|an?|{'|'.join(TO_TWELVE)}|(?:a )?couple(?: of)?|(?:a )?few)"
_PART = (
    r"(?P<part>early|mid|late|(?:the )?(?:beginning|start|middle|end) of"
    r"|(?:the )?(?:first|second|third|fourth|last) week of)"
)
_BACK = r"(?P<dir>ago|before|earlier|prior|back|later|from now|from today|hence)"
_COUNTED = r"(?!\s*(?:tokens|%|words|dollars|euros|people|steps|calories|yen|meters|metres)|[.,]\d)"
_NEAR = (
    r"(?P<near>the day before yesterday|the day after tomorrow|yesterday|tomorrow|last night"
    rf"|{'|'.join((*informal_words.YESTERDAY, *informal_words.TOMORROW))})"
)
_WHICH = r"(?P<which>last|next|this|past|coming|previous|following)"
_BEHIND_NAME = (
    r"(?:(?<=day )|(?<=\b(?:mon|tue|wed|thu|fri|sat|sun) )|(?<=\b(?:tues|weds|thur) )|(?<=\bthurs ))"
)
"""Pattern of a place right behind a weekday, where `22nd` is a day of the month without its article."""
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
        (
            "written",
            rf"\b(?:the\s+)?{_WRITTEN}(?=\s+(?:and|or|to|through|until|till)\s+(?:the\s+)?[\w-]+\s+of\s+{_M}{_Y})",
        ),
        ("part", rf"\b{_PART}[\s-]+{_M}{_Y}"),
        ("month", rf"\b(?:(?P<which>last|next|this|past)\s+)?{_M}{_Y}"),
        ("season", r"\b(?P<which>last|next|this|past|that)\s+(?P<season>spring|summer|fall|autumn|winter)\b"),
        ("near", rf"\b{_NEAR}\b"),
        ("later", r"\b(?:later|earlier)\s+(?P<later>this\s+(?:week|month|year))\b"),
        ("end", r"\b(?:the\s+)?end of (?:the|this) (?P<later>week|month|year)\b"),
        ("span", rf"\b{_WHICH}\s+(?P<span>week(?:end)?|month|year)\b"),
        ("weekend", r"\b(?:on|at|over|for|by) the (?P<span>weekend)\b"),
        ("back", rf"\b{_COUNT}\s+(?P<unit>day|night|week|weekend|fortnight|month|year)s?\s+{_BACK}\b"),
        ("back", rf"\b(?P<dir>in|within)\s+{_COUNT}\s+(?P<unit>day|week|fortnight|month|year)s?\b"),
        (
            "weekday",
            rf"\b(?:(?P<which>last|next|this|past|coming|on|by|that)\s+)?(?P<weekday>{A_WEEKDAY})s?\b",
        ),
        ("year", rf"(?<![\d$€£.,])\b(?P<year>(?:19|20)\d\d)\b{_COUNTED}"),
        ("year", r"(?:(?<=\bin )|(?<=\bsince ))(?P<short>'\d\d)\b"),
        ("nth", rf"(?:\bthe\s+|{_BEHIND_NAME}){_D}(?=[\s,.;!?)]|$)"),
        ("ordinal", rf"\bthe\s+{_WRITTEN}\b"),
        ("either", r"(?<![\d.,£$€])\b(?P<day>[0-3]?\d)(?= or [0-3]?\d(?:[.;!?]|$))"),
        ("either", r"(?<=\d or )(?P<day>[0-3]?\d)(?=[.;!?]|$)"),
        ("either", r"(?<![\d.,£$€])\b(?P<day>[0-3]?\d)(?:st|nd|rd|th)\b"),
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
    "near": (
        "yesterday",
        "tomorrow",
        "last night",
        *informal_words.YESTERDAY,
        *informal_words.TOMORROW,
    ),
    "later": ("later", "earlier"),
    "end": ("end of",),
    "span": ("week", "month", "year"),
    "weekend": ("weekend",),
    "either": (" or ", "th", "st", "nd", "rd"),
    "back": ("day", "night", "week", "month", "year"),  # a fortnight is a night too
    "weekday": ("mon", "tue", "wed", "thu", "fri", "sat", "sun"),
    "year": ("19", "20", "'"),
    "nth": ("th", "st", "nd", "rd"),
    "ordinal": (*ONES, *TEENS, "thirtieth"),
}
"""Signs without which no pattern of the kind can match; looking for them is faster than trying the
patterns."""
WITH_DIGITS = frozenset({"iso", "slash", "day", "nth", "either"})
FIXED = frozenset({"iso", "slash", "year", "nth", "ordinal", "either"})
"""Kinds of date patterns that need no reference day."""
DIGIT = late(r"\d")
NO_DATE = frozenset({"may", "march", "mar", "sun", "sat", "wed", "mon", "dec", "fri", "jan"})
"""Words that are also dates: only with a capital letter, and a month only in the place of a date."""
LEAD = late(
    r"(?i)\b(?:in|of|by|on|until|till|since|last|next|this|early|late|mid|end|from|to|through|around|before"
    r"|after|for|and|that|every|the|past|start(?:s|ing)?|begin(?:s|ning)?|ends?|ending)[\s-]+$"
)


_SHORT = 2_000
"""Number of characters up to which a text's dates are remembered."""
_WEEK_ON, _WEEK = late(r"(?i)\ba week\s+$"), late(r"(?i)\s+week\b")
"""Patterns of what stands before and after a weekday that is a week later: `a week on Friday`."""
_A_WEEK = timedelta(days=7)
_RANGE_ON = late(rf"(?i)\s*(?:to|till|until|thru|through|-|–)\s*{A_WEEKDAY}\b")
_RANGE_TO = late(rf"(?i)\b{A_WEEKDAY}\s*(?:to|till|until|thru|through|-|–)\s*$")
"""Patterns of what stands after the first weekday of a range, and before the second."""
DAY_LEAD = late(
    rf"(?i)\b(?:on|by|until|till|before|after|since|due|from|for|through|to|was|is|it's|{A_WEEKDAY}),?\s+$"
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


def dates(
    text: str, today: date | None, also: Sequence[date] = (), *, said: bool = False, feasts: bool = False
) -> list[When]:
    """Return every date in a normalised text, in order; relative ones are computed from `today`.

    What looks back on several days may mean any of them: it is reckoned from those in `also` as well. A day
    that was `said` without its year may have been the last of its kind or the next. Of `feasts`,
    which are dates in what was said and where they are asked for, one without its year is else the next.
    """
    find = _find_dates if len(text) <= _SHORT else _find_dates.__wrapped__
    return [*find(text, today, tuple(also), said, feasts)]


@lru_cache(maxsize=2_048)
def _find_dates(
    text: str,
    today: date | None,
    also: Sequence[date],
    said: bool,  # noqa: FBT001
    feasts: bool,  # noqa: FBT001
) -> Sequence[When]:
    """Return the dates of a text; a note or sentence is asked about many times while a page is prepared."""
    found = _list_feasts(text, today, said=said) if said or feasts else []
    taken = {at for one in found for at in range(one.start, one.end)}
    plain = evened_case(text)
    digit = DIGIT.search(text) is not None
    likely = {
        kind for kind, signs in SIGNS.items() if (digit or kind not in WITH_DIGITS) and has_any(plain, signs)
    }
    for kind, pattern in PATTERNS:
        # a weekend or `14 or 15.` in a text that is looked up may be anything
        if kind not in likely or (kind in ("weekend", "either") and not said):
            continue
        for match in pattern.finditer(text):
            if not taken.isdisjoint(range(*match.span())) or not _is_date(kind, match, text):
                continue
            when = _read_from(kind, match, (today, *also) if kind not in FIXED else (today,), said=said)
            if when is not None:
                found.append(when)
                taken.update(range(*match.span()))
    found.sort(key=lambda one: one.start)
    return _narrow_weekdays(_follow_days(found, text) if said else found, text)


def _follow_days(whens: list[When], text: str) -> list[When]:
    """Return the dates; `the Monday following` may also be the first after a day that stands before it."""
    told = list[When]()
    for one in whens:
        spans = one.spans
        if one.weekday is not None and one.kind == "weekday" and _FOLLOWING.match(text, one.end):
            after = (
                last + timedelta(days=(one.weekday - last.weekday()) % 7 or 7)
                for when in told
                for _, last in when.spans
            )
            spans = tuple(dict.fromkeys([*spans, *((day, day) for day in after)]))
        told.append(replace(one, spans=spans))
    return told


_FOLLOWING = late(r"(?i)\s+(?:following|after)\b")


def _list_feasts(text: str, today: date | None, *, said: bool) -> list[When]:
    """Return the feast and quarter days of a text."""
    from reel_cli.core.evidence.grounding.feast_days import find_feasts

    found: list[When] = []
    for start, end, days, weekday in sorted(find_feasts(text, today, said=said), key=lambda one: one[:1]):
        if days and not any(one.start < end and start < one.end for one in found):
            spans = tuple((day, day) for day in days)
            found.append(When(start, end, "feast", spans, weekday=weekday))
    return found


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
    if match[0][:1].isdigit() and _NUMBERED.search(text, 0, match.start()):
        return False
    if kind == "ordinal" and match["tens"] is None:
        return match[0] == text or (
            match["ones"].casefold() != "second"
            and DAY_LEAD.search(text, 0, match.start()) is not None
            and DAY_ENDS.match(text, match.end()) is not None
        )
    group = {"month": "month", "weekday": "weekday", "part": "month"}.get(kind)
    if kind == "back" and _ONE_BACK.fullmatch(match[0]):
        return not (_RATE.search(text, 0, match.start()) or _BACK_FROM.match(text, match.end()))
    if group is None:
        return kind != "nth" or re.search(r"(?:st|nd|rd|th)$", match[0]) is not None
    word = match[group]
    if word.islower():
        if kind != "weekday":
            return (word in MONTHS and word not in NO_DATE) or _is_short_month(word, match, text)
        whole = word not in NO_DATE and word.endswith("day")
        return whole or _is_in_range(match, text) or _is_short_weekday(word, match, text)
    if word.casefold() in NO_DATE and kind == "month":
        before = text[: match.start(group)]
        return bool(LEAD.search(before) or match["year"]) and not text[match.end(group) :].startswith(
            ("'", "-")
        )
    if word.casefold() in ("sun", "sat") and kind == "weekday":
        return match["which"] is not None
    return not word.isupper() or len(word) > 3


def _is_short_month(word: str, match: re.Match[str], text: str) -> bool:
    """Return whether a month in small letters is a short one: `in sept`, `since jan`."""
    if word in informal_words.MONTHS:
        return True
    return word in _SHORT_MONTHS and LEAD.search(text, 0, match.start("month")) is not None


def _is_short_weekday(word: str, match: re.Match[str], text: str) -> bool:
    """Return whether a weekday in small letters is a short one: `thurs night`, `weds and fri`, `next mon`."""
    if word in informal_words.WEEKDAYS or match[0].lower().endswith("weds"):
        return True
    start, end = match.start("weekday"), match.end()
    if _DOER.search(text, 0, match.start()):
        # `she next sat down`, `they wed at 19`
        return False
    if _OF_WEEKDAY.match(text, end) or _WITH_WEEKDAY.match(text, end):
        return True
    beside = _BEHIND_WEEKDAY.search(text, 0, start)
    if beside is not None and not _DOER.search(text, 0, beside.start()):
        return True
    if word == "fri":
        return (
            (match["which"] or "").lower() in _WHICH_DAY
            or _LEADS_TO_WEEKDAY.search(text, 0, start) is not None
            or _ENDS_CLAUSE.match(text, end) is not None
        )
    if _COMPOUND.match(text, end) or not (DAY_ENDS.match(text, end) or _BEHIND_SHORT.match(text, end)):
        return False
    if (match["which"] or "").lower() in _WHICH_DAY:
        return word != "sun" or _SUN_AND.match(text, end) is None
    leads = {"mon": _LEADS_TO_WEEKDAY, "wed": _LEADS_TO_WED}.get(word)
    return leads is not None and leads.search(text, 0, start) is not None


_NUMBERED = late(r"(?i)\b(?:pages?|pp?\.|chapter|room|number|verse|no\.)\s+$")
"""Pattern of what stands before the number of a thing: `page 3 May have read`."""
_ONE_BACK = late(r"(?i)(?:an?|one)\s+\w+\s+(?:back|before|earlier|later)")
_RATE = late(
    rf"(?i)(?:\d|\b(?:{'|'.join(UNDER_TWENTY[1:])}|{_TENS[3:-1]}|twenty|thirty|forty|hundred|thousand|once|twice|times"
    r"|half|dozen|euros?|pounds?|dollars?|kroner|francs?|crowns?|quid|bucks?|cents?|percent)|[$€£%]|\bkr\.?)\s+$"
)
"""Pattern of what stands before `a month` that is a rate: `2500 a month back, from January`."""
_BACK_FROM = late(r"(?i)\s+(?:from|to|into|at)\b")
_SHORT_MONTHS = ("jan", "mar", "jun", "jul", "dec", "sept")
"""Short months that are other words as well, and months only behind a word for a time; `sept` is French."""
_WHICH_DAY = ("last", "next", "on", "by", "past", "coming", "this")
_OF_WEEKDAY = late(
    r"(?i)\s+(?:night|nite|morning|morn|eve(?:ning)?|afternoon|arvo|lunch\w*|at \d|\d{1,2}(?:st|nd|rd|th)\b"
    r"|\d{1,2}(?::\d\d)?\s?[ap]m\b|\d{1,2}\s+(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec))"
)
"""Pattern of what stands behind a weekday, and makes a day of it: `sat morning`, `sun 6th`."""
_WITH_WEEKDAY = late(rf"(?i)\s*(?:,|/|&|\+|-|and|n|or)\s*{A_WEEKDAY}s?\b")
_BEHIND_WEEKDAY = late(rf"(?i)\b{A_WEEKDAY}s?\s*(?:,|/|&|\+|-|and|n|or)\s*$")
_LEADS_TO_WEEKDAY = late(
    r"(?i)\b(?:until|til|till|since|from|before|after|for|every|due|to|closes?|ends?|starts?|off|is|was|its|it's|now"
    r"|(?:came|went|rang|left|paid|saw|met|got)(?: \w+)?)\s+$"
)
_LEADS_TO_WED = late(
    r"(?i)\b(?:until|til|till|since|from|before|after|for|every|due|closes?|ends?|starts?|off|now"
    r"|(?:moved|changed|pushed|put|back|on|mon|tues?) to)\s+$"
)
"""Pattern of what stands before `wed` where nobody marries: `due wed`, but not `is to wed`."""
_DOER = late(r"(?i)\b(?:i|you|he|she|we|they|it|who|the)\s+$")
"""Pattern of what stands before a word that is no short weekday: `they sat`, `the sun`."""
_BEHIND_SHORT = late(
    r"(?i)\s+(?:n|cos|cuz|im|ive|ill|id|my|our|it|its|the|there|before|after|from|till?|until)\b"
)
_SUN_AND = late(r"(?i)\s+(?:and|or)\b")
_COMPOUND = late(r"[-–’']\w")
_ENDS_CLAUSE = late(r"\s*(?:[.,;!?)]|$)")


def _read(kind: str, match: re.Match[str], today: date | None, *, said: bool) -> When | None:
    # most texts have no date
    from reel_cli.core.evidence.grounding.date_spans import (
        find_days,
        find_months,
        find_relative,
        find_weekdays,
        read_ordinal,
        read_short_year,
    )

    got = match.groupdict()
    start, end = match.span()
    if got.get("short"):
        got["year"] = str(read_short_year(got["short"] or ""))
    if kind == "written":
        # May the first, or the first of May
        kind, got = "day", {**got, "day": str(read_ordinal(got))}
    if kind in ("iso", "day", "slash"):
        spans = tuple((d, d) for d in find_days(kind, got, today, said=said))
        day = int(got["day"]) if got.get("day") else None
        return When(start, end, "day", spans, day=day) if spans else None
    if kind == "ordinal":
        day = read_ordinal(got)
        return When(start, end, "nth", (), day=day) if day <= 31 else None
    if kind in ("nth", "either"):
        day = int(got["day"])
        return When(start, end, kind, (), day=day) if 1 <= day <= 31 else None
    if kind == "year":
        year = int(got["year"])
        return When(start, end, "year", ((date(year, 1, 1), date(year, 12, 31)),))
    if kind in ("month", "part"):
        return When(start, end, "month", tuple(find_months(got, today)))
    if kind == "weekday":
        number = next(i for i, name in enumerate(WEEKDAYS) if name.startswith(got["weekday"].casefold()[:3]))
        spans = tuple(find_weekdays(number, (got["which"] or "").casefold(), today)) if today else ()
        if _WEEK_ON.search(match.string, 0, start) or _WEEK.match(match.string, end):
            spans = tuple((first + _A_WEEK, last + _A_WEEK) for first, last in spans)
        return When(start, end, "weekday", spans, relative=True, weekday=number)
    if today is None:
        return When(start, end, kind, (), relative=True)
    spans = tuple((a, b) for a, b in find_relative(kind, got, today))
    rough = "few" in (got.get("count") or "") or "couple" in (got.get("count") or "")
    return When(start, end, kind, spans, relative=True, rough=rough)
