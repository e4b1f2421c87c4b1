"""Choice of the index's lines in a small window: those of what the bundle does not tell otherwise.

A line says no more than the memory that stands above it, and one evening may have several. Where room is
short, what is told already is not paid for a second time.
"""

from collections.abc import Collection, Iterator, Sequence
from itertools import chain, islice

from reel_cli.core.values.holdings import LineRow, Lines

MOST_READ = 400
"""Number of lines, from the newest on, that are looked through."""


class LineChoice:
    """The lines of a small window, newest first: `rows` to choose from, `above` those told otherwise.

    `rows` are read as far as somebody takes them.
    """

    def __init__(self, lines: Lines, told: Collection[str]) -> None:
        """Sort the lines by whether a memory in `told`, or another line of the same evening, says it."""
        newest = iter(lines.newest())
        near = list(islice(newest, MOST_READ))
        heads = {name: _head(text) for name, text in lines.texts(row.id for row in near).items()}
        first: dict[str, str] = {}
        for row in reversed(near):
            first.setdefault(heads[row.id], row.id)
        left: list[LineRow] = []
        self.above: list[str] = []
        for row in near:
            head = heads.get(row.id, "")
            own = next((name for start in _starts(head) if (name := first.get(start))), row.id)
            is_told = row.id in told or own in told or own != row.id
            self.above += [row.id] if is_told else []
            left += [] if is_told else [row]
        self.above += [name for name in lines.ids()[len(near) :] if name in told]
        self.rows: Iterator[LineRow] = chain(left, (row for row in newest if row.id not in told))


def _head(text: str) -> str:
    """Return what a written line says it is about, without the words it quotes."""
    return text.partition(': "')[0].rstrip("\n")


def _starts(head: str) -> Iterator[str]:
    """Yield the beginnings of a line's first words that may be those of another line, the shortest first."""
    parts: Sequence[str] = head.split(": ")
    for end in range(1, len(parts) + 1):
        yield ": ".join(parts[:end])
