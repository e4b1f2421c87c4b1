"""`stream.md` as a kind of kit file."""

from reel_cli.core.files.kit_files import KitFileKind
from reel_cli.features.stream.files import parse_stream


def _check(_path: str, text: str) -> None:
    parse_stream(text)


STREAM = KitFileKind(_check)
