"""Checks of a batch's text against the tape: quotations, claims, and the sources of facts."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from reel_cli.core.errors import ReelError
from reel_cli.core.evidence.grounding.check import Claim, Stretch, find_ungrounded
from reel_cli.core.evidence.memory_check import TapeEvidence, told
from reel_cli.core.evidence.phrases import QUOTED, Tape, fold, quotations
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.tape.session_file import parse_session, read_said
from reel_cli.core.tape.tape_view import read_session
from reel_cli.core.values.artifact import Problem
from reel_cli.core.values.change import one_line
from reel_cli.core.values.fact import Fact
from reel_cli.core.values.source import Ranges, holds
from reel_cli.core.values.talk import Entry, SourceRange, session_path
from reel_cli.features.facts.source import FactSources

_GAP = re.compile(r"\s*(?:\.\.\.|…|\[[^\]\n]*\])\s*")
_EDGE = " ,;:"
_SHORT = 2
"""Words between quotation marks up to which they may be no quotation."""
MOST_TOLD = 12
_NEARLY = 9_000
"""Likeness in ten-thousandths below which a quotation is no misquotation but has words of its own."""
_SOUGHT = 100
"""Maximum number of unsaid quotations for which the nearest said one is looked for; that takes long."""


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
        self._entries = list(_entries(snapshot, parts))
        self._tape = Tape([entry for _, entry in self._entries])
        spans = [SourceRange(s, first, last) for s, pairs in parts.items() for first, last in pairs]
        self._source = TapeEvidence(snapshot).source(spans, put_right)
        self._sources: FactSources | None = None
        self._elsewhere: dict[str, bool] = {}
        self._sought = 0
        self.unsaid: list[str] = []
        """The quotations that nobody said, and that lost their marks."""
        self.pointed: list[str] = []
        """The words that something is to be said of, as they stand in what was held against the tape."""
        quoted = [part for text in texts for inside in quotations(text) for part in _parts(inside)]
        self._look_elsewhere([words for part in quoted if (words := _bare(part)) and not self._is_here(part)])

    def mend_quotes(self, text: str) -> tuple[str, list[Problem]]:
        """Return the text with each quotation as it was said; unsaid ones lose their quotation marks."""
        problems: list[Problem] = []
        nearly = max(_NEARLY, self._snapshot.settings.anchor_similarity)

        def mended(found: re.Match[str]) -> str:
            inside = next(part for part in found.groups() if part).strip()
            if len(inside.split()) <= _SHORT or all(map(self._stands, _parts(inside))):
                return found[0]
            shown = one_line(inside, 80)
            self._sought += 1
            near = self._tape.nearest(inside) if self._sought <= _SOUGHT else None
            self.pointed.append(inside if near is None or near.likeness < nearly else near.text)
            if near is not None and near.likeness >= nearly:
                problems.append(
                    Problem("quote", f"“{shown}” was said otherwise; now “{one_line(near.text, 80)}”")
                )
                return f"{found[0][0]}{near.text}{found[0][-1]}"
            problems.append(
                Problem("quote", f"“{shown}” was never said so; its quotation marks were taken off")
            )
            self.unsaid.append(inside)
            return inside

        text = QUOTED.sub(mended, text)
        if len(problems) > MOST_TOLD:
            more = f"{len(problems) - MOST_TOLD:,} more quotations like that"
            problems = [*problems[:MOST_TOLD], Problem("quote", more)]
        return text, problems

    def mark_proposals(self, text: str) -> str:
        """Return advice with words that nobody said yet in single quotation marks."""

        def marked(found: re.Match[str]) -> str:
            inside = next(part for part in found.groups() if part).strip()
            said = len(inside.split()) <= _SHORT or all(map(self._stands, _parts(inside)))
            return found[0] if said else f"‘{inside}’"

        return QUOTED.sub(marked, text)

    def _stands(self, words: str) -> bool:
        """Return whether words were said, letter for letter, in this stretch or anywhere on the tape."""
        bare = _bare(words)
        if self._is_here(words):
            return True
        if bare not in self._elsewhere:
            self._look_elsewhere([bare])
        return self._elsewhere[bare]

    def _is_here(self, words: str) -> bool:
        plain, bare = words.strip(_EDGE), _bare(words)
        return bool(self._tape.find(plain) or (bare and self._tape.find(bare)))

    def _look_elsewhere(self, phrases: Sequence[str]) -> None:
        """Find out which of these another session has: the tape is gone through once for all of them."""
        found = find_on_tape(self._snapshot, phrases, reversed(self._snapshot.sessions)) if phrases else ()
        self._elsewhere |= {phrase: phrase in found for phrase in phrases}

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
            and (one.kind is not Claim.QUOTE or not all(map(self._stands, _parts(one.claim))))
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


def _parts(quotation: str) -> list[str]:
    """Return the parts of a quotation that must have been said: it may leave out something in between."""
    return [part for part in _GAP.split(quotation) if part.strip()]


def _bare_name(claim: str) -> str:
    """Return a name without its genitive: `Rome` of `Rome's`."""
    return re.sub(r"['’]s?$", "", claim)


def _bare(words: str) -> str:
    return words.strip(_EDGE).rstrip(".!?")


def quotations_of(text: str) -> Iterator[tuple[str, Sequence[str]]]:
    """Yield each quotation of a text and its parts between gaps, without mere scare quotes."""
    for match in QUOTED.finditer(text):
        inside = next(part for part in match.groups() if part).strip()
        if len(inside.split()) > _SHORT:
            parts = (part.strip(" ,;:").rstrip(".!?") for part in _GAP.split(inside))
            yield inside, [part for part in parts if part.strip()]


def is_on_tape(snapshot: Snapshot, words: str, sessions: Iterable[str]) -> bool:
    """Return whether words were said in one of some sessions, letter for letter."""
    return bool(find_on_tape(snapshot, [words], sessions))


def find_on_tape(snapshot: Snapshot, wanted: Sequence[str], sessions: Iterable[str]) -> frozenset[str]:
    """Return which of some words were said in one of these sessions, letter for letter.

    Each session is read once and not kept. Raises StateError where one is damaged.
    """
    # a look at the bytes shows for nearly every session that it need not be parsed
    open_ = {words: _likely(words) for words in wanted if re.search(r"\w", words)}
    found: set[str] = set()
    for session in sessions:
        if not open_:
            break
        path = session_path(session)
        data = snapshot.tree.read(path) or b""
        lower = data.lower()
        folded = data.decode("utf-8", "replace").casefold() if not all(map(str.isascii, open_)) else ""
        likely = [words for words, looks in open_.items() if looks(lower, folded)]
        if likely:
            tape = Tape(parse_session(data, path).shown())
            found.update(words for words in likely if tape.find(words))
            open_ = {words: looks for words, looks in open_.items() if words not in found}
    return frozenset(found)


def _likely(words: str) -> Callable[[bytes, str], bool]:
    """Return a test of whether words may occur in a session, by its lower-case bytes or folded text."""
    if words.isascii():
        parts = re.findall(rb"[a-z0-9]+", words.lower().encode())
        longest = max(parts, key=len, default=b"")
        bare = re.compile(rb"[^a-z0-9]{0,16}".join(parts))
        return lambda lower, _: longest in lower and bare.search(lower) is not None
    told = re.findall(r"\w+", words.casefold())
    most = max(told, key=len)
    pattern = re.compile(r"\W{0,8}".join(map(re.escape, told)))
    return lambda _, folded: most in folded and pattern.search(folded) is not None


def _entries(snapshot: Snapshot, parts: Mapping[str, Ranges]) -> Iterator[tuple[str, Entry]]:
    for session, ranges in parts.items():
        try:
            shown = read_session(snapshot, session).shown()
        except ReelError:
            continue
        for entry in shown:
            if holds(ranges, entry.number or 0):
                yield session, entry
