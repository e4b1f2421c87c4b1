"""Choice of scenes: which pieces of what was said tell most that a bundle does not tell yet.

Each piece is worth the words it brings, by how rare they are on the tape. Names and numbers count most, and a
word that the bundle tells already, or that another scene of the same talk has brought, counts less.
A prototype chose the evidence of 51 % of the questions on the five LoCoMo talks it was tuned on, with a
quarter of the tape's room; recency alone chose 28 %.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from heapq import heapify, heappop, heapreplace
from itertools import pairwise
from math import log
from typing import NamedTuple

from reel_cli.core.frozen import late
from reel_cli.core.pack.cue import stems_of
from reel_cli.core.question_words import is_question

LONGEST_PIECE = 400
"""Characters of a turn above which it is told in pieces."""
_SPECIAL = 4.0
"""Weight of a name or a number; any other word has 1."""
_WANTED = 2.0
"""Weight, besides, of a word of the cue or of an open loop."""
_TOLD, _AGAIN = 0.8, 0.5
"""Part that a word is still worth which the bundle tells already, and which a scene of the talk has told."""
_QUESTION = 0.7
"""Part that a turn is worth which only asks."""
LATELY = 1.5
"""Weight of the last turns of the newest talk."""
OWN = 1.25
"""Weight of the persona's own short turns in a small window: they tell how it speaks, too."""
LONG_ANSWER = 0.4
"""Weight of a piece of the persona's long turns, which explain more than they tell."""
_AROUND = 8
"""Tokens that a turn takes beside its words, as they are weighed."""
_CHARACTERS = 4
"""Characters of a token, about."""
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_SENTENCE = re.compile(r"(?s).+?(?:(?<!\d)[.!?…。！？]+[\"'”’)\]*]*\s+|\n+|\Z)")
_OPENS = ".!?…:;-–—\"“”'‘(["


class Piece(NamedTuple):
    """A turn, or a piece of a long one; `talk`, `turn` and `part` are its places, from 0.

    `weight` is what it is worth beside its words; `words` are those, weighed, where they are known already.
    """

    talk: int
    turn: int
    part: int
    text: str
    weight: float = 1.0
    words: Mapping[str, float] | None = None


def find_leads(pieces: Sequence[Piece]) -> Mapping[int, int]:
    """Return the places of pieces that say little alone, each with that of the piece before.

    One that opens a talk has the turn behind it.
    """
    leads: dict[int, int] = {}
    for place, (before, piece) in enumerate(pairwise(pieces), start=1):
        if (before.talk, before.turn) == (piece.talk, piece.turn):
            leads[place] = place - 1
            continue
        if (before.talk, before.turn + 1, 0) != (piece.talk, piece.turn, piece.part):
            continue
        if _leans(piece.text) or is_question(before.text):
            leads[place] = place - 1
        if not before.turn and _says_little(before.text):
            leads[place - 1] = place
    return leads


def _says_little(text: str) -> bool:
    short = len(text) <= _SHORT and len(_WORD.findall(text)) <= _LITTLE
    return short or _ASSENTS.match(text) is not None


def _leans(text: str) -> bool:
    """Return whether a turn answers the one before, or goes on from it."""
    short = len(text) <= _SHORT_ANSWER and len(_WORD.findall(text)) <= _ANSWER
    return short or _ASSENTS.match(text) is not None or _GOES_ON.match(text) is not None


_LITTLE, _SHORT = 8, 64
"""Words and characters of a turn up to which it says little, also where it opens a talk."""
_ANSWER, _SHORT_ANSWER = 24, 160
"""Words and characters of a turn up to which it is taken for an answer."""
_ASSENTS = late(r"(?i)\s*(?:yeah|yes|yep|no|nope|me too|ok(?:ay)?|both|neither|true|exactly|same)\b")
_GOES_ON = late(
    r"(?i)\W*(?:and|but|so|or|then|there|that|this|these|those|he|she|it|they|his|hers?|its|their|him|them)\b"
)


def cut_turn(text: str) -> Sequence[str]:
    """Return a turn's text in pieces of whole sentences; a short one is one piece, and no blank is lost."""
    if len(text) <= LONGEST_PIECE:
        return [text]
    pieces = [""]
    for sentence in _SENTENCE.findall(text):
        for start in range(0, len(sentence), LONGEST_PIECE):
            part = sentence[start : start + LONGEST_PIECE]
            if pieces[-1] and len(pieces[-1]) + len(part) > LONGEST_PIECE:
                pieces.append("")
            pieces[-1] += part
    return pieces


@lru_cache(maxsize=10_000)
def weigh_words(text: str) -> Mapping[str, float]:
    """Return the stems of a text's content words, each with its weight; one bundle asks several times."""
    found: dict[str, float] = {}
    for match in _WORD.finditer(text):
        word = match[0]
        is_number = word[0].isdigit()
        is_special = is_number or (word[0].isupper() and not _opens_sentence(text, match.start()))
        for stem in (word,) if is_number else _stems(word):
            weight = _SPECIAL if is_special else 1.0
            found[stem] = max(weight, found.get(stem, 0.0))
    return found


def _opens_sentence(text: str, at: int) -> bool:
    """Return whether a word stands where a sentence begins, so that any has a capital."""
    while at and text[at - 1] == " ":
        at -= 1
    return not at or text[at - 1] == "\n" or text[at - 1] in _OPENS


@lru_cache(maxsize=50_000)
def _stems(word: str) -> Sequence[str]:
    """Return the stems of a word; a tape says the same ones over and over."""
    return stems_of(word.casefold())


def _words_of(piece: Piece) -> Mapping[str, float]:
    return weigh_words(piece.text) if piece.words is None else piece.words


class SceneChooser:
    """A chooser among the pieces of some talks, for a bundle that tells the words `told` already."""

    def __init__(
        self,
        pieces: Sequence[Piece],
        places: Collection[int],
        told: Collection[str],
        wanted: Collection[str] = (),
        leads: Mapping[int, int] | None = None,
    ) -> None:
        """Choose from the `pieces` at these places; `wanted` are the words of the cue and of open loops.

        `leads` are places of pieces with which others are told, by the places of these.
        """
        self._pieces = pieces
        self._leads = leads or {}
        self._taken: set[int] = set()
        self._words = {place: _words_of(pieces[place]) for place in places}
        spread = Counter(stem for words in self._words.values() for stem in words)
        many = len(places) + 1
        self._worth = {
            stem: log(many / (count + 0.5) + 1)
            * (_TOLD if stem in told else 1.0)
            * (_WANTED if stem in wanted else 1.0)
            for stem, count in spread.items()
        }
        self._brought: defaultdict[int, Counter[str]] = defaultdict(Counter)
        self._heap = [(-self._gain(place), place) for place in places]
        heapify(self._heap)
        self.passed: list[int] = []
        """Places of the pieces that did not fit, the best first."""

    def note(self, place: int) -> None:
        """Take a piece for chosen that is not among the places."""
        piece = self._pieces[place]
        self._taken.add(place)
        self._brought[piece.talk].update(_words_of(piece).keys())

    def choose(self, cost: Callable[[Piece], int], room: int) -> Iterator[int]:
        """Yield places of pieces, the best first, that together cost at most `room`."""
        if self.passed:
            self._heap += [(-self._gain(place), place) for place in self.passed]
            heapify(self._heap)
            self.passed = []
        while self._heap:
            known, place = self._heap[0]
            if place in self._taken:
                heappop(self._heap)
                continue
            gain = -self._gain(place)
            if gain > known + 1e-9:
                heapreplace(self._heap, (gain, place))
                continue
            heappop(self._heap)
            # what is surely too long need not be counted
            told = [*self._lead_of(place), place]
            longest = sum(len(self._pieces[one].text) for one in told)
            if longest > 12 * room or (size := sum(cost(self._pieces[one]) for one in told)) > room:
                self.passed.append(place)
                if room < 1:
                    return
                continue
            room -= size
            for one in told:
                self.note(one)
                yield one

    def _lead_of(self, place: int) -> Sequence[int]:
        """Return the place of the piece that is to be told with this one, if it is not chosen already."""
        lead = self._leads.get(place)
        return () if lead is None or lead in self._taken else (lead,)

    def _gain(self, place: int) -> float:
        """Return what a piece is worth for each token, after those chosen."""
        piece, brought = self._pieces[place], self._brought[self._pieces[place].talk]
        gain = sum(
            weight * self._worth[stem] * _AGAIN ** brought[stem]
            for stem, weight in self._words[place].items()
        )
        if piece.text.rstrip().endswith("?"):
            gain *= _QUESTION
        length = len(piece.text) / _CHARACTERS + _AROUND
        for lead in self._lead_of(place):
            length += len(self._pieces[lead].text) / _CHARACTERS + _AROUND
        return gain * piece.weight / length
