"""A walk through what only a close look finds, as `reel doctor` does (the port `findings`)."""

from contextlib import suppress
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.ports import bring
from reel_cli.terminal.decisions.walk import DecisionWalk

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reel_cli.terminal.decisions.decision import Decision
    from reel_cli.terminal.open_kit import OpenKit

NOTES = "findings.json"
"""The file in which the walk keeps its place."""


def offer_findings(opened: "OpenKit", *, first: bool = False) -> bool:
    """Ask whether to decide on what a close look finds, and go through it; return whether it found anything.

    It is the `first` thing on the screen, or comes after other decisions.
    """
    found = len(find_findings(opened))
    if not found:
        return False
    console = opened.console
    if not first:
        console.say()
    things, them = ("one more thing", "it") if found == 1 else (f"{found:,} more things", "them")
    question = f"Looking through the whole kit, reel found {things} to decide. Go through {them} now?"
    if console.confirm(question, default=False):
        DecisionWalk(opened, find_findings, tell_findings, NOTES).run()
    return True


def find_findings(opened: "OpenKit") -> "Sequence[Decision]":
    """Return the decisions that features find by a close look."""
    found: list[Decision] = []
    for find in bring("findings"):
        # a file that cannot be read is told of by the checkup itself
        with suppress(ReelError):
            found += find(opened)
    return found


def tell_findings(count: int) -> str:
    """Return how much is left of what was found."""
    if not count:
        return "Nothing more is to be decided."
    return f"{'1 finding is' if count == 1 else f'{count:,} findings are'} left:  reel doctor"
