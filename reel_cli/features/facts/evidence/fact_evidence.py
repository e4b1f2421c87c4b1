"""Evidence for a fact in the turns of one speaker: its words were said, and its value is made of them."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from datetime import date

from reel_cli.core.evidence.days.said_days import bears_years, find_other_day, leaves_year_open, look_at_own
from reel_cli.core.evidence.grounding.check import Claim
from reel_cli.core.evidence.grounding.date_words import WEEKDAYS
from reel_cli.core.evidence.grounding.dates import date_word, dates
from reel_cli.core.evidence.grounding.lexicon import STOP, even, sentences, telling
from reel_cli.core.evidence.grounding.numbers import numbers
from reel_cli.core.evidence.grounding.source import Source, SourceMessage, Turn
from reel_cli.core.evidence.own_words import (
    LENT,
    LIMITS,
    ONESELF,
    QUOTED_LINE,
    SAID,
    find_other_number,
    missing_detail,
    says_words,
    sentences_around,
)
from reel_cli.core.evidence.phrases import Tape
from reel_cli.core.evidence.unspaced_clause import shares_words
from reel_cli.core.frozen import late
from reel_cli.core.moment import day_in_words, read_day
from reel_cli.core.values.change import one_line
from reel_cli.core.values.talk import Entry
from reel_cli.features.facts.evidence.details.asked_claims import is_asked
from reel_cli.features.facts.evidence.details.told_days import takes_back
from reel_cli.features.facts.evidence.fact_answer import MOST_WORDS, YES, agrees, is_answered, refuses
from reel_cli.features.facts.evidence.fact_support import (
    PART,
    FactSupport,
    counts_exactly,
    denied_so,
    denies_more,
    gives_news,
    tells_event,
    without_parts,
)
from reel_cli.features.facts.evidence.reported_speech import as_reported, bear_as_retold, bear_quoted
from reel_cli.features.facts.evidence.spoken_turns import BETWEEN, CLOSE, SpokenTurns

_MOST_PARTS = 4
LEAST_SHARE = 0.4
"""Share of a value's content words that has to be borne where the rest is left out."""
_LEAST_SAID = 0.5
"""Share of a value's telling words that are said around its quotation, or known."""
_EARLY = late(
    r"(?i)\b(?:early|mid|late|end of)[\s-]+"
    r"(?=(?:in\s+)?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|(?:19|20)\d\d))"
)
"""Pattern of words that only part a month or year which is looked up itself."""
_TOOK_PLACE = late(r"(?i)\b(?:sat|held|took place|happened)\s+(?=on\s)")
_WAS_ON = late(r"(?i)\b(?:was|were|took place)\b")
_UNDONE = late(
    r"(?i)\b(?:miss\w*|not|never|skip\w*|cancel\w*|postpon\w*|moved|put off|called off|supposed to"
    r"|meant to)\b|n['’]t\b"
)
"""Patterns of a thing that took place on its day, told in other words: `resit was friday`."""
_WORDS = late(r"\w+")
ASKED = "was asked, not said"
"""The end of a reason: the words are those of a question."""


class UserTurns(SpokenTurns):
    """The turns of one speaker in one session, which bear the value of a fact or do not."""

    def bears_quoted(self, value: str, evidence: str, names: Sequence[str]) -> FactSupport | None:
        """Return the support of words that this speaker quotes of one of these people; None for none."""
        return bear_quoted(self._said, self._role, evidence, names, self._bear_with_quotes(value, evidence))

    def _bear_with_quotes(self, value: str, evidence: str) -> Callable[[Entry], FactSupport]:
        """Return a function that weighs a value in one turn, in which quoted words count as well."""
        return lambda entry: UserTurns(
            [entry], self._user, self._persona, self._started, self._role, quotes=True
        ).bears(value, evidence)

    def bears(self, value: str, evidence: str) -> FactSupport:
        """Return the first turn that has the evidence and supports the value, or why none does.

        An answer may take words from its question, and the evidence may be of several turns.
        """
        if not any(c.isalnum() for c in evidence):
            return FactSupport(why="no words are given that say so")
        evidence = self._as_one(evidence)
        alone = as_reported(value, self._bear_alone(value, evidence))
        if alone.quoted:
            retold = bear_as_retold(self._turns, value, evidence, self._bear_with_quotes(value, evidence))
            if retold is not None:
                return retold
        if alone.unsaid and (mine := self._without_answer(value, evidence)):
            return replace(self.bears(value, mine), answered=True)
        if not alone.why and (alone.value == value or alone.retold) and not denies_more(alone):
            return alone
        borne = self._bear_together(value, evidence) or alone
        if borne.unsaid and (mine := self._without_answer(value, evidence, back=1)):
            # the other's question bears nothing that the answer does not say by itself
            return replace(self.bears(value, mine), answered=True)
        if not borne.why and denies_more(borne):
            return FactSupport(why=f"“{one_line(borne.words, 60)}” does not deny it")
        return borne if not borne.near or self.says_all(value) else replace(borne, near=0)

    def _bear_alone(self, value: str, evidence: str) -> FactSupport:
        places = [at for at, tape in enumerate(self._tapes) if tape.find(evidence) is not None]
        if not places:
            shown = one_line(evidence, 60)
            if (elsewhere := self._others.find(evidence)) is not None:
                who = self._voices.get(elsewhere.number, self._persona)
                return FactSupport(why=f"“{shown}” was said by {who}, not by {self._user}")
            if any(Tape([entry]).find(evidence) is not None for entry in self._turns):
                why = f"{self._user} quoted or pasted “{shown}”, and it is not their own word"
                return FactSupport(why=why, quoted=True)
            parts = [part for part in BETWEEN.split(evidence) if any(c.isalnum() for c in part)]
            if len(parts) > 1 and all(self._was_heard(part) for part in parts):
                return FactSupport(why="the lines it quotes do not say it together", unsaid=True)
            return FactSupport(why=f"{self._user} did not say “{shown}” in this chat", unsaid=True)
        found = [self._hold(at, value, evidence) for at in places]
        return next((one for one in found if not one.why), found[0])

    def _was_heard(self, part: str) -> bool:
        """Return whether either of the two said these words."""
        return self._find_own(part)[0] >= 0 or self._others.find(part) is not None

    def _bear_together(self, value: str, evidence: str) -> FactSupport | None:
        """Return the support of several turns, or of an answer and its question; None for none."""
        parts = [part for part in BETWEEN.split(evidence) if any(c.isalnum() for c in part)]
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
            answered = asked and is_answered(asked, said)
            turn = "\n\n".join(self._own[at])
            answered = answered or (
                at in questions and not ONESELF.search(value) and agrees(asked, said, turn)
            )
            answered = answered and not refuses(turn)
            if at in questions and not answered:
                if not told:
                    return None
                # the answer may say it by itself
                del questions[at]
            elif answered and (YES.match(said) or _has_word_of(value, said)):
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

    def bears_as_written(
        self, value: str, evidence: str, key: str, known: Sequence[str], spoken: Collection[str] = ()
    ) -> FactSupport | None:
        """Return the support of a value that its quotation alone does not bear; None where nothing does.

        The quotation is of this speaker. Each name, number and day of the value is said in its turn, in the
        turns around it, of both speakers, or is `known` from before, and so are most of its words; the others
        are said elsewhere in the talk, are among the `spoken` stems of talks before, or tell little. What it
        denies is denied there.
        """
        if (found := self._quoted_at(evidence)) is None:
            return None
        at, told, own_words = found
        own = self._turns[at]
        day = read_day(own.message.time or self._started)
        if any(one.endswith("?") for one in sentences_around(told, self._source(at))):
            return None
        near = [self._look(own, "\n\n".join(self._own[at])), *self._around(at, key)]
        today = [day_in_words(day)] if day is not None else []
        before = [look_at_own(Turn(0, self._user, one, day)) for one in (*known, *today)]
        source = self._source_of([*near, *before])
        talk = telling(" ".join(one.message.text for one in self._said)) | {*spoken}

        def holds(part: str) -> bool:
            """Return whether all of a value, or a part of it, is said or known."""
            return self._is_said(part, key, told, source, talk)

        parts = PART.split(even(value))
        left = [] if holds(value) else [one for one in parts if not holds(one)]
        if any(
            _gives_detail(one, day) and _has_details(_as_counted(one, told), told, source) for one in left
        ):
            # `moved to Thursday, 4 pm` is no `4 pm`: the words that were said have all of it
            return None
        borne = without_parts(value, left)
        most = len(telling(borne) - LENT) >= LEAST_SHARE * len(telling(value) - LENT)
        if not borne or not most or any(LIMITS.search(one) for one in left):
            return None
        # what only describes is kept as it is
        described = [
            one for one in left if not tells_event(one) and _has_details(_as_counted(one, told), told, source)
        ]
        left = [one for one in left if one not in described]
        kept = without_parts(value, left)
        quoted = self._source_of([self._look(own, own_words)])
        gives = gives_news(kept, key, quoted, self._source_of([]), exactly=told != own_words)
        gives = gives or (told == own_words and _is_alike(telling(kept) - telling(key), telling(told)))
        if not (gives or self._is_told_beside(at, kept, known)):
            return None
        years = any(leaves_year_open(kept, one) for one in near)
        on = (own.message.time or self._started)[:10]
        return FactSupport(
            own.number or 0, on, "", kept, years, words=told, source=source, left_out=", ".join(left),
            around=True, described=tuple(described),
        )  # fmt: skip

    def _is_said(self, part: str, key: str, told: str, source: Source, talk: frozenset[str]) -> bool:
        """Return whether a value's details are in a source, and its words there or in the `talk` around."""
        if takes_back(part, told):
            return True
        plain = _as_counted(part, told)
        mine = telling(_EARLY.sub(" ", plain)) - LENT - telling(key)
        if any(_BOUNDED.search(even(one.turn.text)) for one in source.said):
            mine -= _MOST
        if len(mine & source.stems) < _LEAST_SAID * len(mine) or not mine - LIGHT <= source.stems | talk:
            return False
        return _has_details(plain, told, source) and denied_so(
            plain, told, [one.turn.text for one in source.said]
        )

    def _is_told_beside(self, at: int, value: str, known: Sequence[str]) -> bool:
        """Return whether the turn of a quotation says all of a value, or says yes to a turn that does.

        What it quotes there counts where the value says nothing but what was `known`.
        """
        own, words = self._turns[at], telling(value) - LENT
        mine = "\n\n".join(self._own[at])
        texts = [own.message.text if words <= telling("\n".join(known)) else mine]
        before = self._said.index(own) - 1
        if before >= 0 and self._said[before].message.role != self._role and YES.match(even(texts[0])):
            texts.append(self._said[before].message.text)
        return any(words and words <= telling(text) and counts_exactly(value, "", [text]) for text in texts)

    def says_all(self, value: str, near: int = 0) -> bool:
        """Return whether either speaker said everything in a value, in the talk or `near` a message."""
        place = next((at for at, one in enumerate(self._said) if near and one.number == near), -1)
        close = self._said if place < 0 else self._said[max(0, place - CLOSE) : place + CLOSE + 1]
        days = ((entry, read_day(entry.message.time or self._started)) for entry in close)
        said = [look_at_own(Turn(one.number or 0, self._user, one.message.text, day)) for one, day in days]
        source = self._source_of(said)
        years = any(bears_years(value, one) for one in said)
        return years and not missing_detail(value, source) and bool(says_words(value, value, source))

    def _hold_together(
        self, value: str, words: dict[int, str], questions: dict[int, str]
    ) -> FactSupport | None:
        said: list[SourceMessage] = []
        parts: list[str] = []
        numbers: list[int] = []
        for at in sorted(words):
            entry, asked = self._turns[at], self._asked[at]
            day = read_day(entry.message.time or self._started)
            if at in questions and asked is not None:
                said.append(look_at_own(Turn(asked.number or 0, self._persona, questions[at], day)))
                parts.append(questions[at])
                numbers.append(asked.number or 0)
            said.append(look_at_own(Turn(entry.number or 0, self._user, "\n\n".join(self._own[at]), day)))
            parts.append(words[at])
            numbers.append(entry.number or 0)
        source = self._source_of(said)
        if missing_detail(value, source) or not says_words(value, value, source):
            return None
        if not any(bears_years(value, one) for one in said):
            return None
        last = self._turns[max(words)].message
        on = (last.time or self._started)[:10]
        years = any(leaves_year_open(value, one) for one in said)
        told = " / ".join(one_line(part) for part in parts)
        return FactSupport(max(numbers), on, "", value, years, min(numbers), told, source)

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
        if day_given := find_other_day(value, said):
            return replace(unsure, why=SAID[Claim.DATE].format(one_line(day_given, 40), date_word(day_given)))
        looked_up = _EARLY.sub(" ", value)
        if _WAS_ON.search(told) and not _UNDONE.search(even(entry.message.text)):
            looked_up = _TOOK_PLACE.sub(" ", looked_up)
        mine = telling(looked_up)
        if any(is_asked(told, one) for one in sentences_around(told, source)):
            return FactSupport(why=f"“{one_line(told, 60)}” {ASKED}")
        if as_said := says_words(value, looked_up, source):
            years = leaves_year_open(value, said)
            return FactSupport(entry.number or 0, day, "", as_said, years, words=told, source=source)
        words = _nearest_sentence(told, mine - LENT) or (told if shares_words(value, told) else "")
        if words:
            return FactSupport(entry.number or 0, day, value=words, words=told, source=source)
        return replace(unsure, why=f"{QUOTED_LINE} does not say “{one_line(value, 60)}”")


def _has_details(part: str, told: str, source: Source) -> bool:
    """Return whether each name, number and day of a part was said, as those of its quotation are."""
    around = " ".join(sentences_around(told, source)) or told
    return (
        not missing_detail(part, source)
        and _days_agree(part, around)
        and any(bears_years(part, one) for one in source.said)
        and counts_exactly(part, told, [one.turn.text for one in source.said])
    )


def _gives_detail(part: str, day: date | None) -> bool:
    """Return whether a part of a value gives a day or a number."""
    return bool(dates(part, day)) or any(one.plain for one in numbers(part, part))


def _is_alike(mine: frozenset[str], theirs: frozenset[str]) -> bool:
    """Return whether a word of one is a word of the other with another ending: `owed` of `owe`."""
    return any(one.startswith(other) for one in mine for other in theirs if len(other) >= _LEAST_ROOT)


_LEAST_ROOT = 3


def _days_agree(value: str, told: str) -> bool:
    """Return whether each weekday of a value is one of those that were told, where there are any."""
    mine, theirs = ({one.casefold() for one in _DAY_NAMES.findall(text)} for text in (value, told))
    return not theirs or mine <= theirs


_DAY_NAMES = late(rf"(?i)\b({'|'.join(one[:3] for one in WEEKDAYS)})(?:s?|\w*days?)\b")
LIGHT = telling(
    "leave mean take sell give get put go come visit call tell keep see have do whom inside pound owe owed"
)
"""Stems of words that tell what was done or meant in another word than was said."""


def _as_counted(value: str, told: str) -> str:
    """Return a value without lengths of time that the words count as well: `three weeks ago`."""
    said = even(told).casefold()
    return _AGO.sub(lambda one: " " if one["length"].casefold() in said else one[0], value)


_MOST = telling("max maximum most limit")
_BOUNDED = late(r"(?i)\b(?:more than|longer than|above|over|at most|max\w*|up to|exceed\w*|limit\w*|only)\b")
"""Stems of words for a limit, and a pattern of those by which one is said: `not more than 2 days a week`."""
_AGO = late(r"(?i)\b(?P<length>[\w-]+ (?:day|week|month|year)s?) ago\b")


def _has_word_of(value: str, answer: str) -> bool:
    mine, theirs = ({w.casefold() for w in _WORDS.findall(text)} - STOP for text in (value, answer))
    return bool(mine & theirs)


def _first_sentence(text: str) -> str:
    plain = " ".join(text.split())
    return next((plain[a:b].strip() for a, b in sentences(even(plain)) if plain[a:b].strip()), plain)


def _nearest_sentence(said: str, mine: frozenset[str]) -> str:
    """Return the whole text if it is short, else the short sentence that shares most words with a value."""
    parts = [said] if len(said.split()) <= MOST_WORDS else [said[a:b].strip() for a, b in sentences(said)]
    short = [part for part in parts if len(part.split()) <= MOST_WORDS and telling(part) & mine]
    return max(short, key=lambda part: len(telling(part) & mine), default="")
