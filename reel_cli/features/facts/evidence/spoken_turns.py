"""The turns of one speaker in one session, and where in them something was said or asked."""

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from reel_cli.core.evidence.days.said_days import look_at_own, with_whole_days
from reel_cli.core.evidence.grounding.lexicon import even, quote_key, sentences, telling
from reel_cli.core.evidence.grounding.source import Source, SourceMessage, Turn
from reel_cli.core.evidence.phrases import Tape, find_claim
from reel_cli.core.evidence.quotation import own_stretches
from reel_cli.core.frozen import late
from reel_cli.core.moment import read_day
from reel_cli.core.question_words import is_question
from reel_cli.core.quote_marks import CLOSING, OPENING
from reel_cli.core.values.change import one_line
from reel_cli.core.values.talk import Entry, Session
from reel_cli.features.facts.evidence.fact_answer import PROPOSES

_CLOSES = CLOSING.translate({ord(mark): None for mark in "‘’"})
BETWEEN = late(
    rf"[{_CLOSES}]\s*(?:/|…|\.{{3}}|[—–,;、，；-]|and|then)?\s*[{OPENING}]"
    r"|\s+/\s+|\s*(?:…|\.{3})\s+|\s*\n\s*"
)
"""Pattern of what stands between the words of several turns."""
LEAST_PARTS = 2
BESIDE = 1
"""Number of turns of the same speaker between which a fact may be put together."""
CLOSE = 4
"""Messages before and after a quotation that may say what it leaves out."""
_NEAR = 4
"""Turns of a speaker that may bear what the other said of them just before."""


class SpokenTurns:
    """The turns of one speaker in one session, to look words up in: own words, nothing pasted."""

    def __init__(  # noqa: PLR0913 (who speaks with whom and when, and what counts of it)
        self,
        entries: Sequence[Entry],
        user: str,
        persona: str,
        started: str,
        role: str = "user",
        *,
        quotes: bool = False,
    ) -> None:
        """Keep the turns of a `role` among `entries`; `started` is the session's day.

        `user` is the one who speaks, and `persona` the other. With `quotes`, words that the speaker quotes
        count as well.
        """
        self._role, self._quotes = role, quotes
        self._said = [entry for entry in entries if entry.number]
        self._turns = [entry for entry in entries if entry.message.role == role and entry.number]
        # quoted or pasted text is somebody else's words
        names = (user, persona)
        self._own = [
            own_stretches(entry.message.text, names, self._retelling(entry)) for entry in self._turns
        ]
        self._tapes = [
            Tape([replace(entry, message=replace(entry.message, text=part)) for part in parts])
            for entry, parts in zip(self._turns, self._own, strict=True)
        ]
        self._others = Tape([entry for entry in entries if entry.message.role != role])
        self._voices = {entry.number: entry.message.name for entry in entries if entry.message.name}
        before = {one.number: other for other, one in itertools.pairwise(self._said)}
        asked = [before.get(entry.number) for entry in self._turns]
        self._asked = [one if one is not None and one.message.role != role else None for one in asked]
        self._user, self._persona, self._started = user, persona, started
        self._sources: dict[int, Source] = {}

    def _retelling(self, entry: Entry) -> Callable[[str], bool] | None:
        """Return how to tell words that the speaker of a turn tells from those that were pasted.

        A persona pastes nothing: what it quotes is told by it, unless the other brought it up before.
        """
        if self._quotes:
            return lambda _: True
        if self._role == "user":
            return None
        number = entry.number or 0
        before = Tape(
            [one for one in self._said if one.message.role == "user" and (one.number or 0) < number]
        )
        return lambda words: before.find(words) is None

    def _as_one(self, evidence: str) -> str:
        """Return several quotations of one turn as the stretch from the first to the last of them."""
        parts = [part for part in BETWEEN.split(evidence) if any(c.isalnum() for c in part)]
        if len(parts) < LEAST_PARTS:
            return evidence
        for at, tape in enumerate(self._tapes):
            found = [tape.find(part) for part in parts]
            for text in self._own[at]:
                places = [text.find(one.text) for one in found if one is not None]
                if len(places) == len(parts) and min(places) >= 0:
                    ends = [place + len(one.text) for place, one in zip(places, found, strict=True) if one]
                    return text[min(places) : max(ends)]
        return evidence

    def _find_own(self, part: str) -> tuple[int, str]:
        """Return where the speaker said something, and the words as they stand there; -1 for nowhere."""
        for at, tape in enumerate(self._tapes):
            found = tape.find(part)
            if found is not None:
                return at, one_line(found.text)
        return -1, ""

    def _without_answer(self, value: str, evidence: str, back: int = 0) -> str:
        """Return an evidence of this speaker's words and the other's answer to them, without the answer.

        So many messages `back` the other's words may stand before. "" where it is not of both, where the
        value is the answer, and where the words only ask.
        """
        parts = [part for part in BETWEEN.split(evidence) if any(c.isalnum() for c in part)]
        own = {part: place for part in parts if (place := self._find_own(part)[0]) >= 0}
        rest = [part for part in parts if part not in own]
        theirs = any(even(value).casefold() in even(part).casefold() for part in rest)
        if not own or not rest or theirs or any("?" in part for part in own):
            return ""
        first, last = (self._turns[at].number or 0 for at in (min(own.values()), max(own.values())))
        replies = [one for one in self._said if one.message.role != self._role]
        after = Tape([one for one in replies if first - back <= (one.number or 0) <= last + 1])
        return " / ".join(own) if all(after.find(part) is not None for part in rest) else ""

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
            proposed = (one for one in every if wanted in quote_key(even(one)) and PROPOSES.search(even(one)))
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

    def _source(self, at: int) -> Source:
        if at not in self._sources:
            entry = self._turns[at]
            day = read_day(entry.message.time or self._started)
            said = look_at_own(Turn(entry.number or 0, self._user, "\n\n".join(self._own[at]), day))
            self._sources[at] = self._source_of([said])
        return self._sources[at]

    def has(self, number: int) -> bool:
        """Return whether a message is one of these turns."""
        return any(one.number == number for one in self._turns)

    def source_at(self, number: int) -> Source:
        """Return the index of the turn that is this message."""
        return self._source(next(at for at, one in enumerate(self._turns) if one.number == number))

    def _source_of(self, said: Sequence[SourceMessage]) -> Source:
        who = f"{self._user} {self._persona}"
        return Source(said, known=who, who=who, me=self._persona)

    def _quoted_at(self, evidence: str) -> tuple[int, str, str] | None:
        """Return the turn that a quotation is of, the quotation, and what of it the speaker said.

        Of words of the other's to which the next turn does not say no, these are the turns beside them.
        """
        parts = [part for part in BETWEEN.split(evidence) if any(c.isalnum() for c in part)]
        whole = self._find_own(evidence)
        own = [whole] if whole[0] >= 0 else [one for one in map(self._find_own, parts) if one[0] >= 0]
        places: dict[int, str] = {}
        for at, words in own:
            places[at] = f"{places[at]} {words}" if at in places else words
        if places and (whole[0] >= 0 or len(own) >= len(parts) - 1):
            told = " ".join(places[one] for one in sorted(places))
            return (max(places), told, told) if max(places) - min(places) <= BESIDE else None
        stated = self._others.find(evidence)
        after = [at for at, one in enumerate(self._turns) if stated and (one.number or 0) > stated.number]
        if places or stated is None or not after or "?" in stated.text:
            return None
        at = after[0]
        if _objects(stated.text, self._turns[at].message.text):
            return None
        beside = range(max(0, at - _NEAR), at + 1)
        return at, one_line(stated.text), "\n\n".join(part for one in beside for part in self._own[one])

    def _around(self, at: int, key: str) -> Iterator[SourceMessage]:
        """Yield the turns around one, and all that name the thing that `key` does.

        Of the other's, only those to which the next turn does not say no.
        """
        number, about = self._turns[at].number or 0, telling(key)
        place = next(place for place, one in enumerate(self._said) if one.number == number)
        for there, (one, after) in enumerate(itertools.zip_longest(self._said, self._said[1:])):
            near = abs(there - place) <= CLOSE or (about and about <= telling(one.message.text))
            mine = one.message.role == self._role
            denied = not mine and after is not None and _objects(one.message.text, after.message.text)
            if near and not denied and one.number != number:
                yield self._look(one, one.message.text)

    def _look(self, entry: Entry, text: str) -> SourceMessage:
        """Return the index of words of a turn, in which `tues 18th` is a day."""
        who = self._user if entry.message.role == self._role else self._persona
        day = read_day(entry.message.time or self._started)
        return look_at_own(Turn(entry.number or 0, who, with_whole_days(text), day))


def find_said(session: Session, words: str, *, own: bool) -> int:
    """Return the message of words that the persona said, for its `own`, or the user; 0 for none."""
    role = "assistant" if own else "user"
    told = [entry for entry in session.shown() if entry.message.role == role]
    found = find_claim(Tape(told), words) if words else None
    return found.number if found is not None else 0


def find_unopposed(session: Session, words: str) -> int:
    """Return the message of words that the persona said and the user let stand; 0 for none.

    The user's next turn neither says no to them nor puts them right.
    """
    shown = session.shown()
    number = find_said(session, words, own=True)
    after = (one for one in shown if one.message.role == "user" and (one.number or 0) > number)
    answer, told = next(after, None), next((one for one in shown if number and one.number == number), None)
    if told is None or (answer is not None and _objects(told.message.text, answer.message.text)):
        return 0
    return number


def without_added_questions(session: Session, evidence: str) -> str:
    """Return an evidence without the questions in it that nobody asked, where its other words were said.

    A page that names the question which a fact answers may make one up.
    """
    parts = [part for part in BETWEEN.split(evidence) if any(c.isalnum() for c in part)]
    tape = Tape(session.shown())
    added = [part for part in parts if is_question(part) and tape.find(part) is None]
    rest = [part.strip(f" {OPENING}{CLOSING}") for part in parts if part not in added]
    if not (added and rest) or any(tape.find(part) is None for part in rest):
        return evidence
    return " / ".join(rest)


def _objects(told: str, answer: str) -> bool:
    """Return whether an answer says no to what was told before it, or puts it right."""
    return bool(_PUTS_RIGHT.search(answer) or (_SAYS_NO.match(answer) and not told.rstrip().endswith("?")))


_SAYS_NO = late(r"(?i)^\W*(?:no|nope|nah|nein|non|not|never|wrong)\b")
_PUTS_RIGHT = late(r"(?i)\b(?:i said|never said)\b|^\W*\d[^\s]*( \S+)?!!")
"""Pattern of a turn that puts right what the other said just before."""
