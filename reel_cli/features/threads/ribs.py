"""Rib points: runs of cycles of one chat, each with its words, its measures and its middle (SRIP-11 §III.1).

A rib never goes over the end of a chat, so that what is said later, or put right, changes the ribs of that
chat alone, and a chat that is added costs the same however long the life is.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from math import fsum, sqrt
from operator import mul

from reel_cli.core.frozen import frozen
from reel_cli.core.tape.cycles import divide_into_cycles
from reel_cli.core.values.talk import Entry, Session
from reel_cli.features.threads.terms import TermsOfText, WordForms, cosine, keep_forms, read_terms

MICRO = 10
"""Cycles of a rib (SRIP-11 §III.1, the lesser of its two defaults)."""
MACRO = 50
"""Cycles of a rib of the coarser kind (SRIP-11 §V, `hybrid`)."""
_LEAST = 0.4
"""Share of a rib's cycles below which the end of a chat joins the rib before it."""
_PAIR = 2
"""Times that two words stand side by side in a rib, for the pair to be kept as a term."""
_BEFORE_DRIFT, _DRIFTED = 3, 2
"""Cycles of a rib before `structural` looks for drift, and cycles that it looks at, the next of the chat."""
_LIKE = 0.07
"""Cosine of those to what the rib held so far, below which `structural` begins another.

The document's drift of .25 is of embeddings; by words nearly every cycle is farther than that from the ones
before it. One cycle alone, after four, found 71 of 99 turns with as many others (bench/topic_turns.py).
"""
POLICIES = ("per_section", "per_cycle", "hybrid", "structural")


@frozen
class RibPoint:
    """A run of cycles of one chat, condensed (SRIP-11 §IV).

    `cycles` are the first and the last, counted from 1 in that chat; `messages` the numbers of its first and
    last message. `terms` is the centroid: a lexical vector, not scaled, what is said most first. `density`
    is the mean over its cycles of different terms by words; `entropy` is 1 less the mean cosine of its cycles
    by pairs. `middle` is the number of the message that is nearest to the centroid. `time` is its newest
    message's, "" where none is known. A `coarse` one condenses about 50 cycles, and has no terms of its own.
    """

    session: str
    cycles: tuple[int, int]
    messages: tuple[int, int]
    terms: Mapping[str, int]
    words: int
    density: float
    entropy: float
    middle: int
    time: str = ""
    coarse: bool = False

    @property
    def id(self) -> str:
        """Return its name: `RP-2026-03-01-1-1-10`."""
        return f"RP-{self.session}-{self.cycles[0]}-{self.cycles[1]}"

    @property
    def retention(self) -> float:
        """Return how long it is worth keeping."""
        return weigh_retention(self.density, self.entropy)


def weigh_retention(density: float, entropy: float) -> float:
    """Return density times coherence, over entropy (SRIP-11 §III.2)."""
    return density * (1 - entropy) / max(0.01, entropy)


def cut_ribs(session: Session, policy: str, names: frozenset[str] = frozenset()) -> list[RibPoint]:
    """Return the rib points of a chat as it was last shown; none of one without words.

    What was never answered is in the last. `names` are the speakers', which are no terms. The coarse ones of
    `hybrid` come after the others; a chat that is one rib has none.
    """
    forms = keep_forms(names)
    said = [_read_cycle(cycle, forms) for cycle in list_cycles(session)]
    fine = [_condense(session.id, said[first:last], first) for first, last in _divide(said, policy)]
    if policy != "hybrid":
        return fine
    return [*fine, *_gather(said, fine)]


def list_cycles(session: Session) -> list[list[Entry]]:
    """Return the messages of a chat by cycle, as it was last shown; those never answered are in the last."""
    shown = session.shown()
    cycles = divide_into_cycles(entry.message.role for entry in shown)
    rest = list(range(cycles[-1][-1] + 1 if cycles else 0, len(shown)))
    if rest and cycles:
        cycles[-1] = [*cycles[-1], *rest]
    elif rest:
        cycles = [rest]
    return [[shown[place] for place in places] for places in cycles]


@frozen
class _Cycle:
    """One cycle: its messages, the terms of each, the different ones of each, and those of all, in order."""

    entries: Sequence[Entry]
    texts: Sequence[TermsOfText]
    distinct: Sequence[Mapping[str, None]]
    terms: Mapping[str, None]

    @property
    def words(self) -> int:
        """Return the number of words said in it."""
        return sum(text.words for text in self.texts)


def _read_cycle(entries: Sequence[Entry], forms: WordForms) -> _Cycle:
    texts = [read_terms(entry.message.text, forms) for entry in entries]
    distinct = [dict.fromkeys(text.single) for text in texts]
    return _Cycle(entries, texts, distinct, dict.fromkeys(chain.from_iterable(distinct)))


def _divide(said: Sequence[_Cycle], policy: str) -> Iterable[tuple[int, int]]:
    """Return from which cycle to which each rib goes, as slices."""
    if not said:
        return []
    if policy == "structural":
        return _divide_by_drift(said)
    return _slice(len(said), len(said) if policy == "per_section" else MICRO)


def _slice(total: int, size: int) -> Iterable[tuple[int, int]]:
    """Yield slices of so many; a short rest joins the last."""
    first = 0
    while first < total:
        last = min(total, first + size)
        if total - last < size * _LEAST:
            last = total
        yield first, last
        first = last


def _divide_by_drift(said: Sequence[_Cycle]) -> Iterable[tuple[int, int]]:
    first, sofar = 0, Counter(said[0].terms.keys())
    for at in range(1, len(said)):
        now = said[at : at + _DRIFTED]
        drifted = (
            at - first >= _BEFORE_DRIFT
            and len(now) == _DRIFTED
            and cosine(_damp(sofar), _damp(Counter(chain.from_iterable(one.terms for one in now)))) < _LIKE
        )
        if drifted or at - first >= MACRO:
            yield first, at
            first, sofar = at, Counter()
        sofar.update(said[at].terms.keys())
    yield first, len(said)


def _damp(terms: Mapping[str, int]) -> dict[str, float]:
    return dict(zip(terms, map(sqrt, terms.values()), strict=True))


def _condense(session: str, cycles: Sequence[_Cycle], before: int) -> RibPoint:
    texts = [text for cycle in cycles for text in cycle.texts]
    single = Counter(chain.from_iterable(text.single for text in texts))
    double = Counter(chain.from_iterable(text.double for text in texts))
    terms = dict(single)
    terms |= {f"{one} {other}": count for (one, other), count in double.items() if count >= _PAIR}
    # those said most first, by name among as many
    order = sorted(terms)
    order.sort(key=terms.__getitem__, reverse=True)
    entries = [entry for cycle in cycles for entry in cycle.entries]
    numbers = [entry.number or 0 for entry in entries]
    return RibPoint(
        session=session,
        cycles=(before + 1, before + len(cycles)),
        messages=(min(numbers), max(numbers)),
        terms={term: terms[term] for term in order},
        words=sum(cycle.words for cycle in cycles),
        density=round(_mean([min(1.0, len(cycle.terms) / max(1, cycle.words)) for cycle in cycles]), 6),
        entropy=_measure_entropy(cycles),
        middle=numbers[_find_middle([terms for cycle in cycles for terms in cycle.distinct], single)],
        time=max((entry.message.time or "" for entry in entries), default=""),
    )


def _gather(said: Sequence[_Cycle], fine: Sequence[RibPoint]) -> Iterable[RibPoint]:
    """Yield the coarse ribs of a chat, each of at least two fine ones; density is the mean of theirs."""
    for first, last in _slice(len(said), MACRO):
        within = [rib for rib in fine if first < rib.cycles[0] <= last]
        if len(within) < 2:
            continue
        cycles = said[first:last]
        middles = {rib.middle for rib in within}
        texts = {
            entry.number or 0: terms
            for cycle in cycles
            for entry, terms in zip(cycle.entries, cycle.distinct, strict=True)
            if entry.number in middles
        }
        yield RibPoint(
            session=within[0].session,
            cycles=(first + 1, last),
            messages=(within[0].messages[0], within[-1].messages[1]),
            terms={},
            words=sum(rib.words for rib in within),
            density=round(_mean([rib.density for rib in within]), 6),
            entropy=_measure_entropy(cycles),
            middle=list(texts)[_find_middle(list(texts.values()), _sum_terms(within, texts.values()))],
            time=max(rib.time for rib in within),
            coarse=True,
        )


def _sum_terms(ribs: Iterable[RibPoint], texts: Iterable[Iterable[str]]) -> dict[str, int]:
    """Return how often the terms of some texts stand in several ribs together."""
    wanted = dict.fromkeys(chain.from_iterable(texts))
    return {term: sum(rib.terms.get(term, 0) for rib in ribs) for term in wanted}


def join_terms(ribs: Iterable[RibPoint]) -> dict[str, int]:
    """Return the terms of several ribs as those of one."""
    found: Counter[str] = Counter()
    for rib in ribs:
        found.update(rib.terms)
    return dict(found)


def _measure_entropy(cycles: Sequence[_Cycle]) -> float:
    """Return 1 less the mean cosine of cycles by pairs, by which different terms they have; 0 for one alone.

    The cosines are not worked out pair by pair: they are what the square of the sum of all vectors of length
    1 has beyond the squares of each.
    """
    total = len(cycles)
    if total < 2:
        return 0.0
    added: dict[str, float] = {}
    get = added.get
    filled = 0
    for cycle in cycles:
        if cycle.terms:
            filled += 1
            weight = 1 / sqrt(len(cycle.terms))
            for term in cycle.terms:
                added[term] = get(term, 0.0) + weight
    weights = added.values()
    twice: float = sum(map(mul, weights, weights)) - filled
    return max(0.0, round(1 - twice / (total * (total - 1)), 6))


def _find_middle(texts: Sequence[Mapping[str, None]], centroid: Mapping[str, int]) -> int:
    """Return the place of the text that is nearest to the centroid, the first of such.

    The texts are given by their different terms.
    """
    weigh = _damp(centroid).__getitem__
    best, most = 0, -1.0
    for at, terms in enumerate(texts):
        likeness = sum(map(weigh, terms)) / sqrt(len(terms) or 1)
        if likeness > most:
            best, most = at, likeness
    return best


def _mean(values: Sequence[float]) -> float:
    # as statistics.fmean, whose module takes longer to import than the lattice of a young kit to make
    return fsum(values) / len(values)
