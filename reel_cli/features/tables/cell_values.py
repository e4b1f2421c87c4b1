"""Single values of domain data: read as people and spreadsheets write them, written one way."""

import re
from datetime import date
from typing import TypeGuard

from reel_cli.core.nearest import nearest
from reel_cli.core.values.talk import PURGED
from reel_cli.features.tables.table import LONGEST_TEXT, Column, Kind, Value

MOST_DIGITS = 15
"""Digits of a number, so that none is ever lost."""
_NUMBER = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)", re.ASCII)
_COMMA_NUMBER = re.compile(r"[+-]?\d+,\d+", re.ASCII)
_DATE = re.compile(r"(\d{4})-(\d\d?)-(\d\d?)(?:[T ]00:00(?::00(?:\.0+)?)?Z?)?", re.ASCII)
_YEAR_FIRST = re.compile(r"(\d{4})/(\d\d?)/(\d\d?)", re.ASCII)
_DOTTED = re.compile(r"(\d\d?)\.\s?(\d\d?)\.\s?(\d{4})", re.ASCII)
_YES = frozenset({"yes", "true", "y", "on", "1", "wahr", "ja", "vrai", "oui", "verdadero", "vero"})
_NO = frozenset({"no", "false", "n", "off", "0", "falsch", "nein", "faux", "non", "falso"})
_BREAKS = re.compile(r"\r\n?|\u2028|\u2029|\x85|\x0b|\x0c")
"""Pattern of line breaks elsewhere; in a text of domain data, only a newline is one."""
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


class BadValueError(ValueError):
    """An error for a value that does not fit a column; the message says what would, to follow the value."""


def read_text_value(text: str, column: Column, *, comma: bool = False) -> Value:
    """Return a column's value from a cell's text; None for an empty one, even if required.

    `comma` says that numbers have a decimal comma. Raises BadValueError where the text does not fit.
    """
    plain = text.strip()
    if not plain.isprintable():
        plain = _BREAKS.sub("\n", plain).strip()
        if _CONTROL.search(plain):
            message = "has a control character in it"
            raise BadValueError(message)
    if not plain:
        return None
    if len(plain) > LONGEST_TEXT:
        message = f"has {len(plain):,} characters; {LONGEST_TEXT:,} is the most"
        raise BadValueError(message)
    if column.kind is Kind.TEXT:
        return plain
    if plain == PURGED:
        # a purge leaves the cell empty
        return None
    if column.kind is Kind.NUMBER:
        return _number(plain, comma=comma)
    if column.kind is Kind.DATE:
        return _date(plain)
    return _yes_no(plain) if column.kind is Kind.YES_NO else _choice(plain, column)


def read_value(value: object, column: Column) -> Value:
    """Return a column's value from a JSON value, which may be typed already."""
    if value is None:
        return None
    if isinstance(value, str):
        return read_text_value(value, column)
    if column.kind is Kind.YES_NO and isinstance(value, bool):
        return value
    if _is_number(value):
        if column.kind is Kind.NUMBER:
            # a computed value without the noise in its last digits
            exact = float(f"{value:.{MOST_DIGITS}g}") if isinstance(value, float) else value
            return _number(tell_number(exact))
        if column.kind in (Kind.TEXT, Kind.ONE_OF):
            return read_text_value(tell_number(value), column)
    message = f"is not {WANTED[column.kind]}"
    raise BadValueError(message)


def check_required(value: Value, column: Column) -> None:
    """Refuse nothing where something is required; BadValueError then."""
    if value is None and column.required:
        message = "is empty, but has to be filled in"
        raise BadValueError(message)


def tell_value(value: Value) -> str:
    """Return a value as text that reads back as the same; "" for none."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value if isinstance(value, str) else tell_number(value)


def tell_number(value: float) -> str:
    """Return a number without an exponent."""
    if isinstance(value, int):
        # Python refuses to write out an integer beyond a limit
        return str(value) if abs(value) < 10**300 else "1" * 300
    if value != value or value in (float("inf"), float("-inf")):  # noqa: PLR0124 (nan alone differs from itself)
        return str(value)
    told = repr(value)
    if "e" in told:
        from decimal import Decimal

        told = format(Decimal(told), "f")
    return told.removesuffix(".0")


WANTED = {
    Kind.TEXT: "a text",
    Kind.NUMBER: "a number",
    Kind.DATE: "a date",
    Kind.YES_NO: "yes or no",
    Kind.ONE_OF: "one of its choices",
}


def _is_number(value: object) -> TypeGuard[int | float]:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _number(text: str, *, comma: bool = False) -> int | float:
    plain = text.replace("\u2212", "-")
    if comma and _COMMA_NUMBER.fullmatch(plain):
        plain = plain.replace(",", ".")
    if not _NUMBER.fullmatch(plain):
        message = "is not a number: write it like 4.5 or -12, without spaces or thousands' marks"
        raise BadValueError(message)
    whole, _, part = plain.lstrip("+-").partition(".")
    whole, part = whole.lstrip("0"), part.rstrip("0")
    if len(whole) + len(part) > MOST_DIGITS:
        message = (
            f"has more than {MOST_DIGITS} digits; keep it as a text if it is a name rather than a number"
        )
        raise BadValueError(message)
    sign = -1 if plain.startswith("-") else 1
    return sign * (float(f"{whole or 0}.{part}") if part else int(whole or 0))


def _date(text: str) -> str:
    found = _DATE.fullmatch(text) or _YEAR_FIRST.fullmatch(text)
    parts = found.groups() if found else None
    if parts is None and (dotted := _DOTTED.fullmatch(text)):
        parts = dotted.groups()[::-1]
    try:
        if parts is not None:
            return date(*map(int, parts)).isoformat()
    except ValueError:
        pass
    message = "is not a date: write it as 2026-03-01"
    raise BadValueError(message)


def _yes_no(text: str) -> bool:
    word = text.casefold()
    if word not in _YES and word not in _NO:
        message = "is neither yes nor no"
        raise BadValueError(message)
    return word in _YES


def _choice(text: str, column: Column) -> str:
    if text in column.choices:
        return text
    folded = text.casefold()
    found = next((choice for choice in column.choices if choice.casefold() == folded), None)
    if found is None:
        near = nearest(text, column.choices)
        listed = ", ".join(column.choices[:12]) + (", …" if len(column.choices) > 12 else "")
        message = f"is none of {listed}" + (f" (did you mean {near}?)" if near else "")
        raise BadValueError(message)
    return found
