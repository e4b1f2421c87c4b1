"""Where a bundle is pasted: the fields there, how much each holds, and the manners of the place."""

from collections.abc import Sequence
from typing import NamedTuple

PARTS = (
    *("identity", "directives", "story", "context", "traces", "facts", "working", "exemplars"),
    *("index", "memories", "buffer", "shelf", "domain", "clash", "stream"),
)
"""What a field may hold, in the order in which a bundle has it."""
REST = "rest"
"""What a field holds that takes all the parts no other field is named for."""
CHARACTERS, UTF16 = "characters", "utf16"
COUNTS = (CHARACTERS, UTF16)
"""How a place counts: each character once, or as web pages do, where an emoji is two."""


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
        """How long a text is here."""
        return len(text.encode("utf-16-le", "surrogatepass")) // 2 if self.unit == UTF16 else len(text)

    @property
    def limit(self) -> int | None:
        """How many characters it holds in all; None where some field has no limit."""
        limits = [slot.limit for slot in self.slots if slot.limit is not None]
        return sum(limits) if len(limits) == len(self.slots) else None

    @property
    def holds(self) -> str:
        """How many characters it holds, in words."""
        if self.limit is None:
            return "no limit in characters"
        if len(self.slots) == 1:
            return f"{self.limit:,} characters"
        return f"{self.limit:,} characters ({' + '.join(f'{slot.limit:,}' for slot in self.slots)})"

    def advice(self, cap: int) -> str:
        """Its note for a window of `cap` tokens; "" where there is none, or it is for a larger window."""
        if self.window is not None and cap <= self.window:
            return ""
        told = self.note.replace("{cap}", str(cap))
        return told.replace("{window}", f"{self.window:,}") if self.window is not None else told
