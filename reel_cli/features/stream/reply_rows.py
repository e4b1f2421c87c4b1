"""Rows for the kit's tables in a reply: one a line as they are asked for, or however models write them."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from reel_cli.core.exchange.reader.values import says_nothing
from reel_cli.core.quote_marks import unquote
from reel_cli.core.values.change import one_line
from reel_cli.features.tables.table import LONGEST_TEXT, Table, find_foreign, fold_name

MOST_READ = 60
"""Maximum number of rows of one reply that are read."""
LONGEST_KEY = 200
_BULLET = re.compile(r"^[ \t]*(?:[-*+•–—]|\d{1,3}[.)])[ \t]+")
_BAR = re.compile(r"(?<!\\)\|")
_SLASH = re.compile(r"([^/=:]{1,60})/(.+)")
_RULED = re.compile(r"[ \t|:+=-]+")
_HEAD = re.compile(r"(#{1,6})[ \t]+(.*)")
_NAMED = re.compile(r"[ \t]*([^\W\d_][\w -]{0,60}?|[\w.-]{1,60})[ \t]*(?:=>|->|→|[:=])[ \t]*")
_ARROW = re.compile(r"[ \t]*(?:→|->|=>)[ \t]*")
_ORDER = re.compile(
    r"(?<![\w-])[\w-]{1,40}[ \t]*[:/|][^|:\n]{1,80}(?:\|[ \t]*[\w -]{1,40}=[^|\n]{0,400})+(?:\|[ \t]*$)?",
    re.MULTILINE,
)
_NO_VALUE = frozenset(("?", "-", "–", "—", "…", "...", "unknown", "unchanged", "same", "not said", "unsaid"))
_KEYS = frozenset(("key", "row", "id"))
"""Names that models use for a key that is called otherwise."""
_EVIDENCE = frozenset(("quote", "evidence", "words", "source"))
"""Names under which models give the words that a row rests on, which are looked up on the tape anyway."""


@dataclass(slots=True)
class ToldRow:
    """One row as a reply tells it: its table, its key ("" where none is told), and its cells in order.

    `stray` are pieces that name no column.
    """

    table: str
    key: str = ""
    cells: list[tuple[str, str]] = field(default_factory=list)
    stray: list[str] = field(default_factory=list)


def read_told_rows(lines: Sequence[str], tables: Mapping[str, Table]) -> list[ToldRow]:
    """Return the rows of an answer, in order; `tables` are the existing ones, by name.

    Table names and columns that there are not come through as they are told.
    """
    reader = _Reader(tables)
    for line in lines:
        reader.take(line)
        if len(reader.rows) > MOST_READ:
            break
    return [row for row in reader.rows if row.key or row.cells]


def part_row(text: str, tables: Mapping[str, Table]) -> str:
    """Return a row told in a sentence, `dates, id = x, day = y`, as a line with bars."""
    named = sorted({n for t in tables.values() for n in (t.title or t.name, t.name)}, key=len, reverse=True)
    head = rf"(?:the )?[\"'“(]*({'|'.join(map(re.escape, named))})(?![\w-])[\"'”)]*[ \t]*[:,;|/.–—-]*"
    found = re.match(head, text, re.IGNORECASE) if named else None
    if found is None:
        return text
    table = next(t for t in tables.values() if found[1].casefold() in (t.title.casefold(), t.name.casefold()))
    columns = "|".join(map(re.escape, sorted(table.names, key=len, reverse=True)))
    parted = rf"[ \t]*[,;|]?[ \t]+(?=(?:{columns})[ \t]*=)"
    return f"{found[1]}:{re.sub(parted, ' | ', ' ' + text[found.end() :], flags=re.IGNORECASE)}"


def without_rows(text: str) -> str:
    """Return what was said, without parts that have the form of an answer.

    Whoever writes `quests: crown | reward = 9999` into a chat orders a row, and has not spoken of one.
    """
    return _ORDER.sub(" … ", text) if "|" in text and "=" in text else text


class _Reader:
    """A reader of rows, line by line; a heading or a table's header applies to the lines below it."""

    def __init__(self, tables: Mapping[str, Table]) -> None:
        self._names: dict[str, Table] = {}
        for table in tables.values():
            for name in (table.title or table.name, table.name):
                self._names[fold_name(name)] = table
        self.rows: list[ToldRow] = []
        # with one table, a line need not name it
        self._under = next(iter(tables)) if len(tables) == 1 else ""
        self._head: list[str] = []

    def take(self, line: str) -> None:
        """Read one line."""
        plain = _BULLET.sub("", line.replace("**", "").replace("`", ""), count=1).strip()
        if not plain or _RULED.fullmatch(plain):
            return
        if heading := _HEAD.fullmatch(plain):
            self._under, self._head = heading[2].strip(" :#"), []
        elif plain.startswith("|") and plain.endswith("|") and len(plain) > 1:
            self._take_cells([cell.replace("\\|", "|").strip() for cell in _BAR.split(plain[1:-1])])
        elif plain.endswith(":") and self._table(plain.rstrip(" :")):
            self._under, self._head = plain.rstrip(" :"), []
        else:
            self._take_line(plain)

    # -- a table in the reply ----------------------------------------------------------------

    def _take_cells(self, cells: list[str]) -> None:
        if self._is_head(cells):
            self._head = cells
            return
        if not self._head:
            self._take_line(" | ".join(cells))
            return
        told = dict(zip(map(fold_name, self._head), cells, strict=False))
        table = self._table(self._under)
        if table is None or find_foreign({fold_name(n): n for n in table.names}, "table") is None:
            self._under = told.pop("table", self._under)
        row = ToldRow(self._under)
        for name, cell in zip(self._head, cells, strict=False):
            if fold_name(name) in told:
                self._cell(row, name, cell)
        self.rows.append(row)

    def _is_head(self, cells: Sequence[str]) -> bool:
        under = self._table(self._under)
        known = {fold_name(n) for t in ([under] if under else self._names.values()) for n in t.names}
        folded = [fold_name(cell) for cell in cells]
        return len(cells) > 1 and all(one in known or one in _KEYS or one == "table" for one in folded)

    # -- a line -----------------------------------------------------------------------------

    def _take_line(self, line: str) -> None:
        parts = [part.replace("\\|", "|").strip() for part in _BAR.split(line.strip("| \t"))]
        if len(parts) == 1:
            parts = [part.strip() for part in line.split(";")]
        first, *rest = [part for part in parts if part] or [""]
        open_row = self.rows[-1] if self.rows else None
        named = _NAMED.match(first)
        if open_row is not None and named and not self._table(named[1]) and not rest:
            table = self._table(open_row.table)
            if table is not None and self._column(table, named[1]):
                # a row over several lines
                self._cell(open_row, named[1], first[named.end() :])
                return
        row = ToldRow(self._under)
        self._begin(row, first)
        for part in rest:
            self._part(row, part)
        self.rows.append(row)
        if not self._under or self._table(row.table):
            self._head = []

    def _begin(self, row: ToldRow, text: str) -> None:
        """Begin a line: its table, its key, perhaps a first column."""
        sure = False
        if (parted := _SLASH.fullmatch(text)) and self._table(parted[1]):
            row.table, text, sure = parted[1], parted[2], True
        while named := _NAMED.match(text):
            name, rest = named[1].strip(), text[named.end() :].strip()
            table = self._table(row.table)
            if fold_name(name) == "table":
                row.table, text, sure = rest, "", True
            elif not sure and not row.key and self._table(name):
                row.table, text, sure = name, rest, True
            elif (table and self._column(table, name)) or (sure and fold_name(name) in _KEYS):
                self._several(row, text)
                return
            elif table and not row.key and (sure or not rest or _NAMED.match(rest)):
                row.key, text, sure = _bare(name, LONGEST_KEY), rest, True
            elif not sure:
                # an unknown table
                row.table, text, sure = name, rest, True
            else:
                self._several(row, text)
                return
        if text and not sure and self._table(text):
            row.table = text
        elif text:
            self._several(row, text)

    def _several(self, row: ToldRow, text: str) -> None:
        """Apply one part, in which commas may separate columns."""
        table = self._table(row.table)
        if table is None:
            self._part(row, text)
            return
        names = "|".join(sorted(map(re.escape, table.names), key=len, reverse=True))
        for cut in re.split(rf",[ \t]*(?=(?:{names})[ \t]*[=:])", text, flags=re.IGNORECASE):
            self._part(row, cut)

    def _part(self, row: ToldRow, text: str) -> None:
        named = _NAMED.match(text)
        table = self._table(row.table)
        if named and fold_name(named[1]) == "table" and not row.table:
            row.table = text[named.end() :].strip()
        elif named and (row.key or table is None or self._is_column(table, named[1])):
            self._cell(row, named[1], text[named.end() :])
        elif not row.table:
            row.table = text.strip()
        elif not row.key:
            row.key = _bare(text, LONGEST_KEY)
        else:
            row.stray.append(one_line(text, 60))

    def _cell(self, row: ToldRow, name: str, value: str) -> None:
        table = self._table(row.table)
        column = self._column(table, name) if table else None
        plain = _bare(_ARROW.split(value)[-1], LONGEST_TEXT + 1)
        if not plain or (column is None and fold_name(name) in _EVIDENCE):
            return
        if (table and column == table.key) or (column is None and fold_name(name) in _KEYS):
            if row.key and row.key.casefold() != plain.casefold():
                row.stray.append(one_line(f"{name.strip()} {plain}", 60))
            row.key = row.key or plain
        else:
            row.cells.append((column or name.strip(), plain))

    # -- names ------------------------------------------------------------------------------

    def _table(self, name: str) -> Table | None:
        return self._names.get(fold_name(name)) if name else None

    def _is_column(self, table: Table, name: str) -> bool:
        return self._column(table, name) is not None or fold_name(name) in _KEYS

    def _column(self, table: Table, name: str) -> str | None:
        return find_foreign({fold_name(one): one for one in table.names}, name)


def _bare(text: str, longest: int) -> str:
    """Return a value without outer marks; "" if it says nothing."""
    plain = unquote(text.strip(" \t*_`")).strip()
    if says_nothing(plain) or plain.casefold() in _NO_VALUE:
        return ""
    return " ".join(plain.split())[:longest]
