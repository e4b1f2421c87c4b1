"""The verdict on a number or a time of day that a text's source does not bear."""

import re
from collections.abc import Collection
from functools import lru_cache

from reel_cli.core.evidence.grounding.check import UngroundedDetail
from reel_cli.core.evidence.grounding.date_words import SMALL as HOURS
from reel_cli.core.evidence.grounding.lexicon import HAN_DIGITS, UNSPACED, clauses, even, sentences, stem
from reel_cli.core.evidence.grounding.numbers import Number, numbers, written
from reel_cli.core.evidence.grounding.scenes import content
from reel_cli.core.evidence.grounding.source import Source
from reel_cli.core.evidence.grounding.words import word_forms
from reel_cli.core.evidence.knowledge import Knowledge, Written
from reel_cli.core.evidence.verdict import Verdict

_COUNTED = 12
"""Number up to which things are counted that nobody gave the number of."""
_NEAR_FEWEST = 2
"""Words of a sentence that must stand near a number told elsewhere, for it to count the same things."""
_PRONOUN = re.compile(r"\W*(?:they|he|she|both)\b(?:\W+\w+){1,5}\W*")
"""A short line that goes on about somebody who was named right before: `They're seven.`"""
_TOLD_IN_WORDS = 2
"""Number from which the words for it mean nothing else."""
_YEARS_OLD = re.compile(r"[\s-]years?[\s-]old$")
_CLOCK = re.compile(r"(?<![\w.:])([01]\d|2[0-3]|\d(?=:)):?([0-5]\d)(?![\w:])")
_HOUR_AND = re.compile(r"\ban hour and (?:a )?(\w+)\b")
_NEAR_TIME, _QUARTER = 5, 15
"""Minutes between a time of day and one that was said, for it to be told roughly, and for a quarter hour."""


def weigh_number(one: UngroundedDetail, source: Source, known: Knowledge) -> Verdict:
    """Return whether the number was told elsewhere of the same things, or follows from what was said."""
    plain = even(one.claim).casefold().strip()
    if _is_time_said(plain, one.sentence, source):
        return Verdict.CANNOT_TELL
    clause = clause_of(one.claim, one.sentence, source)
    words = [word for word in content(clause, source) if word not in plain]
    if known.has_line_with(number_written(plain), words):
        return Verdict.BORNE
    if is_told_near(plain, clause, source, known):
        return Verdict.CANNOT_TELL
    if _is_numbered_otherwise(plain, one.sentence, source):
        return Verdict.NOT_BORNE
    # a small number may count what was spoken of one by one, if it counts at all
    values = [value for number in numbers(plain, plain) for value in number.values]
    small = all(value <= _COUNTED and ("." not in plain or (value * 2).is_integer()) for value in values)
    told = small or _is_known(plain, one.sentence, known)
    return Verdict.CANNOT_TELL if told else Verdict.NOT_BORNE


def _is_known(plain: str, sentence: str, known: Knowledge) -> bool:
    """Return whether a number was told anywhere of things that go by the same name."""
    mine = _number_in(plain, sentence)
    noun = word_forms(mine.counts[0]) if mine is not None and mine.counts else None
    return known.has_line(number_written(plain), lambda line: noun is None or noun.stands_in(line))


def _is_numbered_otherwise(plain: str, sentence: str, source: Source) -> bool:
    """Return whether another number was said of the thing that this one counts, among the same words."""
    mine = _number_in(plain, sentence)
    if mine is None or not mine.counts:
        return False
    noun = mine.counts[0]
    words = [word_forms(word) for word in content(sentence, source) if stem(word) != noun]
    found = False
    for one, turn in zip(source.said, source.turns, strict=True):
        for said in (number for number in one.numbers if noun in number.counts[:1]):
            if said.values & mine.values:
                return False
            told = next((turn[a:b] for a, b in sentences(turn) if a <= said.start < b), turn)
            shared = sum(word.stands_in(told) for word in words)
            found = found or (said.plain and shared >= min(_NEAR_FEWEST, max(1, len(words))))
    return found


def is_told_near(
    plain: str, clause: str, source: Source, known: Knowledge, without: Collection[str] = ()
) -> bool:
    """Return whether a number was told elsewhere of a thing that was named right before it or after."""
    words = [word_forms(word) for word in content(clause, source) if word not in plain]
    few = min(_NEAR_FEWEST, len(words))

    def fits(line: str, around: str) -> bool:
        least = min(1, few) if _PRONOUN.fullmatch(line) else few
        return sum(word.stands_in(around) for word in words) >= least

    return known.has_around(number_written(plain), fits, without=without)


def clause_of(claim: str, sentence: str, source: Source) -> str:
    """Return the clause that a number stands in, or the sentence where that says nothing else."""
    plain = even(claim).casefold().strip()
    found = next((part for part in clauses(sentence) if claim in part), "")
    return found if any(word not in plain for word in content(found, source)) else sentence


def _is_time_said(plain: str, sentence: str, source: Source) -> bool:
    """Return whether a time of day is near one that was said, or a length of time is between two."""
    said = [_minutes(*match.groups()) for turn in source.turns for match in _CLOCK.finditer(turn)]
    clock = _CLOCK.fullmatch(plain)
    hour = HOURS.get(plain)
    if clock is not None or (
        hour is not None
        and re.search(rf"\b(?:before|at|by|past|after|around)\s+{plain}\b", even(sentence).casefold())
    ):
        times = (
            [_minutes(*clock.groups())] if clock else [hour * 60, hour * 60 + 720] if hour is not None else []
        )
        return any(
            abs(one - other) <= (_NEAR_TIME if one % _QUARTER else _QUARTER)
            for one in times
            for other in said
        )
    length = re.search(rf"(?i)\b{re.escape(plain)}\s+(minute|hour)s?\b", even(sentence))
    if length is None:
        return False
    count = next((value for one in numbers(plain, plain) for value in one.values), 0)
    wanted = count * (60 if length[1].casefold() == "hour" else 1)
    more = (match[1] for turn in source.turns for match in _HOUR_AND.finditer(turn))
    spoken = [60 + next(iter(one.values)) for word in more for one in numbers(word, word)]
    return wanted in spoken or any(abs(one - other) == wanted for one in said for other in said)


def _number_in(plain: str, sentence: str) -> Number | None:
    """Return a number of a sentence by its words, with what it counts."""
    text = even(sentence)
    return next((n for n in numbers(text, text) if text[n.start : n.end].casefold() == plain), None)


@lru_cache(maxsize=64)
def number_written(plain: str) -> Written:
    """Return a number as it is written, in digits and in words; of an age, its number alone."""
    plain = _YEARS_OLD.sub("", plain)
    forms = [plain]
    for one in numbers(plain, plain)[:1]:
        value = next(iter(one.values))
        if len(one.values) == 1 and value >= _TOLD_IN_WORDS and not one.clock:
            forms += written(value)
    told = "|".join(map(re.escape, dict.fromkeys(forms)))
    if UNSPACED.search(plain):
        signs = f"\\d{''.join(HAN_DIGITS)}"
        return Written(tuple(forms), re.compile(rf"(?<![{signs}.,])(?:{told})(?![{signs}])"))
    return Written(tuple(forms), re.compile(rf"(?<![\w.,])(?:{told})(?![\w])"))


def _minutes(hour: str, minute: str) -> int:
    return int(hour) * 60 + int(minute)
