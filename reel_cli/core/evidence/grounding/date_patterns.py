"""Patterns that find English dates, and the meaning of their words."""

import re

from reel_cli.core.pattern import late

MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
    "november", "december",
)  # fmt: skip
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
SEASONS = {"spring": (3, 5), "summer": (6, 8), "fall": (9, 11), "autumn": (9, 11), "winter": (12, 2)}
SMALL = {
    word: number
    for number, word in enumerate(
        ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"], 1
    )
} | {"a": 1, "an": 1, "couple": 2, "couple of": 2, "few": 3}
_M = (
    r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?"
)
_D = r"(?P<day>[0-3]?\d)(?:st|nd|rd|th)?\b"
_Y = r"(?:,?\s+(?:of\s+)?(?P<year>(?:19|20)\d\d)\b)?"
_W = r"(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?"
ONES = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")
_COUNT = (
    r"(?P<count>\d+|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
    r"|(?:a )?couple(?: of)?|(?:a )?few)"
)
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
        ("ordinal", rf"\bthe\s+(?P<tens>twenty|thirty)[\s-](?P<ones>{'|'.join(ONES)})\b"),
    )
)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
SIGNS: dict[str, tuple[str, ...]] = {
    "iso": ("-",),
    "slash": ("/",),
    "day": _MONTHS,
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
    "ordinal": ("twenty", "thirty"),
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
