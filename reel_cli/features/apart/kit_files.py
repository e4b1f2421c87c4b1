"""`apart.yaml` as a kind of kit file."""

from reel_cli.core.files.kit_files import KitFileKind
from reel_cli.core.kit.apart_kits import parse_apart


def _check(path: str, text: str) -> None:
    parse_apart(text, path)


APART_FILE = KitFileKind(_check, known=lambda _path: ("chat", "home"))
