"""The edges of threads, and the matters that may join two rib points or pages."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from reel_cli.core.kit.snapshot import Snapshot
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
from reel_cli.features.threads.edges.page_edges import PageQuestion, find_page_edges, join_pages
from reel_cli.features.threads.find_threads import LEAST_TIMES, MOST_SHARE, Thread
from reel_cli.features.threads.lattice import Lattice
from reel_cli.features.threads.phases import Phase
from reel_cli.features.threads.ribs import RibPoint
from reel_cli.features.threads.survey import Pages, ThreadSurvey, is_told, words_of


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


def find_matters(lattice: Lattice) -> Matters:
    """Return the terms that at least two chats and at most half of them have, and that are dwelt on there."""
    total = lattice.count_chats()
    found = lattice.spread(2, max(2, int(total * MOST_SHARE)), LEAST_TIMES)
    return Matters({term: chats for term, (chats, _) in found.items()}, total)


def find_thread_edges(
    lattice: Lattice,
    snapshot: Snapshot,
    pages: Pages,
    threads: Sequence[ThreadSurvey],
    clusters: Sequence[Sequence[Cluster]],
) -> list[list[Edge]]:
    """Return all edges of each thread, those of its ribs, clusters and pages, in a fixed order."""
    net = join_pages(pages, find_matters(lattice))
    found = []
    for one, mine in zip(threads, clusters, strict=True):
        ribs = [r for r in lattice.list_ribs(one.thread.chats) if (r.session, r.cycles[0]) in one.thread.ribs]
        texts = [words_of(memory) for memory in one.memories]
        question = PageQuestion(among=frozenset(memory.id for memory in one.memories))
        edges = [
            *find_rib_edges(one.thread, ribs, one.phases, net.matters, texts),
            *find_member_edges(one.thread, ribs, mine, one.memories),
            *find_page_edges(snapshot, net, [one], question),
        ]
        found.append(sorted(edges, key=lambda edge: (edge.start, edge.end, edge.type)))
    return found
