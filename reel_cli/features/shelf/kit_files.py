"""The shelf's kinds of kit file: pages about its files, summaries of them, and the manifests of advice."""

from typing import TYPE_CHECKING

from reel_cli.core.files.kit_files import KitFileKind
from reel_cli.features.shelf.row import SIDECAR

if TYPE_CHECKING:
    from collections.abc import Collection

    from reel_cli.core.kit.kind_diff import KindDiff
    from reel_cli.core.kit.kind_join import JoinedFiles, KindJoin
    from reel_cli.core.kit.past import BlobGlance
    from reel_cli.core.tape.erasure.target import Wanted


def _check_sidecar(path: str, text: str) -> None:
    from reel_cli.features.shelf.shelf_file import file_of
    from reel_cli.features.shelf.sidecar_file import parse_sidecar

    parse_sidecar(text, file_of(path))


def _check_summary(path: str, text: str) -> None:
    from reel_cli.features.shelf.summaries.files import is_summary_path, parse_summary

    if is_summary_path(path):
        parse_summary(text, path)


def _check_manifest(path: str, text: str) -> None:
    from reel_cli.features.shelf.advice.files import entries_of

    entries_of(text, path)


def _purge_manifest(path: str, data: bytes, wanted: "Wanted", session: str | None) -> bytes:
    from reel_cli.features.shelf.advice.purge import purge_manifest

    return wanted.replace_bytes(data if session is None else purge_manifest(data, path, session))[0]


def _diff(start: "BlobGlance", end: "BlobGlance", changed: "Collection[str]") -> "KindDiff":
    from reel_cli.features.shelf.diff import compare_shelf

    return compare_shelf(start, end, changed)


def _join_file(found: "KindJoin") -> "JoinedFiles | None":
    from reel_cli.core.kit.kind_join import JoinedFiles
    from reel_cli.features.shelf.join import join_file

    if found.both is None:
        return None
    ours = found.both[0]
    sides = found.path, *found.both, found.base
    files, note = join_file(*sides, found.merge, found.whose, lambda name: found.is_free(name, ours))
    return JoinedFiles(files, [note] if note else [])


def _join_summary(found: "KindJoin") -> "JoinedFiles | None":
    """Return one of two pages about one thing: no line of either belongs into the other."""
    from reel_cli.core.kit.kind_join import JoinedFiles
    from reel_cli.features.shelf.join import join_summary

    if found.both is None:
        return None
    data, note = join_summary(found.path, *found.both)
    return JoinedFiles({found.path: data}, [note])


def _join_log(found: "KindJoin") -> "JoinedFiles | None":
    from reel_cli.core.kit.kind_join import JoinedFiles
    from reel_cli.features.shelf.collecting.session_log import join_logs

    return JoinedFiles({found.path: join_logs(*found.texts()[:2]).encode("utf-8")}) if found.both else None


def _join_manifest(found: "KindJoin") -> "JoinedFiles | None":
    from reel_cli.core.kit.kind_join import BY_HAND, JoinedFiles
    from reel_cli.features.shelf.advice.join import join_manifest

    if found.both is None:
        return None
    made = join_manifest(found.path, *found.texts())
    return BY_HAND if made is None else JoinedFiles({found.path: made.encode("utf-8")})


def _is_sidecar(path: str) -> bool:
    return path.endswith(SIDECAR)


def _reads_none(_path: str) -> bool:
    return False


ARCHIVE = KitFileKind(reads=_reads_none, join=_join_file)
SESSION_LOG = KitFileKind(join=_join_log)
SHELF_FOLDER = KitFileKind(
    _check_sidecar, join=_join_file, diff=_diff, reads=lambda path: path.endswith(SIDECAR)
)
SUMMARIES_FOLDER = KitFileKind(_check_summary, join=_join_summary, diff=_diff)
MANIFEST = KitFileKind(_check_manifest, join=_join_manifest, purge=_purge_manifest)
