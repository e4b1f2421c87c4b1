"""The ledger of attention: one line for each thing recalled, referenced, packed, touched or pinned."""

from reel_cli.core.frozen import frozen

ACTS = ("recall", "reference", "pack", "touch", "pin", "unpin")
DECISIONS = ("pin", "unpin")
"""The acts that are a change of their own, and not something that just happened."""
USES = frozenset({"recall", "reference"})
"""The acts that are use and keep a memory alive; being packed does not."""


@frozen
class Entry:
    """One journal line: what was done `on` which memory, line or path, when (`at`, ISO 8601) (ISO 8601)."""

    id: str
    at: str
    session: str
    do: str
    on: str
