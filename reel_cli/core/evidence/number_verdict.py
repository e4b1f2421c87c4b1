"""Numbers that a text's source does not bear: known elsewhere, or told otherwise of the same things."""

import re
from collections.abc import Collection
from functools import lru_cache

from reel_cli.core.evidence.claims import LABEL
from reel_cli.core.evidence.grounding.check import UngroundedDetail
from reel_cli.core.evidence.grounding.lexicon import (
    HAN_DIGITS,
    UNSPACED,
    clauses,
    even,
    sentences,
    stem,
    stems,
)
from reel_cli.core.evidence.grounding.numbers import Number, numbers, written
from reel_cli.core.evidence.grounding.quantities import is_said_beside, sentence_said
from reel_cli.core.evidence.grounding.scenes import content
from reel_cli.core.evidence.grounding.source import Passage, Source
from reel_cli.core.evidence.grounding.words import word_forms
from reel_cli.core.evidence.knowledge import Knowledge, Written
from reel_cli.core.frozen import late

_NEAR_FEWEST = 2
"""Words of a sentence that must stand near a number told elsewhere, for it to count the same things."""
_PRONOUN = re.compile(r"\W*(?:they|he|she|both)\b(?:\W+\w+){1,5}\W*")
"""A short line that goes on about somebody who was named right before: `They're seven.`"""
_TOLD_IN_WORDS = 2
"""Number from which the words for it mean nothing else."""
_AT = late(r"(?i)\b(?:at|until|till)\s+$")
_HOURS = 12
_SAME, _SAME_FEWEST = 80, 3
"""Percent of a clause's words, and how many, that a sentence must have to count the same without a noun."""
_YEARS_OLD = re.compile(r"[\s-]years?[\s-]old$")


def is_known_number(one: UngroundedDetail, source: Source, known: Knowledge) -> bool:
    """Return whether a number is told elsewhere, of the same things or near one of their names."""
    plain = even(one.claim).casefold().strip()
    clause = clause_of(one.claim, one.sentence, source)
    words = [word for word in content(clause, source) if word not in plain]
    told = known.has_line_with(number_written(plain), words)
    return told or is_told_near(plain, clause, source, known)


def is_unknown_dose(one: UngroundedDetail, known: Knowledge) -> bool:
    """Return whether a number is of a weight in which medicines are given, and stands nowhere at all."""
    plain, sentence = even(one.claim).casefold().strip(), even(one.sentence)
    behind = sentence[sentence.find(one.claim) + len(one.claim) :]
    dose = _WEIGHT.match(behind) or _WEIGHT.search(plain)
    number = re.match(r"[\d.,]*\d", plain)
    return bool(dose and number) and not known.has_line_with(
        number_written(number[0] if number else plain), []
    )


_WEIGHT = late(r"(?i)[ -]?(?:mg|mcg|[µμ]g|milligrams?|micrograms?|milligramm|mikrogramm)\b")


def stands_behind_word(claim: str, sentence: str, source: Source) -> bool:
    """Return whether a number was said behind the very word that a text has before it: `room 3`."""
    text, plain = even(sentence).casefold(), even(claim).casefold().strip()
    number = re.match(r"[\d.,:]*\d", plain)
    before = re.search(rf"([^\W\d_]{{3,}}) {re.escape(number[0])}(?![\w.,:]*\d)", text) if number else None
    if number is None or before is None or not stems(before[1]):
        return False
    wanted = re.compile(rf"\b{re.escape(before[1])} {re.escape(number[0])}(?![\w.,:]*\d)")
    return any(wanted.search(turn.casefold()) for turn in source.turns)


def find_other_number(one: UngroundedDetail, source: Source) -> Passage | None:
    """Return where another number was said of the thing that this one counts, among the same words.

    None where none was: that nobody said a number says nothing, since it may be worked out or counted up.
    """
    plain = even(one.claim).casefold().strip()
    mine = _number_in(plain, one.sentence)
    found = _find_other(plain, mine, one, source) if mine is not None else None
    return None if found is None or mine is None or is_said_beside(mine, found, source) else found


def _find_other(plain: str, mine: Number, one: UngroundedDetail, source: Source) -> Passage | None:
    twin = _find_twin(plain, one, source)
    if twin is not None:
        return twin
    label = _label_of(mine, even(one.sentence))
    labelled = _find_other_label(label, mine, one, source) if label else None
    if labelled is not None:
        return labelled
    if not mine.counts:
        return _find_other_in_place(mine, one, source)
    noun = mine.counts[0]
    words = [word_forms(word) for word in content(one.sentence, source) if stem(word) != noun]
    for message, turn in zip(source.said, source.turns, strict=True):
        for said in message.numbers:
            told = next((turn[a:b] for a, b in sentences(turn) if a <= said.start < b), turn)
            shared = sum(word.stands_in(told) for word in words)
            if noun in said.counts[:1] and said.plain and shared >= min(_NEAR_FEWEST, max(1, len(words))):
                return sentence_said(message, said.start, source)
    return None


def _find_twin(plain: str, one: UngroundedDetail, source: Source) -> Passage | None:
    """Return where the only number was said that a slip makes this one: `286` of `268`, `0610` of `0510`.

    It stands beside a word of the clause, or another number of the sentence (`129 over 84` of `139 over 84`),
    and the text has it nowhere in its sentence. A last digit may be rounded, so that another one there is no
    slip.
    """
    sentence = even(one.sentence)
    if not _EXACT.fullmatch(plain) or _ROUGH.search(sentence[: sentence.find(one.claim)]):
        return None
    words = [word_forms(word) for word in content(clause_of(one.claim, one.sentence, source), source)]
    found: dict[str, Passage] = {}
    for message, turn in zip(source.said, source.turns, strict=True):
        spans = [*sentences(turn)]
        for at, (first, last) in enumerate(spans):
            around = turn[spans[max(0, at - 1)][0] : spans[min(at + 1, len(spans) - 1)][1]]
            for said in _WRITTEN_OUT.finditer(turn, first, last):
                if not _is_slip(plain, said[0]) or said[0] in sentence:
                    continue
                beside = {*_WRITTEN_OUT.findall(sentence)} & {*_WRITTEN_OUT.findall(around)}
                if beside or any(word.stands_in(around) for word in words):
                    found.setdefault(said[0], sentence_said(message, said.start(), source))
    return next(iter(found.values())) if len(found) == 1 else None


def _is_slip(one: str, other: str) -> bool:
    """Return whether two numbers have the same digits, or differ by one digit that is not the last."""
    if len(one) != len(other) or one == other:
        return False
    apart = [at for at, (mine, theirs) in enumerate(zip(one, other, strict=True)) if mine != theirs]
    if any(not (one[at].isdigit() and other[at].isdigit()) for at in apart):
        return False
    return sorted(one) == sorted(other) or (len(apart) == 1 and apart[0] < len(one) - 1)


_EXACT = late(r"\d{3,}|\d+[.,]\d+")
_WRITTEN_OUT = late(r"(?<![\w.,:])\d+(?:[.,]\d+)?(?![\w:])")
"""Pattern of a number in digits that is exact, and of any in digits."""
_ROUGH = late(
    r"(?i)\b(?:about|around|nearly|almost|over|under|some|roughly|more than|less than|at least)\s+$"
)


def _find_other_label(label: str, mine: Number, one: UngroundedDetail, source: Source) -> Passage | None:
    """Return where the only other number of a label was said, as in `line 6`, with a word of the text's.

    None where there are several.
    """
    found = [
        (message, turn, number)
        for message, turn in zip(source.said, source.turns, strict=True)
        for number in message.numbers
        if _label_of(number, turn) == label
    ]
    values = {number.values for _, _, number in found}
    if len(values) != 1 or mine.values & found[0][2].values:
        return None
    words = [word_forms(word) for word in content(one.sentence, source) if word != label]
    for message, turn, number in found:
        part = next((turn[a:b] for a, b in sentences(turn) if a <= number.start < b), turn)
        if any(word.stands_in(part) for word in words):
            return sentence_said(message, number.start, source)
    return None


def _label_of(number: Number, text: str) -> str:
    """Return the word right before a number that is one of its kind, as in `room 212`; "" for none."""
    found = LABEL.search(text[: number.start])
    return found[1].casefold() if found is not None else ""


def _find_other_in_place(mine: Number, one: UngroundedDetail, source: Source) -> Passage | None:
    """Return where another time of day, or another count, was said in the very sentence that a text retells.

    The other one is nowhere in the text's sentence. None where this one was said, in words of any kind.
    """
    text = even(one.sentence)
    timed = _is_time(mine, text)
    told = numbers(text, text)
    clause = clause_of(one.claim, one.sentence, source)
    bare = not timed and _is_bare(mine, text)
    if bare:
        # `who is eighty-two, will take her` has what else is told of her behind it
        parts = (part for part in clause.split(",") if one.claim in part and content(part, source))
        clause = next((part for part in parts if part.split()[0] == "who"), clause)
    words = [word_forms(word) for word in content(clause, source) if word not in one.claim]
    names = [word_forms(name) for name in content(" ".join(_NAMES.findall(clause)), source)] if bare else []
    least = _NEAR_FEWEST if timed else max(1 if bare else _SAME_FEWEST, len(words) * _SAME / 100)
    if any(map(_spelt(mine).search, source.turns)):
        return None
    for message, turn in zip(source.said, source.turns, strict=True):
        for first, last in sentences(turn):
            named = [number for number in message.numbers if first <= number.start < last]
            rivals = [
                number
                for number in named
                if _is_like(mine, number, turn, timed=timed) and (not bare or _is_bare(number, turn))
            ]
            shared = sum(word.stands_in(turn[first:last]) for word in words)
            if bare and _ABOUT_ONE.match(turn, first):
                # `she` is whom a line before named
                shared += sum(not word.stands_in(turn[first:last]) for word in names)
            shared += sum(any(a.values & b.values for b in told) for a in named)
            if (
                len(rivals) == 1
                and shared >= least
                and not any(rivals[0].values & one.values for one in told)
            ):
                return sentence_said(message, rivals[0].start, source)
    return None


def _is_like(mine: Number, said: Number, turn: str, *, timed: bool) -> bool:
    """Return whether a number that was said is a time of day as well, or counts as well."""
    if timed:
        return _is_time(said, turn)
    return said.plain and not _is_time(said, turn) and said.seconds == mine.seconds is None


def _is_bare(number: Number, text: str) -> bool:
    """Return whether a number from twenty on is all that is said of somebody, and no round one."""
    value = max(number.values)
    exact = value >= _EXACT_FROM and value == int(value) and value % _ROUND != 0
    alone = len(number.values) == 1 and not number.counts and number.seconds is None
    return exact and alone and _IS.search(text, 0, number.start) is not None


_ABOUT_ONE = late(r"(?i)\W*(?:she|he|they)\b")
_NAMES = late(r"\b[A-Z][^\W\d_]+")
_EXACT_FROM, _ROUND = 20, 5
"""Number from which one that is no multiple of the other is told for itself."""
_IS = late(r"(?i)(?:\b(?:is|was|am|be|been|turns|turned)|'s|'m)\s+(?:now\s+|just\s+|only\s+)?\Z")


def _is_time(number: Number, text: str) -> bool:
    """Return whether a number is a time of day: `9:45`, `half past six`, `comes for tea at five`."""
    if number.clock:
        return True
    at = _AT.search(text[: number.start])
    return at is not None and not number.counts and max(number.values) <= _HOURS


def _spelt(number: Number) -> re.Pattern[str]:
    """Return the pattern of a time of day with its minutes behind the hour: `nine forty-five`, `9.45`."""
    forms = []
    for value in number.values:
        hour, minutes = int(value), round(value % 1 * 100)
        late_forms = written(minutes) if minutes > 9 else [f"0{minutes}", f"oh {written(minutes)[-1]}"]
        forms += [
            rf"{re.escape(one)}[\s.:h-]?{re.escape(two)}" for one in written(hour) for two in late_forms
        ]
    return re.compile(rf"(?<![\w.,:])(?:{'|'.join(forms)})(?!\w)")


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
