"""Working memory (ring 2): what is going on right now."""

from reel_cli.core.frozen import frozen

SECTIONS = ("Active threads", "State", "Open loops", "Calibration")
"""The headings of `ring2/working.md`, in order (REEL §4.3)."""

LISTED = ("Active threads", "Open loops")
"""The sections made of items, numbered through when a checkpoint is asked for."""


@frozen
class Item:
    """One listed item, its `text` on one line; `lines` are where it stands (0-based, end exclusive)."""

    section: str
    text: str
    lines: tuple[int, int]
