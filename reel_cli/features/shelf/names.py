"""Names of files on the shelf, which any disk can hold and any terminal can show."""

import re
import unicodedata
from hashlib import sha256

from reel_cli.core.errors import ReelError
from reel_cli.core.values.change import one_line
from reel_cli.features.shelf.shelf_file import SIDECAR

LONGEST_PART = 180
"""Bytes of UTF-8 in a name; a sidecar's ending still fits behind it."""
LONGEST_NAME = 800
_NOT_EVERYWHERE = '<>:"|?*\\'
_RESERVED = frozenset(
    {"con", "prn", "aux", "nul", *(f"{kind}{number}" for kind in ("com", "lpt") for number in range(1, 10))}
)
"""Names that Windows reserves for devices."""
_GITS_OWN = re.compile(r"(?:\.git|\.reel$|git~\d)", re.IGNORECASE)


def clean_part(part: str) -> str:
    """Return one part of a path as it can stand on the shelf; most are unchanged.

    Characters that do not show, or that some disks refuse, become `_`; a name that is too long is cut
    before its ending, with a few letters of its own in place of the rest.
    """
    told = unicodedata.normalize("NFC", part)
    told = "".join("_" if c in _NOT_EVERYWHERE or c == "/" or not c.isprintable() else c for c in told)
    told = told.strip(" ").rstrip(". ")
    if not told.strip("."):
        told = "_"
    if told.partition(".")[0].casefold().strip() in _RESERVED or _GITS_OWN.match(told):
        told = f"_{told.lstrip('.')}"
    if len(told.encode()) <= LONGEST_PART:
        return told
    stem, dot, ending = told.rpartition(".")
    ending = f"{dot}{ending}" if stem and len(ending) <= 16 else ""
    mark = f"~{sha256(part.encode('utf-8', 'surrogatepass')).hexdigest()[:8]}{ending}"
    return told.encode()[: LONGEST_PART - len(mark.encode())].decode("utf-8", "ignore").rstrip(". ") + mark


def clean_name(name: str) -> str:
    """Return a path on the shelf, its parts cleaned; `name` is relative, its parts joined by `/`.

    Raises ReelError where it climbs out of the shelf, is too long as a whole, or is a sidecar's.
    """
    parts = [part for part in name.split("/") if part not in ("", ".")]
    if not parts or ".." in parts or name.startswith("/"):
        message = f"{one_line(name, 80)!r} is not a name for the shelf."
        raise ReelError(message, hint="write it like  notes/plan.md")
    told = "/".join(map(clean_part, parts))
    if len(told.encode()) > LONGEST_NAME:
        message = f"{one_line(told, 60)} is too long a path for the shelf."
        raise ReelError(message, hint="give it a shorter name with  --as NAME")
    if told.endswith(SIDECAR):
        message = f"{one_line(told, 80)} is reserved for the page about another file."
        raise ReelError(message, hint="give it another name with  --as NAME")
    return told
