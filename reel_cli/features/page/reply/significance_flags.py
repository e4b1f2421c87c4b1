"""Moments that a reply flags: those that must not fade, and those to show as examples."""

import re
from collections.abc import Sequence

from reel_cli.core.evidence.phrases import quotations
from reel_cli.core.frozen import late
from reel_cli.core.quote_marks import QUOTED

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


def read_flags(lines: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the moments that must not fade, and those to promote to ring 1, as examples.

    A line of several quotations counts as several; one without a moment speaks of the line before.
    """
    fade: list[str] = []
    show: list[str] = []
    found: list[str] = []
    for told in lines:
        immune, promoted = _IMMUNITY.search(told), _PROMOTED.search(told)
        marks = [one for one in (immune, promoted) if one]
        line = _moment(told[: min((one.start() for one in marks), default=len(told))])
        line = line or _moment(told[max((one.end() for one in marks), default=len(told)) :])
        line, keeps = _without_immunity(line)
        spared = keeps is False or bool(immune and immune["no"])
        wanted = bool(promoted and not (promoted["no"] or promoted["off"] or promoted["none"]))
        if line:
            said = quotations(line)
            bare = QUOTED.sub(" ", line)
            found = said if len(said) > 1 and len(bare.split()) <= len(said) else [line]
            if not spared and (not wanted or keeps or _IMMUNE.search(told.replace(line, "", 1))):
                fade += found
        elif spared:
            fade = [one for one in fade if one not in found]
        if wanted:
            show += found
    return tuple(dict.fromkeys(fade)), tuple(dict.fromkeys(show))


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
