"""Fading of memories: one step of one of them, and what decides which is next (REEL §4.4, §6.5, §6.7)."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import field
from enum import IntEnum, StrEnum
from types import MappingProxyType

from reel_cli.core.frozen import frozen, mutable
from reel_cli.core.values.settings import WHOLE

SIZES: Mapping[str, tuple[int, int]] = MappingProxyType(
    {"L1": (500, 2000), "L2": (100, 500), "L3": (30, 100), "L4": (10, 30)}
)
"""Smallest and largest size of a memory at each level, in tokens (REEL §4.4)."""
NEXT: Mapping[str, str] = MappingProxyType(
    {"L1": "L2", "L2": "L3", "L3": "L4", "L4": "stub", "stub": "dormant"}
)
"""Next lower resolution of each."""

FRESH_SESSIONS = 3
"""Number of last sessions in which a used memory does not recede; one of the very last session never does."""
FRESH_DAYS = 14
"""Days after it was made, used or went a step down in which a memory does not recede."""
WAITS = "proposed to stay"
"""Reason that guards a memory as long as a person has not decided whether it must stay."""
REMADE_DAYS = 30
"""Days after it was rewritten or brought back, within FRESH_SESSIONS, in which a memory does not recede."""
HALF_DAYS = 30
HALF_SESSIONS = 5
"""Days, or sessions, whichever is later, after which a use counts half."""


class Move(StrEnum):
    """Steps that maintenance takes with a memory or a line."""

    DESCEND = "descend"
    PRUNE = "prune"
    SLEEP = "sleep"
    REGENERATE = "regenerate"
    RAISE = "raise"


class Form(IntEnum):
    """Forms in which a bundle has a memory, the finest last."""

    ABSENT = 0
    TAG = 1
    MARKER = 2
    WHOLE = 3


FINEST: Mapping[str, Form] = MappingProxyType(
    {"L2": Form.MARKER, "L3": Form.MARKER, "L4": Form.TAG, "stub": Form.ABSENT}
)
"""Finest form in which a memory can be in a bundle so that a step to this level takes nothing from it."""


@frozen
class BundleForms:
    """The parts of a bundle of the kit's window that fading asks about: memories by form, and index lines.

    `going_on` are the memories that tell most of a thread that goes on, and the last one of each.
    """

    forms: Mapping[str, Form]
    lines: Collection[str] = ()
    going_on: Collection[str] = ()


@frozen
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


@frozen
class HeldBack:
    """A memory that would be due and stays as it is, with the reason in words."""

    id: str
    title: str
    why: str


@frozen
class Use:
    """One session in which a memory was recalled or came up: how long ago, in days and in sessions."""

    days: int
    sessions: int
    recalled: bool = True


@frozen
class MemoryValues:
    """The values of one memory that the policy judges by.

    `days` and `sessions` have passed since it was lived, `made` days since it was made. `tokens` is its
    body's size, `then` that of the next form down; `weight` and `weight_then` are the same as ring 3
    counts them. `asks` as in `Step`; `stuck` says why there is no next form ("" where there is one).
    `guarded` says why it is never pruned; `moved` that it took a step in this pass, `stepped` in words that
    its last step was not long ago, `remade` that it was written anew or brought back lately, `strayed` that
    it left what was said and is made again from that. `shown` is the
    form in which a bundle of the kit's window has it, None where no bundle is known, `goes_on` that such a
    bundle tells a thread by it, or that it is the last of one. `order` sorts by when
    it was lived.
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
    strayed: bool = False
    stepped: str = ""
    shown: Form | None = None
    goes_on: bool = False
    uses: Sequence[Use] = ()
    order: tuple[str, int, int, int] = ("", 0, 0, 0)


@frozen
class Stub:
    """The values of a pruned line for the policy: `sessions` since it was pruned, None if unknown.

    A `pointer` is a line that points straight at the tape; it counts from when the memory there was pruned.
    `shown` where a bundle of the kit's window has it.
    """

    id: str
    title: str
    tokens: int
    sessions: int | None
    guarded: str = ""
    pinned: bool = False
    uses: Sequence[Use] = ()
    pointer: bool = False
    shown: bool = False


@frozen
class Rules:
    """The settings of a kit about fading: days by level, sessions, ring 3's most and least tokens.

    `small` where a bundle of its window has few memories at length (REEL §6.3).
    """

    ages: Mapping[str, int]
    idle_sessions: int
    most: int
    least: int = 0
    small: bool = False


@frozen
class Fallen:
    """The last step down that a memory took in maintenance: from which level, with how many tokens."""

    before: str
    after: str
    tokens: int


@frozen
class FadingPlan:
    """The plan of a pass, least worth first; what stays although it is due; ring 3's tokens.

    `weight` are the tokens at the finest form that a bundle of the kit's window is made of, `then` those
    after all steps, `stays` in words why they are over `most` even then. `cold` says that the kit is in its
    cold start, in which nothing fades (REEL §7.2). `rings` are the tokens from which the share lost in one
    pass is counted: of bodies in ring 3, of lines in ring 4.
    """

    steps: Sequence[Step] = ()
    kept: Sequence[HeldBack] = ()
    weight: int = 0
    most: int = 0
    then: int = 0
    stays: Sequence[str] = ()
    cold: bool = False
    raises: Sequence[Step] = ()
    """Steps that bring memories back if ring 3 has room again."""
    rings: Mapping[str, int] = field(default_factory=dict)
    pinned: frozenset[str] = frozenset()
    """The names that a person has pinned."""


def worth(uses: Sequence[Use]) -> float:
    """Return the worth of uses: 1 for each session with a use just now, half of that at its half-life."""
    return sum((0.5 ** min(use.days / HALF_DAYS, use.sessions / HALF_SESSIONS) for use in uses), 0.0)


def felt_age(days: int, uses: Sequence[Use]) -> int:
    """Return the days a memory counts as old: its age, divided by one and what its uses are worth."""
    return int(days / (1 + worth(uses)))


@mutable
class Allowance:
    """The limit on what one pass may remove from each ring without confirmation: a share of its start.

    `rings` are the tokens it began with, `share` is of `WHOLE`, `lost` what went since.
    """

    rings: Mapping[str, int]
    share: int
    lost: dict[str, int] = field(default_factory=dict)

    def bears(self, step: Step) -> bool:
        """Return whether a step may be taken without confirmation."""
        lost = self.lost.get(ring_of(step), 0) + step.tokens - step.then
        return lost * WHOLE <= self.rings.get(ring_of(step), 0) * self.share

    def spend(self, step: Step) -> None:
        """Count a step that was taken."""
        self.lost[ring_of(step)] = self.lost.get(ring_of(step), 0) + step.tokens - step.then

    def split(self, steps: Sequence[Step]) -> tuple[list[Step], list[Step]]:
        """Return the steps that may be taken, in order, and those from a ring's first forbidden one on."""
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
    """Return the ring that a step takes from."""
    return "4" if step.move is Move.SLEEP else "3"
