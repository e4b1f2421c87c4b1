"""Moments that a reply flags: those that must not fade, and those to show as examples."""

import re
from collections.abc import Sequence

from reel_cli.core.evidence.phrases import quotations
from reel_cli.core.frozen import late
from reel_cli.core.quote_marks import MARKS, QUOTED, unquote

_MOMENT = late(r"(?<!\W)\W*(?:significant )?moment[ \t]*:[ \t]*", re.IGNORECASE)
_IMMUNITY = late(
    r"\bpruning[ _]immunity[ \t]*:[ \t]*(?:(?P<no>(?:no|false|none|null)\b)|(?:yes|true)\b)?", re.IGNORECASE
)
_POOL = r"(?:the |an? )?(?:ring[ _-]?(?:1|one)\b|(?:exemplar|example)s?\b)(?: pool\b)?"
_PROMOTED = late(
    r"(?P<no>\b(?:no|not|never)[ _](?:be[ _])?)?(?<![^\W_])promot(?:ed?|ion|ing)[ _]?"
    rf"(?:(?:to|into|as)[ _]{_POOL}(?:[ \t]*:[ \t]*(?:(?P<off>(?:no|false|none|null)\b)|(?:yes|true)\b)?)?"
    rf"|:[ \t]*(?:(?P<none>(?:no|false|none|null)\b)|(?:yes|true)\b|(?:to )?{_POOL}))",
    re.IGNORECASE,
)
_WHY_FLAGGED = late(
    r"(?<![\s—–;,-])[\s—–;,-]+(?:why|reason|because|action|recommended action|significance|how)[ \t]*:.*",
    re.IGNORECASE | re.DOTALL,
)
_IMMUNE = late(r"\bimmun", re.IGNORECASE)
_KEEPS = (
    r"(?P<no>(?:no|not|never|without)[ \t]+)?(?:(?:grants?|gives?|deserves?|needs?|for|the|of|full)[ \t]+)*"
    r"(?:pruning[ _-]*)?immun(?:ity|e)\b(?:[ \t]+flag\b)?"
)
_KEEPS_AT = (
    late(rf"[(\[][ \t]*{_KEEPS}[^()\[\]]*[)\]]?[.!]?$", re.IGNORECASE),
    late(rf"[-–—→=>;|][ \t]*{_KEEPS}[.!]?$", re.IGNORECASE),
    late(rf"^\W*{_KEEPS}[ \t]*(?:for\b[ \t]*)?(?:[-–—→:=>]+[ \t]*|$)", re.IGNORECASE),
)
"""Immunity without a value, behind a moment or before it: `… (pruning immunity)`, `immunity - …`."""
_AROUND = " \t—–-;,:(>"
"""The parts of a significance flag as a record."""
_ASKED = late(
    r"(?:[^\w\"“”„«»‘’']|_)*(?:(?:deserves?|should|must|needs?|gets?|have|has|given?|grant(?:ed)?|marked|flag(?:ged)?|keep"
    r"|both|also|too|plus|and|or|but|as|well|with|without|for|from|of|in|into|to|be|is|it|the|an?|full|no|not|never"
    r"|pruning|immun(?:ity|e)|promot(?:ed?|ion|ing)|candidate|ring|r?1|one|ring1|exemplars?|examples?|pool"
    r"|action|recommended|yes|true|false|none|null)(?![^\W_])(?:[^\w\"“”„«»‘’']|_)*)+",
    re.IGNORECASE,
)
"""A run of words that only ask for immunity, promotion or both, up to another word or a quotation mark."""
_NOT_ASKED = r"(?P<no>\b(?:no|not|never|without)[ _](?:[^\W_]+[ _]){0,2}?)?(?<![^\W_])"
_OFF = r"(?:[ \t]*[:=][ \t]*(?P<off>(?:no|false|none|null)\b))?"
_ASKS_IMMUNITY = late(rf"{_NOT_ASKED}immun(?:ity|e)(?![^\W_]){_OFF}", re.IGNORECASE)
_ASKS_PROMOTION = late(
    rf"{_NOT_ASKED}(?:promot(?:ed?|ion|ing)(?![^\W_])(?:[ _](?:to|into|as)[ _]{_POOL})?"
    rf"|ring[ _-]?(?:1|one)\b){_OFF}",
    re.IGNORECASE,
)
_NAMES_POOL = late(rf"(?<![^\W_]){_POOL}", re.IGNORECASE)
_BEFORE_ASKED = late(
    r"[\"”“»’'][.,!:]?[ \t]+|[—–→;|(\[]|[-=]?>|(?<=\s)-(?=\s)|[ \t](?=deserves?\b)|:", re.IGNORECASE
)
_BEHIND_ASKED = late(r"[ \t]*(?:$|because\b|since\b)|(?<=[,.:;—–)\]])|(?<=[ \t]-[ \t])", re.IGNORECASE)
_LONGEST = 2000


def read_flags(lines: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the moments that must not fade, and those to promote to ring 1, as examples.

    A line of several quotations counts as several; one without a moment speaks of the line before.
    """
    fade: list[str] = []
    show: list[str] = []
    found: list[str] = []
    for told in lines:
        asked = _read_asked(told) if len(told) <= _LONGEST else None
        if asked is not None:
            line, keeps, wanted = asked
            found = _list_moments(line)
            fade += found if keeps or (keeps is None and not wanted) else []
            show += found if wanted else []
            continue
        immune, promoted = _IMMUNITY.search(told), _PROMOTED.search(told)
        marks = [one for one in (immune, promoted) if one]
        line = _moment(told[: min((one.start() for one in marks), default=len(told))])
        line = line or _moment(told[max((one.end() for one in marks), default=len(told)) :])
        line, keeps = _without_immunity(line)
        spared = keeps is False or bool(immune and immune["no"])
        wanted = bool(promoted and not (promoted["no"] or promoted["off"] or promoted["none"]))
        if line:
            found = _list_moments(line)
            if not spared and (not wanted or keeps or _IMMUNE.search(told.replace(line, "", 1))):
                fade += found
        elif spared:
            fade = [one for one in fade if one not in found]
        if wanted:
            show += found
    return tuple(dict.fromkeys(fade)), tuple(dict.fromkeys(show))


def _list_moments(line: str) -> list[str]:
    """Return the moments of a line: each quotation, where it has little else, or all of it."""
    said = quotations(line)
    bare = QUOTED.sub(" ", line)
    return said if len(said) > 1 and len(bare.split()) <= len(said) else [line]


def _read_asked(told: str) -> tuple[str, bool | None, bool] | None:
    """Return a moment beside words that only ask for it, whether for immunity and whether for promotion.

    Immunity is None where no word is of it. None where no such words stand before the moment or behind it.
    """
    told = unquote(told)
    if (head := _ASKED.match(told)) and re.search(r"\w", told[head.end() :]):
        quoted = told[head.end() : head.end() + 1] in MARKS
        ends = [one.end() for one in re.finditer(r"[:—–→>]|\s-\s", head[0])]
        end = head.end() if quoted else max(ends, default=0)
        line = _moment(told[end:])
        if end and line and (asked := _weigh(told[:end], beside_quotation=quoted)):
            return line, *asked
    for mark in _BEFORE_ASKED.finditer(told):
        run = _ASKED.match(told, mark.end())
        line = _moment(told[: mark.start() + (mark[0][0] in "\"”“»’'")])
        if run and line and _BEHIND_ASKED.match(told, run.end()):
            asked = _weigh(run[0], beside_quotation=mark[0][0] in "\"”“»’'")
            if asked and (mark[0] != ":" or _NAMES_POOL.search(run[0]) or "pruning" in run[0].casefold()):
                return line.strip("[{") if told[0] in "[{" else line, *asked
    return None


def _weigh(words: str, *, beside_quotation: bool) -> tuple[bool | None, bool] | None:
    """Return whether words ask for immunity and whether for promotion; None where they are of something else.

    Promotion alone may be one at work, unless its ring is named or a quotation stands beside it.
    """
    immune, promoted = _ASKS_IMMUNITY.search(words), _ASKS_PROMOTION.search(words)
    if not immune and not (promoted and (beside_quotation or _NAMES_POOL.search(words))):
        return None
    keeps = not (immune["no"] or immune["off"]) if immune else None
    return keeps, bool(promoted and not (promoted["no"] or promoted["off"]))


def _without_immunity(line: str) -> tuple[str, bool | None]:
    """Return a moment without a word on its immunity before or behind it, and that; None for no word."""
    for pattern in _KEEPS_AT:
        found = pattern.search(line)
        if found:
            left = f"{line[: found.start()]}{line[found.end() :]}".strip(f"{_AROUND}→=|")
            return left if re.search(r"\w", left) else "", not found["no"]
    return line, None


def _moment(told: str) -> str:
    """Return the moment that a flag names, without what is said of it."""
    line = _WHY_FLAGGED.sub("", _MOMENT.sub("", told, count=1)).strip(_AROUND)
    return line if re.search(r"\w", line) else ""
