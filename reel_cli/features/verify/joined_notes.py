"""Repairs that a checkup can make by itself, without losing anybody's words."""

from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.kit.snapshot import EVENTS, Snapshot
from reel_cli.core.moment import moment
from reel_cli.core.tape.chain_proof import prove
from reel_cli.core.tape.tape_view import append_events, has_marks
from reel_cli.core.values.change import Change
from reel_cli.features.verify.verify_history import missing_events

if TYPE_CHECKING:
    from reel_cli.core.git.repository import Repository
    from reel_cli.core.values.talk import Event


def plan_joining(snapshot: Snapshot, repo: "Repository | None") -> Change | None:
    """Write what was noted on another machine, and left out in a merge, behind what is noted here.

    None where nothing was left out. Raises StateError where `tape/events.md` is not as it was recorded.
    """
    if repo is None:
        return None
    from reel_cli.core.git.tape_history import Blobs, is_beginning, read_sizes, read_tape_history

    lying = snapshot.read(EVENTS) or b""
    # where the marks of a conflict were committed, all of it is put together anew
    now = lying if prove(lying, EVENTS).line is None or not has_marks(lying) else b""
    versions = read_tape_history(repo).versions().get(EVENTS, [])
    sizes = read_sizes(repo, versions)
    blobs = Blobs(repo)
    missing: dict[tuple[object, ...], Event] = {}
    for blob in versions:
        if blob not in sizes or is_beginning(repo, now, blob, sizes[blob]):
            continue
        data = blobs.read(blob)
        if prove(data, EVENTS).line is not None:
            continue
        try:
            for event in missing_events(data, now):
                missing[event.kind, event.at, event.session, event.about, event.text] = event
        except ReelError:
            continue
    if not missing:
        return None
    events = sorted(missing.values(), key=lambda event: moment(event.at))
    many = f"{len(events):,} note{'' if len(events) == 1 else 's'}"
    return Change(
        op="tape",
        summary=f"join what was noted on another machine ({many})",
        writes={EVENTS: append_events(now or None, events, EVENTS)},
        trailers=tuple(("Reel-Session", name) for name in dict.fromkeys(e.session for e in events) if name),
    )
