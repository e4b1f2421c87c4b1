"""What is amiss with `intake.yaml`: it can be read, and what waits stands on the tape."""

from collections.abc import Iterator

from reel_cli.errors import ReelError
from reel_cli.flows.intake import read_queue
from reel_cli.kit.intake_file import INTAKE
from reel_cli.kit.snapshot import Snapshot
from reel_cli.model.finding import Finding
from reel_cli.tape.events_file import has_marks

_MEND = f"open {INTAKE}, and mend or delete the entry"
SHOWN = 3


def look_at_intake(snapshot: Snapshot) -> Iterator[Finding]:
    """A file that cannot be read, or what waits and was said nowhere; nothing where there is none."""
    data = snapshot.read(INTAKE)
    if data is None:
        return
    if has_marks(data):
        what = f"{INTAKE} holds the marks of a merge ( <<<<<<< and >>>>>>> )"
        yield Finding("intake", what, "keep both sides, and take out the lines with the marks", at=INTAKE)
        return
    try:
        queue = read_queue(snapshot)
    except ReelError as error:
        yield Finding("intake", error.message.rstrip("."), error.hint or _MEND, hint_only=True, at=INTAKE)
        return
    there = frozenset(snapshot.sessions)
    lost = [one.source for one in queue.waiting if one.place and one.place.session not in there]
    for source in lost[:SHOWN]:
        yield Finding("intake", f"{INTAKE}: {source} is not on the tape", _MEND, hint_only=True, at=INTAKE)
    if len(lost) > SHOWN:
        yield Finding(
            "intake", f"{len(lost) - SHOWN:,} more entries like that", _MEND, hint_only=True, at=INTAKE
        )
