"""A moment of a kit's past, as a person names it: a day's end, or a commit."""

import re
from datetime import UTC, date, datetime, time, timedelta, tzinfo

from reel_cli.core.errors import ReelError, UsageError
from reel_cli.core.frozen import frozen
from reel_cli.core.git.commit_tree import CommitTree
from reel_cli.core.git.repository import Repository
from reel_cli.core.git.revisions import (
    CommitTime,
    find_revision,
    first_commit_of,
    first_parent,
    is_shallow,
    read_line,
    require_history,
    when_recorded,
)
from reel_cli.core.moment import day_in_words
from reel_cli.core.values.source import session_path

_DAY = re.compile(r"(\d{4})-(\d{2})(?:-(\d{2}))?")
SHORT = 7
"""Digits of a commit's ID shown on screen."""


@frozen
class KitMoment:
    """One moment of a kit's past: the commit (full id) that was the newest, and when it was recorded.

    `asked` is as it was written, `day` what that means where it is a day (else None), `zone` the name of
    the zone in which days are told.
    """

    asked: str
    commit: str
    recorded: datetime
    day: date | None
    zone: str

    @property
    def short(self) -> str:
        """Return the first digits of the commit's id."""
        return self.commit[:SHORT]

    @property
    def words(self) -> str:
        """Return the day in a few words."""
        if self.day is not None:
            return day_in_words(self.day)
        return day_in_words(self.recorded.date())

    @property
    def line(self) -> str:
        """Return this moment in one sentence."""
        if self.day is None:
            asked = "" if self.commit.startswith(self.asked.casefold()) else f"{self.asked}: "
            at = f"{day_in_words(self.recorded.date())}, {self.recorded:%H:%M}"
            return f"As of {asked}{self.short}, recorded {at} ({self.zone})."
        recorded = day_in_words(self.recorded.date())
        if self.recorded.year == self.day.year:
            recorded = recorded.rpartition(" ")[0]
        day = day_in_words(self.day)
        return f"As of {day}, end of day ({self.zone}): {self.short}, recorded {recorded}."


def resolve_at(repo: Repository | None, text: str, zone: tzinfo | None, name: str) -> KitMoment:
    """Return the moment of a day (`2026-03-01`; `2026-03` is that month's last) or a commit's name.

    A day's end is that of `zone` (None: the machine's). The order of history counts, not that of clocks:
    it is the newest commit, along the first parents, that is not of a later day. `name` is what the kit
    is called in messages.

    Raises UsageError for what is neither, ReelError where the kit was not there yet, StateError where
    there is no history.
    """
    known, head = require_history(repo, name)
    day = _day(text.strip())
    if day is None:
        found = when_recorded(known, find_revision(known, text))
    else:
        found = _last_of_day(known, head, day, zone, name)
    if "kit.yaml" not in CommitTree(known, found.id).ids:
        message = f"{text.strip()} is a commit without this kit."
        raise ReelError(message, hint="reel log --json  lists the commits of this kit")
    return _then(found, text.strip(), day, zone)


def resolve_last_session(
    repo: Repository | None, newest: str | None, zone: tzinfo | None, name: str
) -> KitMoment:
    """Return the moment before the newest session was first recorded, else the kit's first commit.

    A session that no commit holds yet leaves the last commit. Raises StateError where there is no history.
    """
    known, head = require_history(repo, name)
    if newest is None:
        line = read_line(known, head)
        found = line[-1] if line else when_recorded(known, head)
        return _then(found, found.id, None, zone)
    recorded = first_commit_of(known, session_path(newest))
    before = head if recorded is None else first_parent(known, recorded) or recorded
    return _then(when_recorded(known, before), before, None, zone)


def _then(found: CommitTime, asked: str, day: date | None, zone: tzinfo | None) -> KitMoment:
    recorded = _local(found.seconds, zone)
    return KitMoment(asked, found.id, recorded, day, _zone_name(zone, recorded))


def _day(text: str) -> date | None:
    """Return the day a person wrote; None if it is none. Raises UsageError for an impossible day."""
    found = _DAY.fullmatch(text)
    if not found:
        return None
    try:
        if found[3]:
            return date(int(found[1]), int(found[2]), int(found[3]))
        first = date(int(found[1]), int(found[2]), 1)
        return (first.replace(day=28) + timedelta(days=4)).replace(day=1) - timedelta(days=1)
    except (ValueError, OverflowError):
        message = f"{text} is not a day."
        raise UsageError(message, hint="write it as 2026-03-01") from None


def _last_of_day(repo: Repository, head: str, day: date, zone: tzinfo | None, name: str) -> CommitTime:
    line = read_line(repo, head)
    try:
        end = datetime.combine(day + timedelta(days=1), time(), zone).astimezone(UTC).timestamp()
    except (OverflowError, ValueError, OSError):
        end = float("inf") if day.year > 1970 else float("-inf")
    found = next((one for one in line if one.seconds < end), None)
    if found is not None:
        return found
    if not line:
        message = f"No commit holds anything of {name} yet."
        raise ReelError(message, hint="reel log  lists what was done")
    first = line[-1]
    told = f"{day_in_words(_local(first.seconds, zone).date())} ({first.id[:SHORT]})"
    if is_shallow(repo):
        message = f"This clone does not go back to {day_in_words(day)}; its oldest commit is of {told}."
        raise ReelError(message, hint="fetch the older ones with  git fetch --unshallow")
    message = f"{name} was not there yet on {day_in_words(day)}; its first commit is of {told}."
    raise ReelError(message, hint=f"the earliest moment there is:  {first.id[:SHORT]}")


def _local(seconds: int, zone: tzinfo | None) -> datetime:
    try:
        return datetime.fromtimestamp(seconds, UTC).astimezone(zone)
    except (OverflowError, ValueError, OSError):
        # the clock was far off; the order of history counts
        return datetime.fromtimestamp(0, UTC)


def _zone_name(zone: tzinfo | None, at: datetime) -> str:
    return str(zone) if zone is not None else f"this machine's zone, {at.tzname()}"
