"""The shelf's kinds of kit file: pages about its files, summaries of them, and the manifests of advice."""

from reel_cli.core.files.kit_files import KitFileKind
from reel_cli.features.shelf.row import SIDECAR


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


SHELF_FOLDER = KitFileKind(_check_sidecar, reads=lambda path: path.endswith(SIDECAR))
SUMMARIES_FOLDER = KitFileKind(_check_summary)
MANIFEST = KitFileKind(_check_manifest)
