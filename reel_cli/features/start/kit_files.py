"""A kit's own places as a kind of kit file."""

from pathlib import PurePosixPath

from reel_cli.core.files.kit_files import KitFileKind
from reel_cli.core.files.place_file import PLACE_KEYS, parse_place


def _check(path: str, text: str) -> None:
    if path.endswith(".yaml"):
        parse_place(text, PurePosixPath(path).stem, path)


PLACES = KitFileKind(_check, known=lambda _path: PLACE_KEYS)
