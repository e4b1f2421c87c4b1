"""Whether a dream is due, as `reel status` tells it; no more is read or loaded than that takes."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from reel_cli.errors import ReelError, StateError
from reel_cli.flows.due import Due
from reel_cli.flows.tape_view import standing_sessions
from reel_cli.kit.snapshot import Snapshot
from reel_cli.model.first_dream import by_clock, in_days, many, why_first
from reel_cli.model.moment import days_since, moment

if TYPE_CHECKING:
    from reel_cli.kit.dream_marks import Marks
    from reel_cli.kit.verified import Verified

TOLD = 2
"""So many reasons are told in a line; `--pulse` tells all."""
CURSOR = "story/cursor.yaml"
Keep = Callable[[str, str, Callable[[], list[Any]]], list[Any]]
"""Gives what is kept under a name for what is told (plain JSON), else what is made."""


@dataclass(frozen=True, slots=True)
class Beside:
    """What is known beside a kit's files, each asked only if need be.

    `marks` is what history tells (None: nothing), `touches` are journal lines that no commit holds yet,
    `verified` how it went when the tape was last proven on this machine. `keep` has what was made of one
    state of history, and of what is told beside it, from one time to the next.
    """

    now: datetime
    marks: "Callable[[], Marks | None]" = lambda: None
    touches: Callable[[], Sequence[str]] = tuple
    verified: "Callable[[], Verified | None]" = lambda: None
    keep: Keep = lambda _kind, _told, make: make()


def list_dreams_due(snapshot: Snapshot, beside: Beside, *, cold: bool) -> Sequence[Due]:
    """A dream that is due, and why; a kit in its cold start is not asked for its first."""
    settings, now = snapshot.settings, beside.now
    days, number = settings.dream_every_days, settings.dream_every_sessions
    if not (days or number):
        return ()
    text = (snapshot.text(CURSOR) or "") if CURSOR in snapshot.list("story") else ""
    if not text.strip():
        why = "" if cold else why_first(by_clock(standing_sessions(snapshot), now), now, days, number)
        return (Due("dream", why),) if why else ()
    # the tape changes with a commit only, and what is ahead of the clock with the day
    told = repr((settings, text, now.date(), list(beside.touches()), beside.verified()))
    try:
        kept = beside.keep("dream due", told, lambda: _gather(snapshot, beside))
    except StateError:
        # a session that cannot be read is told of by itself
        raise
    except ReelError as error:
        return (Due("mend", error.message.rstrip("."), f"git checkout HEAD -- {CURSOR}"),)
    return _judge(snapshot, kept, now, cold=cold)


def _gather(snapshot: Snapshot, beside: Beside) -> list[Any]:
    """What it is judged by, as plain JSON."""
    from reel_cli.flows.pulse import read_pulse  # noqa: PLC0415

    found = read_pulse(snapshot, beside, cold=False)
    dreamt, heart = found.dreamt, found.heart
    return [
        [dreamt.ever, dreamt.under_way, dreamt.last and dreamt.last.isoformat(), list(dreamt.unread)],
        [heart.over, heart.threshold, heart.now and [heart.now.part, heart.now.of]],
        [[one.kind, one.at, one.what] for one in found.disruptions if one.fresh],
    ]


def _judge(snapshot: Snapshot, kept: Sequence[Any], now: datetime, *, cold: bool) -> Sequence[Due]:
    from reel_cli.model.pulse import Disruption, Dreamt, Heartbeat, Kind, Part, judge  # noqa: PLC0415

    (ever, under_way, last, unread), (over, threshold, part), disruptions = kept
    if under_way:
        age = days_since(moment(last), now) if last else None
        # on the day it was last woven of, it is no news
        if not age or not unread:
            return ()
        why = f"under way, the last step {in_days(age)}, {many(len(unread), 'session')} left"
        return (Due("dream", why, "reel dream next"),)
    dreamt = Dreamt(ever, under_way, moment(last) if last else None, unread)
    heart = Heartbeat(over, threshold, now=Part(*part) if part else None)
    fresh = [Disruption(Kind(kind), at, what, fresh=True) for kind, at, what in disruptions]
    sessions = () if ever or cold else by_clock(standing_sessions(snapshot), now)
    reasons = judge(snapshot.settings, now, sessions, dreamt, heart, fresh, cold=cold)
    return (Due("dream", "; ".join(reason.why for reason in reasons[:TOLD])),) if reasons else ()
