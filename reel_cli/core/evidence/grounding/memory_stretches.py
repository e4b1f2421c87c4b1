"""Stretches of a memory's file: its paragraphs with their lines, and its text without what reel writes."""

import re
from collections.abc import Iterator, Sequence

from reel_cli.core.evidence.grounding.check import Stretch
from reel_cli.core.values.memory import FIELDS, PAST_STATES, Memory

_HEADING = re.compile(r"#{1,6}\s+(.*?)\s*#*$")
_PAST = re.compile(rf"(?ms)^## {PAST_STATES}$.*?(?=^## |\Z)")
_ITEM = re.compile(r"\s*(?:[-*+•]|\d+[.)])\s+")
_FRONT = re.compile(r"(title|marker|tag|anchor):")


def read_stretches(memory: Memory, text: str) -> list[Stretch]:
    """Return the paragraphs of a memory's file, each with its lines: the body, then the front matter."""
    lines = text.split("\n")
    end = 0
    if lines[0].rstrip() == "---":
        end = next((number for number, line in enumerate(lines[1:], 2) if line.rstrip() == "---"), 0)
    heads = ((_FRONT.match(line), number) for number, line in enumerate(lines[:end], 1))
    places = {head[1]: number for head, number in heads if head is not None}
    told = list(_paragraphs(lines, end))
    for key, value in (("title", memory.title), ("marker", memory.marker), ("tag", memory.tag)):
        if value and key in places:
            told.append(Stretch(value, ((0, places[key]),), title=key != "marker", told=key == "marker"))
    if memory.anchor and "anchor" in places:
        quoted = '"' + memory.anchor.replace('"', "'") + '"'
        told.append(Stretch(quoted, ((0, places["anchor"]),), anchors=True))
    return told


def _paragraphs(lines: Sequence[str], end: int) -> Iterator[Stretch]:
    """Yield lines that belong together, as one text; each item of a list by itself.

    Past states are the kit's own words of other days, and no claim about this source.
    """
    section = ""
    text, marks = "", list[tuple[int, int]]()

    def stretch() -> Iterator[Stretch]:
        if text.strip() and section != PAST_STATES:
            told = section in ("", FIELDS[0])
            yield Stretch(
                text, tuple(marks), anchors=section == FIELDS[4], open=section == FIELDS[3], told=told
            )

    for number, line in enumerate(lines[end:], end + 1):
        heading = _HEADING.match(line)
        item = _ITEM.match(line)
        if heading or item or not line.strip():
            yield from stretch()
            text, marks = "", []
        if heading:
            section = heading[1].replace("’", "'")
        elif line.strip():
            plain = line[item.end() :] if item else line.strip()
            marks.append((len(text) + bool(text), number))
            text = f"{text} {plain}" if text else plain
    yield from stretch()


def plain_text(body: str) -> str:
    """Return a memory's body without headings and past states, which reel writes."""
    return " ".join(line for line in _PAST.sub("", body).splitlines() if line[:1] != "#")
