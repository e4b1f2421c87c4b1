"""Shelf for a bundle: which files, in which order, and their contents."""

from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from reel_cli.core.errors import ReelError
from reel_cli.features.shelf.row import (
    BINARY,
    ELSEWHERE,
    GONE,
    NOT_ALLOWED,
    SHELF,
    TOO_LARGE,
    UNREADABLE,
    Digest,
    FileText,
    ShelfContents,
    ShelfItem,
    text_of,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reel_cli.core.files.tree import Tree
    from reel_cli.core.kit.snapshot import Snapshot
    from reel_cli.features.shelf.shelf_file import WatchedFile
    from reel_cli.features.shelf.survey import ShelfEntry

MOST_TOLD = 200
"""Maximum number of files measured against the share, the hottest; a share is used up long before."""
COLD = "it has not been used for a while"
ASIDE = "it was set aside"
BEHIND = "not among the {number:,}"
LOST = "it is no longer in the kit"
TOLD = "its summary stands for it"
LARGEST_DIGEST = 256 * 1024


class Counts(NamedTuple):
    """The number of files, of pinned ones, and of those hot enough for a bundle."""

    files: int
    pinned: int
    hot: int


def gather_shelf(kit: Path) -> ShelfContents:
    """Return the shelf of the kit in a folder, from its note if possible."""
    from reel_cli.core.files.tree import WorkTree

    return _shelved(_kept_note(kit), OpenDesk(WorkTree(kit), kit))


def _kept_note(kit: Path) -> Any:  # noqa: ANN401
    from reel_cli.features.shelf.note import note_shelf

    def make() -> tuple[dict[str, Any], list[str]]:
        from reel_cli.core.files.tree import WorkTree
        from reel_cli.core.kit.glance import Glance

        note = _note(Glance(WorkTree(kit), kit.resolve().name, kit))
        return note, [f"{item[0]}.meta.yml" for item in note["items"]]

    return note_shelf(kit, make)


def shelf_in(snapshot: "Snapshot") -> ShelfContents | None:
    """Return the shelf of a snapshot; watched files are read only if its tree is on the disk."""
    if not snapshot.list(SHELF):
        return None
    from reel_cli.core.files.tree import WorkTree

    kit = snapshot.tree.root if isinstance(snapshot.tree, WorkTree) else None
    return _shelved(_note(snapshot), OpenDesk(snapshot, kit))


def _note(snapshot: "Snapshot") -> dict[str, Any]:
    """Return all that packing needs to know of the shelf, as plain JSON."""
    from reel_cli.features.shelf.survey import stand_all

    least = snapshot.settings.shelf_hot
    hot: list[ShelfEntry] = []
    short: list[ShelfEntry] = []
    left: dict[str, list[str]] = {}
    told = []
    for one in stand_all(snapshot, kit=None, contents=False):
        file = one.file
        if file.trouble:
            told.append(f"{file.trouble.rstrip('.')}.")
        if not file.held and file.watched is None and not file.in_history:
            left.setdefault(LOST, []).append(file.path)
        elif not file.working and not file.pin and file.summarized_in and one.hotness >= least:
            short.append(one)
        elif not file.working and not file.pin:
            left.setdefault(ASIDE, []).append(file.path)
        elif one.hotness < least and not (file.pin or one.factors.hot_listed):
            left.setdefault(COLD, []).append(file.path)
        else:
            hot.append(one)
    # a file set aside that is still mentioned is told by its summary, after everything else
    every = [*hot, *short]
    left.setdefault(BEHIND.format(number=MOST_TOLD), []).extend(one.file.path for one in every[MOST_TOLD:])
    items = [
        (
            *(one.file.path, one.file.title, one.file.summary, one.file.pin),
            *(one.file.summarized_in, one.file.summary_sha256),
            one.file.watched.path if one.file.watched is not None else "",
            _noted(one.file.watched),
            not one.file.working and not one.file.pin,
            one.factors.hot_listed,
        )
        for one in every[:MOST_TOLD]
    ]
    files = len(every) + sum(map(len, left.values())) - len(every[MOST_TOLD:])
    return {
        "counts": (files, sum(one.file.pin for one in hot), len(hot)),
        "items": items,
        "left": [(ids, why) for why, ids in left.items() if ids],
        "told": told[:MOST_TOLD],
    }


def _noted(watched: "WatchedFile | None") -> str:
    return f"{watched.size} {watched.mtime} {watched.sha256}" if watched is not None else ""


def count_shelf(kit: Path, past: "Snapshot | None" = None) -> Counts | None:
    """Return how many files are on the shelf, now or at a moment of the past; None if there are none."""
    if past is not None:
        note = _note(past) if past.list(SHELF) else None
    else:
        note = _kept_note(kit) if (kit / SHELF).is_dir() else None
    counts = Counts(*note["counts"]) if note is not None else None
    return counts if counts is not None and counts.files else None


def _shelved(note: Any, desk: "OpenDesk") -> ShelfContents:  # noqa: ANN401
    items = [ShelfItem(*item) for item in note["items"]]
    left: Sequence[tuple[Sequence[str], str]] = [(ids, why) for ids, why in note["left"]]
    return ShelfContents(items, left, note["told"], desk)


class OpenDesk:
    """A reader of one kit's shelf files, as they are now or were at a moment of the past."""

    def __init__(self, tree: "Tree | Snapshot", kit: Path | None) -> None:
        """Read from a tree; watched files are looked for from `kit`, where it is given."""
        self.tree = tree
        self.kit = kit

    @cached_property
    def _allowed(self) -> frozenset[str]:
        """Return outside files that may be read here; a kit from elsewhere cannot name any itself."""
        from reel_cli.core.files.state import State

        return State(self.kit).watched() if self.kit is not None else frozenset()

    def open(self, item: ShelfItem, most: int) -> FileText:
        """Return the file's text; none if it exceeds `most` bytes, is no text, or is unreadable."""
        if item.aside:
            return FileText(None, ASIDE)
        data = self._bytes(item, most)
        if isinstance(data, str):
            return FileText(None, data)
        if len(data) > most:
            return FileText(None, TOO_LARGE)
        text = text_of(data)
        return FileText(text, "" if text is not None else BINARY)

    def _bytes(self, item: ShelfItem, most: int) -> bytes | str:
        """Return a file's bytes, or why there are none."""
        if not item.watched:
            try:
                data = self.tree.read(item.id)
            except (ReelError, OSError):
                return UNREADABLE
            return data if data is not None else TOLD if item.told_in else UNREADABLE
        if self.kit is None:
            return ELSEWHERE
        from reel_cli.features.shelf.watched_files import read_place

        if item.watched not in self._allowed:
            return NOT_ALLOWED
        found = read_place(self.kit, item.watched, most)
        if found is None:
            return GONE
        return found

    def digest(self, item: ShelfItem) -> Digest | None:
        """Return its summary, if there is one that can be read."""
        if not item.told_in or ".." in item.told_in.split("/") or item.told_in.startswith("/"):
            return None
        try:
            data = self.tree.read(item.told_in) or b""
        except (ReelError, OSError):
            return None
        text = text_of(data) if len(data) <= LARGEST_DIGEST else None
        body = _without_links(_without_head(text or ""))
        return Digest(body, self._is_old(item)) if body.strip() else None

    def _is_old(self, item: ShelfItem) -> bool:
        if not item.told_of:
            return False
        if item.watched:
            return self._is_other(item)
        data = self._bytes(item, 1 << 26)
        return isinstance(data, bytes) and sha256(data).hexdigest() != item.told_of

    def _is_other(self, item: ShelfItem) -> bool:
        """Return whether a watched file differs, by its size and time, from what its summary was made of."""
        from reel_cli.features.shelf.watched_files import look_at_place

        size, mtime, sha = [*item.noted.split(" "), "", "", ""][:3]
        if sha != item.told_of:
            return True
        return self.kit is not None and look_at_place(self.kit, item.watched) != (size, mtime)


def _without_links(text: str) -> str:
    """Return a summary without the links to its sources, which lead nowhere in a bundle."""
    at = text.replace("\r\n", "\n").rfind("\n---\nReferences:\n")
    return text.replace("\r\n", "\n")[:at] if at >= 0 else text


def _without_head(text: str) -> str:
    """Return the text after a summary's front matter; packing has no time to parse it."""
    opens = text.startswith("---\n")
    end = text.find("\n---\n", 3) if opens else -1
    return text[end + 5 :] if end >= 0 else text
