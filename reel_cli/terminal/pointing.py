"""The place in a query that an error is about, shown below it."""

from collections.abc import Iterator
from contextlib import contextmanager

from reel_cli.core.errors import PointedError
from reel_cli.terminal.console import Console
from reel_cli.terminal.folding import cells, columns
from reel_cli.terminal.plain_text import printable

BEFORE_POINT = 30
"""Characters of a long query shown before the place."""


@contextmanager
def pointing(console: Console, *, asked: bool = True) -> Iterator[None]:
    """Point at the place in a query before its error is told; nothing where none was `asked`."""
    if not asked:
        # packing must start fast, and the filter language is slow to load
        yield
        return
    try:
        yield
    except PointedError as error:
        for line in _point_below(error.text, error.at, columns(console.err)):
            console.say(line)
        raise


def _point_below(text: str, at: int, width: int) -> list[str]:
    """Return the query on one line, cut to the width, and a caret below the place."""
    line = "".join(" " if char in "\n\t\r" else char for char in printable(text))
    at = min(at, len(line))
    first = 0 if len(line) < width else max(0, at - min(BEFORE_POINT, width // 2))
    lead = "…" if first else ""
    room = width - 1 - len(lead)
    shown = line[first : first + room]
    if len(line) > first + room:
        shown = f"{shown[:-1]}…"
    if not shown.strip():
        return []
    return [f"{lead}{shown}", f"{' ' * (len(lead) + cells(line[first:at]))}^"]
