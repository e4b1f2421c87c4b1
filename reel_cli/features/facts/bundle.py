"""The door to what is known by heart: where there is none of it, nothing of it is loaded."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reel_cli.core.pack.budget import Budget
    from reel_cli.core.pack.loading import Loading
    from reel_cli.core.pack.units import Unit, Writer
    from reel_cli.core.values.holdings import Holdings
    from reel_cli.features.facts.load import Known


def begin_known(
    made: "Loading",
    holdings: "Holdings",
    budget: "Budget",
    writer: "Writer",
    since: Mapping[str, str] | None = None,
) -> "Known | None":
    """The facts that must be there, of those that `since` does not know; None where there are none at all.

    Raises ReelError where they are more than their share.
    """
    core = holdings.core
    if not core.facts and not core.resting:
        return None
    from reel_cli.features.facts.load import Known

    made.shares = {**made.shares, "facts": budget.facts}
    return Known(core, budget, writer, since)


def fill_known(made: "Loading", known: "Known | None", rest: int) -> "Sequence[Unit]":
    """The facts, with as many more as fit into `rest`."""
    if known is None:
        return ()
    known.fill(rest, made.left)
    made.marks.update(known.marks)
    return known.units
