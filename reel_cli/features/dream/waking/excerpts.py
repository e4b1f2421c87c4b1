"""Excerpts of a story: of chapters without room, the passages that say most that the bundle does not say."""

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
_LINKS = late(
    r"(?i)(?:and|but|so|or|then|there|that|this|these|those|it|its|which|both|neither|also|och|men|så|sen|sedan|"
    r"där|det|den|denna|detta|und|aber|dann|da|das|dies\w*|es|et|mais|puis|alors|cel\w+|y|pero|luego|entonces|"
    r"es[ot]\w?)\b"
)
"""Words with which a sentence begins that goes on from the one before."""
_THEN = late(r"(?i)(?:then|sen|sedan|dann|puis|luego|entonces)\b")
_PRONOUN = late(
    r"(?i)\b(?:he|him|his|she|hers?|they|them|theirs?|han|hans|honom|hon|hennes|henne|de|dem|deras|er|ihn|ihm|sie|"
    r"ihr\w*|sein\w*|il|elle|ils|elles|él|ella|ellos|ellas)\b"
)
"""Words for somebody who is named before, in the language of a story."""
_FEW, _MOST = 5, 3
"""Words of a sentence below which it tells nothing by itself, and sentences that are begun with, at most."""
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

    `stems` has what each word is worth. `names` says that it names somebody or something, or a number;
    `opens` that a passage may begin with it, since it does not hang on the one before.
    """

    paragraph: int
    number: int
    text: str
    stems: dict[str, int]
    names: bool
    opens: bool


class _Passage(NamedTuple):
    """Neighbouring sentences of one paragraph that are told together, from `first` until before `end`."""

    chapter: int
    paragraph: int
    first: int
    end: int


@lru_cache(maxsize=4_000)
def list_stems(text: str) -> Collection[str]:
    """Return the stems of a text's content words, numbers among them; one bundle asks several times."""
    return frozenset(stem for found in _WORD.finditer(text.casefold()) for stem in _stems(found[0]))


@lru_cache(maxsize=50_000)
def _stems(word: str) -> Sequence[str]:
    return (word,) if word[0].isdigit() else stems_of(word)


@lru_cache(maxsize=500)
def _paragraphs(chapter: str) -> Sequence[Sequence[_Sentence]]:
    """Return the sentences of a chapter's text, by paragraph."""
    return [
        [_read(at, number, text) for number, text in enumerate(paragraph)]
        for at, paragraph in enumerate(list_paragraphs(chapter))
    ]


def _read(paragraph: int, number: int, text: str) -> _Sentence:
    """Return a sentence with what its words are worth."""
    stems: dict[str, int] = {}
    # in a script without capitals nothing shows what a sentence is about
    first = 0 if text.upper() == text.lower() else len(text)
    for match in _WORD.finditer(text):
        word = match[0]
        is_name = word[0].isupper() and len(word) > 1 and not _opens(text[: match.start()])
        is_special = is_name or word[0].isdigit()
        if is_special:
            first = min(first, match.start())
        for stem in _stems(word.casefold()):
            stems[stem] = max(_SPECIAL if is_special else 1, stems.get(stem, 0))
    names = first < len(text)
    opens = text[:1] not in _QUOTES
    if number:
        # somebody not named yet is known from the sentence before
        opens = opens and names and not (_LINKS.match(text) or _PRONOUN.search(text, 0, first))
    else:
        # a paragraph begins with the one whom the story is about, or with a day
        opens = opens and (not _LINKS.match(text) or bool(_THEN.match(text) and names))
    return _Sentence(paragraph, number, text, stems, names, opens)


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

    `said` are the stems of what the bundle says already. Of a paragraph neighbouring sentences are told, at
    least two of them, from one that does not hang on the sentence before; where none fit, one that begins a
    paragraph. Nothing is told of a chapter without what was put right in it since.
    """
    return _tell(_Order(chapters, said), room, writing, count) or _tell(
        _Order(chapters, said, least=1), room, writing, count
    )


def _tell(
    order: "_Order", room: int, writing: ChapterWriting, count: Callable[[str], int]
) -> list[ChapterTelling]:
    """Return what fits into the room of what the order brings; with `least` 1 no more than one sentence."""
    chapters = order.chapters
    chosen: dict[int, list[_Sentence]] = {}
    opening: dict[int, int] = {}
    told: list[ChapterTelling] = []
    left, number = room, -1
    while number < (now := sum(map(len, chosen.values()))) and not (now and order.least == 1):
        number = now
        for passage in order:
            if left < _SHORTEST:
                break
            sentences, at = order.sentences(passage), passage.chapter
            text = " ".join(one.text for one in sentences)
            # what is surely too long need not be counted
            if len(text) > left * _LONGEST_TOKEN:
                continue
            needed = count(text) + _BESIDE
            if at not in chosen:
                if at not in opening:
                    opening[at] = count(_write(chapters[at], (), writing))
                needed += opening[at]
            if needed <= left:
                left -= needed
                chosen.setdefault(at, []).extend(sentences)
                order.take(passage)
                if order.least == 1:
                    break
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
    """The order of passages: always the next that says most."""

    def __init__(self, chapters: Sequence[Chapter], said: Collection[str], *, least: int = 2) -> None:
        """Begin with passages of `least` sentences, or more where one hangs on those before it."""
        self.chapters, self.least = chapters, least
        self._said, self._told = said, set[str]()
        self._heap: list[tuple[float, _Passage]] = []
        self._passed: list[tuple[float, _Passage]] = []
        self._begun: dict[tuple[int, int], tuple[int, int]] = {}
        """First told sentence and the end of those told, by chapter and paragraph."""
        read = 0
        for at in range(len(chapters) - 1, -1, -1):
            read += len(chapters[at].text)
            if read > MOST_READ:
                break
            for number, paragraph in enumerate(_paragraphs(chapters[at].text)):
                self._heap += [(-self._gain(one), one) for one in self._list_openings(at, number, paragraph)]

    def _list_openings(self, at: int, number: int, paragraph: Sequence[_Sentence]) -> Iterator[_Passage]:
        """Yield the passages of a paragraph that may be told of it first."""
        if self.least == 1:
            if paragraph and paragraph[0].opens and paragraph[0].names and _says(paragraph[0]):
                yield _Passage(at, number, 0, 1)
            return
        for first, one in enumerate(paragraph):
            if not one.opens:
                continue
            for end in range(first + 2, min(first + _MOST, len(paragraph)) + 1):
                if any(each.names for each in paragraph[first:end]):
                    yield _Passage(at, number, first, end)
        if len(paragraph) == 1 and paragraph[0].opens and paragraph[0].names and _says(paragraph[0]):
            yield _Passage(at, number, 0, 1)

    def sentences(self, passage: _Passage) -> Sequence[_Sentence]:
        """Return the sentences of a passage."""
        paragraph = _paragraphs(self.chapters[passage.chapter].text)[passage.paragraph]
        return paragraph[passage.first : passage.end]

    def __iter__(self) -> Iterator[_Passage]:
        """Yield each passage that is not taken, the best first."""
        self._heap += self._passed
        heapify(self._heap)
        self._passed = []
        while self._heap:
            known, one = heappop(self._heap)
            if not self._may_follow(one):
                continue
            gain = self._gain(one)
            if gain < -known - 1e-9:
                heappush(self._heap, (-gain, one))
            else:
                self._passed.append((-gain, one))
                yield one

    def _may_follow(self, one: _Passage) -> bool:
        """Return whether nothing of the paragraph is told, or what stands beside the passage."""
        begun = self._begun.get((one.chapter, one.paragraph))
        return begun is None or one.first == begun[1] or one.end == begun[0]

    def take(self, one: _Passage) -> None:
        """Take a passage for told: its words are said, and what stands beside it may follow."""
        self._passed.pop()
        for each in self.sentences(one):
            self._told |= each.stems.keys()
        key = (one.chapter, one.paragraph)
        first, end = self._begun.get(key, (one.first, one.end))
        first, end = min(first, one.first), max(end, one.end)
        self._begun[key] = (first, end)
        paragraph = _paragraphs(self.chapters[one.chapter].text)[one.paragraph]
        beside = []
        if end < len(paragraph):
            beside.append(one._replace(first=end, end=end + 1))
        before = [at for at in range(max(first - _MOST, 0), first) if paragraph[at].opens]
        if before:
            beside.append(one._replace(first=before[-1], end=first))
        for neighbour in beside:
            heappush(self._heap, (-self._gain(neighbour), neighbour))

    def _gain(self, one: _Passage) -> float:
        """Return what a passage says, above all anew, for its length."""
        sentences = self.sentences(one)
        stems: dict[str, int] = {}
        for each in sentences:
            for stem, worth in each.stems.items():
                stems[stem] = max(worth, stems.get(stem, 0))
        total = sum(worth * self._part(stem) for stem, worth in stems.items())
        return total / (sum(len(each.text) for each in sentences) + _AROUND)

    def _part(self, stem: str) -> float:
        """Return the part that a word is still worth."""
        if stem in self._told:
            return _ONCE_MORE
        return _AGAIN if stem in self._said else 1.0


def _says(sentence: _Sentence) -> bool:
    """Return whether a sentence tells something by itself: "Then 5 September." does not."""
    text = sentence.text
    return text.upper() == text.lower() or len(_WORD.findall(text)) >= _FEW
