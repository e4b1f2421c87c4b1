"""Recognition of the two sister protocols on the tape: STAGE (with a world), CHAIN (between personas).

REEL §5 wants of them the lived scene, the intent and the outcome, never their syntax. Neither protocol's
own text is at hand, so a family of plausible forms is taken: tags in brackets or angle brackets, a version
mark, and header blocks. Ordinary prose about stages and chains is none of it.
"""

import re
from collections.abc import Iterable

from reel_cli.core.blockquote import fenced_lines

STAGE_ORIGIN, CHAIN_ORIGIN = "stage-origin", "chain-origin"

_STAGE_WORDS = r"STAGE|SCENE|SENSES?|SENSORY|AMBIEN(?:T|CE)|ENVIRONMENT|LOCATION|PRESENCE"
_CHAIN_WORDS = r"CHAIN|DIRECTIVE|ORDER|REPORT|ESCALATION|ACK(?:NOWLEDGE(?:MENT)?)?|DELEGATION|BROADCAST"
_INNER = r"[^\[\]\n]*"
"""Pattern of text without an opening bracket, or a long run of them would be searched through for each."""
_STAGE = re.compile(
    rf"\[/?(?:{_STAGE_WORDS})(?:[ \t]?[:|=]{_INNER}|[ \t]{_INNER})?\]"
    rf"|\[/?(?i:stage|scene)[ \t]?[:|]{_INNER}\]"
    r"|</?(?i:stage|scene|sense)(?:[ \t:][^<>\n]*)?/?>"
    r"|\bSTAGE/\d+(?:\.\d+)*\b"
)
_CHAIN = re.compile(
    rf"\[/?(?:{_CHAIN_WORDS})(?:[ \t]?[:|=#]{_INNER}|[ \t]{_INNER})?\]"
    rf"|\[/?(?i:chain|directive)[ \t]?[:|]{_INNER}\]"
    r"|</?(?i:chain|directive)(?:[ \t:][^<>\n]*)?/?>"
    r"|\bCHAIN/\d+(?:\.\d+)*\b"
)
_HEADER = re.compile(
    r"^[ \t>*]{0,8}(FROM|TO|PRIORITY|TYPE|DIRECTIVE|INTENT|STATUS|REF)\*{0,2}:\*{0,2}[ \t]*\S.*$",
    re.MULTILINE,
)
_NEEDED = frozenset({"FROM", "TO", "PRIORITY"})
_FROM, _TO, _PRIORITY = (re.compile(rf"(?:^|\s){word}:[ \t]?\S+") for word in ("FROM", "TO", "PRIORITY"))
_WITHIN = 240
"""A header on one line, or after other words, stands within so many characters."""
_LONGEST_SNIPPET = 120


def origins(texts: Iterable[str]) -> set[str]:
    """Return which of `stage-origin` and `chain-origin` these texts have; code blocks do not count."""
    found: set[str] = set()
    for text in texts:
        bare = _without_code(text)
        if _STAGE.search(bare):
            found.add(STAGE_ORIGIN)
        if _CHAIN.search(bare) or _headers(bare):
            found.add(CHAIN_ORIGIN)
    return found


def protocol_syntax(text: str) -> list[str]:
    """Return the pieces of STAGE and CHAIN syntax in a reply, in order, each on one line and cut if long."""
    spans = find_syntax(text)
    snippets = [" ".join(text[start:end].split())[:_LONGEST_SNIPPET] for start, end in sorted(spans)]
    return list(dict.fromkeys(snippets))


def find_syntax(text: str) -> list[tuple[int, int]]:
    """Return where the pieces of STAGE and CHAIN syntax stand in a text."""
    spans = [match.span() for pattern in (_STAGE, _CHAIN) for match in pattern.finditer(text)]
    return [*spans, *_headers(text)]


def _without_code(text: str) -> str:
    if "```" not in text and "~~~" not in text:
        return text
    lines = text.split("\n")
    return "\n".join(line for line, fenced in zip(lines, fenced_lines(lines), strict=True) if not fenced)


def _headers(text: str) -> list[tuple[int, int]]:
    """Return the bounds of header blocks: FROM, TO and PRIORITY on consecutive lines, or close together."""
    spans: list[tuple[int, int]] = []
    block: list[re.Match[str]] = []
    for match in [*_HEADER.finditer(text), None]:
        if match is not None and block and text[block[-1].end() : match.start()].strip("\r\n") == "":
            block.append(match)
            continue
        if {part[1] for part in block} >= _NEEDED:
            spans.append((block[0].start(), block[-1].end()))
        block = [match] if match is not None else []
    for first in _FROM.finditer(text):
        end = first.start() + _WITHIN
        to = _TO.search(text, first.end(), end)
        priority = _PRIORITY.search(text, to.end(), end) if to else None
        if priority and "\n\n" not in text[first.end() : priority.start()]:
            spans.append((first.start(), priority.end()))
    apart: list[tuple[int, int]] = []
    for span in sorted(spans):
        if not apart or span[0] >= apart[-1][1]:
            apart.append(span)
    return apart
