"""Maintenance that a kit wants done by itself, when a session begins or ends (REEL §9.2)."""

from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.kit.kit_note import keep_note, recall_note
from reel_cli.core.values.change import one_line

if TYPE_CHECKING:
    from reel_cli.terminal.open_kit import OpenKit

_DUE = ("maintenance", "notes")
_IDLE = "maintenance found nothing"
"""The note of the day and commit at which nothing could be done."""


def keep_up(opened: "OpenKit") -> None:
    """Do a little of the maintenance that is due, if the kit wants that; nothing is asked of a person.

    What cannot be done stays due, and is said once a day. Ctrl-C leaves what is done.
    """
    if opened.repository is None or opened.past is not None or not opened.overview.settings.maintain_auto:
        return
    from reel_cli.features.fading.auto_maintenance import do_some

    console, context = opened.console, opened.context
    before = context.via
    try:
        looked_at = f"{opened.now().date().isoformat()} {opened.repository.head()}"
        if recall_note(opened.root, _IDLE, looked_at)[0] is not None:
            return
        if not (_is_due(opened) and do_some(opened)):
            keep_note(opened.root, _IDLE, looked_at, "nothing to do")
    except KeyboardInterrupt:
        console.settle_live()
        console.say("Maintenance was stopped; what is done stays, and the rest is due as before.")
    except (ReelError, OSError) as error:
        _say_once(opened, error)
    finally:
        context.via = before


def _is_due(opened: "OpenKit") -> bool:
    from reel_cli.features.fading.pass_file import pass_under_way
    from reel_cli.features.status.survey import read_due
    from reel_cli.features.status.upkeep import gather_facts

    if pass_under_way(opened.state) is not None:
        return True
    return any(one.what in _DUE for one in read_due(opened.root, gather_facts(opened)))


def _say_once(opened: "OpenKit", error: ReelError | OSError) -> None:
    """Say why maintenance could not go on, unless that was said today."""
    from reel_cli.features.fading.auto_maintenance import has_failed_today, note_failure

    if has_failed_today(opened):
        return
    why = error.message if isinstance(error, ReelError) else f"{error.strerror or error}."
    opened.console.say(f"Maintenance could not go on by itself, and stays due: {one_line(why)}")
    opened.console.say("It is tried again tomorrow; to do it now:  reel maintain")
    note_failure(opened)
