"""Rating sheets of a comparison: the page with the answers, and `sheet.csv` for the ratings."""

import csv
import io
import re
from collections.abc import Mapping, Sequence

from reel_cli.core.errors import ReelError
from reel_cli.core.values.change import name_some, one_line
from reel_cli.features.dream.comparing.comparison import LEAST, LETTERS, MOST, Comparison, Marks, Measure, Row

COLUMNS = ("row", "question", "answer", *Measure, "remark")
_ROW = re.compile(r"([a-z]+)-([1-9]\d{0,2})([a-z])")
_FORMULA = ("=", "+", "-", "@", "\t")
"""Characters that a spreadsheet takes for the beginning of a formula."""
_NAMED = 5
"""Maximum number of rows named one by one."""
_INTRO = """\
# What to rate

To each question there are three answers, x, y and z. Which of them came from where changes with every
question, so rate each by itself. Give it two marks in the file with the sheet (sheet.csv), in the row with
its letter:

- **coherence**: does the answer pick up like somebody who has been there all along (5), or begin like a
  stranger (1)?
- **accuracy**: does it fit how things really stand between the two of them, and what matters now (5), or
  does it miss that, or make things up (1)?

Whole numbers from 1 to 5. Where you cannot say, leave the cell empty.
"""


def row_name(comparison: Comparison, question: int, letter: str) -> str:
    """Return the name of an answer's row: `qmzkdb-3x`."""
    return f"{comparison.name}-{question}{letter}"


def render_sheet(comparison: Comparison) -> str:
    """Return the empty sheet: a row for each answer, the questions in their order."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for number, question in enumerate(comparison.questions, start=1):
        for letter in LETTERS:
            writer.writerow((row_name(comparison, number, letter), _cell(question), letter, "", "", ""))
    # with a byte order mark, because spreadsheets would else take it for an older encoding
    return "\ufeff" + out.getvalue()


def render_page(comparison: Comparison, answers: Mapping[Row, str]) -> str:
    """Return the page to rate from: under each question its answers by letter, set off as quotations."""
    told = [_INTRO]
    for number, question in enumerate(comparison.questions, start=1):
        told.append(f"\n## {number}. {one_line(question)}\n")
        for letter in LETTERS:
            answer = answers[number, comparison.start_of(number, letter)]
            quoted = "\n".join(f"> {line}".rstrip() for line in answer.strip("\n").split("\n"))
            told.append(f"\n### {letter}\n\n{quoted}\n")
    return "".join(told)


def sheet_name(text: str) -> str | None:
    """Return the name of a sheet's comparison, by its first row; None if it is no sheet."""
    for line in text.split("\n"):
        found = _ROW.match(line.strip(' "\ufeff\t'))
        if found:
            return found[1]
    return None


def parse_sheet(text: str, shown: str, comparison: Comparison) -> Marks:
    """Return one person's ratings; `shown` is the file's name in messages.

    Raises ReelError where it is no sheet or one of another comparison, where a row is unknown, twice there,
    missing or not as it was made, and where a mark is none from 1 to 5.
    """
    rows = _read(text, shown)
    found: dict[Row, dict[Measure, int]] = {}
    for line, cells in rows:
        row = _placed(cells, f"{shown}, line {line}", comparison)
        if row in found:
            message = f"{shown}, line {line}: the row {cells['row']} is there twice."
            raise ReelError(message, hint="keep one of the two")
        marks = (
            (measure, _mark(cells.get(measure, ""), measure, f"{shown}, line {line}")) for measure in Measure
        )
        found[row] = {measure: mark for measure, mark in marks if mark is not None}
    lacking = [
        row_name(comparison, number, letter)
        for number in range(1, len(comparison.questions) + 1)
        for letter in LETTERS
        if (number, comparison.start_of(number, letter)) not in found
    ]
    if lacking:
        told = name_some(lacking, _NAMED)
        message = f"{shown} lacks rows: {told}."
        raise ReelError(
            message, hint="leave every row in its place; a mark that there is none for stays empty"
        )
    return found


def _read(text: str, shown: str) -> Sequence[tuple[int, Mapping[str, str]]]:
    """Return the rows with their line numbers, by column, with any of the usual delimiters."""
    text = text.removeprefix("\ufeff")
    for delimiter in (",", ";", "\t"):
        reader = csv.reader(io.StringIO(text), delimiter=delimiter)
        try:
            head = [cell.strip().casefold() for cell in next(reader, [])]
            if not {"row", *Measure} <= set(head):
                continue
            return [
                (reader.line_num, dict(zip(head, (cell.strip() for cell in cells), strict=False)))
                for cells in reader
                if any(cell.strip() for cell in cells)
            ]
        except csv.Error:
            break
    message = f"{shown} is not a rating sheet."
    raise ReelError(message, hint=f"its first line should read  {','.join(COLUMNS)}")


def _placed(cells: Mapping[str, str], where: str, comparison: Comparison) -> Row:
    """Return the answer that a row is about; raises ReelError if it is not a row of this comparison."""
    told = one_line(cells["row"], 40)
    found = _ROW.fullmatch(cells["row"].casefold())
    if found and found[1] != comparison.name:
        message = f"{where}: {told} is of another comparison, not of {comparison.name}."
        raise ReelError(message, hint="give the sheets of one comparison together, with its key beside them")
    number = int(found[2]) if found else 0
    if not found or found[3] not in LETTERS or not 1 <= number <= len(comparison.questions):
        message = f"{where}: there is no row {told!r} in this comparison."
        raise ReelError(message, hint="leave the first three columns as they were made")
    same_letter = cells.get("answer", found[3]).casefold() == found[3]
    same_question = _folded(cells.get("question", "")) in ("", _folded(comparison.questions[number - 1]))
    if not same_letter or not same_question:
        message = f"{where}: the row {told} does not stand beside its own question and letter any more."
        raise ReelError(message, hint="sort whole rows, never one column; or begin again with a fresh sheet")
    return number, comparison.start_of(number, found[3])


def _mark(cell: str, measure: Measure, where: str) -> int | None:
    """Return a rating; spreadsheets may write 4 as 4.0 or 4,0."""
    plain = re.sub(r"[.,]0+$", "", cell.strip())
    if not plain:
        return None
    if plain.isascii() and plain.isdigit() and LEAST <= int(plain[:4]) <= MOST and len(plain) <= 4:
        return int(plain)
    message = (
        f"{where}: {measure} is {one_line(cell, 20)!r}; a mark is a whole number from {LEAST} to {MOST}."
    )
    raise ReelError(message, hint="leave it empty where there is no mark")


def _cell(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula."""
    return f"'{text}" if text.startswith(_FORMULA) else text


def _folded(text: str) -> str:
    """Return the plain letters and digits, which no spreadsheet's encoding changes."""
    return "".join(char for char in text.casefold() if char.isascii() and char.isalnum())
