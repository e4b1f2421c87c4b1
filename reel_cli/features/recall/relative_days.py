"""Relative days in a turn (`last Friday`), with the dates that they were."""

from datetime import date

from reel_cli.core.frozen import late

MOST = 3
"""Number of days told of one turn."""
_ASKS = late(
    r"(?i)\b(?:when|since when|(?:what|which) (?:\w+ )?(?:day|date|time|week|weekend|month|year|evening)"
    r"|how long ago|how (?:many|much|long) (?:\w+ )?(?:ago|since|before|after|passed|between))\b"
)


def asks_when(text: str) -> bool:
    """Return whether a question asks for a time."""
    return _ASKS.search(text) is not None


def resolve_days(text: str, day: date) -> tuple[str, ...]:
    """Return the relative days of a text said on `day`, as `last Friday: 5 May 2023`; not the unsure ones."""
    from reel_cli.core.evidence.days.relative_days import name_relative_days

    found = {" ".join(text[start:end].split()): told for start, end, told in name_relative_days(text, day)}
    return tuple(f"{said}: {told}" for said, told in list(found.items())[:MOST])
