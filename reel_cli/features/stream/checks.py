"""Checks of `stream.md`: whether it can be read, and its conversation is on the tape."""

from collections.abc import Iterator

from reel_cli.core.errors import ReelError
from reel_cli.core.finding import Finding
from reel_cli.core.kit.checkup import Check
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.features.stream.files import STREAM_FILE
from reel_cli.features.stream.stretch import read_kept


def look_at_stream(snapshot: Snapshot) -> Iterator[Finding]:
    """Yield a finding for an unreadable file, or a missing session; nothing if there is no file."""
    try:
        kept = read_kept(snapshot)
    except ReelError as error:
        yield Finding("stream", error.message.rstrip("."), error.hint or "", hint_only=True, at=STREAM_FILE)
        return
    if kept is not None and kept.session not in snapshot.sessions:
        what = f"{STREAM_FILE} goes on from {kept.session}, which is not recorded"
        yield Finding("stream", what, "reel keep", hint_only=True, at=STREAM_FILE)


CHECKS = (Check(lambda scope: look_at_stream(scope.snapshot), 110),)
