"""How memories fade: one step of one of them, and what decides which is next (REEL §4.4, §6.5, §6.7)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType

from reel_cli.core.values.settings import WHOLE

SIZES: Mapping[str, tuple[int, int]] = MappingProxyType(
    {"L1": (500, 2000), "L2": (100, 500), "L3": (30, 100), "L4": (10, 30)}
)
"""What a memory of each level takes, from and to, in tokens (REEL §4.4)."""
NEXT: Mapping[str, str] = MappingProxyType(
    {"L1": "L2", "L2": "L3", "L3": "L4", "L4": "stub", "stub": "dormant"}
)
"""One step down from each resolution."""

FRESH_SESSIONS = 3
"""What was used in so many of the last sessions does not descend, nor what is of the very last."""
FRESH_DAYS = 14
"""Nor does what was made or used in so many of the last days."""
REMADE_DAYS = 30
"""Nor what was written anew or brought back in so many of the last days, and within FRESH_SESSIONS."""
HALF_DAYS = 30
HALF_SESSIONS = 5
"""After so many days, or so many sessions, whichever is later, a use counts half."""


class Move(StrEnum):
    """What maintenance does with a memory or a line."""

    DESCEND = "descend"
    PRUNE = "prune"
    SLEEP = "sleep"
    REGENERATE = "regenerate"
    RAISE = "raise"


@dataclass(frozen=True, slots=True)
class Step:
    """One step of one memory or line; `before` and `after` as `Reel-Forgot` names them.

    `tokens` is its body's size now (a line's own, where it is only a line), `then` what is left after
    it: exactly, or about so much where `asks` says that a model's reply is needed for it.
    """

    move: Move
    id: str
    title: str
    before: str
    after: str
    tokens: int
    why: str
    asks: bool
    then: int = 0


@dataclass(frozen=True, slots=True)
class Kept:
    """What would be due and stays as it is, and why, in words."""

    id: str
    title: str
    why: str


@dataclass(frozen=True, slots=True)
class Use:
    """One session in which a memory was recalled or came up: how long ago, in days and in sessions."""

    days: int
    sessions: int
    recalled: bool = True


@dataclass(frozen=True, slots=True)
class Held:
    """What the policy knows of one memory.

    `days` and `sessions` have passed since it was lived, `made` days since it was made. `tokens` is its
    body's size, `then` that of the next form down; `weight` and `weight_then` are the same as ring 3
    counts them. `asks` as in `Step`; `stuck` says why there is no next form ("" where there is one).
    `guarded` says why it is never pruned; `moved` that it took a step in this pass, `remade` that it was
    written anew or brought back lately. `order` sorts by when it was lived.
    """

    id: str
    title: str
    level: str
    tokens: int
    then: int
    weight: int
    weight_then: int
    days: int
    sessions: int
    made: int
    asks: bool = False
    stuck: str = ""
    guarded: str = ""
    pinned: bool = False
    moved: bool = False
    remade: bool = False
    uses: Sequence[Use] = ()
    order: tuple[str, int, int, int] = ("", 0, 0, 0)


@dataclass(frozen=True, slots=True)
class Stub:
    """What the policy knows of a pruned line: `sessions` since it was pruned, None where nobody knows.

    A `pointer` is a line that points straight at the tape; it counts from when the memory there was pruned.
    """

    id: str
    title: str
    tokens: int
    sessions: int | None
    guarded: str = ""
    pinned: bool = False
    uses: Sequence[Use] = ()
    pointer: bool = False


@dataclass(frozen=True, slots=True)
class Rules:
    """What a kit's settings say about fading: days by level, sessions, ring 3's most and least tokens."""

    ages: Mapping[str, int]
    idle_sessions: int
    most: int
    least: int = 0


@dataclass(frozen=True, slots=True)
class Fallen:
    """The last step down that a memory took in maintenance: from which level, with how many tokens."""

    before: str
    after: str
    tokens: int


@dataclass(frozen=True, slots=True)
class Fading:
    """What a pass would do, least worth first; what stays although its time has come; ring 3's tokens.

    `cold` says that the kit is in its cold start, in which nothing fades (REEL §7.2). `rings` are the
    tokens from which the share lost in one pass is counted: of bodies in ring 3, of lines in ring 4.
    """

    steps: Sequence[Step] = ()
    kept: Sequence[Kept] = ()
    weight: int = 0
    most: int = 0
    cold: bool = False
    raises: Sequence[Step] = ()
    """What may come back, where ring 3 has room again."""
    rings: Mapping[str, int] = field(default_factory=dict)
    pinned: frozenset[str] = frozenset()
    """The names that a person has pinned."""


def worth(uses: Sequence[Use]) -> float:
    """What uses are worth: 1 for each session it was used in just now, half of that at its half-life."""
    return sum((0.5 ** min(use.days / HALF_DAYS, use.sessions / HALF_SESSIONS) for use in uses), 0.0)


def felt_age(days: int, uses: Sequence[Use]) -> int:
    """The days a memory counts as old: its age, divided by one and what its uses are worth."""
    return int(days / (1 + worth(uses)))


@dataclass(slots=True)
class Allowance:
    """How much of each ring one pass may lose without a separate yes: a share of what it began with.

    `rings` are the tokens it began with, `share` is of `WHOLE`, `lost` what went since.
    """

    rings: Mapping[str, int]
    share: int
    lost: dict[str, int] = field(default_factory=dict)

    def bears(self, step: Step) -> bool:
        """Whether a step may be taken without a further word."""
        lost = self.lost.get(ring_of(step), 0) + step.tokens - step.then
        return lost * WHOLE <= self.rings.get(ring_of(step), 0) * self.share

    def spend(self, step: Step) -> None:
        """A step was taken."""
        self.lost[ring_of(step)] = self.lost.get(ring_of(step), 0) + step.tokens - step.then

    def split(self, steps: Sequence[Step]) -> tuple[list[Step], list[Step]]:
        """The steps that may be taken, in order, and those from the first of a ring that may not."""
        trial = Allowance(self.rings, self.share, dict(self.lost))
        within: list[Step] = []
        beyond: list[Step] = []
        full: set[str] = set()
        for step in steps:
            ring = ring_of(step)
            if ring in full or not trial.bears(step):
                full.add(ring)
                beyond.append(step)
            else:
                trial.spend(step)
                within.append(step)
        return within, beyond


def ring_of(step: Step) -> str:
    """The ring that a step takes from."""
    return "4" if step.move is Move.SLEEP else "3"
