"""The shelf's kinds of kit file: pages about its files, summaries of them, and the manifests of advice."""

from typing import TYPE_CHECKING

from reel_cli.core.files.kit_files import KitFileKind
from reel_cli.features.shelf.row import SIDECAR

if TYPE_CHECKING:
    from collections.abc import Collection

    from reel_cli.core.kit.kind_diff import KindDiff
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


SHELF_FOLDER = KitFileKind(_check_sidecar, diff=_diff, reads=lambda path: path.endswith(SIDECAR))
SUMMARIES_FOLDER = KitFileKind(_check_summary, diff=_diff)
MANIFEST = KitFileKind(_check_manifest, purge=_purge_manifest)
