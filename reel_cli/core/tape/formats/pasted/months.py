"""The months, the days of the week and the small words of a date, in the languages they are written in most.

English, German, French, Spanish, Italian, Portuguese and Dutch, without accents: `fold_date` takes them out.
The beginning of a month's name stands for it, so that `févr.` and `février` are one.
"""

import unicodedata
from collections.abc import Iterable, Iterator

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
        # what begins two months, like `jui`, is none
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
