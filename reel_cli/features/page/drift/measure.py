"""Measure of a voice: a session's style held against the sessions before it, and against the exemplars."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from enum import StrEnum
from functools import reduce
from typing import TypeVar

from reel_cli.core.frozen import frozen
from reel_cli.features.page.drift.style import TRAITS, Mean, Trait, WritingStyle

T = TypeVar("T")

LATELY = 30
"""A session is held against so many before it."""
FEWEST_WORDS = 40
"""Words below which a style cannot be measured."""
FEWEST_SESSIONS = 5
"""Number of earlier sessions below which there is no baseline."""
SMALL_WORDS = 40
COMMON = 0.5
"""A small word is one that this share of the sessions has."""
TRUST = 4
"""A voice's own spread counts in full once it has many more sessions than this."""
STRAYS = 10
"""Number of sessions per one that is left out of the baseline as the farthest."""
MOST = 5.0
"""A single difference counts at most so much."""
OFF = 0.9
"""Distance below which four of five sessions of one voice lie (`bench/drift.py`)."""
FAR = 1.5
"""Distance below which nearly all sessions of one voice lie."""
NOTEWORTHY = 1.5
"""Difference from which a single trait is reported as moved."""
TOLD = 2
"""Maximum number of changed traits listed."""


class SessionDrift(StrEnum):
    """Distances of a session from the usual, in words."""

    USUAL = "usual"
    OFF = "a little off"
    FAR = "far"
    EARLY = "too early to tell"
    SHORT = "too little said"


@frozen
class TraitShift:
    """One trait that lies elsewhere than usual: by how many spreads, and in words."""

    key: str
    by: float
    told: str


@frozen
class Measure:
    """A session held against earlier ones and against the exemplars, in usual spreads (None: unknown)."""

    replies: int
    words: int
    standing: SessionDrift
    earlier: float | None = None
    exemplars: float | None = None
    traits: Mapping[str, float] = field(default_factory=dict)
    """Each trait's difference from the earlier sessions, signed."""
    moved: tuple[TraitShift, ...] = ()
    """The largest differences from the earlier sessions, largest first."""
    moved_from_exemplars: tuple[TraitShift, ...] = ()


class Lately:
    """The sessions a session is held against: of the last, those that said enough, their words together."""

    def __init__(self, sessions: Iterable[WritingStyle] = ()) -> None:
        """Begin with these, oldest first."""
        self.sessions: list[WritingStyle] = []
        self._last: list[WritingStyle] = []
        self.total: Counter[str] = Counter()
        self.having: Counter[str] = Counter()
        for one in sessions:
            self.add(one)

    def add(self, manner: WritingStyle) -> None:
        """Add one more session, and drop the oldest if there are many."""
        self._last.append(manner)
        if manner.words >= FEWEST_WORDS:
            self.sessions.append(manner)
            self.total.update(manner.counts)
            self.having.update(manner.counts.keys())
        if len(self._last) > LATELY and self._last.pop(0).words >= FEWEST_WORDS:
            gone = self.sessions.pop(0)
            self.total.subtract(gone.counts)
            self.having.subtract(gone.counts.keys())


def not_held(replies: int, words: int) -> Measure:
    """Return a measure with only the amount of text, for a session without comparison."""
    return Measure(replies, words, SessionDrift.SHORT if words < FEWEST_WORDS else SessionDrift.EARLY)


def measure(manner: WritingStyle, lately: Lately, exemplars: WritingStyle) -> Measure:
    """Compare a session with those before it, and with the exemplars' own turns."""
    before = lately.sessions
    if manner.words < FEWEST_WORDS:
        return not_held(manner.replies, manner.words)
    usual = [_usual(trait, before) for trait in TRAITS]
    shown = exemplars if exemplars.words >= FEWEST_WORDS else None
    from_shown = (
        _differences(manner, [(_of(shown, t), w) for t, (_, w) in zip(TRAITS, usual, strict=True)])
        if shown
        else {}
    )
    apart = _mean(list(from_shown.values())) if from_shown else None
    told = _told(manner, {t.key: _of(shown, t) for t in TRAITS}, from_shown) if shown else ()
    if len(before) < FEWEST_SESSIONS:
        return Measure(
            manner.replies, manner.words, SessionDrift.EARLY, None, apart, moved_from_exemplars=told
        )
    traits = _differences(manner, usual)
    small, new = _small_words(manner, lately), _new_words(manner, lately)
    distance = (_mean(list(traits.values())) + small + max(new, 0.0)) / 3
    moved = list(_told(manner, {t.key: u for t, (u, _) in zip(TRAITS, usual, strict=True)}, traits))
    for key, by, words in (("small words", small, "other small words"), ("new words", new, "more new words")):
        if by >= NOTEWORTHY:
            moved.append(TraitShift(key, by, words))
    standing = (
        SessionDrift.FAR if distance >= FAR else SessionDrift.OFF if distance >= OFF else SessionDrift.USUAL
    )
    return Measure(
        manner.replies, manner.words, standing, distance, apart,
        {**traits, "small words": small, "new words": new},
        tuple(sorted(moved, key=lambda one: -abs(one.by))), told,
    )  # fmt: skip


def _of(manner: WritingStyle | None, trait: Trait) -> Mean:
    return manner.traits.get(trait.key, Mean()) if manner else Mean()


def _mean(values: Sequence[float]) -> float:
    return sum(min(abs(value), MOST) for value in values) / len(values) if values else 0.0


def _usual(trait: Trait, before: Sequence[WritingStyle]) -> tuple[Mean, float]:
    """Return a trait over all earlier sessions, and the variance between them beyond chance."""
    each = [mean for one in before if (mean := _of(one, trait)).n]
    if not each:
        return Mean(), trait.spread**2
    middle = sorted(one.value for one in each)[len(each) // 2]
    each = _without_strays(sorted(each, key=lambda one: abs(one.value - middle)))
    whole = reduce(Mean.plus, each, Mean())
    unit = whole.doubt * whole.n
    between = sum((one.value - whole.value) ** 2 - unit / one.n for one in each) / len(each)
    return whole, (len(each) * max(between, 0.0) + TRUST * trait.spread**2) / (len(each) + TRUST)


def _without_strays(each: list[T]) -> list[T]:
    """Return all but the last tenth, so that one outlier does not make the next one usual."""
    return each[: len(each) - len(each) // STRAYS]


def _differences(manner: WritingStyle, usual: Sequence[tuple[Mean, float]]) -> dict[str, float]:
    """Return each trait's difference in spreads; few units widen the spread."""
    found = {}
    for trait, (whole, between) in zip(TRAITS, usual, strict=True):
        mine = _of(manner, trait)
        if mine.n and whole.n:
            unit = max(whole.doubt * whole.n, mine.doubt * mine.n if whole.n < mine.n else 0.0)
            doubt = unit / mine.n + unit / whole.n
            found[trait.key] = (mine.value - whole.value) / math.sqrt(between + doubt)
    return found


def _small_words(manner: WritingStyle, lately: Lately) -> float:
    """Return how far the small words' shares lie from their usual ones, on average, in spreads."""
    before, total, having = lately.sessions, lately.total, lately.having
    words = sum(one.words for one in before)
    common = [w for w, _ in total.most_common(8 * SMALL_WORDS) if having[w] >= COMMON * len(before)]
    far = []
    for word in common[:SMALL_WORDS]:
        usual = total[word] / words
        chance = sum(usual / one.words for one in before) / len(before)
        apart = [(one.counts.get(word, 0) / one.words - usual) ** 2 for one in before]
        kept = _without_strays(sorted(apart))
        between = sum(kept) / len(kept)
        spread = max(between - chance, 0.0) + usual * (1.3 / manner.words + 1 / words)
        far.append(min(abs(manner.counts.get(word, 0) / manner.words - usual) / math.sqrt(spread), MOST - 1))
    return sum(far) / len(far) if far else 0.0


def _new_words(manner: WritingStyle, lately: Lately) -> float:
    """Return how many more of the words than usual are new, in spreads; below 0 for fewer."""
    before, having = lately.sessions, lately.having
    usual = _without_strays(
        sorted(sum(n for w, n in one.counts.items() if having[w] == 1) / one.words for one in before)
    )
    mine = sum(n for word, n in manner.counts.items() if not having[word]) / manner.words
    mean = sum(usual) / len(usual)
    between = sum((one - mean) ** 2 for one in usual) / len(usual)
    spread = (len(usual) * between + TRUST * 0.04**2) / (len(usual) + TRUST)
    return max(-MOST, min((mine - mean) / math.sqrt(spread), MOST))


def _told(
    manner: WritingStyle, usual: Mapping[str, Mean], traits: Mapping[str, float]
) -> tuple[TraitShift, ...]:
    """Return the traits that moved, in words, the most first."""
    found = []
    for trait in TRAITS:
        by = traits.get(trait.key, 0.0)
        if abs(by) < NOTEWORTHY:
            continue
        words = trait.more if by > 0 else trait.less
        if trait.log:
            ratio = math.expm1(_of(manner, trait).value) / max(math.expm1(usual[trait.key].value), 0.1)
            words = words.format(f"{abs(ratio - 1) * 100:.0f} %")
        found.append(TraitShift(trait.key, by, words))
    return tuple(sorted(found, key=lambda one: -abs(one.by)))


def describe(found: Measure) -> str:
    """Return the measurement, in one sentence without its end."""
    if found.standing is SessionDrift.SHORT:
        return "Measured: too little was said to tell"
    words = {
        SessionDrift.USUAL: "as usual",
        SessionDrift.OFF: "a little off the usual",
        SessionDrift.FAR: "far from the usual",
    }.get(found.standing, "")
    moved = ""
    if found.moved_from_exemplars:
        moved = f"{list_moved(found.moved_from_exemplars)} than in the examples"
    elif found.moved and found.standing is not SessionDrift.USUAL:
        moved = f"{list_moved(found.moved)} than before"
    parts = [part for part in (moved, words) if part]
    if not parts:
        return f"Measured: not yet, as fewer than {FEWEST_SESSIONS} earlier chats are there to compare with"
    return f"Measured: {'; '.join(parts)}"


def list_moved(moved: Sequence[TraitShift], most: int = TOLD) -> str:
    """Return what moved most, in words."""
    return ", ".join(one.told for one in moved[:most])
