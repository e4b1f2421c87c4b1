"""The edges of threads, and the matters that may join two rib points or pages."""

from collections.abc import Sequence

from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.features.threads.clusters import Cluster
from reel_cli.features.threads.edges.edge import Edge, Matters
from reel_cli.features.threads.edges.page_edges import PageQuestion, find_page_edges, join_pages
from reel_cli.features.threads.edges.rib_edges import find_member_edges, find_rib_edges
from reel_cli.features.threads.find_threads import LEAST_TIMES, MOST_SHARE
from reel_cli.features.threads.lattice import Lattice
from reel_cli.features.threads.survey import Pages, ThreadSurvey, words_of


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
