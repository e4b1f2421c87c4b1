"""Clauses of a memory that repeat a sentence word for word, but for a no."""

import re
from collections.abc import Sequence
from functools import lru_cache

from reel_cli.core.evidence.grounding.lexicon import NEGATORS, clauses, quote_key, spelt_out, stem
from reel_cli.core.evidence.grounding.polarity import IDIOMS, Statement
from reel_cli.core.evidence.grounding.scenes import content
from reel_cli.core.evidence.grounding.source import Source

OPEN = re.compile(
    r"(?i)\b(?:whether|if|unless|might|maybe|perhaps|wonder\w*|nothing|nobody|none|no one|neither|without"
    r"|until|before|only|just)\b|\?"
)
UNSURE = re.compile(r"\b(?:not sure|unsure|not certain|doubts)\s+(?:that|if|whether)?\s*(.+)")
_DROPPED = frozenset(
    word
    for words in (
        "# be have do does did will would can could the a an this that these those it to of really very so",
        "just also too even still super totally kinda pretty quite all always ever yet now then as and but",
    )
    for word in words.split()
)
"""Words without which two sentences are compared, one of which says no."""
_LEAST_SAME = 3
"""Words that stand one after another in both."""
_FEWEST = 2
WISHED = re.compile(r"(?i)\b(?:wish(?:es|ed)?|if only|off)\b")
"""Pattern of a no that no word says: who wishes that something were so has it not."""


@lru_cache(maxsize=4_096)
def _bare_run(text: str) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """Return the stems of a clause in order, without idle words, and before which a no stands."""
    run: list[str] = []
    nos: list[int] = []
    for word in quote_key(IDIOMS.sub(_part_of_idiom, spelt_out(text))).split():
        if word in NEGATORS:
            nos.append(len(run))
        elif word not in _DROPPED:
            run.append(stem(word))
    return tuple(run), tuple(nos)


def _part_of_idiom(match: re.Match[str]) -> str:
    # who cannot let go of something keeps it: the no must not be lost
    return match[0] if "let go" in match[0] else " "


def _says_no(nos: Sequence[int], start: int, size: int) -> bool:
    """Return whether a no stands before a word of this part of a run, or before all of it."""
    return sum(at < start + size for at in nos) % 2 == 1


def _place(long: Sequence[str], short: Sequence[str]) -> int:
    """Return where a run stands in a longer one; -1 for nowhere."""
    size = len(short)
    places = range(len(long) - size + 1)
    return next((at for at in places if tuple(long[at : at + size]) == tuple(short)), -1)


def said_but_for_no(clause: str, sentence: str, source: Source) -> Statement | None:
    """Return the sentence that a clause repeats word for word, but for a no."""
    mine, my_nos = _bare_run(clause)
    if len(mine) < _FEWEST or OPEN.search(clause) or UNSURE.search(spelt_out(sentence)):
        return None
    telling = frozenset(stem(word) for word in content(clause, source)).intersection(mine)
    found, agrees = None, False
    for one in source.statements if telling else ():
        if one.whole or telling.isdisjoint(one.stems) or one.text.endswith("]"):
            continue
        for part in clauses(one.text):
            theirs, nos = _bare_run(part)
            around = len(theirs) >= _FEWEST and len(telling.intersection(theirs)) >= _FEWEST
            within = _place(theirs, mine) if len(mine) >= _LEAST_SAME or mine == theirs else -1
            outer = _place(mine, theirs) if within < 0 and around else -1
            if within < 0 and outer < 0:
                continue
            denied = _says_no(nos, max(within, 0), min(len(mine), len(theirs)))
            denies = _says_no(my_nos, max(outer, 0), min(len(mine), len(theirs)))
            if one.unsure or one.ahead or denied == denies or WISHED.search(one.text):
                agrees = True
            else:
                found = found or one
    return None if agrees else found
