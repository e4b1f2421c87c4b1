"""Samples to train a model on: their kinds and shares (REEL §8.2), how many of each, and who is held back."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256

from reel_cli.core.values.settings import WHOLE


class SampleKind(StrEnum):
    """Kinds of lesson that a sample teaches."""

    SOLO = "solo"
    LOADED = "ring-loaded"
    CONSOLIDATION = "consolidation"
    CHECKPOINT = "checkpoint"
    RETRIEVAL = "retrieval"
    CONTRADICTION = "contradiction"


SHARES: Mapping[SampleKind, tuple[int, int]] = {
    SampleKind.SOLO: (5500, 6500),
    SampleKind.LOADED: (1500, 2000),
    SampleKind.CONSOLIDATION: (500, 1000),
    SampleKind.CHECKPOINT: (500, 800),
    SampleKind.RETRIEVAL: (300, 500),
    SampleKind.CONTRADICTION: (200, 300),
}
"""The least and the most of all samples that each kind may be, in hundredths of a percent (REEL §8.2)."""


@dataclass(frozen=True, slots=True)
class Sample:
    """One conversation to learn from: (role, text) pairs that end in what the persona says.

    `sessions` are those whose words stand in it; `where` tells it from all others of its kind.
    """

    kind: SampleKind
    where: str
    sessions: tuple[str, ...]
    messages: tuple[tuple[str, str], ...]
    tokens: int = 0
    heard: str = ""
    """The identity that was approved at that time."""
    honest: bool = False
    """True for a self-assessment that tells of a shift or a doubt; it is never left out for its words."""
    rank: int = 0
    """Of its kind, samples with a lower one are taken first."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The number of samples of each kind, and the kind that limits them; None if all are taken."""

    counts: Mapping[SampleKind, int]
    scarce: SampleKind | None = None


def shares_among(kinds: Iterable[SampleKind]) -> Mapping[SampleKind, tuple[int, int]]:
    """Return the shares of these kinds without others, in the same proportions."""
    wanted = frozenset(kinds)
    present = [kind for kind in SHARES if kind in wanted]
    if len(present) == len(SHARES):
        return SHARES
    every = sum(sum(span) for span in SHARES.values())
    these = sum(sum(SHARES[kind]) for kind in present) or 1
    return {
        kind: (SHARES[kind][0] * every // these, min(WHOLE, -(-SHARES[kind][1] * every // these)))
        for kind in present
    }


def plan_counts(available: Mapping[SampleKind, int]) -> Plan:
    """Return the most samples of which every kind that there is has its share of all.

    Where other kinds are lacking and these cannot fill their places, they keep their shares to one another.
    Where there are too few of all for that, shares are met to within one sample, as nearly as can be.
    """
    there = {kind: count for kind, count in available.items() if count}
    shares = {kind: SHARES[kind] for kind in there} if fills_all(there) else shares_among(there)
    plan = next(_plans(there, shares, slack=0), None)
    if plan is None:
        near = _plans(there, shares, slack=1)
        plan = min(near, key=lambda one: _beyond(one.counts, shares), default=None)
    return plan or Plan(dict.fromkeys(there, 1))


def fills_all(kinds: Iterable[SampleKind]) -> bool:
    """Return whether these kinds can be all samples without one having more than its share."""
    return sum(SHARES[kind][1] for kind in set(kinds)) >= WHOLE


def list_unmet(counts: Mapping[SampleKind, int]) -> Sequence[SampleKind]:
    """Return the kinds in `counts` whose share of all samples is not the protocol's.

    A kind there is, of which none is taken, has the count 0; one that is lacking has none.
    """
    total = sum(counts.values())
    return [
        kind
        for kind, (least, most) in SHARES.items()
        if kind in counts and not least * total <= counts[kind] * WHOLE <= most * total
    ]


def has_enough(kind: SampleKind, counts: Mapping[SampleKind, int]) -> bool:
    """Return whether a kind has more than its share of all samples."""
    return counts.get(kind, 0) * WHOLE > SHARES[kind][1] * sum(counts.values())


def _plans(
    there: Mapping[SampleKind, int], shares: Mapping[SampleKind, tuple[int, int]], slack: int
) -> Iterator[Plan]:
    """Yield plans for every number of samples with each share within `slack`, the most first."""
    # a kind with a single sample has at most its share
    bounds = {kind: (there[kind] + slack) * WHOLE // shares[kind][0] for kind in there}
    for total in range(min((sum(there.values()), *bounds.values())), 0, -1):
        low = {kind: max(0, -(-total * shares[kind][0] // WHOLE) - slack) for kind in there}
        high = {kind: min(there[kind], total * shares[kind][1] // WHOLE + slack) for kind in there}
        if all(low[k] <= high[k] for k in there) and sum(low.values()) <= total <= sum(high.values()):
            yield _fill(total, low, high, shares, there)


def _beyond(counts: Mapping[SampleKind, int], shares: Mapping[SampleKind, tuple[int, int]]) -> float:
    """Return how far the shares are missed in all, in hundredths of a percent; an omitted kind doubles."""
    total = sum(counts.values())
    missed = 0.0
    for kind, (least, most) in shares.items():
        share = counts[kind] * WHOLE / total
        missed += max(least - share, share - most, 0) + (0 if counts[kind] else least)
    return missed


def _fill(
    total: int,
    low: Mapping[SampleKind, int],
    high: Mapping[SampleKind, int],
    shares: Mapping[SampleKind, tuple[int, int]],
    there: Mapping[SampleKind, int],
) -> Plan:
    """Return a plan of `total` samples, each kind within its bounds and as near to its middle as possible."""
    counts = dict(low)
    for _ in range(total - sum(low.values())):
        free = [kind for kind in counts if counts[kind] < high[kind]]
        counts[max(free, key=lambda kind: total * sum(shares[kind]) // 2 - counts[kind] * WHOLE)] += 1
    used_up = [kind for kind in there if counts[kind] == there[kind]] if total < sum(there.values()) else []
    scarce = min(used_up, key=lambda kind: there[kind] * WHOLE // shares[kind][0], default=None)
    return Plan(counts, scarce)


def choose(samples: Sequence[Sample], counts: Mapping[SampleKind, int], seed: int) -> list[Sample]:
    """Return so many samples of each kind, the same ones for the same seed, all mixed.

    Self-assessments that tell of a shift, and moments that were asked for in words, are taken first.
    """
    chosen: list[Sample] = []
    for kind, count in counts.items():
        of_kind = [sample for sample in samples if sample.kind is kind]
        of_kind.sort(key=lambda s: (s.rank, _draw(seed, s.where)))
        chosen += of_kind[:count]
    return sorted(chosen, key=lambda s: _draw(seed, f"{s.kind} {s.where}"))


def hold_back(samples: Sequence[Sample], share: int, seed: int) -> tuple[list[Sample], list[Sample]]:
    """Return samples to train on, and those held back: about `share` (hundredths of a percent).

    No session is in both. Sessions whose words stand in one sample stay together; where that leaves one
    group, none is held back.
    """
    groups: dict[str, str] = {}

    def root(name: str) -> str:
        while groups.setdefault(name, name) != name:
            groups[name] = groups[groups[name]]
            name = groups[name]
        return name

    for sample in samples:
        first, *others = sample.sessions
        for other in others:
            one, two = sorted((root(first), root(other)))
            groups[two] = one
    sizes: dict[str, int] = {}
    for sample in samples:
        name = root(sample.sessions[0])
        sizes[name] = sizes.get(name, 0) + 1
    wanted, held, back = len(samples) * share, 0, set[str]()
    for name in sorted(sizes, key=lambda name: _draw(seed, name)):
        # take the one that brings it nearer to the target, but never all
        before, after = abs(wanted - held * WHOLE), abs(wanted - (held + sizes[name]) * WHOLE)
        if len(back) + 1 < len(sizes) and after < before:
            back.add(name)
            held += sizes[name]
    smallest = min(sizes, key=lambda name: (sizes[name], _draw(seed, name)), default="")
    if share and not back and 0 < 2 * sizes.get(smallest, 0) <= len(samples) and len(sizes) > 1:
        # all are larger than the target; some is better than none
        back.add(smallest)
    train = [sample for sample in samples if root(sample.sessions[0]) not in back]
    return train, [sample for sample in samples if root(sample.sessions[0]) in back]


def _draw(seed: int, name: str) -> bytes:
    return sha256(f"{seed}\0{name}".encode("utf-8", "replace")).digest()
