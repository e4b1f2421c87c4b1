"""Taking back a person's own edit that no change holds yet, and having it again."""

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.files.kit_files import find_kit_file
from reel_cli.core.files.private import state_folder, write_private
from reel_cli.core.git.history import read_log
from reel_cli.core.kit.hand_edits import put_back
from reel_cli.core.values.change import Change
from reel_cli.features.history.undo import NEUTRAL, call_file, names_of_texts
from reel_cli.features.review.open_decisions import list_waiting
from reel_cli.features.review.proposals import Kind, WaitingProposal
from reel_cli.features.review.reject import plan_reject

if TYPE_CHECKING:
    from datetime import datetime

    from reel_cli.core.git.repository import Repository
    from reel_cli.core.kit.snapshot import Snapshot
    from reel_cli.terminal.open_kit import OpenKit

NOTE = "undone-edits.json"
"""The file in `.reel/state` that tells which edits were taken back, the last one last."""
BY_HAND = frozenset({Kind.RING0, Kind.POOL, Kind.ROTATION, Kind.LINE, Kind.HAND})
BETWEEN = ("undo", "redo", *NEUTRAL)
"""Operations after which an edit that was taken back can still be had again."""


@dataclass(frozen=True, slots=True)
class UndoneEdit:
    """An edit that was taken back: its file, the place of its text, and HEAD and the file's blob then.

    `copy` is "" where the edit had deleted the file, `blob` where taking it back did.
    """

    path: str
    copy: str
    head: str
    blob: str


@dataclass(frozen=True, slots=True)
class FileStep:
    """A file and the bytes it shall have (None: no file), as one step back or forth.

    `seen` is what it holds, `what` the words for the edit.
    """

    path: str
    data: bytes | None
    seen: bytes | None
    what: str

    def told(self) -> Sequence[str]:
        """Return nothing: the words for the edit name its only file."""
        return ()


def plan_edit_undo(opened: "OpenKit") -> FileStep | None:
    """Return the step that takes back the newest edit by hand; None where a change of reel's is newer."""
    repo, snapshot = opened.require_repository(), opened.snapshot
    waiting = list_waiting(snapshot, repo)
    edits = _list_edits(snapshot, waiting)
    if not edits:
        return None
    when, newest = max(((_saved(opened.root / one.path), one) for one in edits), key=lambda pair: pair[0])
    last = _last_change(repo)
    # git notes whole seconds, and a change commits the edits of its files: one left from its second is newer
    if last is not None and int(when) < last.timestamp():
        return None
    return _step_back(snapshot, newest, waiting)


def tell_waiting_edits(opened: "OpenKit") -> str:
    """Return a line on the edits by hand that an undo of something newer passes over; "" for none."""
    snapshot = opened.snapshot
    edits = _list_edits(snapshot, list_waiting(snapshot, opened.require_repository()))
    if not edits:
        return ""
    names = names_of_texts(list(dict.fromkeys(call_file(snapshot, one.path) for one in edits)))
    return f"Your edit of {names} is older and is not in the history yet; it stays:  reel review"


def _list_edits(snapshot: "Snapshot", waiting: Sequence[WaitingProposal]) -> Sequence[WaitingProposal]:
    """Return a person's own edits among what waits."""
    edits = [one for one in waiting if one.kind in BY_HAND and _is_edit(one)]
    return [one for one in edits if snapshot.read(one.path) != one.committed]


def _is_edit(one: WaitingProposal) -> bool:
    """Return whether a text of the kit's was edited, and no file of the person's own work put there."""
    file = find_kit_file(one.path)
    if file is None or file.free:
        return False
    return one.committed is not None or bool(file.opens_as)


def _step_back(
    snapshot: "Snapshot", one: WaitingProposal, waiting: Sequence[WaitingProposal]
) -> FileStep | None:
    rejection = plan_reject(snapshot, one, waiting)
    if rejection.change is not None:
        # older edits of the same file are in history; they are decided on in review
        return None
    seen = snapshot.read(rejection.path)
    how = "the deletion" if seen is None else "your edit"
    return FileStep(
        rejection.path, rejection.data, seen, f"{how} of {_call(snapshot, rejection.path, rejection.data)}"
    )


def _call(snapshot: "Snapshot", path: str, data: bytes | None) -> str:
    """Return what a person calls a file; a text that is not there now is named by the one it will have."""
    return call_file(snapshot, path, snapshot.after(Change("", "", {path: data})))


def _saved(place: Path) -> float:
    """Return when a file was saved, or where it is gone, when its folder changed."""
    with suppress(OSError):
        return place.stat().st_mtime
    try:
        return place.parent.stat().st_mtime
    except OSError:
        return 0.0


def _last_change(repo: "Repository") -> "datetime | None":
    """Return when reel last changed the kit in a way that can be taken back, or was made to."""
    from datetime import datetime

    from reel_cli.core.files.commit_message import UNDOES, list_undone

    log = read_log(repo)
    undone = list_undone((commit.id, commit.values(UNDOES)) for commit in log)
    times = (one.time for one in log if one.op not in NEUTRAL and one.id not in undone)
    found = next(times, None)
    return None if found is None else datetime.fromisoformat(found)


def plan_edit_redo(opened: "OpenKit") -> FileStep | None:
    """Return the step that brings back the edit taken back last; None where a change is to be redone first.

    None too where something else was done since, or the file is not as the undo left it.
    """
    repo, snapshot = opened.require_repository(), opened.snapshot
    noted = _read_note(opened)
    if not noted:
        return None
    last = noted[-1]
    text = _text_of(opened, last)
    if text is None and last.copy:
        return None
    now = snapshot.read(last.path)
    if last.blob != ("" if now is None else repo.blob_id(now)):
        return None
    between = read_log(repo, after=last.head) if last.head else read_log(repo)
    if any(one.op not in BETWEEN for one in between):
        return None
    if between and _has_redo(repo, snapshot):
        return None
    how = "your edit" if last.copy else "the deletion"
    return FileStep(last.path, text, now, f"{how} of {_call(snapshot, last.path, text)}")


def _has_redo(repo: "Repository", snapshot: "Snapshot") -> bool:
    from reel_cli.features.history.undo import plan_redo

    try:
        plan_redo(repo, snapshot)
    except ReelError:
        return False
    return True


def carry_out_file(opened: "OpenKit", step: FileStep, *, undo: bool) -> Path | None:
    """Write the file, and note or forget the edit; return where the text it had is kept."""
    repo, noted = opened.require_repository(), _read_note(opened)
    copy = put_back(repo, opened.root, step.path, step.data, seen=step.seen, when=opened.now())
    if undo:
        kept = "" if copy is None else copy.relative_to(opened.root).as_posix()
        blob = "" if step.data is None else repo.blob_id(step.data)
        noted = [*noted, UndoneEdit(step.path, kept, repo.head() or "", blob)]
    else:
        noted = noted[:-1]
    state_folder(opened.root)
    place = opened.state.folder / NOTE
    write_private(place, json.dumps([asdict(one) for one in noted]).encode(), sync=False)
    return copy


def _read_note(opened: "OpenKit") -> list[UndoneEdit]:
    noted = opened.state.note(NOTE)
    keys = set(UndoneEdit.__slots__)
    return [
        UndoneEdit(**one)
        for one in (noted if isinstance(noted, list) else [])
        if isinstance(one, Mapping) and set(one) == keys and all(isinstance(v, str) for v in one.values())
    ]


def _text_of(opened: "OpenKit", one: UndoneEdit) -> bytes | None:
    """Return the text that was kept; None where it is not there any more, or there was none."""
    place = opened.root / one.copy
    kept = state_folder(opened.root) / "rejected"
    if not one.copy or kept not in place.resolve().parents:
        return None
    try:
        return place.read_bytes()
    except OSError:
        return None
