"""Use of memory, week by week (Dream Weaver §11.1); unknown data of a week stays unknown."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from reel_cli.core.moment import moment
from reel_cli.core.values.talk import session_order
from reel_cli.features.dream.pulse.pulse_policy import Part


@dataclass(frozen=True, slots=True)
class Week:
    """One week, by its Monday (ISO 8601), or all of them ("").

    Of its sessions, those in which something was recalled; of the tools they used, those that were used
    before; of the threads dropped in it, those still open; of the loops left open in it, those closed since.
    None where nothing is known.
    """

    monday: str
    sessions: int
    searched: Part | None = None
    tools: Part | None = None
    dropped: Part | None = None
    closed: Part | None = None


@dataclass(frozen=True, slots=True)
class WeekData:
    """The data of the weeks: `sessions` oldest first, and by session what was done in it.

    Recalls count from the session `since` on ("": never). `threads` are (day, still open), `loops` are
    (session in which it was left open, closed since).
    """

    sessions: Sequence[str]
    since: str
    recalled: Collection[str]
    tools: Mapping[str, Sequence[str]]
    threads: Sequence[tuple[str, bool]] = ()
    loops: Sequence[tuple[str, bool]] = ()


def by_week(lived: WeekData, today: date) -> tuple[Sequence[Week], Week]:
    """Return every week with any data, oldest first, and the total.

    What is dated after `today`, or on no day, is only in the second.
    """
    again = _tools_again(lived)
    rows: dict[str, list[tuple[str, Part]]] = {}

    def add(day: str, what: str, part: Part) -> None:
        rows.setdefault(_monday(day, today), []).append((what, part))

    first = session_order(lived.since) if lived.since else None
    for name in lived.sessions:
        add(name[:10], "sessions", Part(1, 1))
        if first is not None and session_order(name) >= first:
            add(name[:10], "searched", Part(int(name in lived.recalled), 1))
        if name in again:
            add(name[:10], "tools", again[name])
    for day, still_open in lived.threads:
        add(day, "dropped", Part(int(still_open), 1))
    for name, closed in lived.loops:
        add(name[:10], "closed", Part(int(closed), 1))
    weeks = [_week(monday, rows[monday]) for monday in sorted(rows) if monday]
    return weeks, _week("", [row for found in rows.values() for row in found])


def _week(monday: str, rows: Iterable[tuple[str, Part]]) -> Week:
    sums: dict[str, Part] = {}
    for what, part in rows:
        old = sums.get(what, Part(0, 0))
        sums[what] = Part(old.part + part.part, old.of + part.of)
    sessions = sums.pop("sessions", Part(0, 0)).of
    return Week(monday, sessions, **sums)


def _tools_again(lived: WeekData) -> dict[str, Part]:
    """Return by session how many of its tools an earlier one had used; the first ones were new to all."""
    known: set[str] = set()
    found: dict[str, Part] = {}
    for name in lived.sessions:
        used = {tool.casefold() for tool in lived.tools.get(name, ())}
        if used and known:
            found[name] = Part(len(used & known), len(used))
        known |= used
    return found


def _monday(day: str, today: date) -> str:
    found = moment(day[:10]).date()
    if found.year == 1 or found > today + timedelta(days=1):
        return ""
    return (found - timedelta(days=found.weekday())).isoformat()


def settle_loops(
    opened: Iterable[tuple[str, Sequence[str]]], still: Callable[[str], bool], fold: Callable[[str], str]
) -> list[tuple[str, bool]]:
    """Return each loop once, with the session that first left it open, and whether it is closed.

    `opened` are sessions in their order with what they left open; `still` tells whether a loop is open now.
    """
    first: dict[str, tuple[str, str]] = {}
    for session, loops in opened:
        for loop in loops:
            if folded := fold(loop):
                first.setdefault(folded, (session, loop))
    return [(session, not still(loop)) for session, loop in first.values()]
