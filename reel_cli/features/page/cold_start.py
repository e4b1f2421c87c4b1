"""The cold start: the thresholds of maturity, and the one time that a kit reaches them (REEL §7)."""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime

from reel_cli.core.errors import ReelError
from reel_cli.core.files.checkpoint_file import session_of_checkpoint
from reel_cli.core.files.tree import is_exemplar_file, is_memory_file
from reel_cli.core.frozen import frozen
from reel_cli.core.kit.snapshot import EVENTS, Snapshot
from reel_cli.core.moment import stamp
from reel_cli.core.tape.events_file import append_events
from reel_cli.core.tape.tape_view import read_events
from reel_cli.core.values.change import Change
from reel_cli.core.values.memory import is_brought
from reel_cli.core.values.talk import Event

POOL = 5
MEMORIES = 10
SESSIONS = 3
ENTRIES = 15
STABLE = 2


@frozen
class Criterion:
    """One criterion: its name in words, what the kit has, what it needs."""

    criterion: str
    have: int
    need: int

    @property
    def met(self) -> bool:
        """Return whether the kit has what is needed."""
        return self.have >= self.need


def judge_maturity(
    *, pool: int, memories: int, sessions: int, entries: int, drifts: Sequence[tuple[str, str]]
) -> tuple[Criterion, ...]:
    """Check a kit against the criteria.

    `sessions` is how many sessions the memories span; `drifts` are the checkpoints' (session,
    drift_detected) pairs, oldest first; a session counts as stable by its last checkpoint that speaks of it.
    """
    last = {session: drift for session, drift in drifts if drift}
    best = run = 0
    for verdict in last.values():
        run = run + 1 if verdict == "no" else 0
        best = max(best, run)
    return (
        Criterion("exemplars in the pool", pool, POOL),
        Criterion("memories", memories, MEMORIES),
        Criterion("sessions the memories span", sessions, SESSIONS),
        Criterion("lines in the index", entries, ENTRIES),
        Criterion("sessions in a row without drift", best, STABLE),
    )


def is_mature(criteria: Sequence[Criterion]) -> bool:
    """Return whether the cold start is over."""
    return all(criterion.met for criterion in criteria)


MATURITY = "maturity"
"""The kind of event that says that the cold start is over."""
_DRIFT = re.compile(r'(?m)^drift_detected: *"?(\w+)"? *$')
_VERDICTS = {"false": "no", "true": "yes"}


def find_transition(snapshot: Snapshot) -> Event | None:
    """Return the tape's event for the end of the cold start; None if there is none."""
    return next((event for event in read_events(snapshot) if event.kind == MATURITY), None)


def is_cold(snapshot: Snapshot) -> bool:
    """Return whether the kit is in its cold start: nothing descends, more is asked for, more is kept.

    It is until the tape says that it is over, and never again after that, whatever pruning leaves. A kit
    from before that was noted counts as soon as it meets the criteria.
    """
    return find_transition(snapshot) is None and not is_mature(measure_maturity(snapshot))


def count_steady(snapshot: Snapshot) -> int:
    """Return the number of sessions whose pages told of no shift, since one told of a shift or a doubt."""
    steady: dict[str, None] = {}
    for path, drift in _read_drifts(snapshot).items():
        if drift == "no":
            steady[session_of_checkpoint(path)] = None
        elif drift:
            steady.clear()
    return len(steady)


def _read_drifts(snapshot: Snapshot) -> Mapping[str, str]:
    return snapshot.note("drifts", snapshot.checkpoints, lambda path: _drift(snapshot, path))


def measure_maturity(snapshot: Snapshot) -> Sequence[Criterion]:
    """Return the criteria, each with what this kit has."""
    drifts = _read_drifts(snapshot)

    def count(rings: Snapshot) -> tuple[int, int, int]:
        # lore is no past: imported memories do not make a kit older
        brought = {line.id for line in rings.index.lines.values() if is_brought(line.tags)}
        sessions = {session for memory in rings.memories.values() for session in memory.sessions}
        return len(rings.memories.keys() - brought), len(sessions), len(rings.index.lines) - len(brought)

    memories, sessions, entries = snapshot.note_rings("maturity", count)
    return judge_maturity(
        pool=_pool(snapshot),
        memories=memories,
        sessions=sessions,
        entries=entries,
        drifts=[(session_of_checkpoint(path), drift) for path, drift in drifts.items()],
    )


def has_grown_up(snapshot: Snapshot) -> bool:
    """Return whether the criteria for maturity are met and the tape does not say so yet.

    No as well where the kit has files that cannot be read: then nothing is decided on it.
    """
    try:
        # a mature kit's memories are many; its events are one small file
        if find_transition(snapshot) is not None or _is_surely_cold(snapshot):
            return False
        return is_mature(measure_maturity(snapshot))
    except (ReelError, OSError):
        return False


def plan_transition(snapshot: Snapshot, now: datetime) -> Change | None:
    """Return the change that records the end of the cold start; None if the tape has it already.

    Whether it is over is for `has_grown_up`. StateError where `tape/events.md` is not as it was recorded.
    """
    if find_transition(snapshot) is not None:
        return None
    criteria = measure_maturity(snapshot)
    text = "\n".join(f"{one.criterion}: {one.have}" for one in criteria)
    event = Event(0, MATURITY, stamp(now), text)
    memories, sessions = (one.have for one in criteria[1:3])
    told = f"{snapshot.settings.name} has a past now: {memories:,} memories of {sessions:,} chats"
    return Change(
        "tape",
        told,
        {EVENTS: append_events(snapshot.read(EVENTS), [event], EVENTS)},
        notes=(f"{told}. From here on, what is old may recede; nothing of it is lost.",),
    )


def _is_surely_cold(snapshot: Snapshot) -> bool:
    """Return whether the number of files alone shows a cold start, as in any young kit."""
    if _pool(snapshot) < POOL:
        return True
    return sum(is_memory_file(path.removeprefix("ring3/")) for path in snapshot.list("ring3")) < MEMORIES


def _pool(snapshot: Snapshot) -> int:
    return sum(is_exemplar_file(path.removeprefix("ring1/")) for path in snapshot.list("ring1"))


def _drift(snapshot: Snapshot, path: str) -> str:
    """Return a checkpoint's verdict; reel's own line is read without the rest of the file."""
    text = snapshot.text(path) or ""
    found = _DRIFT.findall(text)
    if len(found) == 1:
        told = str(found[0])
    else:
        from reel_cli.core.files.checkpoint_file import read_checkpoint

        told = read_checkpoint(text, path).get("drift_detected", "").strip()
    return _VERDICTS.get(told.casefold(), told.casefold())
