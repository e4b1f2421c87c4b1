"""Sessions that are one chat: recorded again after the one before was taken back."""

from collections.abc import Sequence

from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.tape.twins import first_words, holds_session
from reel_cli.core.values.talk import PURGED, session_path


def find_same(snapshot: Snapshot, session: str) -> Sequence[str]:
    """Return the other sessions that hold this chat, or its beginning, word for word; oldest first."""
    path = session_path(session)
    data = snapshot.read(path) or b""
    first = first_words(data, path)
    if first is None or PURGED.encode() in first:
        return ()
    found = []
    for name in snapshot.sessions:
        there = snapshot.read(session_path(name)) or b""
        # most are told apart without parsing
        if name == session or first not in there or first_words(there, path) != first:
            continue
        if holds_session(there, data) or holds_session(data, there):
            found.append(name)
    return found
