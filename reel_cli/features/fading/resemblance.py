"""Similarity of two texts: words in common, and passages copied word for word."""

import re
from collections.abc import Sequence

from reel_cli.core.evidence.grounding.lexicon import stem
from reel_cli.core.evidence.phrases import fold, quotations

RUN = 8
"""Number of consecutive words, the same in both texts, from which they count as copied."""
LETTERS = 4
"""Letters of a word below which it is in every text."""
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
_BORDERLESS = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


def likeness(text: str, other: str) -> float:
    """Return the share of a text's telling words that the other also has, from 0 to 1."""
    words = _telling(text)
    return len(words & _telling(other)) / len(words) if words else 0.0


def copied_share(text: str, source: str) -> float:
    """Return the share of a text's words in runs copied from the source, without quotations, from 0 to 1."""
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
    """Return the words of a text; where a script has no spaces, its characters."""
    found: list[str] = []
    for word in _WORD.findall(fold(text)):
        found.extend(word if _BORDERLESS.search(word) else (word,))
    return found


def _telling(text: str) -> frozenset[str]:
    """Return the words that tell texts apart, without endings; for scripts without spaces, pairs."""
    found: set[str] = set()
    for word in _WORD.findall(fold(text)):
        if _BORDERLESS.search(word):
            found.update(word[i : i + 2] for i in range(len(word) - 1))
        elif len(word) >= LETTERS or not word.isascii():
            found.add(stem(word))
    return frozenset(found)
