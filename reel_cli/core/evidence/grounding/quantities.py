"""Numbers of a memory that differ from the number that was said of the same things."""

import re
from collections.abc import Iterator

from reel_cli.core.evidence.grounding.lexicon import sentences
from reel_cli.core.evidence.grounding.numbers import Number
from reel_cli.core.evidence.grounding.source import Passage, Source, clipped
from reel_cli.core.evidence.grounding.words import word_pattern
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
    rf"(?i)\b(?:a\s+)?(?P<one>{_VALUE})(?:\s+(?:or|to|and)\s+(?P<two>{_VALUE}))?(?:\s*x|\s+of)?"
    r"(?:\s+(?!times\b)[a-z]+)?(?:\s+times)?\s+(?:a|an|per|each|every)\s+(?P<unit>day|week|month|year)\b"
)
_AGE = late(rf"(?i)\b(?P<age>{_VALUE})[\s-]years?[\s-]old\b")
_VAGUE = r"\b(?:some|several|a few|few|many|lots of|a lot of)\s+(?:[a-z]+\s+)?"
_SINGLE = r"\b(?:an?)\s+(?:[a-z]+\s+)?"


@frozen
class Misnumber:
    """A number that was said otherwise: its place, and the passage."""

    start: int
    end: int
    said: Passage


def misnumbers(masked: str, found: list[Number], source: Source) -> Iterator[Misnumber]:
    """Yield the rates, ages and counts of a text for which another number was said."""
    taken: list[tuple[int, int]] = []
    for pattern in (_RATE, _AGE):
        for match in pattern.finditer(masked):
            said = _otherwise(match, pattern, source)
            if said is not None:
                taken.append(match.span())
                yield Misnumber(match.start(), match.end(), said)
    for number in found:
        if any(start <= number.start < end for start, end in taken) or number.clock:
            continue
        said = _counted_otherwise(number, masked, source)
        if said is not None:
            yield Misnumber(number.start, number.end, said)


def _values(match: re.Match[str]) -> frozenset[int]:
    got = match.groupdict()
    named = [word.casefold() for word in (got.get("one"), got.get("two"), got.get("age")) if word]
    found = frozenset[int]().union(*(frozenset({int(w)}) if w.isdigit() else _VALUES[w] for w in named))
    if len(named) == 2:
        found |= frozenset(range(min(found), max(found) + 1))
    return found


def _otherwise(match: re.Match[str], pattern: re.Pattern[str], source: Source) -> Passage | None:
    """Return what was said in place of a rate or an age; None if it was said, or nothing of the kind was."""
    mine, unit = _values(match), match.groupdict().get("unit", "")
    other: Passage | None = None
    for turn, one in zip(source.turns, source.said, strict=True):
        for said in pattern.finditer(turn):
            if (said.groupdict().get("unit") or "") != (unit or "").casefold():
                continue
            if mine <= _values(said):
                return None
            other = other or _sentence(
                turn, said.start(), source, one.turn.number, one.turn.speaker, one.turn.session
            )
    return other


def _counted_otherwise(number: Number, masked: str, source: Source) -> Passage | None:
    """Return where another number of the same things was said; None if this one was, or it is open."""
    mine = set(number.counts)
    if not mine or min(number.values) < 2 or not number.plain or number.seconds is not None:
        return None
    told = [one for one in source.numbers if mine & set(one.counts)]
    if any(one.values & number.values for one in told) or source.adds_up(number):
        return None
    if any(size in number.values and things & mine for size, things in source.lists):
        return None
    noun = number.counts[0] if len(number.counts) == 1 else ""
    for one in source.said:
        for said in one.numbers:
            if said.plain and said.seconds is None and mine == set(said.counts) and not said.clock:
                text = one.turn.text
                return _sentence(
                    text, said.start, source, one.turn.number, one.turn.speaker, one.turn.session
                )
    if (
        told
        or len(noun) < 3
        or not re.match(r"[\s-]*(?!was|is|has|does)(?:[a-z]+\s+)?[a-z]+s\b", masked[number.end :])
    ):
        return None
    pattern = word_pattern(noun).pattern.removeprefix(r"\b")
    vague, single = re.compile(_VAGUE + pattern), re.compile(_SINGLE + pattern)
    hits = [
        (turn, said.start(), one)
        for turn, one in zip(source.turns, source.said, strict=True)
        for said in (vague.search(turn) or single.search(turn),)
        if said is not None
    ]
    mentions = sum(len(word_pattern(noun).findall(turn)) for turn in source.turns)
    if not hits or mentions > len(hits) + 1:
        return None
    turn, at, one = hits[0]
    return _sentence(turn, at, source, one.turn.number, one.turn.speaker, one.turn.session)


def _sentence(turn: str, at: int, source: Source, number: int, speaker: str, session: str) -> Passage:  # noqa: PLR0913
    first, last = next(((a, b) for a, b in sentences(turn) if a <= at < b), (0, len(turn)))
    original = next(
        (one.turn.text for one in source.said if one.turn.number == number and one.turn.session == session),
        turn,
    )
    text = original[first:last] if len(original) == len(turn) else turn[first:last]
    return Passage(number, speaker, clipped(text), session if source.several else "")
