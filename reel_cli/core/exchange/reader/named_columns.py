"""Tables of a reply whose columns have names, cell by cell."""

import re
from collections.abc import Iterator, Mapping, Sequence

from reel_cli.core.exchange.reader.labels import squash

_RULE = re.compile(r"[ \t]*\|?[ \t]*:?-{2,}:?[ \t]*(?:\|[ \t]*:?-{2,}:?[ \t]*)*\|?[ \t]*")


def cut_rows(lines: Sequence[str], names: Mapping[str, str]) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield each line, with its cells by column if it is a row of a table with known columns.

    What stands above a table's rule are its columns, and no row.
    """
    columns: list[str] = []
    for at, line in enumerate(lines):
        ruled = (
            at + 1 < len(lines) and "|" in line and "|" in lines[at + 1] and _RULE.fullmatch(lines[at + 1])
        )
        if ruled:
            columns = [names.get(column_name(cell), "") for cell in _cells(line)]
            continue
        if "|" not in line:
            columns = []
        elif _RULE.fullmatch(line):
            continue
        cells = _cells(line)
        known = len([name for name in columns if name]) >= 2 and {"text", "value"} & set(columns)
        yield line, _by_name(columns, cells) if known and len(cells) >= 2 else {}


def _by_name(columns: Sequence[str], cells: Sequence[str]) -> dict[str, str]:
    made: dict[str, str] = {}
    for at, cell in enumerate(cells):
        # a column of another name says more of the same
        name = (columns[at] if at < len(columns) else "") or ("text" if "text" in columns else "")
        if name and cell:
            made[name] = f"{made[name]} {cell}" if name in made else cell
    return made


def _cells(line: str) -> list[str]:
    plain = line.strip()
    plain = plain.removeprefix("|").removesuffix("|")
    return [cell.strip(" *_`") for cell in plain.split("|")]


def column_name(text: str) -> str:
    """Return what a column is called, squashed."""
    return squash(text) or text.strip()
