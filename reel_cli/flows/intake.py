"""The intake: what waits to be decided, and what was decided (Memory Keep II.3.1)."""

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from reel_cli.errors import ReelError
from reel_cli.flows.tape_view import retracted
from reel_cli.kit.intake_file import INTAKE, parse_intake
from reel_cli.model.intake import NOWHERE, Candidate, Queue

if TYPE_CHECKING:
    from reel_cli.kit.snapshot import Snapshot

TOLD = 12
"""So many things that were kept are told when a conversation is summed up."""
TRAILER, LET_GO = "Reel-Intake", "Reel-Intake-Let-Go"
"""A decision, `nowhere 2026-02-10-1#3`; how many old decisions left the file."""


def read_queue(snapshot: "Snapshot") -> Queue:
    """All that waits and was decided; ReelError where the file cannot be read."""
    text = snapshot.text(INTAKE)
    return parse_intake(text) if text is not None else Queue()


def count_waiting(snapshot: "Snapshot") -> int | None:
    """How many things wait; None where the file cannot be read."""
    if snapshot.read(INTAKE) is None:
        return 0

    def count(_path: str) -> int | None:
        try:
            return len(read_queue(snapshot).waiting)
        except ReelError:
            return None

    return snapshot.note("intake", [INTAKE], count)[INTAKE]


def kept_of(snapshot: "Snapshot", sessions: Collection[str]) -> Sequence[str]:
    """What was kept of what was said in some sessions, the last `TOLD` of it in its own words."""
    try:
        decided = read_queue(snapshot).decided
    except ReelError:
        return ()
    told = [
        one.candidate.words
        for one in decided
        if one.decision.where not in ("", NOWHERE)
        and (place := one.candidate.place) is not None
        and place.session in sessions
    ]
    return told[-TOLD:]


def waiting_to_ask(snapshot: "Snapshot", queue: Queue) -> Sequence[Candidate]:
    """What waits and stands on the tape, in sessions that count."""
    gone = retracted(snapshot)
    there = frozenset(snapshot.sessions)
    return [
        one
        for one in queue.waiting
        if one.place and one.place.session in there and one.place.session not in gone
    ]
