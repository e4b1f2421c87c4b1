"""Names of days in seven languages beside English, put into English for the reader of dates."""

import re
from collections.abc import Sequence
from functools import partial

from reel_cli.core.frozen import late

_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_NAMED = (
    # German, French, Spanish
    r"\b(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag)(?:abend|morgen|nachmittag|mittag)?\b",
    r"\b(?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche)\b",
    r"\b(?:lunes|martes|miércoles|jueves|viernes|sábado|domingo)\b",
    # Portuguese, where an ordinal alone is no day
    r"\b(?:segunda|terça|quarta|quinta|sexta)-feira\b|(?<=\bna )(?:segunda|terça|quarta|quinta)\b(?! vez)",
    r"\b(?:понедельник|вторник|сред[ау]|четверг|пятниц[ау]|суббот[ау]|воскресенье)\b",
    r"[月火水木金土日]曜日?",
    r"(?:星期|周|週|礼拜|禮拜)[一二三四五六日天]",
)
_FIRST = (
    "mo di mi do fr sa so",
    "lun mar mer jeu ven sam dim",
    "lun mar mié jue vie sáb dom",
    "seg ter qua qui sex",
    "пон вто сре чет пят суб вос",
    "月 火 水 木 金 土 日",
    "一 二 三 四 五 六 日",
)
_TOMORROW = (
    r"(?<!guten )(?<!am )(?<!heute )(?<!jeden )(?<!\w)morgen\b(?! (?:früh )?(?:war|ist vorbei))"
    r"|(?<!après-)(?<!\w)demain\b"
    r"|(?<!la )(?<!esta )(?<!por )(?<!pasado )(?<!\w)mañana\b|\bamanhã\b|\bзавтра\b|明日|あした|明天"
)
_PATTERNS = tuple(late(pattern, re.IGNORECASE) for pattern in _NAMED)
_NEXT_DAY = late(_TOMORROW, re.IGNORECASE)


def in_english(text: str) -> str:
    """Return a text with the days of the week, and tomorrow, called by their English names."""
    for pattern, first in zip(_PATTERNS, _FIRST, strict=True):
        text = pattern.sub(partial(_name, first.split()), text)
    return _NEXT_DAY.sub(" tomorrow ", text)


def _name(first: Sequence[str], found: re.Match[str]) -> str:
    told = found[0].casefold().replace("天", "日")
    places = [at for at, begins in enumerate(first) if told.startswith(begins) or told.endswith(begins)]
    return f" {_DAYS[places[0]]} " if places else found[0]
