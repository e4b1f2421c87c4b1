"""Days in a reply, however models write them."""

import re
from datetime import date

from reel_cli.core.exchange.reader.labels import squash

_ISO = re.compile(r"\b(\d{4}-\d{2}-\d{2})\b")
_MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
    "november", "december",
)  # fmt: skip
_SPELT = re.compile(
    rf"\b(?:(?P<d1>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?(?P<m1>{'|'.join(_MONTHS)})|(?P<m2>{'|'.join(_MONTHS)})\s+"
    rf"(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?),?\s+(?P<y>\d{{4}})\b",
    re.IGNORECASE,
)


def find_day(text: str) -> str:
    """Return the first day a text names, in ISO 8601; "" for none."""
    iso = _ISO.search(text)
    if iso:
        return iso[1] if _is_day(iso[1]) else ""
    spelt = _SPELT.search(text)
    if spelt is None:
        return ""
    month = _MONTHS.index((spelt["m1"] or spelt["m2"]).casefold()) + 1
    day = f"{spelt['y']}-{month:02d}-{int(spelt['d1'] or spelt['d2']):02d}"
    return day if _is_day(day) else ""


def is_day_only(text: str) -> bool:
    """Return whether a text names a day, and nothing else."""
    undated = _SPELT.sub("", _ISO.sub("", text))
    return undated != text and squash(undated) in ("", "on", "from", "the")


def _is_day(text: str) -> bool:
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True
