"""Days as people write them, in seven languages: at a chat's head, in a file's name, beside a speaker."""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import datetime, time, tzinfo
from pathlib import PurePath

from reel_cli.core.frozen import frozen, late
from reel_cli.core.tape.formats.source import Notes
from reel_cli.core.values.change import one_line
from reel_cli.core.values.talk import Conversation

_MONTHS = (
    "january januar janner janvier enero gennaio janeiro januari",
    "february februar feber fevrier febrero febbraio fevereiro februari",
    "march marz maerz mrz mars marzo marco maart mrt",
    "april avril abril aprile",
    "may mai mayo maggio maio mei",
    "june juni juin junio giugno junho",
    "july juli juillet julio luglio julho",
    "august aout agosto augustus",
    "september septembre septiembre setiembre settembre setembro",
    "october oktober octobre octubre ottobre outubro",
    "november novembre noviembre novembro",
    "december dezember decembre diciembre dicembre dezembro",
)
_WEEKDAYS = """
    monday tuesday wednesday thursday friday saturday sunday
    montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag mo di mi do fr sa so
    lundi mardi mercredi jeudi vendredi samedi dimanche
    lunes martes miercoles jueves viernes sabado domingo
    lunedi martedi mercoledi giovedi venerdi domenica
    segunda-feira terca-feira quarta-feira quinta-feira sexta-feira
    maandag dinsdag woensdag donderdag vrijdag zaterdag zondag ma wo vr za zo
"""
_LEAST = 3
"""A name has so many letters at least; shorter ones stand here themselves."""


def _beginnings(names: str) -> set[str]:
    return {name[:size] for name in names.split() for size in _sizes(name)}


def _sizes(name: str) -> Iterator[int]:
    yield from range(min(_LEAST, len(name)), len(name) + 1)


def _any_of(words: Iterable[str]) -> str:
    return "|".join(sorted(words, key=lambda word: (-len(word), word)))


_NUMBERS: dict[str, int] = {}
for _number, _names in enumerate(_MONTHS, 1):
    for _short in _beginnings(_names):
        # an ambiguous short form such as `jui` stands for no month
        _NUMBERS[_short] = 0 if _short in _NUMBERS else _number

MONTH = rf"(?P<month>{_any_of(name for name, number in _NUMBERS.items() if number)})\.?"
WEEKDAY = rf"(?:(?:{_any_of(_beginnings(_WEEKDAYS))})\.?,?\s+)?"
NTH = r"(?:st|nd|rd|th|er|o|a|\.)?"
"""Pattern of ordinal endings behind the number of a day."""
OF = r"(?:\s+(?:of|de))?"
IN = r",?(?:\s+(?:de|del))?"
AT = r"(?:T|,?\s+(?:at|um|a|a\s+las?|alle(?:\s+ore)?|ore|as|om)|,|\s*@)?"
"""Pattern of the words between a day and its time."""
CLOCK_WORD = r"(?:\s+(?:uhr|uur|h))?"


def fold_date(text: str) -> str:
    """Return a date without accents, raised letters and special spaces; digits stay digits."""
    plain = unicodedata.normalize("NFKD", text)
    return "".join(char for char in plain if not unicodedata.combining(char))


def month_number(name: str) -> int:
    """Return the month, from 1, that starts with three or more letters; raises KeyError if none does."""
    return _NUMBERS[name.casefold()]


_YEAR, _DAY = r"(?P<year>\d{4})", r"(?P<day>\d{1,2})"
_SHORT_YEAR = r"(?P<year>\d{4}|\d{2})"
_CLOCK = (
    r"(?P<hour>\d{1,2})[:h](?P<minute>\d{2})(?::(?P<second>\d{2})(?:[.,]\d{1,6})?)?"
    r"(?:\s?(?P<half>[ap])\.?m\.?)?(?P<zone>Z|\s?[+-]\d{2}:?\d{2})?"
)
_DATES = (
    rf"{_YEAR}-(?P<month>\d{{1,2}})-{_DAY}",
    rf"{_YEAR}/(?P<month>\d{{1,2}})/{_DAY}",
    rf"{_DAY}{NTH}{OF}\s+{MONTH}{IN}\s+{_YEAR}",
    rf"{MONTH}\s+{_DAY}{NTH},?\s+{_YEAR}",
)
_NUMERIC = late(
    rf"(?P<a>\d{{1,2}})(?P<sep>[./])(?P<b>\d{{1,2}})(?P=sep){_SHORT_YEAR}(?:,?\s+{_CLOCK})?", re.IGNORECASE
)
_WRITTEN = tuple(
    late(form, re.IGNORECASE)
    for date in _DATES
    for form in (
        rf"{WEEKDAY}{date}(?:{AT}\s*{_CLOCK}{CLOCK_WORD})?",
        rf"{_CLOCK}{CLOCK_WORD}(?:\s+on|,)?\s+{WEEKDAY}{date}",
    )
)
_NAMED = late(r"(\d{4})-(\d{2})-(\d{2})(?!\d)")
_MONTHS_OF_A_YEAR = 12
_LONGEST = 60
_CENTURY = 2000
_EARLIEST, _LATEST = 1990, 2100
"""Years outside which a date of a chat is not plausible."""


@frozen
class WrittenDay:
    """A day, and the time of it where one stands there, in a form that `read_time` reads."""

    text: str
    timed: bool


def read_written(text: str, *, day_first: bool | None = None) -> WrittenDay | None:
    """Return a text that is only a day, with or without a time; None for any other.

    `day_first` says how `05/01/2023` is meant; without it, such a day is taken only where its own
    numbers settle it.
    """
    text = " ".join(fold_date(text[: 2 * _LONGEST]).split()).strip("*_ ")
    if not text or len(text) > _LONGEST or not text[0].isalnum() or not any(map(str.isdigit, text)):
        # every date has a digit; the patterns of seven languages are expensive
        return None
    for pattern in _WRITTEN:
        found = pattern.fullmatch(text)
        if found:
            return _written(found, found["month"], found["day"])
    found = _NUMERIC.fullmatch(text)
    first = tells_order([text]) if found else None
    first = day_first if first is None else first
    if not found or first is None:
        return None
    return _written(found, *((found["b"], found["a"]) if first else (found["a"], found["b"])))


def tells_order(stamps: Iterable[str]) -> bool | None:
    """Return whether the day precedes the month in stamps such as `29/01/2023`: a day above 12 settles it.

    None where nothing does, or where they disagree.
    """
    seen = set()
    for stamp in stamps:
        found = _NUMERIC.fullmatch(" ".join(stamp.strip("[]() ").split()))
        if found:
            seen |= {True} if int(found["a"]) > _MONTHS_OF_A_YEAR else set()
            seen |= {False} if int(found["b"]) > _MONTHS_OF_A_YEAR else set()
    return seen.pop() if len(seen) == 1 else None


def _written(found: re.Match[str], month: str, day: str) -> WrittenDay | None:
    number = int(month) if month.isdigit() else month_number(month)
    year = int(found["year"])
    date = f"{year if year >= 100 else _CENTURY + year:04}-{number:02}-{int(day):02}"
    half, hour = found["half"], int(found["hour"] or 0)
    if half:
        hour = hour % 12 + (12 if half.lower() == "p" else 0)
    clock = f"{hour:02}:{found['minute']}:{found['second'] or '00'}" if found["hour"] else ""
    try:
        datetime.fromisoformat(f"{date} {clock}".strip())
    except ValueError:
        return None
    return WrittenDay(f"{date} {clock}{(found['zone'] or '').strip()}".strip(), bool(clock))


def begin_of(day: str, zone: tzinfo) -> str | None:
    """Return the beginning of a day (`2023-01-29`) in a zone, as ISO 8601; None if implausible."""
    try:
        found = datetime.combine(datetime.fromisoformat(day).date(), time(), zone)
        return found.isoformat(timespec="seconds") if _EARLIEST <= found.year < _LATEST else None
    except (ValueError, OverflowError):
        return None


def day_in_name(filename: str | None, zone: tzinfo) -> str | None:
    """Return the day that a file's name begins with (`2023-01-29 Gina.txt`), as ISO 8601, or None."""
    found = _NAMED.match(PurePath(filename or "").name)
    return begin_of(found[0], zone) if found else None


def dated_by_name(conversation: Conversation, filename: str | None, zone: tzinfo) -> Conversation:
    """Return the conversation, dated by its file's name if it gives no date itself."""
    day = day_in_name(filename, zone) if conversation.started is None else None
    if day is None:
        return conversation
    notes = Notes()
    notes.add("its day was taken from the file's name", one_line(PurePath(filename or "").name, _LONGEST))
    return replace(conversation, started=day, problems=(*conversation.problems, *notes.lines()))
