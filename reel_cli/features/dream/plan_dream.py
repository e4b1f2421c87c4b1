"""A dream as a whole: beginning, stopping, how far it has come, what it will take (Dream Weaver §3, §10)."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from reel_cli.core.errors import ReelError, UsageError
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.tape.last_turns import last_days
from reel_cli.core.values.change import Change, for_screen, one_line
from reel_cli.core.values.talk import SESSION_ID, session_order
from reel_cli.features.dream.cursor_file import CURSOR, read_cursor, render_cursor
from reel_cli.features.dream.dream import Cursor, DreamState, Mode
from reel_cli.features.dream.earlier_story import is_unfinished, lay_aside
from reel_cli.features.dream.plan_weave import OP
from reel_cli.features.dream.unread_tape import find_left

_AND = " · "
"""Separator of the person's observations at different times."""
_MOST_NOTICED = 2_400
"""Maximum characters of what the person noticed that are told in each prompt."""


@dataclass(frozen=True, slots=True)
class DreamRequest:
    """The request for a dream: its start, window and mode; None for the default.

    `because` is what the person noticed, `model` what will write.
    """

    since: str | None = None
    window: int | None = None
    mode: Mode | None = None
    because: str = ""
    model: str = ""


def begin(snapshot: Snapshot, now: datetime, wish: DreamRequest) -> Cursor:
    """Return the cursor a dream begins with, or continues from if it was stopped.

    Without a mode, the first is a full relive and those after it read what came since (Dream Weaver §10.3).
    Raises ReelError where one is under way.
    """
    before = read_cursor(snapshot)
    if before is not None and before.state is DreamState.RUNNING:
        message = "A dream is under way already."
        raise ReelError(message, hint="go on with  reel dream next  or end it:  reel dream stop")
    first = first_session(snapshot, wish.since) if wish.since is not None else ""
    if before is None or wish.mode is Mode.FULL:
        if wish.mode is Mode.INCREMENTAL:
            message = "There is no story yet to add to."
            raise ReelError(message, hint="leave out  --incremental")
        return Cursor(
            DreamState.RUNNING,
            Mode.FULL,
            now.isoformat(),
            wish.window or (before.window if before is not None else snapshot.settings.window),
            first,
            because=wish.because,
            model=wish.model,
        )
    stopped = before.state is DreamState.STOPPED
    return replace(
        before,
        state=DreamState.RUNNING,
        # a relive that is not done stays one: until its end the story from before is told
        mode=before.mode if stopped and is_unfinished(before) else wish.mode or Mode.INCREMENTAL,
        started=before.started if stopped else now.isoformat(),
        window=wish.window or before.window,
        since=first or before.since,
        because=both_said(before.because, wish.because) if stopped else wish.because,
        model=wish.model or (before.model if stopped else ""),
    )


def both_said(before: str, more: str) -> str:
    """Return the earlier and the later reason without repetition; if very long, only the newest."""
    said = before.split(_AND) if before else []
    if more and more not in said:
        said.append(more)
    while len(said) > 1 and sum(map(len, said)) > _MOST_NOTICED:
        del said[0]
    return _AND.join(said)


def newly_said(before: str, because: str) -> str:
    """Return the part that was not said before."""
    return because.removeprefix(before + _AND) if before else because


def first_session(snapshot: Snapshot, since: str) -> str:
    """Return the first session of a day, a month or a year, or the one that is named.

    Raises ReelError where there is none, UsageError where it is neither.
    """
    plain = since.strip()
    if SESSION_ID.fullmatch(plain):
        if plain not in snapshot.sessions:
            message = f"There is no recorded chat {plain}."
            raise ReelError(message, hint="see them with  reel tape list")
        return plain
    from reel_cli.features.history.log import since_day

    try:
        day = since_day(plain)
    except UsageError:
        message = f"{since!r} is neither a day nor a chat."
        raise UsageError(message, hint="write it like  2026-02-10, 2026-02  or  2026-02-10-1") from None
    found = [name for name in snapshot.sessions if session_order(name) >= (day, 0)]
    # else a chat that was begun before may have gone on since
    days = last_days(snapshot, snapshot.sessions) if not found else {}
    found = found or [name for name, last in days.items() if last is not None and last.isoformat() >= day]
    if not found:
        message = f"Nothing was recorded on {day} or later."
        raise ReelError(message, hint="to see what there is:  reel tape list")
    return found[0]


def plan_start(snapshot: Snapshot, cursor: Cursor) -> Change:
    """Plan the beginning: a new cursor; a full relive lays the old story aside (Dream Weaver §6.9)."""
    text = snapshot.text(CURSOR) or ""
    before = read_cursor(snapshot)
    fresh = is_fresh(cursor)
    writes: dict[str, bytes | None] = {}
    if fresh:
        aside = lay_aside(snapshot, cursor.started[:10])
        writes |= aside.writes
        cursor = replace(cursor, past=aside.told)
    writes[CURSOR] = render_cursor(cursor, text).encode()
    what = "go on" if not fresh else "begin" if cursor.since else "begin, from the first day"
    if cursor.because and cursor.because != (before.because if before is not None else ""):
        said = newly_said(before.because if before is not None else "", cursor.because)
        return Change(OP, f"{what}{for_screen(', because: ' + one_line(said, 72))}", writes, notes=(said,))
    return Change(OP, what, writes)


def count_untold(before: Cursor | None, cursor: Cursor) -> int:
    """Return how many sessions were dreamt of and are not told again in a dream that begins later."""
    if before is None or not cursor.since or not is_fresh(cursor):
        return 0
    first = session_order(cursor.since)
    return sum(session_order(session) < first for session in before.read)


def is_fresh(cursor: Cursor) -> bool:
    """Return whether a dream has read nothing yet."""
    return not cursor.read and cursor.batch == 0


def plan_stop(snapshot: Snapshot) -> Change:
    """Leave off; `start` goes on from there. Raises ReelError where no dream is under way."""
    cursor = running(snapshot)
    text = snapshot.text(CURSOR) or ""
    stopped = replace(cursor, state=DreamState.STOPPED)
    return Change(OP, "stop", {CURSOR: render_cursor(stopped, text).encode()})


def running(snapshot: Snapshot) -> Cursor:
    """Return the dream that is under way; raises ReelError if there is none."""
    cursor = read_cursor(snapshot)
    if cursor is None:
        message = "No dream is under way."
        raise ReelError(message, hint="begin one with  reel dream start")
    if cursor.state is DreamState.STOPPED:
        message = "The dream is stopped."
        raise ReelError(message, hint="go on with it:  reel dream start")
    if cursor.state is DreamState.DONE:
        message = "The dream is over."
        raise ReelError(message, hint="for what came since:  reel dream start")
    return cursor


def status_values(overview: Snapshot, cursor: Cursor | None) -> Mapping[str, object]:
    """Return the state of a dream as JSON values."""
    if cursor is None:
        return {
            "cursor": None,
            "sessions_done": 0,
            "sessions_total": 0,
            "tokens_read": 0,
            "tokens_left": 0,
            "batch": 0,
            "state": "none",
        }
    left = find_left(overview, cursor)
    return {
        "cursor": last_read(cursor),
        "sessions_done": left.done,
        "sessions_total": left.total,
        "tokens_read": left.read,
        "tokens_left": left.tokens,
        "batch": cursor.batch,
        "state": cursor.state.value,
        "mode": cursor.mode.value,
        "started": cursor.started,
        "window": cursor.window,
        "since": cursor.since or None,
    }


def last_read(cursor: Cursor) -> str | None:
    """Return the last message that was read, as `2026-02-10-1#48`."""
    if not cursor.read:
        return None
    session = max(cursor.read, key=session_order)
    return f"{session}#{cursor.read[session][-1][1]}"
