"""A story told in little room: the newest chapters whole, those before them in short (Dream Weaver §3.2)."""

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import NamedTuple, Protocol

from reel_cli.core.frozen import late
from reel_cli.features.dream.dream import Chapter

AMENDED = "> **Amended "
"""Beginning of the note below a chapter that corrects some of its words."""
WHOLE, SHORT, TITLE = "whole", "marker", "tag"
"""Forms a chapter can be told in, by the names of a memory's resolutions."""
_SENTENCE = late(r".{12,}?[.!?…][\"”’')*_]*(?=\s|$)", re.DOTALL)
_GAP = late(r"\n[ \t]*\n")
_WORD = late(r"[^\W_]+")
_SPECIAL, _CONTENT, _AROUND = 4, 4, 40
"""Weight of a name or number beside other words, letters of a word that counts, and characters that stand for
the cost of a sentence beside its words."""
_LONGEST = 400
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
    whole = tell_whole_ones(chapters, room, writing, count)
    rest = chapters[: len(chapters) - len(whole)]
    left = max(room, 0) - sum(one.tokens for one in whole)
    return [*_digest(rest, left, writing, count, newest=not whole), *whole]


def tell_whole_ones(
    chapters: Sequence[Chapter], room: int, writing: ChapterWriting, count: Callable[[str], int]
) -> list[ChapterTelling]:
    """Return the chapters told whole, oldest first: all, or the newest in three quarters of `room`."""
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
    return whole[::-1]


def _digest(
    chapters: Sequence[Chapter],
    room: int,
    writing: ChapterWriting,
    count: Callable[[str], int],
    *,
    newest: bool,
) -> list[ChapterTelling]:
    """Return the beginnings of chapters, oldest first; with `newest` the last has half the room.

    Of chapters of which only titles would fit nothing is told. The room that shares leave goes to the newest.
    """
    told: list[ChapterTelling] = []
    for place in range(len(chapters) - 1, -1, -1):
        half = newest and not told
        share = room // 2 if half else room // max(min(place + 1, _STEPS), 2)
        one = tell_in_short(chapters[place], share, writing, count)
        if one.resolution == TITLE:
            # rather one sentence of a nearer chapter than more of those before it
            one = tell_in_short(chapters[place], room, writing, count, most=1)
        if one.tokens > room:
            break
        told.append(one._replace(place=place))
        room -= one.tokens
    for at, one in enumerate(told):
        if one.resolution == SHORT:
            fuller = tell_in_short(chapters[one.place], one.tokens + room, writing, count)
            if fuller.tokens > one.tokens:
                room -= fuller.tokens - one.tokens
                told[at] = fuller._replace(place=one.place)
    if newest and all(one.resolution == TITLE for one in told):
        return []
    return told[::-1]


def tell_in_short(
    chapter: Chapter,
    room: int,
    writing: ChapterWriting,
    count: Callable[[str], int],
    most: int | None = None,
) -> ChapterTelling:
    """Return the beginnings of paragraphs, as much as fits, with amendments; else the title alone.

    They go on where the next sentence tells most; `most` is the number of sentences. Nothing is told of a
    chapter without what was put right in it since.
    """
    notes = list_notes(chapter.text)
    left = room - count(writing.short(chapter, "\n\n".join(notes) or "…"))
    order: list[tuple[int, int, str]] = []
    for one in _by_worth(list_paragraphs(chapter.text)):
        left -= count(one[2]) + 1
        if left < 0 or len(order) == most:
            break
        order.append(one)
    while order:
        text = write_digest(chapter, order, notes, writing)
        tokens = count(text)
        if tokens <= room:
            return ChapterTelling(0, SHORT, text, tokens)
        order.pop()
    text = writing.short(chapter, "")
    return ChapterTelling(0, TITLE, text, count(text))


def list_notes(text: str) -> Sequence[str]:
    """Return what was put right in a chapter since."""
    return [one.strip() for one in _GAP.split(text) if one.lstrip().startswith(AMENDED)]


def list_paragraphs(text: str) -> Sequence[Sequence[str]]:
    """Return the sentences of each paragraph of a chapter that a digest may tell."""
    return [_sentences(paragraph) for paragraph in _GAP.split(text)]


def write_digest(
    chapter: Chapter,
    sentences: Sequence[tuple[int, int, str]],
    notes: Sequence[str],
    writing: ChapterWriting,
) -> str:
    """Return sentences of a chapter, each with its paragraph and number, in order and with its notes."""
    return writing.short(chapter, "\n\n".join((_join(sentences), *notes)))


def _sentences(paragraph: str) -> Sequence[str]:
    """Return the sentences of a paragraph that a digest may tell: a quotation as one, no heading or note."""
    plain = " ".join(paragraph.split())
    if not plain or plain.startswith((AMENDED, "#")):
        return ()
    if plain.startswith(">"):
        return [_cut(plain)]
    parts = [*_SENTENCE.findall(plain)]
    parts.append(plain[len("".join(parts)) :])
    told: list[str] = []
    begun = ""
    for part in parts:
        begun += part
        # a quotation is not parted
        if begun.count('"') % 2 == 0 and begun.count("“") <= begun.count("”"):
            told.append(begun.strip())
            begun = ""
    return [_cut(one) for one in (*told, begun.strip()) if one]


def _cut(sentence: str) -> str:
    """Return a sentence, without its end if it is very long."""
    if len(sentence) <= _LONGEST:
        return sentence
    kept = f"{sentence[:_LONGEST].rpartition(' ')[0] or sentence[:_LONGEST]} …"
    if kept.count("“") > kept.count("”"):
        kept += "”"
    return kept + '"' * (kept.count('"') % 2)


def _by_worth(paragraphs: Sequence[Sequence[str]]) -> Iterator[tuple[int, int, str]]:
    """Yield all sentences, each after those before it in its paragraph: paragraph, number, words.

    The next is always the one that says most for its length: names and numbers, and words not said yet.
    """
    heads = {at: 0 for at, told in enumerate(paragraphs) if told}
    said: set[str] = set()
    while heads:
        at = max(heads, key=lambda at: (_worth(paragraphs[at][heads[at]], said), -at))
        sentence = paragraphs[at][heads[at]]
        yield at, heads[at], sentence
        said.update(_WORD.findall(sentence))
        heads[at] += 1
        if heads[at] == len(paragraphs[at]):
            del heads[at]


def _worth(sentence: str, said: Collection[str]) -> float:
    """Return how much a sentence tells that is not `said`, for its length."""
    words = [match[0] for match in _WORD.finditer(sentence)]
    worth = sum(
        _SPECIAL if word[0].isdigit() or (number and word[0].isupper() and len(word) > 1) else 1
        for number, word in enumerate(words)
        if word not in said and (len(word) >= _CONTENT or word[0].isdigit())
    )
    return worth / (len(sentence) + _AROUND)


def _join(chosen: Sequence[tuple[int, int, str]]) -> str:
    """Return the sentences in the order of the text; paragraphs where one of them has several."""
    told: dict[int, list[str]] = {}
    for at, _, sentence in sorted(chosen):
        told.setdefault(at, []).append(sentence)
    apart = "\n\n" if any(len(one) > 1 for one in told.values()) else " "
    return apart.join(" ".join(one) for one in told.values())
