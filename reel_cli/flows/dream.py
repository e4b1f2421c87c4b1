"""A dream as a whole: beginning, stopping, how far it has come, what it will take (Dream Weaver §3, §10)."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime

from reel_cli.errors import ReelError
from reel_cli.flows.dream_batch import LEAST_SAID, room_to_write, words_for
from reel_cli.flows.dream_tape import Left, find_left
from reel_cli.flows.dream_weave import OP
from reel_cli.kit.dream_cursor import CURSOR, parse_cursor, render_cursor
from reel_cli.kit.missed_file import MISSED
from reel_cli.kit.snapshot import Snapshot
from reel_cli.kit.story_file import HISTORY, REMEMBER
from reel_cli.model.change import Change, one_line
from reel_cli.model.dream import Cursor, DreamState, Mode
from reel_cli.model.tape import SESSION_ID, session_order

USUAL_WINDOW = 128 * 1024
PAST = "story/past"
_TOKENS_A_WORD = 2
"""What is written for a batch comes to about so many tokens a word of its story: the rest is in it."""
_PRICE = re.compile(r"[$€£]?(\d+(?:[.,]\d+)?)(?:\s*/\s*[$€£]?(\d+(?:[.,]\d+)?))?")


@dataclass(frozen=True, slots=True)
class Estimate:
    """About what a dream will take: prompts, tokens to read and to write, the cost (None: no price given)."""

    prompts: int
    tokens_in: int
    tokens_out: int
    cost: float | None


def read_cursor(snapshot: Snapshot) -> Cursor | None:
    """How far the kit has dreamt; None where it never did."""
    text = snapshot.text(CURSOR)
    return parse_cursor(text) if text and text.strip() else None


@dataclass(frozen=True, slots=True)
class Wish:
    """What a dream is to be: from where on, for which window, of which kind; None for what is usual.

    `because` is what the person noticed, `model` what will write.
    """

    since: str | None = None
    window: int | None = None
    mode: Mode | None = None
    because: str = ""
    model: str = ""


def begin(snapshot: Snapshot, now: datetime, wish: Wish) -> Cursor:
    """The cursor a dream begins with, or goes on with where it was stopped.

    Without a mode, the first is a full relive and those after it read what came since (§10.3).
    Raises ReelError where one is under way.
    """
    before = read_cursor(snapshot)
    if before is not None and before.state is DreamState.RUNNING:
        message = "A dream is under way already."
        raise ReelError(message, hint="go on with  reel dream next, or first  reel dream stop")
    first = first_session(snapshot, wish.since) if wish.since is not None else ""
    if before is None or wish.mode is Mode.FULL:
        if wish.mode is Mode.INCREMENTAL:
            message = "Nothing was dreamt yet that could be added to."
            raise ReelError(message, hint="leave out  --incremental")
        return Cursor(
            DreamState.RUNNING,
            Mode.FULL,
            now.isoformat(),
            wish.window or USUAL_WINDOW,
            first,
            because=wish.because,
            model=wish.model,
        )
    stopped = before.state is DreamState.STOPPED
    return replace(
        before,
        state=DreamState.RUNNING,
        mode=wish.mode or (before.mode if stopped else Mode.INCREMENTAL),
        started=before.started if stopped else now.isoformat(),
        window=wish.window or before.window,
        since=first or before.since,
        because=wish.because or (before.because if stopped else ""),
        model=wish.model or (before.model if stopped else ""),
    )


def first_session(snapshot: Snapshot, since: str) -> str:
    """The session that a day or a session name stands for. Raises ReelError where there is none."""
    plain = since.strip()
    if SESSION_ID.fullmatch(plain):
        if plain not in snapshot.sessions:
            message = f"There is no session {plain} on the tape."
            raise ReelError(message, hint="see them with  reel tape list")
        return plain
    try:
        day = date.fromisoformat(plain).isoformat()
    except ValueError:
        message = f"{since!r} is neither a day nor a session."
        raise ReelError(message, hint="write it like  2026-02-10  or  2026-02-10-1") from None
    found = [name for name in snapshot.sessions if session_order(name) >= (day, 0)]
    if not found:
        message = f"Nothing on the tape is of {day} or later."
        raise ReelError(message, hint="see what there is with  reel tape list")
    return found[0]


def plan_start(snapshot: Snapshot, cursor: Cursor) -> Change:
    """Begin: the cursor is put down; for a full relive what was woven before is laid aside (§6.9)."""
    text = snapshot.text(CURSOR) or ""
    before = read_cursor(snapshot)
    fresh = not cursor.read and cursor.batch == 0
    writes: dict[str, bytes | None] = {}
    if fresh:
        stood = [path for path in (HISTORY, MISSED, REMEMBER) if snapshot.read(path) is not None]
        place = _free_place(snapshot, cursor.started[:10])
        for path in stood:
            writes[path.replace("story", place, 1)] = snapshot.read(path)
            writes[path] = None
    writes[CURSOR] = render_cursor(cursor, text).encode()
    what = "go on" if not fresh else "begin" if cursor.since else "begin, from the first day"
    if cursor.because and cursor.because != (before.because if before is not None else ""):
        told = f"{what}, because: {one_line(cursor.because, 72)}"
        return Change(OP, told, writes, notes=(cursor.because,))
    return Change(OP, what, writes)


def _free_place(snapshot: Snapshot, day: str) -> str:
    taken = {path.split("/")[2] for path in snapshot.list(PAST) if path.count("/") > 2}
    number = 1
    while (name := day if number == 1 else f"{day}-{number}") in taken:
        number += 1
    return f"{PAST}/{name}"


def newest_past(snapshot: Snapshot) -> str | None:
    """The folder with what was laid aside last; None where nothing was."""
    places = {path.rpartition("/")[0] for path in snapshot.list(PAST) if path.count("/") > 2}
    return max(places, key=_past_order, default=None)


def _past_order(place: str) -> tuple[str, int]:
    name = place.split("/")[2]
    number = name[11:]
    return name[:10], int(number) if number.isascii() and number.isdigit() else 1


def plan_stop(snapshot: Snapshot) -> Change:
    """Leave off; `start` goes on from there. Raises ReelError where no dream is under way."""
    cursor = running(snapshot)
    text = snapshot.text(CURSOR) or ""
    stopped = replace(cursor, state=DreamState.STOPPED)
    return Change(OP, "stop", {CURSOR: render_cursor(stopped, text).encode()})


def running(snapshot: Snapshot) -> Cursor:
    """The dream that is under way. Raises ReelError where none is."""
    cursor = read_cursor(snapshot)
    if cursor is None or cursor.state is not DreamState.RUNNING:
        message = "No dream is under way."
        raise ReelError(message, hint="begin one with  reel dream start")
    return cursor


def estimate(
    left: Left, window: int, frame: int, notes: int, price: tuple[float, float] | None = None
) -> Estimate:
    """About what is before a dream: `frame` and `notes` are the tokens each prompt starts from.

    `price` is for a million tokens, read and written.
    """
    limit = window - room_to_write(window)
    written = words_for(window) * _TOKENS_A_WORD
    tokens, prompts, reads = left.tokens, 0, 0
    while tokens > 0 or (prompts == 0 and left.sessions):
        held = min(notes, window // 2)
        room = max(limit - frame - held, LEAST_SAID)
        if prompts > 10_000:
            # from here on every prompt is alike
            more = -(-tokens // room)
            prompts, reads, tokens = prompts + more, reads + more * (frame + held) + tokens, 0
            break
        prompts += 1
        reads += frame + held + min(room, tokens)
        tokens -= room
        notes += written
    writes = prompts * written
    cost = None if price is None else (reads * price[0] + writes * price[1]) / 1_000_000
    return Estimate(prompts, reads, writes, cost)


def parse_price(text: str) -> tuple[float, float]:
    """`3` or `3/15`: what a million tokens cost, read and written. Raises ReelError where it is no price."""
    found = _PRICE.fullmatch(text.strip())
    if found is None:
        message = f"{text!r} is no price."
        raise ReelError(
            message, hint="write what a million tokens cost:  --price 3  or, read and written,  --price 3/15"
        )
    first = float(found[1].replace(",", "."))
    return first, float(found[2].replace(",", ".")) if found[2] else first


def status_values(overview: Snapshot, cursor: Cursor | None) -> Mapping[str, object]:
    """How a dream stands, as a program is told."""
    if cursor is None:
        return {
            "cursor": None,
            "sessions_done": 0,
            "sessions_total": 0,
            "tokens_left": 0,
            "batch": 0,
            "state": "none",
        }
    left = find_left(overview, cursor)
    return {
        "cursor": last_read(cursor),
        "sessions_done": left.done,
        "sessions_total": left.total,
        "tokens_left": left.tokens,
        "batch": cursor.batch,
        "state": cursor.state.value,
        "mode": cursor.mode.value,
        "started": cursor.started,
        "window": cursor.window,
        "since": cursor.since or None,
    }


def last_read(cursor: Cursor) -> str | None:
    """The last message that was read, as `2026-02-10-1#48`."""
    if not cursor.read:
        return None
    session = max(cursor.read, key=session_order)
    return f"{session}#{cursor.read[session][-1][1]}"
