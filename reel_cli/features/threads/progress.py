"""The progress of a long first reading of the tape, on a terminal."""

from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reel_cli.features.threads.lattice import Progress
    from reel_cli.terminal.console import Console


@contextmanager
def show_progress(console: "Console") -> "Iterator[Progress]":
    """Yield a function to be told how many chats of how many are read; what is quick is not shown."""
    with ExitStack() as stack:
        seen = 0
        advance: Any = None

        def progress(done: int, total: int) -> None:
            nonlocal seen, advance
            if advance is None:
                advance = stack.enter_context(console.progress("Reading the recorded chats", total))
            advance(done - seen)
            seen = done

        yield progress
