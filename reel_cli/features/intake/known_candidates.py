"""Candidates that say nothing but what is known by heart: they are not asked about once more."""

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.evidence.grounding.lexicon import even, telling
from reel_cli.core.evidence.grounding.polarity import is_negated
from reel_cli.core.frozen import late
from reel_cli.core.values.source import parse_source
from reel_cli.features.facts.fact import Fact
from reel_cli.features.facts.files import FACTS, read_facts
from reel_cli.features.facts.policy import current_facts
from reel_cli.features.intake.entry import REEL, Candidate
from reel_cli.features.intake.signs import CORRECTION, FOR_A_DAY, PROMISE, REMIND

if TYPE_CHECKING:
    from reel_cli.core.kit.snapshot import Snapshot

_ROOT = 6
"""Letters by which two forms of a word are one, as in `allergic` and `allergy`."""


def list_known(snapshot: "Snapshot", waiting: Sequence[Candidate]) -> Collection[tuple[str, str]]:
    """Return the keys of the candidates of which one fact has every telling word, or was taken of them.

    Never that of a correction, of a denial, or of what was promised; of what was arranged or asked to be
    remembered only where the fact was taken of it.
    """
    if not waiting or snapshot.read(FACTS) is None:
        return ()
    try:
        facts = current_facts(read_facts(snapshot))
    except ReelError:
        # a file that cannot be read is told as damage
        return ()
    held = [(one, _roots(f"{one.key} {one.value} {one.statement} {one.evidence}")) for one in facts]
    return {
        one.key
        for one in waiting
        if one.why not in (CORRECTION, REMIND, PROMISE) and not is_negated(even(one.words))
        if (words := _roots(one.words))
        and any(
            (words <= other and one.why not in FOR_A_DAY) or _was_taken_of(fact, other, one, words)
            for fact, other in held
        )
    }


def _was_taken_of(fact: Fact, held: frozenset[str], one: Candidate, words: frozenset[str]) -> bool:
    """Return whether a fact rests on a candidate's message, has its value of it, and tells half of it."""
    source, place = parse_source(fact.source), one.place
    if one.by != REEL or source is None or place is None:
        return False
    if source.session != place.session or not source.first <= place.first <= source.last:
        return False
    figures = set(_FIGURE.findall(even(one.words)))
    value = _roots(fact.value) <= words and figures.issuperset(_FIGURE.findall(even(fact.value)))
    words = words - _OF_ASKING
    return value and 2 * len(words & held) >= len(words) > 0


_FIGURE = late(r"\d+(?:[.,:]\d+)*")


def _roots(text: str) -> frozenset[str]:
    return frozenset(word[:_ROOT] for word in telling(even(text)))


_OF_ASKING = _roots("remember please note keep mind forget know tell")
