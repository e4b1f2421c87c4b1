"""Fields of a table or a data file: types, how often filled, ranges; and their description."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import IO, Any

from reel_cli.core.values.change import one_line, tell_many
from reel_cli.features.shelf.summaries.sources import SummarizedFile

MOST_READ = 8 * 1024 * 1024
"""Characters of a longer file that are read, from its beginning."""
LONGEST_LINE = 1024 * 1024
MOST_FIELDS = 120
"""Maximum number of fields listed; more are counted."""
MOST_TRACKED = 2_000
"""Maximum number of fields counted at all."""
DEEPEST = 6
MOST_VALUES = 12
"""A field of so many different values or fewer has them told."""
LONGEST_VALUE = 40
TELLING_ROWS = 3
LONG_LINE = "has a line of more than a million characters"
NUMBER = re.compile(r"[+-]?(?:\d{1,18}|\d{0,18}\.\d{1,18}|\d{1,18}\.)(?:[eE][+-]?\d{1,3})?")
WHOLE_NUMBER = re.compile(r"[+-]?\d{1,18}")
_DATE = re.compile(r"\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?:[T ]\d\d:\d\d(?::\d\d)?\S{0,14})?")
_YES_NO = frozenset({"true", "false", "yes", "no"})


class NoData(Exception):  # noqa: N818
    """An error for a file that cannot be described so: `why`, in words that follow its name."""

    def __init__(self, why: str) -> None:
        """Raise with the reason."""
        super().__init__(why)
        self.why = why


@dataclass
class Field:
    """The statistics of one field: how often it could be there, is filled, and its values."""

    filled: int = 0
    kinds: dict[str, int] = field(default_factory=dict)
    low: float | None = None
    high: float | None = None
    first: str = ""
    last: str = ""
    short: int | None = None
    long: int = 0
    values: dict[str, int] | None = field(default_factory=dict)

    def add(self, kind: str, shown: str, *, number: float | None = None, length: int | None = None) -> None:
        """Add one value, as it is shown; a number as one, of text and lists the length."""
        self.filled += 1
        self.kinds[kind] = self.kinds.get(kind, 0) + 1
        if number is not None:
            self.low = number if self.low is None else min(self.low, number)
            self.high = number if self.high is None else max(self.high, number)
        if kind == "date":
            self.first = min(self.first or shown, shown)
            self.last = max(self.last, shown)
        if length is not None:
            self.short = length if self.short is None else min(self.short, length)
            self.long = max(self.long, length)
        if self.values is not None:
            if len(shown) > LONGEST_VALUE:
                self.values = None
            else:
                self.values[shown] = self.values.get(shown, 0) + 1
                if len(self.values) > MOST_VALUES:
                    self.values = None


@dataclass
class FieldReading:
    """One file as it is read."""

    taken: SummarizedFile
    read: int = 0
    cut: bool = False
    fields: dict[str, Field] = field(default_factory=dict)
    parents: dict[str, int] = field(default_factory=dict)
    """Number of places where each field could have been."""
    more: int = 0

    def lines(self, opened: IO[str]) -> Iterator[str]:
        """Yield the lines of a file as far as they are read; raises NoData for an endless line."""
        while line := opened.readline(LONGEST_LINE):
            if len(line) == LONGEST_LINE and not line.endswith("\n"):
                raise NoData(LONG_LINE)
            self.read += len(line)
            if self.read > MOST_READ:
                self.cut = True
                return
            yield line

    def part(self, rows: int, what: str) -> str:
        """Return how much of it was read."""
        if not self.cut:
            return tell_many(rows, what)
        return f"the first {tell_many(rows, what)}, of {self.taken.lines:,} lines"

    def field(self, name: str) -> Field | None:
        """Return the field of this name; None if there are too many."""
        found = self.fields.get(name)
        if found is None:
            if len(self.fields) >= MOST_TRACKED:
                self.more += 1
                return None
            found = self.fields[name] = Field()
        return found


def add_text(found: Field, text: str) -> None:
    """Add a value that is written as text: a number, a day, yes or no, or words."""
    if NUMBER.fullmatch(text):
        number = float(text)
        found.add("whole number" if WHOLE_NUMBER.fullmatch(text) else "number", text, number=number)
    elif _DATE.fullmatch(text):
        found.add("date", text)
    elif text.casefold() in _YES_NO:
        found.add("yes or no", text)
    else:
        found.add("text", text, length=len(text))


def walk(reading: FieldReading, value: Any, name: str, depth: int, *, written: bool = False) -> None:  # noqa: ANN401
    """Count a value and what is in it; `written` if every scalar comes as its text."""
    if isinstance(value, dict) and depth < DEEPEST:
        inside = f"{name}." if name else ""
        reading.parents[f"{name}{{"] = reading.parents.get(f"{name}{{", 0) + 1
        if name:
            _note(reading, name, value, written=written)
        for key, one in value.items():
            walk(reading, one, f"{inside}{one_line(str(key), 80)}", depth + 1, written=written)
        return
    if isinstance(value, list) and depth < DEEPEST and name:
        _note(reading, name, value, written=written)
        for one in value:
            walk(reading, one, f"{name}[]", depth + 1, written=written)
        return
    _note(reading, name or "(value)", value, written=written)


def _note(reading: FieldReading, name: str, value: Any, *, written: bool) -> None:  # noqa: ANN401
    found = reading.field(name)
    if found is None or value is None or value == "":
        return
    if isinstance(value, bool):
        found.add("yes or no", str(value).lower())
    elif isinstance(value, int | float):
        kind = "whole number" if isinstance(value, int) else "number"
        found.add(kind, _plain(value), number=float(value))
    elif isinstance(value, list):
        found.add("list", tell_many(len(value), "entry"), length=len(value))
    elif isinstance(value, dict):
        found.add("object", "")
        found.values = None
    elif written or _DATE.fullmatch(value):
        add_text(found, value)
    else:
        found.add("text", value, length=len(value))


def tell(reading: FieldReading) -> list[str]:
    """Return a line for each field, in order."""
    lines = [_line(reading, name, found) for name, found in list(reading.fields.items())[:MOST_FIELDS]]
    left = len(reading.fields) - len(lines)
    if reading.more:
        lines.append(f"- and more than {left:,} other fields")
    elif left:
        lines.append(f"- and {tell_many(left, 'more field')}")
    return lines or ["There is nothing in it."]


def _line(reading: FieldReading, name: str, found: Field) -> str:
    could = _could_be(reading, name)
    parts = [_kinds(found), _filled(found.filled, could), _range(found), _values(found)]
    return f"- {in_code(name)}: {'; '.join(part for part in parts if part)}"


def _could_be(reading: FieldReading, name: str) -> int:
    """Return how often a field could have been there; 0 if that has no meaning."""
    if name in reading.parents:
        return reading.parents[name]
    if name.endswith("[]") or name == "(value)":
        return 0
    parent = name.rpartition(".")[0]
    while True:
        if f"{parent}{{" in reading.parents:
            return reading.parents[f"{parent}{{"]
        if not parent:
            return 0
        parent = parent.rpartition(".")[0]


def _kinds(found: Field) -> str:
    if not found.kinds:
        return "always empty"
    kinds = dict(found.kinds)
    if {"whole number", "number"} <= kinds.keys():
        kinds["number"] += kinds.pop("whole number")
    ordered = sorted(kinds, key=lambda kind: (-kinds[kind], kind))
    if len(ordered) == 1:
        return ordered[0]
    total = sum(kinds.values())
    return ", ".join(f"{kind} ({_share(kinds[kind], total)})" for kind in ordered)


def _filled(filled: int, could: int) -> str:
    if not could or not filled:
        return ""
    missing = could - filled
    return "always filled" if missing <= 0 else f"{_share(missing, could)} missing ({missing:,} of {could:,})"


def _share(part: int, whole: int) -> str:
    share = 100 * part / whole
    return "under 1 %" if share < 1 else "over 99 %" if 99 < share < 100 else f"{round(share)} %"


def _range(found: Field) -> str:
    told = []
    if found.low is not None and found.high is not None:
        low, high = _plain(found.low), _plain(found.high)
        told.append(f"from {low} to {high}" if low != high else f"always {low}")
    if found.first:
        told.append(
            f"from {found.first} to {found.last}" if found.first != found.last else f"always {found.first}"
        )
    if found.short is not None and set(found.kinds) & {"text", "list"}:
        what = "entry" if set(found.kinds) == {"list"} else "character"
        told.append(
            f"{found.short:,} to {tell_many(found.long, what)}"
            if found.short != found.long
            else tell_many(found.long, what)
        )
    return ", ".join(told)


def _plain(number: float) -> str:
    return str(int(number)) if abs(number) < 10**15 and number == int(number) else f"{number:.6g}"


def _values(found: Field) -> str:
    """Return the different values, commonest first, if they are few and repeat."""
    if not found.values or set(found.kinds) - {"text", "yes or no"} or found.filled < TELLING_ROWS:
        return ""
    if len(found.values) > 1 and len(found.values) * 2 > found.filled:
        return ""
    ordered = sorted(found.values.items(), key=lambda pair: (-pair[1], pair[0]))
    return ", ".join(f"{in_code(value)} {_share(times, found.filled)}" for value, times in ordered)


def in_code(text: str) -> str:
    """Return a name or a value, marked as code; short, and on one line."""
    return f"`{one_line(text, 80).replace('`', chr(39))}`"
