"""The beginning of a text as a title that reads whole."""

import re

from reel_cli.core.sentence_end import find_ends

ROOM = 64
"""Characters of a title, at most, beside the sign that there is more."""
FEW = 16
"""Characters below which a clause is too short to be a title."""
_DAY = re.compile(r"(?i)^(?:on|am|le)?\s*\d{1,2}\.? (?:of )?[^\W\d]{3,9},? \d{4},?\s+")
_SENTENCE = re.compile(r"(?<=[^\W\d]{2})[.!?。！？](?=\s|$)|[。！？]")
_CLAUSE = re.compile(r"[,;:–—](?=\s)|\s(?=(?:and|but|because|while|when|who|which|that)\s)")
_OPEN = frozenset(
    [
        "a",
        "an",
        "and",
        "as",
        "at",
        "be",
        "been",
        "being",
        "but",
        "by",
        "for",
        "from",
        "had",
        "has",
        "have",
        "her",
        "his",
        "i",
        "in",
        "into",
        "is",
        "it",
        "its",
        "me",
        "my",
        "no",
        "not",
        "of",
        "on",
        "or",
        "our",
        "she",
        "he",
        "so",
        "that",
        "the",
        "their",
        "then",
        "there",
        "they",
        "this",
        "to",
        "was",
        "we",
        "were",
        "when",
        "which",
        "who",
        "whom",
        "whose",
        "will",
        "with",
        "would",
        "you",
        "your",
    ]
)
"""Words after which a sentence cannot end."""


def first_clause(text: str) -> str:
    """Return the first sentence of a text where it is short; else its first clause or words, and an ellipsis.

    A day at the very beginning is left out, since a memory has its day beside its title.
    """
    line = " ".join(text.split())
    line = _DAY.sub("", line) or line
    line = f"{line[:1].upper()}{line[1:]}"
    end = next(find_ends(_SENTENCE, line), None)
    sentence = line[: end.start()] if end is not None else line.rstrip(".")
    if len(sentence) <= ROOM:
        return sentence
    for found in reversed(list(_CLAUSE.finditer(sentence, FEW, ROOM))):
        clause = sentence[: found.start()]
        if clause.rpartition(" ")[2].casefold() not in _OPEN:
            return f"{clause.rstrip(',;:–—')}…"
    words = sentence[: ROOM + 1].rpartition(" ")[0].split() or [sentence[:ROOM]]
    while len(words) > 2 and words[-1].casefold() in _OPEN:
        words.pop()
    return f"{' '.join(words).rstrip(',;:–—')}…"
