"""Edits by hand that an undo, or a no in review, took back, with the place of their text."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from reel_cli.core.files.private import state_folder, write_private

if TYPE_CHECKING:
    from reel_cli.terminal.open_kit import OpenKit

NOTE = "undone-edits.json"
"""The file in `.reel/state` that tells which edits were taken back, the last one last."""
_FIELDS = frozenset({"path", "copy", "head", "blob"})


@dataclass(frozen=True, slots=True)
class UndoneEdit:
    """An edit that was taken back: its file, the place of its text, and HEAD and the file's blob then.

    `copy` is "" where the edit had deleted the file, `blob` where taking it back did. `rejected`: a no in
    review took it back, and so an undo brings it back; else an undo did, and a redo does.
    """

    path: str
    copy: str
    head: str
    blob: str
    rejected: bool = False


def read_undone(opened: "OpenKit") -> Sequence[UndoneEdit]:
    """Return the edits that were taken back, the last one last."""
    noted = opened.state.note(NOTE)
    return [
        UndoneEdit(**{key: one[key] for key in _FIELDS}, rejected=one.get("rejected") is True)
        for one in (noted if isinstance(noted, list) else [])
        if isinstance(one, Mapping) and all(isinstance(one.get(key), str) for key in _FIELDS)
    ]


def write_undone(opened: "OpenKit", noted: Sequence[UndoneEdit]) -> None:
    """Write the note anew."""
    state_folder(opened.root)
    write_private(opened.state.folder / NOTE, json.dumps([asdict(one) for one in noted]).encode(), sync=False)


def note_undone(
    opened: "OpenKit", path: str, copy: Path | None, data: bytes | None, *, rejected: bool
) -> None:
    """Note an edit that was just taken back; `data` is what its file holds now."""
    repo = opened.require_repository()
    if copy is not None:
        # a commit of what was kept of the same edit is older than this
        copy.touch()
    kept = "" if copy is None else copy.relative_to(opened.root).as_posix()
    blob = "" if data is None else repo.blob_id(data)
    one = UndoneEdit(path, kept, repo.head() or "", blob, rejected)
    write_undone(opened, [*read_undone(opened), one])


def text_of(opened: "OpenKit", one: UndoneEdit) -> bytes | None:
    """Return the text that was kept; None where it is not there any more, or there was none."""
    place = opened.root / one.copy
    kept = state_folder(opened.root) / "rejected"
    if not one.copy or kept not in place.resolve().parents:
        return None
    try:
        return place.read_bytes()
    except OSError:
        return None
