"""Hotness of a file: computed each time from the ledger, the manifests and the sidecar, never stored."""

from bisect import bisect_right
from collections.abc import Collection, Sequence
from typing import NamedTuple

from reel_cli.core.frozen import late
from reel_cli.core.values.settings import WHOLE
from reel_cli.core.values.source import session_order
from reel_cli.features.shelf.shelf_file import ShelfFile

RECENT_TOUCHES = WHOLE * 30 // 100
IN_WORKING_SET = WHOLE * 20 // 100
MODEL_HOT_LISTED = WHOLE * 30 // 100
USER_PINNED = WHOLE * 20 // 100
"""Weight of each of the four factors, as a part of `WHOLE` (MEMORY-MGMT §7)."""

_PLACE = late(r"\d{4}-\d{2}-\d{2}-\d+")


class Factors(NamedTuple):
    """The factors of a file's hotness: `recent`, of `WHOLE`, is full after a touch and fades by session."""

    recent: int = 0
    working: bool = True
    hot_listed: bool = False
    pinned: bool = False

    @property
    def hotness(self) -> int:
        """Return the score, from 0 to `WHOLE`."""
        return (
            RECENT_TOUCHES * self.recent // WHOLE
            + IN_WORKING_SET * self.working
            + MODEL_HOT_LISTED * self.hot_listed
            + USER_PINNED * self.pinned
        )


def recent_touch(sessions_since: int | None, idle: int) -> int:
    """Return how recent the last touch is, of `WHOLE`: full in the same session, 0 after `idle` more.

    None says that there was none.
    """
    if sessions_since is None or sessions_since >= idle:
        return 0
    return WHOLE * (idle - sessions_since) // idle


def hotness_of(file: ShelfFile, since: int | None, idle: int, hot: Collection[str]) -> int:
    """Return the score of a file on the shelf, from 0 to `WHOLE`.

    `since` and `idle` as `recent_touch` has them; `hot` are the paths the model would keep at hand (hot.yml).
    """
    return Factors(recent_touch(since, idle), file.working, file.path in hot, file.pin).hotness


def render_hotness(hotness: int) -> str:
    """Return the score as the document writes it: `0.5`, with at most two digits."""
    return f"{hotness / WHOLE:.2f}".rstrip("0").ljust(3, "0")


def sessions_after(sessions: Sequence[str], session: str) -> int:
    """Return how many of these sessions, in order, came after one; all of them if it is none ("").

    Number 0 is the start of a day: `2026-03-01-0` comes before all chats of that day.
    """
    if _PLACE.fullmatch(session) is None:
        return len(sessions)
    return len(sessions) - bisect_right(sessions, session_order(session), key=session_order)
