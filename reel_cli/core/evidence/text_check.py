"""Texts of a persona's own, held against the tape: quotations as they were said, and doubted details."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from reel_cli.core.evidence.grounding.check import Claim, Stretch
from reel_cli.core.evidence.memory_check import TapeEvidence, told
from reel_cli.core.evidence.quotation_check import QuotationCheck
from reel_cli.core.evidence.verdict import Verdict
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.values.artifact import Problem
from reel_cli.core.values.talk import SourceRange

_PARAGRAPH = re.compile(r"\n[ \t]*\n|\n(?=[ \t]*(?:[-*+•]|\d+[.)])[ \t])")
_SETTLED = frozenset((Claim.QUOTE, Claim.ANCHOR))
"""Kinds of claims that the check of quotations has put right."""


class HeldText(NamedTuple):
    """A text with its quotations as they were said, and what the tape does not bear of it."""

    text: str
    problems: Sequence[Problem] = ()


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
        held.append(HeldText(mended.text, (*mended.problems, *doubts)))
    return held
