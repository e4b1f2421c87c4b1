"""Calibration exemplars (ring 1): exchanges that show how the persona sounds."""

from reel_cli.core.frozen import frozen

ROLES = ("correction", "humor", "emotional", "general")
"""Purposes of an exemplar when choosing by what a conversation calls for (REEL §4.2)."""

MOODS = {"conflict": "correction", "playful": "humor", "emotional": "emotional"}
"""The moods a conversation can have, and the exemplar role each calls for."""


@frozen
class Exemplar:
    """One `ring1/<slug>.md`; `text` is the exchange, verbatim: all that follows the front matter."""

    slug: str
    title: str
    role: str
    text: str
    added: str = ""
    source: str = ""


@frozen
class ActiveSet:
    """`ring1/active.yaml`: the calibration anchor, and the exemplars in rotation (slugs)."""

    anchor: str | None = None
    active: tuple[str, ...] = ()
