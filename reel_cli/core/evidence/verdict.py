"""Verdicts on what a text claims: borne by what is known, not borne, or impossible to tell."""

import math
import re
from collections.abc import Collection, Iterator, Sequence
from datetime import timedelta
from enum import StrEnum
from functools import lru_cache

from reel_cli.core.evidence.grounding.check import (
    Claim,
    Stretch,
    UngroundedDetail,
    claimed_numbers,
    find_ungrounded,
    mask_quoted,
)
from reel_cli.core.evidence.grounding.date_words import MONTHS
from reel_cli.core.evidence.grounding.date_words import SMALL as HOURS
from reel_cli.core.evidence.grounding.dates import When, dates
from reel_cli.core.evidence.grounding.intentions import owed_instead
from reel_cli.core.evidence.grounding.lexicon import HAN_DIGITS, UNSPACED, clauses, even, sentences, stem
from reel_cli.core.evidence.grounding.numbers import Number, numbers, written
from reel_cli.core.evidence.grounding.owners import exchanged
from reel_cli.core.evidence.grounding.quantities import misdated, misnumbers, mistimed
from reel_cli.core.evidence.grounding.reversals import reversals
from reel_cli.core.evidence.grounding.scenes import content, odd_scenes, odd_words
from reel_cli.core.evidence.grounding.source import Passage, Source
from reel_cli.core.evidence.grounding.strife import has_strife, told_strife
from reel_cli.core.evidence.grounding.substitutions import substitutions
from reel_cli.core.evidence.grounding.words import word_forms
from reel_cli.core.evidence.knowledge import Knowledge, Written
from reel_cli.core.frozen import frozen


class Verdict(StrEnum):
    """The answers to whether what is known bears a claim."""

    BORNE = "borne"
    CANNOT_TELL = "cannot tell"
    NOT_BORNE = "not borne"


@frozen
class Judgement:
    """A doubtful detail of a text, and the verdict on it; `detail.nearest` is the passage against it."""

    verdict: Verdict
    detail: UngroundedDetail


_GAP = re.compile(r"\.\.\.|…|\[[^\]\n]*\]|\s/\s")
_DEMONYM = re.compile(r"(?i)(?:ish|ese|ian|ean|an|ic|i)$")
_FAR = 60
"""Percent of a part's telling words that one line elsewhere must have to bear it."""
_SAME = 80
"""The same for what is told of one speaker, and was said by the other."""
_NEW = 2
"""Words that a line elsewhere must have for a date to be told there of the same thing."""
_SCENE = 4
"""Words of a scene, none of them said, for it to be doubted; fewer are often a figure of speech."""
_COUNTED = 12
"""Number up to which things are counted that nobody gave the number of."""
_KIN = re.compile(
    r"(?i)\b(?:my|our|his|her|their|\w+'s?)\s+(?:(?!own\b)[a-z][\w-]*\s+)?(?:mother|father|brother|sister|son"
    r"|daughter|uncle|aunt|cousin|nephew|niece|husband|wife|(?:grand|step|god)[a-z]+|boyfriend|girlfriend"
    r"|fianc[eé]e?|widow|widower|twin)s?$"
)
"""Pattern of a relative of somebody's: a person as certain as a name."""
_NEAR_FEWEST = 2
"""Words of a sentence that must stand near a number told elsewhere, for it to count the same things."""
_PRONOUN = re.compile(r"\W*(?:they|he|she|both)\b(?:\W+\w+){1,5}\W*")
"""A short line that goes on about somebody who was named right before: `They're seven.`"""
_TOLD_IN_WORDS = 2
"""Number from which the words for it mean nothing else."""
_YEARS_OLD = re.compile(r"[\s-]years?[\s-]old$")
_MONTH = 31
"""Days before and after a talk in which a day lies that was said without its month."""
_SINCE = r"\b(?:since|from|until|till|through)\s+(?:about\s+|around\s+)?"
"""Words before a month that bounds a time in which the two talked, whatever was said of it."""
_CLOCK = re.compile(r"(?<![\w.:])([01]\d|2[0-3]|\d(?=:)):?([0-5]\d)(?![\w:])")
_HOUR_AND = re.compile(r"\ban hour and (?:a )?(\w+)\b")
_NEAR_TIME = 15
"""Minutes between a time of day and one that was said, for it to be told roughly."""


class Judge:
    """A stretch of tape and all that is known besides, ready to be asked what they bear."""

    def __init__(
        self, source: Source, known: Knowledge, persona: str, user: str, own: frozenset[str] = frozenset()
    ) -> None:
        """Hold texts against a source first, then against all that is known; `own` are its sessions."""
        self._source = source
        self._known = known
        self._persona = persona
        self._user = user
        self._own = own

    def judge(self, stretches: Sequence[Stretch], most: int | None = None) -> list[Judgement]:
        """Return a verdict on each detail of a text that the source alone does not bear, in order.

        What comes nearest is looked for where a detail is one of the first `most`.
        """
        ungrounded = find_ungrounded(stretches, self._source, most=most)
        found = [Judgement(self.weigh(one), one) for one in ungrounded]
        taken = {(one.detail.line, one.detail.sentence) for one in found if one.verdict is Verdict.NOT_BORNE}
        for one in self.look_closer(stretches):
            place = (one.detail.line, one.detail.sentence)
            # one sentence is doubted once; what was found first says more
            if place in taken:
                continue
            if one.verdict is Verdict.NOT_BORNE:
                taken.add(place)
            found.append(one)
        # what is certain needs no second, doubtful line
        kept = [
            one
            for one in found
            if one.verdict is not Verdict.CANNOT_TELL
            or (one.detail.line, one.detail.sentence) not in taken
            or one.detail.kind is not Claim.NEGATION
        ]
        return sorted(kept, key=lambda one: one.detail.line)

    def weigh(self, one: UngroundedDetail) -> Verdict:
        """Return the verdict on a detail that its source does not bear."""
        if one.kind is Claim.NEGATION:
            # a no told in other words is seldom one to the same thing; what is certain, `_reversed` finds
            return Verdict.CANNOT_TELL
        if one.kind in (Claim.QUOTE, Claim.ANCHOR):
            parts = [part for part in _GAP.split(one.claim) if re.search(r"\w", part)]
            return Verdict.BORNE if all(map(self._known.bears_quote, parts)) else Verdict.NOT_BORNE
        if one.kind is Claim.NAME:
            return Verdict.BORNE if self._has_name(one.claim) else Verdict.NOT_BORNE
        if one.kind is Claim.NUMBER:
            return self._number(one)
        return self._date(one)

    def _has_name(self, claim: str) -> bool:
        root = _DEMONYM.sub("", even(claim).casefold())
        if self._known.has_name(claim):
            return True
        return len(root) >= 4 and root != claim.casefold() and self._known.has_beginning(root)

    def _number(self, one: UngroundedDetail) -> Verdict:
        """Return whether the number was told elsewhere of the same things, or follows from what was said."""
        plain = even(one.claim).casefold().strip()
        if self._is_time_said(plain, one.sentence):
            return Verdict.CANNOT_TELL
        if self._is_told_with(_number_written(plain), self._clause(one.claim, one.sentence), plain):
            return Verdict.BORNE
        if self._is_told_near(plain, self._clause(one.claim, one.sentence)):
            return Verdict.CANNOT_TELL
        if self._is_numbered_otherwise(plain, one.sentence):
            return Verdict.NOT_BORNE
        # a small number may count what was spoken of one by one
        small = all(value <= _COUNTED for number in numbers(plain, plain) for value in number.values)
        known = small or self._is_known(plain, one.sentence)
        return Verdict.CANNOT_TELL if known else Verdict.NOT_BORNE

    def _is_known(self, plain: str, sentence: str) -> bool:
        """Return whether a number was told anywhere of things that go by the same name."""
        mine = _number_in(plain, sentence)
        noun = word_forms(mine.counts[0]) if mine is not None and mine.counts else None
        return self._known.has_line(_number_written(plain), lambda line: noun is None or noun.stands_in(line))

    def _is_numbered_otherwise(self, plain: str, sentence: str) -> bool:
        """Return whether another number was said of the thing that this one counts, among the same words."""
        mine = _number_in(plain, sentence)
        if mine is None or not mine.counts:
            return False
        noun = mine.counts[0]
        words = [word_forms(word) for word in content(sentence, self._source) if stem(word) != noun]
        found = False
        for one, turn in zip(self._source.said, self._source.turns, strict=True):
            for said in (number for number in one.numbers if noun in number.counts[:1]):
                if said.values & mine.values:
                    return False
                told = next((turn[a:b] for a, b in sentences(turn) if a <= said.start < b), turn)
                shared = sum(word.stands_in(told) for word in words)
                found = found or (said.plain and shared >= min(_NEAR_FEWEST, max(1, len(words))))
        return found

    def _is_told_near(self, plain: str, clause: str, without: Collection[str] = ()) -> bool:
        """Return whether a number was told elsewhere of a thing that was named right before it or after."""
        words = [word_forms(word) for word in content(clause, self._source) if word not in plain]
        few = min(_NEAR_FEWEST, len(words))

        def fits(line: str, around: str) -> bool:
            least = min(1, few) if _PRONOUN.fullmatch(line) else few
            return sum(word.stands_in(around) for word in words) >= least

        return self._known.has_around(_number_written(plain), fits, without=without)

    def _clause(self, claim: str, sentence: str) -> str:
        """Return the clause that a number stands in, or the sentence where that says nothing else."""
        plain = even(claim).casefold().strip()
        found = next((part for part in clauses(sentence) if claim in part), "")
        return found if any(word not in plain for word in content(found, self._source)) else sentence

    def _is_time_said(self, plain: str, sentence: str) -> bool:
        """Return whether a time of day is near one that was said, or a length of time is between two."""
        said = [_minutes(*match.groups()) for turn in self._source.turns for match in _CLOCK.finditer(turn)]
        clock = _CLOCK.fullmatch(plain)
        hour = HOURS.get(plain)
        if clock is not None or (
            hour is not None
            and re.search(rf"\b(?:before|at|by|past|after|around)\s+{plain}\b", even(sentence).casefold())
        ):
            times = (
                [_minutes(*clock.groups())]
                if clock
                else [hour * 60, hour * 60 + 720]
                if hour is not None
                else []
            )
            return any(abs(one - other) <= _NEAR_TIME for one in times for other in said)
        length = re.search(rf"(?i)\b{re.escape(plain)}\s+(minute|hour)s?\b", even(sentence))
        if length is None:
            return False
        count = next((value for one in numbers(plain, plain) for value in one.values), 0)
        wanted = count * (60 if length[1].casefold() == "hour" else 1)
        more = (match[1] for turn in self._source.turns for match in _HOUR_AND.finditer(turn))
        spoken = [60 + next(iter(one.values)) for word in more for one in numbers(word, word)]
        return wanted in spoken or any(abs(one - other) == wanted for one in said for other in said)

    def _is_told_with(self, written: Written, sentence: str, plain: str) -> bool:
        """Return whether one line that is known has what is written and a telling word of the sentence."""
        words = [word for word in content(sentence, self._source) if word not in plain]
        return self._known.has_line(
            written, lambda line: not words or any(word_forms(word).stands_in(line) for word in words)
        )

    def _date(self, one: UngroundedDetail) -> Verdict:
        """Return the verdict on a date: known elsewhere, or one of several days that may be meant."""
        read = dates(even(one.claim), self._source.today, self._source.days[1:])
        if not read:
            return Verdict.CANNOT_TELL
        when = read[0]
        words = content(one.sentence, self._source)
        # a month without its year may be one of several
        spans = when.spans if when.kind == "month" else when.spans[:1]
        for session, day in self._known.days:
            near = [(first, last) for first, last in spans if first <= day <= last]
            if near and (when.relative or self._known.is_about(session, words)):
                return Verdict.CANNOT_TELL if when.relative else Verdict.BORNE
            if any(first == last for first, last in near):
                # a day on which the two talked
                return Verdict.CANNOT_TELL
        if when.kind == "month" and self._is_since_lived_month(when, one):
            return Verdict.CANNOT_TELL
        named = self._is_named_day(when, one.sentence) or self._is_counted_out(when)
        if named or self._is_among(when, words):
            return Verdict.CANNOT_TELL
        plain = even(one.claim).casefold().strip(" ,.")
        forms = [re.sub(r",?\s+\d{4}$", "", plain), plain]
        for first, last in when.spans:
            if first == last:
                month = MONTHS[first.month - 1]
                forms += [f"{first.day} {month}", f"{month} {first.day}", first.isoformat()]
        number = re.search(r"\b(\d{1,2})(?:st|nd|rd|th)?\b", plain)
        if number is not None:
            forms += [f"{number[1]}{ending}" for ending in ("st", "nd", "rd", "th")]
        pattern = re.compile("|".join(rf"(?<!\w){re.escape(form)}(?!\w)" for form in forms))
        written = Written(tuple(forms), pattern)
        told = when.kind == "nth" and self._known.has_line(written)
        if told or self._is_told_with(written, one.sentence, plain):
            return Verdict.BORNE
        # its identity and facts are of no chat, so their days may be told of anything
        return Verdict.CANNOT_TELL if self._known.stands_apart(written) else Verdict.NOT_BORNE

    def _is_since_lived_month(self, when: When, one: UngroundedDetail) -> bool:
        """Return whether it is told since or until a month between the first chat and the last."""
        claim = re.escape(even(one.claim).strip(" ,."))
        if not re.search(rf"{_SINCE}{claim}", even(one.sentence), re.IGNORECASE):
            return False
        days = [day for _, day in self._known.days]
        return bool(days) and any(first <= max(days) and min(days) <= last for first, last in when.spans)

    def _is_among(self, when: When, words: Sequence[str]) -> bool:
        """Return whether some days that were loosely spoken of (`last week`) of the same thing hold these."""
        for one in self._source.said:
            text = even(one.turn.text)
            for said in one.dates:
                if not any(first <= a and b <= last for first, last in said.spans for a, b in when.spans):
                    continue
                told = next((text[a:b] for a, b in sentences(text) if a <= said.start < b), text).casefold()
                if not words or any(word_forms(word).stands_in(told) for word in words):
                    return True
        return False

    def _is_counted_out(self, when: When) -> bool:
        """Return whether a day, or weekday, may be one of which only the number was said: `the 20th`."""
        meant = [
            day
            for one in self._source.said
            for said in one.dates
            if said.kind == "nth" and one.turn.day is not None
            for far in range(-_MONTH, _MONTH + 1)
            if (day := one.turn.day + timedelta(days=far)).day == said.day
        ]
        if when.weekday is not None:
            return any(day.weekday() == when.weekday for day in meant)
        return any(first == last and first in meant for first, last in when.spans)

    def _is_named_day(self, when: When, sentence: str) -> bool:
        """Return whether a day falls on a weekday that its sentence names, and that was spoken of."""
        named = [day for day in dates(even(sentence), self._source.today) if day.weekday is not None]
        said = {one.weekday for one in self._source.dates if one.weekday is not None}
        return any(
            first.weekday() == day.weekday and day.weekday in said for first, _ in when.spans for day in named
        )

    def look_closer(self, stretches: Sequence[Stretch]) -> Iterator[Judgement]:
        """Yield the verdicts on what no single name, number or date shows."""
        texts = [(one, even(one.text)) for one in stretches if not (one.title or one.anchors or one.open)]
        for stretch, text in texts:
            masked = mask_quoted(text)
            yield from self._exchanged(stretch, text, masked)
            yield from self._misnumbered(stretch, text, masked)
            yield from self._substituted(stretch, text, masked)
            yield from self._misdated(stretch, text, masked)
            if stretch.told:
                yield from self._reversed(stretch, text, masked)
                yield from self._only_owed(stretch, text, masked)
                yield from self._quarrelled(stretch, text, masked)
                yield from self._strange(stretch, text, masked)
        told = [(stretch, mask_quoted(text)) for stretch, text in texts if stretch.told]
        for place, odd in odd_scenes([text for _, text in told], self._source):
            stretch, text = told[place]
            least = max(2, math.ceil(len(odd.words) * _FAR / 100))
            elsewhere = self._known.bears_together(odd.words, least, without=self._own)
            # what is made of known things alone may have been pieced together from several evenings
            new = sum(not self._known.knows(word) for word in odd.words)
            certain = odd.bare and '"' not in text[odd.start : odd.end]
            certain = certain and len(odd.words) >= _SCENE and new * 2 >= len(odd.words)
            verdict = Verdict.NOT_BORNE if certain and not elsewhere else Verdict.CANNOT_TELL
            yield self._judged(verdict, Claim.SCENE, stretch, text, odd.start, odd.end, None)

    def _reversed(self, stretch: Stretch, text: str, masked: str) -> Iterator[Judgement]:
        for one in reversals(masked, self._source):
            yield self._judged(Verdict.NOT_BORNE, Claim.NEGATION, stretch, text, one.start, one.end, one.said)

    def _only_owed(self, stretch: Stretch, text: str, masked: str) -> Iterator[Judgement]:
        """Yield the clauses that tell as done what was only meant, owed or offered."""
        for first, last in sentences(masked):
            start = first
            for clause in clauses(masked[first:last]):
                start = masked.index(clause, start)
                end = start + len(clause)
                owed = owed_instead(clause, self._source.turns)
                if owed:
                    words = content(clause, self._source)
                    least = max(2, math.ceil(len(words) * _SAME / 100))
                    elsewhere = self._known.bears_together(words, least, without=self._own)
                    verdict = Verdict.CANNOT_TELL if elsewhere else Verdict.NOT_BORNE
                    near = self._source.nearest(owed)
                    yield self._judged(verdict, Claim.DONE, stretch, text, start, end, near)
                start = end

    def _quarrelled(self, stretch: Stretch, text: str, masked: str) -> Iterator[Judgement]:
        """Yield the sentences that tell of a quarrel of which the source has no word."""
        for start, end in told_strife(masked):
            if has_strife(one.turn.text for one in self._source.said):
                return
            words = content(masked[start:end], self._source)
            least = max(2, math.ceil(len(words) * _FAR / 100))
            elsewhere = self._known.bears_together(words, least, without=self._own)
            verdict = Verdict.CANNOT_TELL if elsewhere else Verdict.NOT_BORNE
            yield self._judged(verdict, Claim.SCENE, stretch, text, start, end, None)

    def _exchanged(self, stretch: Stretch, text: str, masked: str) -> Iterator[Judgement]:
        for one in exchanged(masked, self._source, self._persona, self._user):
            least = max(2, math.ceil(len(one.words) * _SAME / 100))
            elsewhere = self._known.bears_together(one.words, least, without=self._own)
            verdict = Verdict.NOT_BORNE if one.sure and not elsewhere else Verdict.CANNOT_TELL
            yield self._judged(verdict, Claim.SPEAKER, stretch, text, one.start, one.end, one.said)

    def _misnumbered(self, stretch: Stretch, text: str, masked: str) -> Iterator[Judgement]:
        found = misnumbers(masked, claimed_numbers(text, masked, self._source), self._source)
        for one in (*found, *mistimed(masked, self._source)):
            plain = masked[one.start : one.end].casefold().strip()
            first, last = next((a, b) for a, b in sentences(masked) if a <= one.start < b)
            clause = self._clause(masked[one.start : one.end], masked[first:last])
            elsewhere = self._is_told_near(plain, clause, without=self._own)
            verdict = Verdict.CANNOT_TELL if elsewhere else Verdict.NOT_BORNE
            yield self._judged(verdict, Claim.NUMBER, stretch, text, one.start, one.end, one.said)

    def _misdated(self, stretch: Stretch, text: str, masked: str) -> Iterator[Judgement]:
        for one in misdated(masked, self._source):
            elsewhere = self._known.bears_together(one.words, _NEW, without=self._own)
            verdict = Verdict.CANNOT_TELL if elsewhere else Verdict.NOT_BORNE
            yield self._judged(verdict, Claim.DATE, stretch, text, one.start, one.end, one.said)

    def _substituted(self, stretch: Stretch, text: str, masked: str) -> Iterator[Judgement]:
        for one in substitutions(masked, self._source):
            elsewhere = self._known.tells_with(one.word, one.words, without=self._own)
            verdict = Verdict.CANNOT_TELL if elsewhere else Verdict.NOT_BORNE
            yield self._judged(verdict, Claim.WORD, stretch, text, one.start, one.end, one.said)

    def _strange(self, stretch: Stretch, text: str, masked: str) -> Iterator[Judgement]:
        for one in odd_words(masked, self._source):
            verdict = Verdict.BORNE
            if not self._known.knows(one.word):
                # any other word may be the memory's own for what was said
                kin = one.person and _KIN.search(masked[: one.end]) is not None
                verdict = Verdict.NOT_BORNE if kin else Verdict.CANNOT_TELL
            yield self._judged(verdict, Claim.WORD, stretch, text, one.start, one.end, None)

    def _judged(  # noqa: PLR0913
        self,
        verdict: Verdict,
        kind: Claim,
        stretch: Stretch,
        text: str,
        start: int,
        end: int,
        near: Passage | None,
    ) -> Judgement:
        first, last = next(((a, b) for a, b in sentences(text) if a <= start < b), (0, len(text)))
        sentence = text[first:last].strip()
        claim = stretch.text[start:end].strip(" ,;:")
        near = near or self._source.nearest(sentence)
        return Judgement(verdict, UngroundedDetail(kind, stretch.line_at(start), claim, sentence, near))


def _number_in(plain: str, sentence: str) -> Number | None:
    """Return a number of a sentence by its words, with what it counts."""
    text = even(sentence)
    return next((n for n in numbers(text, text) if text[n.start : n.end].casefold() == plain), None)


@lru_cache(maxsize=64)
def _number_written(plain: str) -> Written:
    """Return a number as it is written, in digits and in words; of an age, its number alone."""
    plain = _YEARS_OLD.sub("", plain)
    forms = [plain]
    for one in numbers(plain, plain)[:1]:
        value = next(iter(one.values))
        if len(one.values) == 1 and value >= _TOLD_IN_WORDS and not one.clock:
            forms += written(value)
    told = "|".join(map(re.escape, dict.fromkeys(forms)))
    if UNSPACED.search(plain):
        signs = f"\\d{''.join(HAN_DIGITS)}"
        return Written(tuple(forms), re.compile(rf"(?<![{signs}.,])(?:{told})(?![{signs}])"))
    return Written(tuple(forms), re.compile(rf"(?<![\w.,])(?:{told})(?![\w])"))


def _minutes(hour: str, minute: str) -> int:
    return int(hour) * 60 + int(minute)
