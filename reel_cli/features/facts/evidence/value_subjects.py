"""Values under one name that are of two people, of two things, or of two attributes of one thing."""

from reel_cli.core.evidence.claims import YEARLY
from reel_cli.core.evidence.grounding.dates import dates
from reel_cli.core.evidence.grounding.lexicon import even, stem, stems
from reel_cli.core.evidence.grounding.numbers import numbers
from reel_cli.core.evidence.pair_words import APART, FICTION, KIN
from reel_cli.core.frozen import late
from reel_cli.features.facts.evidence.told_value import ToldValue, without_dates

_SAME_KIN = (
    frozenset(map(stem, ["child", "children", "kid", "kids", "son", "sons", "daughter", "daughters"])),
    frozenset(map(stem, ["sister", "sisters", "brother", "brothers", "child"])),
    frozenset(map(stem, ["mother", "mum", "mom", "parent", "parents"])),
    frozenset(map(stem, ["father", "dad", "parent", "parents"])),
    frozenset(map(stem, ["wife", "husband", "partner"])),
)
"""Stems of words that may be for the same relatives."""
_PLACES = tuple(
    late(rf"(?i)\b(?:{words})\b")
    for words in ("born|birth", "grew up|raised|childhood|as a child", "lives|living|based", "lived")
)
"""Patterns of what somebody has to do with a place."""
_MEASURE = late(r"(?i)\s+(?P<unit>[\w-]+)\s+(?P<which>long|wide|tall|high|deep|thick|heavy|away|broad)\b")
_BEHIND = late(r"(?i)\s+[\w'’-]+\s+(?:in|of|at|for|with|from|among|who|that)\s+(?P<what>[^.,;:]+)")
"""Pattern of words behind a number and what it counts, which say of which ones it is."""


def is_of_another(older: ToldValue, newer: ToldValue) -> bool:
    """Return whether the values are of two people, two things, or two attributes, so that both may be so."""
    return (
        _tells_another_kin(older, newer)
        or _marks(older, newer) != _marks(newer, older)
        or bool(FICTION.search(older.value)) != bool(FICTION.search(f"{newer.value} . {newer.said}"))
        or _is_elsewhere(older, newer)
        or _measures(older, newer) != _measures(newer, older)
        or _is_another_day(older, newer)
    )


def _tells_another_kin(older: ToldValue, newer: ToldValue) -> bool:
    """Return whether one value alone is of a relative, or each of another one: `grandfather served`."""
    known, told = _kin(older.value), _kin(newer.value)
    key = _kin(older.key.replace("_", " "))
    return any(
        not any(one == other or any({one, other} <= same for same in _SAME_KIN) for other in others | key)
        for many, others in ((known, told), (told, known))
        for one in many
    )


def _kin(text: str) -> set[str]:
    return {stem(found[0]) for found in KIN.finditer(even(text))}


def _marks(one: ToldValue, other: ToldValue) -> set[tuple[str, str]]:
    """Return the words that tell one of several of a kind, of which the other value or the name speaks."""
    kinds = set(stems(other.value)) | set(stems(one.key.replace("_", " ")))
    return {
        (found["which"].casefold(), kind)
        for found in APART.finditer(even(one.value))
        if (kind := stem(found["what"])) in kinds
    }


def _is_elsewhere(older: ToldValue, newer: ToldValue) -> bool:
    """Return whether somebody has another thing to do with each place: born in one, grown up in another."""
    ways = [
        {place for place, pattern in enumerate(_PLACES) if pattern.search(one.value)}
        for one in (older, newer)
    ]
    return all(ways) and ways[0].isdisjoint(ways[1])


def _measures(told: ToldValue, other: ToldValue) -> set[str]:
    """Return what the numbers of a value measure, and which ones they count, if the other lacks it."""
    text = even(told.value)
    found: set[str] = set()
    known = set(stems(other.value)) | set(stems(told.key))
    for one in numbers(text, without_dates(text, dates(text, told.day))):
        if (measure := _MEASURE.match(text, one.end)) is not None:
            found.add(measure["which"].casefold())
        if one.counts and (behind := _BEHIND.match(text, one.end)) is not None:
            found |= set(stems(behind["what"])) - known
    return found


def _is_another_day(older: ToldValue, newer: ToldValue) -> bool:
    """Return whether a value gives the day of something else than the yearly day that the name has."""
    yearly = set(stems(older.key)) & YEARLY
    if not yearly or not yearly & set(stems(older.value)) or yearly & set(stems(newer.value)):
        return False
    text = even(newer.value)
    return bool(stems(without_dates(text, dates(text, newer.day))))
