"""Source of a fact on the tape: the message that supports most of it, if one does."""

import math
import re
from collections import Counter
from collections.abc import Sequence
from functools import cached_property

from reel_cli.core.evidence.grounding.dates import dates
from reel_cli.core.evidence.grounding.lexicon import STOP, even, sentences, stem
from reel_cli.core.evidence.grounding.numbers import numbers
from reel_cli.core.evidence.grounding.source import Source, SourceMessage, mask
from reel_cli.core.evidence.phrases import fold
from reel_cli.core.frozen import late
from reel_cli.features.facts.fact import Fact

_UNKNOWN = late(
    r"(?i)\b(?:not (?:yet )?(?:known|said|told|mentioned|stated|given|clear)|unknown|unclear|unspecified"
    r"|unstated|never (?:said|told|mentioned|stated|named|given)|nobody (?:said|told|knows))\b"
)
_VALUE, _KEY, _DATE, _NUMBER, _DAY, _SPEAKER = 2.0, 1.0, 2.0, 1.0, 0.5, 0.75
_ASKED = 0.5
"""Words of a question say less than words of an answer."""
_LEAST = 0.2
"""Share of a fact's value, by weight, that a message has to support."""


class FactSources:
    """A stretch of tape, ready to be asked where a fact comes from."""

    def __init__(self, source: Source) -> None:
        """Keep the recorded turns; text that a prompt added has no place on the tape."""
        self._source = source
        self._said = [one for one in source.said if one.turn.number]

    def locate(self, fact: Fact) -> tuple[str, str]:
        """Return the message that comes closest to saying a fact, and its day; ("", "") for nowhere."""
        value, key = _words(_UNKNOWN.sub(" ", fact.value)), _words(fact.key)
        if _UNKNOWN.search(fact.value) and len(value) <= 1:
            return "", ""
        plain = even(fact.value)
        days = dates(plain, self._source.today, self._source.days[1:])
        spans = {span for when in days for span in when.spans}
        counts = {
            n for one in numbers(plain, mask(plain, [(d.start, d.end) for d in days])) for n in one.values
        }
        whole = sum(map(self._weight, value))
        owner = self._owner(fact)
        best, most = ("", ""), 0.0
        for one, (told, asked) in zip(self._said, self._told, strict=True):
            found = sum(self._weight(word) * _share(word, told, asked) for word in value)
            dated = any(span in spans for when in one.dates for span in when.spans)
            counted = any(n in counts for number in one.numbers for n in number.values)
            if not (dated or counted or (found and found >= whole * _LEAST)):
                continue
            day = one.turn.day.isoformat() if one.turn.day is not None else one.turn.session[:10]
            score = _VALUE * found + _DATE * dated + _NUMBER * counted + _DAY * (day == fact.when)
            score += _SPEAKER * (one.turn.speaker == owner)
            score += _KEY * sum(self._weight(word) * _share(word, told, asked) for word in key - value)
            if score > most:
                best, most = (f"{one.turn.session}#{one.turn.number}", day), score
        return best

    def _owner(self, fact: Fact) -> str:
        """Return the one speaker that a fact names, who is likelier to have said it; "" for none."""
        plain = fold(f"{fact.key} {fact.value}")
        words = set(re.findall(r"\w+", plain))
        named = [who for who in dict.fromkeys(one.turn.speaker for one in self._said) if fold(who) in words]
        return named[0] if len(named) == 1 else ""

    @cached_property
    def _told(self) -> Sequence[tuple[frozenset[str], frozenset[str]]]:
        """Return for each message the words of its statements and of its questions."""
        return [_halves(one) for one in self._said]

    @cached_property
    def _known(self) -> Counter[str]:
        return Counter(word for told, asked in self._told for word in told | asked)

    def _weight(self, word: str) -> float:
        """Return the weight of a word, from 0 to 1: a word in every message weighs little."""
        count = len(self._said) + 1
        return math.log(1 + count / (self._known[word] + 1)) / math.log(1 + count)


def _halves(one: SourceMessage) -> tuple[frozenset[str], frozenset[str]]:
    text = even(one.turn.text)
    parts = [text[start:end] for start, end in sentences(text)]
    asked = " ".join(part for part in parts if part.rstrip().endswith("?"))
    return _words(" ".join(part for part in parts if not part.rstrip().endswith("?"))), _words(asked)


def _share(word: str, told: frozenset[str], asked: frozenset[str]) -> float:
    return 1.0 if word in told else _ASKED if word in asked else 0.0


def _words(text: str) -> frozenset[str]:
    """Return the roots of a text's content words, with numbers by their value."""
    words = re.findall(r"[^\W\d]\w*", fold(text))
    return frozenset(
        stem(word) for word in words if word not in STOP and (len(word) > 2 or not word.isascii())
    )
