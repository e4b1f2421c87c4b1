"""Texts of a persona's own, held against the tape: quotations as they were said, and doubted details."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from reel_cli.core.evidence.grounding.check import Claim, Stretch, told
from reel_cli.core.evidence.grounding.lexicon import even, sentences, stems
from reel_cli.core.evidence.grounding.strife import has_strife, told_strife
from reel_cli.core.evidence.quotation_check import QuotationCheck
from reel_cli.core.evidence.tape_evidence import TapeEvidence
from reel_cli.core.evidence.verdict import Verdict
from reel_cli.core.frozen import late
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.values.artifact import Problem
from reel_cli.core.values.change import one_line
from reel_cli.core.values.talk import SourceRange

_PARAGRAPH = re.compile(r"\n[ \t]*\n|\n(?=[ \t]*(?:[-*+•]|\d+[.)])[ \t])")
_PARTS = re.compile(rf"({_PARAGRAPH.pattern})")
_SETTLED = frozenset((Claim.QUOTE, Claim.ANCHOR))
"""Kinds of claims that the check of quotations has put right."""


class HeldText(NamedTuple):
    """A text with its quotations as they were said, and what the tape does not bear of it."""

    text: str
    problems: Sequence[Problem] = ()
    doubted: Sequence[str] = ()
    """The sentences that the tape does not bear."""
    unsaid: Sequence[str] = ()
    """The sentences with a number or day that nobody said, and of which nothing said gives another."""


def hold_texts(snapshot: Snapshot, texts: Sequence[str], spans: Sequence[SourceRange]) -> list[HeldText]:
    """Return texts about some stretches of tape without words that nobody said, and the doubts about each."""
    evidence = TapeEvidence(snapshot)
    quotations = QuotationCheck(snapshot, evidence.entries(spans), texts)
    held: list[HeldText] = []
    for text in texts:
        mended = quotations.mend(text)
        parts = [" ".join(part.split()) for part in _PARAGRAPH.split(mended.text) if part.strip()]
        found = evidence.judge_text([Stretch(part, ((0, 1),), told=True) for part in parts], spans)
        doubted = [
            one.detail
            for one in found
            if one.verdict is Verdict.NOT_BORNE and one.detail.kind not in _SETTLED
        ]
        doubts = [Problem(f"grounding.{one.kind.value}", told(one)) for one in doubted]
        sentences_doubted = tuple(dict.fromkeys(one.sentence for one in doubted))
        unsaid = tuple(
            dict.fromkeys(
                one.detail.sentence
                for one in found
                if one.verdict is Verdict.CANNOT_TELL and one.detail.kind in (Claim.NUMBER, Claim.DATE)
            )
        )
        held.append(HeldText(mended.text, (*mended.problems, *doubts), sentences_doubted, unsaid))
    return held


def find_untold_quarrels(
    snapshot: Snapshot, texts: Sequence[str], spans: Sequence[SourceRange]
) -> list[Sequence[str]]:
    """Return for each text its sentences that tell of a quarrel, where the tape has no word of one."""
    told = [[one for one in _sentences_of(text) if any(told_strife(one))] for text in texts]
    if any(told) and has_strife(entry.message.text for entry in TapeEvidence(snapshot).entries(spans)):
        return [()] * len(texts)
    return list(told)


def find_untold_agreements(
    snapshot: Snapshot, texts: Sequence[str], spans: Sequence[SourceRange]
) -> list[Problem]:
    """Return a doubt for each agreement or decision in English texts of which no word was said.

    It may have been told in other words, so that it is only named, and left out by nobody.
    """
    told = [found for text in texts for one in _sentences_of(text) if (found := _AGREED.search(one))]
    if not told:
        return []
    evidence = TapeEvidence(snapshot)
    said = [even(entry.message.text) for entry in evidence.entries(spans)]
    words = {word for text in said for word in stems(text)}
    if not any(map(_ENGLISH.search, said)):
        return []
    problems: list[Problem] = []
    for found in told:
        about = {word for word in stems(_BEHIND.split(found["what"])[0]) if len(word) > 1}
        if len(about) >= _FEWEST and about.isdisjoint(words) and not _OF_NOTHING.search(found["what"]):
            what = f"The summary says that they agreed on “{one_line(found['what'].rstrip(' .!'), 60)}”"
            problems.append(Problem("summary", f"{what}; no word of that was found in the chat."))
    return problems


_AGREED = late(
    r"\b(?:(?:[Ww]e|[Tt]hey|[Bb]oth|I|[Hh]e|[Ss]he|[A-Z][\w-]+) (?:(?:have|has|had|both|then|finally|also) )*"
    r"(?:agreed|decided|resolved|arranged|promised) (?:(?:not )?to|that|on)"
    r"|(?:[Ww]e|[Tt]hey|[Bb]oth) (?:(?:have|had|both|then|finally|also) )*settled on) (?P<what>.+)"
)
"""Pattern of an agreement or decision, and of what it is about; one alone may settle on a sofa."""
_BEHIND = late(r"[,;:–—]|\b(?:because|since|so that|after|before|when|while|until)\b")
_OF_NOTHING = late(r"(?i)\b(?:in touch|each other|one another|together|again|meet\w*|talk\w*|tr(?:y|ied))\b")
"""Words of an agreement on what is seldom named: to stay in touch."""
_ENGLISH = late(r"(?i)\b(?:the|you|and|is|it)\b")
_FEWEST = 2
"""Telling words of an agreement from which all of them may be looked for."""


def leave_out(text: str, doubted: Sequence[str]) -> str:
    """Return a text without some of its sentences, as `HeldText.doubted` has them."""
    if not doubted:
        return text
    parts = _PARTS.split(text)
    for place in range(0, len(parts), 2):
        told = _sentences_of(parts[place])
        if any(one in doubted for one in told):
            plain = " ".join(parts[place].split())
            bounds = sentences(even(plain))
            kept = [plain[a:b].strip() for a, b in bounds if even(plain)[a:b].strip() not in doubted]
            parts[place] = " ".join(kept)
            if not kept and place:
                # the break before it goes with it
                parts[place - 1] = ""
    return "".join(parts).strip()


def _sentences_of(text: str) -> list[str]:
    """Return the sentences of a text's paragraphs, as the verdicts name them."""
    plain = [even(" ".join(part.split())) for part in _PARAGRAPH.split(text)]
    return [part[start:end].strip() for part in plain for start, end in sentences(part)]
