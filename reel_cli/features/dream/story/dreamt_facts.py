"""Facts of a dream, weighed against the turns it read as a page's facts are (SRIP-11 §III.5b)."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import NamedTuple

from reel_cli.core.errors import ReelError
from reel_cli.core.evidence.grounding.lexicon import telling
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.tape.tape_view import read_session
from reel_cli.core.values.artifact import Problem
from reel_cli.core.values.settings import WHOLE
from reel_cli.core.values.source import Ranges, holds
from reel_cli.core.values.talk import Session
from reel_cli.features.facts.evidence.details.chosen_words import choose_words
from reel_cli.features.facts.evidence.weigh_facts import FactScale, Verdict, WeighedFact
from reel_cli.features.facts.fact import Fact
from reel_cli.features.facts.pending.held_facts import waits_already
from reel_cli.features.facts.policy import is_own, same_value
from reel_cli.features.facts.reply import ToldFact

_LEAST_KEPT = 0.6
"""Share of a value's words that words of the user have to bear."""


class DreamtFacts(NamedTuple):
    """A dream's facts as they were weighed: those that may be noted, those that wait, and the problems."""

    facts: Sequence[Fact]
    waits: Sequence[Fact]
    problems: Sequence[Problem]


def weigh_dreamt(snapshot: Snapshot, facts: Iterable[Fact], parts: Mapping[str, Ranges]) -> DreamtFacts:
    """Return a dream's facts, without those against which words of the chats that it read speak.

    A dream quotes nothing: the user's sentences with most of a fact's words are taken for its quotation. A
    fact that they bear has them for its source, also where no turn alone has all of it. What protects
    somebody, and its words speak against, waits; anything else of the kind is not kept.
    """
    sessions: list[Session] = []
    for name in parts:
        with suppress(ReelError):
            sessions.append(read_session(snapshot, name))
    within = frozenset(
        (one.id, entry.number or 0)
        for one in sessions
        for entry in one.shown()
        if holds(parts[one.id], entry.number or 0)
    )
    scale = FactScale(snapshot)
    kept: list[Fact] = []
    waits: list[Fact] = []
    problems: list[Problem] = []
    for fact in facts:
        if is_own(fact):
            kept.append(fact)
            continue
        found = _weigh(scale, fact, sessions, within)
        if found is None or found.verdict is Verdict.UNSURE:
            kept.append(fact)
        elif found.verdict is Verdict.AGAINST:
            held = [one for one in found.waits if not waits_already(snapshot, one)]
            waits += held
            problems += found.problems if not found.waits else ()
        else:
            kept.append(_as_borne(fact, found.made))
    return DreamtFacts(kept, waits, problems)


def _weigh(
    scale: FactScale, fact: Fact, sessions: Sequence[Session], within: frozenset[tuple[str, int]]
) -> WeighedFact | None:
    """Return how the newest words that say anything of a fact bear it; None where no words have it."""
    known = {one.id: one for one in sessions}
    unsure: WeighedFact | None = None
    for chosen in choose_words(fact.value, sessions, within):
        told = ToldFact(fact.category, fact.key, fact.value, chosen.words, WHOLE)
        found = scale.weigh_one(known[chosen.session], told)
        if found.verdict is Verdict.BORNE and not _says_it(fact, found.made):
            # the words as they were said are a page's to quote, and none that were chosen for it
            found = replace(found, verdict=Verdict.UNSURE)
        if found.verdict is not Verdict.UNSURE:
            return found
        unsure = found
    return unsure


def _says_it(fact: Fact, made: Fact | None) -> bool:
    """Return whether a fact as it was noted has the value that was weighed, or most of it."""
    if made is None:
        return False
    mine, kept = telling(fact.value), telling(made.value)
    part = kept <= mine | telling(fact.key) and len(kept) >= _LEAST_KEPT * len(mine)
    return same_value(made.value, fact.value) or part


def _as_borne(fact: Fact, made: Fact | None) -> Fact:
    """Return a dream's fact with the source, the day and the words of value that were found for it."""
    if made is None or fact.source:
        return fact
    return replace(fact, value=made.value, source=made.source, when=made.when)
