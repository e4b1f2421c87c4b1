"""`archive/`: what left the shelf and is kept as it was, each with its page."""

from collections.abc import Container, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from reel_cli.core.errors import ReelError
from reel_cli.core.files.yaml_text import parse_mapping, render_scalar
from reel_cli.features.shelf.shelf_file import SHELF, SIDECAR, ShelfFile, sidecar_of
from reel_cli.features.shelf.sidecar_file import set_sidecar

if TYPE_CHECKING:
    from reel_cli.core.kit.snapshot import Snapshot

ARCHIVE_FOLDER = "archive"
DUE = "due"
"""Value for a postmortem that is not written yet."""
NONE = "none"
"""Value for a postmortem that a person declared unnecessary."""
_NOTES = "archive pages 1"


class ArchivedFile(NamedTuple):
    """One file in the archive: where it is, where it was, what took its place, and its postmortem.

    `postmortem` is the kit path of its text, `DUE`, `NONE`, or "" where nobody asks for one.
    """

    place: str
    source: str = ""
    at: str = ""
    successor: str = ""
    postmortem: str = ""
    title: str = ""


def archive_place(snapshot: "Snapshot", file: ShelfFile, taken: Container[str] = ()) -> str:
    """Return the archive path of a shelf file: its own name if that is free, else one with a number."""
    there = {path.casefold() for path in snapshot.list(ARCHIVE_FOLDER)}

    def is_free(place: str) -> bool:
        both = (place, sidecar_of(place))
        return not any(one in taken or one.casefold() in there for one in both)

    stem, dot, ending = file.name.rpartition(".")
    stem, ending = (stem, f"{dot}{ending}") if stem and "/" not in ending else (file.name, "")
    place, number = f"{ARCHIVE_FOLDER}/{file.name}", 2
    while not is_free(place):
        place, number = f"{ARCHIVE_FOLDER}/{stem}-{number}{ending}", number + 1
    return place


def archived_page(page: str, source: str, *, failed: bool) -> str:
    """Return the page of an archived file, from `source`; a failure asks for its postmortem."""
    marks: dict[str, str | None] = {"archived_from": render_scalar(source)}
    if failed and not parse_mapping(page, source).get("postmortem"):
        marks["postmortem"] = DUE
    return set_sidecar(page, marks)


def superseded_page(page: str, source: str, successor: str) -> str:
    """Return the page of a superseded file ("" for none); a person's own word stays."""
    if not successor or parse_mapping(page, source).get("superseded_by"):
        return page
    return set_sidecar(page, {"superseded_by": render_scalar(successor)})


def read_archive(snapshot: "Snapshot") -> list[ArchivedFile]:
    """Return everything in the archive that has a page, in order; skips unreadable pages."""
    there = frozenset(snapshot.list(ARCHIVE_FOLDER))
    pages = sorted(path for path in there if path.endswith(SIDECAR) and path.removesuffix(SIDECAR) in there)

    def note(page: str) -> tuple[str, ...]:
        place = page.removesuffix(SIDECAR)
        try:
            fields: Mapping[str, Any] = parse_mapping(snapshot.text(page) or "", page)
        except ReelError:
            fields = {}
        keys = ("archived_from", "collected", "superseded_by", "postmortem", "title")
        told = (fields.get(key, "") for key in keys)
        source, *rest = (value if isinstance(value, str) else "" for value in told)
        plain = source.startswith(f"{SHELF}/") and not {"..", ".", ""} & set(source.split("/"))
        return (place, source if plain else "", *rest)

    notes: Mapping[str, Any] = snapshot.note(_NOTES, pages, note)
    return [ArchivedFile(*notes[page]) for page in pages]


def find_archived(snapshot: "Snapshot", name: str) -> list[ArchivedFile]:
    """Return the archived versions of a file, by its place there or its source; newest first."""
    found = [one for one in read_archive(snapshot) if name in (one.place, one.source)]
    return sorted(found, key=lambda one: (one.at, one.place), reverse=True)
