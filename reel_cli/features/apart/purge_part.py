"""A purge in a kit whose chats kept apart are copies of it: they are named, for it does not reach them."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from reel_cli.core.kit.apart_kits import list_apart, read_apart
from reel_cli.core.tape.erasure.target import PurgeTarget

if TYPE_CHECKING:
    from reel_cli.terminal.open_kit import OpenKit


def name_copies(opened: "OpenKit", wanted: PurgeTarget, session: str | None) -> None:
    """Name the chats kept apart that have their own copy of what was purged."""
    for line in foretell_copies(opened, wanted, session):
        opened.console.say(line)


def foretell_copies(opened: "OpenKit", _wanted: PurgeTarget, session: str | None) -> Iterator[str]:
    """Yield a line for each chat kept apart that a purge does not reach."""
    if read_apart(opened.root) is not None:
        return
    what = session or "--match -"
    for chat, _ in list_apart(opened.root):
        yield (
            f"The chat kept apart “{chat}” may still have it, in a copy of its own:"
            f"  reel --chat {chat} purge {what}"
        )
