"""Resolutions of a memory, from the whole page to nothing the persona knows of (REEL §4.4, §6.7)."""

RESOLUTIONS = ("L1", "L2", "L3", "L4", "stub", "dormant")
"""From the finest to the coarsest, as `Reel-Forgot` names them."""

PLAIN = {
    "L1": "page",
    "L2": "digest",
    "L3": "marker",
    "L4": "tag",
    "stub": "pruned",
    "dormant": "asleep",
    "aside": "set aside",
    "summary": "its summary",
}
"""Names of the levels in a table."""


def coarseness(resolution: str) -> int:
    """Return the place in `RESOLUTIONS`; an unknown one comes last."""
    return RESOLUTIONS.index(resolution) if resolution in RESOLUTIONS else len(RESOLUTIONS)
