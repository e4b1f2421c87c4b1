"""Price of a model's tokens."""

import re

from reel_cli.core.errors import ReelError

_PRICE = re.compile(r"[$€£]?(\d{1,9}(?:[.,]\d{1,9})?)(?:\s*/\s*[$€£]?(\d{1,9}(?:[.,]\d{1,9})?))?")


def parse_price(text: str) -> tuple[float, float]:
    """Return the price of a million tokens, read and written: `3` or `3/15`. Raises ReelError."""
    found = _PRICE.fullmatch(text.strip())
    if found is None:
        message = f"{text!r} is not a price."
        raise ReelError(message, hint="write that of a million tokens:  3  or, read and written,  3/15")
    first = float(found[1].replace(",", "."))
    return first, float(found[2].replace(",", ".")) if found[2] else first
