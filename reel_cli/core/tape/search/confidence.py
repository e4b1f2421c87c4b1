"""Confidence that the tape holds an answer at all."""

import heapq
from collections.abc import Sequence
from math import exp, log

from reel_cli.core.tape.search.ranking import PLACES_BITS, Overview, Ranked

_LOOKED_AT = 10
"""Number of turns, the best first, among which the best moment is looked for."""

FEATURES = (
    "of what the question's words weigh, those in the best moment",
    "those in the best turn",
    "those in a moment, on average of the five best",
    "those in the session of the best turn",
    "what the words in the best moment weigh, in tens",
    "the heaviest word it lacks, as a share of the heaviest there is",
    "names and numbers, as a share of the weight of all words",
    "names and numbers that the best moment lacks",
    "the words asked for, as a third of the logarithm of their number and one",
    "the same times the first",
    "the same times the second",
    "the same times the fourth",
    "the same times the fifth",
)
BIAS = -4.95
WEIGHTS = (1.42, 1.41, 0.62, 1.06, 0.71, 0.87, 1.73, 0.62, -1.86, 2.41, 1.27, 3.37, -0.2)
"""Fitted by `python bench/recall.py --fit`: logistic regression on questions put to the tape that holds the
answer and to others, out of LoCoMo, RealMem's queries and RealMem's memories, LoCoMo weighing four times the
others. On conversations and people it was not fitted on the AUROC is .900, .896 and .962."""

THRESHOLD = 0.151
"""Confidence below which even the best is no answer: lets some 96 % of LoCoMo's answerable questions
through, each judged by what was fitted without its own conversation."""


def judge(ranked: Ranked, overview: Overview) -> float:
    """Return the chance that the tape answers the question, from 0 to 1."""
    if not ranked.scores or not overview.turns:
        return 0.0
    total = BIAS + sum(w * f for w, f in zip(WEIGHTS, features(ranked), strict=True))
    return 1 / (1 + exp(-max(-30.0, min(30.0, total))))


def features(ranked: Ranked) -> Sequence[float]:
    """Return the values of `FEATURES`, in that order."""
    scores, masks = ranked.scores, ranked.masks
    rows = heapq.nlargest(_LOOKED_AT, scores, key=scores.__getitem__)
    asked = [
        (1 << i, weight, term.proper)
        for i, (weight, term) in enumerate(zip(ranked.weights, ranked.terms, strict=True))
        if not term.kind
    ]
    whole = sum(weight for _, weight, _ in asked) or 1.0

    def cover(mask: int) -> float:
        return sum(weight for bit, weight, _ in asked if mask & bit)

    wide = [masks.get(row, 0) | masks.get(row - 1, 0) | masks.get(row + 1, 0) for row in rows]
    covers = [cover(mask) for mask in wide]
    best = max(covers)
    lacking = [(weight, proper) for bit, weight, proper in asked if not wide[covers.index(best)] & bit]
    moment = best / whole
    turn = max(cover(masks.get(row, 0)) for row in rows) / whole
    session = cover(ranked.session_masks.get(rows[0] >> PLACES_BITS, 0)) / whole
    # of many words a few are found anywhere, and of a few words many are needed
    size = log(len(asked) + 1) / 3
    return (
        moment,
        turn,
        sum(covers[:5]) / len(covers[:5]) / whole,
        session,
        best / 10,
        max((weight for weight, _ in lacking), default=0.0) / max(weight for _, weight, _ in asked),
        sum(weight for _, weight, proper in asked if proper) / whole,
        sum(weight for weight, proper in lacking if proper) / whole,
        size,
        size * moment,
        size * turn,
        size * session,
        size * best / 10,
    )
