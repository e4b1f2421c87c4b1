"""Evidence for a fact in the turns of one speaker: its words were said, and its value is made of them."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from reel_cli.core.evidence.fact_days import bears_years, find_other_day, leaves_year_open, look_at_own
from reel_cli.core.evidence.grounding.check import Claim
from reel_cli.core.evidence.grounding.dates import date_word, dates
from reel_cli.core.evidence.grounding.lexicon import STOP, even, sentences
from reel_cli.core.evidence.grounding.numbers import numbers
from reel_cli.core.evidence.grounding.source import Source, SourceMessage, Turn
from reel_cli.core.evidence.own_words import (
    LENT,
    LIMITS,
    NO,
    OF_ANOTHER,
    ONESELF,
    SAID,
    find_other_number,
    missing_detail,
    says_words,
    sentences_around,
    telling,
)
from reel_cli.core.evidence.phrases import Tape
from reel_cli.core.evidence.unspaced_clause import shares_words
from reel_cli.core.frozen import late
from reel_cli.core.moment import read_day
from reel_cli.core.values.change import one_line
from reel_cli.core.values.talk import Entry
from reel_cli.features.facts.evidence.fact_answer import HEDGED, MOST_WORDS, YES, agrees, is_answered, refuses
from reel_cli.features.facts.evidence.fact_support import (
    PART,
    FactSupport,
    counts_exactly,
    denied_so,
    denies_more,
    gives_news,
    named,
)
from reel_cli.features.facts.evidence.reported_speech import as_reported, bear_as_retold, bear_quoted
from reel_cli.features.facts.evidence.spoken_turns import BESIDE, BETWEEN, LEAST_PARTS, SpokenTurns

_MOST_PARTS = 4
_LEAST_SHARE = 0.4
"""Share of a value's content words that has to be borne where the rest is left out."""
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
_WORDS = late(r"\w+")


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
        borne = (
            self._bear_together(value, evidence)
            or self._bear_by_pointing(value, evidence)
            or self._bear_in_parts(value, evidence)
            or alone
        )
        if borne.unsaid and (mine := self._without_answer(value, evidence, back=1)):
            # the other's question bears nothing that the answer does not say by itself
            return replace(self.bears(value, mine), answered=True)
        if not borne.why and denies_more(borne):
            return FactSupport(why=f"“{one_line(borne.words, 60)}” does not deny it")
        return borne if not borne.near or self._is_of_talk(value) else replace(borne, near=0)

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
            return FactSupport(why=f"{self._user} did not say “{shown}” in this chat", unsaid=True)
        found = [self._hold(at, value, evidence) for at in places]
        return next((one for one in found if not one.why), found[0])

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

    def _bear_by_pointing(self, value: str, evidence: str) -> FactSupport | None:
        """Return the support of words that point back (`I stopped there`), with what was named just before.

        What happened is told by the turn itself, which names nothing; None where it does not.
        """
        at, found = self._find_own(evidence)
        told = even(found)
        about = {one.casefold() for one in OF_ANOTHER.findall(value)} - {
            *map(str.casefold, _WORDS.findall(told))
        }
        if not found or not _BACK.search(told) or about or list(named(told)):
            return None
        own = self._turns[at]
        place = next(place for place, one in enumerate(self._said) if one.number == own.number)
        before = self._said[max(0, place - _NAMED_BEFORE) : place]
        asked = [one.message.text for one in before if one.message.role != own.message.role]
        if not before or any(_EITHER.search(even(text)) and len({*named(even(text))}) > 1 for text in asked):
            return None
        if bool(NO.search(value)) != bool(NO.search(told)) or (
            HEDGED.search(told) and not HEDGED.search(value)
        ):
            return None
        days = ((one, read_day(one.message.time or self._started)) for one in [*before, own])
        said = [look_at_own(Turn(one.number or 0, self._user, one.message.text, day)) for one, day in days]
        source = self._source_of(said)
        mine = telling(value) - LENT - telling(" ".join(named(even(value))))
        if not mine or len(mine & telling(told)) < _LEAST_OWN * len(mine):
            return None
        if missing_detail(value, source) or not says_words(value, value, source):
            return None
        if not any(bears_years(value, one) for one in said):
            return None
        on = (own.message.time or self._started)[:10]
        number = own.number or 0
        return FactSupport(number, on, "", value, first=before[0].number or 0, words=found, source=source)

    def bears_around(
        self, value: str, evidence: str, key: str, stood: str, known: Sequence[str]
    ) -> FactSupport | None:
        """Return the support of a thin quotation: a part of the value stands in it, the rest is close by.

        Close by are the turns around it, of both speakers, and what is `known` of the thing from before.
        The quotation itself has to give something that the value which `stood` lacks. None where it does not.
        """
        if (found := self._quoted_at(evidence)) is None:
            return None
        at, told, own_words = found
        own = self._turns[at]
        day = read_day(own.message.time or self._started)
        quoted = self._source_of([self._look(own, own_words)])
        held = self._source_of([look_at_own(Turn(0, self._user, stood, day))] if stood else [])
        news = gives_news(value, key, quoted, held, exactly=told != own_words)
        if not (news or self._is_told_beside(at, value, held)):
            return None
        if any(one.endswith("?") for one in sentences_around(told, self._source(at))):
            return None
        near = [self._look(own, "\n\n".join(self._own[at])), *self._around(at)]
        before = [look_at_own(Turn(0, self._user, one, day)) for one in known]
        source = self._source_of([*near, *held.said, *before])
        if missing_detail(value, source) or not telling(value) <= source.stems | LENT | telling(key):
            return None
        if not any(bears_years(value, one) for one in source.said):
            return None
        years = any(leaves_year_open(value, one) for one in near)
        on = (own.message.time or self._started)[:10]
        support = FactSupport(own.number or 0, on, "", value, years, words=told, source=source, around=True)
        texts = [one.turn.text for one in (*near, *held.said)]
        theirs = [one.turn.text for one in near if one.turn.speaker == self._persona]
        if ONESELF.search(value) and any(even(value).casefold() in even(one).casefold() for one in theirs):
            return None
        exact = counts_exactly(value, told, [*texts, *known])
        return support if exact and denied_so(value, told, texts) else None

    def _is_told_beside(self, at: int, value: str, held: Source) -> bool:
        """Return whether the turn of a quotation says all of a value, or says yes to a turn that does.

        What it quotes there counts where the value says nothing but what was `held`.
        """
        own, words = self._turns[at], telling(value) - LENT
        texts = [own.message.text if words <= held.stems else "\n\n".join(self._own[at])]
        before = self._said.index(own) - 1
        if before >= 0 and self._said[before].message.role == "assistant" and YES.match(even(texts[0])):
            texts.append(self._said[before].message.text)
        day = read_day(own.message.time or self._started)
        for text in texts:
            source = self._source_of([look_at_own(Turn(own.number or 0, self._user, text, day))])
            if words and words <= telling(text) and not missing_detail(value, source):
                return counts_exactly(value, "", [text])
        return False

    def _is_of_talk(self, value: str) -> bool:
        """Return whether everything in a value was said somewhere in the talk, by either speaker."""
        days = ((entry, read_day(entry.message.time or self._started)) for entry in self._said)
        said = [look_at_own(Turn(one.number or 0, self._user, one.message.text, day)) for one, day in days]
        source = self._source_of(said)
        years = any(bears_years(value, one) for one in said)
        return years and not missing_detail(value, source) and bool(says_words(value, value, source))

    def _bear_in_parts(self, value: str, evidence: str) -> FactSupport | None:
        """Return the support of a value's parts: by the turn of its words, or letter for letter beside it.

        What nothing bears is left out, except words that deny or limit the rest. None where no part is borne.
        """
        parts = [part for part in PART.split(even(value)) if any(c.isalnum() for c in part)]
        places = [at for at, tape in enumerate(self._tapes) if tape.find(evidence) is not None]
        if len(parts) < LEAST_PARTS or not places:
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
            if abs(beside - at) <= BESIDE and beside >= 0 and self._says_whole(beside, part, part):
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
        own = [part for part in kept if _tells(part) and self._says_whole(at, part, evidence)]
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
        if len(mine) < LEAST_PARTS:
            return -1, ""
        for beside in range(max(0, at - _NEAR), min(len(self._turns), at + _NEAR + 1)):
            text = " ".join("\n\n".join(self._own[beside]).split())
            plain = even(text)
            for start, end in sentences(plain):
                one = plain[start:end].strip()
                differs = any(bool(sign.search(one)) != bool(sign.search(part)) for sign in (NO, HEDGED))
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
        mine = telling(_EARLY.sub(" ", value))
        if any(_ASKS.search(one) and one.endswith("?") for one in sentences_around(told, source)):
            return FactSupport(why=f"“{one_line(told, 60)}” was asked, not said")
        if as_said := says_words(value, _EARLY.sub(" ", value), source):
            years = leaves_year_open(value, said)
            return FactSupport(entry.number or 0, day, "", as_said, years, words=told, source=source)
        words = _nearest_sentence(told, mine - LENT) or (told if shares_words(value, told) else "")
        if words:
            return FactSupport(entry.number or 0, day, value=words, words=told, source=source)
        return replace(unsure, why=f"the line it quotes does not say “{one_line(value, 60)}”")


_ASKS = late(
    r"(?i)^\W*(?:(?:and|so|but|or|und|et|y|e|и|а),? )*(?:"
    r"(?:am|was|do|did|have|had|should|could|would|will|might) (?:i|we|my)\b"
    r"|(?:bin|war|hab|habe|hatte|soll|sollte|kann|könnte|muss|müsste|werde|darf|mag|wäre|hätte|esse"
    r"|wohne) ich\b"
    r"|(?:est-ce que|ai-je|(?:suis|étais|dois|peux|puis|devrais|serais|aurais|vais)-je)\b"
    r"|(?:(?:ли|разве|неужели)|(?:разве|неужели) (?:я|мы|мне|у меня))\b|я [\w-]+ ли\b"
    r")|^[^.!?]*¿(?:y |pero )?(?:soy|estoy|era|tengo|debo|debería|puedo|podría|acaso)\b[^,]*$"
    r"|^\W*(?:eu sou|sou|será que|sono|ho|devo|posso|potrei|dovrei)\b[^,]*$"
)


def _tells(part: str) -> bool:
    """Return whether a part of a value has words of its own, or a number or a day."""
    plain = even(part)
    return bool(telling(part) - LENT) or bool(numbers(plain, plain)) or bool(dates(plain, None))


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
