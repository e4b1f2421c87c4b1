"""Edges between rib points, each with its reason, and clusters of rib points (SRIP-11 §II, §IV).

Weights are whole numbers, so that two machines agree: `follows` and `belongs_to` weigh 1, `continuity` as
many as there are terms that both say and few chats have, `transforms` and `contradicts` 2, and `causes` 3,
since a page names the earlier evening.
"""

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from itertools import combinations, pairwise

from reel_cli.core.frozen import frozen
from reel_cli.features.threads.ribs import RibPoint
from reel_cli.features.threads.terms import cosine

LEAST_MEMBERS, MOST_MEMBERS = 5, 10
"""Rib points of a cluster (SRIP-11 §IV)."""


class EdgeType(StrEnum):
    """Ways in which one rib point leads to another (SRIP-11 §IV; the last two are ours)."""

    FOLLOWS = "follows"
    TRANSFORMS = "transforms"
    BELONGS_TO = "belongs_to"
    CONTINUITY = "continuity"
    CONTRADICTS = "contradicts"
    CAUSES = "causes"


WEIGHT = {
    EdgeType.FOLLOWS: 1,
    EdgeType.BELONGS_TO: 1,
    EdgeType.TRANSFORMS: 2,
    EdgeType.CONTRADICTS: 2,
    EdgeType.CAUSES: 3,
}


@frozen
class Edge:
    """An edge from an earlier to a later rib point or memory, by name, with its weight and the reason."""

    start: str
    end: str
    type: EdgeType
    weight: int
    why: str


@frozen
class Cluster:
    """Five to ten rib points of one thread, in order (SRIP-11 §IV).

    `phases` counts its ribs by phase; `cohesion` is the mean likeness of its ribs by pairs, 0 to 1.
    """

    id: str
    ribs: tuple[RibPoint, ...]
    theme: str
    phases: Mapping[str, int]
    cohesion: float


def find_edges(ribs: Sequence[RibPoint], rare: Mapping[str, int]) -> list[Edge]:
    """Return how ribs, in the order of the tape, follow one another and go on with one another.

    `rare` are the terms that few chats have.
    """
    edges = [
        Edge(one.id, other.id, EdgeType.FOLLOWS, WEIGHT[EdgeType.FOLLOWS], _order(one, other))
        for one, other in pairwise(ribs)
    ]
    for one, other in combinations(ribs, 2):
        shared = [term for term in rare if term in one.terms and term in other.terms]
        if shared:
            edges.append(
                Edge(one.id, other.id, EdgeType.CONTINUITY, len(shared), f"both: {', '.join(shared[:3])}")
            )
    return edges


def _order(one: RibPoint, other: RibPoint) -> str:
    return "the same chat" if one.session == other.session else "the next time it came up"


def cut_clusters(theme: str, ribs: Sequence[RibPoint], phases: Mapping[str, str]) -> list[Cluster]:
    """Return the ribs of a thread as clusters; one with fewer than five is a cluster of its own."""
    total = len(ribs)
    parts = max(1, -(-total // MOST_MEMBERS))
    found = []
    for number in range(parts):
        mine = tuple(ribs[number * total // parts : (number + 1) * total // parts])
        counts: dict[str, int] = {}
        for rib in mine:
            phase = phases.get(rib.session, "")
            counts[phase] = counts.get(phase, 0) + 1
        found.append(Cluster(f"CL-{theme}-{number + 1}", mine, theme, counts, mean_likeness(mine)))
    return found


def mean_likeness(ribs: Sequence[RibPoint]) -> float:
    """Return the mean cosine of ribs by pairs, 0 to 1; 1 for a single one."""
    pairs = [cosine(one.terms, other.terms) for one, other in combinations(ribs, 2)]
    return round(sum(pairs) / len(pairs), 4) if pairs else 1.0


def measure_cohesion(edges: Iterable[Edge]) -> float:
    """Return the topology cohesion: the mean weight of edges (SRIP-11 §VI); 0 without any."""
    weights = [edge.weight for edge in edges]
    return round(sum(weights) / len(weights), 2) if weights else 0.0
