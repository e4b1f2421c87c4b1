"""Upkeep that is due by pressure, by time and by age, beside the sessions' pages (REEL §4.7, §6.2, §6.7)."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

from reel_cli.core.frozen import frozen
from reel_cli.core.git.repository import Repository
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.moment import day_in_words, days_since, moment
from reel_cli.core.tape.tape_view import standing_sessions
from reel_cli.core.values.bundle import Share
from reel_cli.core.values.due import Due
from reel_cli.features.fading.passes import commit_at, last_done, sessions_then
from reel_cli.features.history.backup import Backup

OP = "maintain"
BACKUP_AGE = 30
"""Days after which a backup that does not hold everything is due again."""

Fading = Callable[[Snapshot], int | None]
"""Function that returns how many memories and lines are ready to recede; None if unknown. Called only if
needed."""


def not_known(_snapshot: Snapshot) -> int | None:
    """Return None, for a kit whose memories are not looked through."""
    return None


@frozen
class UpkeepFacts:
    """The facts known beside a kit's files, all optional.

    `passed` is when maintenance was last gone through to its end (ISO 8601) as this machine notes it: one
    that let nothing go leaves no commit.
    """

    now: datetime | None = None
    repo: Repository | None = None
    backup: Backup | None = None
    passed: str = ""
    fading: Fading = not_known
    parts: Callable[[Snapshot, bool], Sequence[Due]] = lambda _snapshot, _cold: ()
    """Function that returns what features find due, by whether the kit is in its cold start."""
    exchanges: Sequence[Mapping[str, Any]] = ()
    """The exchanges under way, newest first: of a page that came through in part the rest is due."""


def list_upkeep(
    snapshot: Snapshot, rings: Mapping[str, Share], around: UpkeepFacts, *, cold: bool
) -> Sequence[Due]:
    """Return what is due for the rings (all their tokens, with their ranges) and for the whole kit."""
    due: list[Due] = []
    notes = rings["2"]
    if notes.tokens > notes.max:
        due.append(
            Due("notes", f"working notes are {notes.tokens:,} tokens, over their range of {notes.max:,}")
        )
    if not cold and (why := _maintenance(snapshot, rings["3"], around)):
        due.append(Due("maintenance", why))
    due += around.parts(snapshot, cold)
    backup = around.backup
    if backup is not None and not backup.current and (backup.days is None or backup.days >= BACKUP_AGE):
        old = f"is {backup.days:,} days old" if backup.days is not None else "is dated ahead of the clock"
        due.append(Due("backup", f"the last one {old}, and there is more since"))
    return due


def _maintenance(snapshot: Snapshot, memories: Share, around: UpkeepFacts) -> str:
    """Return why the past should be looked through now; "" if there is no reason."""
    late = _late(snapshot, around)
    heavy = memories.tokens > memories.max
    if not (late or heavy):
        return ""
    ready = around.fading(snapshot)
    reasons = []
    # where nothing can recede any more, being over its range is nothing that can be mended
    if heavy and ready != 0:
        reasons.append(f"memories are {memories.tokens:,} tokens, over their range of {memories.max:,}")
    if ready and (heavy or late):
        reasons.append(f"{ready:,} {'is' if ready == 1 else 'are'} ready to recede")
    return "; ".join([*reasons, *([late] if late else [])])


def _late(snapshot: Snapshot, around: UpkeepFacts) -> str:
    """Return why it is due by the kit's schedule; "" if it is not, or no schedule applies.

    Where the last time is dated ahead of the clock, one of the two is wrong, and it is time again as soon as
    a session was recorded since: neither waiting for that day nor every day.
    """
    settings, repo, now = snapshot.settings, around.repo, around.now
    every_days, every_sessions = settings.maintain_every
    if repo is None or now is None or not (every_days or every_sessions):
        return ""
    standing = standing_sessions(snapshot)
    last = _last(repo, now, around.passed)
    if last is None:
        return _never_yet(standing, now, every_days, every_sessions)
    days = days_since(last.at, now)
    if every_days and days is not None and days >= every_days:
        return f"last looked through {days:,} days ago"
    if days is not None and not every_sessions:
        return ""
    fresh = len(set(standing).difference(sessions_then(repo, last.commit) if last.commit else ()))
    if every_sessions and fresh >= every_sessions:
        return f"{fresh:,} session{'' if fresh == 1 else 's'} since it was last looked through"
    if days is None and fresh:
        return f"last looked through on {day_in_words(last.at.date())}, which is ahead of the clock"
    return ""


@frozen
class _Last:
    """The last time maintenance was done, and a commit that holds what the tape held then."""

    at: datetime
    commit: str | None


def _last(repo: Repository, now: datetime, passed: str) -> _Last | None:
    """Return the last time, by history or this machine's note: the later not ahead of the clock."""
    done = last_done(repo, OP)
    by_history = _Last(moment(done.at), done.commit) if done is not None else None
    here = moment(passed)
    if not passed or here.year == 1 or days_since(here, now) is None:
        return by_history
    if by_history is not None and by_history.at >= here and days_since(by_history.at, now) is not None:
        return by_history
    return _Last(here, commit_at(repo, here))


def _never_yet(standing: Sequence[str], now: datetime, every_days: int, every_sessions: int) -> str:
    """Return why the first time has come: measured from the first session not dated ahead of the clock."""
    told = f"never looked through, in {len(standing):,} session{'' if len(standing) == 1 else 's'}"
    if every_sessions and len(standing) >= every_sessions:
        return told
    if not (every_days and standing):
        return ""
    ages = [age for day in map(_day, standing) if day.year > 1 and (age := days_since(day, now)) is not None]
    return told if not ages or max(ages) >= every_days else ""


def _day(session: str) -> datetime:
    return moment(session[:10])
