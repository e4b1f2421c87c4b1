"""Numbers in a text, in digits or in words, with the unit and the things they count."""

import re
from collections.abc import Iterator, Sequence

from reel_cli.core.evidence.grounding.lexicon import (
    STOP,
    UNDER_TWENTY,
    UNSPACED,
    WORD,
    bare,
    evened_case,
    has_any,
    stem,
)
from reel_cli.core.frozen import frozen, late

_SMALL = {word: value for value, word in enumerate(UNDER_TWENTY)}
_TENS = {
    word: 10 * (place + 2)
    for place, word in enumerate(
        ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
    )
}
SCALES = {"hundred": 100, "thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000}
ORDINALS = {
    "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9,
    "tenth": 10, "eleventh": 11, "twelfth": 12, "thirteenth": 13, "fourteenth": 14, "fifteenth": 15,
    "sixteenth": 16, "seventeenth": 17, "eighteenth": 18, "nineteenth": 19, "twentieth": 20, "thirtieth": 30,
}  # fmt: skip
_GROUPS = {
    "both": 2, "couple": 2, "pair": 2, "twin": 2, "twins": 2, "twice": 2, "duo": 2, "double": 2, "trio": 3,
    "triple": 3, "trilogy": 3, "triplets": 3, "thrice": 3, "dozen": 12, "fortnight": 14,
    "decade": 10, "century": 100,
}  # fmt: skip
"""Words that bear a number; they are no claim of one by themselves, a dozen apart."""
_SECONDS = {
    "second": 1, "sec": 1, "minute": 60, "min": 60, "hour": 3600, "hr": 3600, "h": 3600, "day": 86_400,
    "week": 604_800, "fortnight": 1_209_600, "month": 2_629_800, "year": 31_557_600, "yr": 31_557_600,
    "decade": 315_576_000, "century": 3_155_760_000,
}  # fmt: skip
_UNITS = {stem(name): length for name, length in _SECONDS.items()}
_DIGITS = late(
    r"(?<![\w.])(?P<money>[$€£¥])?(?P<digits>"
    r"\d{1,3}(?:(?:,\d{3})+|(?:[ \u00a0\u2009\u202f'’]\d{3})+(?![ \u00a0\u2009\u202f'’]?\d))(?:\.\d+)?"
    r"|\d+(?:\.\d+)?)"
    r"(?P<tail>(?::\d\d)?\s?(?:[ap]\.?m\b\.?)|:\d\d|st\b|nd\b|rd\b|th\b|s\b|\s?%|[kKmM]\b|[a-zA-Z]{1,3}\b|x\b)?"
)
_BETWEEN = late("[, \u00a0\u2009\u202f'’]")
"""Pattern of what stands between the thousands of a number: `60,000`, `60 000`, `60'000`."""
_TIME_OF_DAY = late(r"(?i)(?::\d\d)?\s?[ap]\.?m\.?|:\d\d")
_ONE_OF = late(r"(?i)\b(?:an?|one|per)[\s-](hour|minute|day|week|fortnight|month|year|decade)\b")
_LISTING = late(r"(?i)\s+of\s+all\b")
_CLAUSE_BEGINS = late(r"(?:\A|[.!?;:\n\"“—–])\s*(?:(?i:and|but)\s+)?\Z")
"""Pattern of the beginnings of clauses such as `Second of all, …`, where a number counts only what is
told."""
_CLOCK = late(r":(\d\d)")
_PAST = late(r"(?i)\b(half|quarter|five|ten|twenty|twenty[- ]five)(?: minutes)? (past|after|to|of|before) $")
"""Pattern of the words before an hour: `half past two` is 2:30, or 14:30."""
_MINUTES = {"half": 30, "quarter": 15, "five": 5, "ten": 10, "twenty": 20}
_LONGEST_PAST = len("twenty-five minutes before ") + 1
_HOURS = 12
_HOURS_OF_DAY = 24
_HOURS_SAID = 1300
"""The first time of day that is told by an hour over twelve, as `thirteen fourteen` may be one of the two."""
_AT_HOUR = late(r"(?i)\b(?:at|until|till)\s+$")
_UNTIL_HOUR = late(r"(?i)\s+(?:hours|to|till|until)\b")
"""Patterns of words beside hundreds that make them a time of day: `fourteen hundred to sixteen thirty`."""
_MINUTES_OF = 60
_PAIR, _TEN = 2, 10
_PHRASES = (
    (late(r"(?i)\bhalf an? (hour|minute|day|year|century|dozen)\b"), 0.5),
    (late(r"(?i)\b(?:a )?quarter of an? (hour|century)\b"), 0.25),
    (late(r"(?i)\bthree quarters of an? (hour)\b"), 0.75),
    (late(r"(?i)\ban? (hour|day|year|week|month) and a half\b"), 1.5),
)
_NUMBER_WORD = late(
    r"(?i)\b(?:(?:" + "|".join(SCALES) + r")(?:[\s-]+(?:(?:and|n)\s+)?|\b)"
    r"|(?:" + "|".join([*_SMALL, *_TENS, "dozen"]) + r")(?:[\s-]+|\b))+"
)
_ENDINGS = {"first": 1, **{word: place for word, place in ORDINALS.items() if 2 < place < 10}}
_ENDING = late(r"(?i)-(" + "|".join(_ENDINGS) + r")\b")
"""Pattern of the end of an ordinal such as `twenty-third`; a `twenty-second` may be a length of time."""
_AND_A_HALF = late(r"(?i)[\s-]+and[\s-]+a[\s-]+half\b")
_HAN_ONES = {sign: value for value, sign in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2, "兩": 2}
_HAN_TENS = {"十": 10, "百": 100, "千": 1_000}
_HAN_NUMBER = late(
    r"(?<![\d.,第零〇一二两兩三四五六七八九十百千万萬])"
    r"(?:(?P<digits>\d+(?:[.,]\d+)*)(?P<scale>[万萬])?|(?P<han>[零〇一二两兩三四五六七八九十百千万萬]+))"
    r"(?=[ \t]?(?:[块塊元圆圓角名位岁歲歳才個个箇人只隻头頭张張条條件片颗顆粒円枚本冊册次回匹杯"
    r"瓶斤度秒天周週间間家台辆輛页頁袋盒双雙倍层層楼樓階步]|公里|公斤|米|分[钟鐘間]|小[时時]"
    r"|[时時][间間]|[点點][钟鐘]|[かヶカ](?:月|所)|つ|年(?:前|后|後|间|間|ぶり)|\Z))"
)
"""Pattern of a number before a word that counts in Chinese or Japanese."""
_PARTS = ("half", "quarter")
COUNTING = (*_SMALL, *_TENS, *SCALES, "dozen")
_BEARING = (*ORDINALS, *_GROUPS)
_LENGTHS = ("hour", "minute", "day", "week", "fortnight", "month", "year", "decade")
"""Words without which a pattern cannot match; looking for them is faster than trying it."""


@frozen
class Number:
    """One number: where it stands, what it may amount to, seconds if it is a length of time, what it counts.

    `plain` says that it is a claim worth checking: not a `one`, an `a` or a `both`; `clock`
    that it is a time of day.
    """

    start: int
    end: int
    values: frozenset[float]
    seconds: float | None = None
    counts: tuple[str, ...] = ()
    plain: bool = True
    clock: bool = False


def written(value: float) -> list[str]:
    """Return a number as people write it: in digits, and in words where it has few."""
    if value != int(value):
        return [f"{value:g}"]
    whole = int(value)
    forms = list(dict.fromkeys((str(whole), f"{whole:,}")))
    if whole < len(UNDER_TWENTY):
        return [*forms, UNDER_TWENTY[whole]]
    if whole < 100:
        tens = next(word for word, size in _TENS.items() if size == whole // 10 * 10)
        unit = UNDER_TWENTY[whole % 10] if whole % 10 else ""
        return [*forms, *dict.fromkeys(f"{tens}{sign}{unit}" if unit else tens for sign in ("-", " ", ""))]
    for word, size in (("million", 1_000_000), ("thousand", 1_000), ("hundred", 100)):
        if whole % size == 0 and whole // size < 100:
            short = {"million": f"{whole // size}m", "thousand": f"{whole // size}k"}.get(word)
            forms += [f"{form} {word}" for form in written(whole // size)]
            return [*forms, short] if short else forms
    return forms


def numbers(text: str, masked: str) -> list[Number]:
    """Return every number in an even text, in order; `masked` is the text with dates blanked out."""
    found: list[Number] = []
    taken: set[int] = set()
    plain = evened_case(masked)
    for number in (
        *(_phrases(masked) if has_any(plain, _PARTS) else ()),
        *(_han(masked) if UNSPACED.search(masked) else ()),
        *_digits(masked),
        *(_words(masked) if has_any(plain, COUNTING) else ()),
        *(_lengths(masked) if has_any(plain, _LENGTHS) else ()),
        *(_lone_words(masked) if has_any(plain, _BEARING) else ()),
    ):
        if taken.isdisjoint(range(number.start, number.end)):
            counts = tuple(_counted(text, number.end))
            unit = _UNITS.get(counts[0]) if counts else None
            seconds = number.seconds
            if seconds is None and unit is not None and len(number.values) == 1:
                seconds = next(iter(number.values)) * unit
            values, plainly, clock = number.values, number.plain, number.clock
            found.append(Number(number.start, number.end, values, seconds, counts, plainly, clock))
            taken.update(range(number.start, number.end))
    return sorted(found, key=lambda one: one.start)


def _phrases(text: str) -> Iterator[Number]:
    """Yield the numbers in phrases such as `half an hour`."""
    for pattern, share in _PHRASES:
        for match in pattern.finditer(text):
            length = _SECONDS.get(match[1].casefold())
            value = share * 12 if length is None else share
            yield Number(*match.span(), frozenset({value}), share * length if length else None)


def _digits(text: str) -> Iterator[Number]:
    for match in _DIGITS.finditer(text):
        clock = _TIME_OF_DAY.fullmatch(match["tail"] or "") is not None
        yield Number(*match.span(), _digit_values(match), clock=clock)


def _words(text: str) -> Iterator[Number]:
    """Yield the numbers written in one or several words."""
    for match in _NUMBER_WORD.finditer(text):
        stop = match.start() + len(match[0].rstrip(" -\n\t"))
        words = [
            word
            for word in re.split(r"[\s-]+", text[match.start() : stop].casefold())
            if word not in ("and", "n")
        ]
        value, _ = _compose(words)
        if words[-1] in _TENS and (ending := _ENDING.match(text, stop)):
            value, stop = value + _ENDINGS[ending[1].casefold()], ending.end()
        clock = set(_spoken_clock(text, match.start(), value))
        values = {value, *clock}
        # not of `two twenty-pound notes`
        if text[stop : stop + 1] != "-" and (priced := _said_in_pairs(words)):
            # `six-forty` is a price or a time of day, and no six
            clock = _clock_of(priced)
            values = {priced, *clock} if priced < _HOURS_SAID else {value, priced, *clock}
        timed = len(words) == _PAIR and words[1] == "hundred" and _HOURS < value / 100 < _HOURS_OF_DAY
        if timed and (_UNTIL_HOUR.match(text, stop) or _AT_HOUR.search(text[: match.start()][-8:])):
            values = {value, value / 100}
        if half := _AND_A_HALF.match(text, stop):
            # without it, `four flasks, and I used one and a half` would add up to five
            value, stop = value + 0.5, half.end()
            values = {value}
        lone = len(words) == 1 and value in (0, 1, 100, 1000, 1_000_000)
        past = _PAST.search(text, max(0, match.start() - _LONGEST_PAST), match.start()) if clock else None
        # `half past six` is one number, `ten past six` has two
        whole = past is not None and past[1].casefold() in ("half", "quarter")
        start = past.start() if past is not None and whole else match.start()
        yield Number(start, stop, frozenset(values), plain=not lone, clock=bool(clock))


def _said_in_pairs(words: Sequence[str]) -> float:
    """Return the number of hundreds and tens said as two numbers: 640 of `six forty`; 0 for none.

    From thirteen on they are a time of day: `sixteen thirty`.
    """
    if len(words) != _PAIR:
        return 0.0
    hundreds, tens = ({**_SMALL, **_TENS}.get(word, 0) for word in words)
    timed = hundreds <= _HOURS or (hundreds < len(UNDER_TWENTY) and tens < _MINUTES_OF)
    return float(hundreds * 100 + tens) if hundreds and timed and tens > _TEN else 0.0


def _clock_of(priced: float) -> set[float]:
    """Return the times of day, as `18:40` has them, that `six forty` may be."""
    hour, minutes = divmod(priced, 100)
    times = {round(hour + later + minutes / 100, 2) for later in ((0, _HOURS) if hour <= _HOURS else (0,))}
    return times if minutes < _MINUTES_OF else set()


def _spoken_clock(text: str, start: int, hour: float) -> Iterator[float]:
    """Yield the times, as `14:30` has them, that an hour may be with `half past` or `ten to` before it."""
    found = _PAST.search(text, max(0, start - _LONGEST_PAST), start) if hour <= _HOURS else None
    if found is not None:
        minutes = _MINUTES.get(found[1].casefold(), 25)
        # a quarter to three is 2:45
        to = found[2].casefold() in ("to", "of", "before")
        at = hour - 1 + (60 - minutes) / 100 if to else hour + minutes / 100
        yield from (round(at, 2), round(at + _HOURS, 2))


def _han(text: str) -> Iterator[Number]:
    """Yield the numbers of Chinese and Japanese; `七八` is any of the two."""
    for match in _HAN_NUMBER.finditer(text):
        if match["digits"]:
            values = {float(match["digits"].replace(",", "")) * (10_000 if match["scale"] else 1)}
        else:
            values = _han_values(match["han"])
        plain = values.isdisjoint((0, 1, 100, 1_000, 10_000)) and match[0] != "千万"
        yield Number(*match.span(), frozenset(values), plain=plain)


def _han_values(word: str) -> set[float]:
    """Return what a number in Chinese signs may amount to."""
    ones = [_HAN_ONES[sign] for sign in word if sign in _HAN_ONES]
    if len(ones) == len(word) == 2:
        return set(map(float, ones))
    if len(ones) == len(word):
        return {float("".join(map(str, ones)))}
    total = below = 0.0
    one: float | None = None
    for sign in word.replace("萬", "万"):
        if sign == "万":
            total, below, one = (total + below + (one or 0) or 1) * 10_000, 0.0, None
        elif sign in _HAN_TENS:
            below, one = below + (1 if one is None else one) * _HAN_TENS[sign], None
        else:
            one = float(_HAN_ONES[sign])
    return {total + below + (one or 0)}


def _lone_words(text: str) -> Iterator[Number]:
    """Yield ordinals and single words that imply a number."""
    for match in WORD.finditer(text):
        word = match[0].casefold()
        if word in ORDINALS:
            last = word == "second" and not text[match.end() : match.end() + 12].strip()
            listing = _LISTING.match(text, match.end()) or (
                text[match.end() : match.end() + 1] == ","
                and _CLAUSE_BEGINS.search(text, max(0, match.start() - 12), match.start())
            )
            yield Number(*match.span(), frozenset({float(ORDINALS[word])}), plain=not (last or listing))
        elif word in _GROUPS:
            yield Number(*match.span(), frozenset({float(_GROUPS[word])}), plain=False)


def _lengths(text: str) -> Iterator[Number]:
    """Yield lengths such as `an hour` and `per week`."""
    for match in _ONE_OF.finditer(text):
        yield Number(*match.span(), frozenset({1.0}), float(_SECONDS[match[1].casefold()]), plain=False)


def _digit_values(match: re.Match[str]) -> frozenset[float]:
    value = float(_BETWEEN.sub("", match["digits"]))
    tail = (match["tail"] or "").strip().casefold()
    clock = _CLOCK.match(tail)
    values = {value}
    if tail in ("k", "m"):
        values = {value * (1_000 if tail == "k" else 1_000_000)}
    elif clock or tail.rstrip(".").replace(".", "") in ("am", "pm"):
        minutes = int(clock[1]) if clock else 0
        later = 12 if "p" in tail and value < 12 else 0
        values = {round(value + minutes / 100, 2), round(value + later + minutes / 100, 2)}
        if not minutes:
            values |= {value, value + 12 if value <= 12 else value - 12}
    return frozenset(values)


def _compose(words: list[str]) -> tuple[float, int]:
    """Return the number that words make up, and how many it used; the first one of a list."""
    total = current = last = 0.0
    for size, word in enumerate(words):
        scale = {"dozen": 12}.get(word) or SCALES.get(word)
        if scale is None:
            value = float(_TENS.get(word, _SMALL.get(word, 0)))
            if size and (last < 20 or (last < 100 and value >= 10)):
                return total + current, size
            current, last = current + value, value
        elif scale <= 100:
            current, last = (current or 1) * scale, scale
        else:
            total, current, last = total + (current or 1) * scale, 0.0, scale
    return total + current, len(words)


def _counted(text: str, end: int) -> Iterator[str]:
    """Yield the stems of the next content words, up to the end of the clause."""
    stop = re.compile(r"[.!?,;:()\"\n]").search(text, end)
    seen = 0
    for match in WORD.finditer(text, end, stop.start() if stop else len(text)):
        word = bare(match[0])
        if (
            word
            in ("and", "but", "or", "in", "at", "for", "to", "with", "i", "we", "she", "he", "they", "of")
            or seen == 3
        ):
            return
        if word and word not in STOP and not word.isdigit():
            seen += 1
            yield stem(word)
