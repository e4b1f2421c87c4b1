"""State of dreaming in a word, for `reel status`; nearly free if there never was a dream."""

from typing import NamedTuple

from reel_cli.core.errors import ReelError
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.tape.tape_view import standing_sessions

CURSOR = "story/cursor.yaml"


class Standing(NamedTuple):
    """The state of the dream (`running`, `stopped`, `done`), and how many sessions it has not begun.

    `context` is how fresh the shared context is (`fresh`, `stale`, `none`), `has_context` that there is one.
    """

    state: str
    left: int
    context: str
    has_context: bool


def read_standing(overview: Snapshot) -> Standing | None:
    """Return the state of dreaming; None if there never was a dream, or its files cannot be read."""
    if CURSOR not in overview.list("story"):
        return None
    from reel_cli.core.values.source import session_order
    from reel_cli.features.dream.context.files import CONTEXT
    from reel_cli.features.dream.context.state import judge_freshness
    from reel_cli.features.dream.cursor_file import parse_cursor

    try:
        text = overview.text(CURSOR) or ""
        if not text.strip():
            return None
        cursor = parse_cursor(text)
        first = session_order(cursor.since) if cursor.since else ("", 0)
        wanted = [name for name in standing_sessions(overview) if session_order(name) >= first]
        left = sum(name not in cursor.read for name in wanted)
        fresh = judge_freshness(overview).value
        has_context = overview.read(CONTEXT) is not None
    except ReelError:
        return None
    return Standing(cursor.state.value, left, fresh, has_context)
