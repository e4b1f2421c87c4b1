"""How sure a fact is, as models write it: a number, a share, a percentage or a word, in any language."""

import re

from reel_cli.core.exchange.reader.labels import squash
from reel_cli.core.values.settings import WHOLE

_WORDS = {
    9_000: (
        "sure; certain; high; very sure; confirmed; definite; explicit; very high; sicher; ganz "
        "sicher; sehr sicher; gewiss; hoch; sûr; sûre; certaine; élevé; élevée; haute; seguro; "
        "segura; cierto; cierta; alto; alta; certo; certa; sicuro; sicura; zeker; säker; уверен; "
        "уверена; точно; высокая; 確実; 確か; 高い; 高; 确定; 肯定; 확실; 확실함; 높음"
    ),
    7_000: (
        "likely; medium; probable; probably; fairly sure; moderate; quite sure; wahrscheinlich; "
        "ziemlich sicher; mittel; probablement; assez sûr; moyen; moyenne; probablemente; bastante "
        "seguro; medio; media; provável; provavelmente; médio; média; probabile; probabilmente; "
        "waarschijnlijk; troligen; вероятно; средняя; たぶん; 多分; 中; 很可能; 大概; 아마; 보통"
    ),
    4_000: (
        "unsure; low; guess; maybe; perhaps; uncertain; not sure; tentative; not certain; doubtful; "
        "unsicher; nicht sicher; ungewiss; vielleicht; vermutet; geraten; niedrig; gering; incertain; "
        "incertaine; pas sûr; pas sûre; peut-être; faible; inseguro; insegura; no seguro; incierto; "
        "incierta; quizá; quizás; tal vez; bajo; baja; incerto; incerta; talvez; baixo; baixa; "
        "insicuro; insicura; forse; basso; bassa; onzeker; misschien; osäker; kanske; не уверен; не "
        "уверена; возможно; может быть; низкая; "
        "不確か; 不確実; かもしれない; 低い; 低; 不确定; 不肯定; 也许; 불확실; 불확실함; 낮음"
    ),
}
"""Words for each certainty, in ten-thousandths."""
_SURE = {squash(word): sure for sure, words in _WORDS.items() for word in words.split("; ")}
_NUMBER = re.compile(
    r"(?P<number>\d{1,3}(?:[.,]\d{1,6})?|[.,]\d{1,6}) ?"
    r"(?:(?P<share>%|percent)|(?:/|of|von|sur|de|di|из) ?(?P<of>100?))?",
    re.ASCII,
)
_MOST = 100


def read_certainty(text: str) -> int | None:
    """Return a certainty in ten-thousandths; None where a text is none."""
    plain = text.strip(" *_`()").casefold()
    found = _NUMBER.fullmatch(plain)
    if found is None:
        return _SURE.get(squash(plain)) if plain else None
    number = float(found["number"].replace(",", "."))
    whole = float(found["of"] or (_MOST if found["share"] or number > 1 else 1))
    return min(WHOLE, round(number / whole * WHOLE))
