"""Amendments of earlier chapters in a dream's reply, in any of the forms that models write."""

import re
from collections.abc import Callable, Sequence

from reel_cli.core.quote_marks import CLOSING, OPENING
from reel_cli.core.values.change import one_line
from reel_cli.features.dream.dream import Amendment

_OPENS, _CLOSES = ("".join(mark for mark in marks if mark not in "‘’‚") for marks in (OPENING, CLOSING))
"""Marks of a quotation, of whatever language; those that are apostrophes as well are looked for apart."""
_AMEND = re.compile(
    r"[\s>*_\-•+]*(?:amend(?:ed|ment|ing)?|correction|correct(?:ed)?)[*_]*[\s:：]*[*_]*"
    rf"(?:[{_OPENS}](?P<old>.+?)[{_CLOSES}]|['‘‚](?P<single>.+?)['’‘](?=[\s]*[:：→]))[*_]*\s*"
    r"(?:[:：→,，;；]|->|=>|—|–|-|becomes|now reads|should (?:now )?(?:read|be)|is now)"
    r"\s*[*_]*\s*(?P<new>.+)",
    re.IGNORECASE | re.DOTALL,
)
_AMENDS = re.compile(r"[\s>#*_\-•+]*amend(?:s|ments?)?\b[*_]*(?!\s+(?:to|the|it|us|for)\b)", re.IGNORECASE)
_AMENDMENTS = re.compile(
    r"[ \t>#*_\-•+]*(?:amendments?|corrections?|what (?:i )?amend(?:ed)?)[ \t:*_]*", re.IGNORECASE
)
_MARKED = rf"[{_OPENS}](?P<old>[^{_OPENS}{_CLOSES}\n]+)[{_CLOSES}][ \t]*(?:[:：→]|->|=>)[ \t]*"
_FURTHER = re.compile(rf"[ \t>*_\-•+]*(?:\w+,[ \t]+)?{_MARKED}(?P<new>\S.*)")
"""Pattern of a line after an amendment that amends something else, whatever word it begins with."""
_JOINED = re.compile(rf"(?:[.,;；，。]\s*(?:\w+,?\s+){{0,2}}|\s+\w{{1,3}}\s+(?:\w+\s+)?){_MARKED}")
"""Pattern of another amendment on the same line."""
_BULLET = re.compile(r"^[ \t]*(?:[-*+•–—]|\d{1,3}[.)])[ \t]+(?:\[[ xX]?\][ \t]*)?")
_LONGEST = 600


def split_amendments(text: str) -> tuple[str, list[Amendment]]:
    """Return the text without amendments, and the amendments among its paragraphs and lines."""
    found: list[Amendment] = []
    kept: list[str] = []
    text = _gather(text)
    for paragraph in re.split(r"(\n[ \t]*\n)", text):
        lines = paragraph.split("\n")
        rest: list[str] = []
        at = 0
        while at < len(lines):
            told = _AMEND.match(lines[at])
            more = at + 1
            if (
                told is None
                and re.match(r"[\s>*_\-•+]*amend\b", lines[at], re.IGNORECASE)
                and more < len(lines)
            ):
                # long words may run over onto the next line
                more += 1
                told = _AMEND.match(" ".join(lines[at:more]))
            if told:
                old = told["old"] or told["single"]
                found.append(_amendment(old, told["new"]))
                at = more
                while at < len(lines) and not _AMEND.match(lines[at]) and (also := _FURTHER.match(lines[at])):
                    found.append(_amendment(also["old"], also["new"]))
                    at += 1
            else:
                rest.append(lines[at])
                at += 1
        kept.append("\n".join(rest))
    return re.sub(r"\n{3,}", "\n\n", "".join(kept)).strip("\n"), found


def _amendment(old: str, new: str) -> Amendment:
    return Amendment(old.strip(), one_line(new.strip("*_ "), _LONGEST))


def split_joined(one: Amendment, stands: Callable[[str], bool]) -> Sequence[Amendment]:
    """Return the amendments that stand on one line, which each quote words that `stands` has."""
    for found in _JOINED.finditer(one.new):
        if found.start() and stands(found["old"]):
            rest = _amendment(found["old"], one.new[found.end() :])
            return (_amendment(one.old, one.new[: found.start()]), *split_joined(rest, stands))
    return (one,)


def _gather(text: str) -> str:
    """Return the text with each amendment of a list as if alone, without the list's heading."""
    lines = text.split("\n")
    inside = False
    made: list[str] = []
    for at, told in enumerate(lines):
        line = told
        if _AMENDMENTS.fullmatch(line):
            following = next((one for one in lines[at + 1 :] if one.strip()), "")
            inside = bool(_AMEND.match(f"Amend {_BULLET.sub('', following, count=1)}"))
            if inside:
                continue
        bare = _BULLET.sub("", line, count=1).strip()
        if inside and bare and _AMEND.match(f"Amend {bare}"):
            line = f"Amend {bare}"
        elif bare:
            inside = False
        made.append(line)
    return "\n".join(made)


def unread_amendments(text: str) -> list[str]:
    """Return the lines that were to amend something, but do not quote what."""
    return [line.strip() for line in text.split("\n") if _AMENDS.match(line)]
