"""Things of the shelf that can be put away, told wherever it is due; quick on the largest shelf."""

from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.shell import quote
from reel_cli.core.values.change import one_line
from reel_cli.features.shelf.row import SHELF

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reel_cli.core.values.due import Due
    from reel_cli.features.shelf.collecting.marks import Marks
    from reel_cli.terminal.open_kit import OpenKit

COMMAND = "shelf gc"
ARCHIVE_FOLDER = "archive"
OWED = 3
"""Maximum number of attempts named one by one."""


def say_collectable(opened: "OpenKit") -> bool:
    """Report in a line that something of the shelf can be put away; return whether that is so."""
    found = [one for one in _collection_due(opened) if one.what == "shelf"]
    for one in found:
        told = f"On the shelf: {one.why}:  reel {COMMAND}"
        opened.console.say(opened.console.wrap(told, opened.console.err))
    return bool(found)


def exhale(opened: "OpenKit") -> None:
    """Show at a session's end what can be put away, and put it away if a person confirms."""
    if not say_collectable(opened) or not opened.console.interactive:
        return
    if opened.console.confirm("Put it away now?", default=False):
        from reel_cli.features.shelf.collecting.policy import Trigger
        from reel_cli.features.shelf.collecting.walk import CollectionOptions, collect

        collect(opened, CollectionOptions(yes=True, trigger=Trigger.SESSION))


def breathe_out(opened: "OpenKit", *, ends: bool) -> None:
    """Say what can be put away; where a session `ends`, do it if somebody is there to say so."""
    if ends:
        exhale(opened)
    else:
        say_collectable(opened)


def list_shelf_due(opened: "OpenKit") -> "Sequence[Due]":
    """Return what can be put away, and the failed attempts without a postmortem."""
    from reel_cli.core.values.due import Due

    due = list(_collection_due(opened))
    if (opened.root / ARCHIVE_FOLDER).is_dir():
        from reel_cli.features.shelf.collecting.postmortem import list_owed

        owed = list_owed(opened.overview)
        for one in owed[:OWED]:
            name = one_line(one.place.removeprefix(f"{ARCHIVE_FOLDER}/"))
            why = f"{name} was given up, and has no postmortem yet"
            due.append(Due("postmortem", why, f"reel shelf postmortem {quote(one_line(one.place))}"))
        if owed[OWED:]:
            due.append(Due("postmortem", f"and of {len(owed) - OWED:,} more in the archive"))
    return due


def _collection_due(opened: "OpenKit") -> "Sequence[Due]":
    from reel_cli.core.values.due import Due

    if not (opened.root / SHELF).is_dir():
        return ()
    from reel_cli.features.shelf.collecting.kept_dry_run import recall_told

    def mark_quickly() -> "Marks":
        from reel_cli.features.shelf.collecting.walk import mark_for_a_look

        return mark_for_a_look(opened)

    try:
        why = recall_told(opened.root, mark_quickly).why
    except ReelError as error:
        return (Due("mend", error.message),)
    return (Due("shelf", why, f"reel {COMMAND}"),) if why else ()
