"""A story told in little room: the newest chapters whole, those before them in short (Dream Weaver §3.2)."""

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

from reel_cli.core.frozen import late
from reel_cli.features.dream.dream import Chapter

AMENDED = "> **Amended "
"""Beginning of the note below a chapter that corrects some of its words."""
WHOLE, SHORT, TITLE = "whole", "marker", "tag"
"""Forms a chapter can be told in, by the names of a memory's resolutions."""
_SENTENCE = late(r".{12,}?[.!?…][\"”’')*_]*(?=\s|$)", re.DOTALL)
_GAP = late(r"\n[ \t]*\n")
_LONGEST = 240
"""Characters that a sentence of a digest is cut to."""
_STEPS = 8
"""A chapter of the digest takes at most this part of the room that is left: the older, the shorter."""


class ChapterTelling(NamedTuple):
    """One chapter as it is told: its place among them (from 0), how, the text and its tokens."""

    place: int
    resolution: str
    text: str
    tokens: int


class ChapterWriting(Protocol):
    """The form in which chapters are written; each text ends in a blank line, so that counts add up."""

    def whole(self, chapter: Chapter) -> str:
        """Return a chapter as it stands."""

    def short(self, chapter: Chapter, text: str) -> str:
        """Return a chapter's digest; its title alone if `text` is ""."""


def tell_newest_whole(
    chapters: Sequence[Chapter], room: int, writing: ChapterWriting, count: Callable[[str], int]
) -> list[ChapterTelling]:
    """Return what fits into `room` tokens, oldest first: all whole, or the newest whole and others short.

    The oldest, for which there is no room even by their titles, are not in it.
    """
    whole: list[ChapterTelling] = []
    room, used = max(room, 0), 0
    for place in range(len(chapters) - 1, -1, -1):
        text = writing.whole(chapters[place])
        one = ChapterTelling(place, WHOLE, text, count(text))
        used += one.tokens
        whole.append(one)
        if used > room:
            break
    if used > room:
        while used > room * 3 // 4:
            used -= whole.pop().tokens
    first = len(chapters) - len(whole)
    return [*_digest(chapters[:first], room - used, writing, count, newest=not whole), *reversed(whole)]


def _digest(
    chapters: Sequence[Chapter],
    room: int,
    writing: ChapterWriting,
    count: Callable[[str], int],
    *,
    newest: bool,
) -> list[ChapterTelling]:
    """Return the beginnings of chapters, oldest first; with `newest` the last has half the room."""
    told: list[ChapterTelling] = []
    for place in range(len(chapters) - 1, -1, -1):
        half = newest and not told
        share = room // 2 if half else room // min(place + 1, _STEPS)
        one = tell_in_short(chapters[place], place, share, writing, count)
        if one.tokens > room:
            break
        told.append(one)
        room -= one.tokens
    return told[::-1]


def tell_in_short(
    chapter: Chapter, place: int, room: int, writing: ChapterWriting, count: Callable[[str], int]
) -> ChapterTelling:
    """Return each paragraph's first sentence, as many as fit, with amendments; else the title alone.

    Nothing is told of a chapter without what was put right in it since.
    """
    paragraphs = _GAP.split(chapter.text)
    notes = [p.strip() for p in paragraphs if p.lstrip().startswith(AMENDED)]
    left = room - count(writing.short(chapter, "\n\n".join(notes) or "…"))
    sentences: list[str] = []
    for paragraph in paragraphs:
        plain = " ".join(paragraph.split())
        if not plain or plain.startswith((AMENDED, "#")):
            continue
        found = None if plain.startswith(">") else _SENTENCE.match(plain)
        sentence = (found[0] if found else plain)[:_LONGEST]
        left -= count(sentence) + 1
        if left < 0:
            break
        sentences.append(sentence)
    while sentences:
        text = writing.short(chapter, "\n\n".join((" ".join(sentences), *notes)))
        tokens = count(text)
        if tokens <= room:
            return ChapterTelling(place, SHORT, text, tokens)
        sentences.pop()
    text = writing.short(chapter, "")
    return ChapterTelling(place, TITLE, text, count(text))
