"""Loading rows of domain data: only those that were asked for, as far as their share goes.

A row is a line: what it is called, then what is known of it, column by column.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple
from zlib import crc32

from reel_cli.core.blockquote import plain_item
from reel_cli.core.pack import words
from reel_cli.core.pack.folding import fold_line
from reel_cli.core.pack.units import Unit, Writer
from reel_cli.features.tables.row_request import AskedRow

RING = "domain"
NO_SHARE = "no room in the share of rows"
LONG_ROW = "longer than the share of rows by itself"
_DATE = len("2026-03-01")
IN_THE_CHAT = "in this conversation already"


class LookedUp(NamedTuple):
    """What is loaded, what is left out and why; `squeezed` says that there was less room than the share."""

    units: Sequence[Unit] = ()
    left: Sequence[tuple[Sequence[str], str]] = ()
    marks: Mapping[str, str] = {}
    squeezed: bool = False

    @property
    def tokens(self) -> int:
        """What all of it takes."""
        return sum(unit.tokens for unit in self.units)


class _Line(NamedTuple):
    """A row written: as it stands between others of its table, and as the last of them."""

    row: AskedRow
    text: str
    tokens: int
    last: int


def look_up(
    rows: Sequence[AskedRow], share: int, rest: int, writer: Writer, known: Mapping[str, str] | None = None
) -> LookedUp:
    """What of the rows fits into the share and `rest` tokens, in their order; behind one that does not, none.

    With `known`, an earlier bundle's marks, only rows that are new since, or not as they were.
    """
    marks = {f"{RING}:{row.id}": _mark(row) for row in rows}
    new = [row for row in rows if known is None or known.get(f"{RING}:{row.id}") != marks[f"{RING}:{row.id}"]]
    fresh = {row.id for row in new}
    made = _load(new, share, share, writer)
    if made.tokens > rest:
        made = _load(new, share, max(rest, 0), writer)._replace(squeezed=True)
    loaded = {unit.id for unit in made.units}
    told = [row.id for row in rows if row.id not in fresh]
    return made._replace(
        left=[*made.left, (told, IN_THE_CHAT)],
        marks={key: mark for key, mark in marks.items() if key[len(RING) + 1 :] in loaded},
    )


def _load(rows: Sequence[AskedRow], share: int, room: int, writer: Writer) -> LookedUp:
    count = writer.count
    head = count(_section(writer))
    heads: dict[str, int] = {}
    kept: list[_Line] = []
    long: list[str] = []
    used = 0
    place = 0
    for place, row in enumerate(rows):  # noqa: B007 (where it ended is asked for below)
        above = heads.setdefault(row.heading, count(_heading(writer, row)))
        text = _line(writer, row)
        line = _Line(row, text, count(text), count(f"{text}\n"))
        if head + above + line.last > share:
            long.append(row.id)
            continue
        same = bool(kept) and kept[-1].row.heading == row.heading
        before = used + (kept[-1].tokens if same else kept[-1].last) if kept else head
        before += 0 if same else above
        if before + line.last > room:
            break
        used = before
        kept.append(line)
    else:
        place = len(rows)
    units = _write(kept, writer)
    return LookedUp(units, [(long, LONG_ROW), ([row.id for row in rows[place:]], NO_SHARE)])


def _write(lines: Sequence[_Line], writer: Writer) -> Sequence[Unit]:
    units = []
    for at, line in enumerate(lines):
        opens = at == 0 or lines[at - 1].row.heading != line.row.heading
        ends = at == len(lines) - 1 or lines[at + 1].row.heading != line.row.heading
        text, tokens = (f"{line.text}\n", line.last) if ends else (line.text, line.tokens)
        made = [Unit(RING, line.row.id, text, tokens)]
        if opens:
            writer.open(made, _heading(writer, line.row))
        if at == 0:
            writer.open(made, _section(writer))
        units += made
    return units


def _section(writer: Writer) -> str:
    return writer.style.section(words.LOOKED_UP, words.LOOKED_UP_INTRO)


def _heading(writer: Writer, row: AskedRow) -> str:
    style = writer.style
    title = words.without_ids(fold_line(row.heading))
    return f"{style.headings[2]}{style.quoted[:1]}{title}{style.quoted[1:]}\n\n"


def _line(writer: Writer, row: AskedRow) -> str:
    style = writer.style
    told = "; ".join(f"{label} {_told(text)}" for label, text in row.parts)
    name = fold_line(row.name)
    head = f"{style.strong}{name}{style.strong}" if name else ""
    line = ": ".join(part for part in (head, fold_line(told)) if part) or "…"
    return f"{style.item}{plain_item(words.without_ids(line))}\n"


def _told(text: str) -> str:
    """A value as it is told: a date in words."""
    return (words.spell_date(text) if len(text) == _DATE else "") or text


def _mark(row: AskedRow) -> str:
    return f"{crc32(repr((row.name, *row.parts)).encode()):08x}"
