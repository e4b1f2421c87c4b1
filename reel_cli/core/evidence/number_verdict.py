"""Numbers that a text's source does not bear: known elsewhere, or told otherwise of the same things."""

import re
from collections.abc import Collection
from functools import lru_cache

from reel_cli.core.evidence.grounding.check import UngroundedDetail
from reel_cli.core.evidence.grounding.lexicon import HAN_DIGITS, UNSPACED, clauses, even, sentences, stem
from reel_cli.core.evidence.grounding.numbers import Number, numbers, written
from reel_cli.core.evidence.grounding.quantities import sentence_said
from reel_cli.core.evidence.grounding.scenes import content
from reel_cli.core.evidence.grounding.source import Passage, Source
from reel_cli.core.evidence.grounding.words import word_forms
from reel_cli.core.evidence.knowledge import Knowledge, Written

_NEAR_FEWEST = 2
"""Words of a sentence that must stand near a number told elsewhere, for it to count the same things."""
_PRONOUN = re.compile(r"\W*(?:they|he|she|both)\b(?:\W+\w+){1,5}\W*")
"""A short line that goes on about somebody who was named right before: `They're seven.`"""
_TOLD_IN_WORDS = 2
"""Number from which the words for it mean nothing else."""
_YEARS_OLD = re.compile(r"[\s-]years?[\s-]old$")


def is_known_number(one: UngroundedDetail, source: Source, known: Knowledge) -> bool:
    """Return whether a number is told elsewhere, of the same things or near one of their names."""
    plain = even(one.claim).casefold().strip()
    clause = clause_of(one.claim, one.sentence, source)
    words = [word for word in content(clause, source) if word not in plain]
    told = known.has_line_with(number_written(plain), words)
    return told or is_told_near(plain, clause, source, known)


def find_other_number(one: UngroundedDetail, source: Source) -> Passage | None:
    """Return where another number was said of the thing that this one counts, among the same words.

    None where none was: that nobody said a number says nothing, since it may be worked out or counted up.
    """
    plain = even(one.claim).casefold().strip()
    mine = _number_in(plain, one.sentence)
    if mine is None or not mine.counts:
        return None
    noun = mine.counts[0]
    words = [word_forms(word) for word in content(one.sentence, source) if stem(word) != noun]
    found: Passage | None = None
    for message, turn in zip(source.said, source.turns, strict=True):
        for said in (number for number in message.numbers if noun in number.counts[:1]):
            if said.values & mine.values:
                return None
            told = next((turn[a:b] for a, b in sentences(turn) if a <= said.start < b), turn)
            shared = sum(word.stands_in(told) for word in words)
            if found is None and said.plain and shared >= min(_NEAR_FEWEST, max(1, len(words))):
                found = sentence_said(message, said.start, source)
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
