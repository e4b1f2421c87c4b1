"""Names that one machine had given and that another had given too, and what they are called since."""

from collections.abc import Mapping
from dataclasses import field

from reel_cli.core.frozen import frozen
from reel_cli.core.pattern import late
from reel_cli.core.values.source import SESSION_ID

RENUMBERED = "Reel-Renumbered"
"""The trailer of a commit that tells of one: `2026-02-10-1 to 2026-02-10-2`, `M-014 to M-016`."""

JOINED = "Reel-Joined"
"""The trailer that says whose names those were: the last commit of that side, and of the other."""

_NAME = late(rf"(?<![\w-])(?:{SESSION_ID.pattern}(?!\d)|M-\d{{3,9}}(?![\w-]))")
_VALUE = late(rf"({SESSION_ID.pattern}|M-\d{{3,9}}) to ({SESSION_ID.pattern}|M-\d{{3,9}})")


@frozen
class Renumbering:
    """The new names of one side's sessions and memories after a merge, by their old names.

    A session whose twin on the other side says the same too is in it under one name twice.
    """

    names: Mapping[str, str] = field(default_factory=dict)

    def __bool__(self) -> bool:
        """Return whether any name changes."""
        return any(old != new for old, new in self.names.items())

    def name(self, name: str) -> str:
        """Return the new name of a session or a memory."""
        return self.names.get(name, name)

    def text(self, text: str) -> str:
        """Return a text with every old name replaced by its new one; all at once, so that names may swap."""
        return _NAME.sub(lambda found: self.names.get(found[0], found[0]), text)

    def trailers(self) -> tuple[tuple[str, str], ...]:
        """Return the renumbering as trailers of a commit."""
        return tuple((RENUMBERED, f"{old} to {new}") for old, new in self.names.items())


def parse_renumbered(value: str) -> tuple[str, str] | None:
    """Read what a commit tells: the name it was, and the name it is; None where it is not of that form."""
    found = _VALUE.fullmatch(value.strip())
    return (found[1], found[2]) if found and (found[1][0] == "M") == (found[2][0] == "M") else None
