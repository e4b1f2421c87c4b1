"""Tokens by which a line and a fact's value are compared: days, weekdays, times, numbers, names and words.

`d:12-19` is a day, `m:12` its month, `o:19` the day of a month alone, `w:monday` a weekday, `t:15:30` a time,
`n:35` a number, `n:35/week` one with the word that it counts and `n:35/` one without, `N:teagu` a name,
`p:drawer` a place. A bare token is the root of a word.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping

from reel_cli.core.evidence.grounding.lexicon import PERSONS, STOP, UNDER_TWENTY, bare, even, stem
from reel_cli.core.frozen import late
from reel_cli.core.moment import MONTHS, WEEKDAYS

_MONTH_NUMBERS = {
    name: f"{number:02d}"
    for number, month in enumerate(MONTHS, 1)
    for name in (month.casefold(), month[:3].casefold())
} | {"sept": "09"}
_MONTH = "|".join([*MONTHS, "Sept", *(month[:3] for month in MONTHS if month != "May")])
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
COUNTED = {word: number for number, word in enumerate(UNDER_TWENTY) if number > 1} | {
    word: 10 * number for number, word in enumerate(_TENS, 2)
}
"""Numbers in words, from two on."""
DOSES = frozenset(
    ("mg", "ml", "microgram", "mcg", "milligram", "puff", "drop", "tablet", "pill", "unit", "gram")
)
"""Roots of words that count a dose."""
_SCALES = {"hundred": 100, "thousand": 1_000}
_NUMBER_WORD = "|".join((*COUNTED, *_SCALES))
_COUNT = (
    rf"(?i:\b(?:{'|'.join(COUNTED)}|(?:one|a) (?:hundred|thousand))(?:(?:[ -]|\sand\s)(?:{_NUMBER_WORD}))*\b)"
)
_WEEKDAY = rf"(?i:{'|'.join(WEEKDAYS)}|mon|tues?|wed|thurs?|fri)"
_TOKEN = late(
    rf"(?:\b{_WEEKDAY},? (?:the )?)?(?P<d1>(?<![\w.])[0-3]?\d)(?:st|nd|rd|th)?(?: of)?"
    rf" (?P<m1>(?i:{_MONTH}))\b"
    rf"|(?:\b{_WEEKDAY},? )?\b(?P<m2>(?i:{_MONTH})) (?P<d2>[0-3]?\d)(?:st|nd|rd|th)?(?![\w:])"
    rf"|\b(?P<month>(?:(?<=in )|(?<=of )|(?<=by )|(?<=since )|(?<=until )|(?<=till ))(?:{_MONTH})"
    rf"|(?i:{'|'.join(m for m in MONTHS if len(m) > len('March'))}))\b"
    rf"|(?:\b{_WEEKDAY},? (?:the )?)?(?P<ordinal>(?<![\w.])[0-3]?\d)(?:st|nd|rd|th)\b"
    rf"|\b(?P<weekday>{_WEEKDAY})s?\b"
    r"|(?<![\w.:])(?P<time>\d{1,2}:\d{2})(?![\w:])"
    r"|(?:(?<![\w.:])(?P<number>\d{1,3}(?:[, ]\d{3})+(?!\d)|\d+(?:[.,]\d+)?)"
    rf"|(?P<counted>{_COUNT}))"
    rf"(?:\s(?:an?\s|per\s)?(?!(?i:{_NUMBER_WORD})\b)(?P<unit>[^\W\d_]{{2,}}))?"
    r"|(?i:\b(?:in|on|under|behind|by|at|beside|inside|near)) (?i:the|an?|his|her|my|their|our|your)"
    r" (?P<place>(?!(?i:morning|afternoon|evening|night|week|month|year|day|end|beginning|spring|summer"
    r"|autumn|winter|middle|way|same|first|last|next)\b)[^\W\d_]+"
    r"(?: (?!(?i:in|on|under|behind|by|at|beside|inside|near|with|and|or|of)\b)[^\W\d_]+)?)"
    r"|(?P<word>[^\W\d_][\w'’]*)"
)
_SAME = {"marri": "wed", "marriag": "wed", "fli": "flight", "flew": "flight"}
"""Roots that mean the same thing."""
_YEARS = range(1900, 2100)


def tokens_in(text: str) -> Iterator[str]:
    """Yield the tokens of a text, in order; a year is none."""
    for found in _TOKEN.finditer(even(text)):
        yield from _READ[found.lastgroup or ""](found)


def _day(found: re.Match[str]) -> Iterator[str]:
    month = _MONTH_NUMBERS[(found["m1"] or found["m2"]).casefold()]
    day = int(found["d1"] or found["d2"])
    yield from (f"d:{month}-{day:02d}", f"m:{month}", f"o:{day}")


def _amount(found: re.Match[str]) -> Iterator[str]:
    told = _value(found["number"]) if found["number"] else _count(found["counted"])
    return _number(told, found["unit"] or "")


def _place(found: re.Match[str]) -> Iterator[str]:
    for word in found["place"].split():
        for token in _word(word):
            yield token
            if token[1:2] != ":":
                yield f"p:{token}"


def _weekday(word: str) -> str:
    return next(day for day in map(str.casefold, WEEKDAYS) if day.startswith(word.casefold()[:3]))


def _number(number: float, unit: str) -> Iterator[str]:
    if number in _YEARS and not unit:
        return
    root = "" if unit.casefold() in STOP else _root(unit)
    yield f"n:{number:g}"
    yield f"n:{number:g}/{root}"
    if root:
        yield root


def _count(told: str) -> int:
    """Return a number in words: `three hundred and twelve`, `eighteen thousand five hundred`."""
    whole = part = 0
    for word in told.casefold().replace("-", " ").split():
        if word == "thousand":
            whole, part = whole + (part or 1) * _SCALES[word], 0
        elif word == "hundred":
            part = (part or 1) * _SCALES[word]
        else:
            part += COUNTED.get(word, 0)
    return whole + part


def _value(told: str) -> float:
    """Return a number as it is written: `1,150` is a thousand and more, `2,5` two and a half."""
    head, comma, tail = told.replace(" ", "").rpartition(",")
    if not comma:
        return float(tail)
    return float(head.replace(",", "") + (tail if len(tail) == _THOUSAND else f".{tail}"))


_THOUSAND = 3


def _word(word: str) -> Iterator[str]:
    plain = bare(word)
    if len(plain) > 1 and plain not in STOP and plain not in PERSONS:
        yield _root(plain)
        if word[:1].isupper():
            yield f"N:{_root(plain)}"


def _root(word: str) -> str:
    root = stem(word)
    return _SAME.get(root, root)


_READ: Mapping[str, Callable[[re.Match[str]], Iterable[str]]] = {
    **dict.fromkeys(("m1", "d2"), _day),
    "month": lambda found: (f"m:{_MONTH_NUMBERS[found['month'].casefold()]}",),
    "ordinal": lambda found: (f"o:{int(found['ordinal'])}",),
    "weekday": lambda found: (f"w:{_weekday(found['weekday'])}",),
    "time": lambda found: (f"t:{found['time']}",),
    **dict.fromkeys(("number", "counted", "unit"), _amount),
    "place": _place,
    "word": lambda found: _word(found["word"]),
}
"""A reading for each kind of match, by the last group that it has."""
