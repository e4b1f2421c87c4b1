"""Calibration exemplars (ring 1): exchanges that show how the persona sounds."""

from dataclasses import dataclass

ROLES = ("correction", "humor", "emotional", "general")
"""What an exemplar is for when choosing by what a conversation calls for (REEL §4.2)."""

MOODS = {"conflict": "correction", "playful": "humor", "emotional": "emotional"}
"""The moods a conversation can have, and the exemplar role each calls for."""


@dataclass(frozen=True, slots=True)
class Exemplar:
    """One `ring1/<slug>.md`; `text` is the exchange, verbatim: all that follows the front matter."""

    slug: str
    title: str
    role: str
    text: str
    added: str = ""
    source: str = ""


@dataclass(frozen=True, slots=True)
class ActiveSet:
    """`ring1/active.yaml`: the calibration anchor, and the exemplars in rotation (slugs)."""

    anchor: str | None = None
    active: tuple[str, ...] = ()
