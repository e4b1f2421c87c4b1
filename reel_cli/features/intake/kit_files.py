"""`intake.yaml` as a kind of kit file."""

from typing import TYPE_CHECKING

from reel_cli.core.files.kit_files import KitFileKind
from reel_cli.features.intake.files import INTAKE, parse_intake

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from reel_cli.core.kit.kind_diff import KindDiff
    from reel_cli.core.kit.kind_join import JoinedFiles, KindJoin
    from reel_cli.core.kit.snapshot import Snapshot
    from reel_cli.core.tape.erasure.target import PurgeTarget


def _check(_path: str, text: str) -> None:
    parse_intake(text)


def _purge(_path: str, data: bytes, wanted: "PurgeTarget", session: str | None) -> bytes:
    from reel_cli.features.intake.purge import purge_intake

    return purge_intake(data, wanted, session)


def _purged_lines(data: bytes, wanted: "PurgeTarget", session: str | None) -> "Sequence[int]":
    """Return the lines that are not as they were: parts of what is purged go there as well."""
    left = _purge(INTAKE, data, wanted, session).splitlines()
    pairs = zip(data.splitlines(), left, strict=False)
    return [at for at, (old, new) in enumerate(pairs, start=1) if old != new]


def _diff(start: "Snapshot", end: "Snapshot", changed: "Collection[str]") -> "KindDiff":
    from reel_cli.features.intake.diff import compare_intake

    return compare_intake(start, end, changed)


def _told(snapshot: "Snapshot", session: str, first: int, last: int) -> "Sequence[str]":
    from reel_cli.features.intake.queue import told_of

    return told_of(snapshot, session, first, last)


def _join(found: "KindJoin") -> "JoinedFiles | None":
    """Return what waits and was decided on both; as any text where one of them cannot be read."""
    from reel_cli.core.errors import ReelError
    from reel_cli.core.kit.kind_join import JoinedFiles
    from reel_cli.features.intake.join import join_intake

    if found.both is None:
        return None
    try:
        return JoinedFiles({found.path: join_intake(*found.texts()).encode("utf-8")})
    except ReelError:
        return None


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
)
