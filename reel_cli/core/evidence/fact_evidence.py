"""Evidence for a fact in the turns of one speaker: its words were said, and its value is made of them."""

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date

from reel_cli.core.evidence.fact_days import bears_years, leaves_year_open, look_at_own
from reel_cli.core.evidence.grounding.check import Claim
from reel_cli.core.evidence.grounding.dates import date_word
from reel_cli.core.evidence.grounding.lexicon import STOP, even, quote_key, sentences
from reel_cli.core.evidence.grounding.names import names
from reel_cli.core.evidence.grounding.source import Source, SourceMessage, Turn
from reel_cli.core.evidence.own_words import (
    LENT,
    NO,
    ONESELF,
    SAID,
    find_other_number,
    missing_detail,
    sentences_around,
    telling,
)
from reel_cli.core.evidence.phrases import Tape
from reel_cli.core.evidence.quotation import own_stretches
from reel_cli.core.frozen import frozen, late
from reel_cli.core.values.change import one_line
from reel_cli.core.values.talk import Entry

_MOST_WORDS = 16
"""A sentence of so many words at most may stand for a value that is not made of what was said."""
_BETWEEN = late(r"[\"”»]\s*(?:/|…|\.{3}|[—–,;-]|and|then)?\s*[\"“«]|\s+/\s+|\s*(?:…|\.{3})\s+|\s*\n\s*")
"""Pattern of what stands between the words of several turns."""
_MOST_PARTS = 4
_PART = late(r"\s*[,;]\s+|\s+[-–—]\s+")
_LEAST_PARTS = 2
_LEAST_SHARE = 0.4
"""Share of a value's content words that has to be borne where the rest is left out."""
_BESIDE = 1
"""Number of turns of the same speaker between which a fact may be put together."""
_NEAR = 2
"""Number of such turns within which a part of a fact may be said in other words."""
_NAMED_BEFORE, _LEAST_OWN = 2, 0.6
"""Messages before a turn that may name what it points to, and the share of a fact's words that it has."""
_BACK = late(r"(?i)\b(?:there|that|this|it|those|these|them|one|him|her)\b")
_EITHER = late(r"(?i)\bor\b[^.!?]*\?")
_EARLY = late(
    r"(?i)\b(?:early|mid|late|end of)[\s-]+"
    r"(?=(?:in\s+)?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|(?:19|20)\d\d))"
)
"""Pattern of words that only part a month or year which is looked up itself."""
OF_ANOTHER = late(
    r"(?i)\b(?:sisters?|brothers?|mothers?|fathers?|mum|mom|dad|parents?|friends?|wife|husband|partner|kids?"
    r"|child(?:ren)?|sons?|daughters?|family|fam|aunt|uncle|cousins?|grand\w+|niece|nephew|dogs?|cats?|pets?|pupp(?:y|ies)"
    r"|boss|colleagues?|neighbou?rs?|he|she|his|her|him|they|their|them|allerg\w*)\b"
)
"""Words for somebody else, whom words of two turns could be put together wrongly about."""
_YES = late(
    r"(?i)\W*(?:(?:oh|well|ah|aw+|ha(?:ha)*|hey|wow|thanks|thank you)\W+)*"
    r"(?:(?:yes|yeah|yep|yup|yea|sure|right|exactly|correct|absolutely|definitely|indeed|true|of course"
    r"|(?:that|it|this|she|he)(?: is|['’]s) (?:right|true|correct|it|him|her|me|them))\b"
    r"|(?:i|we|they|she|he|it) (?:do|am|are|did|have|was|were|can|is|does|has)\s*(?:[.,!;—–-]|$))"
)
_PROPOSES = late(
    r"(?i)(?:^|[,;:–—-]\s+|\b(?:so|and|then|please)\s+)\W*(?:(?:do you |d['’]you )?(?:wanna|want to)"
    r"|would you (?:like|care|come|join)|will you|shall we|should we|how about|what about"
    r"|why don['’]t (?:you|we)|let['’]?s|come|join|care to|fancy|are you (?:coming|in|free|up))\b"
)
"""Pattern of words that propose something to the one who answers."""
_AGREES = late(
    r"(?i)\b(?:let['’]?s|count me in|i['’]?m (?:\w+ )?(?:in|up) for|i['’]?m (?:\w+ )?in\b|i['’]?ll|i will"
    r"|deal|works|gladly|love to|happy to|looking forward|can['’]t wait)\b"
    r"|\b(?:sounds|that['’]s) (?:good|great|perfect|fine|lovely|fun|like a plan)\b"
)
"""Pattern of words that accept it."""
_HEDGED = late(
    r"(?i)\b(?:maybe|perhaps|might|wish(?:ed)?|hop(?:e|ing)|kidding|joking|guess|if|unless|would|could|should)\b"
)
LIMITS = late(
    r"(?i)\b(?:no|nope|nah|not|never|none|nobody|nothing|hardly|neither|without|cannot|used to|almost|nearly"
    r"|quit\w*|stopped|gave up|no longer|any ?more|formerly|ex|was|were|until|except|only|but|ended|left|lost"
    r"|maybe|perhaps|might|if|unless|would|could|should|wish\w*|hop(?:e|es|ing)|plan\w*|want\w*|consider\w*"
    r"|think\w*|said|says)\b|n['’]t\b"
)
"""Words without which the rest of a value would say something else."""
_WHICH = late(r"(?i)\b(?:how|what|when|where|who|whom|whose|which|why|since)\b")
_OF_TWO = late(r"(?i)\bor\b|\b(?:my|mine|our|ours|me)\b")
"""Words of a question that make its answer ambiguous: of two things, or of the one who asks."""
_WORDS = late(r"\w+")


@frozen
class FactSupport:
    """The turns that support a fact, and in which form; or the reason why none does.

    `first` and `number` are the first and last message; `words` are those it rests on as they were said,
    ` / ` between those of several turns, a question among them. `value` is the one claimed, or the words as
    they were said, where only they are borne. `open_year` says that it has a year which nobody said;
    `left_out` is what of the value was left out, since nobody said it in the talk. `near` is the message of
    words that do not bear the value, where all of it was said somewhere in the talk; `heard` is that message
    wherever the rest may come from. `unsaid` words were said by nobody there. `wrong` words have another
    number than the value. `session` is that of the turns, where it is an earlier one.
    """

    number: int = 0
    day: str = ""
    why: str = ""
    value: str = ""
    open_year: bool = False
    first: int = 0
    words: str = ""
    source: Source | None = None
    left_out: str = ""
    near: int = 0
    heard: int = 0
    unsaid: bool = False
    wrong: bool = False
    session: str = ""

    @property
    def place(self) -> str:
        """Return the message or messages, as a source writes them."""
        return f"{self.first}-{self.number}" if self.first not in (0, self.number) else str(self.number)


class UserTurns:
    """The turns of one speaker in one session, to look evidence up in: own words, nothing pasted."""

    def __init__(
        self, entries: Sequence[Entry], user: str, persona: str, started: str, role: str = "user"
    ) -> None:
        """Keep the turns of a `role` among `entries`; `started` is the session's day.

        `user` is the one who speaks, and `persona` the other.
        """
        self._turns = [entry for entry in entries if entry.message.role == role and entry.number]
        # quoted or pasted text is somebody else's words
        self._own = [own_stretches(entry.message.text, (user, persona)) for entry in self._turns]
        self._tapes = [
            Tape([replace(entry, message=replace(entry.message, text=part)) for part in parts])
            for entry, parts in zip(self._turns, self._own, strict=True)
        ]
        self._others = Tape([entry for entry in entries if entry.message.role != role])
        said = self._said = [entry for entry in entries if entry.number]
        before = {one.number: other for other, one in itertools.pairwise(said)}
        asked = [before.get(entry.number) for entry in self._turns]
        self._asked = [one if one is not None and one.message.role != role else None for one in asked]
        self._user, self._persona, self._started = user, persona, started
        self._sources: dict[int, Source] = {}

    def bears(self, value: str, evidence: str) -> FactSupport:
        """Return the first turn that has the evidence and supports the value, or why none does.

        An answer may take words from its question, and the evidence may be of several turns.
        """
        if not any(c.isalnum() for c in evidence):
            return FactSupport(why="no words are given that say so")
        evidence = self._as_one(evidence)
        alone = self._bear_alone(value, evidence)
        if not alone.why and alone.value == value and not _denies_more(alone):
            return alone
        borne = (
            self._bear_together(value, evidence)
            or self._bear_by_pointing(value, evidence)
            or self._bear_in_parts(value, evidence)
            or alone
        )
        if not borne.why and _denies_more(borne):
            return FactSupport(why=f"“{one_line(borne.words, 60)}” does not deny it")
        near = borne.near if borne.near and self._is_of_talk(value) else 0
        return replace(borne, near=near, heard=borne.near)

    def _as_one(self, evidence: str) -> str:
        """Return several quotations of one turn as the stretch from the first to the last of them."""
        parts = [part for part in _BETWEEN.split(evidence) if any(c.isalnum() for c in part)]
        if len(parts) < _LEAST_PARTS:
            return evidence
        for at, tape in enumerate(self._tapes):
            found = [tape.find(part) for part in parts]
            for text in self._own[at]:
                places = [text.find(one.text) for one in found if one is not None]
                if len(places) == len(parts) and min(places) >= 0:
                    ends = [place + len(one.text) for place, one in zip(places, found, strict=True) if one]
                    return text[min(places) : max(ends)]
        return evidence

    def _bear_alone(self, value: str, evidence: str) -> FactSupport:
        places = [at for at, tape in enumerate(self._tapes) if tape.find(evidence) is not None]
        if not places:
            shown = one_line(evidence, 60)
            if self._others.find(evidence) is not None:
                return FactSupport(why=f"“{shown}” was said by {self._persona}, not by {self._user}")
            if any(Tape([entry]).find(evidence) is not None for entry in self._turns):
                return FactSupport(
                    why=f"{self._user} quoted or pasted “{shown}”, and it is not their own word"
                )
            return FactSupport(why=f"{self._user} did not say “{shown}” in this chat", unsaid=True)
        found = [self._hold(at, value, evidence) for at in places]
        return next((one for one in found if not one.why), found[0])

    def _bear_together(self, value: str, evidence: str) -> FactSupport | None:
        """Return the support of several turns, or of an answer and its question; None for none."""
        parts = [part for part in _BETWEEN.split(evidence) if any(c.isalnum() for c in part)]
        if (found := self._find_parts(parts)) is None:
            return None
        words, questions = found
        several = len(parts) > 1
        told = bool(words)
        for at in questions:
            # the question alone was quoted: what was answered stands first in the next turn
            words.setdefault(at, _first_sentence("\n\n".join(self._own[at])))
        if not words or len(words) > _MOST_PARTS:
            return None
        for at, said in words.items():
            asked = questions.get(at) or self._question(at)
            answered = asked and _is_answered(asked, said)
            turn = "\n\n".join(self._own[at])
            answered = answered or (
                at in questions and not ONESELF.search(value) and agrees(asked, said, turn)
            )
            answered = answered and not _refuses(turn)
            if at in questions and not answered:
                if not told:
                    return None
                # the answer may say it by itself
                del questions[at]
            elif answered and (_YES.match(said) or _has_word_of(value, said)):
                questions[at] = asked
        if len(words) == 1 and not (questions or several):
            return None
        return self._hold_together(value, words, questions)

    def _find_parts(self, parts: Sequence[str]) -> tuple[dict[int, str], dict[int, str]] | None:
        """Return the words of each turn, and the question it answers; None where a part was not said.

        What the other said before a turn may stand only beside words of that turn.
        """
        words: dict[int, str] = {}
        questions: dict[int, str] = {}
        before: list[int] = []
        for part in parts:
            at, found = self._find_own(part)
            if found:
                words[at] = f"{words[at]} {found}" if at in words else found
                continue
            at, asked = self._find_question(part)
            if at < 0:
                at, asked = self._find_before(part)
                before.append(at)
            if asked:
                questions[at] = asked
        return (words, questions) if all(at in words for at in before) else None

    def _bear_by_pointing(self, value: str, evidence: str) -> FactSupport | None:
        """Return the support of words that point back (`I stopped there`), with what was named just before.

        What happened is told by the turn itself, which names nothing; None where it does not.
        """
        at, found = self._find_own(evidence)
        told = even(found)
        about = {one.casefold() for one in OF_ANOTHER.findall(value)} - {
            *map(str.casefold, _WORDS.findall(told))
        }
        if not found or not _BACK.search(told) or about or list(_named(told)):
            return None
        own = self._turns[at]
        place = next(place for place, one in enumerate(self._said) if one.number == own.number)
        before = self._said[max(0, place - _NAMED_BEFORE) : place]
        asked = [one.message.text for one in before if one.message.role != own.message.role]
        if not before or any(_EITHER.search(even(text)) and len({*_named(even(text))}) > 1 for text in asked):
            return None
        if bool(NO.search(value)) != bool(NO.search(told)) or (
            _HEDGED.search(told) and not _HEDGED.search(value)
        ):
            return None
        days = ((one, find_day((one.message.time or self._started)[:10])) for one in [*before, own])
        said = [look_at_own(Turn(one.number or 0, self._user, one.message.text, day)) for one, day in days]
        source = self._source_of(said)
        mine = telling(value) - LENT - telling(" ".join(_named(even(value))))
        if not mine or len(mine & telling(told)) < _LEAST_OWN * len(mine):
            return None
        if missing_detail(value, source) or not telling(value) <= source.stems | LENT:
            return None
        if not any(bears_years(value, one) for one in said):
            return None
        on = (own.message.time or self._started)[:10]
        number = own.number or 0
        return FactSupport(number, on, "", value, first=before[0].number or 0, words=found, source=source)

    def _is_of_talk(self, value: str) -> bool:
        """Return whether everything in a value was said somewhere in the talk, by either speaker."""
        days = ((entry, find_day((entry.message.time or self._started)[:10])) for entry in self._said)
        said = [look_at_own(Turn(one.number or 0, self._user, one.message.text, day)) for one, day in days]
        source = self._source_of(said)
        years = any(bears_years(value, one) for one in said)
        return years and not missing_detail(value, source) and telling(value) <= source.stems | LENT

    def _bear_in_parts(self, value: str, evidence: str) -> FactSupport | None:
        """Return the support of a value's parts: by the turn of its words, or letter for letter beside it.

        What nothing bears is left out, except words that deny or limit the rest. None where no part is borne.
        """
        parts = [part for part in _PART.split(even(value)) if any(c.isalnum() for c in part)]
        places = [at for at, tape in enumerate(self._tapes) if tape.find(evidence) is not None]
        if len(parts) < _LEAST_PARTS or not places:
            return None
        at = places[0]
        joins = not OF_ANOTHER.search(value)
        found = self._tapes[at].find(evidence)
        used = {at: one_line(found.text) if found is not None else ""}
        kept: list[str] = []
        for part in parts:
            if self._says_whole(at, part, evidence):
                kept.append(part)
                continue
            beside, words = self._find_own(part) if joins else (-1, "")
            if abs(beside - at) <= _BESIDE and beside >= 0 and self._says_whole(beside, part, part):
                kept.append(part)
                used.setdefault(beside, words)
                continue
            beside, words = self._find_words(part, at) if joins else (-1, "")
            if beside >= 0:
                kept.append(part)
                used.setdefault(beside, words)
        # a day may be reckoned from any of those turns
        kept = [
            part
            for part in parts
            if part in kept or any(self._says_whole(one, part, evidence) for one in used)
        ]
        left = [part for part in parts if part not in kept]
        own = [part for part in kept if telling(part) - LENT and self._says_whole(at, part, evidence)]
        if not own or any(LIMITS.search(part) for part in left) or (left and len(used) > 1):
            return None
        if len(telling(" ".join(kept)) - LENT) < _LEAST_SHARE * len(telling(value) - LENT):
            return None
        told = self._hold_parts(", ".join(kept) if left else value, used)
        unheard = [part for part in left if not self._is_of_talk(part)]
        return replace(told, left_out=", ".join(unheard))

    def _find_words(self, part: str, at: int) -> tuple[int, str]:
        """Return the turn near one, and its sentence, that has all words of a part; -1 for none."""
        mine = telling(part) - LENT
        if len(mine) < _LEAST_PARTS:
            return -1, ""
        for beside in range(max(0, at - _NEAR), min(len(self._turns), at + _NEAR + 1)):
            text = " ".join("\n\n".join(self._own[beside]).split())
            plain = even(text)
            for start, end in sentences(plain):
                one = plain[start:end].strip()
                differs = any(bool(sign.search(one)) != bool(sign.search(part)) for sign in (NO, _HEDGED))
                if beside == at or differs or one.endswith("?") or not mine <= telling(one):
                    continue
                if not missing_detail(part, self._source(beside)):
                    return beside, text[start:end].strip()
        return -1, ""

    def _hold_parts(self, value: str, words: dict[int, str]) -> FactSupport:
        """Return the support of a value by the words of these turns."""
        said = [self._source(at).said[0] for at in sorted(words)]
        numbers = [self._turns[at].number or 0 for at in words]
        on = (self._turns[max(words)].message.time or self._started)[:10]
        years = any(leaves_year_open(value, one) for one in said)
        told = " / ".join(words[at] for at in sorted(words))
        source = self._source_of(said)
        return FactSupport(max(numbers), on, "", value, years, min(numbers), told, source)

    def _says_whole(self, at: int, part: str, evidence: str) -> bool:
        """Return whether a turn supports a part of a value as it is; `evidence` is asked of its own turn."""
        held = self._hold(at, part, evidence if self._tapes[at].find(evidence) is not None else part)
        return not held.why and held.value == part

    def _hold_together(
        self, value: str, words: dict[int, str], questions: dict[int, str]
    ) -> FactSupport | None:
        said: list[SourceMessage] = []
        parts: list[str] = []
        numbers: list[int] = []
        for at in sorted(words):
            entry, asked = self._turns[at], self._asked[at]
            day = find_day((entry.message.time or self._started)[:10])
            if at in questions and asked is not None:
                said.append(look_at_own(Turn(asked.number or 0, self._persona, questions[at], day)))
                parts.append(questions[at])
                numbers.append(asked.number or 0)
            said.append(look_at_own(Turn(entry.number or 0, self._user, "\n\n".join(self._own[at]), day)))
            parts.append(words[at])
            numbers.append(entry.number or 0)
        source = self._source_of(said)
        if missing_detail(value, source) or not telling(value) <= source.stems | LENT:
            return None
        if not any(bears_years(value, one) for one in said):
            return None
        last = self._turns[max(words)].message
        on = (last.time or self._started)[:10]
        years = any(leaves_year_open(value, one) for one in said)
        told = " / ".join(one_line(part) for part in parts)
        return FactSupport(max(numbers), on, "", value, years, min(numbers), told, source)

    def _find_own(self, part: str) -> tuple[int, str]:
        """Return where the speaker said something, and the words as they stand there; -1 for nowhere."""
        for at, tape in enumerate(self._tapes):
            found = tape.find(part)
            if found is not None:
                return at, one_line(found.text)
        return -1, ""

    def _find_question(self, part: str) -> tuple[int, str]:
        """Return the place of the turn that answers a question with these words, and the question.

        -1 for none. More words of the same turn may stand beside the question; they bear nothing.
        """
        wanted = quote_key(even(part)).strip()
        plain = even(part)
        asks = [
            quote_key(plain[a:b]).strip() for a, b in sentences(plain) if plain[a:b].rstrip().endswith("?")
        ]
        for at in range(len(self._turns)):
            # what the other said before a question is no part of it
            for question in self._questions(at):
                key = quote_key(even(question))
                if wanted and (wanted in key or any(one and one in key for one in asks)):
                    return at, question
        return -1, ""

    def _find_before(self, part: str) -> tuple[int, str]:
        """Return the place of the turn before which the other said these words, and what they propose.

        -1 for none. Words that propose nothing only lead up to what is said then.
        """
        wanted = quote_key(even(part)).strip()
        for at, before in enumerate(self._asked):
            if before is None or not wanted or Tape([before]).find(part) is None:
                continue
            told = " ".join(before.message.text.split())
            every = [told[a:b].strip() for a, b in sentences(even(told))]
            proposed = (
                one for one in every if wanted in quote_key(even(one)) and _PROPOSES.search(even(one))
            )
            return at, next(proposed, "")
        return -1, ""

    def _question(self, at: int) -> str:
        """Return the question that a turn answers, the last before it; "" for none."""
        return next(iter(self._questions(at)), "")

    def _questions(self, at: int) -> Sequence[str]:
        """Return the questions before a turn, the last first."""
        entry = self._asked[at]
        if entry is None:
            return ()
        text = " ".join(entry.message.text.split())
        asked = [text[a:b].strip() for a, b in sentences(even(text)) if text[a:b].rstrip().endswith("?")]
        return asked[::-1]

    def _hold(self, at: int, value: str, evidence: str) -> FactSupport:
        """Return how much of a value the turn at this place supports."""
        entry, source = self._turns[at], self._source(at)
        day = (entry.message.time or self._started)[:10]
        found = self._tapes[at].find(evidence)
        told = one_line(found.text) if found is not None else ""
        unsure = FactSupport(day=day, words=told, near=entry.number or 0)
        if why := missing_detail(value, source):
            is_number = why.startswith(SAID[Claim.NUMBER].partition("“")[0])
            if is_number and (other := find_other_number(value, told)):
                shown = one_line(value, 60)
                return replace(unsure, why=f"its words say “{other}”, and not “{shown}”", wrong=True)
            return replace(unsure, why=why)
        said = source.said[0]
        if not bears_years(value, said):
            return replace(unsure, why=SAID[Claim.DATE].format(one_line(value, 40), date_word(value)))
        mine = telling(_EARLY.sub(" ", value))
        if any(_ASKS.search(one) and one.endswith("?") for one in sentences_around(told, source)):
            return FactSupport(why=f"“{one_line(told, 60)}” was asked, not said")
        if mine <= source.stems | LENT:
            years = leaves_year_open(value, said)
            return FactSupport(entry.number or 0, day, "", value, years, words=told, source=source)
        words = _nearest_sentence(told, mine - LENT)
        if words:
            return FactSupport(entry.number or 0, day, value=words, words=told, source=source)
        return replace(unsure, why=f"its words do not say “{one_line(value, 60)}”")

    def _source(self, at: int) -> Source:
        if at not in self._sources:
            entry = self._turns[at]
            day = find_day((entry.message.time or self._started)[:10])
            said = look_at_own(Turn(entry.number or 0, self._user, "\n\n".join(self._own[at]), day))
            self._sources[at] = self._source_of([said])
        return self._sources[at]

    def _source_of(self, said: Sequence[SourceMessage]) -> Source:
        who = f"{self._user} {self._persona}"
        return Source(said, known=who, who=who, me=self._persona)


_ASKS = late(
    r"(?i)^\W*(?:(?:and|so|but|or),? )*"
    r"(?:am|was|do|did|have|had|should|could|would|will|might) (?:i|we|my)\b"
)


def _denies_more(borne: FactSupport) -> bool:
    """Return whether a value denies something, and no sentence that has its words does."""
    if borne.source is None or not NO.search(even(borne.value)):
        return False
    mine = telling(borne.value)
    texts = [even(one.turn.text) for one in borne.source.said]
    every = [text[start:end] for text in texts for start, end in sentences(text)]
    near = [one for one in every if telling(one) & mine] or every
    return not any(NO.search(one) or _ENDS.search(one) for one in near)


_ENDS = late(
    r"(?i)\b(?:quit|stop\w*|avoid\w*|refus\w*|hat(?:e|es|ed)|dislik\w*|free|lack\w*|miss\w*|fail\w*|wish\w*|only"
    r"|except|instead|rather|lost|gone|over|ended|un\w+|dis\w+|[cdw](?:a|o)nt|didnt|isnt|nor|off)\b"
)
"""Words that may be told as a denial."""


def _named(text: str) -> Iterator[str]:
    """Yield the names in a text, one at its beginning too."""
    plain = f"so {text}"
    return (name for _, _, name in names(plain, plain))


def _is_answered(question: str, answer: str) -> bool:
    """Return whether an answer says that a question's words are so."""
    if _OF_TWO.search(question) or NO.search(question) or NO.search(answer) or _HEDGED.search(answer):
        return False
    return bool(_YES.match(answer) or (_WHICH.search(question) and len(answer.split()) <= _MOST_WORDS))


def agrees(proposed: str, answer: str, turn: str) -> bool:
    """Return whether an answer says yes to what the other proposed that both do, or that its speaker does.

    `turn` is all that was said with it: its beginning, and the answer's sentences, must leave nothing open.
    """
    plain, said, whole = even(proposed), even(answer), even(turn)
    wanted = quote_key(said).strip()
    every = [whole[start:end].strip() for start, end in sentences(whole) if whole[start:end].strip()]
    around = [one for one in every if (key := quote_key(one).strip()) in wanted or wanted in key]
    if any(NO.search(one) or _HEDGED.search(one) or one.endswith("?") for one in [*every[:1], *around]):
        return False
    if not _PROPOSES.search(plain) or re.search(r"(?i)\bor\b", plain):
        return False
    return NO.search(plain) is None and (_YES.match(said) is not None or _AGREES.search(said) is not None)


def _refuses(turn: str) -> bool:
    """Return whether a turn begins with a no."""
    return bool(NO.match(turn.lstrip(" \t\n\"'“‘*_-")))


def _has_word_of(value: str, answer: str) -> bool:
    mine, theirs = ({w.casefold() for w in _WORDS.findall(text)} - STOP for text in (value, answer))
    return bool(mine & theirs)


def _first_sentence(text: str) -> str:
    plain = " ".join(text.split())
    return next((plain[a:b].strip() for a, b in sentences(even(plain)) if plain[a:b].strip()), plain)


def _nearest_sentence(said: str, mine: frozenset[str]) -> str:
    """Return the whole text if it is short, else the short sentence that shares most words with a value."""
    parts = [said] if len(said.split()) <= _MOST_WORDS else [said[a:b].strip() for a, b in sentences(said)]
    short = [part for part in parts if len(part.split()) <= _MOST_WORDS and telling(part) & mine]
    return max(short, key=lambda part: len(telling(part) & mine), default="")


def find_day(text: str) -> date | None:
    """Return a day in ISO 8601; None for no such day."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None
