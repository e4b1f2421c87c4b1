"""Clusters of rib points (SRIP-11 §II, §IV)."""

from collections.abc import Mapping, Sequence
from itertools import combinations

from reel_cli.core.frozen import frozen
from reel_cli.features.threads.ribs import RibPoint
from reel_cli.features.threads.terms import cosine

LEAST_MEMBERS, MOST_MEMBERS = 5, 10
"""Rib points of a cluster (SRIP-11 §IV)."""


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
