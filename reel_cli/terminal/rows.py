"""Rows of text in columns, folded where a terminal has no room for them."""

from collections.abc import Iterable, Sequence

from reel_cli.core.values.change import unbroken
from reel_cli.terminal.folding import cells, fold
from reel_cli.terminal.plain_text import printable


def align(header: Sequence[str], rows: Iterable[Sequence[str]], *, right: Sequence[int] = ()) -> list[str]:
    """Return the lines of rows aligned in columns; those in `right` (0-based) to the right."""
    lines = [
        [printable(unbroken(str(cell))) for cell in row]
        for row in (*([header] if any(header) else []), *rows)
    ]
    most = max(map(len, lines), default=0)
    widths = [max((cells(line[i]) for line in lines if i < len(line)), default=0) for i in range(most)]
    found = []
    for line in lines:
        row = []
        for i, cell in enumerate(line):
            gap = " " * (widths[i] - cells(cell))
            row.append(gap + cell if i in right else cell + gap)
        found.append("  ".join(row).rstrip())
    return found


def align_within(
    rows: Sequence[Sequence[str]], lead: int, width: int, *, right: Sequence[int] = ()
) -> list[str]:
    """Return rows aligned where they fit into `width`; else the columns after the first `lead` stand below.

    Of those that still have no room, more stand below.
    """
    lines = align((), rows, right=right)
    if all(len(line) <= width for line in lines):
        return lines
    heads = align((), [row[:lead] for row in rows], right=right)
    while lead > 1 and any(len(line) > width for line in heads):
        lead -= 1
        heads = align((), [row[:lead] for row in rows], right=right)
    found = []
    for head, row in zip(heads, rows, strict=True):
        found += [head, *(fold(printable(unbroken(cell)), width, "  ", "  ") for cell in row[lead:] if cell)]
    return found
