"""Rib points that share matters with one, wherever on the tape (SRIP-11 §III.3)."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import field

from reel_cli.core.frozen import frozen
from reel_cli.features.threads.edges.edge import LEAST_SHARED, Matters, drop_parts
from reel_cli.features.threads.find_threads import LEAST_TIMES, MOST_SHARE
from reel_cli.features.threads.lattice import Lattice
from reel_cli.features.threads.ribs import RibPoint

Place = tuple[str, int]
"""A rib point by its chat and its first cycle."""


@frozen
class Neighbors:
    """The rib points joined to one by `continuity`: the matters both have, and the weight, by place."""

    shared: Mapping[Place, Sequence[str]] = field(default_factory=dict)
    weights: Mapping[Place, int] = field(default_factory=dict)
    matters: Matters = field(default_factory=lambda: Matters({}, 0))


def find_neighbors(lattice: Lattice, rib: RibPoint, leave_out: Collection[str] = ()) -> Neighbors:
    """Return the rib points that share enough with one; `leave_out` are terms that join nothing here."""
    total = lattice.count_chats()
    most = max(2, int(total * MOST_SHARE))
    chats: dict[str, int] = {}
    found: dict[Place, list[str]] = defaultdict(list)
    for term in sorted(rib.terms.keys() - set(leave_out)):
        count = lattice.count_chats_with(term)
        if not 2 <= count <= most:
            continue
        places = lattice.find(term)
        if sum(places.values()) < count * LEAST_TIMES:
            continue
        chats[term] = count
        for place in places:
            found[place].append(term)
    found.pop((rib.session, rib.cycles[0]), None)
    matters = Matters(chats, total)
    shared = {place: drop_parts(terms) for place, terms in found.items()}
    weights = {place: matters.weigh(terms) for place, terms in shared.items()}
    return Neighbors(shared, {p: w for p, w in weights.items() if w >= LEAST_SHARED}, matters)
