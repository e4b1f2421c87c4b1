"""A list of memories as a person pastes it: one a line, an item or a paragraph, under headings or none."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from reel_cli.core.values.change import one_line

NARROWEST = 40
"""A line of fewer letters is not one that was wrapped."""
_BULLET = re.compile(r"[ \t]*(?:[-*•–]|\d{1,3}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?")
_DAY = re.compile(r"[ \t]*\[\d{4}-\d{2}-\d{2}\]")
_HEADING = re.compile(r"#{1,6}[ \t]+")
_BOLD = re.compile(r"\*\*[^*\n]{1,80}\*\*:?")
_SENTENCE_END = re.compile(r"[.!?…:。！？][\"'”’»)\]*_]*[ \t]*$")
_OWN_TITLE = re.compile(
    r"(?:(?:my|your|the|all|saved|stored|manage|reference|user|chatgpt|claude)(?:['’]s)?\s+)*"
    r"(?:memory|memories)|model set context",
    re.IGNORECASE,
)
"""Pattern of the headings that programs themselves write above such a list."""


@dataclass(frozen=True, slots=True)
class ListedMemory:
    """One memory of a list, and the heading it stands under ("": none)."""

    words: str
    heading: str = ""


@dataclass(frozen=True, slots=True)
class _Part:
    """A line, an item or a paragraph, on one line."""

    words: str
    item: bool = False


def read_list(text: str) -> tuple[Sequence[ListedMemory], Sequence[str]]:
    """Return the memories of a list, and its lines that only announce a list."""
    told: list[ListedMemory] = []
    leads: list[str] = []
    heading = ""
    parts = list(_parts(text))
    for place, part in enumerate(parts):
        words = _HEADING.sub("", part.words).strip("*: ")
        if _HEADING.match(part.words) or _BOLD.fullmatch(part.words):
            own = _OWN_TITLE.fullmatch(words) is not None
            heading = "" if own else one_line(words)
            leads += [part.words] if own else []
        elif place + 1 < len(parts) and _leads(part, parts[place + 1], first=not place):
            leads.append(part.words)
        elif re.search(r"\w", part.words):
            told.append(ListedMemory(part.words, heading))
    return told, leads


def _leads(part: _Part, after: _Part, *, first: bool) -> bool:
    """Return whether a part only announces a list; in the midst of lines a colon alone is no sign."""
    if part.item or not (first or after.item):
        return False
    return part.words.endswith((":", "：")) or _OWN_TITLE.fullmatch(part.words.strip("*: ")) is not None


def _parts(text: str) -> Iterator[_Part]:
    block: list[str] = []
    for line in [*text.splitlines(), ""]:
        heads = bool(_HEADING.match(line))
        if block and (heads or not line.strip() or _BULLET.match(line) or _DAY.match(line)):
            yield from _of_block(block)
            block = []
        if heads:
            yield _Part(line.strip())
        elif line.strip():
            block.append(line.rstrip())


def _of_block(block: Sequence[str]) -> Iterator[_Part]:
    """Yield the memories in consecutive lines; only the first of them may be an item."""
    bullet = _BULLET.match(block[0])
    goes_on = _wrapping(block)
    held: list[str] = []
    item = bullet is not None
    for place, line in enumerate(block):
        words = line[bullet.end() :] if bullet and not place else line
        inside = item and line[:1] in {" ", "\t"}
        if held and not inside and not goes_on[place - 1]:
            yield _Part(one_line(" ".join(held)), item)
            held, item = [], False
        held.append(words)
    yield _Part(one_line(" ".join(held)), item)


def _wrapping(block: Sequence[str]) -> Sequence[bool]:
    """Return for each line but the last whether it continues below; most lists have one memory a line.

    A long line goes on that breaks off in the midst of a sentence: the one below has no capital, though the
    whole begins with one. Where that is so, and every line is as long as the next word allows or ends a
    sentence, the lines are a text cut at that width, and its full lines go on whatever they end with.
    """
    width = max(map(len, block))
    pairs = list(pairwise(block))
    if width < NARROWEST or _BULLET.sub("", block[0], count=1).lstrip()[:1].islower():
        return [False] * len(pairs)
    ends = [_SENTENCE_END.search(line) is not None for line in block]
    full = [_is_full(line, below, width) for line, below in pairs]
    broken = [
        len(line) >= NARROWEST and not end and not below.lstrip()[:1].isupper()
        for (line, below), end in zip(pairs, ends, strict=False)
    ]
    cut = any(broken) and all(one or end for one, end in zip(full, ends, strict=False))
    return full if cut else broken


def _is_full(line: str, below: str, width: int) -> bool:
    """Return whether the first word of the line below would not have fitted on this one."""
    word = below.split(maxsplit=1)[0]
    # a script without spaces can be cut after any letter
    spaced = word[0].lower() != word[0].upper() or not word[0].isalpha()
    return len(line) + 1 + (len(word) if spaced else 1) > width
