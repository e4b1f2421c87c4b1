"""Numbers of a memory that differ from the number that was said of the same things."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date, timedelta
from functools import lru_cache

from reel_cli.core.evidence.grounding.date_words import MONTHS, WEEKDAYS
from reel_cli.core.evidence.grounding.dates import When, dates
from reel_cli.core.evidence.grounding.lexicon import WORD, clauses, even, sentences, stem, stems
from reel_cli.core.evidence.grounding.numbers import Number
from reel_cli.core.evidence.grounding.scenes import content, part_at
from reel_cli.core.evidence.grounding.source import Passage, Source, SourceMessage, clipped
from reel_cli.core.evidence.grounding.words import word_forms
from reel_cli.core.frozen import frozen, late

_VALUES = {
    word: frozenset({value})
    for value, words in enumerate(
        (
            "zero", "one once", "two twice", "three thrice", "four", "five", "six", "seven", "eight", "nine",
            "ten", "eleven", "twelve",
        )
    )
    for word in words.split()
} | {
    "few": frozenset(range(3, 9)), "several": frozenset(range(3, 13)), "couple": frozenset({2, 3}),
}  # fmt: skip
_VALUE = rf"(?:\d{{1,3}}|{'|'.join(_VALUES)})"
_RATE = late(
    r"(?i)(?<![\d,.])(?<!hundred and )(?<!thousand and )(?<!hundred )(?<!thousand )(?<!ty-)\b"
    rf"(?:a\s+)?(?P<one>{_VALUE})(?:\s+(?:or|to|and)\s+(?P<two>{_VALUE}))?(?:\s*x|\s+of)?"
    r"(?:\s+(?!times\b|hundred\b|thousand\b|million\b)[a-z]+)?(?:\s+times)?\s+(?:a|an|per|each|every)\s+(?P<unit>day|week|month|year)\b"
)
_AGE = late(rf"(?i)\b(?P<age>{_VALUE})[\s-]years?[\s-]old\b")
_VAGUE = r"\b(?:some|several|a few|few|many|lots of|a lot of)\s+(?:[a-z]+\s+)?"
_SINGLE = r"\b(?:an?)\s+(?:[a-z]+\s+)?"


_AGO = late(rf"(?i)\b(?P<count>an?|{_VALUE})\s+(?P<unit>week|month|year)s?\s+(?:ago|back|earlier)\b")
_FOR = late(
    rf"(?i)\bfor\s+(?:about\s+|almost\s+|over\s+|many\s+)?(?:an?\s+|{_VALUE}\s+)?(?P<unit>day|week|month|year)s?\b"
)
_SAME_THING = 2
"""Words that a sentence shares with a part of a text for both to be about the same thing."""
_MOST = 60
"""Percent of a clause's words that a sentence has to have for both to be about the same thing."""
_NAMED_DAYS = frozenset(("day", "iso", "slash", "written", "weekday"))
"""Kinds of dates that name one day."""
_DAYS_NEAR = timedelta(days=3)
"""Days by which a day may be told roughly."""
_PAUSE = re.compile(r"[,;:()]\s")
_COUNTED_WORD = re.compile(r"[\s-]+(?:more\s+)?([a-z]+)")
_NEAREST = 4
"""Words before a number among which the one that says what it is of must stand."""
_NEAR_TURNS = 2
"""Turns around one number in which another may be what is left of it."""
_AROUND = 120
"""Characters around a rate or an age in which it is said of what."""
_SMALL = 12
"""Number up to which one stands everywhere."""
_OWN_THING = re.compile(r"[\s-]+(?:more\s+)?(?:[a-z]{3,}s\b|h\b|hours?\b)")
_ROUGHLY = 0.1
"""Share by which a number may differ from one that was said, to be told roughly."""
_LONG = 100
"""Days from which on a span that was said bears only the days in it."""
_TIME_WORDS = frozenset(
    map(
        stem,
        ("day", "week", "weekend", "month", "year", "last", "next", "ago", "time", *WEEKDAYS, *MONTHS),
    )
)
"""Words that say when, and are not what a number counts: `turns sixty-nine on Saturday`."""
_UNIT_DAYS = {"week": 7, "month": 30, "year": 365}
_SLACK = {"week": 5, "month": 20, "year": 200}


@frozen
class Misnumber:
    """A number that was said otherwise: its place, and the passage."""

    start: int
    end: int
    said: Passage


@frozen
class Misdate:
    """A date of what was told of another day: its place, its clause's words, and the passage."""

    start: int
    end: int
    words: tuple[str, ...]
    said: Passage


def misnumbers(masked: str, found: list[Number], source: Source) -> Iterator[Misnumber]:
    """Yield the rates, ages and counts of a text for which another number was said."""
    taken: list[tuple[int, int]] = []
    for pattern in (_RATE, _AGE):
        for match in pattern.finditer(masked):
            said = _otherwise(match, pattern, masked, source)
            if said is not None:
                taken.append(match.span())
                yield Misnumber(match.start(), match.end(), said)
    for number in found:
        if any(start <= number.start < end for start, end in taken) or number.clock:
            continue
        said = _counted_otherwise(number, masked, source) or _framed_otherwise(number, masked, source)
        if said is not None and not is_said_beside(number, said, source):
            yield Misnumber(number.start, number.end, said)


def is_said_beside(mine: Number, other: Passage, source: Source) -> bool:
    """Return whether a number was said beside the other one: `makes twenty-nine owed`, of forty crowns.

    A small one says nothing, nor one of a time, or with a thing of its own.
    """
    values = {value for value in mine.values if value > _SMALL}
    around = [one for one in source.said if abs(one.turn.number - other.number) <= _NEAR_TURNS]
    return any(
        values.intersection(number.values) and not number.clock and number.seconds is None
        for message in around
        for number in message.numbers
        if not _OWN_THING.match(even(message.turn.text), number.end)
    )


def mistimed(masked: str, source: Source) -> Iterator[Misnumber]:
    """Yield each `twelve years ago` and `for two years` for which another time was said of the same thing."""
    for match in _AGO.finditer(masked):
        if source.today is None or match["count"].casefold() in ("few", "several", "couple"):
            continue
        count = 1 if match["count"].casefold() in ("a", "an") else min(_number(match["count"]))
        back = source.today - timedelta(days=count * _UNIT_DAYS[match["unit"].casefold()])
        slack = timedelta(days=_SLACK[match["unit"].casefold()])
        spoken = [
            (when, passage)
            for sentence, passage, one in _about(masked, match.start(), source)
            for when in one.dates
            if when.spans
            and sentence[0] <= when.start < sentence[1]
            and when.kind in ("back", "span", "year")
        ]
        if spoken and not any(_may_be(when, back, slack) for when, _ in spoken):
            yield Misnumber(match.start(), match.end(), spoken[0][1])
    for match in _FOR.finditer(masked):
        unit = match["unit"].casefold()
        lasted = [
            (said["unit"], passage)
            for sentence, passage, one in _about(masked, match.start(), source)
            for said in _FOR.finditer(even(one.turn.text).casefold(), *sentence)
        ]
        if lasted and not any(said == unit for said, _ in lasted):
            yield Misnumber(match.start(), match.end(), lasted[0][1])


def misdated(masked: str, source: Source) -> Iterator[Misdate]:
    """Yield each date that a clause gives to what only other days were told of."""
    for first, last in sentences(masked):
        at = first
        for clause in clauses(masked[first:last]):
            at = masked.index(clause, at)
            start, end = at, at + len(clause)
            at = end
            found = _dated_otherwise(clause, source) if "?" not in masked[first:last] else None
            if found is not None:
                when, words, said = found
                yield Misdate(start + when.start, min(end, start + when.end), words, said)


def _dated_otherwise(clause: str, source: Source) -> tuple[When, tuple[str, ...], Passage] | None:
    """Return the date of a clause, its words, and the sentence that tells them of another day."""
    told = _as_one(dates(clause, source.today, source.days[1:]))
    if len(told) != 1 or not told[0].spans or told[0].rough or source.today is None:
        return None
    when, words = told[0], tuple(content(clause, source))
    if any(first <= source.today <= last for first, last in when.spans):
        return None
    bare = _words_without(clause, [when]) if len(words) < _SAME_THING else []
    if len(words) < _SAME_THING and len(bare) < _FEWEST:
        return None
    found: list[tuple[int, Passage, bool]] = []
    for one, turn in zip(source.said, source.turns, strict=True):
        for first, last in sentences(turn) if len(turn) == len(one.turn.text) else ():
            shared = sum(word_forms(word).stands_in(turn[first:last]) for word in words)
            if bare:
                there = [
                    replace(w, start=w.start - first, end=w.end - first)
                    for w in one.dates
                    if first <= w.start < last
                ]
                shared = _SAME_THING * (_words_without(turn[first:last], there) == bare)
            if shared >= _SAME_THING and shared * 100 >= _MOST * len(words):
                named = [other for other in one.dates if first <= other.start < last]
                spoken = [other for other in named if other.spans]
                same = not spoken or any(_is_near(when, other) for other in spoken)
                same = same or any(_is_numbered(when, other) for other in named)
                found.append((shared, sentence_said(one, first, source), same))
    most = max((shared for shared, _, _ in found), default=0)
    if not found or any(same for shared, _, same in found if shared >= most - 1):
        return None
    return when, words, next(said for shared, said, _ in found if shared == most)


def _words_without(clause: str, whens: Sequence[When]) -> list[str]:
    """Return the words of a clause without its dates, and without what leads to them."""
    for one in sorted(whens, key=lambda one: -one.start):
        clause = f"{clause[: one.start]} {clause[one.end :]}"
    return [
        word for match in WORD.finditer(clause) if (word := match[0].casefold()) not in ("on", "last", "this")
    ]


_FEWEST = 3
"""Words that two clauses have to have, and no others, to be one but for the day: `Ruth was here`."""


def _as_one(told: Sequence[When]) -> Sequence[When]:
    """Return the dates of a clause; a weekday with its day, `Friday, 22 May`, is one."""
    if len(told) == 2 and told[0].kind == "weekday" and {*told[1].spans} <= {*told[0].spans}:
        return [replace(told[1], start=told[0].start)]
    return told


def _is_near(one: When, other: When) -> bool:
    """Return whether two dates may be the same day; of two that name a day, neither is told roughly."""
    slack = timedelta() if {one.kind, other.kind} <= _NAMED_DAYS else _DAYS_NEAR
    return any(a - slack <= d and c - slack <= b for a, b in one.spans for c, d in other.spans)


def _is_numbered(one: When, other: When) -> bool:
    """Return whether a date is the day of which only the number was said: `the twelfth`."""
    return other.kind == "nth" and any(a == b and a.day == other.day for a, b in one.spans)


def _may_be(when: When, day: date, slack: timedelta) -> bool:
    """Return whether a time that was said may be this day."""
    for first, last in when.spans:
        middle = first + (last - first) / 2
        if when.kind == "back" and abs(middle - day) <= slack:
            return True
        near = timedelta() if (last - first).days > _LONG else slack / 2
        if when.kind != "back" and first - near <= day <= last + near:
            return True
    return False


def _about(masked: str, at: int, source: Source) -> Iterator[tuple[tuple[int, int], Passage, SourceMessage]]:
    """Yield the sentences that were said of the same thing as the part of a text at a place."""
    words = content(part_at(masked, at), source)
    for one, turn in zip(source.said, source.turns, strict=True):
        if len(turn) != len(one.turn.text):
            continue
        for first, last in sentences(turn):
            if sum(word_forms(word).stands_in(turn[first:last]) for word in words) >= _SAME_THING:
                yield (first, last), sentence_said(one, first, source), one


def _number(word: str) -> frozenset[int]:
    plain = word.casefold()
    return frozenset({int(plain)}) if plain.isdigit() else _VALUES[plain]


def _values(match: re.Match[str]) -> frozenset[int]:
    got = match.groupdict()
    named = [word.casefold() for word in (got.get("one"), got.get("two"), got.get("age")) if word]
    found = frozenset[int]().union(*map(_number, named))
    if len(named) == 2:
        found |= frozenset(range(min(found), max(found) + 1))
    return found


def _otherwise(match: re.Match[str], pattern: re.Pattern[str], masked: str, source: Source) -> Passage | None:
    """Return what was said in place of a rate or an age; None if it was said, or nothing of the kind was.

    One of something else (`40 times a day`, of what one says to patients) stands in no cat's place.
    """
    mine, unit = _values(match), match.groupdict().get("unit", "")
    first, last = next(((a, b) for a, b in sentences(masked) if a <= match.start() < b), (0, len(masked)))
    about = [word_forms(word) for word in content(masked[first:last], source) if word not in match[0]]
    other: Passage | None = None
    for turn, one in zip(source.turns, source.said, strict=True):
        for said in pattern.finditer(turn):
            if (said.groupdict().get("unit") or "") != (unit or "").casefold():
                continue
            # `124 a day, no, 128`: it is put right without its unit
            bare = (number for number in one.numbers if not number.counts)
            if mine <= _values(said) or any(mine <= number.values for number in bare):
                return None
            around = turn[max(0, said.start() - _AROUND) : said.end() + _AROUND]
            if other is None and (not about or any(word.stands_in(around) for word in about)):
                other = sentence_said(one, said.start(), source)
    return other


def _counted_otherwise(number: Number, masked: str, source: Source) -> Passage | None:
    """Return where another number of the same things was said; None if this one was, or it is open."""
    mine = set(number.counts) - _TIME_WORDS
    if not mine or min(number.values) < 2 or not number.plain or number.seconds is not None:
        return None
    told = [one for one in source.numbers if mine & set(one.counts)]
    # `Four of them.` counts what was named before
    same = [one for one in source.numbers if one.values & number.values]
    if any(mine & set(one.counts) or not one.counts for one in same) or source.adds_up(number):
        return None
    if _is_said_beside(number, source):
        return None
    for one in source.said:
        for said in one.numbers:
            if (
                said.plain
                and said.seconds is None
                and mine == set(said.counts) - _TIME_WORDS
                and not said.clock
            ):
                return sentence_said(one, said.start, source)
    listed = (things & mine for size, things in source.lists if size in number.values)
    plural = re.match(r"[\s-]*(?!was|is|has|does)[a-z]+s\b", masked[number.end :])
    if told or not plural or len(number.counts[0]) < 3 or any(map(bool, listed)):
        return None
    return _one_or_some(number.counts[0], source)


def _framed_otherwise(number: Number, masked: str, source: Source) -> Passage | None:
    """Return where another number stood between the same two words, as in `capped at sixteen hours`.

    None where this number was said of such things, where both are nearly the same, or where one is open.
    """
    first, last = _sentence_around(masked, number.start)
    before, after = _frame(number, masked, first)
    same = [one for one in source.numbers if one.values & number.values]
    if not (before and number.plain) or any(not one.counts or after in one.counts for one in same):
        return None
    words = [word_forms(word) for word in content(masked[first:last], source)]
    found: list[tuple[float, Passage]] = []
    for one, said, part in _framed_numbers(source).get((before, after), ()):
        if after or sum(word.stands_in(part) for word in words) >= _SAME_THING:
            found.append((max(said.values), sentence_said(one, said.start, source)))
    mine, theirs = max(number.values), {value for value, _ in found}
    if len(theirs) != 1 or abs(mine - min(theirs)) <= _ROUGHLY * max(mine, *theirs):
        return None
    return found[0][1]


@lru_cache(maxsize=2)
def _framed_numbers(source: Source) -> dict[tuple[str, str], list[tuple[SourceMessage, Number, str]]]:
    """Return the numbers that were said, by the words beside them, each with its message and sentence."""
    found: dict[tuple[str, str], list[tuple[SourceMessage, Number, str]]] = {}
    for one, turn in zip(source.said, source.turns, strict=True):
        for said in one.numbers if len(turn) == len(one.turn.text) else ():
            if said.plain and not said.clock:
                first, last = _sentence_around(turn, said.start)
                found.setdefault(_frame(said, turn, first), []).append((one, said, turn[first:last]))
    return found


@lru_cache(maxsize=64)
def _sentence_spans(text: str) -> Sequence[tuple[int, int]]:
    return tuple(sentences(text))


def _sentence_around(text: str, place: int) -> tuple[int, int]:
    """Return where the sentence begins and ends in which a place is; of none, the whole text."""
    spans = _sentence_spans(text)
    at = bisect_right(spans, (place, len(text) + 1)) - 1
    return spans[at] if at >= 0 and place < spans[at][1] else (0, len(text))


def _frame(number: Number, text: str, first: int) -> tuple[str, str]:
    """Return the telling word before a number, and what it counts; of a label (`bed 3`) the word alone.

    `first` is where its sentence begins.
    """
    lead = _PAUSE.split(text[first : number.start])[-1]
    told = [match[0] for match in WORD.finditer(lead)]
    near = [word for word in told[-_NEAREST:] if stems(word) and not word[0].isdigit()]
    counted = _COUNTED_WORD.match(text, number.end)
    after = stem(counted[1]) if counted and number.counts and stem(counted[1]) == number.counts[0] else ""
    if not near or (not after and (near[-1] != told[-1] or counted is not None)):
        return "", ""
    return stem(near[-1]), after


def _is_said_beside(number: Number, source: Source) -> bool:
    """Return whether a sentence has both the number and what it counts: `a bonus twice a year`."""
    noun = word_forms(number.counts[0])
    for one, turn in zip(source.said, source.turns, strict=True):
        for said in (n for n in one.numbers if n.values & number.values):
            part = next((turn[a:b] for a, b in sentences(turn) if a <= said.start < b), turn)
            if noun.stands_in(part):
                return True
    return False


def _one_or_some(noun: str, source: Source) -> Passage | None:
    """Return where one of some things was spoken of, or an open number of them, and no other time."""
    pattern = word_forms(noun).pattern
    vague, single = re.compile(_VAGUE + pattern), re.compile(_SINGLE + pattern)
    hits = [
        (one, said.start())
        for turn, one in zip(source.turns, source.said, strict=True)
        for said in (vague.search(turn) or single.search(turn),)
        if said is not None
    ]
    anywhere = re.compile(rf"\b{pattern}")
    mentions = sum(len(anywhere.findall(turn)) for turn in source.turns)
    return sentence_said(*hits[0], source) if hits and mentions <= len(hits) + 1 else None


def sentence_said(one: SourceMessage, at: int, source: Source) -> Passage:
    """Return the sentence of a message that a place lies in."""
    text = one.turn.text
    first, last = next(((a, b) for a, b in sentences(even(text)) if a <= at < b), (0, len(text)))
    where = one.turn.session if source.several else ""
    return Passage(one.turn.number, one.turn.speaker, clipped(text[first:last]), where)
