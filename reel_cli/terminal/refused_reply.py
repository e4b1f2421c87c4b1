"""A reply that was refused whole, or pasted and never sent: kept in a file, so that a person has it back."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from reel_cli.core.errors import StateError
from reel_cli.core.shell import from_here, quote_path

if TYPE_CHECKING:
    from reel_cli.terminal.open_kit import OpenKit

SENTENCE = 6
"""Words from which a line is no key or name of a file, but something that was said."""
ASK_AGAIN = "ask again, or another model, or tomorrow"


def keep_refused(opened: "OpenKit", reply: str, kind: str = "reply") -> Path | None:
    """Keep a reply and return its file; None on a disk that nothing can be written to."""
    try:
        return opened.state.keep_refused(reply, kind)
    except (OSError, StateError):
        # a kit on a read-only disk refuses too
        return None


def tell_refused(opened: "OpenKit", reply: str, kind: str = "reply") -> None:
    """Keep a reply, and say where."""
    if told := lies_in(keep_refused(opened, reply, kind)):
        opened.console.say(told)


def lies_in(path: Path | None) -> str:
    """Return in a line where a refused reply lies; "" where it could not be kept."""
    return "" if path is None else f"What came is kept. To read it:  more {quote_path(from_here(path))}"


@contextmanager
def unlost_paste(opened: "OpenKit", what: str, command: str) -> Iterator[None]:
    """Keep a pasted text in a file where Ctrl-C comes before its Enter, and say how to go on with it.

    `what` names the text, `command` takes its file last.
    """
    console = opened.console
    try:
        yield
    except KeyboardInterrupt:
        if (console.pasted or "\n" in console.unsent) and len(console.unsent.split()) >= SENTENCE:
            path = keep_refused(opened, f"{console.unsent.rstrip()}\n")
            if path is not None:
                way = f"reel {command} {quote_path(from_here(path))}"
                opened.context.waiting = f"{what} is not lost. To go on with it:  {way}"
        raise
