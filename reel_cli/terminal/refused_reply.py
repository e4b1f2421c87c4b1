"""A reply that was refused whole: kept in a file, since reel may be wrong about it."""

from pathlib import Path
from typing import TYPE_CHECKING

from reel_cli.core.errors import StateError

if TYPE_CHECKING:
    from reel_cli.terminal.open_kit import OpenKit

ASK_AGAIN = "ask again, or another model, or tomorrow"


def keep_refused(opened: "OpenKit", reply: str) -> Path | None:
    """Keep a reply and return its file; None on a disk that nothing can be written to."""
    try:
        return opened.state.keep_refused(reply)
    except (OSError, StateError):
        # a kit on a read-only disk refuses too
        return None


def tell_refused(opened: "OpenKit", reply: str) -> None:
    """Keep a reply, and say where."""
    if told := lies_in(keep_refused(opened, reply)):
        opened.console.say(told)


def lies_in(path: Path | None) -> str:
    """Return in a line where a refused reply lies; "" where it could not be kept."""
    return "" if path is None else f"What came lies in {path}"
