"""`threads.yaml` as a kind of kit file."""

from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.files.kit_files import KitFileKind
from reel_cli.features.threads.naming.files import BEGIN, KEYS, join_named, parse_named, purge_named

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from reel_cli.core.kit.kind_join import JoinedFiles, KindJoin
    from reel_cli.core.kit.kinds import KindDiff
    from reel_cli.core.kit.snapshot import Snapshot
    from reel_cli.core.tape.erasure.target import PurgeTarget


def _check(path: str, text: str) -> None:
    parse_named(text, path)


def _known(_path: str) -> "Sequence[str]":
    return [f"*.{key}" for key in KEYS]


def _purge(_path: str, data: bytes, wanted: "PurgeTarget", session: str | None) -> bytes:
    """Return the file without the wanted text, and without the name of a purged session."""
    if session is not None:
        try:
            data = purge_named(data.decode("utf-8"), session).encode("utf-8")
        except (ReelError, UnicodeDecodeError):
            # an unreadable file gives its words, and the session's name says nothing
            return wanted.replace_bytes(data)[0]
    return wanted.replace_bytes(data)[0]


def _purged_lines(data: bytes, wanted: "PurgeTarget", session: str | None) -> "Sequence[int]":
    """Return the lines of which something goes."""
    left = _purge("", data, wanted, session).splitlines()
    return [at for at, line in enumerate(data.splitlines(), start=1) if line not in left]


def _join(found: "KindJoin") -> "JoinedFiles | None":
    """Return what was said of threads on both; as any text where one of them cannot be read."""
    from reel_cli.core.kit.kind_join import JoinedFiles

    if found.both is None:
        return None
    try:
        return JoinedFiles({found.path: join_named(*found.texts()).encode("utf-8")})
    except ReelError:
        return None


def _diff(start: "Snapshot", end: "Snapshot", changed: "Collection[str]") -> "KindDiff":
    from reel_cli.features.threads.naming.diff import compare_named

    return compare_named(start, end, changed)


THREADS_FILE = KitFileKind(
    _check, join=_join, diff=_diff, purge=_purge, purged_lines=_purged_lines, begin=BEGIN, known=_known
)
