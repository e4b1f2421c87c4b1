"""Medicines in a text: by the ending that a kind of them has, by a common name, or by a dose."""

from collections.abc import Sequence
from functools import lru_cache

from reel_cli.core.frozen import late

_NAMES = late(
    r"(?i)\b(?:\w{3,}(?:statin[ae]?|cill?in[aeo]?|cilline|praz[oó]le?|prazol[oi]"
    r"|xaban[aeo]?"
    r"|floxac[ií]n[aeo]?|m[yi]c[ií]n[aeo]?(?<!medicina)(?<!officina)|azepam|azolam|zolam"
    r"|oxetin[ae]?|gliptin[ae]?"
    r"|gliflozin[ae]?|f[oó]rmin[ae]?|profeno?|triptan|triptyline?|tiroxina|thyroxine?|thyroxin"
    r"|parin[ae]?(?<!sparin)"
    r"|prednis(?:on|olon)[ae]?|codon[ae]?|contin|dopa|setron|dronate?|lukast|pregabalin|gabapentin)"
    r"|\w{2,}(?:sart[aáà]n[aeo]?|pril(?<!april)(?<!Avril)|olol[aeo]?)|\w{4,}mab"
    r"|paracetamol\w*|paracet|acetaminophen|ibuprofen\w*|ibux|aspirin[ae]?|prednis\w+|corti(?:son"
    r"|sol)\w*"
    r"|\w*morphine?|codeine?|tramadol|oxynorm|eliquis|xarelto|marevan|ventolin\w*|levaxin|metformin\w*"
    r"|\w*(?:артан|прил(?<!апрел)|статин|циллин|празол|ксабан|пролол|формин)(?:а|у|ом|е)?"
    r"|аспирин\w*|парацетамол\w*"
    r"|ибупрофен\w*|инсулин\w*)\b"
    r"|\w(?:サルタン|スタチン|シリン|プラゾール)|(?<!エ)プリル|インスリン|アスピリン|沙坦|他汀|洛尔|普利|西林|拉唑"
    r"|沙班|布洛芬|阿司匹林|胰岛素|아스피린|인슐린|사르탄|스타틴"
)
_NUMBER = (
    r"(?:\d+(?:[.,]\d+)?|½|¼|half an?|a half|an? quarter of an?|an?|one|two|three|four|five|six"
    r"|eight|ten|twelve"
    r"|fifteen|twenty|thirty|forty|fifty|eine?n?|zwei|drei|halbe|une?|deux|trois|una?|dos|tres|um"
    r"|uma|dois|duas|due"
    r"|tre|en|et|to|två|een|twee|drie|две|два|одну|три|полтаблетки)"
)
_WEIGHT = late(
    rf"(?i)(?<![\w.]){_NUMBER}[ -]?(?:mg|mcg|[µμ]g|milli-?gram+\w*|micro-?gram+\w*|mikrogram+\w*"
    rf"|mic?rogramm?[eoi]s?"
    r"|milligramm[eoi]?|miligramos?|miligramas?|мг|мкг|миллиграмм\w*|i\.?u\.?(?=\W|$)|毫克|微克|ミリグラム|mg)"
    r"(?![\w/])"
)
"""Pattern of an amount that only medicines are given in."""
_FORM = (
    r"(?:pills?|tablets?|capsules?|drops|puffs?|sprays?|ml|millilit(?:re|er)s?|units?|patch(?:es)?"
    r"|suppositor\w+"
    r"|tabletten?|kapseln?|pillen?|tropfen|comprim[éi]\w*|cachets?|gélules?|gouttes?|pastillas?"
    r"|comprimidos?|gotas?"
    r"|cápsulas?|compress[ae]|pastigli[ae]|gocce|tabletter?|tabletta|piller|dråper|droppar|druppels|pil"
    r"|таблетк\w+|капсул\w+|капл\w+|единиц\w*)"
)
_TIMES = (
    r"(?:morning|evening|night|bedtime|noon|daily|a day|per day|times|twice|once|breakfast|supper"
    r"|dinner|lunch"
    r"|meals?|hours?|as needed|when needed|x ?\d|\d ?x|weekly|a week|morgens|abends|täglich|mittags"
    r"|nachts|am tag"
    r"|matin|soir|par jour|midi|mañana|noche|al día|por día|manhã|noite|por dia|mattina|sera"
    r"|al giorno|morgen"
    r"|kveld|om dagen|morgon|kväll|dagligen|ochtend|avond|per dag|утром|вечером|в день|ночь)"
)
_FORMS = late(
    rf"(?i)(?<![\w.]){_NUMBER}[ -]{_FORM}\b[^.;!?\n]{{0,40}}\b{_TIMES}\b"
    rf"|\b{_TIMES}\b[^.;!?\n]{{0,40}}(?<![\w.]){_NUMBER}[ -]{_FORM}\b"
    rf"|\bhalf a (?:pill|tablet)\b|[0-9一二三四两半][片粒锭錠滴](?![\w])"
)
"""Pattern of so many pills, drops or units, with when they are taken: a tablet alone may be to draw on."""


_AMOUNT = late(rf"(?i)(?<![\w.]){_NUMBER}[ -]?{_FORM}\b")
"""Pattern of so many pills, drops or units, whenever they are taken."""

REACTS = (
    r"(?:allerg\w*|c(?:o?eliac|œliac)\w*|anaphyla\w*|intoleran\w*|react\w*|side[- ]effects?|hives|rash\w*"
    r"|swell\w*|swollen|blister\w*|throat|chok\w*|faint\w*|(?:pass|black)(?:ed|es|ing)? out|vomit\w*"
    r"|(?:threw|throws?|throwing) up|wheez\w*|seizures?|dizz\w*)"
)
"""Pattern, without edges, of what a body does with a thing that it does not bear."""
REACTION = late(rf"(?i)\b{REACTS}\b")


def names_dose(text: str) -> bool:
    """Return whether a text that is known to be about a medicine gives an amount of it."""
    return _WEIGHT.search(text) is not None or _AMOUNT.search(text) is not None


def find_amounts(text: str) -> Sequence[str]:
    """Return the amounts of a text that is known to be about a medicine, as they are written."""
    return [found[0] for one in (_WEIGHT, _AMOUNT) for found in one.finditer(text)]


def find_medicines(text: str) -> Sequence[str]:
    """Return the medicines that a text names, as they are written: a dose alone is none."""
    return [found[0] for found in _NAMES.finditer(text)]


@lru_cache(maxsize=4_096)
def names_medicine(text: str) -> bool:
    """Return whether a text names a medicine, or a dose of one."""
    return any(one.search(text) is not None for one in (_NAMES, _WEIGHT, _FORMS))
