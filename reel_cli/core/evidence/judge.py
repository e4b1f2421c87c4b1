"""The judge of a text: gathers the verdicts on all that it claims, against its source and what is known."""

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from reel_cli.core.evidence.date_verdict import find_other_date, is_known_date, stands_beside
from reel_cli.core.evidence.grounding.absent_people import find_other_doer, find_thing, is_alone
from reel_cli.core.evidence.grounding.check import (
    Claim,
    Stretch,
    UngroundedDetail,
    claimed_numbers,
    find_ungrounded,
    mask_quoted,
)
from reel_cli.core.evidence.grounding.intentions import owed_instead
from reel_cli.core.evidence.grounding.lexicon import clauses, even, sentences
from reel_cli.core.evidence.grounding.misspelt_names import find_misspelt
from reel_cli.core.evidence.grounding.opposites import opposites
from reel_cli.core.evidence.grounding.owners import exchanged
from reel_cli.core.evidence.grounding.quantities import misdated, misnumbers, mistimed
from reel_cli.core.evidence.grounding.scenes import content, odd_scenes, odd_words
from reel_cli.core.evidence.grounding.source import Passage, Source
from reel_cli.core.evidence.grounding.strife import has_strife, told_strife
from reel_cli.core.evidence.grounding.substitutions import substitutions
from reel_cli.core.evidence.knowledge import Knowledge
from reel_cli.core.evidence.number_verdict import (
    clause_of,
    find_other_number,
    is_known_number,
    is_told_near,
    is_unknown_dose,
    stands_behind_word,
)
from reel_cli.core.evidence.verdict import Judgement, Verdict

_GAP = re.compile(r"\.\.\.|…|\[[^\]\n]*\]|\s/\s")
_DEMONYM = re.compile(r"(?i)(?:ish|ese|ian|ean|an|ic|i)$")
_FAR = 60
"""Percent of a part's telling words that one line elsewhere must have to bear it."""
_SAME = 80
"""The same for what is told of one speaker, and was said by the other."""
_NEW = 2
"""Words that a line elsewhere must have for a date to be told there of the same thing."""


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
        found = _join_names([self.weigh(one) for one in ungrounded])
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

    def weigh(self, one: UngroundedDetail) -> Judgement:
        """Return the verdict on a detail that its source does not bear.

        Of a number or date it is certain only with the passage that gives another of the same thing; of a
        dose also where nobody said it at all.
        """
        if one.kind in (Claim.NUMBER, Claim.DATE):
            is_known = is_known_number if one.kind is Claim.NUMBER else is_known_date
            if one.kind is Claim.NUMBER and stands_behind_word(one.claim, one.sentence, self._source):
                return Judgement(Verdict.BORNE, one)
            if is_known(one, self._source, self._known):
                return Judgement(Verdict.BORNE, one)
            find = find_other_number if one.kind is Claim.NUMBER else find_other_date
            said = find(one, self._source)
            if said is None:
                unknown = one.kind is Claim.NUMBER and is_unknown_dose(one, self._known)
                return Judgement(Verdict.NOT_BORNE if unknown else Verdict.CANNOT_TELL, one)
            return Judgement(Verdict.NOT_BORNE, replace(one, nearest=said))
        if one.kind is Claim.NEGATION:
            # a no told in other words is seldom one to the same thing; what is certain, `_opposed` finds
            return Judgement(Verdict.CANNOT_TELL, one)
        if one.kind is Claim.NAME:
            return self._weigh_name(one)
        parts = [part for part in _GAP.split(one.claim) if re.search(r"\w", part)]
        borne = all(map(self._known.bears_quote, parts))
        return Judgement(Verdict.BORNE if borne else Verdict.NOT_BORNE, one)

    def _weigh_name(self, one: UngroundedDetail) -> Judgement:
        """Return the verdict on a name that the source does not have; one that is known may be misplaced."""
        if not self._has_name(one.claim):
            return Judgement(Verdict.NOT_BORNE, one)
        other = find_other_doer(one.claim, one.sentence, self._source, self._known.has_name)
        if other is not None:
            return Judgement(Verdict.NOT_BORNE, replace(one, nearest=other))
        alone = is_alone(one.claim, one.sentence, self._source)
        return Judgement(Verdict.NOT_BORNE if alone else Verdict.BORNE, one)

    def _has_name(self, claim: str) -> bool:
        root = _DEMONYM.sub("", even(claim).casefold())
        if self._known.has_name(claim):
            return True
        return len(root) >= 4 and root != claim.casefold() and self._known.has_beginning(root)

    def look_closer(self, stretches: Sequence[Stretch]) -> Iterator[Judgement]:
        """Yield the verdicts on what no single name, number or date shows."""
        texts = [(one, even(one.text)) for one in stretches if not (one.title or one.anchors or one.open)]
        for stretch, text in texts:
            masked = mask_quoted(text)
            yield from self._exchanged(stretch, text, masked)
            yield from self._misnumbered(stretch, text, masked)
            yield from self._substituted(stretch, text, masked)
            yield from self._misdated(stretch, text, masked)
            yield from self._misspelt(stretch, text, masked)
            if stretch.told:
                yield from self._opposed(stretch, text, masked)
                yield from self._only_owed(stretch, text, masked)
                yield from self._quarrelled(stretch, text, masked)
                yield from self._strange(stretch, text, masked)
        told = [(stretch, mask_quoted(text)) for stretch, text in texts if stretch.told]
        for place, odd in odd_scenes([text for _, text in told], self._source):
            stretch, text = told[place]
            thing = find_thing(text[odd.start : odd.end], self._source)
            sure = thing and not self._known.knows(thing)
            verdict = Verdict.NOT_BORNE if sure else Verdict.CANNOT_TELL
            yield self._judged(verdict, Claim.SCENE, stretch, text, odd.start, odd.end, None)

    def _opposed(self, stretch: Stretch, text: str, masked: str) -> Iterator[Judgement]:
        for one in opposites(masked, self._source, self._persona, self._user):
            words = one.words if not one.denies else ()
            elsewhere = words and self._known.bears_together(words, len(words), without=self._own)
            verdict = Verdict.CANNOT_TELL if elsewhere else Verdict.NOT_BORNE
            yield self._judged(verdict, Claim.NEGATION, stretch, text, one.start, one.end, one.said)

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
            if stands_behind_word(masked[one.start : one.end], masked[first:last], self._source):
                continue
            clause = clause_of(masked[one.start : one.end], masked[first:last], self._source)
            elsewhere = is_told_near(plain, clause, self._source, self._known, without=self._own)
            verdict = Verdict.CANNOT_TELL if elsewhere else Verdict.NOT_BORNE
            yield self._judged(verdict, Claim.NUMBER, stretch, text, one.start, one.end, one.said)

    def _misdated(self, stretch: Stretch, text: str, masked: str) -> Iterator[Judgement]:
        for one in misdated(masked, self._source):
            if stands_beside(text[one.start : one.end], one.said, self._source):
                continue
            elsewhere = self._known.bears_together(one.words, _NEW, without=self._own)
            verdict = Verdict.CANNOT_TELL if elsewhere else Verdict.NOT_BORNE
            yield self._judged(verdict, Claim.DATE, stretch, text, one.start, one.end, one.said)

    def _substituted(self, stretch: Stretch, text: str, masked: str) -> Iterator[Judgement]:
        for one in substitutions(masked, self._source):
            elsewhere = self._known.tells_with(one.word, one.words, without=self._own)
            verdict = Verdict.CANNOT_TELL if elsewhere else Verdict.NOT_BORNE
            yield self._judged(verdict, Claim.WORD, stretch, text, one.start, one.end, one.said)

    def _misspelt(self, stretch: Stretch, text: str, masked: str) -> Iterator[Judgement]:
        for one in find_misspelt(masked, self._source):
            # a name that is known from elsewhere is another person's
            if not self._known.has_name(one.word):
                yield self._judged(Verdict.NOT_BORNE, Claim.NAME, stretch, text, one.start, one.end, one.said)

    def _strange(self, stretch: Stretch, text: str, masked: str) -> Iterator[Judgement]:
        for one in odd_words(masked, self._source):
            # any word may be the memory's own for what was said
            verdict = Verdict.BORNE if self._known.knows(one.word) else Verdict.CANNOT_TELL
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


def _join_names(found: Sequence[Judgement]) -> list[Judgement]:
    """Return the verdicts; a first and a last name that stand side by side and are doubted are one."""
    joined: list[Judgement] = []
    for one in found:
        before = joined[-1] if joined else None
        if before is not None and {one.detail.kind, before.detail.kind} == {Claim.NAME}:
            both = f"{before.detail.claim} {one.detail.claim}"
            if before.verdict is one.verdict is Verdict.NOT_BORNE and both in one.detail.sentence:
                joined[-1] = replace(before, detail=replace(before.detail, claim=both))
                continue
        joined.append(one)
    return joined
