"""Sizes in tokens and stretches of time, as people write them."""

import re

from reel_cli.core.errors import ReelError
from reel_cli.core.frozen import late


def parse_tokens(text: str) -> int:
    """Read a size in tokens: `8k` is 8192, `1m` is 1048576, `32768` is itself.

    Raises ReelError when it is not a whole number above zero.
    """
    plain = text.strip().lower().replace(",", "").replace("_", "")
    unit = {"k": 1024, "m": 1024 * 1024}.get(plain[-1:], 1)
    digits = plain[:-1] if unit > 1 else plain
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 12 and int(digits) > 0):
        message = f"{text!r} is not a window size."
        raise ReelError(message, hint="write it as 8k, 128k or 32768")
    return int(digits) * unit


_DAYS = late(r"([0-9]{1,4}) ?(?:(d|days?)|(w|weeks?)|(m|months?)|(y|years?))", re.ASCII)
_MONTHS = 1461, 48
"""A month is 365¼ days over twelve."""


def parse_days(text: str) -> int:
    """Read a stretch of time in whole days: `30d`, `4 weeks`, `6m` (183 days), `2y` (730 days).

    Raises ReelError when it is none.
    """
    found = _DAYS.fullmatch(text.strip())
    if not found:
        message = f"{text!r} is not a stretch of time."
        raise ReelError(message, hint="write it as 30d, 4w, 6m or 2y")
    number = int(found[1])
    if found[2]:
        return number
    if found[3]:
        return 7 * number
    days, months = _MONTHS
    return round(number * days / months) if found[4] else 365 * number


def render_tokens(tokens: int) -> str:
    """Return a size as `parse_tokens` reads it, in the shortest form: `8k` for 8192."""
    for unit, letter in ((1024 * 1024, "m"), (1024, "k")):
        if tokens and tokens % unit == 0:
            return f"{tokens // unit}{letter}"
    return str(tokens)
