"""Number of samples of each kind, and the sessions that are held back."""

from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.features.training.policy import (
    SHARES,
    Plan,
    Sample,
    SampleKind,
    choose,
    fills_all,
    has_enough,
    hold_back,
    list_unmet,
    plan_counts,
    shares_among,
)

KINDS = list(SampleKind)
SOLO, LOADED, KEPT, LOOKED, REMINDED, TOLD = KINDS
PLENTY = dict.fromkeys(KINDS, 10_000)


def sample(number: int, *sessions: str) -> Sample:
    return Sample(KINDS[number % len(KINDS)], str(number), sessions, (("user", "a"), ("assistant", "b")))


@pytest.mark.parametrize(
    ("available", "total", "scarce"),
    [
        # the rarest kind decides: one in fifty at least
        ({**PLENTY, TOLD: 4}, 200, TOLD),
        ({**PLENTY, SOLO: 550}, 1000, SOLO),
        # of two that there is one of, no number meets all shares; this one is nearest
        ({**PLENTY, REMINDED: 1, TOLD: 1}, 33, REMINDED),
        ({SOLO: 1}, 1, None),
        ({SOLO: 3, TOLD: 0}, 3, None),
        ({}, 0, None),
    ],
)
def test_as_many_as_the_shares_allow(
    available: Mapping[SampleKind, int], total: int, scarce: SampleKind | None
) -> None:
    plan = plan_counts(available)
    assert (sum(plan.counts.values()), plan.scarce) == (total, scarce)


@settings(max_examples=100, deadline=None)
@given(st.fixed_dictionaries({kind: st.integers(0, 400) for kind in KINDS}))
def test_every_kind_that_there_is_has_its_share(available: dict[SampleKind, int]) -> None:
    plan: Plan = plan_counts(available)
    there = [kind for kind in KINDS if available[kind]]
    assert sorted(plan.counts) == sorted(there)
    total = sum(plan.counts.values())
    for kind in there:
        low, high = (SHARES if fills_all(there) else shares_among(there))[kind]
        assert 0 <= plan.counts[kind] <= available[kind]
        assert total * low / 10_000 - 1 <= plan.counts[kind] <= total * high / 10_000 + 1


def test_a_share_that_cannot_be_met_is_named() -> None:
    """REEL §8.2: with few samples the mix is another, and that is said."""
    assert list_unmet(plan_counts({**PLENTY, TOLD: 4}).counts) == []
    # where kinds are lacking the others are too much of all, and no share is stretched to fit
    assert list_unmet(plan_counts({SOLO: 3, TOLD: 0}).counts) == [SOLO]
    assert list_unmet(plan_counts({SOLO: 90, LOADED: 30}).counts) == [SOLO, LOADED]
    # so is a kind of which there are some, and none is taken
    few = plan_counts({SOLO: 5, REMINDED: 3})
    assert few.counts[REMINDED] == 0
    assert list_unmet(few.counts) == [SOLO, REMINDED]
    # of which there is hardly anything else is not too little, however much of another is left
    assert few.scarce is SOLO
    assert has_enough(SOLO, few.counts)
    assert not has_enough(TOLD, plan_counts({**PLENTY, TOLD: 4}).counts)
    assert list_unmet(dict.fromkeys(KINDS, 1)) == [SOLO, KEPT, LOOKED, REMINDED, TOLD]


@pytest.mark.parametrize("lacking", [(), (TOLD,), (REMINDED, TOLD)])
def test_a_kind_that_is_lacking_lets_no_other_have_more_than_its_share(
    lacking: tuple[SampleKind, ...],
) -> None:
    """REEL §8.2: each share is of all samples, whichever kinds there are."""
    plenty = {kind: count for kind, count in {**PLENTY, SOLO: 53}.items() if kind not in lacking}
    plan = plan_counts(plenty)
    assert plan.counts[SOLO] == 53
    assert list_unmet(plan.counts) == []
    assert fills_all(plenty)


def test_where_the_others_cannot_fill_their_places_all_keep_to_one_another() -> None:
    some = {SOLO: 60, LOADED: 60, KEPT: 60}
    assert not fills_all(some)
    assert sum(plan_counts(some).counts.values()) > 60


def test_shares_of_some_are_as_they_are_to_one_another() -> None:
    assert shares_among(KINDS) == shares_among(kind for kind in KINDS) == SHARES
    some = shares_among((SOLO, LOADED))
    assert sum(low for low, _ in some.values()) <= 10_000 <= sum(high for _, high in some.values())
    assert some[SOLO][0] / some[LOADED][0] == pytest.approx(SHARES[SOLO][0] / SHARES[LOADED][0], rel=0.01)
    assert shares_among((TOLD,))[TOLD][1] == 10_000


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=2), min_size=1, max_size=40),
    st.integers(0, 3),
)
def test_no_session_is_on_both_sides_and_nothing_is_lost(sessions: list[list[str]], seed: int) -> None:
    samples = [sample(number, *names) for number, names in enumerate(sessions)]
    train, held = hold_back(samples, 1000, seed)
    assert sorted([*train, *held], key=lambda s: int(s.where)) == samples
    assert train
    assert not {n for s in train for n in s.sessions} & {n for s in held for n in s.sessions}
    assert (train, held) == hold_back(samples, 1000, seed)


def test_the_seed_decides_which() -> None:
    samples = [sample(number, f"s{number}") for number in range(100)]
    held = [tuple(s.where for s in hold_back(samples, 1000, seed)[1]) for seed in (0, 0, 1)]
    assert held[0] == held[1] != held[2]
    assert [len(one) for one in held] == [10, 10, 10]
    assert hold_back(samples, 0, 0) == (samples, [])
    counts = {SOLO: 5, TOLD: 2}
    first, second = (choose(samples, counts, seed) for seed in (0, 1))
    assert [s.where for s in first] != [s.where for s in second]
    assert [sum(s.kind is kind for s in first) for kind in (SOLO, LOADED, TOLD)] == [5, 0, 2]


def test_self_assessments_that_tell_of_a_shift_are_taken_first() -> None:
    ranks = {57: 0, 31: 0, 8: 1}
    many = [Sample(LOOKED, str(n), (f"s{n}",), (("user", "a"),), rank=ranks.get(n, 2)) for n in range(100)]
    for seed in range(5):
        for taken in (1, 2, 3, 9):
            chosen = [one.rank for one in choose(many, {LOOKED: taken}, seed)]
            assert sorted(chosen) == [0, 0, 1, *[2] * 6][:taken]


def test_some_is_held_back_where_sessions_are_few_but_never_most() -> None:
    two = [sample(number, "one" if number < 5 else "other") for number in range(9)]
    assert {s.sessions for s in hold_back(two, 1000, 0)[1]} == {("other",)}
    assert hold_back([sample(0, "one"), sample(1, "one")], 1000, 0)[1] == []
