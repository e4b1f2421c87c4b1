"""Figures of a compression, a memory in fewer words, measured before it is taken (SRIP-11 §III.6, §VI)."""

from typing import Protocol

from reel_cli.core.frozen import frozen
from reel_cli.core.values.memory import Level, Memory


@frozen
class CompressionVerdict:
    """The figures of one compression as a trailer of its commit, and why it is not taken ("" where it is)."""

    trailer: tuple[str, str]
    too_far: str = ""


class CompressionGauge(Protocol):
    """A measurement of compressions in one kit, which a feature brings."""

    def judge(self, memory: Memory, level: Level, body: str) -> CompressionVerdict:
        """Return the verdict on a memory's next body at a level."""
