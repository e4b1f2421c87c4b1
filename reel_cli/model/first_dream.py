"""Whether it is time for the first dream of all; by itself, as every look at a kit's state asks for it."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from reel_cli.model.moment import days_since, moment


def why_first(sessions: Sequence[str], now: datetime, days: int, number: int) -> str:
    """Why a kit that never dreamt should, "" where it is too early.

    That is once its first session is `days` old, or there are `number` of them; 0 for what does not count.
    `sessions` are without what is dated ahead of the clock, oldest first.
    """
    first = next((day for name in sessions if (day := moment(name[:10])).year > 1), now)
    old = bool(days) and (days_since(first, now) or 0) >= days
    return f"never dreamt, in {many(len(sessions), 'session')}" if old or 0 < number <= len(sessions) else ""


def by_clock(sessions: Sequence[str], now: datetime) -> list[str]:
    """These sessions, oldest first, without what is dated over a day ahead of the clock."""
    latest = (now.astimezone(UTC) + timedelta(days=1)).date().isoformat()
    return [name for name in sessions if name[:10] <= latest]


def in_days(age: int) -> str:
    """`today`, `yesterday`, `9 days ago`."""
    return "today" if age == 0 else "yesterday" if age == 1 else f"{age:,} days ago"


def many(number: int, one: str) -> str:
    """`1 session`, `6 sessions`."""
    return f"{number:,} {one}{'' if number == 1 else 's'}"
