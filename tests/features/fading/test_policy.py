"""The policy of fading, without a kit: by age, by room, what resists, and what is never taken."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.core.values.settings import WHOLE, Settings
from reel_cli.features.fading.fading import (
    Allowance,
    Fallen,
    Form,
    HeldBack,
    MemoryValues,
    Move,
    Rules,
    Step,
    Stub,
    Use,
    felt_age,
    ring_of,
    worth,
)
from reel_cli.features.fading.policy import OVER, plan_pass, plan_raises

RULES = Rules(Settings(name="").ages, 10, 10_000)


def held(name: str = "M-001", level: str = "L2", **more: Any) -> MemoryValues:
    one = MemoryValues(
        id=name,
        title=f"About {name}",
        level=level,
        tokens=200,
        then=50,
        weight=200,
        weight_then=50,
        days=400,
        sessions=40,
        made=400,
    )
    return replace(one, **more)


def steps(
    *those: MemoryValues, rules: Rules = RULES, stubs: Sequence[Stub] = ()
) -> list[tuple[str, str, str]]:
    return [(one.id, one.before, one.after) for one in plan_pass(those, stubs, rules).steps]


def whys(*those: MemoryValues, rules: Rules = RULES) -> list[str]:
    return [one.why for one in plan_pass(those, (), rules).steps]


def kept(*those: MemoryValues, rules: Rules = RULES) -> list[str]:
    return [one.why for one in plan_pass(those, (), rules).kept]


# -- by age --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("level", "days", "due"),
    [
        ("L1", 29, False),
        ("L1", 30, True),
        ("L2", 182, False),
        ("L2", 183, True),
        ("L3", 729, False),
        ("L3", 730, True),
    ],
)
def test_each_level_has_its_age(level: str, days: int, *, due: bool) -> None:
    below = {"L1": "L2", "L2": "L3", "L3": "L4"}[level]
    assert steps(held(level=level, days=days)) == ([("M-001", level, below)] if due else [])


def test_a_kit_may_have_other_ages() -> None:
    patient = replace(RULES, ages={"L1": 100, "L2": 1_000, "L3": 2_000})
    assert steps(held(days=400), rules=patient) == []
    assert steps(held(days=1_000), rules=patient) == [("M-001", "L2", "L3")]


def test_the_reason_says_how_old_it_is_and_when_it_was_last_used() -> None:
    assert whys(held()) == ["400 days old, never recalled"]
    assert whys(held(uses=[Use(300, 30)])) == ["400 days old, last recalled 300 days ago"]
    assert whys(held(uses=[Use(300, 30, recalled=False)])) == ["400 days old, last came up 300 days ago"]


def test_the_oldest_goes_first_and_of_two_the_one_that_was_lived_earlier() -> None:
    young, old = held("M-001", days=200), held("M-002", days=300)
    twin = held("M-003", days=300, order=("2025-01-01", 1, 1, 3))
    assert [name for name, _, _ in steps(young, twin, old)] == ["M-002", "M-003", "M-001"]


# -- what resists ---------------------------------------------------------------------------------


def test_a_use_is_worth_one_at_once_and_half_at_its_half_life_in_days_or_sessions() -> None:
    assert worth([]) == 0
    assert worth([Use(0, 0)]) == 1
    assert worth([Use(30, 99)]) == 0.5
    assert worth([Use(999, 5)]) == 0.5
    assert worth([Use(60, 10), Use(30, 10)]) == 0.75


def test_age_counts_for_less_the_more_it_was_used() -> None:
    assert felt_age(400, []) == 400
    assert felt_age(400, [Use(0, 0)]) == 200
    assert felt_age(400, [Use(0, 0), Use(30, 99), Use(999, 5)]) == 200 * 2 // 3


def test_frequent_use_keeps_what_one_use_does_not() -> None:
    once, often = [Use(100, 20)], [Use(40 + 3 * n, 6 + n) for n in range(6)]
    assert steps(held(days=300, uses=once)) == [("M-001", "L2", "L3")]
    assert steps(held(days=300, uses=often)) == []
    felt = felt_age(300, often)
    told = f"300 days old, last recalled 40 days ago, used in 6 chats, counts as {felt} because it was used"
    assert kept(held(days=300, uses=often)) == [told]


def test_a_use_long_ago_keeps_nothing() -> None:
    assert steps(held(days=400, uses=[Use(390, 39)] * 3)) == [("M-001", "L2", "L3")]


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"pinned": True}, "pinned"),
        ({"moved": True}, "has faded in this pass already"),
        ({"remade": True}, "written again or brought back a short time ago"),
        ({"sessions": 0}, "of the newest chat"),
        ({"made": 13}, "made 13 days ago"),
        ({"uses": [Use(200, 2)]}, "last recalled 200 days ago, in one of the last 3 chats"),
        ({"uses": [Use(13, 40, recalled=False)]}, "last came up 13 days ago"),
        ({"stuck": "it is as short as a marker already"}, "it is as short as a marker already"),
    ],
)
def test_what_is_kept_from_descending_says_why_under_pressure_too(change: dict[str, Any], why: str) -> None:
    for rules in (RULES, replace(RULES, most=0)):
        assert steps(held(**change), rules=rules) == []
        assert kept(held(**change), rules=rules) == [why]


def test_immunity_blocks_pruning_not_descent() -> None:
    assert steps(held(guarded="immune")) == [("M-001", "L2", "L3")]
    assert steps(held(level="L4", guarded="immune")) == []


# -- by room --------------------------------------------------------------------------------------


def test_ring_3_over_its_range_takes_the_least_worth_until_it_fits() -> None:
    those = [held(f"M-{n:03}", days=180 - n, weight=100, weight_then=40) for n in range(1, 6)]
    assert steps(*those, rules=replace(RULES, most=500)) == []
    assert steps(*those, rules=replace(RULES, most=440)) == [("M-001", "L2", "L3")]
    found = plan_pass(those, (), replace(RULES, most=400))
    assert [one.id for one in found.steps] == ["M-001", "M-002"]
    assert {one.why for one in found.steps} == {
        f"{OVER}; 179 days old, never recalled",
        f"{OVER}; 178 days old, never recalled",
    }
    assert (found.weight, found.most) == (500, 400)


def test_what_is_due_by_age_makes_room_first() -> None:
    old, young = held("M-001", days=400), held("M-002", days=100)
    assert steps(old, young, rules=replace(RULES, most=250)) == [("M-001", "L2", "L3")]
    assert steps(old, young, rules=replace(RULES, most=249)) == [("M-001", "L2", "L3"), ("M-002", "L2", "L3")]


def test_what_is_pruned_makes_room_too() -> None:
    tag, young = held("M-001", "L4", weight=50), held("M-002", days=100)
    assert steps(tag, young, rules=replace(RULES, most=200)) == [("M-001", "L4", "stub")]


def test_what_would_make_no_room_is_not_taken_for_it() -> None:
    assert steps(held(days=100, weight=200, weight_then=200), rules=replace(RULES, most=10)) == []


# -- by what a bundle shows -------------------------------------------------------------------------

TIGHT = replace(RULES, most=10)


@pytest.mark.parametrize(
    ("level", "shown", "due"),
    [
        ("L1", Form.WHOLE, False),
        ("L1", Form.MARKER, True),
        ("L2", Form.WHOLE, False),
        ("L2", Form.MARKER, True),
        ("L2", Form.ABSENT, True),
        ("L3", Form.MARKER, False),
        ("L3", Form.WHOLE, False),
        ("L3", Form.TAG, True),
    ],
)
def test_for_want_of_room_nothing_goes_that_a_bundle_shows(level: str, shown: Form, *, due: bool) -> None:
    found = plan_pass([held(level=level, days=20, shown=shown)], (), TIGHT)
    assert [one.id for one in found.steps] == (["M-001"] if due else [])
    if not due:
        assert found.stays == ["1 stands in the bundle as it is"]


def test_a_marker_becomes_a_tag_by_age_only_where_a_bundle_has_no_room_for_it() -> None:
    old = held(level="L3", days=900)
    assert steps(replace(old, shown=Form.TAG)) == [("M-001", "L3", "L4")]
    assert kept(replace(old, shown=Form.MARKER)) == ["chats still begin with it"]
    guarded = replace(old, shown=Form.MARKER, guarded="immune")
    assert kept(guarded) == ["immune, and chats still begin with it"]


def test_a_tag_or_a_line_that_a_bundle_shows_is_not_pruned() -> None:
    assert steps(held(level="L4", shown=Form.ABSENT)) == [("M-001", "L4", "stub")]
    assert kept(held(level="L4", shown=Form.TAG)) == ["chats still begin with it"]
    assert steps(stubs=[Stub("M-001", "A", 20, 50, shown=True)]) == []
    assert steps(stubs=[Stub("M-001", "A", 20, 50)]) == [("M-001", "stub", "dormant")]


def test_what_must_never_be_pruned_gives_its_words_last() -> None:
    immune = held("M-001", days=180, weight=100, weight_then=40, guarded="immune")
    plain = held("M-002", days=100, weight=100, weight_then=40)
    assert steps(immune, plain, rules=replace(RULES, most=140)) == [("M-002", "L2", "L3")]


def test_a_memory_takes_one_step_at_a_time_whoever_runs_how_many_passes() -> None:
    assert kept(held(stepped="faded today"), rules=TIGHT) == ["faded today"]
    assert kept(held(level="L4", stepped="faded today")) == ["faded today"]
    assert plan_pass([held(stepped="faded today")], (), TIGHT).stays == ["1 faded a short time ago"]


# -- pruning and sleep ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "change",
    [
        {"level": "L3", "days": 100},
        {"guarded": "identity"},
        {"guarded": "immune"},
        {"pinned": True},
        {"moved": True},
        {"remade": True},
        {"made": 3},
        {"sessions": 9},
        {"uses": [Use(300, 9)]},
    ],
)
def test_pruning_wants_every_one_of_its_criteria(change: dict[str, Any]) -> None:
    """REEL §6.5: take a memory out of the rings only at its last level, unused."""
    assert steps(held(level="L4")) == [("M-001", "L4", "stub")]
    assert steps(held(**{"level": "L4", **change})) == []


def test_the_reason_for_pruning_counts_the_idle_sessions() -> None:
    assert whys(held(level="L4")) == ["not used for 40 chats, not immune"]
    assert whys(held(level="L4", uses=[Use(300, 12), Use(350, 30)])) == ["not used for 12 chats, not immune"]


@pytest.mark.parametrize(
    ("stub", "due"),
    [
        (Stub("M-001", "A", 20, 10), True),
        (Stub("M-001", "A", 20, 9), False),
        (Stub("M-001", "A", 20, None), False),
        (Stub("M-001", "A", 20, 50, guarded="immune"), False),
        (Stub("M-001", "A", 20, 50, pinned=True), False),
        (Stub("M-001", "A", 20, 50, uses=[Use(90, 9)]), False),
        (Stub("M-001", "A", 20, 50, uses=[Use(90, 10)]), True),
    ],
)
def test_a_line_sleeps_when_nobody_asked_for_it_since_it_was_pruned(stub: Stub, *, due: bool) -> None:
    assert steps(stubs=[stub]) == ([("M-001", "stub", "dormant")] if due else [])


def test_no_line_sleeps_in_the_pass_that_pruned_it_whatever_the_settings() -> None:
    at_once = replace(RULES, idle_sessions=0)
    assert steps(stubs=[Stub("M-001", "A", 20, 0)], rules=at_once) == []
    assert steps(held(level="L4", sessions=0), rules=at_once) == []


# -- how much may be lost -------------------------------------------------------------------------


def step(name: str, tokens: int, then: int, move: Move = Move.DESCEND) -> Step:
    return Step(move, name, name, "L2", "L3", tokens, "", asks=False, then=then)


def test_a_pass_stops_before_it_takes_more_than_its_share_of_a_ring() -> None:
    allowance = Allowance({"3": 1_000, "4": 100}, WHOLE // 4)
    those = [step("A", 200, 50), step("B", 150, 50), step("C", 2, 1), step("D", 25, 0, Move.SLEEP)]
    within, beyond = allowance.split(those)
    assert [one.id for one in within] == ["A", "B", "D"]
    assert [one.id for one in beyond] == ["C"]
    assert allowance.lost == {}


def test_what_went_before_counts() -> None:
    allowance = Allowance({"3": 1_000}, WHOLE // 4, {"3": 200})
    assert allowance.bears(step("A", 100, 50))
    allowance.spend(step("A", 100, 50))
    assert not allowance.bears(step("B", 1, 0))


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.tuples(st.integers(1, 300), st.integers(0, 300), st.booleans()), max_size=12),
    st.integers(0, 2_000),
    st.integers(0, WHOLE),
)
def test_no_split_ever_takes_more_than_the_share(
    sizes: list[tuple[int, int, bool]], ring: int, share: int
) -> None:
    those = [
        step(str(n), tokens, min(then, tokens), Move.SLEEP if line else Move.DESCEND)
        for n, (tokens, then, line) in enumerate(sizes)
    ]
    within, beyond = Allowance({"3": ring, "4": ring}, share).split(those)
    assert sorted(one.id for one in (*within, *beyond)) == sorted(one.id for one in those)
    for name in ("3", "4"):
        lost = sum(one.tokens - one.then for one in within if ring_of(one) == name)
        assert lost * WHOLE <= ring * share


# -- what holds of every kit ----------------------------------------------------------------------

USES = st.lists(st.builds(Use, st.integers(0, 500), st.integers(0, 50), st.booleans()), max_size=4)
HELD = st.builds(
    held,
    level=st.sampled_from(["L1", "L2", "L3", "L4"]),
    days=st.integers(0, 1_500),
    sessions=st.integers(0, 60),
    made=st.integers(0, 1_500),
    weight=st.integers(50, 400),
    weight_then=st.integers(0, 100),
    asks=st.booleans(),
    stuck=st.sampled_from(["", "", "it is short"]),
    guarded=st.sampled_from(["", "identity", "immune"]),
    pinned=st.booleans(),
    moved=st.booleans(),
    remade=st.booleans(),
    stepped=st.sampled_from(["", "", "faded today"]),
    shown=st.sampled_from([None, *Form]),
    uses=USES,
)


@settings(max_examples=100, deadline=None)
@given(st.lists(HELD, max_size=8), st.integers(0, 1_500), st.integers(0, 20))
def test_no_pass_touches_what_is_guarded_and_each_takes_one_step(
    those: list[MemoryValues], most: int, idle: int
) -> None:
    those = [replace(one, id=f"M-{n:03}") for n, one in enumerate(those)]
    rules = Rules(Settings(name="").ages, idle, most)
    found = plan_pass(those, (), rules)
    by_id = {one.id: one for one in those}
    assert len({one.id for one in found.steps}) == len(found.steps)
    for taken in found.steps:
        one = by_id[taken.id]
        assert not one.pinned
        assert not one.moved
        if taken.move is Move.PRUNE:
            assert (one.level, one.guarded, one.stepped) == ("L4", "", "")
            assert not one.shown
            assert all(use.sessions >= idle for use in one.uses)
        else:
            assert not one.stuck
            assert not one.stepped
            assert not (one.level == "L3" and one.shown in (Form.MARKER, Form.WHOLE))
            assert (taken.before, taken.after) == (one.level, f"L{int(one.level[1]) + 1}")
    left = sum(
        0 if step.move is Move.PRUNE else by_id[step.id].weight_then - by_id[step.id].weight
        for step in found.steps
    )
    pruned = sum(by_id[step.id].weight for step in found.steps if step.move is Move.PRUNE)
    if found.weight + left - pruned > most:
        taken_ids = {one.id for one in found.steps}
        for one in those:
            free = one.level != "L4" and not (
                one.pinned or one.moved or one.remade or one.stuck or one.stepped or not one.sessions
            )
            shown = one.shown is not None and one.shown > (Form.TAG if one.level == "L3" else Form.MARKER)
            fresh = one.made < 14 or any(use.sessions < 3 or use.days < 14 for use in one.uses)
            assert one.id in taken_ids or not free or fresh or shown or one.weight_then >= one.weight


def test_what_is_kept_is_told_with_its_title() -> None:
    assert plan_pass([held(pinned=True)], (), RULES).kept == [HeldBack("M-001", "About M-001", "pinned")]


# -- room again ------------------------------------------------------------------------------------


def raised(
    *those: MemoryValues, least: int, most: int, fell: dict[str, Fallen]
) -> list[tuple[str, str, str]]:
    rules = replace(RULES, least=least, most=most)
    found = plan_pass(those, (), rules)
    return [(one.id, one.before, one.after) for one in plan_raises(those, found, fell, rules)]


def test_where_there_is_room_again_what_fell_for_want_of_it_comes_back() -> None:
    young, old = held("M-001", "L3", days=100, tokens=50, weight=50), held("M-002", "L3", days=400, weight=50)
    fell = {name: Fallen("L2", "L3", 250) for name in ("M-001", "M-002")}
    assert raised(young, old, least=1_000, most=2_000, fell=fell) == [("M-001", "L3", "L2")]
    assert raised(young, old, least=90, most=2_000, fell=fell) == []


def test_what_comes_back_stays_below_the_middle_of_the_range() -> None:
    those = [held(f"M-{n:03}", "L3", days=100 + n, tokens=50, weight=50) for n in range(1, 6)]
    fell = {one.id: Fallen("L2", "L3", 250) for one in those}
    assert raised(*those, least=300, most=1_000, fell=fell) == [("M-001", "L3", "L2"), ("M-002", "L3", "L2")]


def test_only_the_level_it_fell_from_last_comes_back() -> None:
    one = held("M-001", "L4", days=100, tokens=15, weight=15)
    assert raised(one, least=500, most=900, fell={"M-001": Fallen("L2", "L3", 250)}) == []
    assert raised(replace(one, moved=True), least=500, most=900, fell={"M-001": Fallen("L3", "L4", 50)}) == []
    assert raised(one, least=500, most=900, fell={}) == []


def test_what_a_thread_goes_on_with_fades_last() -> None:
    """Of one thread the pages that only repeat it go first (SRIP-11 §III.2)."""
    tells, repeats, newer = held("M-001", goes_on=True), held("M-002", days=390), held("M-003", days=380)
    assert [name for name, _, _ in steps(tells, repeats, newer)] == ["M-002", "M-003", "M-001"]
    # where room is wanted for one only, it is not the page that tells the thread
    young = [replace(one, days=100) for one in (tells, repeats, newer)]
    assert [name for name, _, _ in steps(*young, rules=replace(RULES, most=500))] == ["M-002"]
