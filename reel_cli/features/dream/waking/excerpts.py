"""Excerpts of a story: of chapters without room, the sentences that say most that the bundle does not say."""

from collections.abc import Callable, Collection, Iterator, Sequence
from functools import lru_cache
from heapq import heapify, heappop, heappush
from typing import NamedTuple

from reel_cli.core.frozen import late
from reel_cli.core.pack.cue import stems_of
from reel_cli.features.dream.dream import Chapter
from reel_cli.features.dream.shortening import (
    SHORT,
    ChapterTelling,
    ChapterWriting,
    list_notes,
    list_paragraphs,
    write_digest,
)

MOST_READ = 100_000
"""Characters of a story that are looked through, the newest chapters first."""
_WORD = late(r"[^\W_]+")
_OPENS = '.!?…:;–—"“”„«»‘(['
_SPECIAL = 4
"""Worth of a name or a number; any other word has 1."""
_AGAIN, _ONCE_MORE = 0.2, 0.02
"""Part that a word is still worth which the bundle says already, and which an excerpt has said."""
_QUOTES = "\"“”„«»‘'「『>"
"""Signs with which words begin of which only the sentence before tells whose they are."""
_AROUND = 40
"""Characters that stand for the cost of a sentence beside its words."""
_BESIDE = 2
"""Tokens between a sentence and the next, at most."""
_SHORTEST = 6
"""Tokens of a sentence, with what stands beside it, at least."""
_LONGEST_TOKEN = 8
"""Characters of a token, at most, where many stand together."""


class _Sentence(NamedTuple):
    """A sentence with its place in a chapter: the paragraph, and its number there.

    `stems` has what each word is worth; `names` says that it names somebody or something, or a number.
    """

    paragraph: int
    number: int
    text: str
    stems: dict[str, int]
    names: bool


@lru_cache(maxsize=4_000)
def list_stems(text: str) -> Collection[str]:
    """Return the stems of a text's content words, numbers among them; one bundle asks several times."""
    return frozenset(stem for found in _WORD.finditer(text.casefold()) for stem in _stems(found[0]))


@lru_cache(maxsize=50_000)
def _stems(word: str) -> Sequence[str]:
    return (word,) if word[0].isdigit() else stems_of(word)


@lru_cache(maxsize=500)
def _sentences(chapter: str) -> Sequence[_Sentence]:
    """Return the sentences of a chapter's text."""
    found = []
    for at, paragraph in enumerate(list_paragraphs(chapter)):
        for number, text in enumerate(paragraph):
            stems: dict[str, int] = {}
            # in a script without capitals nothing shows what a sentence is about
            names = text.upper() == text.lower()
            quotes = text[:1] in _QUOTES
            for match in _WORD.finditer(text):
                word = match[0]
                is_name = word[0].isupper() and len(word) > 1 and not _opens(text[: match.start()])
                is_special = is_name or word[0].isdigit()
                names = names or is_special
                for stem in _stems(word.casefold()):
                    stems[stem] = max(_SPECIAL if is_special else 1, stems.get(stem, 0))
            found.append(_Sentence(at, number, text, stems, names and not quotes))
    return found


def _opens(before: str) -> bool:
    """Return whether a word behind this text begins a sentence, so that any has a capital."""
    before = before.rstrip()
    return not before or before[-1] in _OPENS


def tell_excerpts(
    chapters: Sequence[Chapter],
    room: int,
    writing: ChapterWriting,
    count: Callable[[str], int],
    said: Collection[str],
) -> list[ChapterTelling]:
    """Return excerpts of the chapters within `room` tokens, oldest first; not all have one.

    `said` are the stems of what the bundle says already. A sentence stands by itself only where it names
    somebody or something, or a number: what others mean, and who is quoted, shows from the one before.
    Nothing is told of a chapter without what was put right in it since.
    """
    order = _Order(chapters, said)
    chosen: dict[int, list[_Sentence]] = {}
    opening: dict[int, int] = {}
    told: list[ChapterTelling] = []
    left, number = room, -1
    while number < (now := sum(map(len, chosen.values()))):
        number = now
        for at, one in order:
            if left < _SHORTEST:
                break
            # what is surely too long need not be counted
            if len(one.text) > left * _LONGEST_TOKEN:
                continue
            needed = count(one.text) + _BESIDE
            if at not in chosen:
                if at not in opening:
                    opening[at] = count(_write(chapters[at], (), writing))
                needed += opening[at]
            if needed <= left:
                left -= needed
                chosen.setdefault(at, []).append(one)
                order.take(at, one)
        texts = ((at, _write(chapters[at], chosen[at], writing)) for at in sorted(chosen))
        told = [ChapterTelling(at, SHORT, text, count(text)) for at, text in texts]
        # together they take a little less than one by one
        left = room - sum(one.tokens for one in told)
    # counts need not add up
    while sum(one.tokens for one in told) > max(room, 0):
        del told[0]
    return told


def _write(chapter: Chapter, sentences: Sequence[_Sentence], writing: ChapterWriting) -> str:
    parts = [(one.paragraph, one.number, one.text) for one in sentences]
    return write_digest(chapter, parts, list_notes(chapter.text), writing)


class _Order:
    """The order of sentences, each with the place of its chapter: always the next that says most."""

    def __init__(self, chapters: Sequence[Chapter], said: Collection[str]) -> None:
        """Begin with the sentences that stand by themselves."""
        self._chapters = chapters
        self._said, self._told = said, set[str]()
        self._heap: list[tuple[float, int, int]] = []
        self._passed: list[tuple[float, int, int]] = []
        self._held: dict[tuple[int, int, int], int] = {}
        """Places of those that need the sentence before, by chapter, paragraph and number."""
        read = 0
        for at in range(len(chapters) - 1, -1, -1):
            read += len(chapters[at].text)
            if read > MOST_READ:
                break
            for place, one in enumerate(_sentences(chapters[at].text)):
                if one.names:
                    self._heap.append((-self._gain(one), at, place))
                else:
                    self._held[at, one.paragraph, one.number] = place

    def __iter__(self) -> Iterator[tuple[int, _Sentence]]:
        """Yield each sentence that is not taken, the best first."""
        self._heap += self._passed
        heapify(self._heap)
        self._passed = []
        while self._heap:
            known, at, place = heappop(self._heap)
            one = _sentences(self._chapters[at].text)[place]
            gain = self._gain(one)
            if gain < -known - 1e-9:
                heappush(self._heap, (-gain, at, place))
            else:
                self._passed.append((-gain, at, place))
                yield at, one

    def take(self, at: int, one: _Sentence) -> None:
        """Take a sentence for told: its words are said, and the one behind it may follow."""
        self._told |= one.stems.keys()
        self._passed.pop()
        place = self._held.pop((at, one.paragraph, one.number + 1), None)
        if place is not None:
            behind = _sentences(self._chapters[at].text)[place]
            heappush(self._heap, (-self._gain(behind), at, place))

    def _gain(self, one: _Sentence) -> float:
        """Return what a sentence says, above all anew, for its length."""
        worth = sum(worth * self._part(stem) for stem, worth in one.stems.items())
        return worth / (len(one.text) + _AROUND)

    def _part(self, stem: str) -> float:
        """Return the part that a word is still worth."""
        if stem in self._told:
            return _ONCE_MORE
        return _AGAIN if stem in self._said else 1.0
