"""Evidence for a fact in a turn of the user: the words were said, and the value is made of them."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from reel_cli.core.evidence.grounding.check import Claim, Stretch, find_ungrounded
from reel_cli.core.evidence.grounding.date_patterns import MONTHS, WEEKDAYS
from reel_cli.core.evidence.grounding.dates import date_word
from reel_cli.core.evidence.grounding.numbers import COUNTING
from reel_cli.core.evidence.grounding.source import Source, Turn, look_at_turn
from reel_cli.core.evidence.grounding.words import even, sentences, stem, stems
from reel_cli.core.evidence.phrases import Tape
from reel_cli.core.evidence.quotation import own_stretches
from reel_cli.core.evidence.tense import bears_years, leaves_year_open
from reel_cli.core.frozen import frozen
from reel_cli.core.values.change import one_line
from reel_cli.core.values.talk import Entry

_SAID = {
    Claim.NAME: "the name “{}” is not in it",
    Claim.NUMBER: "the number “{}” is not in it",
    Claim.DATE: "“{}” is no {} that it speaks of",
}
_LENT = frozenset(
    map(
        stem,
        (
            *stems("name named call called age aged old year years user person own now currently"),
            *stems("live lives lived living work works working job day date time month week"),
            *map(stem, (*MONTHS, *WEEKDAYS, *COUNTING)),
        ),
    )
)
"""Words that only join what was said to who said it, and those that are looked up as days and numbers."""
_MOST_WORDS = 16
"""A sentence of so many words at most may stand for a value that is not made of what was said."""


@frozen
class FactSupport:
    """The turn that supports a fact, and in which form; or the reason why none does.

    `value` is the one claimed, or the words as they were said, where only they are borne. `open_year` says
    that it has a year which nobody said.
    """

    number: int = 0
    day: str = ""
    why: str = ""
    value: str = ""
    open_year: bool = False


class UserTurns:
    """The turns of one user in one session, to look evidence up in: their own words, nothing they pasted."""

    def __init__(self, entries: Sequence[Entry], user: str, persona: str, started: str) -> None:
        """Keep the user's turns among `entries`; `started` is the session's day."""
        self._turns = [entry for entry in entries if entry.message.role == "user" and entry.number]
        # what they quoted or pasted is somebody else's word
        self._own = [own_stretches(entry.message.text, (user, persona)) for entry in self._turns]
        self._tapes = [
            Tape([replace(entry, message=replace(entry.message, text=part)) for part in parts])
            for entry, parts in zip(self._turns, self._own, strict=True)
        ]
        self._others = Tape([entry for entry in entries if entry.message.role != "user"])
        self._user, self._persona, self._started = user, persona, started
        self._sources: dict[int, Source] = {}

    def bears(self, value: str, evidence: str) -> FactSupport:
        """Return the first turn that has the evidence and supports the value, or why none does."""
        if not any(c.isalnum() for c in evidence):
            return FactSupport(why="no words are given that say so")
        places = [at for at, tape in enumerate(self._tapes) if tape.find(evidence) is not None]
        if not places:
            shown = one_line(evidence, 60)
            if self._others.find(evidence) is not None:
                return FactSupport(why=f"“{shown}” was said by {self._persona}, not by {self._user}")
            if any(Tape([entry]).find(evidence) is not None for entry in self._turns):
                return FactSupport(
                    why=f"{self._user} quoted or pasted “{shown}”, and it is not their own word"
                )
            return FactSupport(why=f"{self._user} never said “{shown}”")
        found = [self._hold(at, value, evidence) for at in places]
        return next((one for one in found if not one.why), found[0])

    def _hold(self, at: int, value: str, evidence: str) -> FactSupport:
        """Return how much of a value the turn at this place supports."""
        entry, source = self._turns[at], self._source(at)
        day = (entry.message.time or self._started)[:10]
        for one in find_ungrounded([Stretch(value, ((0, 1),))], source, most=0):
            if one.kind in _SAID:
                claim = one_line(one.claim, 40)
                return FactSupport(why=_SAID[one.kind].format(claim, date_word(claim)))
        said = source.said[0]
        if not bears_years(value, said):
            return FactSupport(why=_SAID[Claim.DATE].format(one_line(value, 40), date_word(value)))
        mine = telling(value)
        if mine <= source.stems | _LENT:
            return FactSupport(entry.number or 0, day, value=value, open_year=leaves_year_open(value, said))
        found = self._tapes[at].find(evidence)
        words = _nearest_sentence(one_line(found.text), mine - _LENT) if found is not None else ""
        if words:
            return FactSupport(entry.number or 0, day, value=words)
        return FactSupport(why=f"what was said there does not bear “{one_line(value, 60)}”")

    def _source(self, at: int) -> Source:
        if at not in self._sources:
            entry = self._turns[at]
            day = _day((entry.message.time or self._started)[:10])
            said = look_at_turn(Turn(entry.number or 0, self._user, "\n\n".join(self._own[at]), day))
            who = f"{self._user} {self._persona}"
            self._sources[at] = Source([said], known=who, who=who, me=self._persona)
        return self._sources[at]


def _nearest_sentence(said: str, mine: frozenset[str]) -> str:
    """Return the whole text if it is short, else the short sentence that shares most words with a value."""
    parts = [said] if len(said.split()) <= _MOST_WORDS else [said[a:b].strip() for a, b in sentences(said)]
    short = [part for part in parts if len(part.split()) <= _MOST_WORDS and telling(part) & mine]
    return max(short, key=lambda part: len(telling(part) & mine), default="")


def telling(text: str) -> frozenset[str]:
    """Return the roots of a text's content words, without numbers in digits."""
    plain = even(text)
    words = (word for start, end in sentences(plain) for word in stems(plain[start:end]))
    return frozenset(stem(word) for word in words if not word[:1].isdigit())


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None
