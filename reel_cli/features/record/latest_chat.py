"""The chat that a person means who ends one: the one recorded last, or another since."""

import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from reel_cli.core.files.state import LAST_START
from reel_cli.core.tape.tape_view import standing_sessions
from reel_cli.core.values.source import session_path

if TYPE_CHECKING:
    from reel_cli.terminal.open_kit import OpenKit

NEWEST = 20
"""Number of chats, by their days, among which one that was recorded since `reel start` is looked for."""
ANOTHER_DAY = 6 * 60 * 60
"""Seconds after which a person who ends a chat means another than the one that was recorded last."""


def began_since(opened: "OpenKit", sessions: Sequence[str]) -> str:
    """Return when the last chat was begun, if none was recorded since; "" else."""
    start = opened.state.last_start()
    if not start or not sessions:
        return start
    begun = _file_time(opened.state.folder / LAST_START)
    recorded = max(_file_time(Path(opened.root, session_path(one))) for one in sessions[-NEWEST:])
    # both by the clock that files have: the other may be set to a day that is played
    return start if 0 < recorded < begun else ""


def is_newer_chat(opened: "OpenKit", session: str) -> bool:
    """Return whether a person who ends a chat may mean a newer one than this session.

    That is where a chat was begun since, another was recorded since, or hours went by.
    """
    standing = standing_sessions(opened.overview)
    recorded = _file_time(Path(opened.root, session_path(session)))
    others = (
        _file_time(Path(opened.root, session_path(one))) for one in standing[-NEWEST:] if one != session
    )
    later = session != standing[-1] and max(others, default=0.0) >= recorded
    return later or bool(began_since(opened, standing)) or time.time() - recorded > ANOTHER_DAY


def _file_time(path: Path) -> float:
    """Return when a file was written last, by the files' own clock; 0 where it cannot be looked at."""
    with suppress(OSError):
        return path.stat().st_mtime
    return 0.0
