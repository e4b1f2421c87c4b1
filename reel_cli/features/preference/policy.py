"""A persona's preference in a line: kinds and words by which its kept memories differ from the others."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from reel_cli.core.frozen import frozen

LEAST = 5
"""Number of kept memories, and of others, below which nothing is learnt."""
MOST_WORDS = 5
_LEAST_TOLD = 2
"""Number of kinds and words below which it is chance."""
_KIND_SHARE, _KIND_TIMES = 0.5, 1.5
"""Share of the kept memories that a kind must have, and how many times that of the others."""
_WORD_SHARE, _WORD_TIMES, _WORD_LEAST = 0.25, 2.5, 3
"""The same of a word, and the number of kept memories that it must stand in."""


@frozen
class Trait:
    """A memory as it counts: the kinds it is tagged with, and its words by their stems."""

    kinds: frozenset[str]
    words: Mapping[str, str]


def learn_preference(kept: Sequence[Trait], others: Sequence[Trait]) -> str:
    """Return what sets the kept memories apart, in one line; "" where that does not show."""
    if min(len(kept), len(others)) < LEAST:
        return ""
    kinds = _apart([trait.kinds for trait in kept], [trait.kinds for trait in others])
    words = _apart([trait.words.keys() for trait in kept], [trait.words.keys() for trait in others])
    common = [
        kind for kind, (share, other) in kinds.items() if share >= max(_KIND_SHARE, _KIND_TIMES * other)
    ]
    least = max(_WORD_SHARE, _WORD_LEAST / len(kept))
    telling = [stem for stem, (share, other) in words.items() if share >= max(least, _WORD_TIMES * other)]
    telling.sort(key=lambda stem: (words[stem][1] - words[stem][0], stem))
    if len(common) + len(telling) < _LEAST_TOLD:
        return ""
    spelt = {stem: word for trait in reversed(kept) for stem, word in trait.words.items()}
    told = [f"what is {_listed(sorted(common))}"] if common else []
    told += [_listed([spelt[stem] for stem in telling[:MOST_WORDS]])] if telling else []
    return "; ".join(told)


def _apart(
    kept: Sequence[Collection[str]], others: Sequence[Collection[str]]
) -> Mapping[str, tuple[float, float]]:
    """Return for each thing that kept memories have its share of them, and of the others."""
    mine = Counter(one for each in kept for one in each)
    theirs = Counter(one for each in others for one in each)
    return {one: (count / len(kept), theirs[one] / len(others)) for one, count in mine.items()}


def _listed(things: Sequence[str]) -> str:
    return " and ".join([", ".join(things[:-1]), things[-1]]) if len(things) > 1 else things[0]
