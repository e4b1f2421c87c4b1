"""How much one text has of another: words in common, and stretches taken over word for word."""

import re
from collections.abc import Sequence

from reel_cli.core.evidence.grounding.words import stem
from reel_cli.core.evidence.phrases import fold, quotations

RUN = 8
"""So many words in a row, the same in both, are taken over."""
LETTERS = 4
"""Shorter words are in every text."""
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
_BORDERLESS = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


def likeness(text: str, other: str) -> float:
    """The share of a text's telling words that the other has too, from 0 to 1."""
    words = _telling(text)
    return len(words & _telling(other)) / len(words) if words else 0.0


def copied_share(text: str, source: str) -> float:
    """The share of a text's words that stand in runs of the source, quotations apart, from 0 to 1."""
    plain = text
    for quoted in quotations(text):
        plain = plain.replace(quoted, " ")
    words = _words(plain)
    if len(words) < RUN:
        return 0.0
    theirs = _words(source)
    runs = {tuple(theirs[i : i + RUN]) for i in range(len(theirs) - RUN + 1)}
    taken = [False] * len(words)
    for i in range(len(words) - RUN + 1):
        if tuple(words[i : i + RUN]) in runs:
            taken[i : i + RUN] = [True] * RUN
    return sum(taken) / len(words)


def _words(text: str) -> Sequence[str]:
    """The words of a text; where a script has no spaces, its characters."""
    found: list[str] = []
    for word in _WORD.findall(fold(text)):
        found.extend(word if _BORDERLESS.search(word) else (word,))
    return found


def _telling(text: str) -> frozenset[str]:
    """The words that tell texts apart, without their endings; where there are no spaces, pairs."""
    found: set[str] = set()
    for word in _WORD.findall(fold(text)):
        if _BORDERLESS.search(word):
            found.update(word[i : i + 2] for i in range(len(word) - 1))
        elif len(word) >= LETTERS or not word.isascii():
            found.add(stem(word))
    return frozenset(found)
