"""A persona's preference in a line: kinds by which its kept memories differ from the others."""

from collections import Counter
from collections.abc import Collection, Sequence

LEAST = 5
"""Number of kept memories, and of others, below which nothing is learnt."""
_SHARE, _TIMES = 0.5, 1.5
"""Share of the kept memories that a kind must have, and how many times that of the others."""


def learn_preference(kept: Sequence[Collection[str]], others: Sequence[Collection[str]]) -> str:
    """Return the kinds that set the kept memories apart, in one line; "" where that does not show.

    Each memory is given as the kinds that it is tagged with.
    """
    if min(len(kept), len(others)) < LEAST:
        return ""
    mine, theirs = (Counter(kind for each in among for kind in each) for among in (kept, others))
    common = sorted(
        kind
        for kind, count in mine.items()
        if count / len(kept) >= max(_SHARE, _TIMES * theirs[kind] / len(others))
    )
    return f"what is {_listed(common)}" if common else ""


def _listed(things: Sequence[str]) -> str:
    return " and ".join([", ".join(things[:-1]), things[-1]]) if len(things) > 1 else things[0]
