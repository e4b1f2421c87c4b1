"""Advice about what is at hand: what a model would keep, and what it would let go (MEMORY-MGMT §2, §9)."""

from reel_cli.core.frozen import frozen

PROTOCOL = "MEMORY-MGMT/0.1"
LEAVE, SUMMARIZE, ARCHIVE, COMPRESS = ACTIONS = (
    "delete_from_working_set",
    "summarize_then_evict",
    "archive",
    "compress",
)
"""Actions that may be suggested for a file that is let go; the first keeps it and is the mildest."""
SIGNS = (
    *("memory.advise", "memory_advise", "trigger_gc", "suggested_action"),
    *("keep at hand", "keeping at hand", "let go", "letting go"),
)
"""Words without which advice is not looked for in a talk, ignoring case."""
MOST_HINTS = 500
"""Number of items above which advice is refused."""
LONGEST_PATH = 400
LONGEST_WHY = 300
"""A reason is cut to so many characters."""


@frozen
class Hint:
    """One thing advice names, as it names it; `action` is one of `ACTIONS` for what is let go, else ""."""

    path: str
    why: str = ""
    action: str = ""


@frozen
class Advice:
    """The contents of a call of `memory.advise`; `why` is never empty."""

    why: str
    hot: tuple[Hint, ...] = ()
    cold: tuple[Hint, ...] = ()
    trigger_gc: bool = False


@frozen
class HotEntry:
    """One entry of `hot.yml`: since when (ISO 8601), and how often it was used by the time it was noted."""

    path: str
    why: str = ""
    since: str = ""
    touches: int = 0
    promoted: bool = False
    """True if it is there because the user came back to it, and no advice named it."""
    said: str = ""
    """The message on the tape in which the reason was said, "" for a reply to a prompt."""


@frozen
class LetGo:
    """One entry of `cold.yml`: since when it is advised (ISO 8601), and the newest session at that time.

    `last_touch` (ISO 8601) is "" for what had never been used by then.
    """

    path: str
    why: str = ""
    since: str = ""
    session: str = ""
    last_touch: str = ""
    action: str = LEAVE
    said: str = ""
    """The message on the tape in which the reason was said; "" for a reply to a prompt."""
