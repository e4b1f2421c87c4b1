"""Clauses of a memory that deny what was said, or say what was denied, of one thing."""

import re
from collections.abc import Iterator

from reel_cli.core.evidence.grounding.lexicon import NEGATORS, clauses, sentences, spelt_out, stem
from reel_cli.core.evidence.grounding.polarity import Statement, polarity
from reel_cli.core.evidence.grounding.scenes import content
from reel_cli.core.evidence.grounding.source import Passage, Source
from reel_cli.core.evidence.grounding.words import word_pattern
from reel_cli.core.frozen import frozen

_OPPOSITES = (
    ("pass", "fail"), ("win", "lose"), ("buy", "sell"), ("accept", "reject refuse decline"),
    ("arrive", "leave"),
    ("love", "hate dislike"), ("begin start", "finish end stop quit"),
    ("attend join march went go", "miss skip"),
    ("marry", "divorce"), ("born", "die"), ("remember", "forget"), ("open", "close shut"), ("keep", "lose"),
    ("improve", "worsen"), ("increase rise", "decrease fall drop"), ("agree", "disagree"), ("hire", "fire"),
    ("succeed", "fail"), ("gain", "lose"), ("easy", "hard difficult tough"), ("calm", "nervous anxious"),
    ("before", "after"), ("older", "younger"), ("better", "worse"), ("married", "divorced single"),
)  # fmt: skip
_NO = re.compile(
    rf"\b(?:{'|'.join(sorted(NEGATORS))}|fail\w*|miss\w*|lost|lose|losing|hard|tough|difficult|instead|stop\w*|quit"
    r"|refus\w*|yet|still|rather|doubt\w*|worr\w*|afraid|scared|but|hope|wish|if)\b"
)
"""Words with which a denial may come: `I missed it` bears that somebody was not there."""
_DENIES = re.compile(r"\b(?:not|never)\b")
_OPEN = re.compile(
    r"(?i)\b(?:whether|if|unless|might|maybe|perhaps|wonder\w*|nothing|nobody|none|no one|neither|without"
    r"|until|before|enough|only|just|even)\b|\?"
)
_TELLS = re.compile(
    r"\b(?:not|never)\s+(?:\w+\s+)?(?:tell|told|ask\w*|say|said|mention\w*|know|knew|think|thought|show\w*|press\w*|speak"
    r"|spoke\w*|answer\w*|forget|alone|mind|sure|need|worry|hesitate|believe|wait)\b"
)
_SAME = 50
_FEWEST = 2


@frozen
class Reversal:
    """A clause that says the opposite of a statement: its place, its telling words, and the statement."""

    start: int
    end: int
    words: tuple[str, ...]
    said: Passage


def reversals(masked: str, source: Source) -> Iterator[Reversal]:
    """Yield the clauses that turn one statement round, where nothing that was said is on their side."""
    for first, last in sentences(masked):
        sentence = masked[first:last]
        if "?" in sentence:
            continue
        at = first
        for clause in clauses(sentence):
            at = masked.index(clause, at)
            start, end = at, at + len(clause)
            at = end
            words = content(clause, source)
            said = _denied(clause, words, source) or _opposite(clause, words, source)
            if said is not None:
                lead = len(clause) - len(clause.lstrip(" ,:()"))
                yield Reversal(start + lead, end, tuple(words), source.passage(said))


def _denied(clause: str, words: list[str], source: Source) -> Statement | None:
    """Return the statement that a clause denies, where nothing was denied of the same things."""
    plain = spelt_out(clause)
    if not _DENIES.search(plain) or _OPEN.search(clause) or _TELLS.search(plain):
        return None
    denied = [word for word in words if stem(word) in polarity(clause).denied]
    if not denied:
        return None
    patterns = [word_pattern(word) for word in denied]
    for turn in source.turns:
        for line in re.split(r"(?<=[.!?])\s+", turn):
            if _NO.search(spelt_out(line)) and any(one.search(line) for one in patterns):
                return None
    best, most = None, 0
    for one in source.statements:
        text = one.text.casefold()
        if one.whole or one.text.endswith("?") or one.unsure:
            continue
        if not any(pattern.search(text) for pattern in patterns):
            continue
        shared = sum(word_pattern(word).search(text) is not None for word in words)
        if shared > most:
            best, most = one, shared
    enough = best is not None and most >= _FEWEST and most * 100 >= _SAME * len(words)
    return best if enough else None


def _opposite(clause: str, words: list[str], source: Source) -> Statement | None:
    """Return the statement that tells the same with the opposite of one of a clause's words."""
    if polarity(clause).says_no or _OPEN.search(clause):
        return None
    for word in words:
        for other in _opposites_of(word):
            rest = [one for one in words if one != word]
            mine, theirs = word_pattern(word), word_pattern(other)
            best, most = None, 0
            for one in source.statements:
                text = one.text.casefold()
                if one.whole or one.denied or one.unsure or not theirs.search(text):
                    continue
                shared = sum(word_pattern(part).search(text) is not None for part in rest)
                if shared > most:
                    best, most = one, shared
            if best is None or most < _FEWEST or most * 100 < _SAME * len(rest):
                continue
            if not any(mine.search(turn) for turn in source.turns):
                return best
    return None


def _opposites_of(word: str) -> Iterator[str]:
    root = stem(word)
    for one, other in _OPPOSITES:
        for mine, theirs in ((one, other), (other, one)):
            if root in map(stem, mine.split()):
                yield from theirs.split()
