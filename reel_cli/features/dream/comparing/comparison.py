"""Comparing what a persona starts from: who it is, summaries, or its story (Dream Weaver §11.3).

The same questions are put to three chats that began differently, and people rate the answers without knowing
which came from where. Everything here is a pure function of what is given; nothing is drawn by chance.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256
from itertools import permutations
from math import fsum

from reel_cli.features.dream.comparing.intervals import Estimate, estimate


class Start(StrEnum):
    """Beginnings of a chat; in the protocol's order A, B, C."""

    IDENTITY = "identity"
    SUMMARIES = "summaries"
    STORY = "story"


class Measure(StrEnum):
    """Measures for which an answer is rated, from 1 to 5."""

    COHERENCE = "coherence"
    ACCURACY = "accuracy"


STARTS = tuple(Start)
LETTERS = "xyz"
"""Labels of the answers to one question on the sheet; their assignment changes with the question."""
LEAST, MOST = 1, 5
PAIRS = (
    (Start.STORY, Start.SUMMARIES),
    (Start.STORY, Start.IDENTITY),
    (Start.SUMMARIES, Start.IDENTITY),
)
"""The differences that are told: the first less the second. The first pair is the one the dream is about."""
FEW = 10
"""Number of questions below which an interval is wide and depends on each of them."""
_NAME_LETTERS = "bcdfghjkmnpqrstvwxz"
_NAME_LENGTH = 6


@dataclass(frozen=True, slots=True)
class Comparison:
    """The secrets of one comparison: the beginning of each chat, and whose answer each letter is.

    `chats[n]` is what the (n+1)th chat began with; `orders[q]` are the starts behind `LETTERS` for the
    (q+1)th question; `tokens` count each whole prompt.
    """

    name: str
    seed: str
    questions: tuple[str, ...]
    chats: tuple[Start, ...]
    orders: tuple[tuple[Start, ...], ...]
    tokens: Mapping[Start, int]

    def start_of(self, question: int, letter: str) -> Start:
        """Return the beginning behind a letter, for a question counted from 1."""
        return self.orders[question - 1][LETTERS.index(letter)]

    def letter_of(self, question: int, start: Start) -> str:
        """Return the letter of a beginning's answer, for a question counted from 1."""
        return LETTERS[self.orders[question - 1].index(start)]


Row = tuple[int, Start]
"""One answer: its question, counted from 1, and what its chat began with."""
Marks = Mapping[Row, Mapping[Measure, int]]
"""Marks of one person for each answer; unmarked answers are absent."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of the ratings; None if there is none. `given` of `asked` ratings came in."""

    means: Mapping[Measure, Mapping[Start, Estimate | None]]
    differences: Mapping[Measure, Mapping[tuple[Start, Start], Estimate | None]]
    given: int
    asked: int


def shuffle(
    questions: Sequence[str], texts: Mapping[Start, str], tokens: Mapping[Start, int], seed: int | None
) -> Comparison:
    """Draw the orders, the same ones each time for the same seed.

    Without a seed the questions and the prompts are it. Of the six orders that three answers can have, each
    comes up once before any comes again, so that no start stands first more often than chance allows.
    """
    content = "\0".join((*questions, *(texts[start] for start in STARTS)))
    root = str(seed) if seed is not None else _digest(content)[:16]
    name = _spell(_digest(f"{root}\0{content}"))
    every = list(permutations(STARTS))
    orders: list[tuple[Start, ...]] = []
    while len(orders) < len(questions):
        block = len(orders)
        orders += sorted(every, key=lambda order: _digest(f"{root} {block} {' '.join(order)}"))
    chats = sorted(STARTS, key=lambda start: _digest(f"{root} chat {start}"))
    return Comparison(
        name, root, tuple(questions), tuple(chats), tuple(orders[: len(questions)]), dict(tokens)
    )


def judge(comparison: Comparison, sheets: Sequence[Marks]) -> Verdict:
    """Return means and paired differences, with intervals over the questions.

    Several people's marks for one answer are averaged first, so that a question counts once however many
    rated it; a difference is taken within a person, and only where that person marked both.
    """
    places = range(1, len(comparison.questions) + 1)
    means: dict[Measure, dict[Start, Estimate | None]] = {}
    differences: dict[Measure, dict[tuple[Start, Start], Estimate | None]] = {}
    for measure in Measure:
        means[measure] = {
            start: estimate(_each([_given(sheets, q, start, measure) for q in places]), LEAST, MOST)
            for start in STARTS
        }
        differences[measure] = {
            pair: estimate(
                _each([_apart(sheets, q, pair, measure) for q in places]), LEAST - MOST, MOST - LEAST
            )
            for pair in PAIRS
        }
    given = sum(len(marks) for sheet in sheets for marks in sheet.values())
    return Verdict(means, differences, given, len(sheets) * len(places) * len(STARTS) * len(Measure))


def _given(sheets: Sequence[Marks], question: int, start: Start, measure: Measure) -> list[float]:
    marks = (sheet.get((question, start), {}).get(measure) for sheet in sheets)
    return [float(mark) for mark in marks if mark is not None]


def _apart(
    sheets: Sequence[Marks], question: int, pair: tuple[Start, Start], measure: Measure
) -> list[float]:
    found = []
    for sheet in sheets:
        one, other = (sheet.get((question, start), {}).get(measure) for start in pair)
        if one is not None and other is not None:
            found.append(float(one - other))
    return found


def _each(by_question: Sequence[Sequence[float]]) -> list[float]:
    """Return one value a question: the mean of what several people gave."""
    return [fsum(values) / len(values) for values in by_question if values]


def _digest(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _spell(digest: str) -> str:
    """Return a short name of letters alone, which no spreadsheet takes for a number or a day."""
    number = int(digest, 16)
    spelt = ""
    for _ in range(_NAME_LENGTH):
        number, place = divmod(number, len(_NAME_LETTERS))
        spelt += _NAME_LETTERS[place]
    return spelt
