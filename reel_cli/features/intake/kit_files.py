"""`intake.yaml` as a kind of kit file."""

from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.files.kit_files import KitFileKind
from reel_cli.features.intake.entry import day_order
from reel_cli.features.intake.files import (
    DECIDED,
    ENTRY_KEYS,
    INTAKE,
    LISTS,
    OVERFLOW,
    WAITING,
    join_entries,
    parse_intake,
    raw_entries,
    with_overflow,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from reel_cli.core.kit.kind_join import JoinedFiles, KindJoin
    from reel_cli.core.kit.kinds import KindDiff
    from reel_cli.core.kit.snapshot import Snapshot
    from reel_cli.core.tape.erasure.target import PurgeTarget
    from reel_cli.features.intake.entry import Queue


def _check(_path: str, text: str) -> None:
    parse_intake(text)


def _known(_path: str) -> "Sequence[str]":
    return [OVERFLOW, *(f"{name}.*.{key}" for name in LISTS for key in ENTRY_KEYS)]


def _purge(_path: str, data: bytes, wanted: "PurgeTarget", session: str | None) -> bytes:
    from reel_cli.features.intake.purge import purge_intake

    return purge_intake(data, wanted, session)


def _purged_lines(data: bytes, wanted: "PurgeTarget", session: str | None) -> "Sequence[int]":
    """Return the lines that are not as they were: parts of what is purged go there as well."""
    left = _purge(INTAKE, data, wanted, session).splitlines()
    pairs = zip(data.splitlines(), left, strict=False)
    return [at for at, (old, new) in enumerate(pairs, start=1) if old != new]


def _diff(start: "Snapshot", end: "Snapshot", _changed: "Collection[str]") -> "KindDiff":
    """Return how many things wait, and how many were decided, by where they went.

    A file that cannot be read counts as none.
    """
    from collections import Counter

    from reel_cli.core.kit.kinds import KindDiff
    from reel_cli.features.intake.entry import PLACES
    from reel_cli.features.intake.queue import PLACED

    before, after = (_read(side) for side in (start, end))
    known = {(one.candidate.key, one.decision) for one in before.decided}
    fresh = Counter(
        one.decision.where for one in after.decided if (one.candidate.key, one.decision) not in known
    )
    decided = {where: fresh[where] for where in PLACES if fresh[where]}
    was, now = len(before.waiting), len(after.waiting)
    lines = []
    if decided:
        lines.append("decided: " + ", ".join(f"{many:,} {PLACED[where]}" for where, many in decided.items()))
    if was != now:
        lines.append(f"{now:,} {'waits' if now == 1 else 'wait'} to be decided (before: {was:,})")
    value = {"waiting": {"before": was, "after": now}, "decided": decided}
    return KindDiff("intake", value, "Worth keeping", lines)


def _read(snapshot: "Snapshot") -> "Queue":
    from reel_cli.features.intake.entry import Queue
    from reel_cli.features.intake.queue import read_queue

    try:
        return read_queue(snapshot)
    except ReelError:
        return Queue()


def _told(snapshot: "Snapshot", session: str, first: int, last: int) -> "Sequence[str]":
    from reel_cli.features.intake.queue import told_of

    return told_of(snapshot, session, first, last)


def _join(found: "KindJoin") -> "JoinedFiles | None":
    """Return what waits and was decided on both; as any text where one of them cannot be read."""
    from reel_cli.core.kit.kind_join import JoinedFiles

    if found.both is None:
        return None
    try:
        return JoinedFiles({found.path: join_queues(*found.texts()).encode("utf-8")})
    except ReelError:
        return None


def join_queues(ours: str, theirs: str, base: str) -> str:
    """Return the other side's file with this one's additions; what either decided waits no more.

    Raises ReelError where one of them cannot be read.
    """
    mine, others, old = (parse_intake(text) for text in (ours, theirs, base))
    was = {one.key for one in old.waiting}
    here, there = ({one.key for one in side.waiting} for side in (mine, others))
    done, settled = ({one.candidate.key for one in side.decided} for side in (mine, others))
    out = [at for at, one in enumerate(others.waiting) if one.key in done or one.key in was - here]
    waits = [
        raw
        for one, raw in zip(mine.waiting, raw_entries(ours, WAITING), strict=True)
        if one.key not in was | there | settled
    ]
    decided = [
        raw
        for one, raw in zip(mine.decided, raw_entries(ours, DECIDED), strict=True)
        if one.candidate.key not in settled
        and one.candidate.key not in {before.candidate.key for before in old.decided}
    ]
    text = join_entries(theirs, out, {WAITING: waits, DECIDED: decided})
    newest = max(mine.overflow, others.overflow, key=day_order)
    return with_overflow(text, newest) if newest != others.overflow else text


def _kept(snapshot: "Snapshot", sessions: "Collection[str]") -> "Sequence[str]":
    from reel_cli.features.intake.queue import kept_of

    return kept_of(snapshot, sessions)


INTAKE_FILE = KitFileKind(
    _check,
    join=_join,
    diff=_diff,
    told=_told,
    kept=_kept,
    purge=_purge,
    purged_lines=_purged_lines,
    known=_known,
)
