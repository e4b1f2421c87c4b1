"""Stretches of the tape in a bundle: messages as they are told, and the IDs that an account lists them by."""

from collections.abc import Iterable
from typing import NamedTuple


class Said(NamedTuple):
    """One message as it is told, a blank line after it; `opens` where somebody begins to speak anew."""

    number: int
    text: str
    opens: bool


def list_spans(session: str, numbers: Iterable[int]) -> list[str]:
    """Return where on the tape these messages are, one ID for each run of numbers: `2026-02-10-1#12-48`."""
    runs: list[list[int]] = []
    for number in sorted(set(numbers)):
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return [f"{session}#{first}-{last}" if last > first else f"{session}#{first}" for first, last in runs]
