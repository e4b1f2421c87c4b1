"""The stream: the conversation that goes on, how full it is, and what it goes on from once it was kept."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from reel_cli.core.pack.quoting import Said
from reel_cli.core.values.settings import WHOLE, Settings
from reel_cli.core.values.talk import SourceRange
from reel_cli.features.stream.cycles import Buffer

STREAM = "stream"
"""What it is called in the account of a bundle."""


class Fullness(NamedTuple):
    """What a model has before it, in tokens: the bundle, and `said` messages that are its turns.

    `at` is the share of the cap (of `WHOLE`) from which on it is time to keep it (Memory Keep §II.4).
    """

    bundle: int
    turns: int
    said: int
    cap: int
    at: int

    @property
    def tokens(self) -> int:
        """What counts: bundle and turns."""
        return self.bundle + self.turns

    @property
    def percent(self) -> int:
        """How full it is, of 100; rounded down, so that 100 is full."""
        return self.tokens * 100 // self.cap

    @property
    def due(self) -> bool:
        """Whether it is fuller than it should get."""
        return self.tokens * WHOLE > self.cap * self.at

    def told(self, title: str) -> str:
        """How full the window of the chat of this title is, in a sentence or two."""
        told = f"Going on: {title}, {self.percent} % of the window ({self.tokens:,} of {self.cap:,} tokens)."
        return f"{told} To go on with room:  reel keep" if self.due else told

    def as_json(self, title: str) -> dict[str, str | int | bool]:
        """The same for a program."""
        return {
            "title": title,
            "tokens": self.tokens,
            "bundle": self.bundle,
            "messages": self.said,
            "cap": self.cap,
            "due": self.due,
        }


def empty_stream(settings: Settings, bundle: int) -> Fullness:
    """A conversation in which nothing was said yet; `bundle` is what it begins with, in tokens."""
    return Fullness(bundle, 0, 0, min(settings.cap, settings.window), settings.keep_at)


@dataclass(frozen=True, slots=True)
class Kept:
    """What a kept conversation goes on from: its summary, and up to which message that stands for it.

    `upto` is the last message of `session` that the summary knows; `whole` are all the stretches of tape
    that it stands for, oldest first. `pinned` is what it is to keep to, `overlap` how many tokens of its last
    messages were wished for (None for the usual). `keeps` counts how often it was kept, `at` is ISO 8601.
    `noticed` are the memories that the keep made, by ID.
    """

    session: str
    upto: int
    summary: str
    at: str = ""
    keeps: int = 1
    whole: Sequence[SourceRange] = ()
    pinned: Sequence[str] = ()
    overlap: int | None = None
    noticed: Sequence[str] = ()


class Resumption(NamedTuple):
    """What goes into the bundle a kept conversation goes on with.

    `said` are its last messages, oldest first, all that may be told; of them, as many of the newest as fit
    into `overlap` tokens are (None for the usual share). Those after `upto` are in no summary. `buffer` is
    how it began. `noticed` are the memories that its last keep made, `noticed_before` those of earlier keeps.
    """

    summary: str
    session: str = ""
    said: Sequence[Said] = ()
    upto: int = 0
    overlap: int | None = None
    pinned: Sequence[str] = ()
    buffer: Buffer = Buffer()
    noticed: frozenset[str] = frozenset()
    noticed_before: frozenset[str] = frozenset()
