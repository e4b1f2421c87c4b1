"""Tables as CSV: read however a spreadsheet saved them, written one way.

What is written: commas, LF, quotation marks only where they are needed, a row on a line of its own (but for
texts with line breaks in them), and an apostrophe before a text that a spreadsheet would take for a formula.
"""

import csv
import io
import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from reel_cli.core.errors import ReelError
from reel_cli.core.tape.erasure.target import PurgeTarget
from reel_cli.features.tables.cell_values import tell_value
from reel_cli.features.tables.table import MOST_ROWS, Value, fold_name

_FORMULA = re.compile(r"'*[=+\-@\uff1d\uff0b\uff0d\uff20]")
"""Pattern of the beginning of a cell that a spreadsheet takes for a formula, and of one already guarded."""
_SEP = re.compile(r"(?i)sep=([,;\t|])")
DELIMITERS = (",", ";", "\t")


@dataclass(frozen=True, slots=True)
class Sheet:
    """A CSV file: the header's cells, each row's cells, and the row's lines, `(first, last)` from 1.

    `plain` says that it is written the one way that we write; `comma` that numbers may have a decimal comma.
    """

    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    lines: Sequence[tuple[int, int]]
    plain: bool
    comma: bool
    _text: Sequence[str] = ()

    def raw(self, number: int) -> str:
        """Return a row as it is written, with the empty lines before it; ends in a newline."""
        before = self.lines[number - 1][1] if number else self.head_ends
        text = "".join(self._text[before : self.lines[number][1]])
        return text if text.endswith("\n") else f"{text}\n"

    @property
    def head_ends(self) -> int:
        """Return the header's last line, from 1."""
        return next(at for at, line in enumerate(self._text, start=1) if line.strip())

    @property
    def raw_head(self) -> str:
        """Return the header as it is written, and what stands before it."""
        text = "".join(self._text[: self.head_ends])
        return text if text.endswith("\n") else f"{text}\n"


def parse_sheet(text: str, shown: str, known: Collection[str]) -> Sheet:
    """Read a CSV; `known` are the names one expects in its header, folded by `fold_name`.

    Raises ReelError naming `shown` and the line where it is none, or has more rows than a table may.
    """
    plain = not text.startswith("\ufeff") and "\r" not in text
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    # split at newlines only: a form feed or U+2028 belongs to the text and ends no row
    lines = [f"{line}\n" for line in text.split("\n")]
    lines[-1] = lines[-1][:-1]
    if not lines[-1]:
        lines.pop()
    begin = next((at for at, line in enumerate(lines) if line.strip()), None)
    if begin is None:
        raise _empty(shown)
    named = _SEP.fullmatch(lines[begin].strip())
    if named:
        lines[begin] = "\n"
        plain = False
    delimiter = named[1] if named else _delimiter(lines[begin:], known)
    found: list[list[str]] = []
    places: list[tuple[int, int]] = []
    reader = csv.reader(iter(lines), delimiter=delimiter, strict=True)
    ended = 0
    try:
        for cells in reader:
            first, ended = ended + 1, reader.line_num
            if cells and any(map(str.strip, cells)):
                found.append(cells)
                places.append((first, ended))
            if len(found) > MOST_ROWS + 1:
                message = f"{shown} has more than {MOST_ROWS:,} rows."
                raise ReelError(message, hint="keep so much data in a database")
    except csv.Error as error:
        what = (
            "a quotation mark is never closed" if "end of data" in str(error) else "this is not a row of CSV"
        )
        message = f"{shown}, line {ended + 1}: {what}."
        raise ReelError(message, hint='a quotation mark inside a quoted cell is written twice: ""') from None
    if not found:
        # nothing but separators, blanks or the line that names the separator
        raise _empty(shown)
    return Sheet(
        [cell.strip() for cell in found[0]],
        found[1:],
        places[1:],
        plain and delimiter == "," and places[0][0] == places[0][1],
        comma=delimiter != ",",
        _text=lines,
    )


def _empty(shown: str) -> ReelError:
    return ReelError(f"{shown} is empty.", hint="its first line names the columns")


def _delimiter(lines: Iterable[str], known: Collection[str]) -> str:
    """Return the delimiter: the one that makes most column names known, else that of the most cells."""
    head = next(iter(lines))

    def score(delimiter: str) -> tuple[int, int]:
        try:
            cells = next(csv.reader([head], delimiter=delimiter), [])
        except csv.Error:
            return 0, 0
        return sum(fold_name(cell) in known for cell in cells), len(cells)

    return max(DELIMITERS, key=score)


def unguard(cell: str) -> str:
    """Return a cell without the apostrophe that keeps a spreadsheet from calculating it."""
    return cell[1:] if cell.startswith("'") and _FORMULA.match(cell) else cell


def guard(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula."""
    return f"'{text}" if _FORMULA.match(text) else text


def render_rows(rows: Iterable[Sequence[Value]]) -> str:
    """Return rows of values as CSV lines; a text that looks like a formula is guarded."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(
        [guard(value) if isinstance(value, str) else tell_value(value) for value in row] for row in rows
    )
    return out.getvalue()


def purge_rows(data: bytes, wanted: PurgeTarget) -> bytes:
    """Return the file with the mark in place of the text; other files are treated as plain text."""
    if not wanted.may_stand_in_bytes(data):
        return data
    try:
        sheet = parse_sheet(data.decode("utf-8"), "rows", ())
    except (ReelError, UnicodeDecodeError):
        return wanted.replace_bytes(data)[0]
    if not sheet.plain:
        return wanted.replace_bytes(data)[0]
    found = False
    parts = [sheet.raw_head]
    for number, cells in enumerate(sheet.rows):
        told = [wanted.replace(unguard(cell)) for cell in cells]
        hit = any(gone for _, gone in told)
        found = found or hit
        parts.append(render_rows([[cell for cell, _ in told]]) if hit else sheet.raw(number))
    # text that spans several cells, or stands in the header, goes too
    return wanted.replace_bytes("".join(parts).encode("utf-8") if found else data)[0]
