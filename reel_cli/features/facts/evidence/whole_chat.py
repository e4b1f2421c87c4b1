"""Evidence for a fact in all of a chat, where its quotation only points to the place (SRIP-11 §III.5b).

A fact is borne where each of its names, numbers and days was said in the chat, by either speaker, or is known
from before, and where its denials are denied there. Most of its words stand around the quotation.
"""

import itertools
from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import cached_property

from reel_cli.core.evidence.days.said_days import leaves_year_open, look_at_own, with_whole_days
from reel_cli.core.evidence.grounding.date_support import is_borne
from reel_cli.core.evidence.grounding.dates import dates
from reel_cli.core.evidence.grounding.lexicon import even, sentences, telling
from reel_cli.core.evidence.grounding.source import Source, SourceMessage, Turn
from reel_cli.core.evidence.own_words import LENT, LIMITS, NO, is_named
from reel_cli.core.evidence.phrases import Tape
from reel_cli.core.evidence.quotation import own_stretches
from reel_cli.core.frozen import late
from reel_cli.core.moment import read_day
from reel_cli.core.values.change import one_line
from reel_cli.core.values.talk import Entry, Session
from reel_cli.features.facts.evidence.details.another_person import SAYS_I
from reel_cli.features.facts.evidence.details.earlier_talk import EarlierTalk
from reel_cli.features.facts.evidence.details.page_words import find_own_words, has_detail
from reel_cli.features.facts.evidence.details.told_days import takes_back, tells_other_day
from reel_cli.features.facts.evidence.details.value_details import (
    ANY_DAY,
    WEEKDAY,
    ValueDetails,
    read_counts,
)
from reel_cli.features.facts.evidence.details.word_forms import all_stems, count_known, without_known
from reel_cli.features.facts.evidence.fact_evidence import LEAST_SHARE, LIGHT
from reel_cli.features.facts.evidence.fact_support import (
    ENDS,
    PART,
    FactSupport,
    clauses,
    named,
    tells_event,
    without_parts,
)
from reel_cli.features.facts.evidence.spoken_turns import BESIDE, BETWEEN, CLOSE
from reel_cli.features.facts.evidence.told_value import without_dates
from reel_cli.features.facts.fact import Fact
from reel_cli.features.facts.near_names import are_alike
from reel_cli.features.facts.policy import read_category
from reel_cli.features.facts.reply import ToldFact

_OF_ONESELF = ("identity", "preferences")
"""Kinds of who somebody is and what they want, of which words that they quote of another tell nothing."""
_HALF, _LEAST = 0.5, 2
_SAYS_NO = late(rf"{NO.pattern}|\b(?:do|does|did|is|was|are|were|have|has|had|wo|ca|could|would|should)nt\b")
_DEED = late(
    r"(?i)\b(?:(?:to|will|would|can|could|may|must|shall|should)\s+|['’]ll\s+)(?P<deed>[a-z]{3,})"
    r"|\b(?P<done>[a-z]{2,}(?:ed|ing))\b"
)
_LEAST_TOLD = 3
"""Words of a part of a value from which on half of them stand in the chat."""
_MOST_BESIDE, _LONGEST_BESIDE = 3, 160
"""Sentences beside a quotation that are kept with it, and the characters of each."""
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

    def bears(
        self, one: ToldFact, standing: Collection[Fact], *, own: bool, strict: bool = False
    ) -> FactSupport | None:
        """Return the support of a fact by the chat around its quotation; None where that points nowhere.

        Beside the chat, the facts that stand, and what was said and noted before, say what the name and the
        value name. `own`: the quotation is of the persona. `strict`: each word stands near the quotation, or
        in what is known of the thing.
        """
        places = self._find_places(one.evidence, own=own)
        if not places or not self._may_quote(one, places, own=own):
            return None
        turns = [at for at, _ in places]
        around = self._around(turns, telling(one.key))
        held, also = (
            self._known(self._before.known_about(one.key, text, standing)) for text in ("", one.value)
        )
        near = self._source_of([*around, *held])
        every = near if strict else self._source_of([*self._looks, *held, *also])
        value, key = even(one.value), telling(one.key)
        before = [] if strict else self._texts_of(standing)
        details = ValueDetails(self._started, near, every, before, self._before.names)
        quoted = self._source_of([self._looks[at] for at in turns])
        if strict and not any(self._share(value, key, quoted)):
            return None
        known = every.stems | (frozenset() if strict else self._stems_of(standing))
        told = " / ".join(words for _, words in places)
        beside = [
            said for at, said in enumerate(self._looks) if any(abs(at - turn) <= BESIDE for turn in turns)
        ]

        stood = {some.strip().casefold() for fact in standing for some in PART.split(even(fact.value))}

        def is_borne(part: str) -> bool:
            """Return whether all of a value, or a part of it, is said or known."""
            if not strict and part.strip().casefold() in stood:
                return True
            if takes_back(part, told):
                return True
            own_words = find_own_words(part, key, known, strict=strict)
            return (
                own_words is not None
                and details.bear(part, key, one.evidence if part == value else "")
                and not _counts_otherwise(part, told)
                and not tells_other_day(part, told, read_day(self._started))
                and all(self._denies(some, one.key, told, beside, around) for some in PART.split(part))
            )

        def is_detail(part: str) -> bool:
            """Return whether a part gives a number or a day, and all of that stands somewhere."""
            return has_detail(part) and details.bear(part, key, one.evidence)

        parts = PART.split(value)
        left = [] if strict and is_borne(value) else [some for some in parts if not is_borne(some)]
        if (strict and left) or any(LIMITS.search(some) or is_detail(some) for some in left):
            return None
        borne = without_parts(one.value, left)
        if len(telling(borne) - LENT) < LEAST_SHARE * len(telling(value) - LENT):
            return None
        # what only describes is kept as it is
        described = [some for some in left if not tells_event(some) and details.bear(some, key, "")]
        left = [some for some in left if some not in described]
        kept = without_parts(one.value, left)
        own_words = find_own_words(even(kept), key, known, strict=strict) or frozenset()
        several = len(telling(kept) - key - LENT) + len(read_counts(kept))
        if own_words and (several < _LEAST_TOLD or len(own_words) > _HALF * several):
            return None
        if not self._is_near(even(kept), key | own_words, near, every, quoted):
            return None
        entry = self._entries[turns[-1]]
        first, wider = self._widened(kept, places)
        return FactSupport(
            entry.number or 0,
            (entry.message.time or self._started)[:_DAY],
            value=kept,
            open_year=any(leaves_year_open(kept, said) for said in around),
            first=first,
            words=told,
            source=near,
            left_out=", ".join(left),
            around=True,
            wider=wider,
            described=tuple(described),
        )

    def _widened(self, value: str, places: Sequence[tuple[int, str]]) -> tuple[int, str]:
        """Return the first message of the evidence, and the sentences beside it that say the rest."""
        last = places[-1][0]
        left = telling(value) - LENT - frozenset(stem for _, words in places for stem in telling(words))
        counted = {number for one in read_counts(even(value)) for number in one}
        counted -= {number for _, words in places for one in read_counts(even(words)) for number in one}
        first, found = self._entries[places[0][0]].number or 0, list[str]()
        for at in sorted(range(max(0, last - CLOSE), min(last + 1, len(self._told))), reverse=True):
            text = even(self._told[at].message.text)
            for start, end in sentences(text):
                one = text[start:end].strip()
                numbered = {number for some in read_counts(one) for number in some} & counted
                if len(found) < _MOST_BESIDE and (telling(one) & left or numbered):
                    left, counted = left - telling(one), counted - numbered
                    found.append(one_line(one, _LONGEST_BESIDE))
                    first = min(first, self._entries[at].number or first)
        return first, " / ".join(found[::-1])

    def tells(self, value: str, key: str, standing: Collection[Fact]) -> bool:
        """Return whether the chat has half of the words of each part of a value, or one text before has all.

        Words that were said before of several matters tell nothing new when they are put together.
        """
        return all(
            self._tells_part(telling(part) - LENT - LIGHT - telling(key), standing)
            for part in PART.split(even(value))
        )

    def _tells_part(self, words: frozenset[str], standing: Collection[Fact]) -> bool:
        here = frozenset(stem for one in self._looks for stem in telling(even(one.turn.text)))
        left = without_known(words, here)
        if len(words) < _LEAST_TOLD or 2 * len(left) <= len(words):
            return True
        return any(not without_known(left, telling(one)) for one in self._texts_of(standing))

    def _texts_of(self, standing: Collection[Fact]) -> Sequence[str]:
        """Return all that is known: what was said and noted before, the facts, and who the two are."""
        facts = [f"{one.key}: {one.value}. {one.statement}" for one in standing]
        return [*self._before.texts, *facts, *self._before.who]

    def _stems_of(self, standing: Collection[Fact]) -> frozenset[str]:
        return self._before.stems | telling("\n".join(self._texts_of(standing)[len(self._before.texts) :]))

    def _is_near(self, value: str, key: frozenset[str], near: Source, every: Source, quoted: Source) -> bool:
        """Return whether half of a value's words, numbers and days stand in the chat, and some of them near.

        Of one or two such things all stand near, or one in the quoted turn.
        """
        there, here = self._share(value, key, every), self._share(value, key, near)
        if not here:
            said = [even(one.turn.text) for one in near.said]
            mine = all_stems(_WHO.sub(" ", value))
            small = bool(mine) and any(mine <= all_stems(text) for text in said)
            return small or bool(telling(value) & near.stems) or any(is_named(text, value) for text in said)
        if sum(there) < max(_HALF * len(here), 1):
            return False
        if len(here) <= _LEAST:
            return all(here) or any(self._share(value, key, quoted))
        return sum(here) >= _LEAST <= sum(there)

    def stands(self, one: ToldFact, standing: Collection[Fact]) -> bool:
        """Return whether each name, number and day of a fact stands in the chat, or is known from before."""
        return not self.find_missing(one, standing)

    def find_missing(self, one: ToldFact, standing: Collection[Fact]) -> str:
        """Return the name, number or day of a fact that stands nowhere; "" for none."""
        known = self._known([*self._before.known_about(one.key, one.value, standing)])
        every = self._source_of([*self._looks, *known])
        details = ValueDetails(self._started, every, every, self._texts_of(standing), self._before.names)
        return details.find_missing(even(one.value), telling(one.key), one.evidence)

    def _share(self, value: str, key: frozenset[str], source: Source) -> Sequence[bool]:
        """Return of each word, number and day of a value whether a source has it."""
        words = telling(value) - LENT - key
        counted = {
            number for one in source.said for some in read_counts(even(one.turn.text)) for number in some
        }
        days = [when for one in source.said for when in one.dates]
        parts = ValueDetails(self._started, source, source, ())
        plain = WEEKDAY.sub("", value)
        whens = dates(plain, read_day(self._started))
        return [
            *(not without_known(frozenset((word,)), source.stems) for word in words),
            *(not one.isdisjoint(counted) for one in read_counts(without_dates(plain, whens))),
            *(
                is_borne(one, days, []) or parts.stands_in_parts(plain[one.start : one.end], frozenset())
                for one in whens
            ),
        ]

    def _denies(
        self,
        part: str,
        key: str,
        quoted: str,
        beside: Sequence[SourceMessage],
        around: Sequence[SourceMessage],
    ) -> bool:
        """Return whether a part of a value that denies something is denied there, and not affirmed.

        So is one that denies nothing, where the quoted words deny it.
        """
        words, numbered = telling(part) - LENT, {number for one in read_counts(part) for number in one}
        texts = [said.turn.text for said in beside]
        bare = any(NO.search(one) and not telling(one) for one in clauses(quoted))
        asked = [text for text in texts if text.rstrip().endswith("?")]
        about = [
            (
                count_known(words, telling(one)),
                {number for some in read_counts(even(one)) for number in some},
                one,
            )
            for one in clauses(quoted)
        ]
        near = [one for share, counted, one in about if share or counted & numbered]
        says_no = [one for one in near if _SAYS_NO.search(one) or ENDS.search(one)]
        if not _SAYS_NO.search(part):
            # `No, I didn't` denies what was asked
            answered = bare and any(words & telling(one) for one in asked)
            return not answered and not (words and near and _deny_in_another_form(near, words))
        every = (*texts, *(said.turn.text for said in around))
        if any(is_named(even(text), part.strip(" .")) for text in every):
            return True
        if near and not says_no:
            return (_SAYS_NO.search(quoted) is not None and not words) or _puts_right(part, key, quoted)
        turn = [
            one
            for said in beside
            if is_named(even(said.turn.text), quoted)
            for one in clauses(said.turn.text)
        ]
        if any(_denies_all(part, one) for one in turn):
            return True
        if not words:
            # `thirteen, not 14`: nobody counted fourteen there
            return bool(numbered) or _SAYS_NO.search(quoted) is not None
        told = [one for text in texts for one in clauses(text) if not one.rstrip().endswith("?")]
        plain = [telling(one) for one in told if not (_SAYS_NO.search(one) or ENDS.search(one))]
        if any(words <= one for one in plain):
            return False
        denied = [telling(one) for one in told if _SAYS_NO.search(one)]
        close = (
            telling(one)
            for said in around
            for one in clauses(said.turn.text)
            if _SAYS_NO.search(one) or _LEAVES.search(one)
        )
        denied += [one for one in close if words <= one]
        if bare or any(_SAYS_NO.search(one) and not telling(one) for one in told):
            # `How do you sleep?` `I don't.`
            denied += [telling(one) for one in asked]
        return any(count_known(words, one) >= _HALF * len(words) for one in denied)

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
        rest = [one for one in found if one not in mine]
        if own and (len(found) < len(parts) or not all(self._asks(*one) for one in rest)):
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
        """Return whether the words are of nothing but questions in their turn."""
        text = even(self._told[at].message.text)
        place = text.find(even(words))
        last = place + len(even(words))
        around = [
            text[start:end].rstrip(" \"'") for start, end in sentences(text) if start < last and place < end
        ]
        return place >= 0 and bool(around) and all(one.endswith("?") for one in around)

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

    def is_quoted(self, words: str) -> bool:
        """Return whether the user said words, and only as those of somebody else."""
        place = self._find(words, own=False)
        user = place is not None and self._entries[place[0]].message.role == "user"
        return place is not None and user and not self._is_own(*place)

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


def _denies_all(part: str, clause: str) -> bool:
    """Return whether a clause of the quoted turn denies all that a part denies, behind its `no`."""
    sign = _SAYS_NO.search(clause)
    mine = all_stems(_SAYS_NO.sub(" ", part)) - _SMALL
    return sign is not None and bool(mine) and mine <= all_stems(clause[sign.end() :])


_SMALL = all_stems("in on at the any more an by there then it is was are were has have to of")
_LEAVES = late(r"(?i)\b(?:leave|leaves|leaving|left) (?:it|them|those|that|alone|off|out)\b")
"""Pattern of what is not taken: `all shellfish, leave it`."""


def _puts_right(part: str, key: str, told: str) -> bool:
    """Return whether words have a name that a part denies, and the one that is right: `not Callum`."""
    return any(
        is_named(even(told), new) and is_named(even(told), old) and are_alike(old, new)
        for new in named(key)
        for old in named(part)
    )


_WHO = late(r"(?i)\b(?:i|you|he|she|we|they|me|him|her|us|them|my|your|his|our|their)\b")
"""Pattern of a pronoun, which a page changes when it retells something."""


def _counts_otherwise(value: str, told: str) -> bool:
    """Return whether a part of a value has a word of a quoted sentence and another number: `two back`."""
    texts = list(map(even, told.split(" / ")))
    every = [text[start:end] for text in texts for start, end in sentences(text)]
    said = [(_plain_words(one), _counted_in(one)) for one in every]
    for part in PART.split(value):
        mine = _counted_in(part)
        near = [counted for words, counted in said if counted and words & _plain_words(part)]
        if mine and near and not any(mine & counted for counted in near):
            return True
    return False


def _counted_in(text: str) -> frozenset[float]:
    """Return the numbers of a text that are no days."""
    plain = without_dates(text, dates(text, ANY_DAY))
    return frozenset(number for some in read_counts(plain) for number in some)


def _plain_words(text: str) -> frozenset[str]:
    return frozenset(
        one for word in _WORD.findall(even(text)) if len(one := word.casefold()) >= _LEAST_LETTERS
    )


_WORD = late(r"[^\W\d_]+")
_LEAST_LETTERS = 4


def _deny_in_another_form(near: Sequence[str], words: frozenset[str]) -> bool:
    """Return whether each clause denies a verb that a value tells in another form: `dont be springing`."""
    return all(_SAYS_NO.search(one) is not None and not words & telling(one) for one in near)


def _overlap(words: str, stretch: str) -> bool:
    """Return whether a stretch has the beginning or the end of some words."""
    mine, theirs = (even(text).replace('"', "").casefold().split() for text in (words, stretch))
    some = {*itertools.pairwise(mine[:_EDGE]), *itertools.pairwise(mine[-_EDGE:])}
    return bool(some & {*itertools.pairwise(theirs)})
