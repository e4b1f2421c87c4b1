"""Rib points: runs of cycles of one chat, each with its words, its measures and its middle (SRIP-11 §III.1).

A rib never goes over the end of a chat, so that what is said later, or put right, changes the ribs of that
chat alone, and a chat that is added costs the same however long the life is.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from math import sqrt

from reel_cli.core.frozen import frozen
from reel_cli.core.tape.cycles import divide_into_cycles
from reel_cli.core.values.talk import Entry, Session
from reel_cli.features.threads.terms import cosine, count_terms

MICRO = 10
"""Cycles of a rib (SRIP-11 §III.1, the lesser of its two defaults)."""
MACRO = 50
"""Cycles of a rib of the coarser kind (SRIP-11 §V, `hybrid`)."""
_LEAST = 4
"""Cycles below which the end of a chat joins the rib before it."""
_PAIR = 2
"""Times that two words stand side by side in a rib, for the pair to be kept as a term."""
_DRIFT = 0.25
"""Cosine to what the rib held so far, below which `structural` begins another (SRIP-11 §V)."""
POLICIES = ("per_section", "per_cycle", "hybrid", "structural")


@frozen
class RibPoint:
    """A run of cycles of one chat, condensed (SRIP-11 §IV).

    `cycles` are the first and the last, counted from 1 in that chat; `messages` the numbers of its first and
    last message. `terms` is the centroid: a lexical vector, not scaled. `density` is different terms in a
    hundred words, at most 1; `entropy` is 1 less the mean cosine of its cycles by pairs. `middle` is the
    number of the message that is nearest to the centroid.
    """

    session: str
    cycles: tuple[int, int]
    messages: tuple[int, int]
    terms: Mapping[str, int]
    words: int
    density: float
    entropy: float
    middle: int

    @property
    def id(self) -> str:
        """Return its name: `RP-2026-03-01-1-1-10`."""
        return f"RP-{self.session}-{self.cycles[0]}-{self.cycles[1]}"

    @property
    def retention(self) -> float:
        """Return density times coherence, over entropy (SRIP-11 §III.2)."""
        return self.density * (1 - self.entropy) / max(0.01, self.entropy)


def cut_ribs(session: Session, policy: str, names: frozenset[str] = frozenset()) -> list[RibPoint]:
    """Return the rib points of a chat as it was last shown; none of one without words.

    What was never answered is in the last. `names` are the speakers', which are no terms.
    """
    shown = session.shown()
    cycles = divide_into_cycles(entry.message.role for entry in shown)
    rest = list(range(cycles[-1][-1] + 1 if cycles else 0, len(shown)))
    if rest and cycles:
        cycles[-1] = [*cycles[-1], *rest]
    elif rest:
        cycles = [rest]
    counted = [[count_terms(shown[place].message.text, names) for place in places] for places in cycles]
    vectors = [sum(terms, Counter[str]()) for terms in counted]
    return [
        _condense(session.id, shown, cycles[first:last], counted[first:last], first)
        for first, last in _divide(vectors, policy)
    ]


def _divide(vectors: Sequence[Mapping[str, int]], policy: str) -> Iterable[tuple[int, int]]:
    """Yield from which cycle to which each rib goes, as slices."""
    total = len(vectors)
    if not total:
        return
    if policy == "structural":
        yield from _divide_by_drift(vectors)
        return
    size = {"per_section": total, "per_cycle": MICRO, "hybrid": MICRO}[policy]
    first = 0
    while first < total:
        last = min(total, first + size)
        if total - last < _LEAST:
            last = total
        yield first, last
        first = last


def _divide_by_drift(vectors: Sequence[Mapping[str, int]]) -> Iterable[tuple[int, int]]:
    first, sofar = 0, Counter(vectors[0])
    for at in range(1, len(vectors)):
        drifted = at - first >= _LEAST and cosine(_damp(sofar), _damp(vectors[at])) < _DRIFT / 5
        if drifted or at - first >= MACRO:
            yield first, at
            first, sofar = at, Counter()
        sofar.update(vectors[at])
    yield first, len(vectors)


def _damp(terms: Mapping[str, int]) -> dict[str, float]:
    return {term: sqrt(count) for term, count in terms.items()}


def _condense(
    session: str,
    shown: Sequence[Entry],
    cycles: Sequence[Sequence[int]],
    counted: Sequence[Sequence[Mapping[str, int]]],
    before: int,
) -> RibPoint:
    vectors = [_damp(sum(map(Counter, terms), Counter())) for terms in counted]
    sums: Counter[str] = sum((Counter(one) for terms in counted for one in terms), Counter())
    lasting = [item for item in sums.items() if " " not in item[0] or item[1] >= _PAIR]
    kept = dict(sorted(lasting, key=lambda item: (-item[1], item[0])))
    places = [place for run in cycles for place in run]
    words = sum(len(shown[place].message.text.split()) for place in places)
    likeness = [cosine(one, other) for one, other in combinations(vectors, 2)]
    centroid = _damp(kept)
    by_message = [
        (cosine(_damp(one), centroid), run[at])
        for run, terms in zip(cycles, counted, strict=True)
        for at, one in enumerate(terms)
    ]
    _, middle = max(by_message, key=lambda pair: (pair[0], -pair[1]))
    numbers = [shown[place].number or 0 for place in places]
    return RibPoint(
        session=session,
        cycles=(before + 1, before + len(cycles)),
        messages=(min(numbers), max(numbers)),
        terms=kept,
        words=words,
        density=round(min(1.0, len(sums) / max(1, words)), 6),
        entropy=round(1 - sum(likeness) / len(likeness), 6) if likeness else 0.0,
        middle=shown[middle].number or 0,
    )
