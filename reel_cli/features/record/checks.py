"""Checks of the tape: sessions that are lost, or no longer say which one they are."""

from collections.abc import Iterator

from reel_cli.core.errors import ReelError
from reel_cli.core.finding import Finding
from reel_cli.core.git.repository import Repository
from reel_cli.core.kit.checkup import Check, CheckScope, MendScope
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.tape.session_file import read_front
from reel_cli.core.values.change import Change
from reel_cli.core.values.talk import session_path
from reel_cli.features.record.lost_sessions import find_lost, plan_bringing_back

SHOWN = 5
MORE = "reel tape verify  lists them"


def look_at_sessions(scope: CheckScope) -> Iterator[Finding]:
    """Yield the sessions that a commit took, or that no longer say which one they are."""
    snapshot = scope.snapshot
    yield from _taken(snapshot, scope.repo)
    damaged = []
    for path in map(session_path, snapshot.sessions):
        try:
            read_front(snapshot.read(path) or b"", path)
        except ReelError as error:
            damaged.append((error.message.rstrip("."), error.hint or ""))
    yield from (Finding("tape", what, mend) for what, mend in damaged[:SHOWN])
    if len(damaged) > SHOWN:
        yield Finding("tape", f"{len(damaged) - SHOWN:,} more places like that", MORE)


def _taken(snapshot: Snapshot, repo: Repository | None) -> Iterator[Finding]:
    """Yield a finding for each session that a commit took from the tape."""
    try:
        lost = find_lost(snapshot, repo) if repo is not None else ()
    except ReelError:
        # problems of the repository are reported separately
        return
    yield from (Finding("tape", one.what, one.mend) for one in lost[:SHOWN])
    if len(lost) > SHOWN:
        yield Finding("tape", f"{len(lost) - SHOWN:,} more chats like that", MORE)


def mend_sessions(scope: MendScope) -> Change | None:
    """Plan to bring back the sessions that a merge left out; None where it left out none."""
    return plan_bringing_back(scope.snapshot, scope.repo)


CHECKS = (Check(lambda scope: (one for one in look_at_sessions(scope) if not scope.is_known(one)), 10),)
