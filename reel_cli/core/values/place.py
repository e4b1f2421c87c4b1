"""Places in which a bundle is pasted: their fields, the limit of each, and their peculiarities."""

from collections.abc import Sequence
from typing import NamedTuple

PARTS = (
    *("identity", "directives", "story", "context", "traces", "facts", "working", "exemplars"),
    *("index", "memories", "buffer", "shelf", "domain", "clash", "stream"),
)
"""Possible contents of a field, in the order in which a bundle has them."""
REST = "rest"
"""Name of the content of a field that takes all parts no other field is named for."""
CHARACTERS, UTF16 = "characters", "utf16"
COUNTS = (CHARACTERS, UTF16)
"""Ways a place counts: each character once, or as web pages do, where an emoji is two."""


class Slot(NamedTuple):
    """One field of a place: what it is called there, what it holds, and at most how many characters."""

    name: str
    limit: int | None = None
    holds: Sequence[str] = (REST,)


class Place(NamedTuple):
    """A place to paste a bundle into; `window` is how many tokens it reads unless it is told otherwise."""

    name: str
    title: str
    slots: Sequence[Slot]
    unit: str = CHARACTERS
    window: int | None = None
    note: str = ""

    def size(self, text: str) -> int:
        """Return the length of a text as the place counts it."""
        return len(text.encode("utf-16-le", "surrogatepass")) // 2 if self.unit == UTF16 else len(text)

    @property
    def limit(self) -> int | None:
        """Return the number of characters it holds in all; None if a field has no limit."""
        limits = [slot.limit for slot in self.slots if slot.limit is not None]
        return sum(limits) if len(limits) == len(self.slots) else None

    @property
    def holds(self) -> str:
        """Return the number of characters it holds, in words."""
        if self.limit is None:
            return "no limit in characters"
        if len(self.slots) == 1:
            return f"{self.limit:,} characters"
        return f"{self.limit:,} characters ({' + '.join(f'{slot.limit:,}' for slot in self.slots)})"

    def advice(self, cap: int) -> str:
        """Return its note for a window of `cap` tokens; "" if there is none or it is for a larger window."""
        if self.window is not None and cap <= self.window:
            return ""
        told = self.note.replace("{cap}", str(cap))
        return told.replace("{window}", f"{self.window:,}") if self.window is not None else told
