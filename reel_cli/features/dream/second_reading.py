"""Why a dream is begun, in the person's words, and reading again what was read (Dream Weaver §10.1)."""

from dataclasses import replace
from datetime import date, timedelta

from reel_cli.core.errors import ReelError
from reel_cli.core.files.commit_message import NOTICED
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.values.change import Change, for_screen, one_line
from reel_cli.core.values.talk import session_order
from reel_cli.features.dream.cursor_file import CURSOR, render_cursor
from reel_cli.features.dream.dream import Cursor, DreamState, Mode
from reel_cli.features.dream.earlier_story import is_unfinished
from reel_cli.features.dream.plan_dream import both_said, first_session
from reel_cli.features.dream.plan_weave import OP

LONGEST = 600
"""Maximum characters of what the person noticed."""
A_WEEK = 7
"""Days that are read again if no start is given."""


def noticed(text: str) -> str:
    """Return the reason that the person gave, on one line without control characters; raises ReelError."""
    words = one_line(text.encode("utf-8", "replace").decode())
    if not words:
        message = "--because needs a text."
        raise ReelError(message, hint='write what you noticed:  --because "you are not yourself"')
    if len(words) > LONGEST:
        message = f"What you noticed can have {LONGEST:,} characters; this has {len(words):,}."
        raise ReelError(message, hint="say it in a sentence or two")
    return words


def plan_noticed(snapshot: Snapshot, cursor: Cursor, because: str) -> Change | None:
    """Add to the current dream what the person noticed; None if it is known.

    Later batches are told.
    """
    before = snapshot.text(CURSOR) or ""
    goes_on = cursor.state is not DreamState.DONE
    later = replace(cursor, because=both_said(cursor.because, because) if goes_on else because)
    if later == cursor:
        return None
    summary = f"{NOTICED}{for_screen(': ' + one_line(because, 72))}"
    return Change(OP, summary, {CURSOR: render_cursor(later, before).encode()}, notes=(because,))


def read_again(overview: Snapshot, cursor: Cursor, since: str | None) -> Cursor:
    """Return the cursor of a dream that rereads: from `since` on, else the tape's last week.

    What was woven stays; a second reading adds to it. Raises ReelError as `first_session` does.
    """
    first = first_session(overview, since) if since else _last_week(overview, cursor)
    begin = session_order(first)
    read = {session: ranges for session, ranges in cursor.read.items() if session_order(session) < begin}
    return replace(cursor, mode=cursor.mode if is_unfinished(cursor) else Mode.INCREMENTAL, read=read)


def _last_week(overview: Snapshot, cursor: Cursor) -> str:
    newest = max(cursor.read, key=session_order)
    day = date.fromisoformat(newest[:10]) - timedelta(days=A_WEEK - 1)
    return first_session(overview, day.isoformat())
