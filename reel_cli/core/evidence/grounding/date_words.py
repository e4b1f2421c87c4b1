"""Words of dates: months, weekdays, seasons, and the small numbers and ordinals that count days."""

from collections.abc import Iterator

from reel_cli.core.evidence.grounding.lexicon import UNDER_TWENTY
from reel_cli.core.frozen import late
from reel_cli.core.moment import MONTHS as MONTH_NAMES
from reel_cli.core.moment import WEEKDAYS as WEEKDAY_NAMES

MONTHS = tuple(map(str.lower, MONTH_NAMES))
WEEKDAYS = tuple(map(str.lower, WEEKDAY_NAMES))
SEASONS = {"spring": (3, 5), "summer": (6, 8), "fall": (9, 11), "autumn": (9, 11), "winter": (12, 2)}
TO_TWELVE = UNDER_TWENTY[1:13]
SMALL = {word: number for number, word in enumerate(TO_TWELVE, 1)} | {
    "a": 1,
    "an": 1,
    "couple": 2,
    "couple of": 2,
    "few": 3,
}
ONES = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")
TEENS = (
    "tenth", "eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth",
    "eighteenth", "nineteenth", "twentieth",
)  # fmt: skip
_ELSEWHERE = (
    "januar jänner janvier enero janeiro gennaio januari январ",
    "februar feber février febrero fevereiro febbraio februari феврал",
    "märz maerz mars marzo março maart март",
    "april avril abril aprile апрел",
    "mai mayo maio maggio mei maj мая май",
    "juni juin junio junho giugno июн",
    "juli juillet julio julho luglio июл",
    "august août agosto augustus augusti август",
    "september septembre septiembre setiembre setembro settembre сентябр",
    "oktober octobre octubre outubro ottobre октябр",
    "november novembre noviembre novembro ноябр",
    "dezember décembre diciembre dezembro dicembre december декабр",
)
"""Names of the months in other languages, as they begin: Russian ones have endings."""
_MONTH_OF = {name: number for number, names in enumerate(_ELSEWHERE, 1) for name in names.split()}
_NAMES = "|".join(sorted(_MONTH_OF, key=len, reverse=True))
_DAY_OF_MONTH = late(
    rf"(?i)(?<![\d.,])(?P<day>\d{{1,2}})(?:\.|er|º|°|-го)?\s+(?:de\s+|di\s+|d['’])?"
    rf"(?P<month>{_NAMES})[аья]?(?!\w)"
    r"(?:\s+(?:de[l]?\s+)?(?P<year>(?:19|20)\d\d)\b)?"
    r"|(?<![\d.,])(?P<day2>\d{1,2})\.\s?(?P<month2>\d{1,2})\.(?:\s?(?P<year2>(?:20)?\d\d)(?![\d.]))?(?!\d)"
    r"|(?:(?P<year3>\d{4})[年년]\s?)?(?P<month3>\d{1,2}|[一二三四五六七八九十]{1,2})[月월]\s?"
    r"(?P<day3>\d{1,2}|[一二三四五六七八九十]{1,3})[日号號일]"
)
_MONTH_ALONE = late(rf"(?i)(?<!\w)({_NAMES})[аья]?(?!\w)|(\d{{1,2}}|[一二三四五六七八九十]{{1,2}})月")
WEEKS_ELSEWHERE = late(
    r"(?i)(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch|sonnabend|woche|lundi|mardi|mercredi|jeudi|vendredi|samedi"
    r"|dimanche|semaine|lunes|martes|miércoles|jueves|viernes|sábado|domingo|semana|-feira|luned|marted|mercoled|gioved"
    r"|venerd|settimana|понедельник|вторник|сред[уые]|четверг|пятниц|суббот|воскресен|недел|[月火水木金土日]曜|週|周|星期"
    r"|요일|주일|다음 주"
)
"""Pattern of words for a weekday or a week in other languages."""
_HAN = "零一二三四五六七八九"


def days_elsewhere(text: str) -> Iterator[tuple[int, int, int, int, int]]:
    """Yield each day of a month that a text names in another language than English, or by numbers alone.

    It is told as start, end, year (0 where none is given), month and day.
    """
    for found in _DAY_OF_MONTH.finditer(text):
        named = {name.rstrip("23"): value for name, value in found.groupdict().items() if value}
        month = _MONTH_OF.get(named["month"].casefold()) or _read_count(named["month"])
        day, year = _read_count(named["day"]), int(named.get("year", 0))
        if 1 <= month <= 12 and 1 <= day <= 31:
            yield found.start(), found.end(), year + 2000 if 0 < year < 100 else year, month, day


def month_elsewhere(text: str) -> int:
    """Return the number of the month that a text names in another language than English; 0 for none."""
    found = _MONTH_ALONE.search(text)
    if found is None:
        return 0
    return _MONTH_OF[found[1].casefold()] if found[1] else _read_count(found[2])


def _read_count(text: str) -> int:
    """Return a number up to 99 in digits or in Chinese; 0 for anything else."""
    if text.isdecimal():
        return int(text)
    tens, ten, ones = text.rpartition("十")
    if not ten:
        return max(_HAN.find(text), 0)
    return max(_HAN.find(tens), 1) * 10 + max(_HAN.find(ones or "零"), 0)
