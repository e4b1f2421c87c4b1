"""`intake.yaml` as a kind of kit file."""

from typing import TYPE_CHECKING

from reel_cli.core.files.kit_files import KitFileKind
from reel_cli.features.intake.files import INTAKE, parse_intake

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reel_cli.core.tape.erasure.target import Wanted


def _check(_path: str, text: str) -> None:
    parse_intake(text)


def _purge(_path: str, data: bytes, wanted: "Wanted", session: str | None) -> bytes:
    from reel_cli.features.intake.purge import purge_intake

    return purge_intake(data, wanted, session)


def _purged_lines(data: bytes, wanted: "Wanted", session: str | None) -> "Sequence[int]":
    """Return the lines that are not as they were: parts of what is purged go there as well."""
    left = _purge(INTAKE, data, wanted, session).splitlines()
    pairs = zip(data.splitlines(), left, strict=False)
    return [at for at, (old, new) in enumerate(pairs, start=1) if old != new]


INTAKE_FILE = KitFileKind(_check, purge=_purge, purged_lines=_purged_lines)
