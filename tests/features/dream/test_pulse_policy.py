"""The heartbeat by itself: the moving window, what breaks the thread, when a dream is due, and the weeks."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.core.values.settings import Every, Settings
from reel_cli.features.dream.pulse.pulse_policy import (
    Disruption,
    Dreamt,
    Heartbeat,
    Kind,
    Part,
    Trend,
    find_gaps,
    judge,
    recalled_in,
    take_heartbeat,
)
from reel_cli.features.dream.pulse.week_measures import Week, WeekData, by_week, settle_loops
from reel_cli.features.dream.waking.schedule import by_clock, why_first

NOW = datetime(2026, 3, 1, 20, tzinfo=UTC)
DAY = timedelta(days=1)


def named(count: int, first: date = date(2026, 1, 1)) -> list[str]:
    """One session a day."""
    return [f"{first + timedelta(days=n)}-1" for n in range(count)]


# -- the window ---------------------------------------------------------------------------------


def beat(pattern: str, over: int = 10, threshold: int = 3_000) -> Heartbeat:
    """The heartbeat of sessions in which something was recalled (x) or not (.)."""
    names = named(len(pattern))
    recalled = {name for name, mark in zip(names, pattern, strict=True) if mark == "x"}
    return take_heartbeat(names, recalled, over, threshold)


def test_where_nothing_was_ever_recalled_the_share_says_nothing() -> None:
    found = beat("....................")
    assert found == Heartbeat(10, 3_000)
    assert (found.below, found.trend) == (False, None)


def test_what_came_before_the_first_recall_does_not_count() -> None:
    found = beat("....................x....")
    assert (found.since, found.counted) == ("2026-01-21-1", 5)
    assert (found.now, found.before, found.trend) == (Part(1, 5), None, None)
    assert found.below
    assert beat("....................x...").now is None


@pytest.mark.parametrize(
    ("pattern", "now", "before", "trend", "below"),
    [
        ("xxxxxxxxxxxx........", Part(2, 10), Part(10, 10), Trend.FALLING, True),
        ("x.........xxx.......", Part(3, 10), Part(1, 10), Trend.RISING, False),
        ("xxxxxxxxxxxxxxxxxxxx", Part(10, 10), Part(10, 10), Trend.STEADY, False),
        ("x.xxxxxx.......", Part(3, 10), Part(4, 5), Trend.FALLING, False),
        ("xx...........", Part(0, 10), None, None, True),
    ],
)
def test_the_last_sessions_are_held_against_as_many_before(
    pattern: str,
    now: Part,
    before: Part | None,
    trend: Trend | None,
    below: bool,  # noqa: FBT001
) -> None:
    found = beat(pattern)
    assert (found.now, found.before, found.trend, found.below) == (now, before, trend, below)


def test_a_threshold_of_nothing_is_never_undercut() -> None:
    assert not beat("x...........", threshold=0).below


@settings(max_examples=100, deadline=None)
@given(st.text("x.", max_size=60), st.integers(1, 15), st.integers(0, 10_000))
def test_the_window_moves_over_what_counts(pattern: str, over: int, threshold: int) -> None:
    found = beat(pattern, over, threshold)
    counted = pattern[pattern.index("x") :] if "x" in pattern else ""
    assert found.counted == len(counted)
    enough = len(counted) >= min(5, over)
    window = counted[-over:]
    assert found.now == (Part(window.count("x"), len(window)) if enough else None)
    if found.before is not None:
        assert found.now is not None
        assert found.now.of == over >= found.before.of
        both = counted[-2 * over :]
        assert found.now.part + found.before.part == both.count("x")
    assert found.below == (found.now is not None and found.now.share * 10_000 < threshold)


@settings(max_examples=100, deadline=None)
@given(st.text("x.", min_size=1, max_size=40), st.integers(1, 12))
def test_one_more_recall_never_lowers_the_share(pattern: str, over: int) -> None:
    then, later = beat("x" + pattern, over).now, beat("x" + pattern[:-1] + "x", over).now
    assert (then is None) == (later is None)
    if then is not None and later is not None:
        assert later.of == then.of
        assert later.part >= then.part


def test_a_recall_belongs_to_the_session_it_was_noted_with() -> None:
    sessions = ["2026-01-01-1", "2026-01-05-1", "2026-01-05-2", "2026-01-09-1"]
    ahead = {"2031-01-01-1"}

    def of(*notes: tuple[str, str]) -> Collection[str]:
        return recalled_in(sessions, ahead, notes)

    assert of(("2026-01-05-1", "2026-01-08T00:00:00Z")) == {"2026-01-05-1"}
    # noted with one that is dated ahead of the clock, it belongs to the last that had begun
    assert of(("2031-01-01-1", "2026-01-08T00:00:00Z")) == {"2026-01-05-2"}
    assert of(("2031-01-01-1", "2020-01-01T00:00:00Z")) == set()
    # one that was taken back is nowhere
    assert of(("2026-01-02-1", "2026-01-08T00:00:00Z"), ("", "2026-01-08T00:00:00Z")) == set()


def test_what_is_dated_ahead_of_the_clock_does_not_count() -> None:
    sessions = ["2026-02-28-1", "2026-03-01-1", "2026-03-02-1", "2026-03-03-1", "2031-01-01-1"]
    # a day ahead may be another zone's today
    assert by_clock(sessions, NOW) == sessions[:3]
    assert by_clock(sessions, NOW - 99 * DAY) == []


def test_a_long_silence_breaks_the_thread() -> None:
    sessions = ["2025-11-01-1", "2025-12-01-1", "2026-01-01-1", "2026-01-29-1", "2026-02-28-1"]
    assert find_gaps(sessions, {"2026-02-28-1"}) == [
        Disruption(Kind.GAP, "2025-12-01", "30 days without a word", fresh=False),
        Disruption(Kind.GAP, "2026-01-01", "31 days without a word", fresh=False),
        Disruption(Kind.GAP, "2026-02-28", "30 days without a word", fresh=True),
    ]
    assert find_gaps([], ()) == find_gaps(["2026-01-01-1"], ()) == []
    # a day that is none is no gap of two thousand years
    assert find_gaps(["2026-02-31-1", "2026-03-01-1"], ()) == []


# -- when one is due ----------------------------------------------------------------------------

USUAL = Settings(name="Ada")
QUIET = Heartbeat(10, 3_000)
LOW = Heartbeat(10, 3_000, "2026-01-01-1", 30, Part(2, 10), Part(8, 10))


def due(
    dreamt: Dreamt,
    *,
    now: datetime = NOW,
    sessions: Sequence[str] = (),
    heart: Heartbeat = QUIET,
    disruptions: Sequence[Disruption] = (),
    cold: bool = False,
    every: tuple[int, int] = (7, 0),
) -> list[str]:
    chosen = replace(USUAL, dream_every=Every(*every))
    return [one.why for one in judge(chosen, now, sessions, dreamt, heart, disruptions, cold=cold)]


def slept(days: float, unread: int, *, under_way: bool = False) -> Dreamt:
    return Dreamt(ever=True, under_way=under_way, last=NOW - days * DAY, unread=named(unread))


def test_a_young_kit_is_not_asked_for_its_first_dream() -> None:
    sessions = named(9)
    assert due(Dreamt(unread=sessions), sessions=sessions, cold=True) == []
    assert due(Dreamt(unread=sessions), sessions=sessions) == ["9 chats and no story yet"]


def test_without_pages_the_first_dream_is_due_after_ten_chats() -> None:
    """Dream Weaver §6.5: a habit, and no reward for pages; a kit without any never grows up."""
    sessions = named(10)
    assert due(Dreamt(unread=sessions), sessions=sessions, cold=True) == ["10 chats and no story yet"]
    early = datetime(2026, 1, 5, tzinfo=UTC)
    assert due(Dreamt(unread=sessions), now=early, sessions=sessions, cold=True) == []


def test_the_first_dream_is_not_due_on_the_first_day() -> None:
    sessions = ["2026-02-23-1"]
    begun = datetime(2026, 2, 23, tzinfo=UTC)
    for now, found in (
        (begun + 7 * DAY - timedelta(seconds=1), []),
        (begun + 7 * DAY, ["1 chat and no story yet"]),
    ):
        assert due(Dreamt(unread=sessions), now=now, sessions=sessions) == found
    # nor by anything else that is a reason later
    new = Disruption(Kind.MODEL, "2026-02-25", "a new model speaks: b", fresh=True)
    assert due(Dreamt(unread=sessions), now=begun, sessions=sessions, disruptions=[new], heart=LOW) == []


def test_the_first_dream_by_number() -> None:
    assert why_first(named(4), NOW, 0, 5) == ""
    assert why_first(named(5), NOW, 0, 5) == "5 chats and no story yet"
    assert why_first([], NOW, 7, 0) == why_first([], NOW, 0, 5) == ""
    assert why_first(["2026-02-31-1"], NOW, 7, 0) == ""


def test_once_a_week_if_anything_was_said_since() -> None:
    assert due(slept(6.9, 6)) == []
    assert due(slept(7, 6)) == ["the last dream was 7 days ago; 6 chats since"]
    assert due(slept(9, 1)) == ["the last dream was 9 days ago; 1 chat since"]
    assert due(slept(99, 0)) == []
    assert due(slept(9, 6), every=(14, 0)) == []


def test_by_number_of_sessions() -> None:
    high = Heartbeat(10, 3_000, "2026-01-01-1", 30, Part(8, 10), Part(8, 10))
    assert due(slept(99, 19), every=(0, 20), heart=high) == []
    assert due(slept(0, 20), every=(0, 20), heart=high) == ["the last dream was today; 20 chats since"]
    assert due(slept(1, 20), every=(0, 20), heart=high) == ["the last dream was yesterday; 20 chats since"]


def test_never_is_never() -> None:
    new = Disruption(Kind.PURGE, "2026-02-28", "something was purged", fresh=True)
    assert due(slept(99, 50), heart=LOW, disruptions=[new], every=(0, 0)) == []
    assert due(Dreamt(unread=named(9)), sessions=named(9), every=(0, 0)) == []


def test_a_low_heartbeat_is_a_reason_once_all_of_it_came_after_the_last_dream() -> None:
    assert due(slept(2, 9), heart=LOW) == []
    assert due(slept(2, 10), heart=LOW) == ["recalled in 2 of the last 10 chats"]
    assert due(slept(8, 10), heart=LOW) == [
        "the last dream was 8 days ago; 10 chats since",
        "recalled in 2 of the last 10 chats",
    ]


def test_a_memory_that_is_never_used_is_at_nought_and_below() -> None:
    """Dream Weaver §6.3: below 30 % a dream is due, and never is below 30 %."""
    assert due(slept(2, 9), heart=QUIET) == []
    assert due(slept(2, 10), heart=QUIET) == ["recalled in 0 of the last 10 chats"]
    assert due(slept(2, 10), heart=Heartbeat(10, 0)) == []
    assert due(slept(2, 11), heart=Heartbeat(12, 3_000)) == []


def test_what_broke_the_thread_since_is_a_reason_and_what_did_before_is_none() -> None:
    old = Disruption(Kind.MODEL, "2026-02-01", "a new model speaks: a")
    new = Disruption(Kind.MODEL, "2026-02-28", "a new model speaks: b", fresh=True)
    assert due(slept(2, 1), disruptions=[old]) == []
    assert due(slept(2, 1), disruptions=[old, new]) == ["a new model speaks: b"]
    assert due(slept(2, 0), disruptions=[old, new]) == []


def test_while_a_dream_is_under_way_none_is_due() -> None:
    assert due(slept(30, 50, under_way=True), heart=LOW) == []


def test_a_clock_that_ran_backwards() -> None:
    told = "the last dream was on 4 March 2026, a date that is still to come; 2 chats since"
    assert due(slept(-3, 2)) == [told]
    assert due(slept(-3, 0)) == []
    # within a day, two machines' clocks or zones differ
    assert due(slept(-0.5, 2)) == []
    assert due(Dreamt(ever=True, unread=named(2))) == []


@settings(max_examples=100, deadline=None)
@given(
    st.floats(-10, 60),
    st.integers(0, 30),
    st.booleans(),
    st.booleans(),
    st.tuples(st.integers(0, 30), st.integers(0, 30)),
)
def test_nothing_is_due_where_nothing_is_unread_or_it_is_turned_off(
    days: float,
    unread: int,
    cold: bool,  # noqa: FBT001
    under_way: bool,  # noqa: FBT001
    every: tuple[int, int],
) -> None:
    found = due(slept(days, unread, under_way=under_way), heart=LOW, cold=cold, every=every)
    if not unread or under_way or every == (0, 0):
        assert found == []
    # being young matters to the first dream only
    assert found == due(slept(days, unread, under_way=under_way), heart=LOW, cold=not cold, every=every)


# -- week by week -------------------------------------------------------------------------------


def test_each_week_tells_what_is_known_of_it_and_no_more() -> None:
    lived = WeekData(
        sessions=["2026-01-05-1", "2026-01-06-1", "2026-01-14-1", "2026-01-28-1"],
        since="2026-01-14-1",
        recalled={"2026-01-14-1"},
        tools={"2026-01-05-1": ["search"], "2026-01-14-1": ["Search", "python"], "2026-01-28-1": []},
        threads=[("2026-01-06", True), ("2026-01-06", False), ("2026-01-20", False), ("2031-01-01", True)],
        loops=[("2026-01-05-1", True), ("2026-01-28-1", False)],
    )
    weeks, whole = by_week(lived, date(2026, 2, 1))
    assert list(weeks) == [
        Week("2026-01-05", 2, None, None, Part(1, 2), Part(1, 1)),
        Week("2026-01-12", 1, Part(1, 1), Part(1, 2), None, None),
        Week("2026-01-19", 0, None, None, Part(0, 1), None),
        Week("2026-01-26", 1, Part(0, 1), None, None, Part(0, 1)),
    ]
    assert whole == Week("", 4, Part(1, 2), Part(1, 2), Part(2, 4), Part(1, 2))


def test_of_nothing_nothing_is_told() -> None:
    assert by_week(WeekData((), "", (), {}), date(2026, 2, 1)) == ([], Week("", 0))


def test_a_day_that_is_none_is_of_no_week() -> None:
    weeks, whole = by_week(
        WeekData((), "", (), {}, threads=[("some day", True), ("", False)]), date(2026, 2, 1)
    )
    assert (list(weeks), whole.dropped) == ([], Part(1, 2))


def test_a_loop_counts_once_for_the_session_that_left_it_open_first() -> None:
    opened = [
        ("2026-01-05-1", ["The bowl", "call Marta"]),
        ("2026-01-06-1", ["the  bowl", "a title"]),
    ]
    found = settle_loops(
        opened, lambda loop: loop == "a title", lambda text: " ".join(text.casefold().split())
    )
    assert found == [("2026-01-05-1", True), ("2026-01-05-1", True), ("2026-01-06-1", False)]
