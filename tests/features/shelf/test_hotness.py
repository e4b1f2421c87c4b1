"""Hotness of a file: the four factors, and how a touch fades by the session."""

from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.core.values.settings import WHOLE
from reel_cli.features.shelf.hotness import Factors, hotness_of, recent_touch, render_hotness, sessions_after
from reel_cli.features.shelf.shelf_file import ShelfFile

SESSIONS = ("2026-02-09-2", "2026-02-09-10", "2026-02-10-1")


def test_the_four_factors_count_what_the_document_says() -> None:
    """MEMORY-MGMT §7.b: score a file by four weighted factors."""
    assert [
        render_hotness(Factors(*factors).hotness)
        for factors in (
            (0, False, False, False),
            (WHOLE, False, False, False),
            (0, True, False, False),
            (0, False, True, False),
            (0, False, False, True),
            (WHOLE, True, False, False),
            (WHOLE // 2, True, True, False),
            (WHOLE, True, True, True),
        )
    ] == ["0.0", "0.3", "0.2", "0.3", "0.2", "0.5", "0.65", "1.0"]


def test_a_touch_fades_by_the_session() -> None:
    assert [recent_touch(since, 4) for since in (0, 1, 2, 3, 4, 5, None)] == [
        10000,
        7500,
        5000,
        2500,
        0,
        0,
        0,
    ]
    assert recent_touch(0, 0) == 0
    assert [
        sessions_after(SESSIONS, one) for one in (*SESSIONS, "2026-02-09-11", "2026-03-01-1", "", "x")
    ] == [
        *(2, 1, 0, 1, 0, 3, 3),
    ]


@given(
    st.one_of(st.none(), st.integers(0, 40)), st.integers(0, 20), st.booleans(), st.booleans(), st.booleans()
)
@settings(max_examples=60, deadline=None)
def test_each_factor_only_adds(since: int | None, idle: int, working: bool, hot: bool, pin: bool) -> None:  # noqa: FBT001
    file = ShelfFile("shelf/a", "a", working=working, pin=pin)
    score = hotness_of(file, since, idle, {"shelf/a"} if hot else ())
    assert 0 <= score <= WHOLE
    assert score <= hotness_of(ShelfFile("shelf/a", "a", pin=True), 0, max(idle, 1), {"shelf/a"})
    assert score >= hotness_of(ShelfFile("shelf/a", "a", working=False), since, idle, ())
