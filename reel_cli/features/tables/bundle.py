"""Loading of domain data: only the rows that were asked for, as far as their share goes.

A row is a line: what it is called, then what is known of it, column by column.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple
from zlib import crc32

from reel_cli.core.blockquote import plain_item
from reel_cli.core.errors import ReelError
from reel_cli.core.pack import words
from reel_cli.core.pack.part import BundlePart, LoadedPart, Terms
from reel_cli.core.pack.render import Writer
from reel_cli.core.pack.unit import Unit
from reel_cli.core.pack.words import fold_line
from reel_cli.core.stage_chain import remove_syntax
from reel_cli.core.values.change import one_line

if TYPE_CHECKING:
    from reel_cli.core.kit.snapshot import Snapshot
    from reel_cli.core.pack.draft import BundleDraft
    from reel_cli.features.tables.rows_file import Rows
    from reel_cli.features.tables.table import Row, Table
    from reel_cli.features.tables.tables import QueryResult

RING = "domain"
NO_SHARE = "no room in the share of rows"
LONG_ROW = "longer than the share of rows by itself"
_DATE = len("2026-03-01")
_SOME = 10
"""Rows that a hint asks for where a whole table was asked for, at most."""
IN_THE_CHAT = "in this conversation already"
_TURNING = dict.fromkeys((0x61C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)))
"""Signs that turn the direction of writing, by code: a cell could show other words than it holds."""


class AskedRow(NamedTuple):
    """One row as it may be told: what it is called ("" for nothing), and what else it holds, by column.

    `id` is table and key, `quests/lantern`; `heading` is what the table is called.
    """

    id: str
    heading: str
    name: str
    parts: Sequence[tuple[str, str]]


class RequestedRows(NamedTuple):
    """The rows that were asked for, grouped by table, and notes for the person."""

    rows: Sequence[AskedRow] = ()
    told: Sequence[str] = ()
    whole: Collection[str] = ()
    """Tables asked for whole where experience is gated; the contract lets none of their rows in."""


class RowsPart(BundlePart):
    """The rows that were asked for, or that the kit always asks for."""

    rings = (RING,)
    limited = True

    def gather(self) -> bool:
        """Ask the tables; QueryError or ReelError where a filter that was typed cannot be answered."""
        if self.source is None:
            return False
        settings = self.holdings.core.settings
        gated = settings.gated
        self.asked = gather_asked(self.source.snapshot, self.wish.rows, settings.domain_with, gated=gated)
        return True

    def open(self, made: "BundleDraft", terms: Terms) -> LoadedPart:
        """Return the rows in one loading."""
        return _LoadedRows(self, made, terms)


class _LoadedRows(LoadedPart):
    """The rows that fit into their share."""

    part: RowsPart

    def fill(self, rest: int) -> None:
        """Load what fits, and write down what does not."""
        share, made = self.terms.budget.domain, self.made
        asked = self.part.asked.rows
        found = look_up(asked, share, 0 if made.squeezed else rest, self.terms.writer, self.terms.since)
        self.units, self.squeezed = found.units, found.squeezed
        self.account(RING, share)
        made.marks.update(found.marks)
        for ids, reason in found.left:
            made.left.add(RING, ids, reason)

    def warnings(self) -> Sequence[str]:
        """Return what a person should know of the tables."""
        return self.part.asked.told

    def chosen(self) -> Mapping[str, Collection[str]]:
        """Return the IDs of the rows that were asked for; none of a whole table where experience is gated."""
        asked = self.part.asked
        return {RING: {row.id for row in asked.rows if _table(row) not in asked.whole}}


class LookedUp(NamedTuple):
    """The loaded rows, and those left out with reasons; `squeezed` means less room than the share."""

    units: Sequence[Unit] = ()
    left: Sequence[tuple[Sequence[str], str]] = ()
    marks: Mapping[str, str] = {}
    squeezed: bool = False

    @property
    def tokens(self) -> int:
        """Return the token count of all units."""
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
    """Return the rows that fit into the share and `rest` tokens, in order, up to the first that does not.

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
    title = words.without_ids(_plain(row.heading))
    return f"{style.headings[2]}{style.quoted[:1]}{title}{style.quoted[1:]}\n\n"


def _line(writer: Writer, row: AskedRow) -> str:
    style = writer.style
    # STAGE and CHAIN syntax is left out of a cell as it is of a memory (REEL §5)
    lived = ((label, _told(remove_syntax(text)), text) for label, text in row.parts)
    told = "; ".join(f"{label} {value}" for label, value, text in lived if value or not text)
    name = _plain(row.name)
    head = f"{style.strong}{name}{style.strong}" if name else ""
    line = ": ".join(part for part in (head, _plain(told)) if part) or "…"
    return f"{style.item}{plain_item(words.without_ids(line))}\n"


def _plain(text: str) -> str:
    """Return text of a table on one line, without signs that turn the direction of writing."""
    return fold_line(remove_syntax(text.translate(_TURNING)))


def _told(text: str) -> str:
    """Return a value as shown: a date in words."""
    return (words.spell_date(text) if len(text) == _DATE else "") or text


def _mark(row: AskedRow) -> str:
    return f"{crc32(repr((row.name, *row.parts)).encode()):08x}"


def gather_asked(
    snapshot: "Snapshot", typed: Sequence[str], usual: Sequence[str] = (), *, gated: bool = False
) -> RequestedRows:
    """Return the rows that filters ask for, each once: `typed` ones first, then the kit's `usual`.

    Raises QueryError or ReelError where one that was typed cannot be answered, or where experience is `gated`
    and it asks for a whole table; a usual one is passed over then, and told of.
    """
    from reel_cli.features.tables.tables import ask, tell_problems

    rows: dict[str, AskedRow] = {}
    told: list[str] = []
    known: dict[str, Rows] = {}
    whole: set[str] = set()
    for place, text in enumerate([*typed, *usual]):
        try:
            found = ask(snapshot, text, known)
            if gated and _is_whole(found, known, rows):
                _refuse_whole(found.query.table.name, len(known[found.query.table.name].sound))
                # only what is not refused: rows of it that another filter asks for may come in
                whole.add(found.query.table.name)
        except ReelError as error:
            if place < len(typed):
                raise
            told.append(f"kit.yaml, domain.with: {one_line(text, 60)!r} was ignored. {error.message}")
            continue
        if found.problems:
            told.append(tell_problems(found.query.table.name, found.problems))
        for row in found.rows:
            made = _tell(found.query.table, row)
            rows.setdefault(made.id, made)
    tables = list(dict.fromkeys(_table(row) for row in rows.values()))
    ordered = sorted(rows.values(), key=lambda row: tables.index(_table(row)))
    return RequestedRows(ordered, list(dict.fromkeys(told)), whole)


def _is_whole(found: "QueryResult", known: "Mapping[str, Rows]", before: Collection[str]) -> bool:
    """Return whether a filter asks for a whole table, alone or with the rows asked for `before`.

    The one row of a table may be asked for by a condition.
    """
    table = found.query.table
    held = len(known[table.name].sound)
    asked = {_tell(table, row).id for row in found.rows}
    asked.update(row for row in before if row.partition("/")[0] == table.name)
    return 0 < held == len(asked) and (found.query.where is None or held > 1)


def require_no_whole_table(snapshot: "Snapshot", path: str) -> None:
    """Refuse a setting by which every bundle would ask for a whole table, where experience is gated."""
    from reel_cli.features.tables.tables import ask

    settings = snapshot.settings
    if path not in ("domain.with", "experience") or not settings.gated:
        return
    known: dict[str, Rows] = {}
    rows: set[str] = set()
    for text in settings.domain_with:
        try:
            found = ask(snapshot, text, known)
        except ReelError:
            # the checkup tells of a filter that cannot be answered
            continue
        table = found.query.table
        if _is_whole(found, known, rows) and path == "experience":
            message = f"domain.with asks for the whole table {table.name}, and a gated kit loads none whole."
            raise ReelError(message, hint="change that first:  reel config domain.with default")
        if _is_whole(found, known, rows):
            _refuse_whole(table.name, len(known[table.name].sound))
        rows.update(_tell(table, row).id for row in found.rows)


def _refuse_whole(table: str, held: int) -> None:
    message = f"That is the whole table {table}, and this kit loads none whole (experience: gated)."
    some = f"  or  {table} limit {min(held - 1, _SOME)}" if held > 1 else ""
    raise ReelError(message, hint=f"ask for some of it, like  {table} where …{some}")


def _table(row: AskedRow) -> str:
    return row.id.partition("/")[0]


def _tell(table: "Table", row: "Row") -> AskedRow:
    """Return a row for a bundle: without its key if it has a name, and without private columns."""
    from reel_cli.features.tables.cell_values import tell_value

    told = {column.name: row[column.name] for column in table.columns if column.told}
    name = next((n for n in (table.naming, table.key) if told.get(n) is not None), "")
    parts = [
        (column.replace("_", " ").replace("-", " "), tell_value(value))
        for column, value in told.items()
        if value is not None and column not in (name, table.key)
    ]
    key = one_line(tell_value(row[table.key]), 80)
    return AskedRow(f"{table.name}/{key}", table.heading, tell_value(told[name]) if name else "", parts)
