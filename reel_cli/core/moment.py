"""Points in time, as ISO 8601 text that may have any offset."""

import time
from datetime import UTC, date, datetime, timedelta, tzinfo

from reel_cli.core.errors import ReelError

MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
NEVER = datetime.min.replace(tzinfo=UTC)


def find_zone(name: str) -> tzinfo:
    """Return the time zone that a kit's settings name; raises ReelError if there is none of that name."""
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError):
        message = f"kit.yaml: timezone {name!r} is not a known zone."
        raise ReelError(message, hint="write it like  Europe/Helsinki") from None


def read_day(text: str) -> date | None:
    """Return the day with which a text begins, in ISO 8601; None where it begins with none."""
    try:
        return date.fromisoformat(text[:10])
    except ValueError:
        return None


class MachineZone(tzinfo):
    """The zone of this machine, with the offset that holds at each time: in winter too, summer's in July.

    `datetime.now().astimezone().tzinfo` has today's offset alone.
    """

    def utcoffset(self, when: datetime | None) -> timedelta | None:
        """Return the offset at a time of day here; none at times that the system does not reckon with."""
        if when is None:
            return None
        try:
            return when.replace(tzinfo=None).astimezone().utcoffset()
        except (OverflowError, OSError, ValueError):
            return timedelta(0)

    def dst(self, _when: datetime | None) -> timedelta | None:
        """Return None: what of the offset is summer time is not known."""
        return None

    def tzname(self, _when: datetime | None) -> str:
        """Return the name of the zone, where it has one for all of the year."""
        return str(self)

    def fromutc(self, when: datetime) -> datetime:
        """Return a time in UTC as it is here."""
        there = when.replace(tzinfo=UTC).astimezone()
        found = there.replace(tzinfo=self)
        # the hour that comes twice as summer ends
        return found if found.utcoffset() == there.utcoffset() else found.replace(fold=1)

    def __str__(self) -> str:
        """Return `CET` or the like; `local time` where that is another in summer."""
        return "local time" if time.daylight else time.tzname[0]


MACHINE = MachineZone()


def is_day(text: str) -> bool:
    """Return whether a text is a day, as ISO 8601 has it."""
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


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
