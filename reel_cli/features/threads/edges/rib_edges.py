"""Edges of one thread: between its rib points, to its clusters and to its pages (SRIP-11 §II, §IV)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from reel_cli.core.values.memory import Memory
from reel_cli.features.threads.clusters import Cluster
from reel_cli.features.threads.edges.edge import (
    WEIGHTS,
    Edge,
    EdgeType,
    Matters,
    find_shared,
    tell_change,
    tell_shared,
)
from reel_cli.features.threads.find_threads import Thread
from reel_cli.features.threads.phases import Phase
from reel_cli.features.threads.ribs import RibPoint
from reel_cli.features.threads.survey import is_told


def find_rib_edges(
    thread: Thread,
    ribs: Sequence[RibPoint],
    phases: Mapping[str, Phase],
    matters: Matters,
    texts: Sequence[str],
) -> list[Edge]:
    """Return how the ribs of a thread, in the order of the tape, lead to one another.

    `texts` show how a matter is written.
    """
    edges = [_next(one, other, thread.name, phases) for one, other in pairwise(ribs)]
    own = set(thread.terms)
    shared = find_shared([rib.terms.keys() - own for rib in ribs], matters)
    edges += [
        Edge(
            ribs[earlier].id,
            ribs[later].id,
            EdgeType.CONTINUITY,
            matters.weigh(terms),
            tell_shared(terms, matters, texts),
        )
        for (earlier, later), terms in shared.items()
    ]
    return edges


def find_member_edges(
    thread: Thread, ribs: Sequence[RibPoint], clusters: Iterable[Cluster], memories: Iterable[Memory]
) -> Iterator[Edge]:
    """Yield which ribs belong to which cluster, and which pages are made of which ribs."""
    weight = WEIGHTS[EdgeType.BELONGS_TO]
    for cluster in clusters:
        for rib in cluster.ribs:
            reason = f"One of the times that {thread.name} came up."
            yield Edge(rib.id, cluster.id, EdgeType.BELONGS_TO, weight, reason)
    for memory in memories:
        for rib in ribs:
            if is_told(memory, rib):
                yield Edge(
                    rib.id, memory.id, EdgeType.BELONGS_TO, weight, "The page tells of these messages."
                )


def _next(one: RibPoint, other: RibPoint, name: str, phases: Mapping[str, Phase]) -> Edge:
    """Return the edge from a rib to the next of its thread (SRIP-11 §II, phase lineage)."""
    before, after = phases.get(one.session), phases.get(other.session)
    if before and after and before is not after:
        reason = f"The next time that {name} came up; {tell_change(before, after)}."
        kind = EdgeType.TRANSFORMS
    elif one.session == other.session:
        kind, reason = EdgeType.FOLLOWS, "The same chat went on."
    else:
        kind, reason = EdgeType.FOLLOWS, f"The next time that {name} came up."
    return Edge(one.id, other.id, kind, WEIGHTS[kind], reason)
