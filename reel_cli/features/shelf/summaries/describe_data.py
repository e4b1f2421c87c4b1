"""Structure of a table or a data file, described without a model: fields, types, filling, ranges.

A file is read a piece at a time and up to `MOST_READ`; what comes after that is counted and said.
"""

import csv
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from typing import IO, Any

from reel_cli.core.errors import ReelError
from reel_cli.core.files.yaml_text import parse_yaml
from reel_cli.core.values.change import tell_many
from reel_cli.features.shelf.summaries.data_fields import (
    LONGEST_LINE,
    MOST_READ,
    NUMBER,
    WHOLE_NUMBER,
    FieldReading,
    NoData,
    add_text,
    in_code,
    tell,
    walk,
)
from reel_cli.features.shelf.summaries.sources import SummarizedFile, text_reader

LONGEST_YAML = 1024 * 1024
LONGEST_JSON = 16 * 1024 * 1024
"""Bytes above which a list is read entry by entry."""
NO_DATA = "is no table and no data file"
CANNOT = "cannot be read as {kind}"
TOO_LARGE = "is too large to be looked at as a whole"
_KINDS: Mapping[str, str] = {
    "csv": "csv",
    "tsv": "csv",
    "tab": "csv",
    "json": "json",
    "geojson": "json",
    "ipynb": "json",
    "jsonl": "jsonl",
    "ndjson": "jsonl",
    "yaml": "yaml",
    "yml": "yaml",
}


def kind_of(taken: SummarizedFile) -> str:
    """Return `csv`, `json`, `jsonl` or `yaml`, by the file's extension; "" for anything else."""
    return _KINDS.get(taken.file.name.rpartition(".")[2].casefold(), "")


def describe_data(taken: SummarizedFile) -> str:
    """Return the file's structure as Markdown, always the same; raises NoData if it is no such file."""
    kind = kind_of(taken)
    if not kind:
        raise NoData(NO_DATA)
    reading = FieldReading(taken)
    try:
        with closing(text_reader(taken)) as opened:
            lines = _READERS[kind](reading, opened)
    except (csv.Error, ValueError, RecursionError, UnicodeError):
        raise NoData(CANNOT.format(kind=kind.upper())) from None
    return "\n".join([f"## How {in_code(taken.file.name)} is built", "", *lines]) + "\n"


def _read_csv(reading: FieldReading, opened: IO[str]) -> list[str]:
    lines = reading.lines(opened)
    first = next(lines, "")
    mark = _separator(first, reading.taken.file.name)
    rows = csv.reader(_again(first, lines), delimiter=mark)
    head = next(rows, [])
    named = bool(head) and all(cell.strip() for cell in head) and len({*head}) == len(head)
    named = named and not any(NUMBER.fullmatch(cell.strip()) for cell in head)
    names = head if named else [f"column {number}" for number in range(1, len(head) + 1)]
    count = uneven = 0
    for row in rows if named else _first_again(head, rows):
        if not row:
            continue
        count += 1
        uneven += len(row) != len(names)
        for name, cell in zip(names, row, strict=False):
            found = reading.field(name)
            if found is not None and cell.strip():
                add_text(found, cell.strip())
    for name in names:
        reading.field(name)
        reading.parents[name] = count
    told = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}[mark]
    columns = tell_many(len(names), "column")
    lines_out = [f"A table: {reading.part(count, 'row')}, {columns}, parted by {told}."]
    if not named:
        lines_out.append("Its columns have no names.")
    if uneven:
        lines_out.append(f"{tell_many(uneven, 'row')} with more or fewer cells than the first one.")
    return [*lines_out, "", *tell(reading)]


def _again(first: str, lines: Iterator[str]) -> Iterator[str]:
    yield first
    yield from lines


def _first_again(head: list[str], rows: Iterator[list[str]]) -> Iterator[list[str]]:
    yield head
    yield from rows


def _separator(line: str, name: str) -> str:
    if name.casefold().endswith((".tsv", ".tab")):
        return "\t"
    return max(",;\t|", key=lambda mark: (line.count(mark), mark == ","))


def _read_jsonl(reading: FieldReading, opened: IO[str]) -> list[str]:
    count = broken = 0
    for line in reading.lines(opened):
        if not line.strip():
            continue
        try:
            value = _parse(line)
        except (ValueError, RecursionError):
            broken += 1
            continue
        count += 1
        walk(reading, value, "", 0)
    if not count:
        raise NoData(CANNOT.format(kind="JSONL"))
    lines = [f"One record a line: {reading.part(count, 'record')}."]
    if broken:
        lines.append(f"{tell_many(broken, 'line')} of no JSON.")
    return [*lines, "", *tell(reading)]


def _read_json(reading: FieldReading, opened: IO[str]) -> list[str]:
    if reading.taken.size <= LONGEST_JSON:
        value = _parse(opened.read(LONGEST_JSON + 1))
        if isinstance(value, list):
            for one in value:
                walk(reading, one, "", 0)
            return [f"A list of {tell_many(len(value), 'entry')}.", "", *tell(reading)]
        walk(reading, value, "", 0)
        if not isinstance(value, dict):
            return ["A single value.", "", *tell(reading)]
        return [f"One object with {tell_many(len(value), 'key')}.", "", *tell(reading)]
    count = 0
    for one in _entries(reading, opened):
        count += 1
        walk(reading, one, "", 0)
    return [f"A list: {reading.part(count, 'entry')}.", "", *tell(reading)]


def _entries(reading: FieldReading, opened: IO[str]) -> Iterator[Any]:
    """Yield the entries of a long list one by one, each of limited length; raises NoData if none."""
    buffer = opened.read(LONGEST_LINE).lstrip()
    if not buffer.startswith("["):
        raise NoData(TOO_LARGE)
    decoder = json.JSONDecoder(parse_int=_number, parse_float=_number)
    at = 1
    while True:
        rest = buffer[at : at + 64].lstrip(" \t\r\n,")
        if rest.startswith("]"):
            return
        start = at + len(buffer[at:]) - len(buffer[at:].lstrip(" \t\r\n,")) if not rest else at
        start = at + (len(buffer[at : at + 64]) - len(rest)) if rest else start
        try:
            value, at = decoder.raw_decode(buffer, start)
            whole = at < len(buffer)
        except ValueError:
            whole = False
        if whole:
            yield value
            continue
        reading.read += start
        more = opened.read(LONGEST_LINE)
        buffer, at = buffer[start:] + more, 0
        if reading.read > MOST_READ:
            reading.cut = True
            return
        if not more or len(buffer) > 4 * LONGEST_LINE:
            raise NoData(CANNOT.format(kind="JSON"))


def _number(text: str) -> float | int:
    return int(text) if WHOLE_NUMBER.fullmatch(text) else float(text[:400])


def _parse(text: str) -> Any:  # noqa: ANN401
    return json.loads(text.removeprefix("\ufeff"), parse_int=_number, parse_float=_number)


def _read_yaml(reading: FieldReading, opened: IO[str]) -> list[str]:
    text = opened.read(LONGEST_YAML + 1)
    if len(text) > LONGEST_YAML:
        raise NoData(TOO_LARGE)
    try:
        value = parse_yaml(text, reading.taken.file.name)
    except ReelError:
        raise NoData(CANNOT.format(kind="YAML")) from None
    if isinstance(value, list):
        for one in value:
            walk(reading, one, "", 0, written=True)
        return [f"A list of {tell_many(len(value), 'entry')}.", "", *tell(reading)]
    walk(reading, value, "", 0, written=True)
    told = tell_many(len(value), "key") if isinstance(value, dict) else "a single value"
    return [f"YAML with {told}.", "", *tell(reading)]


_READERS: Mapping[str, Callable[[FieldReading, IO[str]], list[str]]] = {
    "csv": _read_csv,
    "json": _read_json,
    "jsonl": _read_jsonl,
    "yaml": _read_yaml,
}


def describe_all(sources: Sequence[SummarizedFile]) -> str:
    """Return the structure of several files in turn; raises NoData naming the first that has none."""
    parts = []
    for taken in sources:
        try:
            parts.append(describe_data(taken))
        except NoData as error:
            why = f"{taken.file.name} {error.why}"
            raise NoData(why) from None
    return "\n".join(parts)
