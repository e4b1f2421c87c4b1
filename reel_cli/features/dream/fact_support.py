"""Facts of a dream, held against the stretch: which turn bears a fact, by its words and its details."""

from collections.abc import Sequence
from functools import cached_property

from reel_cli.core.evidence.grounding.check import Claim, Stretch, find_ungrounded
from reel_cli.core.evidence.grounding.date_words import MONTHS, SEASONS, WEEKDAYS
from reel_cli.core.evidence.grounding.lexicon import stem
from reel_cli.core.evidence.grounding.numbers import COUNTING
from reel_cli.core.evidence.grounding.source import Source, SourceMessage
from reel_cli.core.evidence.key_meaning import lacks_meaning
from reel_cli.core.evidence.own_words import telling
from reel_cli.core.frozen import late
from reel_cli.core.values.fact import Fact
from reel_cli.features.facts.policy import protects

_SHARE = 0.6
"""Share of a fact's words that a turn must have, with the turn before it."""
_FEW = 2
"""Words up to which what the fact is about must be spoken of as well."""
_LIST = 3
"""Parts from which a value is a list, whose parts may come from turns far apart."""
_NEAR = 2
"""Turns before and after one in which its numbers, names and days may be spoken of."""
_PARTS = late(r"\s*(?:[,;]|\band\b|&)\s*")
_LOOKED_UP = frozenset(stem(stem(word)) for word in (*MONTHS, *WEEKDAYS, *SEASONS, *COUNTING))
"""Roots that are looked up as days and numbers."""
_DETAILS = frozenset((Claim.NAME, Claim.NUMBER, Claim.DATE))


class FactSupport:
    """A stretch of tape, ready to be asked whether one of its turns bears a fact."""

    def __init__(self, source: Source, names: Sequence[str]) -> None:
        """Keep the turns; `names` are those of the two who talk, which stand in every turn unsaid."""
        self._said = [one for one in source.said if one.turn.text.strip()]
        self._names = telling(" ".join(names))
        self._who = " ".join(names)

    def is_borne(self, fact: Fact) -> bool:
        """Return whether a turn bears the fact: most of its words, each detail, and what its name means."""
        return self._bears(fact) and self._bears_name(fact)

    def _bears_name(self, fact: Fact) -> bool:
        """Return whether the value is spoken of near a turn that says what the name of the fact means."""
        guards = protects(fact)
        telling_it = [
            at
            for at, one in enumerate(self._said)
            if not lacks_meaning(fact.key, fact.value, [one.turn.text], protects=guards)
        ]
        if len(telling_it) == len(self._said):
            return True
        words = self._words(fact.value) or telling(fact.value) - self._names
        return any(
            (not words or self._speaks_of(words, at)) and self._has_details(fact.value, self._near(at))
            for at in telling_it
        )

    def _bears(self, fact: Fact) -> bool:
        words = self._words(fact.value)
        about = self._words(fact.key) - words
        if not words:
            return self._has_details(fact.value, self._said)
        best = max(range(len(self._said)), key=lambda at: self._count(words, at), default=-1)
        if best < 0:
            return False
        places = [at for at in range(len(self._said)) if self._count(words, at) == self._count(words, best)]
        if self._count(words, best) >= _SHARE * len(words):
            return any(
                (len(words) > _FEW or not about or self._speaks_of(about, at))
                and self._has_details(fact.value, self._near(at))
                for at in places
            )
        parts = [part for part in _PARTS.split(fact.value) if self._words(part)]
        return len(parts) >= _LIST and all(map(self._bears_part, parts))

    def _bears_part(self, part: str) -> bool:
        words = self._words(part)
        return any(
            self._count(words, at) >= _SHARE * len(words) and self._has_details(part, self._near(at))
            for at in range(len(self._said))
        )

    def _count(self, words: frozenset[str], at: int) -> int:
        """Return how many of some words a turn has, with the one before it, which may ask for them."""
        mine = self._stems[at]
        return len(words & (mine | self._stems[at - 1] if at else mine))

    def _speaks_of(self, about: frozenset[str], at: int) -> bool:
        near = self._stems[max(0, at - _NEAR) : at + _NEAR + 1]
        return any(about & stems for stems in near)

    def _near(self, at: int) -> Sequence[SourceMessage]:
        session = self._said[at].turn.session
        near = self._said[max(0, at - _NEAR) : at + _NEAR + 1]
        return [one for one in near if one.turn.session == session]

    def _has_details(self, text: str, said: Sequence[SourceMessage]) -> bool:
        if not said:
            return False
        source = Source(said, self._who, self._who)
        found = find_ungrounded([Stretch(text, ((0, 1),))], source, most=0)
        return not any(one.kind in _DETAILS for one in found)

    def _words(self, text: str) -> frozenset[str]:
        return telling(text) - self._names - _LOOKED_UP

    @cached_property
    def _stems(self) -> Sequence[frozenset[str]]:
        return [frozenset(stem(stem(word)) for word in one.words) for one in self._said]
