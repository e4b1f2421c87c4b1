"""The outcome of a walk through decisions: what was decided is carried out, and told of."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.frozen import frozen
from reel_cli.core.values.change import capital
from reel_cli.terminal.console import Console
from reel_cli.terminal.decisions.decision import DecisionOrder
from reel_cli.terminal.decisions.items import DecisionItem, DecisionItems, choices_of

if TYPE_CHECKING:
    from reel_cli.terminal.open_kit import OpenKit

TOLD = 7
"""Decisions named one by one at the end; more are counted."""


@frozen
class DoneDecision:
    """A decision that was carried out: its label then, its commit ("" for none), what else to say."""

    item: DecisionItem
    label: str
    commit: str
    note: str


@frozen
class FailedDecision:
    """A decision that could not be carried out, and why."""

    item: DecisionItem
    error: ReelError


@frozen
class WalkOutcome:
    """All decisions that were carried out, and those that could not be."""

    done: Sequence[DoneDecision]
    failed: Sequence[FailedDecision]


def carry_out(opened: "OpenKit", items: DecisionItems, note: Callable[[], None]) -> WalkOutcome:
    """Carry out what was decided, group by group; `note` keeps what is left after each.

    What could be is taken from the items; what could not is undecided again.
    """
    done: list[DoneDecision] = []
    failed: list[FailedDecision] = []
    decided = items.decided
    with opened.console.progress("Carrying out what you decided", len(decided)) as advance:
        for group in items.groups():
            first, choice = group[0], group[0].choice
            assert choice is not None  # noqa: S101
            opened.look_again()
            mates = [one.read.item for one in group[1:]]
            rest = [one.read.item for one in decided if one not in group]
            choices = choices_of(group)
            try:
                settled = first.now.settle(opened, DecisionOrder(choice, rest, mates, choices))
            except ReelError as error:
                failed += [FailedDecision(one, error) for one in group]
                for one in group:
                    one.choice = None
            else:
                for one in group:
                    note_of = settled.note if one is first else ""
                    done.append(DoneDecision(one, choices[one.read.item].done, settled.commit, note_of))
                items.listed = [one for one in items.listed if one not in group]
            note()
            advance(len(group))
    return WalkOutcome(done, failed)


def tell_outcome(console: Console, outcome: WalkOutcome, left: int, tell_rest: Callable[[int], str]) -> None:
    """Say what was carried out, what could not be, and how much is `left`."""
    done, failed = outcome.done, outcome.failed
    if not done and not failed:
        console.say(f"Nothing was decided. {tell_rest(left)}" if left else tell_rest(0))
        return
    for one in done[:TOLD]:
        console.say(f"{one.label}: {one.item.named}")
    if len(done) > TOLD:
        console.say(f"and {len(done) - TOLD:,} more:  reel log")
    for note in dict.fromkeys(one.note for one in done if one.note):
        console.say(note)
    for fault in failed:
        console.say(f"Not done, and still waiting: {capital(fault.item.title)}")
        console.error(fault.error.message, fault.error.hint)
    console.say(tell_rest(left))
    if any(one.commit for one in done):
        console.next_step("To take the last one back:  reel undo")
