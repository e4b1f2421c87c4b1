"""Rib points that share matters with one, wherever on the tape (SRIP-11 §III.3)."""

from collections import defaultdict
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import field

from reel_cli.core.frozen import frozen
from reel_cli.features.threads.edges.edge import LEAST_SHARED, Matters, drop_parts
from reel_cli.features.threads.find_threads import LEAST_TIMES, MOST_SHARE, Thread
from reel_cli.features.threads.lattice import Lattice
from reel_cli.features.threads.ribs import RibPoint

MOST_TERMS = 30
"""Number of terms that are looked at for what joins a moment to its thread, those said most there."""
MOST_RARE = 12
"""Number of them, the rarest, whose places are read."""
Place = tuple[str, int]
"""A rib point by its chat and its first cycle."""


@frozen
class Neighbors:
    """The rib points joined to one by `continuity`: the matters both have, and the weight, by place."""

    shared: Mapping[Place, Sequence[str]] = field(default_factory=dict)
    weights: Mapping[Place, int] = field(default_factory=dict)
    matters: Matters = field(default_factory=lambda: Matters({}, 0))


def find_neighbors(lattice: Lattice, rib: RibPoint) -> Neighbors:
    """Return the rib points that share enough with one."""
    return _join(lattice, rib, rib.terms, None, None)


def find_thread_neighbors(lattice: Lattice, rib: RibPoint, thread: Thread) -> Neighbors:
    """Return the ribs of a thread that share enough with one, beside what the thread is about.

    Only the terms that are said most in it are looked at, and of them the rarest.
    """
    terms = [term for term in rib.terms if term not in thread.terms][:MOST_TERMS]
    return _join(lattice, rib, terms, MOST_RARE, thread.ribs)


def _join(
    lattice: Lattice,
    rib: RibPoint,
    terms: Iterable[str],
    most_terms: int | None,
    among: Container[Place] | None,
) -> Neighbors:
    total = lattice.count_chats()
    most = max(2, int(total * MOST_SHARE))
    counts = {term: lattice.count_chats_with(term) for term in terms}
    rarest = sorted((count, term) for term, count in counts.items() if 2 <= count <= most)
    chats: dict[str, int] = {}
    found: dict[Place, list[str]] = defaultdict(list)
    for count, term in rarest[:most_terms]:
        places = lattice.find(term)
        if sum(places.values()) < count * LEAST_TIMES:
            continue
        chats[term] = count
        for place in places if among is None else filter(among.__contains__, places):
            found[place].append(term)
    found.pop((rib.session, rib.cycles[0]), None)
    matters = Matters(chats, total)
    shared = {place: drop_parts(terms) for place, terms in found.items()}
    weights = {place: matters.weigh(terms) for place, terms in shared.items()}
    return Neighbors(shared, {p: w for p, w in weights.items() if w >= LEAST_SHARED}, matters)
