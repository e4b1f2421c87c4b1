"""The walk of `reel review`: what waits, then what a close look at the memories doubts."""

from itertools import chain
from typing import TYPE_CHECKING

from reel_cli.core.ports import bring
from reel_cli.core.values.review import tell_waiting
from reel_cli.features.review.decisions import list_decisions
from reel_cli.terminal.decision_walk import DecisionWalk

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reel_cli.terminal.decision import Decision
    from reel_cli.terminal.open_kit import OpenKit

DOUBTS = "doubts.json"
"""The file in which the walk through doubts keeps its place."""


def walk_decisions(opened: "OpenKit") -> None:
    """Go through all that waits with a person, and offer to go through what is doubted."""
    walk = DecisionWalk(opened, list_decisions, tell_waiting)
    if walk.run():
        offer_doubts(opened)


def offer_doubts(opened: "OpenKit") -> None:
    """Ask whether to go through what a close look doubts, where there is something, and do so."""
    found = len(find_doubts(opened))
    if not found:
        return
    things = "1 thing" if found == 1 else f"{found:,} things"
    what = f"{things} that {'is' if found == 1 else 'are'} remembered may not be right."
    opened.console.say(what)
    if opened.console.confirm("Look at that now?", default=False):
        DecisionWalk(opened, find_doubts, tell_doubts, DOUBTS).run()


def tell_doubts(count: int) -> str:
    """Return how many doubts are left."""
    if not count:
        return "Nothing is doubted any more"
    return "1 doubt is left" if count == 1 else f"{count:,} doubts are left"


def find_doubts(opened: "OpenKit") -> "Sequence[Decision]":
    """Return the decisions that features find by a close look."""
    return list(chain.from_iterable(find(opened) for find in bring("doubts")))
