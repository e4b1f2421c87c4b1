"""`shares.yaml` as a kind of kit file."""

from reel_cli.core.files.kit_files import KitFileKind
from reel_cli.features.share.files import parse_shares


def _check(path: str, text: str) -> None:
    parse_shares(text, path)


SHARES_FILE = KitFileKind(_check)
