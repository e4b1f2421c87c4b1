"""Feast and quarter days in a text as dates: fixed ones, and those reckoned from Easter or Advent."""

import re
from collections.abc import Callable, Iterator
from datetime import date, timedelta

from reel_cli.core.evidence.grounding.lexicon import evened_case, has_any
from reel_cli.core.frozen import late

_SAINT = r"(?:st\.?|saint)\s+"
_FIXED = {
    (1, 1): r"new\s+year['’]?s(?:\s+day)?(?!\s+eve)|neujahr(?:stag)?|nouvel\s+an|año\s+nuevo|capodanno"
    r"|ano\s+novo|нов(?:ый\s+год|ого\s+года|ому\s+году|ым\s+годом)",
    (1, 6): r"(?-i:Epiphany)|dreikönig\w*|heilige\s+drei\s+könige|(?-i:Épiphanie)|día\s+de\s+reyes",
    (1, 7): r"рождеств(?:о|а|у|ом|е)",
    (2, 2): r"candlemas(?:\s+day)?|lichtmess|lichtmeß|chandeleur|candelaria",
    (2, 14): r"(?:st\.?\s+)?valentine['’]?s(?:\s+day)?|valentinstag|saint-valentin|san\s+valentín",
    (3, 17): rf"{_SAINT}patrick['’]?s(?:\s+day)?",
    (3, 25): r"lady\s+day",
    (4, 23): rf"{_SAINT}george['’]?s\s+day",
    (6, 24): r"midsummer(?:['’]?s)?\s+day|johannistag|saint-jean",
    (7, 14): r"bastille\s+day",
    (8, 1): r"(?-i:Lammas)(?:\s+day)?",
    (8, 15): r"(?-i:Assumption)\s+day|mariä\s+himmelfahrt|(?-i:Assomption)",
    (9, 29): r"michaelmas(?:\s+day)?|michaelis?tag",
    (10, 31): r"hallowe['’]?en|all\s+hallows['’]?\s+eve|reformationstag",
    (11, 1): r"all\s+saints(?:['’]?(?:\s+day)?)?|all\s+hallows(?!['’]?\s+eve)"
    r"|allerheiligen|la\s+toussaint|todos\s+los\s+santos",
    (11, 2): r"all\s+souls(?:['’]?(?:\s+day)?)?|allerseelen|día\s+de\s+(?:los\s+)?muertos",
    (11, 5): r"guy\s+fawkes(?:['’]?s?\s+(?:night|day))?|bonfire\s+night",
    (11, 11): rf"martinmas|{_SAINT}martin['’]?s(?:\s+day)?"
    r"|martinstag|(?:armistice|remembrance)\s+day|saint-martin",
    (11, 30): rf"{_SAINT}andrew['’]?s\s+day",
    (12, 6): rf"{_SAINT}nicholas['’]?s?(?:\s+day)?|nikolaus(?:tag)?|saint-nicolas",
    (12, 24): r"christmas\s+eve|xmas\s+eve|heilig(?:er\s+|en\s+|e)abend"
    r"|heiligabend|nochebuena|veille\s+de\s+noël",
    (12, 25): r"(?:christmas|xmas)(?:\s+day)?(?!\s+eve)|weihnacht(?:en|s(?:tag|fest)\w*)"
    r"|noël|navidad(?:es)?|natale",
    (12, 26): rf"boxing\s+day|{_SAINT}stephen['’]?s\s+day",
    (12, 31): r"new\s+year['’]?s?\s+eve|hogmanay|silvester(?:abend)?|saint-sylvestre|nochevieja",
}  # fmt: skip
"""Patterns of the names of days that fall on the same date each year, by month and day."""
_MOVABLE = {
    -47: r"shrove\s+tuesday|pancake\s+day|mardi\s+gras|faschingsdienstag",
    -48: r"rosenmontag",
    -46: r"ash\s+wednesday|aschermittwoch|mercredi\s+des\s+cendres|miércoles\s+de\s+ceniza",
    -7: r"palm\s+sunday|palmsonntag|domingo\s+de\s+ramos",
    -3: r"maundy\s+thursday|gründonnerstag|jueves\s+santo",
    -2: r"good\s+friday|karfreitag|vendredi\s+saint|viernes\s+santo",
    -1: r"easter\s+(?:eve|saturday)|holy\s+saturday|karsamstag",
    0: r"easter(?:\s+(?:day|sunday))?(?!\s+(?:eve|saturday|monday))|oster(?:n|sonntag)|pâques"
    r"|pascua|пасх(?:а|и|у|е|ой)",
    1: r"easter\s+monday|ostermontag|lundi\s+de\s+pâques",
    39: r"(?-i:Ascension)(?:\s+(?:day|thursday))?|christi\s+himmelfahrt",
    49: r"whitsun(?:day|tide)?|whit\s+sunday|(?-i:Pentecost)|pfingst(?:en|sonntag)|pentecôte|pentecostés"
    r"|троиц(?:а|ы|у|е|ей)",
    50: r"whit\s+monday|pfingstmontag",
    56: r"trinity\s+sunday",
    60: r"(?-i:Corpus\s+Christi)|fronleichnam",
}
"""Patterns of the names of days by how many days after Easter they fall."""
_ADVENT = r"(?:(?P<nth>first|second|third|fourth)\s+sunday\s+(?:of|in)\s+)?advent(?P<sunday>\s+sunday)?"
_UNSPACED = {
    (1, 1): "元旦|元日",
    (12, 31): "大晦日",
    (12, 24): "クリスマスイ[ヴブ]",
    (12, 25): "クリスマス(?!イ)",
}
_NO_DAY = r"(?!\s+(?:islands?|trees?|cards?|cakes?|carols?|markets?|presents?|eggs?|bunny)\b|-\w)"
_WHICH = late(r"(?i)\b(?:(?P<last>last|past)|next|coming)\s+$")
"""Pattern of what stands before a day, and says which of its kind it is."""
_YEAR = r"(?:,?\s+(?:of\s+)?(?P<year>(?:19|20)\d\d)\b)?"
_NAMES_BEGIN = (
    "christmas;xmas;easter;advent;epiphany;candlemas;michaelmas;martinmas;lammas;lady day;new year;"
    "valent;patrick;george;midsummer;bastille;assumption;hallow;saints;souls;fawkes;bonfire;"
    "armistice;remembrance;andrew;nicholas;boxing;stephen;hogmanay;shrove;pancake;mardi gras;ash wed;"
    "palm;maundy;good fri;holy sat;whit s;whit m;whitsun;trinity;pentecost;ascension;corpus;martin;"
    "neujahr;nouvel;año nuevo;ano novo;capodanno;новый год;нового года;новому году;новым годом;"
    "dreikönig;heilig;épiphanie;reyes;lichtm;chandeleur;candelaria;johannist;michaeli;saint-jean;"
    "himmelfahrt;assomption;reformationst;allerh;allers;toussaint;todos;muertos;nikolaus;saint-nicolas;"
    "nochebuena;noël;weihnacht;navidad;natale;рожд;クリスマス;silvester;saint-sylvestre;nochevieja;大晦日;"
    "faschings;rosenmon;aschermittwoch;cendres;ceniza;ramos;gründonn;santo;karfreit;vendredi saint;"
    "karsam;ostern;osters;osterm;pâques;pascua;пасх;pfingst;pentecôte;троиц;fronleichnam;元旦;元日"
)
_SIGNS = tuple(_NAMES_BEGIN.split(";"))
"""Signs without one of which no such day is named."""
_ORDER = ("first", "second", "third", "fourth")
_ENGLISH_ADVENT = late(rf"(?i)\b{_ADVENT}\b{_YEAR}")
_Place = tuple[int, int] | int
_NAMED: tuple[tuple[_Place, str], ...] = (*_FIXED.items(), *_MOVABLE.items())
_PATTERNS: tuple[tuple[_Place, re.Pattern[str]], ...] = (
    *((place, late(rf"(?i)(?<!\w)(?:{names})(?!\w){_NO_DAY}{_YEAR}")) for place, names in _NAMED),
    *((place, late(names)) for place, names in _UNSPACED.items()),
)

FeastDay = tuple[int, int, tuple[date, ...], int | None]
"""A day: where it stands, the dates that it may mean, and its weekday if that is always the same."""


def find_feasts(text: str, today: date | None, *, said: bool) -> Iterator[FeastDay]:
    """Yield the feast and quarter days of a text.

    One without its year is the next from `today`, or where it was `said` the last or the next; `last
    Christmas` is the last.
    """
    if not has_any(evened_case(text), _SIGNS):
        return
    for place, pattern in _PATTERNS:
        for found in pattern.finditer(text):
            weekday = (place - 1) % 7 if isinstance(place, int) else None
            yield *found.span(), _dates(_reckon(place, found[0]), found, today, said=said), weekday
    for found in _ENGLISH_ADVENT.finditer(text):
        if found["nth"] or found["sunday"]:
            order = _ORDER.index((found["nth"] or "first").casefold())
            yield *found.span(), _dates(_advent(order), found, today, said=said), 6


def _dates(
    reckon: Callable[[int], Iterator[date]], found: re.Match[str], today: date | None, *, said: bool
) -> tuple[date, ...]:
    """Return the days that a name may mean, those of its year if it has one."""
    named = found.groupdict()
    if named.get("year"):
        return tuple(reckon(int(found["year"])))
    if today is None:
        return ()
    years = range(max(date.min.year, today.year - 1), min(date.max.year, today.year + 1) + 1)
    days = sorted(day for year in years for day in reckon(year))
    last = [day for day in days if day <= today][-1:]
    coming = [day for day in days if day >= today][:1]
    which = _WHICH.search(found.string, 0, found.start())
    if which and which["last"]:
        return tuple(day for day in days if day < today)[-1:]
    return tuple(dict.fromkeys([*last, *coming])) if said and not which else tuple(coming)


def _reckon(place: _Place, name: str) -> Callable[[int], Iterator[date]]:
    """Return what yields the day of a feast in a year; in Russian from the Eastern Easter."""

    def reckon(year: int) -> Iterator[date]:
        if isinstance(place, int):
            easter = _julian_easter if _RUSSIAN.search(name) else _easter
            yield easter(year) + timedelta(place)
        else:
            yield date(year, *place)

    return reckon


_RUSSIAN = late("(?i)пасх|троиц")


def _advent(order: int) -> Callable[[int], Iterator[date]]:
    """Return what yields a Sunday of Advent in a year, the first for 0."""

    def reckon(year: int) -> Iterator[date]:
        eve = date(year, 12, 24)
        yield eve - timedelta((eve.weekday() + 1) % 7 + 7 * (3 - order))

    return reckon


def _easter(year: int) -> date:
    """Return the day of Easter in a year, by the rule of Meeus, Jones and Butcher."""
    golden, century, rest = year % 19, *divmod(year, 100)
    moved = (century - (century + 8) // 25 + 1) // 3
    moon = (19 * golden + century - century // 4 - moved + 15) % 30
    week = (32 + 2 * (century % 4) + 2 * (rest // 4) - moon - rest % 4) % 7
    late_moon = (golden + 11 * moon + 22 * week) // 451
    month, day = divmod(moon + week - 7 * late_moon + 114, 31)
    return date(year, month, day + 1)


def _julian_easter(year: int) -> date:
    """Return the day of Easter in a year of the Eastern churches, as a date of today's calendar."""
    moon = (19 * (year % 19) + 15) % 30
    week = (2 * (year % 4) + 4 * (year % 7) - moon + 34) % 7
    month, day = divmod(moon + week + 114, 31)
    return date(year, month, day + 1) + timedelta(year // 100 - year // 400 - 2)
