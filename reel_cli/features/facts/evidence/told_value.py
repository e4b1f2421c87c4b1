"""A value told under a name, and its words made ready for a comparison."""

from datetime import date

from reel_cli.core.evidence.grounding.dates import When
from reel_cli.core.evidence.grounding.source import mask
from reel_cli.core.frozen import frozen, late

HAPPENED = late(
    r"(?i)\b(?:went|visited|attended|ran|won|raised|met|saw|took|had|did|gave|bought|made|been to|spent"
    r"|threw|held)\b"
)
"""Pattern of what was done or took place."""
DAYS_OF_YEAR = 365.25
LEAST_COMMON = 2
"""Stems that two values of the same thing share at least."""


@frozen
class ToldValue:
    """A value under a name, the words that it was said with ("" for unknown), and their day."""

    key: str
    value: str
    said: str = ""
    day: date | None = None
    past: bool = False
    """Whether it is filed as something that happened."""
    goes_on: bool = False
    """Whether it is filed as something under way, whose numbers and days change as it proceeds."""


def without_dates(text: str, whens: list[When]) -> str:
    """Return an even text with these dates blank."""
    return mask(text, [(one.start, one.end) for one in whens])
