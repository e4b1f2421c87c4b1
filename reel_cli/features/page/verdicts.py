"""Verdicts in a checkpoint's free text: yes, partly, no, or unsure (REEL §6.6).

A verdict that is absent, negated or given twice over is unsure; none is guessed from the mood of the rest.
"""

import re
from collections.abc import Sequence

from reel_cli.core.evidence.phrases import fold
from reel_cli.core.pattern import late
from reel_cli.core.values.artifact import Verdict

_SOMEWHAT = (
    r"partly|partially|mostly|somewhat|in part|not (?:quite|entirely|fully|wholly|all)\b|more or less|kind of"
    r"|sort of|almost|largely|half\b"
)
_DOUBTFUL = (
    r"(?:i )?(?:really |honestly )?(?:can't|cannot|can not|couldn't) (?:quite |really )?(?:tell|say)|unsure"
    r"|not (?:so |quite )?sure|unclear|uncertain|hard to (?:say|tell)|(?:i )?(?:don't|do not) know"
)
_DENIED = (
    r"no\b(?! (?:doubt|question)\b)|not\b|nope\b|never\b|hardly|barely|false\b"
    r"|i(?:'m| am| was|'ve been) (?:not|no)\b(?! (?:quite|entirely|fully|wholly|all|sure)\b)"
    r"|i wasn't(?! (?:quite|sure))|no longer\b"
)
_AFFIRMED = (
    r"yes\b|yeah\b|yep\b|very much|fully|entirely|wholly|completely|absolutely|definitely|of course"
    r"|no (?:doubt|question)\b|i (?:think|believe) so"
    r"|(?:i'm |i am )?still (?!not\b|un|no\b|somewhat|only|partly|in doubt|a\b)\w+"
    r"|(?:i am|i'm|i was)\b(?! (?:not|no|un\w+|partly|mostly|somewhat|hardly|almost)\b)"
    r"|strong|intact|stable|high\b|solid|coherent|true\b"
)
_COHERENCE = (
    (Verdict.UNSURE, _DOUBTFUL),
    (Verdict.PARTLY, _SOMEWHAT),
    (Verdict.NO, _DENIED),
    (Verdict.YES, _AFFIRMED),
)
_WITHIN = (
    (Verdict.UNSURE, _DOUBTFUL),
    (Verdict.PARTLY, _SOMEWHAT),
    (Verdict.NO, r"(?:not|no longer|wasn't|isn't) (?:really |at all )?(?:me|my|myself)\b"),
    (Verdict.YES, _AFFIRMED),
)
_QUALIFIED = late(rf"\W*(?:but |though |and |well |only |or )*(?:{_SOMEWHAT})")

_STEADY = r"steady|stable|no drift|not shifted|nothing (?:has )?shifted|no shift|none|unchanged|consistent"
_SHIFTED = (
    r"(?:(?:slightly|somewhat|a bit|a little|mostly|clearly|i|i've|it|has|have|something) )*"
    r"(?:shifted|drifted|drift detected|slipped)(?: (?:slightly|somewhat|a bit|a little))?"
)
_UNSURE = r"unsure|uncertain|can't tell|cannot tell|not sure|undecided"
_WORDS = ((Verdict.UNSURE, _UNSURE), (Verdict.NO, _STEADY), (Verdict.YES, _SHIFTED))
_ANY = rf"{_UNSURE}|{_STEADY}|{_SHIFTED}"
_LEADING = late(rf"(?P<word>{_ANY})(?P<rest>\s*[^\w\s].*)?")
_CLOSING = late(rf"(?:[.!?;:—]|\s-)\W*(?P<word>{_ANY})\W*$")
_NAMED = late(r"(?:verdict|overall|word|in a word|one word|answer|so|we're|i'm|i am)\s*[:,-]?\s+")
_SPOKEN = late(r"\b(?:steady|shifted|unsure)\b")
_UNSHIFTED = late(r"\b(?:nothing (?:has )?shifted|no drift|has not shifted|hasn't shifted)\b")
_SHOWN_LINES = 3
_LONGEST = 2_000
_LAST = 200
"""Characters at its end within which a verdict may be; elsewhere it begins a line."""

_DECLINES = late(
    r"\W*(?:(?:honestly|really|probably|perhaps|i think|well|as for who i am on paper)\W+)*"
    r"(?:no\b|not\b|nothing\b|none\b|false\b|never\b|n/?a\b|nope\b|i (?:wouldn't|would not|won't)\b"
    r"|(?:i'd |i would )?(?:leave|keep) (?:it|that|everything|all)\b|unchanged\b|as it is\b"
    r"|(?:it |that |all )?(?:still )?(?:holds|stands|fits|stays)\b"
    r"|(?:the|my|this) \w+ (?:is|are) (?:fine|right|good|true))"
)


def read_coherence(text: str) -> Verdict:
    """Return whether the persona is still itself: the first sentence's first verdict, else unsure."""
    head = re.sub(r"^(?:answer|verdict)\s*:\s*", "", fold(text[:_LONGEST]).lstrip("\"'*-. "))
    sentence = re.split(r"(?<=[.!?;])\s|,|\n", head, maxsplit=1)[0][:120]
    for verdict, pattern in _COHERENCE:
        found = re.match(rf"(?:{pattern})", sentence)
        if found and verdict is Verdict.YES and _QUALIFIED.match(head[found.end() :]):
            return Verdict.PARTLY
        if found:
            return verdict
    for verdict, pattern in _WITHIN:
        found = re.search(rf"\b(?:{pattern})", sentence)
        if found and verdict is Verdict.YES and _QUALIFIED.match(head[found.end() :]):
            return Verdict.PARTLY
        if found:
            return verdict
    return Verdict.UNSURE


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
    if re.match(r"(?:no|false|n|steady|none|not|nothing)\b", said):
        return Verdict.NO
    return None


def suggests_change(text: str) -> bool:
    """Return whether the words suggest a change of ring 0, and do not decline one."""
    return bool(text.strip()) and not _DECLINES.match(fold(text[:_LONGEST]))


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
