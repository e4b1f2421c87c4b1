"""Domain data: tables of what a persona's job is about, each with a schema (Memory Keep §I.5).

A value is a text, a number, yes or no, or nothing (None); a date is its ISO text. A row is a mapping from
the table's columns to values.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias, TypeVar

from reel_cli.core.errors import ReelError
from reel_cli.core.values.change import one_line

T = TypeVar("T")

Value: TypeAlias = str | int | float | bool | None
Row: TypeAlias = Mapping[str, Value]

MOST_COLUMNS = 64
MOST_CHOICES = 100
MOST_ROWS = 200_000
LONGEST_TEXT = 10_000
"""Maximum characters of one value."""
LONGEST_NAME = 40
KEYWORDS = frozenset(
    (
        *("where", "and", "or", "not", "in", "contains", "is", "empty"),
        *("order", "by", "asc", "desc", "limit", "yes", "no"),
    )
)
"""Words of the filter language, which no table or column can be called."""
_NAME = re.compile(r"[^\W\d_][\w-]*")
_TABLE = re.compile(r"[a-z][a-z0-9_-]*")
_DEVICES = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)")
"""Pattern of names that Windows reserves for devices."""


class Kind(StrEnum):
    """Kinds of value in a column."""

    TEXT = "text"
    NUMBER = "number"
    DATE = "date"
    YES_NO = "yes/no"
    ONE_OF = "one of"


@dataclass(frozen=True, slots=True)
class Column:
    """One column; `choices` are those of a one-of. `default` is what a new row has where nothing is said.

    `told` says whether a bundle may hold it.
    """

    name: str
    kind: Kind = Kind.TEXT
    choices: tuple[str, ...] = ()
    required: bool = False
    default: Value = None
    told: bool = True


@dataclass(frozen=True, slots=True)
class Table:
    """A table's schema: its columns in their order, and which of them is the key, each row's own."""

    name: str
    columns: tuple[Column, ...]
    key: str
    title: str = ""
    """Title of the table in a bundle; "" for its name."""

    def column(self, name: str) -> Column | None:
        """Return the column of that name, ignoring case."""
        return next((c for c in self.columns if c.name == name or c.name.casefold() == name.casefold()), None)

    @property
    def names(self) -> Sequence[str]:
        """Return the columns' names in their order."""
        return [column.name for column in self.columns]

    @property
    def naming(self) -> str:
        """Return the column that names a row: the first called name or title, else the key."""
        return next((c.name for c in self.columns if c.name.casefold() in ("name", "title")), self.key)

    @property
    def heading(self) -> str:
        """Return the table's name in a bundle."""
        plain = self.title or self.name.replace("_", " ").replace("-", " ")
        return plain[:1].upper() + plain[1:]


def check_table_name(name: str) -> str:
    """Return the name, if it is valid for a table; else raise ReelError."""
    if not _TABLE.fullmatch(name) or len(name) > LONGEST_NAME or _DEVICES.fullmatch(name):
        message = f"{_short(name)!r} is not a name for a table."
        raise ReelError(message, hint="small letters, digits and - or _, a letter first, like  side-quests")
    if name in KEYWORDS:
        message = f"A table cannot be called {name}: it is a word of the filter language."
        raise ReelError(message)
    return name


def check_column_name(name: str) -> str:
    """Return the name, if it is valid for a column; else raise ReelError."""
    if not _NAME.fullmatch(name) or len(name) > LONGEST_NAME:
        message = f"{_short(name)!r} is not a name for a column."
        raise ReelError(message, hint="letters, digits and - or _, a letter first, like  due-date")
    if name.casefold() in KEYWORDS:
        message = f"A column cannot be called {name}: it is a word of the filter language."
        raise ReelError(message)
    return name


def make_table(name: str, columns: Sequence[Column], key: str = "", title: str = "") -> Table:
    """Return a table whose parts fit together; its key, by default the first column, is required.

    Raises ReelError where they do not fit.
    """
    check_table_name(name)
    if not columns:
        message = f"The table {name} has no columns."
        raise ReelError(message, hint="the first is the key, like  id title status:open/done")
    if len(columns) > MOST_COLUMNS:
        message = f"The table {name} would have {len(columns)} columns; {MOST_COLUMNS} is the most."
        raise ReelError(message)
    seen: set[str] = set()
    for column in columns:
        check_column_name(column.name)
        if fold_name(column.name) in seen:
            message = f"Two columns of {name} are called {column.name}."
            raise ReelError(message)
        seen.add(fold_name(column.name))
    found = next((c for c in columns if c.name.casefold() == (key or columns[0].name).casefold()), None)
    if found is None:
        message = f"{name} has no column {_short(key)} for its key."
        raise ReelError(message, hint=f"take one of {', '.join(c.name for c in columns)}")
    if found.kind is Kind.YES_NO or found.default is not None:
        message = f"{found.name} cannot be the key of {name}: a key is different in each row."
        raise ReelError(message, hint="a key is a text, a number or a date, without a default")
    fixed = tuple(
        Column(c.name, c.kind, c.choices, required=True, told=c.told) if c is found else c for c in columns
    )
    return Table(name, fixed, found.name, title)


def fold_name(name: str) -> str:
    """Return the form of a foreign file's column name that counts: its letters and digits, ignoring case."""
    return "".join(char for char in name.casefold() if char.isalnum())


def nameable(text: str) -> str:
    """Return a foreign column's name as one of ours with equal `fold_name`; "" without letters."""
    words = "".join(char if char.isalnum() else " " for char in text.casefold()).split()
    plain = "-".join(words)[:LONGEST_NAME].rstrip("-")
    if not plain:
        return ""
    if plain in KEYWORDS:
        return f"{plain}_"
    return plain if _NAME.fullmatch(plain) else f"{NUMBERED}-{plain}"[:LONGEST_NAME].rstrip("-")


NUMBERED = "column"
"""Prefix for a foreign name that begins with a digit."""


def find_foreign(names: "Mapping[str, T]", name: str) -> "T | None":
    """Return what a foreign column's name stands for; `names` are folded by `fold_name`."""
    folded = fold_name(name)
    found = names.get(folded)
    return found if found is not None else names.get(NUMBERED + folded)


def fold_text(text: str) -> str:
    """Return a text for comparison, ignoring case and Unicode variants."""
    if text.isascii():
        return text.lower()
    from unicodedata import normalize

    return normalize("NFC", text.casefold())


def _short(text: str) -> str:
    return one_line(text, LONGEST_NAME)
