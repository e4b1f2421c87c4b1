"""Files of the shelf and summaries that `reel restore` is asked for."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from reel_cli.core.errors import UsageError

if TYPE_CHECKING:
    from reel_cli.features.forgetting.plan_restore import Restoring
    from reel_cli.terminal.open_kit import OpenKit


def plan_files(opened: "OpenKit", names: Sequence[str], *, level: bool, earlier: bool) -> "Restoring | None":
    """Plan to bring back files of the shelf or summaries; None where other things are meant."""
    from reel_cli.core.git.history import read_log
    from reel_cli.core.tokens.counter import get_tokenizer
    from reel_cli.features.shelf.collecting.restore import is_shelf_name, plan_restore_shelf
    from reel_cli.features.shelf.summaries.restore import is_summary_name, plan_restore_summary

    snapshot, repository = opened.snapshot, opened.require_repository()
    counter = get_tokenizer(snapshot.settings.tokenizer)
    if any(map(is_summary_name, names)):
        if not all(map(is_summary_name, names)) or level:
            message = "Summaries are brought back by themselves, and have no level."
            raise UsageError(message, hint="reel restore summaries/NAME.md")
        return plan_restore_summary(snapshot, repository, counter, names, earlier=earlier)
    if not any(map(is_shelf_name, names)):
        return None
    if not all(map(is_shelf_name, names)) or level:
        message = "Files of the shelf are brought back by themselves, and have no level."
        raise UsageError(message, hint="reel restore shelf/FILE")
    log, now = read_log(repository), opened.now()
    return plan_restore_shelf(snapshot, repository, counter, log, names, earlier=earlier, now=now)
