"""The walk of `reel review`: all that waits, then what a close look finds."""

from typing import TYPE_CHECKING

from reel_cli.core.values.review import tell_waiting
from reel_cli.features.review.decisions import list_decisions
from reel_cli.terminal.decisions.findings_walk import offer_findings
from reel_cli.terminal.decisions.walk import DecisionWalk

if TYPE_CHECKING:
    from reel_cli.terminal.open_kit import OpenKit


def walk_decisions(opened: "OpenKit") -> None:
    """Go through all that waits with a person, and offer to go through what a close look finds."""
    if not list_decisions(opened):
        # not that nothing waits, and then that something does
        if not offer_findings(opened, first=True):
            opened.console.say(_tell_rest(0))
    elif DecisionWalk(opened, list_decisions, _tell_rest).run():
        offer_findings(opened)


def _tell_rest(count: int) -> str:
    return f"{tell_waiting(count)}:  reel review" if count else f"{tell_waiting(0)}."
