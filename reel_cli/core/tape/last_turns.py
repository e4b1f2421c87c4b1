"""Times of the sessions' last turns: a chat that goes on is as new as its newest turn, not as its first."""

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, date, datetime, tzinfo
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.moment import NEVER, find_zone, moment, read_day
from reel_cli.core.values.source import session_order, session_path

if TYPE_CHECKING:
    from reel_cli.core.kit.snapshot import Snapshot

END = 1 << 14
"""Bytes at a file's end in which its last turn is looked for before all of it is read."""
_TURN = re.compile(rb'\n<!-- \{"n": [1-9]\d*, [^\n]*"hash": "[0-9a-f]{32}"\} -->\n')
_AT = re.compile(rb', "at": "([^"\n]*)"')
_KEPT = "last turns"


def read_zone(snapshot: "Snapshot") -> tzinfo | None:
    """Return the zone of the kit's days; None for the machine's, also where the settings cannot be read."""
    try:
        name = snapshot.settings.timezone
        return find_zone(name) if name is not None else None
    except ReelError:
        return None


def last_moments(snapshot: "Snapshot") -> Mapping[str, datetime]:
    """Return when the last turn of each session was said, for those whose last turns have a time."""
    return snapshot.derive(_KEPT, lambda: _read_last_moments(snapshot))


def _read_last_moments(snapshot: "Snapshot") -> Mapping[str, datetime]:
    known: dict[str, str] = snapshot.__dict__.setdefault(_KEPT, {})
    paths = [session_path(name) for name in snapshot.sessions]
    if any(path not in known for path in paths):
        known |= snapshot.note(_KEPT, paths, lambda path: known.get(path) or _last(snapshot, path))
    found = ((name, moment(known[path])) for name, path in zip(snapshot.sessions, paths, strict=True))
    return {name: when for name, when in found if when != NEVER}


def _last(snapshot: "Snapshot", path: str) -> str:
    """Return the time of a session's last turn that has one, as the tape has it; "" for none."""
    for whole in (False, True):
        data = snapshot.peek(path, None if whole else END)
        turns = list(_TURN.finditer(data))
        if turns:
            times = (_AT.search(turn[0]) for turn in reversed(turns))
            return next((at[1].decode("utf-8", "replace") for at in times if at is not None), "")
        if len(data) < END:
            break
    return ""


def last_days(snapshot: "Snapshot", sessions: Iterable[str]) -> Mapping[str, date | None]:
    """Return the day of each session's last turn: that of its name where nothing was said on a later one."""
    last = last_moments(snapshot)
    zones: list[tzinfo | None] = []
    found: dict[str, date | None] = {}
    for name in sessions:
        named, when = read_day(name), last.get(name)
        if when is None or named is None or when.date() == named:
            found[name] = named
            continue
        # most chats end on the day of their name, and for them no settings are read
        zones = zones or [read_zone(snapshot)]
        found[name] = max(named, when.astimezone(zones[0]).date())
    return found


def last_day(snapshot: "Snapshot", session: str) -> date:
    """Return the day of one session's last turn."""
    return last_days(snapshot, [session])[session] or date.fromisoformat(session[:10])


def day_said(session: str, at: str) -> str:
    """Return the day of a turn with this time: its session's, unless that went on after the night."""
    days = (moment(at).date() - moment(session[:10]).date()).days if at else 0
    return at[:10] if days > 1 else session[:10]


def is_since(snapshot: "Snapshot", session: str, since: str | None) -> bool:
    """Return whether a session, or its last turn, is of the session `since` or later; True where none is."""
    if not since or session_order(session) >= session_order(since):
        return True
    return last_day(snapshot, session).isoformat() > since[:10]


def by_last_turn(snapshot: "Snapshot", sessions: Sequence[str]) -> Sequence[str]:
    """Return sessions by their last turns, the oldest first.

    Where a time is missing on a day, its sessions are in the order in which they began.
    """
    last, days = last_moments(snapshot), last_days(snapshot, sessions)
    groups: dict[date | None, list[str]] = {}
    for name in sorted(sessions, key=session_order):
        groups.setdefault(days[name], []).append(name)
    found: list[str] = []
    for day in sorted(groups, key=lambda day: day or date.min):
        names = groups[day]
        if len(names) > 1 and all(name in last for name in names):
            names.sort(key=lambda name: last[name].astimezone(UTC))
        found += names
    return found
