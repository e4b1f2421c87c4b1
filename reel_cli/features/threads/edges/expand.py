"""Recall through the net: from the best hits along their edges, and by phase (SRIP-11 §III.3, §III.4).

The document expands from the nearest rib points along weighted edges. Moments that are reached so are told
earlier; none is hidden, and no certainty changes. In a short tape, where every rib is near, nothing moves.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

from reel_cli.core.kit.glance import Glance
from reel_cli.core.tape.tape_view import standing_sessions
from reel_cli.core.values.search import Hit
from reel_cli.features.threads.edges.neighbors import Place, find_neighbors
from reel_cli.features.threads.lattice import Lattice
from reel_cli.features.threads.phases import BESIDE, Phase, read_phases
from reel_cli.features.threads.survey import Progress, open_lattice

SEEDS = 3
"""Number of hits, the best, from which edges are followed."""
REACHED = 5
"""Number of rib points reached from each: those with the heaviest edges."""
BONUS = 0.1
"""Share of the seed's score that the end of its heaviest edge has more; others by their weight."""
CROWD = 6
"""One part in so many of all chats, from which on what is reached has no bonus: then all are near."""
PHASE = 0.02
"""Share of the best score that a hit has more whose phase goes with the present one."""


def expand_hits(
    root: Path, glance: Glance, hits: Sequence[Hit], topology: str, progress: Progress | None = None
) -> list[Hit]:
    """Return hits in the order that the net gives them; by phase too if `topology` says so."""
    phases: Mapping[str, Phase] = {}
    beside: Sequence[Phase] = tuple(Phase)
    if topology == "phase" and (chats := standing_sessions(glance)):
        phases = read_phases(glance, chats)
        beside = BESIDE[phases[chats[-1]]]
    with open_lattice(root, glance, progress) as lattice:
        bonus = _reach(lattice, hits)
        ribs = lattice.read_ribs(bonus)

    def score(hit: Hit) -> float:
        near = [
            bonus[rib.session, rib.cycles[0]]
            for rib in ribs
            if rib.session == hit.session and rib.messages[0] <= (hit.message or 0) <= rib.messages[1]
        ]
        fits = phases.get(hit.session or "", beside[0]) in beside
        added = max(near, default=0.0) * (1.0 if fits else 0.5)
        return hit.score + added + (PHASE if phases and fits else 0.0)

    return sorted(hits, key=score, reverse=True)


def _reach(lattice: Lattice, hits: Sequence[Hit]) -> dict[Place, float]:
    """Return what the rib points have more that edges of the best hits lead to."""
    seeds: dict[Place, float] = {}
    found: dict[Place, float] = {}
    for hit in hits[:SEEDS]:
        if hit.session is None or hit.message is None:
            continue
        for rib in lattice.list_ribs([hit.session]):
            place = (rib.session, rib.cycles[0])
            if place in seeds or not rib.messages[0] <= hit.message <= rib.messages[1]:
                continue
            seeds[place] = hit.score
            weights = find_neighbors(lattice, rib).weights
            order = sorted(weights, key=lambda place: (-weights[place], place))[:REACHED]
            for other in order:
                more = BONUS * hit.score * weights[other] / weights[order[0]]
                found[other] = max(found.get(other, 0.0), more)
    reached = len({chat for chat, _ in (*seeds, *found)})
    share = max(0.0, 1 - CROWD * reached / max(1, lattice.count_chats()))
    return {place: more * share for place, more in found.items()} if share else {}
