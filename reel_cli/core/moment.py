"""Points in time, as ISO 8601 text that may have any offset."""

from datetime import UTC, date, datetime, timedelta, tzinfo

from reel_cli.core.errors import ReelError

MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)
NEVER = datetime.min.replace(tzinfo=UTC)


def find_zone(name: str) -> tzinfo:
    """Return the time zone that a kit's settings name; raises ReelError if there is none of that name."""
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError):
        message = f"kit.yaml: timezone {name!r} is not a known zone."
        raise ReelError(message, hint="write it like  Europe/Helsinki") from None


def moment(text: str) -> datetime:
    """Return the point in time, comparable with any other; the earliest time if `text` is none."""
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return NEVER
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def stamp(when: datetime) -> str:
    """Return the time as ISO 8601 to the second, UTC as `Z`."""
    return when.replace(microsecond=0).isoformat().replace("+00:00", "Z")


def days_since(then: datetime, now: datetime) -> int | None:
    """Return the whole days from then to now; None if `then` is over a day ahead and a clock is wrong."""
    passed = now - then
    return max(0, passed.days) if passed >= -timedelta(days=1) else None


def day_in_words(day: date) -> str:
    """Return `25 February 2026`."""
    return f"{day.day} {MONTHS[day.month - 1]} {day.year}"
