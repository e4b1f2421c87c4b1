"""Times as chat apps write them, to ISO 8601 with an offset."""

import math
import re
from datetime import UTC, datetime, timedelta, tzinfo

from reel_cli.core.tape.formats.source import Notes

ZONELESS = "no time zone is given, so times count as"
"""Beginning of the remark about times without a zone."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_UNITS = ((1e11, 1), (1e14, 1_000), (1e17, 1_000_000), (1e20, 1_000_000_000))
"""Upper bounds of a number of seconds since 1970, each with the fraction of a second that it counts."""
_EARLIEST, _LATEST = datetime(1990, 1, 1, tzinfo=UTC), datetime(2100, 1, 1, tzinfo=UTC)
_NUMBER = re.compile(r"-?\d{1,25}(?:\.\d{1,20})?")
_FRACTION = re.compile(r"(?<=:\d\d)[.,](\d+)")
_LONGEST = 64
_HUMAN = re.compile(
    r"(?P<year>\d{4})-(?P<month>\d{1,2})-(?P<day>\d{1,2})[ ]*@[ ]*(?P<hour>\d{1,2})h[ ]*(?P<minute>\d{1,2})m"
    r"(?:[ ]*(?P<second>\d{1,2})s)?(?:[ ]*(?P<milli>\d{1,3})ms)?"
)
"""`2023-4-21 @20h 02m 47s 124ms`, `2024-7-12@01h31m37s`."""
_ENGLISH = re.compile(
    r"(?P<month>[A-Za-z]{3,9})\.?[ ]+(?P<day>\d{1,2})(?:st|nd|rd|th)?,?[ ]+(?P<year>\d{4}),?[ ]+(?:at[ ]+)?"
    r"(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<second>\d{2}))?[ \u202f]*(?P<half>[AaPp]\.?[Mm]\.?)?"
)
"""`June 19, 2023 2:20pm`, `Jun 05, 2025 14:33`."""
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")


def read_time(value: object, zone: tzinfo, notes: Notes) -> str | None:
    """Return ISO 8601 with an offset, in `zone` unless the value names its own; None if it is no time.

    Takes seconds, milliseconds, micro- and nanoseconds since 1970 as numbers or digits, ISO 8601
    strings, and what chat apps write for people; what cannot be one is noted.
    """
    if value is None or value == "":
        return None
    found: datetime | None = None
    if isinstance(value, str) and len(value) <= _LONGEST:
        text = value.strip()
        found = _from_number(float(text), zone) if _NUMBER.fullmatch(text) else _from_text(text, zone, notes)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        found = _from_number(float(value), zone) if abs(value) < 1e20 else None
    if found is None or not _EARLIEST <= found <= _LATEST:
        notes.add("a time could not be read and was left out", str(value)[:_LONGEST])
        return None
    fine = "milliseconds" if found.microsecond else "seconds"
    return found.isoformat(timespec=fine)


def _from_number(value: float, zone: tzinfo) -> datetime | None:
    if not math.isfinite(value):
        return None
    unit = next((unit for below, unit in _UNITS if abs(value) < below), None)
    if unit is None:
        return None
    try:
        return (_EPOCH + timedelta(milliseconds=round(value * 1000 / unit))).astimezone(zone)
    except (OverflowError, ValueError):
        return None


def _from_text(text: str, zone: tzinfo, notes: Notes) -> datetime | None:
    written = _HUMAN.fullmatch(text) or _ENGLISH.fullmatch(text)
    try:
        if written:
            found = _from_parts(written.groupdict())
        else:
            found = datetime.fromisoformat(_FRACTION.sub(lambda m: "." + (m[1] + "000000")[:6], text))
        if found.tzinfo is None:
            notes.add_once(f"{ZONELESS} {_zone_name(zone)}")
            found = found.replace(tzinfo=zone)
        found.astimezone(UTC)
    except (ValueError, OverflowError):
        return None
    return found


def _from_parts(parts: dict[str, str | None]) -> datetime:
    """Return the time as a person writes it, without a zone; raises ValueError if impossible."""
    month = parts["month"] or ""
    half = (parts.get("half") or "")[:1].lower()
    hour = int(parts["hour"] or 0)
    if half:
        if not 1 <= hour <= 12:
            raise ValueError(hour)
        hour = hour % 12 + (12 if half == "p" else 0)
    return datetime(  # noqa: DTZ001
        int(parts["year"] or 0),
        int(month) if month.isdigit() else _MONTHS.index(month[:3].lower()) + 1,
        int(parts["day"] or 0),
        hour,
        int(parts["minute"] or 0),
        int(parts["second"] or 0),
        int(parts.get("milli") or 0) * 1000,
    )


def _zone_name(zone: tzinfo) -> str:
    return "UTC" if zone is UTC else str(zone)
