"""Checks of a batch's text against the tape: quotations, claims, and the sources of facts."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from reel_cli.core.errors import ReelError
from reel_cli.core.evidence.grounding.check import Claim, Stretch, find_ungrounded
from reel_cli.core.evidence.memory_check import TapeEvidence, told
from reel_cli.core.evidence.phrases import fold
from reel_cli.core.evidence.quotation_check import QuotationCheck, split_gaps
from reel_cli.core.evidence.quoted_words import find_quoted_words
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.tape.session_file import read_said
from reel_cli.core.tape.tape_view import read_session
from reel_cli.core.values.artifact import Problem
from reel_cli.core.values.fact import Fact
from reel_cli.core.values.source import Ranges, holds
from reel_cli.core.values.talk import Entry, SourceRange, session_path
from reel_cli.features.facts.source import FactSources

MOST_TOLD = 12


class Checks:
    """One batch's stretch of tape, ready to be asked what it bears."""

    def __init__(
        self,
        snapshot: Snapshot,
        parts: Mapping[str, Ranges],
        before: Iterable[str],
        texts: Sequence[str] = (),
        put_right: Sequence[tuple[str, str]] = (),
    ) -> None:
        """Prepare the checks; `before` is what earlier batches wrote, whose names need no second source.

        `texts` is what will be asked about, where it is known: then the tape is gone through once for it.
        `put_right` are (session, words) that the prompt tells of beside the stretch.
        """
        self._snapshot = snapshot
        self._before = before
        self._quotations = QuotationCheck(snapshot, list(_entries(snapshot, parts)), texts)
        spans = [SourceRange(s, first, last) for s, pairs in parts.items() for first, last in pairs]
        self._source = TapeEvidence(snapshot).source(spans, put_right)
        self._sources: FactSources | None = None
        self.unsaid: list[str] = []
        """The quotations that were left out, since nobody said them, or another did."""
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
            Stretch(" ".join(part.split()), ((0, 1),), open=is_open)
            for group, is_open in ((texts, False), (unsettled, True))
            for text in group
            for part in re.split(r"\n[ \t]*\n|\n(?=[ \t]*(?:[-*+•]|\d+[.)])[ \t])", text)
            if part.strip()
        ]
        found = find_ungrounded(stretches, self._source, most=MOST_TOLD)
        kept = [
            one
            for one in found
            if one.kind is not Claim.NEGATION
            and (one.kind is not Claim.QUOTE or not self._quotations.stands(one.claim))
        ]
        told_before = self._told_before({fold(one.claim) for one in kept})
        kept = [one for one in kept if fold(one.claim) not in told_before]
        said = self._named_elsewhere({_bare_name(one.claim) for one in kept if one.kind is Claim.NAME})
        kept = [one for one in kept if one.kind is not Claim.NAME or _bare_name(one.claim) not in said]
        self.pointed += [one.sentence for one in kept]
        problems = [Problem(f"grounding.{one.kind.value}", told(one)) for one in kept[:MOST_TOLD]]
        if len(kept) > MOST_TOLD:
            problems.append(Problem("grounding", f"{len(kept) - MOST_TOLD:,} more details like that"))
        return problems

    def _told_before(self, claims: set[str]) -> set[str]:
        """Return which of the claims an earlier batch also made."""
        found: set[str] = set()
        words = {claim: re.findall(r"[a-z0-9]+", claim) for claim in claims}
        for text in self._before if claims else ():
            # folding is slow, and a story is as long as a book
            lowered = text.lower()
            likely = [claim for claim in claims - found if all(word in lowered for word in words[claim])]
            folded = fold(text) if likely else ""
            found.update(claim for claim in likely if claim in folded)
        return found

    def _named_elsewhere(self, claims: set[str]) -> frozenset[str]:
        """Return which of the names occur in another session."""
        found: set[str] = set()
        for session in reversed(self._snapshot.sessions) if claims else ():
            path = session_path(session)
            data = self._snapshot.tree.read(path)
            try:
                text = read_said(data, path)[1].decode("utf-8", "replace") if data is not None else ""
            except ReelError:
                continue
            found.update(
                name for name in claims - found if name in text and re.search(rf"\b{re.escape(name)}\b", text)
            )
            if len(found) == len(claims):
                break
        return frozenset(found)

    def locate(self, fact: Fact) -> tuple[str, str]:
        """Return where on the tape a fact comes closest to being said, and that day; ("", "") for nowhere."""
        if self._sources is None:
            self._sources = FactSources(self._source) if self._source is not None else None
        return self._sources.locate(fact) if self._sources is not None else ("", "")


def _bare_name(claim: str) -> str:
    """Return a name without its genitive: `Rome` of `Rome's`."""
    return re.sub(r"['’]s?$", "", claim)


def quotations_of(text: str, persona: str = "", user: str = "") -> Iterator[tuple[str, Sequence[str]]]:
    """Yield each quotation of a text and its parts between gaps, without mere scare quotes."""
    for one in find_quoted_words(text, persona, user):
        yield (
            one.inside,
            [bare for part in split_gaps(one.inside) if (bare := part.strip(" ,;:").rstrip(".!?"))],
        )


def _entries(snapshot: Snapshot, parts: Mapping[str, Ranges]) -> Iterator[Entry]:
    for session, ranges in parts.items():
        try:
            shown = read_session(snapshot, session).shown()
        except ReelError:
            continue
        for entry in shown:
            if holds(ranges, entry.number or 0):
                yield entry
