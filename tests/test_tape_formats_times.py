from datetime import UTC, timedelta, timezone

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.tape.formats.source import Notes
from reel_cli.tape.formats.times import read_time

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
    assert notes.lines() == ("times without a zone were taken as EET",)


@settings(max_examples=200, deadline=None)
@given(
    st.one_of(
        st.text(max_size=30), st.integers(), st.floats(), st.none(), st.lists(st.integers(), max_size=2)
    )
)
def test_anything_is_a_time_or_none(value: object) -> None:
    found = read_time(value, UTC, Notes())
    assert found is None or "1990" <= found[:4] <= "2100"
