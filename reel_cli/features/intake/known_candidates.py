"""Candidates that say nothing but what is known by heart: they are not asked about once more."""

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.evidence.grounding.lexicon import even
from reel_cli.core.evidence.grounding.polarity import is_negated
from reel_cli.core.evidence.own_words import telling
from reel_cli.features.facts.files import FACTS, read_facts
from reel_cli.features.facts.policy import current_facts
from reel_cli.features.intake.entry import Candidate
from reel_cli.features.intake.signs import CORRECTION, FOR_A_DAY

if TYPE_CHECKING:
    from reel_cli.core.kit.snapshot import Snapshot

_ROOT = 6
"""Letters by which two forms of a word are one, as in `allergic` and `allergy`."""


def list_known(snapshot: "Snapshot", waiting: Sequence[Candidate]) -> Collection[tuple[str, str]]:
    """Return the keys of the candidates of which one fact has every telling word.

    Never that of a correction, of a denial, or of what was asked or promised.
    """
    if not waiting or snapshot.read(FACTS) is None:
        return ()
    try:
        facts = current_facts(read_facts(snapshot))
    except ReelError:
        # a file that cannot be read is told as damage
        return ()
    held = [_roots(f"{one.key} {one.value} {one.statement} {one.evidence}") for one in facts]
    return {
        one.key
        for one in waiting
        if one.why not in (CORRECTION, *FOR_A_DAY) and not is_negated(even(one.words))
        if (words := _roots(one.words)) and any(words <= other for other in held)
    }


def _roots(text: str) -> frozenset[str]:
    return frozenset(word[:_ROOT] for word in telling(even(text)))
