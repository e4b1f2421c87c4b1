"""How dreaming stands, in a word, for `reel status`; next to nothing where nobody ever dreamt."""

from typing import NamedTuple

from reel_cli.errors import ReelError
from reel_cli.flows.tape_view import standing_sessions
from reel_cli.kit.snapshot import Snapshot

CURSOR = "story/cursor.yaml"


class Standing(NamedTuple):
    """How the dream stands (`running`, `stopped`, `done`), how many sessions it has not begun to read.

    `context` is how fresh the shared context is (`fresh`, `stale`, `none`), `has_context` that there is one.
    """

    state: str
    left: int
    context: str
    has_context: bool


def read_standing(overview: Snapshot) -> Standing | None:
    """How dreaming stands; None where nobody ever dreamt, or what tells of it cannot be read."""
    if CURSOR not in overview.list("story"):
        return None
    from reel_cli.flows.context_state import judge_freshness  # noqa: PLC0415
    from reel_cli.kit.context_file import CONTEXT  # noqa: PLC0415
    from reel_cli.kit.dream_cursor import parse_cursor  # noqa: PLC0415
    from reel_cli.model.tape import session_order  # noqa: PLC0415

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
