"""Checks of a batch's text against the tape: quotations, claims, and the sources of facts."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import date
from functools import cached_property
from typing import NamedTuple

from reel_cli.core.errors import ReelError
from reel_cli.core.evidence.grounding.check import Claim, Stretch, UngroundedDetail, mask_quoted, told
from reel_cli.core.evidence.grounding.lexicon import clauses, even, sentences, telling
from reel_cli.core.evidence.grounding.numbers import numbers
from reel_cli.core.evidence.grounding.opposites import find_opposite
from reel_cli.core.evidence.grounding.source import Source, Turn, look_at_turn
from reel_cli.core.evidence.judge import Judge
from reel_cli.core.evidence.own_words import NO
from reel_cli.core.evidence.phrases import BORDERLESS, fold
from reel_cli.core.evidence.quotation_check import LEFT_OUT, QuotationCheck, split_gaps
from reel_cli.core.evidence.quoted_words import find_quoted_words
from reel_cli.core.evidence.tape_evidence import TapeEvidence
from reel_cli.core.evidence.verdict import Verdict
from reel_cli.core.frozen import late
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.tape.last_turns import day_said
from reel_cli.core.tape.tape_view import read_session
from reel_cli.core.values.artifact import Problem
from reel_cli.core.values.change import one_line
from reel_cli.core.values.source import Ranges, holds
from reel_cli.core.values.talk import Entry, SourceRange
from reel_cli.features.dream.fact_support import FactSupport, without_persona
from reel_cli.features.dream.word_print import find_printed, print_of
from reel_cli.features.facts.evidence.fact_support import PART
from reel_cli.features.facts.fact import Fact
from reel_cli.features.facts.source import FactSources

MOST_TOLD = 12
_TELLING = 4
"""Words from which what was found unsaid is known again without quotation marks."""


_BEGINNING = 4
"""Letters by which a word is the same in another form."""
_SAME_LANGUAGE = 0.3
"""Share of a text's words that stand in the stretch, from which both are of one language."""
_MOST_HELD = 400
"""Maximum number of earlier paragraphs, the newest, that a text is held against."""
_PARAGRAPH = late(r"\n[ \t]*\n|\n(?=[ \t]*(?:[-*+•]|\d+[.)])[ \t])")
_BLOCK = late(r"(?m)^[ \t]*>[^\n]*$")
"""Pattern of a line of a block quotation, which is somebody's own words."""
_NOT_DOUBTED = frozenset((Claim.NEGATION, Claim.QUOTE, Claim.ANCHOR))
"""Kinds that are passed over: who looks back says what was not done, and quotations are put right before."""


class EarlierWork(NamedTuple):
    """The texts and findings that are known beside the stretch that is asked about.

    `before` is what earlier batches wrote, whose names need no second source; `put_right` are (session,
    words) that the prompt tells of; `doubted` are prints of details that earlier batches told and the tape
    did not bear: they need a source as before.
    """

    before: Iterable[str] = ()
    put_right: Sequence[tuple[str, str]] = ()
    doubted: Collection[str] = ()


NOTHING = EarlierWork()
"""The first batch: nothing is known beside the stretch."""


class Checks:
    """One batch's stretch of tape, ready to be asked what it bears."""

    def __init__(
        self,
        snapshot: Snapshot,
        parts: Mapping[str, Ranges],
        earlier: EarlierWork = NOTHING,
        texts: Sequence[str] = (),
    ) -> None:
        """Prepare the checks; `texts` is what will be asked about, where it is known.

        Then the tape is gone through once for it.
        """
        self._snapshot = snapshot
        self._earlier = earlier
        self.dated: Sequence[tuple[str, Entry]] = list(_entries(snapshot, parts))
        """The messages of the stretch, each with its day."""
        self._quotations = QuotationCheck(snapshot, [entry for _, entry in self.dated], texts)
        spans = [SourceRange(s, first, last) for s, pairs in parts.items() for first, last in pairs]
        evidence = TapeEvidence(snapshot)
        self._known = evidence.known
        self._source = evidence.source(spans, earlier.put_right)
        self._persona = _persona_turns(snapshot, parts)
        self.unsaid: list[str] = []
        """The quotations that were left out, since nobody said them, or another did."""
        self.unborne: list[str] = []
        """The details that the tape does not bear."""
        self.pointed: list[str] = []
        """The words that something is to be said of, as they stand in what was held against the tape."""

    def mend_quotes(self, text: str) -> tuple[str, list[Problem]]:
        """Return the text with each quotation as it was said, and without those that nobody said."""
        mended = self._quotations.mend(text)
        self.unsaid += mended.unsaid
        self.pointed += mended.pointed
        return mended.text, list(mended.problems)

    def mark_proposals(self, text: str) -> str:
        """Return advice with words that nobody said yet in single quotation marks."""
        return self._quotations.mark_proposals(text)

    def claims(self, texts: Sequence[str], unsettled: Sequence[str]) -> list[Problem]:
        """Return the claims in some texts that neither the stretch nor the earlier story supports.

        Of what is `unsettled` nothing is claimed to be so. Denials are passed over: who looks back says what
        was not done or not asked, and the tape bears that by its silence.
        """
        if self._source is None:
            return []
        stretches = [
            Stretch(" ".join(part.split()), ((0, 1),), open=is_open, told=not is_open)
            for group, is_open in ((texts, False), (unsettled, True))
            for text in group
            for part in _paragraphs(_BLOCK.sub("", text))
        ]
        settings = self._snapshot.settings
        own = frozenset(turn.turn.session for turn in self._source.said)
        judge = Judge(self._source, self._known, settings.name, settings.user, own)
        kept = [
            one.detail
            for one in judge.judge(stretches, MOST_TOLD)
            if one.verdict is Verdict.NOT_BORNE and one.detail.kind not in _NOT_DOUBTED
            if one.detail.kind is not Claim.NUMBER or not _is_reckoned(one.detail, self._source.days)
        ]
        likely = {fold(one.claim) for one in kept if print_of(one.claim) not in self._earlier.doubted}
        told_before = self._told_before(likely)
        kept = [one for one in kept if fold(one.claim) not in told_before]
        self.pointed += [one.sentence for one in kept]
        self.unborne += [one.claim for one in kept]
        problems = [Problem(f"grounding.{one.kind.value}", told(one)) for one in kept[:MOST_TOLD]]
        if len(kept) > MOST_TOLD:
            problems.append(Problem("grounding", f"{len(kept) - MOST_TOLD:,} more details like that"))
        return problems

    def _told_before(self, claims: set[str]) -> set[str]:
        """Return which of the claims an earlier batch also made."""
        found: set[str] = set()
        words = {claim: re.findall(r"[a-z0-9]+", claim) for claim in claims}
        for text in self._earlier.before if claims else ():
            # folding is slow, and a story is as long as a book
            lowered = text.lower()
            likely = [claim for claim in claims - found if all(word in lowered for word in words[claim])]
            folded = fold(text) if likely else ""
            found.update(claim for claim in likely if claim in folded)
        return found

    def clashes(self, text: str, amended: Sequence[str]) -> list[Problem]:
        """Return what a text says the opposite of what an earlier batch wrote, unless that is `amended`."""
        me, other = self._snapshot.settings.name, self._snapshot.settings.user
        before = [part for whole in self._earlier.before for part in _paragraphs(whole)][-_MOST_HELD:]
        if not before:
            return []
        turns = [look_at_turn(Turn(number, me, part)) for number, part in enumerate(before, start=1)]
        earlier = Source(turns, me=me)
        pairs = [
            (clause.strip(" ,:()"), old.text)
            for part in _paragraphs(text)
            for sentence, clause in _clauses(" ".join(part.split()))
            # a word in common is no conflict: only what is told again word for word, but for a no
            if (old := find_opposite(clause, sentence, earlier, me, other)) is not None
        ]
        return [
            Problem("clash", f"“{one_line(new, 80)}” and “{one_line(old, 80)}”, written before, do not agree")
            for new, old in pairs
            if not any(fold(words) in fold(old) or fold(old) in fold(words) for words in amended)
        ][:MOST_TOLD]

    def scenes(self, text: str) -> list[Problem]:
        """Return what a text puts together that was said on different days."""
        return self._quotations.find_stitched(text)

    def speaks_of(self, text: str) -> bool:
        """Return whether the beginning of any telling word of a text stands in the stretch."""
        begins = _beginnings(" ".join(word for word in text.split() if telling(word)))
        return not begins or any(one in self._said for one in begins)

    def is_in_its_language(self, text: str) -> bool:
        """Return whether so many words of a text begin as words of the stretch that it is no translation."""
        begins = _beginnings(text)
        return sum(one in self._said for one in begins) >= _SAME_LANGUAGE * max(1, len(begins))

    @cached_property
    def _said(self) -> str:
        return " ".join(fold(entry.message.text) for _, entry in self.dated)

    def locate(self, fact: Fact, known: Sequence[str] = ()) -> tuple[str, str]:
        """Return the turn that bears a fact, and that day; ("", "") for none.

        Of a value whose other parts are `known` from before, it has to bear what is new.
        """
        return _locate(self._every, fact, known)

    def locate_people(self, fact: Fact, known: Sequence[str] = ()) -> tuple[str, str]:
        """Return the turn of a person that bears a fact, as `locate` does; ("", "") for none.

        A turn of the persona counts where the next one says yes to it, and both are the source then.
        """
        source, day = _locate(self._people, fact, known)
        session, _, number = source.partition("#")
        if number and (session, int(number)) in self._persona:
            source = f"{source}-{self._next_after(session, int(number))}"
        return source, day

    def _next_after(self, session: str, number: int) -> int:
        """Return the number of the message after another."""
        said = self._source.said if self._source is not None else ()
        later = (one.turn.number for one in said if one.turn.session == session and one.turn.number > number)
        return min(later, default=number)

    @cached_property
    def _every(self) -> "_Bearers | None":
        return self._bearers(self._source)

    @cached_property
    def _people(self) -> "_Bearers | None":
        if self._source is None:
            return None
        said = without_persona(
            self._source.said, lambda one: (one.turn.session, one.turn.number) in self._persona
        )
        if not said:
            return None
        who = " ".join(self._snapshot.settings.people)
        return self._bearers(Source(said, who, who, me=self._snapshot.settings.name))

    def _bearers(self, source: Source | None) -> "_Bearers | None":
        if source is None:
            return None
        return _Bearers(FactSources(source), FactSupport(source, self._snapshot.settings.people))

    def recall_unsaid(self, text: str, prints: Collection[str]) -> tuple[str, list[Problem]]:
        """Return the text without words that an earlier batch gave as said and that nobody said."""
        problems: list[Problem] = []
        for words in find_printed([one for one in prints if int(one.partition("-")[0]) >= _TELLING], text):
            if not self._quotations.stands(words):
                text = re.sub(r"\s+".join(map(re.escape, words.split())), LEFT_OUT, text)
                shown = one_line(words, 80)
                problems.append(
                    Problem("quote", f"“{shown}” was found unsaid when it was told first; it is left out")
                )
                self.unsaid.append(words)
        return text, problems


class _Bearers(NamedTuple):
    """Turns, ready to be asked which of them bears a fact."""

    sources: FactSources
    support: FactSupport


def _locate(turns: _Bearers | None, fact: Fact, known: Sequence[str]) -> tuple[str, str]:
    if turns is None:
        return "", ""
    fresh = replace(fact, value=_without_known(fact.value, known))
    told = next((one for one in (fact, fresh) if one.value and turns.support.is_borne(one)), None)
    return turns.sources.locate(told) if told is not None else ("", "")


def _without_known(value: str, known: Sequence[str]) -> str:
    """Return the parts of a value that no known value has; "" for none."""
    words = telling(" ".join(known))
    numbers = {*_DIGITS.findall(" ".join(known))}
    plain = [one.casefold() for one in known]

    def is_known(part: str) -> bool:
        mine = telling(part)
        same = mine and mine <= words and numbers.issuperset(_DIGITS.findall(part)) and not NO.search(part)
        return bool(same) or any(part.casefold() in one for one in plain)

    return ", ".join(part for part in PART.split(value) if not is_known(part))


_DIGITS = late(r"\d+")


def _beginnings(text: str) -> Collection[str]:
    """Return the beginnings of the words of four letters and more, in scripts without spaces of all pairs."""
    found: set[str] = set()
    for word in re.findall(r"[^\W\d_]+", fold(text)):
        if BORDERLESS.search(word):
            found.update(word[at : at + 2] for at in range(len(word) - 1))
        elif len(word) >= _BEGINNING:
            found.add(word[:_BEGINNING])
    return found


def _is_reckoned(one: UngroundedDetail, days: Sequence[date]) -> bool:
    """Return whether a number counts the time between two sessions, or is the day of the month of one."""
    claim, text = re.escape(even(one.claim)), even(one.sentence)
    values = {value for number in numbers(even(one.claim), even(one.claim)) for value in number.values}
    if re.search(rf"(?i)\bthe {claim}\b", text):
        return any(day.day in values for day in days)
    found = re.search(rf"(?i)\b{claim} (day|week|month)s? (?:later|after|before|earlier|on)\b", text)
    if found is None:
        return False
    size = _SIZES[found[1].lower()]
    gaps = {(other - day).days for day in days for other in days if other > day}
    return any(abs(gap - value * size) < max(1, size / 2) for gap in gaps for value in values)


_SIZES = {"day": 1, "week": 7, "month": 30.4}
"""Days in a unit of time."""


def _clauses(text: str) -> Iterator[tuple[str, str]]:
    """Yield each sentence of a text with each of its clauses."""
    plain = mask_quoted(even(text))
    for first, last in sentences(plain):
        sentence = plain[first:last]
        yield from ((sentence, clause) for clause in clauses(sentence) if "?" not in sentence)


def _paragraphs(text: str) -> list[str]:
    return [part for part in _PARAGRAPH.split(text) if part.strip()]


def quotations_of(text: str, persona: str = "", user: str = "") -> Iterator[tuple[str, Sequence[str]]]:
    """Yield each quotation of a text and its parts between gaps, without mere scare quotes."""
    for one in find_quoted_words(text, persona, user):
        yield (
            one.inside,
            [bare for part in split_gaps(one.inside) if (bare := part.strip(" ,;:").rstrip(".!?"))],
        )


def _persona_turns(snapshot: Snapshot, parts: Mapping[str, Ranges]) -> frozenset[tuple[str, int]]:
    """Return the messages of the persona in some sessions, by session and number."""
    found: set[tuple[str, int]] = set()
    for session in parts:
        with suppress(ReelError):
            shown = read_session(snapshot, session).shown()
            found.update((session, one.number or 0) for one in shown if one.message.role == "assistant")
    return frozenset(found)


def _entries(snapshot: Snapshot, parts: Mapping[str, Ranges]) -> Iterator[tuple[str, Entry]]:
    for session, ranges in parts.items():
        try:
            shown = read_session(snapshot, session).shown()
        except ReelError:
            continue
        for entry in shown:
            if holds(ranges, entry.number or 0):
                yield day_said(session, entry.message.time or ""), entry
