"""Clusters of rib points (SRIP-11 §II, §IV)."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations

from reel_cli.core.frozen import frozen
from reel_cli.features.threads.ribs import RibPoint
from reel_cli.features.threads.terms import cosine

LEAST_MEMBERS, MOST_MEMBERS = 5, 10
"""Rib points of a cluster (SRIP-11 §IV)."""
_MOST_SHARED = 3
"""Terms that a theme names."""
_SHARED = 1 / 2
"""Share of a cluster's ribs that have a term which its theme names."""


@frozen
class Cluster:
    """Five to ten rib points of one thread, in order (SRIP-11 §IV).

    `theme` are the rare terms that its ribs share besides those of the thread, the most telling first.
    `phases` counts its ribs by phase; `cohesion` is the mean likeness of its ribs by pairs, 0 to 1.
    """

    id: str
    ribs: tuple[RibPoint, ...]
    theme: tuple[str, ...]
    phases: Mapping[str, int]
    cohesion: float


def cut_clusters(
    name: str,
    terms: Sequence[str],
    ribs: Sequence[RibPoint],
    phases: Mapping[str, str],
    telling: Callable[[str], float],
) -> list[Cluster]:
    """Return the ribs of a thread as clusters of 5 to 10, in order; none where there are fewer.

    `name` and `terms` are the thread's; `telling` says how much a term tells, 0 for one that no theme names.
    """
    total = len(ribs)
    if total < LEAST_MEMBERS:
        return []
    parts = -(-total // MOST_MEMBERS)
    found = []
    for number in range(parts):
        mine = tuple(ribs[number * total // parts : (number + 1) * total // parts])
        counts = Counter(phases.get(rib.session, "") for rib in mine)
        theme = _find_theme(mine, terms, telling)
        found.append(Cluster(f"CL-{name}-{number + 1}", mine, theme, counts, mean_likeness(mine)))
    return found


def mean_likeness(ribs: Sequence[RibPoint]) -> float:
    """Return the mean cosine of ribs by pairs, 0 to 1; 1 for a single one."""
    pairs = [cosine(one.terms, other.terms) for one, other in combinations(ribs, 2)]
    return round(sum(pairs) / len(pairs), 4) if pairs else 1.0


def _find_theme(
    ribs: Sequence[RibPoint], terms: Sequence[str], telling: Callable[[str], float]
) -> tuple[str, ...]:
    """Return the telling terms that most of the ribs share, without those of the thread."""
    own = {part for term in terms for part in (term, *term.split())}
    having = Counter(term for rib in ribs for term in rib.terms)
    shared = {
        term: count * weight
        for term, count in having.items()
        if count >= len(ribs) * _SHARED
        and own.isdisjoint((term, *term.split()))
        and (weight := telling(term)) > 0
    }
    order = sorted(shared, key=lambda term: (-shared[term], term))
    longer = {part for term in order if " " in term for part in term.split()}
    return tuple(term for term in order if term not in longer)[:_MOST_SHARED]
