"""The answer to whether something shifted, as a verdict."""

import re
from collections.abc import Sequence

from reel_cli.core.evidence.phrases import fold
from reel_cli.core.exchange.reader import answer_words
from reel_cli.core.frozen import late
from reel_cli.core.values.artifact import Verdict

_STEADY = r"steady|stable|no drift|not shifted|nothing (?:has )?shifted|no shift|none|unchanged|consistent"
_SHIFTED = (
    r"(?:(?:slightly|somewhat|a bit|a little|mostly|clearly|i|i've|it|has|have|something) )*"
    r"(?:shifted|drifted|drift detected|slipped)(?: (?:slightly|somewhat|a bit|a little))?"
)
_UNSURE = r"unsure|uncertain|can't tell|cannot tell|not sure|undecided"
_WORDS = (
    (Verdict.UNSURE, rf"{_UNSURE}|{answer_words.UNCLEAR}"),
    (Verdict.NO, rf"{_STEADY}|{answer_words.STEADY}"),
    (Verdict.YES, rf"{_SHIFTED}|{answer_words.SHIFTED}"),
)
_ANY = "|".join(pattern for _, pattern in _WORDS)
_LEADING = late(rf"(?P<word>{_ANY})(?P<rest>\s*[^\w\s].*)?")
_CLOSING = late(rf"(?:[.!?;:—。！？：]|\s-)\W*(?P<word>{_ANY})\W*$")
_NAMED = late(r"(?:verdict|overall|word|in a word|one word|answer|so|we're|i'm|i am)\s*[:,-]?\s+")
_SPOKEN = late(r"\b(?:steady|shifted|unsure)\b")
_UNSHIFTED = late(r"\b(?:nothing (?:has )?shifted|no drift|has not shifted|hasn't shifted)\b")
_SHOWN_LINES = 3
_LONGEST = 2_000
_LAST = 200
"""Characters at its end within which a verdict may be; elsewhere it begins a line."""


def read_drift(text: str) -> tuple[Verdict, str]:
    """Return whether something shifted, and what is wrong with how it says so ("" for nothing).

    The verdict is a word on a line of its own near the end, or the last sentence.
    """
    lines = [fold(line).strip(" *\"'`_") for line in text.splitlines() if line.strip()]
    for place in range(len(lines) - 1, max(-1, len(lines) - 1 - _SHOWN_LINES), -1):
        found = _line_verdict(lines[place])
        if found is None:
            continue
        verdict, word = found
        others = _others(" ".join((lines[place], *lines[place + 1 :])), verdict)
        if others:
            return Verdict.UNSURE, f"it says both {word} and {others[0]}, so it counts as unsure."
        return verdict, ""
    if _UNSHIFTED.search(fold(text)):
        return Verdict.NO, ""
    return Verdict.UNSURE, "it says neither steady nor shifted, so it counts as unsure."


def read_detected(text: str) -> Verdict | None:
    """Return the protocol's yes or no (`drift_detected`); None if it is neither."""
    said = fold(text).strip(" .*\"'")
    if re.match(rf"(?:{_UNSURE}|maybe|perhaps|possibly|unclear)\b", said):
        return Verdict.UNSURE
    if re.match(r"(?:yes|true|y|shifted|slight|slightly|minor|some|detected)\b", said):
        return Verdict.YES
    if re.match(rf"(?:no|false|n|steady|none|not|nothing)\b|(?:{answer_words.NO})", said):
        return Verdict.NO
    return Verdict.YES if re.match(rf"(?:{answer_words.YES})", said) else None


def _line_verdict(line: str) -> tuple[Verdict, str] | None:
    """Return the verdict that a line is, begins with, or ends with."""
    bare = _NAMED.sub("", line, count=1) if _NAMED.match(line) else line
    found = _LEADING.fullmatch(bare[:_LONGEST]) or _CLOSING.search(line[-_LAST:])
    if not found:
        return None
    word = found["word"]
    return next(((v, word) for v, pattern in _WORDS if re.fullmatch(pattern, word)), None)


def _others(text: str, verdict: Verdict) -> Sequence[str]:
    """Return the prompt's other verdict words on the verdict's line or below it."""
    own = {Verdict.YES: "shifted", Verdict.NO: "steady", Verdict.UNSURE: "unsure"}[verdict]
    plain = re.sub(r"\b(?:not|nothing(?: has)?|no) shifted\b", "", text)
    return [word for word in _SPOKEN.findall(plain) if word != own]
