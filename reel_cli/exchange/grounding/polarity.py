"""Whether a sentence says yes or no to what another says, where both speak of the same thing."""

import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from reel_cli.exchange.grounding.words import NEGATORS, WORD, bare, clauses, even, sentences, spelt_out, stems

_IDIOMS = re.compile(
    r"\b(?:can not|could not) (?:wait|help|agree more|be (?:happier|prouder|better)|imagine|deny|believe)\b"
    r"|\bnot (?:only|just|sure|bad|to mention|even|yet sure)\b"
    r"|\bno (?:doubt|matter|worries|problem|wonder|need)\b"
    r"|\bnothing but\b|\bnever mind\b|\bwhy not\b|\bif not\b|\bor not\b"
    r"|\bwithout (?:a )?doubt\b"
    r"|\b(?:should|is|are|do|does|did|was|were|has|have|would|could|will) not (?:i|you|we|they|he|she|it)\b"
    r"|\bdo not worry\b|\bdo not you\b|\bis not it\b|^\s*no\b,?"
    r"|\bthan ever\b|\bnot for\b"
)
_OPEN = re.compile(
    r"(?i)\b(?:whether|if|unless|might|maybe|perhaps|wonder(?:s|ed|ing)?|guess|still|yet)\b|\?"
)
_REFUSAL = re.compile(r"(?i)\s*(?:no|nope|not|never|nah|sadly|unfortunately)\b")
_TAG = re.compile(r"(?i),\s*(?:eh|right|yeah|huh|ok|okay|no|mate|hey|you know)\?$")
"""A question that only wants a nod."""
_CONTINUED = re.compile(r"[,;:()]\s")
_STRONG = 0.62
"""The share of a clause that must have been said with a no, where the clause says yes."""
_DENIED = 0.42
"""The share that must have been said, where the clause says no: a denial seldom comes out of nowhere."""
_RIVAL = 0.75
_FEWEST = 2
_TELLING = 2.5
"""The weight of a word that is enough by itself: it was said once or twice."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A stretch of what was said: its message, its stems, how often it says no; None where it is open."""

    turn: int
    text: str
    stems: frozenset[str]
    negated: bool | None


def statements(turn: int, text: str, answer: str = "") -> list[Statement]:
    """The sentences of a message and their clauses, and all of it; `answer` is what was said next.

    A question says neither yes nor no, and stands for nothing, unless it was answered with a no.
    """
    found = []
    plain = even(text)
    refused = bool(_REFUSAL.match(even(answer)))
    told: list[Statement] = []
    mixed = False
    for start, end in sentences(plain):
        sentence = plain[start:end].strip()
        whole = frozenset(stems(sentence))
        if not whole:
            continue
        if sentence.endswith("?") and not _TAG.search(sentence):
            if refused:
                found.append(Statement(turn, sentence, whole, None))
            continue
        parts = [part for part in clauses(sentence) if stems(part)]
        said_no = {_told(part) for part in parts}
        mixed = mixed or said_no != {False}
        if len(said_no) == 1:
            told.append(Statement(turn, sentence, whole, said_no.pop()))
        for part in parts if len(parts) > 1 else ():
            said = frozenset(stems(part))
            found.append(Statement(turn, sentence, said, _told(part)))
    if len(told) > 1 and not mixed:
        longest = max(told, key=lambda one: len(one.stems)).text
        everything = frozenset(word for one in told for word in one.stems)
        found.append(Statement(turn, longest, everything, negated=False))
    return [*told, *found]


_CEASED = re.compile(
    r"(?i)\b(?:suspend|paus|stopp?|cancel|quit|refus|fail|avoid|prevent)\w*|\b(?:unable|instead of|except)\b"
)
"""Words that say no without a no: such a clause may be told either way."""
_MISSED = re.compile(
    r"(?i)\b(?:lost|lose[sd]?|losing|miss(?:ed|es|ing)?|lack(?:s|ed)?|reject\w*|declin\w*|turned down)\b"
)
"""Words that a no may be told with."""


_UNTOLD = re.compile(
    r"\b(?:nobody|not|never|no one)\b[^,.;]*"
    r"\b(?:told|tell|said|say|mention\w*|know|knew|think|thought|expect\w*|notic\w*|reali[sz]\w*)\b"
)
"""`Nobody told me that it is so`: then it may well be so."""


def _told(clause: str) -> bool | None:
    """Whether what was said is a no; None where it may be told either way."""
    return None if _UNTOLD.search(spelt_out(clause)) else is_negated(clause)


@lru_cache(maxsize=10_000)
def is_negated(text: str) -> bool | None:
    """Whether a clause says no, idioms apart; None where it may be told either way."""
    if _CEASED.search(text):
        return None
    plain = _IDIOMS.sub(" ", spelt_out(text))
    return sum(bare(match[0]) in NEGATORS for match in WORD.finditer(plain)) % 2 == 1


def contradiction(
    clause: str, sentence: str, said: Sequence[Statement], weight: Callable[[str], float]
) -> Statement | None:
    """What was said that the clause turns into its opposite; None where nothing is that much alike.

    `weight` tells how much a stem says.
    """
    if _OPEN.search(clause):
        return None
    mine = is_negated(clause)
    if mine is None or (not mine and _MISSED.search(clause)):
        return None
    wanted = frozenset(stems(clause))
    if mine and len(wanted) < 3:
        wanted = frozenset(stems(_CONTINUED.split(sentence[max(0, sentence.find(clause)) :])[0]))
    weights = {word: heavy for word in wanted if (heavy := weight(word))}
    wanted = frozenset(weights)
    total = math.fsum(weights.values())
    heaviest = max(weights.values(), default=0.0)
    fewest = 1 if mine and len(wanted) == 1 and total >= _TELLING else _FEWEST
    if len(wanted) < fewest:
        return None

    def likest(stated: Iterable[Statement]) -> tuple[float, Statement | None]:
        best: tuple[float, Statement | None] = (0.0, None)
        for one in stated:
            shared = wanted & one.stems
            denied = mine and one.negated is not False
            more = 1.6 if denied else 1
            may_be = len(shared) * heaviest / total * more > best[0]
            if may_be and len(shared) >= (1 if denied else fewest):
                score = math.fsum(map(weights.__getitem__, shared)) / total * more
                if score > best[0]:
                    best = (score, one)
        return best

    # most clauses have no counterpart, and then what says the same need not be looked at
    score, other = likest(one for one in said if one.negated is (not mine))
    if other is None or score < (_DENIED if mine else _STRONG):
        return None
    rival, _ = likest(one for one in said if one.negated is not (not mine))
    return other if rival < score * _RIVAL else None
