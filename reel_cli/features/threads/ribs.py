"""Rib points: runs of cycles of one chat, each with its words, its measures and its middle (SRIP-11 §III.1).

A rib never goes over the end of a chat, so that what is said later, or put right, changes the ribs of that
chat alone, and a chat that is added costs the same however long the life is.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from math import sqrt

from reel_cli.core.frozen import frozen
from reel_cli.core.tape.cycles import divide_into_cycles
from reel_cli.core.values.talk import Entry, Session
from reel_cli.features.threads.terms import cosine, list_terms

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
    said = [[list_terms(shown[place].message.text, names) for place in places] for places in cycles]
    return [
        _condense(session.id, shown, cycles[first:last], said[first:last], first)
        for first, last in _divide(said, policy)
    ]


def _divide(said: Sequence[Sequence[Sequence[str]]], policy: str) -> Iterable[tuple[int, int]]:
    """Yield from which cycle to which each rib goes, as slices."""
    total = len(said)
    if not total:
        return
    if policy == "structural":
        yield from _divide_by_drift([Counter(chain(*texts)) for texts in said])
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
    said: Sequence[Sequence[Sequence[str]]],
    before: int,
) -> RibPoint:
    texts = list(chain(*said))
    sums = Counter(chain(*texts))
    lasting = [item for item in sums.items() if " " not in item[0] or item[1] >= _PAIR]
    kept = dict(sorted(lasting, key=lambda item: (-item[1], item[0])))
    places = [place for run in cycles for place in run]
    words = sum(len(shown[place].message.text.split()) for place in places)
    numbers = [shown[place].number or 0 for place in places]
    return RibPoint(
        session=session,
        cycles=(before + 1, before + len(cycles)),
        messages=(min(numbers), max(numbers)),
        terms=kept,
        words=words,
        density=round(min(1.0, len(sums) / max(1, words)), 6),
        entropy=_measure_entropy([Counter(chain(*texts)) for texts in said]),
        middle=shown[places[_find_middle(texts, kept)]].number or 0,
    )


def _measure_entropy(vectors: Sequence[Mapping[str, int]]) -> float:
    """Return 1 less the mean cosine of damped vectors by pairs; 0 for a single one.

    The cosines are not worked out pair by pair: they are what the square of the sum of all vectors of length
    1 has beyond the squares of each.
    """
    total = len(vectors)
    if total < 2:
        return 0.0
    added: dict[str, float] = {}
    filled = 0
    for vector in vectors:
        if not vector:
            continue
        filled += 1
        once = 1 / sqrt(sum(vector.values()))
        for term, count in vector.items():
            added[term] = added.get(term, 0.0) + (once if count == 1 else once * sqrt(count))
    twice = sum(weight * weight for weight in added.values()) - filled
    return max(0.0, round(1 - twice / (total * (total - 1)), 6))


def _find_middle(texts: Sequence[Sequence[str]], kept: Mapping[str, int]) -> int:
    """Return the place of the text that is nearest to the centroid, the first of such."""
    centroid = _damp(kept)
    best, most = 0, -1.0
    for at, terms in enumerate(texts):
        near = 0.0
        for term, count in Counter(terms).items():
            if weight := centroid.get(term):
                near += weight if count == 1 else weight * sqrt(count)
        likeness = near / sqrt(len(terms)) if near else 0.0
        if likeness > most:
            best, most = at, likeness
    return best
