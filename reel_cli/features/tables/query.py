"""Queries of a table: `quests where status = "open" and not secret order by due limit 5`.

    query     = table [ "where" any ] [ "order" "by" by { "," by } ] [ "limit" whole ]
    any       = all { "or" all }
    all       = not { "and" not }
    not       = "not" not | "(" any ")" | test
    test      = column [ sign value | ["not"] "contains" value | ["not"] "in" "(" value { "," value } ")"
              | "is" ["not"] ( "empty" | value ) ]
    by        = column [ "asc" | "desc" ]
    sign      = "=" | "!=" | "<>" | "<" | "<=" | ">" | ">="

A value is a word, or any text in quotation marks. It is read here into a tree whose columns are the table's
and whose values are typed by them; nothing of its text goes any further.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, NoReturn, TypeAlias

from reel_cli.core.errors import PointedError
from reel_cli.core.nearest import nearest
from reel_cli.core.values.change import one_line
from reel_cli.features.tables.cell_values import BadValueError, read_text_value
from reel_cli.features.tables.table import KEYWORDS, Column, Kind, Table, Value

LONGEST = 4_000
DEEPEST = 40
MOST_TESTS = 200
MOST_VALUES = 500
MOST_ROWS = 100_000

_TOKEN = re.compile(
    r"""\s*(?:
      (?P<string>"(?:[^"]|"")*" | '(?:[^']|'')*' | \u201c[^\u201d]*\u201d | \u2018[^\u2019]*\u2019)
    | (?P<sign><=|>=|<>|!=|==|[=<>(),])
    | (?P<word>[\w.:/+@%&\u2212-]+)
    | (?P<end>$)
    )""",
    re.VERBOSE,
)
_SIGNS = {"=": "=", "==": "=", "!=": "!=", "<>": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}
_SQL = frozenset(
    {"select", "insert", "update", "delete", "drop", "with", "pragma", "attach", "union", "from"}
)
_NO_SQL = 'this is not SQL; it begins with a table, like  quests where status = "open"'
_IN_QUOTES = 'texts stand in quotes, like  giver = "Old Marta"'
_MEND = {";": "give one query, and nothing after it"}
BACKWARDS = {"<": ">=", "<=": ">", ">": "<=", ">=": "<"}


class QueryError(PointedError):
    """A query that is none."""


@dataclass(frozen=True, slots=True)
class Test:
    """One column held against values; `sign` is one of = != < <= > >= in contains."""

    __test__ = False

    column: Column
    sign: str
    values: tuple[Value, ...] = ()


@dataclass(frozen=True, slots=True)
class Empty:
    """The condition that a column is empty."""

    column: Column


@dataclass(frozen=True, slots=True)
class Not:
    """The negation of a condition."""

    of: "Condition"


@dataclass(frozen=True, slots=True)
class Both:
    """The conjunction (`every`) or disjunction of conditions."""

    parts: "tuple[Condition, ...]"
    every: bool


Condition: TypeAlias = "Test | Empty | Not | Both"


@dataclass(frozen=True, slots=True)
class Query:
    """The query: its table, its condition, its order (column, backwards), and its limit.

    A comparison with an empty cell never holds, so that its opposite does. Texts are compared as `fold_text`
    has them; a one-of is in the order of its choices; empty cells come last.
    """

    table: Table
    where: "Condition | None" = None
    order: tuple[tuple[Column, bool], ...] = ()
    limit: int | None = None


class _Token(NamedTuple):
    kind: str
    text: str
    at: int

    @property
    def plain(self) -> str:
        """Return a word in the form of keywords; "" for other tokens."""
        return self.text.casefold() if self.kind == "word" else ""


def parse_query(text: str, find_table: Callable[[str], Table | None], tables: Sequence[str]) -> Query:
    """Read a query; `tables` are the names of those there are.

    Raises QueryError where it is none, with the place.
    """
    return _Parser(text, find_table, tables).query()


def _tokens(text: str) -> list[_Token]:
    if len(text) > LONGEST:
        message = f"This filter is {len(text):,} characters long; {LONGEST:,} is the most."
        raise QueryError(message, text, LONGEST)
    found: list[_Token] = []
    at = 0
    while True:
        match = _TOKEN.match(text, at)
        if match is None or match.lastgroup is None:
            if found and found[0].plain == "select":
                message = f"There is no table {found[0].text!r}."
                raise QueryError(message, text, found[0].at, hint=_NO_SQL)
            at += len(text[at:]) - len(text[at:].lstrip())
            if text[at] in "\"'\u201c\u2018":
                message = "This quotation mark is never closed."
                raise QueryError(message, text, at, hint="a quotation mark inside quotes is written twice")
            message = f"{text[at] if text[at].isprintable() else 'This sign'} has no place in a filter."
            raise QueryError(message, text, at, hint=_MEND.get(text[at], _IN_QUOTES))
        found.append(_Token(match.lastgroup, match[match.lastgroup], match.start(match.lastgroup)))
        at = match.end()
        if match.lastgroup == "end":
            return found


class _Parser:
    def __init__(self, text: str, find_table: Callable[[str], Table | None], tables: Sequence[str]) -> None:
        self.text = text
        self.tokens = _tokens(text)
        self.at = 0
        self.depth = 0
        self.tests = 0
        self.values = 0
        self.table = self._table(find_table, tables)

    # -- words ------------------------------------------------------------------------------

    @property
    def now(self) -> _Token:
        return self.tokens[self.at]

    def _next(self) -> _Token:
        token = self.now
        self.at += token.kind != "end"
        return token

    def _takes(self, *words: str) -> bool:
        """Return whether these words come next, and consume them if so."""
        ahead = self.tokens[self.at : self.at + len(words)]
        if [token.plain or token.text for token in ahead] != list(words):
            return False
        if any(token.kind == "string" for token in ahead):
            return False
        self.at += len(words)
        return True

    def _fail(self, message: str, token: _Token | None = None, hint: str | None = None) -> NoReturn:
        raise QueryError(message, self.text, (token or self.now).at, hint=hint)

    def _expected(self, what: str, hint: str | None = None) -> NoReturn:
        found = "the end" if self.now.kind == "end" else one_line(self.now.text, 40)
        self._fail(f"{what} is expected here, not {found}.", hint=hint)

    # -- the query ----------------------------------------------------------------------------

    def _table(self, find_table: Callable[[str], Table | None], tables: Sequence[str]) -> Table:
        token = self._next()
        if token.kind != "word":
            self.at = 0
            self._expected("the name of a table", 'begin with one, like  quests where status = "open"')
        table = find_table(token.plain) if token.plain not in KEYWORDS else None
        if table is None:
            near = nearest(token.text, tables)
            hint = f"did you mean {near}?" if near else None
            if token.plain in _SQL:
                hint = _NO_SQL
            elif not near:
                hint = (
                    f"the tables are {', '.join(tables[:12])}"
                    if tables
                    else "make one:  reel domain define TABLE COLUMN…"
                )
            self._fail(f"There is no table {token.text[:40]!r}.", token, hint)
        return table

    def query(self) -> Query:
        where = self._any() if self._takes("where") else None
        order: list[tuple[Column, bool]] = []
        if self._takes("order", "by"):
            order.append(self._by())
            while self._takes(","):
                order.append(self._by())
        limit = self._limit() if self._takes("limit") else None
        if self.now.kind != "end":
            if where is None and not order and limit is None:
                self._expected("where, order by, limit or nothing more")
            self._expected("and, or, order by, limit or nothing more")
        return Query(self.table, where, tuple(order), limit)

    def _by(self) -> tuple[Column, bool]:
        column = self._column()
        backwards = self._takes("desc")
        if not backwards:
            self._takes("asc")
        return column, backwards

    def _limit(self) -> int:
        token = self.now
        if not (token.text.isascii() and token.text.isdigit() and token.kind == "word"):
            self._expected("a whole number")
        if len(token.text) > len(str(MOST_ROWS)) or not 1 <= int(token.text) <= MOST_ROWS:
            self._fail(f"A limit is from 1 to {MOST_ROWS:,}.")
        self._next()
        return int(token.text)

    # -- conditions -----------------------------------------------------------------------------

    def _any(self) -> Condition:
        return self._joined("or", lambda: self._joined("and", self._not))

    def _joined(self, word: str, part: Callable[[], Condition]) -> Condition:
        parts = [part()]
        while self._takes(word):
            parts.append(part())
        return parts[0] if len(parts) == 1 else Both(tuple(parts), every=word == "and")

    def _not(self) -> Condition:
        self.depth += 1
        if self.depth > DEEPEST:
            self._fail(f"This is nested more than {DEEPEST} deep.")
        made: Condition
        if self._takes("not"):
            made = Not(self._not())
        elif self._takes("("):
            made = self._any()
            if not self._takes(")"):
                self._expected("a closing parenthesis")
        else:
            made = self._test()
        self.depth -= 1
        return made

    def _test(self) -> Condition:
        self.tests += 1
        if self.tests > MOST_TESTS:
            self._fail(f"There are more than {MOST_TESTS} comparisons in this.")
        column = self._column()
        token = self.now
        if token.kind == "sign" and token.text in _SIGNS:
            self._next()
            return self._compared(column, _SIGNS[token.text], token)
        if self._takes("is"):
            backwards = self._takes("not")
            if self._takes("empty"):
                return Not(Empty(column)) if backwards else Empty(column)
            if self.now.plain == "null":
                wanted = "is not empty" if backwards else "is empty"
                self._expected("empty or a value", f"say  {column.name} {wanted}")
            return self._compared(column, "!=" if backwards else "=", token)
        backwards = self._takes("not")
        made: Condition | None = None
        if self._takes("in"):
            made = Test(column, "in", self._listed(column))
        elif self._takes("contains"):
            made = self._contains(column, token)
        if made is not None:
            return Not(made) if backwards else made
        if column.kind is Kind.YES_NO and not backwards:
            return Test(column, "=", (True,))
        hint = f'like  {column.name} = "…"'
        if self.now.plain in ("like", "ilike"):
            hint = f'for a part of a text:  {column.name} contains "…"'
        return self._expected("=, !=, <, <=, > or >=, in, contains, or is empty", hint)

    def _compared(self, column: Column, sign: str, token: _Token) -> Condition:
        if sign in BACKWARDS and column.kind in (Kind.YES_NO, Kind.ONE_OF):
            self._fail(
                f"{column.name} is {_what(column)}, which cannot be more or less.", token, "use = or !="
            )
        place = self.now
        value = self._value(column)
        if value is None:
            if sign in BACKWARDS:
                self._fail("An empty value is neither more nor less than another.", place, "say  is empty")
            return Empty(column) if sign == "=" else Not(Empty(column))
        return Test(column, "=", (value,)) if sign == "=" else self._signed(column, sign, value)

    def _signed(self, column: Column, sign: str, value: Value) -> Condition:
        return Not(Test(column, "=", (value,))) if sign == "!=" else Test(column, sign, (value,))

    def _contains(self, column: Column, token: _Token) -> Condition:
        if column.kind not in (Kind.TEXT, Kind.ONE_OF):
            self._fail(f"{column.name} is {_what(column)}, and contains asks for a text.", token)
        place = self.now
        value = self._value(Column(column.name))
        if value is None:
            self._fail("Every text contains nothing.", place, "say what it should contain")
        return Test(column, "contains", (value,))

    def _listed(self, column: Column) -> tuple[Value, ...]:
        if not self._takes("("):
            self._expected("a list in parentheses", f'like  {column.name} in ("a", "b")')
        found: list[Value] = []
        while True:
            place = self.now
            value = self._value(column)
            if value is None:
                self._fail("An empty value is never in a list.", place, f"say  or {column.name} is empty")
            found.append(value)
            if self._takes(")"):
                return tuple(found)
            if not self._takes(","):
                self._expected("a comma or a closing parenthesis")

    def _column(self) -> Column:
        token = self.now
        if token.kind != "word" or token.plain in KEYWORDS:
            self._expected("a column", f"the columns of {self.table.name} are {', '.join(self.table.names)}")
        column = self.table.column(token.text)
        if column is None:
            near = nearest(token.text, self.table.names)
            listed = f"the columns of {self.table.name} are {', '.join(self.table.names)}"
            message = f"There is no column {token.text[:40]!r} in {self.table.name}."
            self._fail(message, token, f"did you mean {near}?" if near else listed)
        self._next()
        return column

    def _value(self, column: Column) -> Value:
        token = self.now
        if token.kind not in ("word", "string"):
            self._expected("a value", 'a word or a number, or a text in quotes: "…"')
        if token.kind == "word" and token.plain in KEYWORDS - {"yes", "no"}:
            self._expected("a value", f'for the word itself, put it in quotes: "{token.text}"')
        self.values += 1
        if self.values > MOST_VALUES:
            self._fail(f"There are more than {MOST_VALUES} values in this.")
        try:
            value = read_text_value(_unquoted(token), column)
        except BadValueError as error:
            hint = f"say  {column.name} is empty" if token.plain == "null" else None
            self._fail(f"{column.name}: {_unquoted(token)[:40]!r} {error}.", token, hint)
        self._next()
        return value


def _unquoted(token: _Token) -> str:
    if token.kind != "string":
        return token.text
    mark, inner = token.text[0], token.text[1:-1]
    return inner.replace(mark * 2, mark) if mark in "\"'" else inner


def _what(column: Column) -> str:
    return {
        Kind.TEXT: "a text",
        Kind.NUMBER: "a number",
        Kind.DATE: "a date",
        Kind.YES_NO: "yes or no",
        Kind.ONE_OF: "a choice",
    }[column.kind]
