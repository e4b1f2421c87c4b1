"""From one memory along its edges: the memories it came from, and those it went on in."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.values.search import CourseStep, MemoryCourse
from reel_cli.features.threads.edges.edge import Edge, EdgeType
from reel_cli.features.threads.edges.find_edges import find_matters
from reel_cli.features.threads.edges.page_edges import PageQuestion, find_page_edges, join_pages
from reel_cli.features.threads.survey import Progress, open_lattice, read_pages, survey_threads

MOST = 3
"""Number of memories told on either side: those with the heaviest edges, then the nearest."""


def find_course(
    root: Path, snapshot: Snapshot, memory: str, progress: Progress | None = None
) -> MemoryCourse:
    """Return the memories that edges lead from and to, each in order of time, with the edge's reason."""
    pages = read_pages(snapshot)
    with open_lattice(root, snapshot, progress) as lattice:
        threads = survey_threads(lattice, snapshot, pages=pages)
        net = join_pages(pages, find_matters(lattice))
    edges = find_page_edges(snapshot, net, threads, PageQuestion(around=memory))
    places = {page.id: place for place, page in enumerate(pages.memories)}

    def told(edges: dict[str, Edge]) -> Sequence[CourseStep]:
        here = places.get(memory, 0)
        nearest = sorted(edges, key=lambda name: (-edges[name].weight, abs(places[name] - here)))
        return [
            CourseStep(
                name,
                pages.memories[places[name]].title,
                next((t.thread.name for t in threads if {name, memory} <= {m.id for m in t.memories}), ""),
                edges[name].type.value,
                edges[name].weight,
                edges[name].reason,
            )
            for name in sorted(nearest[:MOST], key=lambda name: places[name])
        ]

    leading = [edge for edge in edges if edge.type is not EdgeType.CONTRADICTS]
    return MemoryCourse(
        told(_heaviest((edge.start, edge) for edge in leading if edge.end == memory)),
        told(_heaviest((edge.end, edge) for edge in leading if edge.start == memory)),
    )


def _heaviest(edges: Iterable[tuple[str, Edge]]) -> dict[str, Edge]:
    """Return the heaviest edge of each page, by its ID."""
    found: dict[str, Edge] = {}
    for name, edge in edges:
        if name not in found or edge.weight > found[name].weight:
            found[name] = edge
    return found
