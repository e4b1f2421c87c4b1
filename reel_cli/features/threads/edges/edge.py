"""Edges of the lattice: their types, weights and reasons (SRIP-11 §II, §IV).

The document names four types and leaves their weights open. `contradicts` and `causes` are added. Weights are
whole numbers, so that two machines agree.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from enum import StrEnum
from heapq import nlargest

from reel_cli.core.frozen import frozen
from reel_cli.features.threads.phases import PLAIN, Phase
from reel_cli.features.threads.terms import spelling


class EdgeType(StrEnum):
    """Ways in which one rib point, cluster or page is joined to another."""

    FOLLOWS = "follows"
    """The next one of a thread."""
    TRANSFORMS = "transforms"
    """The next one of a thread, in another phase; or a page whose fact a later one replaces."""
    BELONGS_TO = "belongs_to"
    """A rib point of a cluster, or a page made of a rib point's messages."""
    CONTINUITY = "continuity"
    """Two that share matters few others have."""
    CONTRADICTS = "contradicts"
    """Two pages that disagree, while a person has not decided."""
    CAUSES = "causes"
    """An earlier page that a later one names."""


WEIGHTS: Mapping[EdgeType, int] = {
    EdgeType.FOLLOWS: 1,
    EdgeType.BELONGS_TO: 1,
    EdgeType.TRANSFORMS: 2,
    EdgeType.CONTRADICTS: 3,
    EdgeType.CAUSES: 10,
}
"""Weights by type; `continuity` weighs what `Matters.weigh` says."""
LEAST_SHARED = 2
"""Weight that `continuity` has at least: one matter that many chats have joins nothing."""
_RARE = 8
"""One chat in so many may have a matter that counts twice."""
MOST_EARLIER = 3
"""Number of earlier ones that each is joined to by `continuity`: those it shares most with."""
_LOOKED_AT = 12
"""Number of earlier ones that are looked at: for each matter the newest, and of all those that share most."""
_TOLD = 3
"""Number of shared matters that a reason names."""


@frozen
class Edge:
    """A joint between two nodes by their IDs, from the earlier to the later or from a part to its whole."""

    start: str
    end: str
    type: EdgeType
    weight: int
    reason: str


@frozen
class Matters:
    """Terms that may join two nodes: in how many chats each stands, of how many in all."""

    chats: Mapping[str, int]
    total: int

    def weigh(self, terms: Iterable[str]) -> int:
        """Return the weight of shared terms: 1 for each, 2 where few chats have it."""
        rare = max(2, self.total // _RARE)
        return sum(2 if self.chats[term] <= rare else 1 for term in terms)


def find_shared(nodes: Sequence[Collection[str]], matters: Matters) -> dict[tuple[int, int], list[str]]:
    """Return which matters some nodes share, by two places in the sequence, the earlier first.

    Each node is joined to the earlier ones that it shares most with, of those with as many to the nearest.
    """
    seen: dict[str, list[int]] = {}
    kept: list[frozenset[str]] = []
    found: dict[tuple[int, int], list[str]] = {}
    for place, node in enumerate(nodes):
        mine = frozenset(matters.chats.keys() & node)
        counts = Counter(earlier for term in mine for earlier in seen.get(term, ())[-_LOOKED_AT:])
        for term in mine:
            seen.setdefault(term, []).append(place)
        kept.append(mine)
        likely = nlargest(_LOOKED_AT, counts, key=lambda earlier: (counts[earlier], earlier))
        shared = {earlier: drop_parts(sorted(mine & kept[earlier])) for earlier in likely}
        weights = {earlier: matters.weigh(terms) for earlier, terms in shared.items()}
        nearest = sorted(shared, key=lambda earlier: (-weights[earlier], -earlier))[:MOST_EARLIER]
        found.update(
            {(earlier, place): shared[earlier] for earlier in nearest if weights[earlier] >= LEAST_SHARED}
        )
    return found


def drop_parts(terms: Iterable[str]) -> list[str]:
    """Return the terms without single words that stand in a pair of them as well."""
    listed = list(terms)
    parts = {part for term in listed if " " in term for part in term.split()}
    return [term for term in listed if term not in parts]


def tell_shared(terms: Sequence[str], matters: Matters, texts: Sequence[str]) -> str:
    """Return the reason of a `continuity` edge, the matters that fewest chats have named first."""
    rarest = sorted(terms, key=lambda term: (matters.chats[term], term))[:_TOLD]
    names = [_written(term, texts) for term in rarest]
    told = names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
    return f"Both speak of {told}."


def tell_change(before: Phase, after: Phase) -> str:
    """Return the words for a change of phase."""
    return f"{PLAIN[before]} before, {PLAIN[after]} then"


def _written(term: str, texts: Sequence[str]) -> str:
    """Return how a term is written, without a possessive, and with a capital only where it always has one."""
    plain = re.compile(rf"\b{re.escape(term)}(?:s|es)?\b")
    found = next((match for text in texts if (match := plain.search(text))), None)
    return found[0] if found else spelling(term, texts).removesuffix("'s").removesuffix("’s")
