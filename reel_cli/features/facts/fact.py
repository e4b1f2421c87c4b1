"""A fact about the person, as `facts.yaml` holds it."""

from reel_cli.core.frozen import frozen

UNTIL = "until then "
"""Words before what holds until a newer value begins."""
RENAMED = "its name is "
"""Beginning of why a fact was dropped that goes on under another name, which stands behind it."""


@frozen
class Fact:
    """A fact as it was noted; `when` is ISO 8601, `replaces` the value that held until then.

    `confidence` is high, medium, low or a number from 0 to 1. With `dropped`, the reason, it says that this
    value holds no longer since that day.
    """

    category: str
    key: str
    value: str
    confidence: str = "medium"
    source: str = ""
    when: str = ""
    replaces: str = ""
    origin: str = "dream"
    dropped: str = ""
    statement: str = ""
    """The fact as a sentence about somebody; bundles have it in place of the value."""
    evidence: str = ""
    """The words it rests on, as they were said, where the value is put otherwise; ` / ` between turns."""
    said_by: str = ""
    """`persona` for what the persona told of its own life."""
