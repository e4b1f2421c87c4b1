"""Clauses of a memory that deny what was said, or say what was denied, of one thing."""

import re
from collections.abc import Iterator

from reel_cli.core.evidence.grounding.lexicon import (
    NEGATORS,
    clauses,
    quote_key,
    sentences,
    spelt_out,
    stem,
    stems,
)
from reel_cli.core.evidence.grounding.polarity import Statement, polarity
from reel_cli.core.evidence.grounding.scenes import content
from reel_cli.core.evidence.grounding.source import Passage, Source
from reel_cli.core.evidence.grounding.words import word_forms
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
    rf"\b(?:{'|'.join(sorted(NEGATORS))}|fail\w*|miss\w*|lost|lose|losing|instead|stop\w*|quit"
    r"|refus\w*|doubt\w*|afraid|scared|alone|without|forbid\w*|forbad\w*|won't|can't"
    r"|unable|prevent\w*|bann\w*|avoid\w*)\b"
)
"""Words with which a denial may come: `I missed it` bears that somebody was not there."""
_REFUSED = re.compile(
    r"\W*(?:\w+[,!.]?\s+){0,2}?(?:no|nah|nope|not yet|never|i haven't|i don't|sadly|unfortunately)\b"
)
_DENIES = re.compile(r"\b(?:not|never)\b")
_OPEN = re.compile(
    r"(?i)\b(?:whether|if|unless|might|maybe|perhaps|wonder\w*|nothing|nobody|none|no one|neither|without"
    r"|until|before|only|just)\b|\?"
)
_TELLS = re.compile(
    r"\b(?:not|never)\s+(?:\w+\s+)?(?:tell|told|ask\w*|say|said|mention\w*|know|knew|think|thought|show\w*|press\w*|speak"
    r"|spoke\w*|answer\w*|forget|alone|mind|sure|need|worry|hesitate|believe|wait)\b"
)
_FIRST_TIME = re.compile(
    r"(?:\b(?:have|has|had)|'d|'ve|'s) (?:not|never)\b.*\b(?:been|seen|visited|met|heard|read|\w+ before)\b"
)
"""Pattern of denials of what was not so until then."""
_UNSURE = re.compile(r"\b(?:not sure|unsure|not certain|doubts)\s+(?:that|if|whether)?\s*(.+)")
_HOPES = re.compile(r"(?i)\b(?:sure|if|hope)\b")
_RUN = 4
"""Words in a row that were said."""
_SAME = 60
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
            said = (
                _doubted(clause, sentence, source)
                or _asserted(clause, source)
                or _denied(clause, sentence, words, source)
                or _opposite(clause, words, source)
            )
            if said is not None:
                lead = len(clause) - len(clause.lstrip(" ,:()"))
                yield Reversal(start + lead, end, tuple(words), source.passage(said))


def _doubted(clause: str, sentence: str, source: Source) -> Statement | None:
    """Return what somebody said in so many words, if a clause has them unsure of it."""
    match = _UNSURE.search(spelt_out(sentence))
    if match is None or ("sure" not in clause and "doubt" not in clause and "certain" not in clause):
        return None
    words = quote_key(match[1]).split()[-_RUN:]
    if len(words) < _RUN:
        return None
    key = f" {' '.join(words)} "
    said = [one for one in source.statements if not one.whole and key in quote_key(one.text)]
    unsure = [one for one in said if one.text.endswith("?") or _HOPES.search(one.text)]
    return said[0] if said and not unsure else None


def _asserted(clause: str, source: Source) -> Statement | None:
    """Return the question that was answered with no, if a clause says that it is so."""
    if polarity(clause).says_no or _OPEN.search(clause):
        return None
    told = frozenset(stems(clause))
    asked = (one for one in source.statements if one.text.endswith("?") and one.unsure == one.stems)
    return next((one for one in asked if len(one.stems) >= _FEWEST and one.stems <= told), None)


def _denied(clause: str, sentence: str, words: list[str], source: Source) -> Statement | None:
    """Return the statement that a clause denies, where nothing was denied of the same things."""
    plain = spelt_out(clause)
    if (
        not (
            _DENIES.search(plain) and polarity(clause).says_no and not _FIRST_TIME.search(spelt_out(sentence))
        )
        or _OPEN.search(clause)
        or _TELLS.search(plain)
    ):
        return None
    denied = [word for word in words if stem(word) in polarity(clause).denied]
    patterns = [word_forms(word) for word in denied or words]
    for turn, before in zip(source.turns, ["", *source.turns], strict=False):
        if _REFUSED.match(turn) and any(one.stands_in(before) for one in patterns):
            return None
        for line in re.split(r"(?<=[.!?])\s+", turn):
            if _NO.search(spelt_out(line)) and any(one.stands_in(line) for one in patterns):
                return None
    best, most = None, 0
    for one in source.statements:
        text = one.text.casefold()
        if one.whole or not any(pattern.stands_in(text) for pattern in patterns):
            continue
        if one.unsure:
            # a question that was answered with no, or what may have been so
            return None
        if one.text.endswith(("?", "]")):
            continue
        shared = sum(word_forms(word).stands_in(text) for word in words)
        if shared > most:
            best, most = one, shared
    return best if best is not None and most * 100 >= _SAME * len(words) else None


def _opposite(clause: str, words: list[str], source: Source) -> Statement | None:
    """Return the statement that tells the same with the opposite of one of a clause's words."""
    if polarity(clause).says_no or _OPEN.search(clause):
        return None
    for word in words:
        for other in _opposites_of(word):
            rest = [one for one in words if one != word]
            mine, theirs = word_forms(word), word_forms(other)
            best, most, rival = None, 0, 0
            for one in source.statements:
                text = one.text.casefold()
                if one.whole or not (theirs.stands_in(text) or mine.stands_in(text)):
                    continue
                shared = sum(word_forms(part).stands_in(text) for part in rest)
                if one.denied or one.unsure or mine.stands_in(text):
                    rival = max(rival, shared)
                elif shared > most:
                    best, most = one, shared
            if best is not None and most >= _FEWEST and most * 100 >= _SAME * len(rest) and rival < most:
                return best
    return None


def _opposites_of(word: str) -> Iterator[str]:
    root = stem(word)
    for one, other in _OPPOSITES:
        for mine, theirs in ((one, other), (other, one)):
            if root in map(stem, mine.split()):
                yield from theirs.split()
