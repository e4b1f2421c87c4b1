"""The proof of the tape as the doctor looks at it: its chain, edits by hand, and noted losses."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.finding import Finding
from reel_cli.core.git.repository import Repository
from reel_cli.core.kit.checkup import Check, CheckScope, MendScope
from reel_cli.core.kit.snapshot import EVENTS, Snapshot
from reel_cli.core.moment import moment
from reel_cli.core.shell import quote
from reel_cli.core.tape.chain_proof import prove
from reel_cli.core.tape.events_file import append_events, has_marks
from reel_cli.core.values.change import Change
from reel_cli.features.review.open_decisions import list_tampered
from reel_cli.features.verify.hand_commits import prove_approval
from reel_cli.features.verify.verify import verify_tape
from reel_cli.features.verify.verify_history import Broken, missing_events
from reel_cli.features.verify.verify_losses import prove_losses

if TYPE_CHECKING:
    from reel_cli.core.values.talk import Event


SHOWN = 5
MORE = "reel tape verify  lists them"


def plan_joining(snapshot: Snapshot, repo: "Repository | None") -> Change | None:
    """Write what was noted on another machine, and left out in a merge, behind what is noted here.

    None where nothing was left out. Raises StateError where `tape/events.md` is not as it was recorded.
    """
    if repo is None:
        return None
    from reel_cli.core.git.tape_history import Blobs, is_beginning, read_sizes, read_tape_history

    lying = snapshot.read(EVENTS) or b""
    # where conflict marks were committed, the file is put together anew
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


def look_at_tape(scope: CheckScope) -> Iterator[Finding]:
    """Yield where the tape is not as it was recorded.

    Nothing where sessions are gone: what points at one would be told of once more for each pointer.
    """
    damage, repo = scope.damage, scope.repo
    lacks = any(path.startswith("tape/") for path in (*damage.missing, *damage.damaged))
    if lacks or any(one.check == "tape" for one in scope.found):
        return
    chain = list(_tell_broken(verify_tape(scope.snapshot, repo if scope.deep else None).broken))
    yield from chain
    if repo is not None and not scope.deep:
        yield from (
            one for one in _tampered(scope.snapshot, repo) if all(one.at not in two.what for two in chain)
        )
        yield from _losses(repo)
        yield from _approval(repo)


def _losses(repo: Repository) -> Iterator[Finding]:
    """Yield the losses that history notes with another text than the one that was there."""
    try:
        yield from _tell_broken(prove_losses(repo))
    except ReelError:
        # problems of the repository are reported separately
        return


def _approval(repo: Repository) -> Iterator[Finding]:
    """Yield the approval in force that reel did not make, with what takes it back."""
    try:
        for one in prove_approval(repo):
            yield Finding("approval", f"{one.path}: {one.what}", one.mend)
    except ReelError:
        # problems of the repository are reported separately
        return


def _tell_broken(broken: Sequence[Broken]) -> Iterator[Finding]:
    for one in broken[:SHOWN]:
        place = f"{one.path}, line {one.line:,}" if one.line else one.path
        yield Finding("tape", f"{place}: {one.what}", "reel tape verify  says since when")
    if len(broken) > SHOWN:
        yield Finding("tape", f"{len(broken) - SHOWN:,} more places like that", MORE)


def _tampered(snapshot: Snapshot, repo: Repository) -> Iterator[Finding]:
    """Yield the changes made to the tape by hand, also where its chain was made anew."""
    try:
        waiting = list_tampered(snapshot, repo)
    except ReelError:
        # problems of the repository are reported separately
        return
    for one in waiting[:SHOWN]:
        mend = f"reel review show {quote(one.item)}  shows it; reel tape verify  says since when"
        yield Finding("tape", one.what, mend, at=one.path)
    if len(waiting) > SHOWN:
        yield Finding("tape", f"{len(waiting) - SHOWN:,} more places like that", MORE)


def mend_notes(scope: MendScope) -> Change | None:
    """Plan to join the notes that a merge left out; None where it left out none."""
    return plan_joining(scope.snapshot, scope.repo)


CHECKS = (Check(look_at_tape, 140),)
