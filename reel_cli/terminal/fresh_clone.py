"""A clone in which reel was not at work yet: git brings the kit along, and not the guard."""

from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.files.private import read_plain

if TYPE_CHECKING:
    from reel_cli.terminal.context import OpenKit

OWN = ".reel"


def note_fresh_clone(opened: "OpenKit") -> None:
    """Report in a line that the guard is off, the first time that reel works in a clone.

    It is the first time while there is no `.reel` yet; whoever asks looks through the kit, and that makes it.
    """
    if (opened.root / OWN).exists() or opened.repository is None or opened.repository.prefix:
        return
    try:
        config = read_plain(opened.repository.common_dir / "config").decode("utf-8", "replace")
        if "[remote " not in config:
            return
        from reel_cli.core.git.guard import look_at_guard

        if look_at_guard(opened.repository).on:
            return
    except (OSError, ReelError):
        # the doctor tells of what cannot be read
        return
    opened.console.say(
        "This clone has no guard yet, for git leaves hooks behind; to set it up:  reel doctor --guard on"
    )
