"""A query that is none, shown with a mark below the place where it went wrong."""

from collections.abc import Iterator
from contextlib import contextmanager

from reel_cli.core.errors import PointedError
from reel_cli.terminal.console import Console, cells, columns, printable

_BEFORE = 30
"""Characters of a long query shown before the place."""


@contextmanager
def pointing(console: Console, *, asked: bool = True) -> Iterator[None]:
    """Point at the place in a query before its error is told; nothing where none was `asked`."""
    if not asked:
        # packing is to start quickly, and the language is a good deal to load
        yield
        return
    try:
        yield
    except PointedError as error:
        for line in _shown(error.text, error.at, columns(console.err)):
            console.say(line)
        raise


def _shown(text: str, at: int, width: int) -> list[str]:
    """Return the query on one line, cut to the width, and a caret below the place."""
    line = "".join(" " if char in "\n\t\r" else char for char in printable(text))
    at = min(at, len(line))
    first = 0 if len(line) < width else max(0, at - min(_BEFORE, width // 2))
    lead = "…" if first else ""
    room = width - 1 - len(lead)
    shown = line[first : first + room]
    if len(line) > first + room:
        shown = f"{shown[:-1]}…"
    if not shown.strip():
        return []
    return [f"{lead}{shown}", f"{' ' * (len(lead) + cells(line[first:at]))}^"]
