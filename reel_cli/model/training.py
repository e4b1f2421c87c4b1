"""What a model learns to be this persona from: samples by kind, in the protocol's proportions (REEL §8)."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

SOLO, LOADED, CONSOLIDATION = "solo", "ring-loaded", "consolidation"
CHECKPOINT, RETRIEVAL, CONTRADICTION = "checkpoint", "retrieval", "contradiction"
SHARES: Mapping[str, tuple[int, int]] = {
    SOLO: (55, 65),
    LOADED: (15, 20),
    CONSOLIDATION: (5, 10),
    CHECKPOINT: (5, 8),
    RETRIEVAL: (3, 5),
    CONTRADICTION: (2, 3),
}
"""Least and most of each kind, in percent of all samples (REEL §8.2)."""
HELD_BACK = 10
"""So many percent of the sessions, the newest, are kept for validation."""


class Sample(NamedTuple):
    """One sample: chat messages as (role, content), and the sessions that it comes from."""

    kind: str
    messages: Sequence[tuple[str, str]]
    sessions: Sequence[str]


class Refused(NamedTuple):
    """A sample that breaks a principle of training, and why, in words."""

    sample: Sample
    why: str


class Plan(NamedTuple):
    """How many samples of each kind there are to be of `total`, and how many more the kit would need."""

    total: int
    take: Mapping[str, int]
    lacking: Mapping[str, int]


def share_out(have: Mapping[str, int]) -> Plan:
    """The largest plan in the protocol's proportions for what a kit has.

    No kind that the kit has any of is below its least share of `total`, and none is above its most. Kinds
    it has none of are lacking; then fewer than `total` are taken.
    """
    there = {kind: number for kind, number in have.items() if number}
    total = min((number * 100 // SHARES[kind][0] for kind, number in there.items()), default=0)
    least_of = {kind: -(-total * least // 100) for kind, (least, _) in SHARES.items()}
    take = {kind: min(have.get(kind, 0), least_of[kind]) for kind in SHARES}
    left = total - sum(least_of.values())
    for kind, (_, most) in SHARES.items():
        more = max(0, min(left, total * most // 100 - take[kind], have.get(kind, 0) - take[kind]))
        take[kind] += more
        left -= more
    lacking = {kind: least_of[kind] - take[kind] for kind in SHARES if least_of[kind] > take[kind]}
    return Plan(total, take, lacking)


def spread(samples: Sequence[Sample], number: int) -> list[Sample]:
    """So many of the samples, evenly from first to last."""
    return [samples[at * len(samples) // number] for at in range(number)]


def held_back(sessions: Sequence[str]) -> frozenset[str]:
    """The sessions for validation: the newest, so that no sample to train on knows of them."""
    number = max(1, len(sessions) * HELD_BACK // 100) if len(sessions) > 1 else 0
    return frozenset(sessions[len(sessions) - number :]) if number else frozenset()
