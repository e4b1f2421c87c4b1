"""How full the window of the chat that goes on is, or a cap below it."""

from typing import NamedTuple

from reel_cli.core.values.settings import WHOLE, Settings, name_limit

FULL_AT = WHOLE * 80 // 100
"""Share of the cap from which it is time to breathe out (MEMORY-MGMT §6.c)."""


class Fullness(NamedTuple):
    """The tokens a model has before it: the bundle, and `said` messages that are its turns.

    `at` is the share of the cap (of `WHOLE`) from which on it is time to keep it (Memory Keep §II.4).
    """

    bundle: int
    turns: int
    said: int
    cap: int
    at: int
    window: int = 0
    """Tokens of the whole window; 0 where the cap is all of it."""

    @property
    def tokens(self) -> int:
        """Return the tokens of bundle and turns."""
        return self.bundle + self.turns

    @property
    def held_to(self) -> str:
        """Return the word for what it is that fills up: `cap` where that is below the window."""
        return name_limit(self.cap, self.window)

    @property
    def percent(self) -> int:
        """Return how full it is in percent; rounded down, so that 100 is full."""
        return self.tokens * 100 // self.cap

    @property
    def due(self) -> bool:
        """Return whether it is fuller than it should get."""
        return self.tokens * WHOLE > self.cap * self.at

    @property
    def is_full(self) -> bool:
        """Return whether it is time to breathe out; a kit that keeps its chats sooner is told sooner."""
        return self.due or self.tokens * WHOLE >= self.cap * FULL_AT

    def told(self, title: str) -> str:
        """Return how full the window of the chat of this title is, in a sentence or two."""
        size = f"({self.tokens:,} of {self.cap:,} tokens)"
        told = f"Going on: {title}, {self.percent} % of the {self.held_to} {size}."
        return f"{told} To go on with room:  reel keep" if self.is_full else told

    def as_json(self, title: str) -> dict[str, str | int | bool]:
        """Return the fullness as JSON."""
        return {
            "title": title,
            "tokens": self.tokens,
            "bundle": self.bundle,
            "messages": self.said,
            "cap": self.cap,
            "due": self.due,
        }


def empty_stream(settings: Settings, bundle: int) -> Fullness:
    """Return a conversation without messages; `bundle` is its beginning, in tokens."""
    return Fullness(bundle, 0, 0, min(settings.cap, settings.window), settings.keep_at, settings.window)
