"""Texts of a persona's own, held against the tape: quotations as they were said, and doubted details."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from reel_cli.core.evidence.grounding.check import Claim, Stretch, told
from reel_cli.core.evidence.grounding.lexicon import even, sentences
from reel_cli.core.evidence.quotation_check import QuotationCheck
from reel_cli.core.evidence.tape_evidence import TapeEvidence
from reel_cli.core.evidence.verdict import Verdict
from reel_cli.core.frozen import late
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.values.artifact import Problem
from reel_cli.core.values.talk import SourceRange

_PARAGRAPH = re.compile(r"\n[ \t]*\n|\n(?=[ \t]*(?:[-*+•]|\d+[.)])[ \t])")
_PARTS = re.compile(rf"({_PARAGRAPH.pattern})")
_SETTLED = frozenset((Claim.QUOTE, Claim.ANCHOR))
"""Kinds of claims that the check of quotations has put right."""


_STRIFE = late(
    r"(?i)\b(?:quarrel(?:led|ed|s|ling|ing)?|argued (?:with (?:me|him|her|them)|about|over)|our argument"
    r"|(?:we|he and i|she and i) (?:fought|argued)|(?:had|our) (?:a )?(?:fight|row)|fell out with"
    r"|falling[- ]out|(?:shouted|yelled|screamed) at (?:me|him|her)|slammed (?:a|the|my|his|her) door"
    r"|stormed (?:out|off)|broke up with|(?:betrayed|insulted) (?:me|him|her)|gestritten|stritten)\b"
)
"""Words for a quarrel, which nothing but a quarrel bears."""
_STRIFE_SAID = late(
    r"(?i)\b(?:quarrel\w*|argu\w+|fight\w*|fought|row|fell out|falling[- ]out|shout\w*|yell\w*|scream\w*"
    r"|slam\w*|storm(?:ed|ing)|broke up|break up|betray\w*|threat\w*|insult\w*|angry|anger\w*|mad|furious"
    r"|upset|hurt\w*|hate\w*"
    r"|sorry|apolog\w*|forgiv\w*|unfair|blam\w*|fault|stop it|shut up|leave me|liar|lied|lying|damn\w*"
    r"|wrong of|how dare|never listen|enough|stritt\w*|streit\w*|gestritten|wütend|leid)\b"
)
"""Words of a tape that a quarrel may be told by."""


class HeldText(NamedTuple):
    """A text with its quotations as they were said, and what the tape does not bear of it."""

    text: str
    problems: Sequence[Problem] = ()
    doubted: Sequence[str] = ()
    """The sentences that the tape does not bear."""


def hold_texts(snapshot: Snapshot, texts: Sequence[str], spans: Sequence[SourceRange]) -> list[HeldText]:
    """Return texts about some stretches of tape without words that nobody said, and the doubts about each."""
    evidence = TapeEvidence(snapshot)
    quotations = QuotationCheck(snapshot, evidence.entries(spans), texts)
    held: list[HeldText] = []
    for text in texts:
        mended = quotations.mend(text)
        parts = [" ".join(part.split()) for part in _PARAGRAPH.split(mended.text) if part.strip()]
        found = evidence.judge_text([Stretch(part, ((0, 1),), told=True) for part in parts], spans)
        doubts = [
            Problem(f"grounding.{one.detail.kind.value}", told(one.detail))
            for one in found
            if one.verdict is Verdict.NOT_BORNE and one.detail.kind not in _SETTLED
        ]
        unborne = [
            one.detail.sentence
            for one in found
            if one.verdict is Verdict.NOT_BORNE and one.detail.kind not in _SETTLED
        ]
        held.append(HeldText(mended.text, (*mended.problems, *doubts), tuple(dict.fromkeys(unborne))))
    return held


def find_untold_quarrels(
    snapshot: Snapshot, texts: Sequence[str], spans: Sequence[SourceRange]
) -> list[Sequence[str]]:
    """Return for each text its sentences that tell of a quarrel, where the tape has no word of one."""
    told = [[one for one in _sentences_of(text) if _STRIFE.search(one)] for text in texts]
    if any(told):
        said = (entry.message.text for entry in TapeEvidence(snapshot).entries(spans))
        if any(_STRIFE_SAID.search(even(text)) for text in said):
            return [()] * len(texts)
    return list(told)


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
