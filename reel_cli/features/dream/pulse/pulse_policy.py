"""The heartbeat: how often something is recalled, what broke the thread, and whether a dream is due.

Pure: what is known comes in, a judgement goes out (Dream Weaver §6.3, §6.5, §10.1).
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from itertools import pairwise

from reel_cli.core.moment import moment
from reel_cli.core.values.settings import WHOLE, Settings
from reel_cli.core.values.source import session_order
from reel_cli.features.dream.waking.schedule import why_first, why_next

FEWEST = 5
"""Number of sessions below which a share says nothing yet."""
MOVED = WHOLE // 10
"""A share that is another by so much has moved."""
LONG_GAP = 30
"""Days without a word that are a break."""


@dataclass(frozen=True, slots=True)
class Part:
    """Count of a total."""

    part: int
    of: int

    @property
    def share(self) -> float:
        """Return the share, from 0 to 1; 0 of nothing is 0."""
        return self.part / self.of if self.of else 0.0

    def below(self, share: int) -> bool:
        """Return whether it is less than this share (of `WHOLE`)."""
        return self.part * WHOLE < share * self.of


class Trend(StrEnum):
    """Directions of a share, compared with the same number of sessions before."""

    RISING = "rising"
    STEADY = "steady"
    FALLING = "falling"


@dataclass(frozen=True, slots=True)
class Heartbeat:
    """Number of the last sessions in which something was recalled.

    `since` is the first session in which it was, "" where it never was: what came before says nothing.
    `now` is None where that is too few to tell, `before` (the same number of sessions, just before) as well.
    """

    over: int
    threshold: int
    since: str = ""
    counted: int = 0
    now: Part | None = None
    before: Part | None = None

    @property
    def below(self) -> bool:
        """Return whether it is known to be below the threshold."""
        return self.now is not None and self.now.below(self.threshold)

    @property
    def trend(self) -> Trend | None:
        """Return its direction; None if that is unknown."""
        if self.now is None or self.before is None:
            return None
        moved = self.now.part * self.before.of - self.before.part * self.now.of
        if abs(moved) * WHOLE < MOVED * self.now.of * self.before.of:
            return Trend.STEADY
        return Trend.RISING if moved > 0 else Trend.FALLING


def take_heartbeat(
    sessions: Sequence[str], recalled: Collection[str], over: int, threshold: int
) -> Heartbeat:
    """Return the heartbeat of these sessions (oldest first); `recalled` are those with recalls."""
    first = next((place for place, name in enumerate(sessions) if name in recalled), None)
    if first is None:
        return Heartbeat(over, threshold)
    counted = sessions[first:]
    least = min(FEWEST, over)

    def part(window: Sequence[str]) -> Part | None:
        return Part(sum(name in recalled for name in window), len(window)) if len(window) >= least else None

    now, before = counted[-over:], counted[-2 * over : -over]
    return Heartbeat(over, threshold, counted[0], len(counted), part(now), part(before))


class Kind(StrEnum):
    """Kinds of reason for a dream, and of disruption."""

    SCHEDULE = "schedule"
    RECALL = "recall"
    MODEL = "model"
    PURGE = "purge"
    GAP = "gap"
    VERIFY = "verify"
    FADING = "fading"


@dataclass(frozen=True, slots=True)
class Disruption:
    """A disruption of continuity: when (a day, ISO 8601), and what, in words.

    `fresh` says that no dream took it in yet.
    """

    kind: Kind
    at: str
    what: str
    fresh: bool = False


@dataclass(frozen=True, slots=True)
class Reason:
    """A reason why a dream is due."""

    kind: Kind
    why: str


def find_gaps(sessions: Sequence[str], new: Collection[str]) -> list[Disruption]:
    """Return the long gaps between sessions (oldest first); one is fresh if what followed is new."""
    found = []
    for before, after in pairwise(sorted(sessions, key=session_order)):
        if before[:7] == after[:7]:
            continue
        then, now = _moment(before), _moment(after)
        if then.year > 1 and (now - then).days >= LONG_GAP:
            what = f"{(now - then).days:,} days without a word"
            found.append(Disruption(Kind.GAP, after[:10], what, after in new))
    return found


@dataclass(frozen=True, slots=True)
class Dreamt:
    """The dreams so far.

    `last` is when one was last woven of (None: never, or nobody knows when), `unread` the sessions that none
    has read to their end, oldest first; `under_way` says that one was begun and is not over.
    """

    ever: bool = False
    under_way: bool = False
    last: datetime | None = None
    unread: Sequence[str] = ()


def judge(  # noqa: PLR0913 (all that it is decided on)
    settings: Settings,
    now: datetime,
    sessions: Sequence[str],
    dreamt: Dreamt,
    heart: Heartbeat,
    disruptions: Sequence[Disruption],
    *,
    cold: bool,
    fading: Sequence[str] = (),
) -> tuple[Reason, ...]:
    """Return why a dream is due now; () if none is.

    `sessions` are those that count, oldest first, without what is dated ahead of the clock; `fading` says in
    words what shows that the persona fades, which is always a reason. A kit that never dreamt is asked once
    its cold start is over, or it has as many sessions as the heartbeat counts, and its first session is as
    old as one dream from the next; other reasons count once a dream was ever made. Where nothing is unread
    there is nothing to dream of.
    """
    days, number = settings.dream_every
    if not (days or number) or dreamt.under_way or not dreamt.unread:
        return ()
    reasons = [Reason(Kind.FADING, one) for one in fading]
    if not dreamt.ever:
        why = why_first(sessions, now, days, number, settings.dream_over if cold else 0)
        return (*reasons, Reason(Kind.SCHEDULE, why)) if why else tuple(reasons)
    if schedule := why_next(dreamt.last, len(dreamt.unread), now, days, number):
        reasons.append(Reason(Kind.SCHEDULE, schedule))
    # the last dream has dealt with everything before it
    part = heart.now if heart.since else Part(0, heart.over)
    if part is not None and part.below(heart.threshold) and len(dreamt.unread) >= part.of:
        reasons.append(Reason(Kind.RECALL, f"recalled in {part.part} of the last {part.of} chats"))
    reasons += [Reason(one.kind, one.what) for one in disruptions if one.fresh]
    return tuple(reasons)


def recalled_in(
    sessions: Sequence[str], ahead: Collection[str], notes: Iterable[tuple[str, str]]
) -> frozenset[str]:
    """Return the sessions with recalls, by the ledger's notes: (session, when) of each recall.

    A recall is noted with the newest session there is. Where that is one `ahead` of the clock, it belongs to
    the last of `sessions` (oldest first) that is not later than the recall.
    """
    known = frozenset(sessions)
    found = set()
    for session, at in notes:
        if session in known:
            found.add(session)
        elif session in ahead and (earlier := [name for name in sessions if name[:10] <= at[:10]]):
            found.add(earlier[-1])
    return frozenset(found)


def _moment(session: str) -> datetime:
    return moment(session[:10])
