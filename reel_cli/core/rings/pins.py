"""Pins: a person's word that a memory stays as it is, kept in the ledger of attention (REEL §4.4)."""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from reel_cli.core.errors import ReelError
from reel_cli.core.files.ledger_file import DECISIONS, Entry, add_entries, make_entry, read_ledger
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.moment import moment, stamp
from reel_cli.core.rings.read_memory import find_memory
from reel_cli.core.values.change import Change, one_line, titled

OP = "memory"


def find_pinned(entries: Iterable[Entry]) -> frozenset[str]:
    """Return the names that are pinned now: the newest decision on each counts, else the later line."""
    return frozenset(name for name, entry in _last_decisions(entries).items() if entry.do == "pin")


def plan_pins(
    snapshot: Snapshot, wanted: Sequence[str], *, pin: bool, why: str, now: datetime
) -> tuple[Change | None, tuple[str, ...]]:
    """Return the change that pins memories (or removes their pins), and the names concerned.

    Change is None where all of them are as wanted. Raises ReelError for one that the kit does not hold.
    """
    names: dict[str, str] = {}
    for one in wanted:
        memory, line = find_memory(snapshot, one)
        name = memory.id if memory is not None else line.id if line is not None else one
        names[name] = memory.title if memory is not None else line.description if line is not None else ""
    pinned = find_pinned(read_ledger(snapshot))
    fresh = [name for name in names if (name in pinned) != pin]
    if not fresh:
        return None, ()
    told = titled(names[fresh[0]], fresh[0]) if len(fresh) == 1 else ", ".join(fresh)
    notes = (one_line(why),) if one_line(why) else ()
    done = "pinned" if pin else "unpinned"
    change = Change(OP, f"{done} {told}", {}, notes=notes)
    return decide(change, snapshot, fresh, pin=pin, now=now), tuple(fresh)


def decide(change: Change, snapshot: Snapshot, names: Sequence[str], *, pin: bool, now: datetime) -> Change:
    """Return the change with these pinned (or unpinned) in the ledger, except those already so."""
    last = _last_decisions(read_ledger(snapshot))
    session = snapshot.sessions[-1] if snapshot.sessions else ""
    act = "pin" if pin else "unpin"
    entries = []
    for name in names:
        before = last.get(name)
        if (before.do if before else "unpin") == act:
            continue
        # a clock that was set back must not let an older word win
        at = now if before is None else max(now, moment(before.at) + timedelta(seconds=1))
        entries.append(make_entry(stamp(at), session, act, name))
    return add_entries(change, snapshot, entries)


def _last_decisions(entries: Iterable[Entry]) -> dict[str, Entry]:
    last: dict[str, Entry] = {}
    for entry in entries:
        if entry.do in DECISIONS:
            for name in entry.on.split():
                if name not in last or moment(entry.at) >= moment(last[name].at):
                    last[name] = entry
    return last


def require_reason(why: str) -> str:
    """Return a reason as one line of bounded length; ReelError where it is longer."""
    told = one_line(why)
    if len(told) > LONGEST_REASON:
        message = f"The reason is {len(told):,} characters long; {LONGEST_REASON} are enough."
        raise ReelError(message, hint="say it in a sentence or two")
    return told


LONGEST_REASON = 400
