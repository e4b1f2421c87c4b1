from datetime import UTC, timedelta, timezone

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.core.tape.formats.source import Notes
from reel_cli.core.tape.formats.times import read_time

HALF_PAST = "2026-02-10T20:15:00+00:00"


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (1770754500, HALF_PAST),
        (1770754500.0, HALF_PAST),
        (1770754500.25, "2026-02-10T20:15:00.250+00:00"),
        (1770754500000, HALF_PAST),
        (1770754500250, "2026-02-10T20:15:00.250+00:00"),
        (1770754500000000, HALF_PAST),
        (1770754500000000000, HALF_PAST),
        ("1770754500", HALF_PAST),
        (" 1770754500.5 ", "2026-02-10T20:15:00.500+00:00"),
        ("2026-02-10T20:15:00Z", HALF_PAST),
        ("2026-02-10T21:15:00+01:00", "2026-02-10T21:15:00+01:00"),
        ("2026-02-10 20:15", HALF_PAST),
        ("2026-02-10T20:15:00.1234567Z", "2026-02-10T20:15:00.123+00:00"),
        ("2026-02-10", "2026-02-10T00:00:00+00:00"),
        ("2023-4-21 @20h 02m 47s 124ms", "2023-04-21T20:02:47.124+00:00"),
        ("2023-4-21 @20h 02m 47s 4ms", "2023-04-21T20:02:47.004+00:00"),
        ("2024-7-12@01h31m37s", "2024-07-12T01:31:37+00:00"),
        ("2024-7-12@01h31m", "2024-07-12T01:31:00+00:00"),
        ("June 19, 2023 2:20pm", "2023-06-19T14:20:00+00:00"),
        ("June 19, 2023 12:05 AM", "2023-06-19T00:05:00+00:00"),
        ("December 1, 2023 12:05pm", "2023-12-01T12:05:00+00:00"),
        ("Jun 05, 2025 14:33", "2025-06-05T14:33:00+00:00"),
        ("2025-07-30 13:15:41.123456789-07:00", "2025-07-30T13:15:41.123-07:00"),
        (None, None),
        ("", None),
    ],
)
def test_times_as_apps_write_them(value: object, expected: str | None) -> None:
    assert read_time(value, UTC, Notes()) == expected


@pytest.mark.parametrize(
    "value",
    [
        *("yesterday-ish", "9" * 100, "9999-12-31T23:59:59-23:59", "-5"),
        *("2024-13-12@01h31m37s", "2024-7-12@25h31m", "Foo 1, 2023 2:20pm"),
        *("June 31, 2023 2:20pm", "June 3, 2023 14:20pm", "June 3, 2023 0:20am"),
        *(0, -1, 12, True, float("nan"), float("inf"), 1e300, 10**40, [1], {"at": 1}),
    ],
)
def test_nonsense_is_no_time_and_is_noted(value: object) -> None:
    notes = Notes()
    assert read_time(value, UTC, notes) is None
    assert notes.lines()[0].startswith("a time could not be read and was left out (")


def test_numbers_take_the_zone_and_a_time_without_one_is_taken_to_be_in_it() -> None:
    notes = Notes()
    zone = timezone(timedelta(hours=2), "EET")
    assert read_time(1770754500, zone, notes) == "2026-02-10T22:15:00+02:00"
    assert notes.lines() == ()
    assert read_time("2026-02-10T20:15:00", zone, notes) == "2026-02-10T20:15:00+02:00"
    assert notes.lines() == ("no time zone is given, so times count as EET",)


@settings(max_examples=100, deadline=None)
@given(
    st.one_of(
        st.text(max_size=30), st.integers(), st.floats(), st.none(), st.lists(st.integers(), max_size=2)
    )
)
def test_anything_is_a_time_or_none(value: object) -> None:
    found = read_time(value, UTC, Notes())
    assert found is None or "1990" <= found[:4] <= "2100"
