"""Confidence that the tape answers a question: a few features of the best turns, and a logistic model.

A word counts by how few turns have it and by how rare it is in any text: if nobody said `turtle`, there is
hardly an answer; if nobody said `state`, there may be one. Words that only say what sort of answer is wanted
do not count, nor does a year in which there were conversations.
"""

import heapq
import sqlite3
from collections.abc import Sequence
from math import exp

from reel_cli.core.frozen import frozen, late
from reel_cli.core.tape.search.forms import ASKING, rarity
from reel_cli.core.tape.search.overview import Overview
from reel_cli.core.tape.search.query import Term, pairs
from reel_cli.core.tape.search.ranking import Ranking

_LOOKED_AT = 10
"""Number of turns, the best first, among which the best moment is looked for."""
_READ = 5
"""Number of turns, the best first, whose sentences are read."""
_READ_LONGEST = 2_000
"""Characters of a turn that are read."""
_STEM = 5
"""Letters by which two words count as one."""
_KOREAN_STEM = 2
_WORD = late(r"[^\W_]+")
_SENTENCE = late(r"(?<=[.!?。！？])\s+|\n+")

FEATURES = (
    "of how rare the words are, those in the best sentence of each of the best turns, on average",
    "how rare the words are that stand nowhere on the tape, together",
    "words in the best sentence",
    "whether a month is named of which the tape has nothing",
    "of what the words weigh, those that stand anywhere on the tape",
    "of how rare the words are, those in the best moment",
    "what the words in the best sentence weigh, in tens",
    "pairs of the question's words that stand side by side, two at most, by the last of these features",
    "words that stand nowhere on the tape",
    "of how rare the words are, those in the best turn",
)
BIAS = -2.63
WEIGHTS = (1.78, -1.35, 0.67, -3.09, -1.74, 3.37, 2.04, 1.13, -0.65, 0.4)
"""Fitted by `python bench/recall.py --fit`: logistic regression on questions put to the tape that holds the
answer and to others, out of four sets. bench/results-recall.md says what it is worth on conversations and on
sets that it was not fitted on."""

THRESHOLD = 0.128
"""Confidence below which even the best is no answer: lets some 96 % of LoCoMo's answerable questions
through, each judged by what was fitted without its own conversation."""

UNSURE = 0.3
"""Confidence below which an answer is unsure if a word that the question hangs on was never said. Of LoCoMo's
answerable questions 3 % are told so, and a third of the unanswerable ones that get an answer."""

DAY_CONFIDENCE = 0.5
"""Confidence in the moments of a month if nothing but the month was asked for."""


@frozen
class _Word:
    """A word asked for: its bit in a mask, its weight on the tape, how rare it is anywhere, its stems."""

    bit: int
    weight: float
    rare: float
    stems: frozenset[str]
    count: int


def judge(file: sqlite3.Connection, ranked: Ranking, overview: Overview) -> float:
    """Return the chance that the tape answers the question, from 0 to 1."""
    if not ranked.scores or not overview.turns:
        return 0.0
    if all(term.kind for term in ranked.terms):
        # of a day alone it is known whether anything was said then
        return 0.0 if ranked.elsewhen else DAY_CONFIDENCE
    found = features(file, ranked, overview)
    total = BIAS + sum(w * f for w, f in zip(WEIGHTS, found, strict=True))
    return 1 / (1 + exp(-max(-30.0, min(30.0, total))))


def lacking_words(ranked: Ranking, overview: Overview) -> list[str]:
    """Return the words that the question hangs on and that stand nowhere on the tape."""
    asked = {word.bit: word for word in _asked_words(ranked, overview)}
    return [
        term.word
        for at, term in enumerate(ranked.terms)
        if (word := asked.get(1 << at)) is not None and not word.count
    ]


def features(file: sqlite3.Connection, ranked: Ranking, overview: Overview) -> Sequence[float]:
    """Return the values of `FEATURES`, in that order."""
    scores, masks = ranked.scores, ranked.masks
    rows = heapq.nlargest(_LOOKED_AT, scores, key=scores.__getitem__)
    asked = _asked_words(ranked, overview)

    def rarity_of(mask: int) -> float:
        return sum(word.rare for word in asked if mask & word.bit)

    wide = [masks.get(row, 0) | masks.get(row - 1, 0) | masks.get(row + 1, 0) for row in rows]
    by_turn = [_sentence_masks(file, ranked, row, asked) for row in rows[:_READ]]
    held = [mask for masks_there in by_turn for mask in masks_there]
    whole = sum(word.weight * word.rare for word in asked) or 1.0
    rare = rarity_of(-1) or 1.0
    side = [1 << at for at, term in enumerate(ranked.terms) if term.kind and " " in term.word]
    together = sum(any(masks.get(row, 0) & bit for row in rows[:_READ]) for bit in side)
    missing = [word for word in asked if not word.count]
    best = max(rarity_of(masks.get(row, 0)) for row in rows) / rare
    return (
        sum(max(map(rarity_of, there)) for there in by_turn) / len(by_turn) / rare,
        sum(word.rare for word in missing),
        max(sum(mask & word.bit > 0 for word in asked) for mask in held),
        float(ranked.elsewhen),
        sum(word.weight * word.rare for word in asked if word.count) / whole,
        max(map(rarity_of, wide)) / rare,
        max(sum(word.weight * word.rare for word in asked if mask & word.bit) for mask in held) / 10,
        # a common pair says little where the rest of the question stands in no turn
        min(together, 2) * best,
        len(missing),
        best,
    )


def _asked_words(ranked: Ranking, overview: Overview) -> list[_Word]:
    """Return the words that what is asked for hangs on; all of them where no others are left."""
    plain = [
        (term, _Word(1 << at, ranked.weights[at], rarity(term.word), _stems(term), ranked.counts[at]))
        for at, term in enumerate(ranked.terms)
        if not term.kind
    ]
    years = {day[:4] for day in overview.names.values()}
    left = [word for term, word in plain if term.word not in ASKING and term.word not in years]
    return left or [word for _, word in plain]


def _sentence_masks(file: sqlite3.Connection, ranked: Ranking, row: int, asked: Sequence[_Word]) -> list[int]:
    """Return which words stand together in a sentence of a turn, or of a note that leads to it."""
    held = [0]
    if row in ranked.leads:
        held.append(ranked.leads[row][1])
    own = ranked.masks.get(row, 0)
    here = [word for word in asked if own & word.bit]
    found = file.execute("SELECT body FROM turns WHERE rowid = ?", (row,)).fetchone() if here else None
    for sentence in _SENTENCE.split(found[0][:_READ_LONGEST].lower()) if found is not None else ():
        stems = {_root(word) for word in _WORD.findall(sentence)}.union(pairs(sentence))
        held.append(sum(word.bit for word in here if not word.stems.isdisjoint(stems)))
    return held


def _stems(term: Term) -> frozenset[str]:
    return frozenset(map(_root, term.forms))


def _root(word: str) -> str:
    """Return the letters by which a word counts as one with another; Korean ones have few."""
    return word[:_KOREAN_STEM] if "\uac00" <= word[:1] <= "\ud7a3" else word[:_STEM]
