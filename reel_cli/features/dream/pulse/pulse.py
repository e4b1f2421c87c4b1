"""The heartbeat of a kit, gathered: recalls, dreams, models, what broke the thread (Dream Weaver §6.3)."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from reel_cli.core.files.ledger_file import parse_entry
from reel_cli.core.git.last_proof import ProofRecord
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.moment import days_since, moment
from reel_cli.core.tape.tape_view import standing_sessions
from reel_cli.core.values.due import Due
from reel_cli.features.dream.cursor_file import CURSOR, parse_cursor
from reel_cli.features.dream.dream import Cursor, DreamState, Mode
from reel_cli.features.dream.pulse.fading_signs import tell_fading
from reel_cli.features.dream.pulse.outside_facts import Marks, OutsideFacts
from reel_cli.features.dream.pulse.pulse_policy import (
    Disruption,
    Dreamt,
    Heartbeat,
    Kind,
    Reason,
    find_gaps,
    judge,
    recalled_in,
    take_heartbeat,
)
from reel_cli.features.dream.pulse.shaken_chapters import find_shaken
from reel_cli.features.dream.waking.schedule import by_clock
from reel_cli.features.dream.waking.tape_models import plain_model

if TYPE_CHECKING:
    from reel_cli.core.values.source import Ranges
    from reel_cli.features.dream.waking.tape_models import ModelSpan


@dataclass(frozen=True, slots=True)
class Pulse:
    """The pulse of a kit: `sessions` are those that count and are not `ahead` of the clock, oldest first.

    `state` is how the last dream stands, None where there was none; `age` how many days ago a batch of one
    was last woven, None where nobody knows.
    """

    sessions: Sequence[str]
    ahead: Sequence[str]
    recalled: frozenset[str]
    heart: Heartbeat
    state: DreamState | None
    dreamt: Dreamt
    age: int | None
    models: "Sequence[ModelSpan]"
    disruptions: Sequence[Disruption]
    verified: ProofRecord | None
    reasons: Sequence[Reason]
    shaken: Due | None = None
    """A chapter that is to be held against the tape again."""


def read_pulse(snapshot: Snapshot, beside: OutsideFacts, *, cold: bool) -> Pulse:
    """Measure a kit's pulse. Raises ReelError if a file that it is made of cannot be read."""
    from reel_cli.features.dream.waking.tape_models import models_seen

    now = beside.now
    standing = standing_sessions(snapshot)
    sessions = by_clock(standing, now)
    ahead = [name for name in standing if name not in set(sessions)]
    cursor = look_at_cursor(snapshot)
    marks = beside.marks() or Marks()
    left = _find_unread(snapshot, cursor)
    dreamt = _dreamt(cursor, marks, standing, left)
    models = models_seen(snapshot)
    verified = beside.verified()
    recalled = recalled_in(sessions, set(ahead), read_recalls(snapshot, beside.touches()))
    settings = snapshot.settings
    heart = take_heartbeat(sessions, recalled, settings.dream_over, settings.dream_threshold)
    # a session that was read and continued since is not new
    new = {name for name in dreamt.unread if name not in cursor.read} if cursor is not None else set()
    disruptions = _disruptions(sessions, dreamt, new, marks, models, verified)
    return Pulse(
        sessions=sessions,
        ahead=ahead,
        recalled=recalled,
        heart=heart,
        state=cursor.state if cursor is not None else None,
        dreamt=dreamt,
        age=days_since(dreamt.last, now) if dreamt.last is not None else None,
        models=models,
        disruptions=disruptions,
        verified=verified,
        reasons=judge(
            *(settings, now, sessions, dreamt, heart, disruptions),
            cold=cold,
            fading=tell_fading(snapshot, sessions, now, left) if any(settings.dream_every) else (),
        ),
        shaken=find_shaken(snapshot, marks, verified, sessions, under_way=dreamt.under_way)
        if any(settings.dream_every)
        else None,
    )


# -- what is read -------------------------------------------------------------------------------


def look_at_cursor(snapshot: Snapshot) -> Cursor | None:
    """Return the progress of the kit's dream, cached from one overview to the next; None for none.

    Raises ReelError where the file cannot be read.
    """
    if CURSOR not in snapshot.list("story"):
        return None

    def note(path: str) -> list[Any]:
        text = snapshot.text(path) or ""
        if not text.strip():
            return []
        found = parse_cursor(text)
        read = {session: [list(pair) for pair in ranges] for session, ranges in found.read.items()}
        return [found.state, found.mode, found.started, found.window, found.since, found.batch, read]

    kept = snapshot.note("cursor", [CURSOR], note)[CURSOR]
    if not kept:
        return None
    state, mode, started, window, since, batch, read = kept
    ranges: Mapping[str, Ranges] = {
        session: tuple((first, last) for first, last in pairs) for session, pairs in read.items()
    }
    return Cursor(
        state=DreamState(state),
        mode=Mode(mode),
        started=started,
        window=window,
        since=since,
        batch=batch,
        read=ranges,
    )


def read_recalls(snapshot: Snapshot, touches: Sequence[str] = ()) -> Sequence[tuple[str, str]]:
    """Return (session, when) of the recalls in the ledger, one for each session and day."""

    def note(path: str) -> list[list[str]]:
        return _recalls((snapshot.text(path) or "").splitlines())

    journal = [path for path in snapshot.list("journal") if path.endswith(".jsonl")]
    notes = snapshot.note("recalls", journal, note)
    found = [*(pair for path in journal for pair in notes[path]), *_recalls(touches)]
    return [(session, at) for session, at in found]


def _recalls(lines: Sequence[str]) -> list[list[str]]:
    first: dict[tuple[str, str], str] = {}
    for line in lines:
        entry = parse_entry(line) if '"recall"' in line else None
        if entry is not None and entry.do == "recall":
            first.setdefault((entry.session, entry.at[:10]), entry.at)
    return [[session, at] for (session, _), at in first.items()]


def _has_dreamt(cursor: Cursor) -> bool:
    return bool(cursor.read) or cursor.batch > 0


def _last(cursor: Cursor, marks: Marks) -> datetime:
    """Return when a dream was last woven; if history does not say, when the last one began."""
    return moment(marks.dreams[0] if marks.dreams else cursor.started)


def _dreamt(
    cursor: Cursor | None, marks: Marks, standing: Sequence[str], left: "Mapping[str, Ranges] | None"
) -> Dreamt:
    if cursor is None or left is None:
        return Dreamt(unread=standing)
    ever, under_way = _has_dreamt(cursor), cursor.state is DreamState.RUNNING
    last = _last(cursor, marks)
    return Dreamt(
        ever=ever,
        under_way=under_way,
        # beginning a dream is a step too
        last=max(last, moment(cursor.started)) if under_way else last if ever else None,
        unread=[name for name in standing if name in left],
    )


def _find_unread(snapshot: Snapshot, cursor: Cursor | None) -> "Mapping[str, Ranges] | None":
    """Return the messages that are still to be dreamt of, by session; None where there never was a dream."""
    if cursor is None:
        return None
    from reel_cli.features.dream.unread_tape import find_left

    return find_left(snapshot, cursor).sessions


def _disruptions(  # noqa: PLR0913 (all that may break the thread)
    sessions: Sequence[str],
    dreamt: Dreamt,
    new: Collection[str],
    marks: Marks,
    models: "Sequence[ModelSpan]",
    verified: ProofRecord | None,
) -> list[Disruption]:
    """Return the disruptions, oldest first; a fresh one is one that the last dream could not know.

    `new` are the sessions of which nothing was read.
    """
    last = dreamt.last
    new = new if dreamt.ever else ()

    def later(at: str) -> bool:
        return last is not None and moment(at) > last

    found = find_gaps(sessions, new)
    found += [Disruption(Kind.PURGE, at, "something was purged", later(at)) for at in marks.purges]
    known: set[str] = set()
    for seen in models:
        name = plain_model(seen.model)
        if known and name not in known:
            what = f"a new model speaks: {seen.model}"
            found.append(Disruption(Kind.MODEL, seen.first[:10], what, seen.first in new))
        known.add(name)
    if verified is not None and verified.failed:
        # until it is mended, that comes first
        fresh = verified.well and later(verified.failed)
        found.append(Disruption(Kind.VERIFY, verified.failed, "the tape was not as recorded", fresh))
    return sorted(found, key=lambda one: one.at[:10])
