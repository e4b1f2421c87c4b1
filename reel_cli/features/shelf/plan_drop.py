"""Files are taken off the shelf, each with its trailer; all of them can come back (MEMORY-MGMT §5)."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from reel_cli.core.errors import ReelError
from reel_cli.core.files.commit_message import FORGOT, Forgotten, render_forgotten
from reel_cli.core.git.repository import Repository
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.rings.losses import OFF_SHELF, ON_SHELF
from reel_cli.core.values.change import Change
from reel_cli.core.values.holdings import Counter
from reel_cli.features.shelf.advice.files import without_entries
from reel_cli.features.shelf.shelf_file import ShelfFile, text_of
from reel_cli.features.shelf.survey import OP, as_typed, find_files, names_in_words

USUAL_REASON = "your word"


@dataclass(frozen=True, slots=True)
class DropPlan:
    """The plan of taking files off the shelf; the losses are in the order of the files."""

    change: Change
    files: Sequence[ShelfFile]
    losses: Sequence[Forgotten]


def plan_drop(  # noqa: PLR0913 (the kit and its history, what is wanted, and why)
    snapshot: Snapshot, repo: Repository, counter: Counter, wanted: Sequence[str], *, why: str, kit: Path
) -> DropPlan:
    """Plan to remove files from the shelf by a person's word; a watched file itself is not touched.

    Raises ReelError, and plans nothing, where one is not on the shelf, or is pinned.
    """
    files = find_files(snapshot, wanted, kit)
    pinned = [file for file in files if file.pin]
    if pinned:
        more = f", and {len(pinned) - 1} more are" if pinned[1:] else ""
        message = f"{pinned[0].path} is pinned{more}."
        raise ReelError(message, hint=f"reel shelf unpin {as_typed(pinned)}")
    writes: dict[str, bytes | None] = {}
    reason = why or USUAL_REASON
    losses = [let_go(snapshot, repo, counter, file, writes, reason) for file in files]
    writes |= without_entries(snapshot, {file.path for file in files})
    trailers = [(FORGOT, render_forgotten(loss)) for loss in losses]
    trailers.append(("Reel-Tokenizer", counter.name))
    change = Change(OP, f"{names_in_words(files)} off the shelf", writes, tuple(trailers))
    return DropPlan(change, files, losses)


def let_go(  # noqa: PLR0913 (the kit and its history, one file, and why)
    snapshot: Snapshot,
    repo: Repository,
    counter: Counter,
    file: ShelfFile,
    writes: dict[str, bytes | None],
    why: str,
) -> Forgotten:
    """Add one file's removal to `writes`; return its loss for the trailer.

    `was` is the blob of the file, of a watched one of its sidecar: the kit never had more of it.
    """
    data = snapshot.read(file.path) if file.held else None
    page = snapshot.read(file.sidecar)
    if data is not None:
        writes[file.path] = None
    if page is not None:
        writes[file.sidecar] = None
    text = text_of(data) if data is not None else None
    tokens = counter.count(text) if text else 0
    kept = data if data is not None else page
    was = repo.blob_id(kept) if kept is not None else ""
    return Forgotten(file.path, ON_SHELF, OFF_SHELF, tokens, 0, "", was, why)
