"""Due dreams for `reel status`, with as little read and loaded as possible."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from reel_cli.core.errors import ReelError, StateError
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.moment import days_since, moment
from reel_cli.core.tape.tape_view import standing_sessions
from reel_cli.core.values.change import tell_many
from reel_cli.core.values.due import Due
from reel_cli.features.dream.pulse.outside_facts import OutsideFacts
from reel_cli.features.dream.waking.schedule import by_clock, in_days, why_first, why_next

TOLD = 2
"""Maximum number of reasons in one line; `--pulse` lists all."""
EDITION = 6
"""Version of the rules; raised when the same kit would be judged otherwise."""
CURSOR = "story/cursor.yaml"


def list_dreams_due(snapshot: Snapshot, beside: OutsideFacts, *, cold: bool) -> Sequence[Due]:
    """Return a dream that is due, and why.

    A kit in its cold start is asked for its first where something shows that the persona fades, and once it
    has as many chats as the heartbeat counts.
    """
    settings, now = snapshot.settings, beside.now
    if not any(settings.dream_every):
        return ()
    text = (snapshot.text(CURSOR) or "") if CURSOR in snapshot.list("story") else ""
    if not text.strip():
        return _first(snapshot, now, cold=cold)
    # the tape changes only with a commit; what depends on the clock changes with the day
    told = repr((settings, text, now.date(), list(beside.touches()), beside.verified()))
    try:
        kept = beside.keep(f"dream due {EDITION}", told, lambda: _gather(snapshot, beside))
    except StateError:
        # an unreadable session is reported separately
        raise
    except ReelError as error:
        return (Due("mend", error.message.rstrip("."), f"reel restore {CURSOR}"),)
    *told_dream, shaken = kept
    return [*_judge(snapshot, told_dream, now, cold=cold), *([Due(*shaken)] if shaken else [])]


def _gather(snapshot: Snapshot, beside: OutsideFacts) -> list[Any]:
    """Return the inputs of the judgement as plain JSON: the dreams, and every reason but the passed time."""
    from reel_cli.features.dream.pulse.pulse import read_pulse
    from reel_cli.features.dream.pulse.pulse_policy import Kind

    found = read_pulse(snapshot, beside, cold=False)
    dreamt = found.dreamt
    last = dreamt.last.isoformat() if dreamt.last is not None else ""
    fading = [reason.why for reason in found.reasons if reason.kind is Kind.FADING]
    other = [reason.why for reason in found.reasons if reason.kind not in (Kind.SCHEDULE, Kind.FADING)]
    shaken = found.shaken and [found.shaken.what, found.shaken.why, found.shaken.command]
    return [dreamt.ever, dreamt.under_way, last, len(dreamt.unread), fading, other, shaken]


def _judge(snapshot: Snapshot, kept: Sequence[Any], now: datetime, *, cold: bool) -> Sequence[Due]:
    ever, under_way, last, unread, fading, other = kept
    settings = snapshot.settings
    days, number = settings.dream_every
    if under_way:
        age = days_since(moment(last), now) if last else None
        # it is not news on the day on which it was last woven
        if not age or not unread:
            return ()
        why = f"under way, the last step {in_days(age)}, {tell_many(unread, 'chat')} left"
        return (Due("dream", why, "reel dream next"),)
    if not ever:
        return _first(snapshot, now, cold=cold)
    schedule = why_next(moment(last) if last else None, unread, now, days, number)
    reasons = [*fading[:1], *([schedule] if schedule else []), *fading[1:], *other]
    return (Due("dream", "; ".join(reasons[:TOLD])),) if reasons else ()


def _first(snapshot: Snapshot, now: datetime, *, cold: bool) -> Sequence[Due]:
    """Return the first dream, where it is time for one or something shows that the persona fades."""
    settings = snapshot.settings
    days, number = settings.dream_every
    sessions = by_clock(standing_sessions(snapshot), now)
    if not sessions:
        return ()
    from reel_cli.features.dream.pulse.fading_signs import tell_fading

    why = why_first(sessions, now, days, number, settings.dream_over if cold else 0)
    reasons = [*tell_fading(snapshot, sessions, now)[:1], *([why] if why else [])]
    return (Due("dream", "; ".join(reasons)),) if reasons else ()
