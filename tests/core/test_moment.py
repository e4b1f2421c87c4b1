"""Points in time: the offset that held then in the machine's zone, and the day that a text begins with."""

import time
from collections.abc import Iterator
from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reel_cli.core.moment import MACHINE, read_day

NAMES = ("Europe/Berlin", "Australia/Sydney", "Asia/Kolkata", "America/Santiago")


@pytest.fixture(params=NAMES)
def zone(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[ZoneInfo]:
    monkeypatch.setenv("TZ", request.param)
    time.tzset()
    yield ZoneInfo(request.param)
    monkeypatch.undo()
    time.tzset()


@given(seconds=st.integers(631_152_000, 2_145_916_800))
@settings(max_examples=60, suppress_health_check=list(HealthCheck))
def test_a_time_here_is_the_same_moment_as_in_the_zone_by_name(zone: ZoneInfo, seconds: int) -> None:
    here, there = datetime.fromtimestamp(seconds, MACHINE), datetime.fromtimestamp(seconds, zone)
    assert here.isoformat() == there.isoformat()
    assert here.astimezone(UTC) == there
    # as a chat has it that names no zone
    assert here.replace(tzinfo=None).replace(tzinfo=MACHINE).isoformat() == there.isoformat()


def test_an_hour_that_comes_twice_is_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "Europe/Berlin")
    time.tzset()
    twice = [datetime(2024, 10, 27, hour, 30, tzinfo=UTC).astimezone(MACHINE) for hour in (0, 1)]
    assert [one.isoformat() for one in twice] == ["2024-10-27T02:30:00+02:00", "2024-10-27T02:30:00+01:00"]
    assert str(MACHINE) == "local time"
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    assert (str(MACHINE), datetime.min.replace(tzinfo=MACHINE).isoformat()[-6:]) == ("UTC", "+00:00")


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2026-05-07", date(2026, 5, 7)),
        ("2026-05-07-1#4-6", date(2026, 5, 7)),
        ("2026-05-07T19:00:00+02:00", date(2026, 5, 7)),
        ("2026-02-30-1", None),
        ("7 May 2026", None),
        ("", None),
    ],
)
def test_a_day_is_what_a_text_begins_with(text: str, day: date | None) -> None:
    assert read_day(text) == day
