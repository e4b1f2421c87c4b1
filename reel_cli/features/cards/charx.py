"""CHARX: a zip archive with `card.json` and the files that the card uses."""

import re
import stat
import zipfile
import zlib
from dataclasses import dataclass, field
from io import BytesIO

from reel_cli.core.errors import ReelError

CARD = "card.json"
LARGEST = 64 * 1024 * 1024
"""Bytes that everything unpacked from one archive may add up to."""
MOST_FILES = 2000
_CHUNK = 1024 * 1024
_DAMAGED = (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, ValueError, OSError)
_PART = re.compile(r"[\w][\w .()+,@=-]*")
_LONGEST_PATH = 180


@dataclass(slots=True)
class ArchiveContents:
    """The contents of an archive: the card's JSON, the other files by their safe names, what was left out."""

    card: bytes
    assets: dict[str, bytes] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


def is_charx(data: bytes) -> bool:
    """Return whether a file is a zip archive (with a picture before it in some programs' CHARX)."""
    return data.startswith((b"PK\x03\x04", b"PK\x05\x06"))


def read_charx(data: bytes, name: str) -> ArchiveContents:
    """Unpack in memory; ReelError where there is no card in it, or it would unpack to far too much.

    A file whose name would lead out of a folder, a link, and what is locked with a password is left out
    and counted in the notes.
    """
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            return _unpack(archive, name)
    except _DAMAGED:
        message = f"{name} begins as a zip archive does, but cannot be unpacked: it is cut off or damaged."
        raise ReelError(message, hint="download it again") from None


def _unpack(archive: zipfile.ZipFile, name: str) -> ArchiveContents:
    # `is_dir` fails on an empty name
    infos = [info for info in archive.infolist() if not info.filename.endswith("/")]
    if len(infos) > MOST_FILES:
        message = f"{name} holds more than {MOST_FILES:,} files."
        raise ReelError(message)
    found: dict[str, bytes] = {}
    refused = size = 0
    for info in infos:
        if not _is_safe(info):
            refused += 1
            continue
        data = _read(archive, info, LARGEST - size, name)
        size += len(data)
        found[info.filename] = data
    card = found.pop(CARD, None)
    if card is None:
        message = f"{name} is a zip archive without a card.json, so no character card."
        raise ReelError(message)
    assets: dict[str, bytes] = {}
    taken = {CARD}
    for path, asset in found.items():
        if path.casefold() in taken:
            # two names that some disks cannot tell apart
            refused += 1
        else:
            taken.add(path.casefold())
            assets[path] = asset
    folders = {part for path in assets for part in _parents(path)}
    clashing = [path for path in assets if path.casefold() in folders]
    for path in clashing:
        del assets[path]
    packed = ArchiveContents(card, assets)
    refused += len(clashing)
    if refused:
        files = "1 file" if refused == 1 else f"{refused:,} files"
        packed.notes.append(f"{files} in {name} could not be kept: their names are not safe to use.")
    return packed


def _parents(path: str) -> list[str]:
    parts = path.casefold().split("/")
    return ["/".join(parts[:n]) for n in range(1, len(parts))]


def _is_safe(info: zipfile.ZipInfo) -> bool:
    """Return whether a file can be kept under its own name."""
    path = info.filename
    return (
        len(path) <= _LONGEST_PATH
        and path == info.orig_filename
        and all(_PART.fullmatch(part) and not part.endswith((".", " ")) for part in path.split("/"))
        and not stat.S_ISLNK(info.external_attr >> 16)
        and not info.flag_bits & 1
    )


def _read(archive: zipfile.ZipFile, info: zipfile.ZipInfo, room: int, name: str) -> bytes:
    parts: list[bytes] = []
    size = 0
    with archive.open(info) as packed:
        while chunk := packed.read(_CHUNK):
            size += len(chunk)
            if size > room:
                message = f"{name} unpacks to more than {LARGEST >> 20} MB, and was not read."
                raise ReelError(message, hint="take the card's JSON or PNG instead")
            parts.append(chunk)
    return b"".join(parts)
