"""A file of the shelf that two machines changed: made one where it is text, else both stay."""

from collections.abc import Callable, Mapping

from reel_cli.core.errors import ReelError
from reel_cli.features.shelf.shelf_file import SIDECAR, text_of
from reel_cli.features.shelf.summaries.files import parse_summary

Merge = Callable[[bytes, bytes, bytes], bytes | None]


def join_file(  # noqa: PLR0913 (three versions of a file, and how two are made one)
    path: str,
    ours: bytes,
    theirs: bytes,
    base: bytes | None,
    merge: Merge,
    whose: tuple[str, str],
    free: Callable[[str], bool],
) -> tuple[Mapping[str, bytes], str]:
    """Return the files to write, by path, and a note for the person ("" for none).

    Of a page about a file the other side's stays. Of a file that cannot be made one, this side's is put
    beside it under the next `free` name.
    """
    plain = all(text_of(data) is not None for data in (ours, theirs, base or b""))
    made = merge(ours, base, theirs) if plain and base is not None else None
    if made is not None:
        return {path: made}, ""
    if path.endswith(SIDECAR):
        return {path: theirs}, f"{path} was written on both machines: it is as {whose[1]} had it."
    stem, dot, ending = path.rpartition(".")
    stem, ending = (stem, f"{dot}{ending}") if stem and "/" not in ending else (path, "")
    number = 2
    while not free(f"{stem}-{number}{ending}"):
        number += 1
    place = f"{stem}-{number}{ending}"
    told = (
        f"{path} was changed on both machines: it is as {whose[1]} had it, and {place} as {whose[0]} had it."
    )
    return {path: theirs, place: ours}, told


def join_summary(path: str, ours: bytes, theirs: bytes) -> tuple[bytes, str]:
    """Return the newer of two versions of a summary, and a note for the person."""
    made = [_made(data, path) for data in (ours, theirs)]
    newer = ours if made[0] > made[1] else theirs
    return newer, f"{path} was made on both machines: the newer one stays."


def _made(data: bytes, path: str) -> str:
    try:
        return parse_summary(data.decode("utf-8", "replace"), path).created
    except ReelError:
        return ""
