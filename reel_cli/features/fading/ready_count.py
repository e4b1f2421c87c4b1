"""Count of steps that maintenance would take, shown wherever it is due; cached while nothing changes."""

from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError

if TYPE_CHECKING:
    from reel_cli.core.kit.snapshot import Snapshot
    from reel_cli.terminal.context import OpenKit

EDITION = 1
"""Version of the rules; raised when the same kit would be planned otherwise."""


def count_ready(opened: "OpenKit", snapshot: "Snapshot") -> int | None:
    """Return how many steps down maintenance would take now; None if the kit has unreadable files.

    `snapshot` is a glance at the kit as it lies on disk, in which what was read of it is read already.
    """
    from reel_cli.core.kit.kit_note import note_kit
    from reel_cli.features.fading.pass_file import pass_under_way

    def count() -> int:
        from reel_cli.features.fading.fading import Move
        from reel_cli.features.fading.maintenance_pass import Pass

        down = (Move.DESCEND, Move.PRUNE, Move.SLEEP)
        return sum(step.move in down for step in Pass(opened, glance=snapshot).found.steps)

    try:
        if pass_under_way(opened.state) is not None:
            # whether it goes on is a matter of hours, and of what it did so far
            return count()
        return note_kit(opened.root, f"ready {EDITION}", _facts(opened), count)
    except ReelError:
        return None


def _facts(opened: "OpenKit") -> list[str]:
    """Return what the count depends on beside the files: the day, history, and uncommitted uses."""
    from reel_cli.core.rings.losses import is_shallow

    repository = opened.repository
    history = ["no history"]
    if repository is not None:
        history = [repository.head() or "", repository.prefix, str(is_shallow(repository))]
    return [opened.now().date().isoformat(), *history, *opened.state.pending_touches()]
