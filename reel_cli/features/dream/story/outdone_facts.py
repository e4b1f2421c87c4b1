"""Facts of a dream that what is known already outdoes: a later word stands, or they say the same again."""

from collections.abc import Sequence

from reel_cli.core.evidence.grounding.lexicon import even, telling
from reel_cli.core.evidence.grounding.numbers import numbers
from reel_cli.core.evidence.own_words import LENT, NO
from reel_cli.core.frozen import late
from reel_cli.features.facts.fact import Fact
from reel_cli.features.facts.policy import PERSON, fact_name, is_firm
from reel_cli.features.facts.protection import is_ended

_DAY = 10
_MOST_NEW = 3
"""One word of so many may be another than those that are known."""
_NAME = late(r"(?<=\w )[A-Z][\w'-]+")
_DIGITS = late(r"\d+")


def without_outdone(noted: Sequence[Fact], facts: Sequence[Fact]) -> Sequence[Fact]:
    """Return a dream's facts without those that an older stretch of it tells, or that tell nothing new.

    A dream reads the past again: what was said or let go of since that day holds, and nobody need decide it
    once more (Dream Weaver §7.e).
    """
    newest: dict[tuple[str, str], Fact] = {}
    for one in noted:
        if is_firm(one):
            newest[fact_name(one)] = one
    return [
        one
        for one in facts
        if (known := newest.get(fact_name(one))) is None
        or not (_is_older(one, known) or _is_known(one, known))
    ]


def _is_older(fact: Fact, known: Fact) -> bool:
    """Return whether a fact was so before the day of what is known: that on which it was said."""
    if known.origin == PERSON and not known.source:
        # the day on which somebody wrote it down
        return False
    return bool(fact.when and known.when) and fact.when[:_DAY] < known.when[:_DAY]


def _is_known(fact: Fact, known: Fact) -> bool:
    """Return whether a value that stands says the same: no other number, day, name, or denial."""
    if known.dropped or fact.dropped:
        return bool(known.dropped) == bool(fact.dropped)
    there = f"{known.key} {known.value} {known.statement} {known.evidence}"
    told, held = even(fact.value), even(there)
    new = telling(told) - LENT - telling(held)
    names = {one.casefold() for one in _NAME.findall(told)} - set(held.casefold().split())
    other = names or not _details(told) <= _details(held)
    turned = bool(NO.search(told)) != bool(NO.search(held)) or is_ended(told) != is_ended(held)
    return not (other or turned) and len(new) * _MOST_NEW <= len(telling(told) - LENT)


def _details(text: str) -> frozenset[float]:
    """Return the numbers of a text, those of its days as well."""
    counted = {value for one in numbers(text, text) for value in one.values}
    return frozenset((*counted, *map(float, _DIGITS.findall(text))))
