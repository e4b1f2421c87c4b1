"""`intake.yaml` as a kind of kit file."""

from reel_cli.core.files.kit_files import KitFileKind
from reel_cli.features.intake.files import parse_intake


def _check(_path: str, text: str) -> None:
    parse_intake(text)


INTAKE_FILE = KitFileKind(_check)
