"""Evidence for a fact in all of a chat, where its quotation only points to the place (SRIP-11 §III.5b).

A fact is borne where each of its names, numbers and days was said in the chat, by either speaker, or is known
from before, and where its denials are denied there. Most of its words stand around the quotation.
"""

import itertools
from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import cached_property

from reel_cli.core.evidence.days.said_days import bears_years, leaves_year_open, look_at_own, with_whole_days
from reel_cli.core.evidence.grounding.check import Claim
from reel_cli.core.evidence.grounding.date_support import is_borne
from reel_cli.core.evidence.grounding.date_words import WEEKDAYS
from reel_cli.core.evidence.grounding.dates import dates
from reel_cli.core.evidence.grounding.lexicon import even, sentences
from reel_cli.core.evidence.grounding.numbers import numbers
from reel_cli.core.evidence.grounding.source import Source, SourceMessage, Turn
from reel_cli.core.evidence.own_words import LENT, NO, SAID, is_named, missing_detail, telling
from reel_cli.core.evidence.phrases import Tape
from reel_cli.core.evidence.quotation import own_stretches
from reel_cli.core.frozen import late
from reel_cli.core.moment import read_day
from reel_cli.core.values.change import one_line
from reel_cli.core.values.talk import Entry, Session
from reel_cli.features.facts.evidence.fact_clause import SAYS_I
from reel_cli.features.facts.evidence.fact_evidence import LIGHT
from reel_cli.features.facts.evidence.fact_support import (
    ENDS,
    PART,
    FactSupport,
    clauses,
    counts_exactly,
    named,
)
from reel_cli.features.facts.evidence.spoken_turns import BESIDE, BETWEEN, CLOSE
from reel_cli.features.facts.evidence.talk_evidence import EarlierTalk
from reel_cli.features.facts.evidence.told_value import without_dates
from reel_cli.features.facts.fact import Fact
from reel_cli.features.facts.policy import read_category
from reel_cli.features.facts.reply import ToldFact

_OF_ONESELF = ("identity", "preferences")
"""Kinds of who somebody is and what they want, of which words that they quote of another tell nothing."""
_HALF, _LEAST = 0.5, 2
_WEEKDAY = late(rf"(?i)\b(?:{'|'.join(WEEKDAYS)}),?\s+(?=\d)")
_NO_NAME = SAID[Claim.NAME].partition("“")[0]
_DEEDS = telling(
    "die died move moved moves find found begin begins began start starts mend mended stay stays due"
)
"""Stems of words for what happened that are often other ones than were said."""
_EDGE = 3
"""Words at the ends of a quotation by which it is found in a stretch."""
_DAY = 10


class WholeChat:
    """Messages of a chat, of either speaker, without what was pasted into them."""

    def __init__(self, session: Session, user: str, persona: str, before: EarlierTalk) -> None:
        """Take a session, what the user and the persona are called, and the chats before."""
        self._before = before
        self._user, self._persona, self._started = user, persona, session.id[:_DAY]
        self._entries = [one for one in session.shown() if one.number]
        self._told = [
            replace(one, message=replace(one.message, text=self._unpasted(one))) for one in self._entries
        ]
        self._tapes = [Tape([one]) for one in self._told]

    def bears(self, one: ToldFact, standing: Collection[Fact], *, own: bool) -> FactSupport | None:
        """Return the support of a fact by the chat around its quotation; None where that points nowhere.

        Beside the chat, the facts that stand, and what was said and noted before, say what the name and the
        value name. `own`: the quotation is of the persona.
        """
        places = self._find_places(one.evidence, own=own)
        if not places or not self._may_quote(one, places, own=own):
            return None
        turns = [at for at, _ in places]
        around = self._around(turns, telling(one.key))
        held, also = (
            self._known(self._before.known_about(one.key, text, standing)) for text in ("", one.value)
        )
        near, every = self._source_of([*around, *held]), self._source_of([*self._looks, *held, *also])
        beside = [
            said for at, said in enumerate(self._looks) if any(abs(at - turn) <= BESIDE for turn in turns)
        ]
        value, key = even(one.value), telling(one.key)
        if not self._is_said(value, key, self._source_of([*beside, *held]), every):
            return None
        told = " / ".join(words for _, words in places)
        nowhere = telling(value) - every.stems - self._before.stems - key - LENT
        if not nowhere <= LIGHT | _DEEDS or not all(
            self._denies(one, told, beside) for one in PART.split(value)
        ):
            return None
        entry = self._entries[turns[-1]]
        return FactSupport(
            entry.number or 0,
            (entry.message.time or self._started)[:_DAY],
            value=one.value,
            open_year=any(leaves_year_open(value, said) for said in around),
            words=told,
            source=near,
            around=True,
        )

    def _is_said(self, value: str, key: frozenset[str], beside: Source, every: Source) -> bool:
        """Return whether each name, number and day of a value was said, and half of it right there.

        A name may have been said or noted earlier.
        """
        texts = [one.turn.text for one in every.said]
        # a name in quotation marks is one as well, and the day of `Monday, 5 January` the fifth
        plain = _WEEKDAY.sub("", value.replace('"', ""))
        while why := missing_detail(plain, every):
            name = why.partition("“")[2].partition("”")[0]
            if not (why.startswith(_NO_NAME) and name in plain and self._before.has_detail(why)):
                return False
            plain = plain.replace(name, " ")
        if not counts_exactly(plain, "", texts):
            return False
        if not all(any(bears_years(part, said) for said in every.said) for part in PART.split(value)):
            return False
        words = telling(value) - LENT - key
        told = {number for one in beside.said for number in _counts(even(one.turn.text))}
        counted = frozenset(value for values in told for value in values)
        days = [when for one in beside.said for when in one.dates]
        whens = dates(plain, read_day(self._started))
        counts = _counts(without_dates(plain, whens))
        said = [
            *(word in beside.stems for word in words),
            *(not one.isdisjoint(counted) for one in counts),
            *(is_borne(one, days, []) for one in whens),
        ]
        return sum(said) >= max(_HALF * len(said), min(_LEAST, len(said)), 1)

    def _denies(self, part: str, quoted: str, beside: Sequence[SourceMessage]) -> bool:
        """Return whether a part of a value that denies something is denied there, and not affirmed."""
        words = telling(part)
        bare = any(NO.search(one) and not telling(one) for one in clauses(quoted))
        if not NO.search(part):
            # `No, I didn't` denies what was asked
            asked = [said.turn.text for said in beside if said.turn.text.rstrip().endswith("?")]
            return not (bare and any((words - LENT) & telling(one) for one in asked))
        told = [one for said in beside for one in clauses(said.turn.text) if not one.rstrip().endswith("?")]
        denied = [telling(one) & words for one in told if NO.search(one)]
        plain = [telling(one) for one in told if not (NO.search(one) or ENDS.search(one))]
        if not words or any(words <= one for one in plain):
            return False
        if bare:
            denied.append(words & frozenset(stem for said in beside for stem in telling(said.turn.text)))
        return any(len(one) >= _HALF * len(words) for one in denied)

    def _find_places(self, evidence: str, *, own: bool) -> Sequence[tuple[int, str]]:
        """Return the turns that the parts of a quotation are of, in order; none where these point nowhere.

        One part may be missing, but none of the persona's. One is a statement of the speaker's.
        """
        if any(tape.find(evidence) is not None for tape in self._tapes):
            parts = [evidence]
        else:
            parts = [part for part in BETWEEN.split(evidence) if any(map(str.isalnum, part))]
        found = [place for part in parts if (place := self._find(part, own=own)) is not None]
        if len(found) < max(1, len(parts) - 1):
            return ()
        role = "assistant" if own else "user"
        mine = [one for one in found if self._entries[one[0]].message.role == role]
        if own and len(mine) < len(parts):
            # an answer to what the user proposed is for that to say
            return ()
        return sorted(one for one in mine if not self._asks(*one))

    def _find(self, part: str, *, own: bool) -> tuple[int, str] | None:
        places = [
            (at, match.text) for at, tape in enumerate(self._tapes) if (match := tape.find(part)) is not None
        ]
        wanted = "assistant" if own else "user"
        mine = [one for one in places if self._entries[one[0]].message.role == wanted]
        return next(((at, one_line(text)) for at, text in mine or places), None)

    def _asks(self, at: int, words: str) -> bool:
        text = even(self._told[at].message.text)
        place = text.find(even(words))
        around = (text[start:end].rstrip(" \"'") for start, end in sentences(text) if start <= place < end)
        return place >= 0 and any(one.endswith("?") for one in around)

    def _may_quote(self, one: ToldFact, places: Sequence[tuple[int, str]], *, own: bool) -> bool:
        """Return whether a quotation may bear a fact, where it is all of words that the speaker quotes.

        What others say of themselves is nothing that the speaker is or wants: the fact names who said it, and
        so does the chat before.
        """
        if own or any(self._is_own(at, words) for at, words in places):
            return True
        if read_category(one.category) in _OF_ONESELF:
            return False
        if not any(SAYS_I.search(words) for _, words in places):
            return True
        at, words = places[0]
        before = " ".join(said.message.text for said in self._told[: at + 1])
        before = even(before)[: even(before).rfind(even(words))]
        both = (self._user, self._persona)
        names = [name for name in named(even(f"{one.key}. {one.statement}")) if name not in both]
        return any(is_named(before, name) for name in names)

    def _is_own(self, at: int, words: str) -> bool:
        mine = own_stretches(self._entries[at].message.text, (self._user, self._persona))
        return any(telling(words) and telling(words) & telling(one) and _overlap(words, one) for one in mine)

    def _around(self, places: Sequence[int], about: frozenset[str]) -> Sequence[SourceMessage]:
        return [
            self._looks[at]
            for at, said in enumerate(self._told)
            if any(abs(at - place) <= CLOSE for place in places)
            or (about and about <= telling(said.message.text))
        ]

    @cached_property
    def _looks(self) -> Sequence[SourceMessage]:
        return [self._look(one) for one in self._told]

    def _look(self, entry: Entry) -> SourceMessage:
        who = self._user if entry.message.role == "user" else self._persona
        day = read_day(entry.message.time or self._started)
        return look_at_own(Turn(entry.number or 0, who, with_whole_days(entry.message.text), day))

    def _known(self, known: Sequence[str]) -> Sequence[SourceMessage]:
        return [look_at_own(Turn(0, self._user, one, read_day(self._started))) for one in known]

    def _source_of(self, said: Sequence[SourceMessage]) -> Source:
        who = f"{self._user} {self._persona}"
        return Source(said, known=who, who=who, me=self._persona)

    def _unpasted(self, entry: Entry) -> str:
        """Return a message without what was pasted into it; what its speaker quotes of others stays."""
        if entry.message.role != "user":
            return entry.message.text
        return "\n\n".join(own_stretches(entry.message.text, (self._user, self._persona), lambda _: True))


def _counts(text: str) -> Sequence[frozenset[float]]:
    return [frozenset(one.values) for one in numbers(text, text)]


def _overlap(words: str, stretch: str) -> bool:
    """Return whether a stretch has the beginning or the end of some words."""
    mine, theirs = (even(text).replace('"', "").casefold().split() for text in (words, stretch))
    some = {*itertools.pairwise(mine[:_EDGE]), *itertools.pairwise(mine[-_EDGE:])}
    return bool(some & {*itertools.pairwise(theirs)})
