"""Quotation marks of all the languages that a page may be written in, and the words between them."""

import re
from collections.abc import Mapping

MARKS: Mapping[str, str] = {
    '"': '"', "＂": "＂", "“": "”", "„": "“”", "”": "”", "‚": "‘’",
    "«": "»", "»": "«", "‹": "›", "›": "‹", "「": "」", "『": "』", "〝": "〞〟",
}  # fmt: skip
"""Marks that open a quotation, each with those that may close it."""
SINGLE: Mapping[str, str] = {"'": "'", "‘": "’"}
"""Marks that are apostrophes as well: they open a quotation only where they stand around all of a text."""
OPENING, CLOSING = "".join(MARKS), "".join(dict.fromkeys("".join(MARKS.values())))
QUOTED = re.compile(
    r'"([^"\n]+)"|“([^”\n]+)”|„([^“”\n]+)[“”]|«([^»\n]+)»|»(?=\S)([^«»\n]+)(?<=\S)«|「([^」\n]+)」|『([^』\n]+)』'
    r"|＂([^＂\n]+)＂|〝([^〞〟\n]+)[〞〟]|‹([^›\n]+)›|›(?=\S)([^‹›\n]+)(?<=\S)‹|‚((?:[^‚‘’\n]|’(?=\w))+)[‘’]|”([^“”\n]+)”"
)
"""Pattern of a quotation on one line; one of its groups is the words between the marks."""


def unquote(text: str) -> str:
    """Return a text without the pair of quotation marks around all of it, where there is one."""
    plain = text.strip()
    closing = {**MARKS, **SINGLE}.get(plain[:1], "")
    if len(plain) < 2 or not closing or plain[-1] not in closing:
        return plain
    inside = plain[1:-1]
    # `"a" and "b"` begins and ends with a mark but is not one quotation
    depth = inside.count(plain[0]) + sum(inside.count(mark) for mark in closing if mark != plain[0])
    first = inside.find(plain[-1])
    nested = inside.startswith(plain[0]) or inside.endswith(plain[-1])
    if depth % 2 == 0 and (first < 0 or inside[:first].count(plain[0]) or nested):
        return inside.strip()
    return plain
