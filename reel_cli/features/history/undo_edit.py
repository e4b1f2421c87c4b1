"""Taking back a person's own edit that no change holds yet, and having it again."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.files.commit_message import UNDOES, list_undone
from reel_cli.core.files.kit_files import find_kit_file
from reel_cli.core.git.history import read_log
from reel_cli.core.kit.hand_edits import put_back
from reel_cli.core.shell import quote_path
from reel_cli.core.tape.tape_view import retracted
from reel_cli.core.values.change import Change
from reel_cli.features.history.undo import NEUTRAL, call_file, names_of_texts
from reel_cli.features.history.undo_note import plan_note_redo
from reel_cli.features.review.open_decisions import list_waiting
from reel_cli.features.review.proposals import Kind, WaitingProposal
from reel_cli.features.review.reject import plan_reject
from reel_cli.features.review.undone_edits import (
    UndoneEdit,
    note_undone,
    read_undone,
    text_of,
    write_undone,
)

if TYPE_CHECKING:
    from datetime import datetime

    from reel_cli.core.git.repository import Repository
    from reel_cli.core.kit.snapshot import Snapshot
    from reel_cli.features.history.undo import Undo
    from reel_cli.terminal.open_kit import OpenKit

BY_HAND = frozenset({Kind.RING0, Kind.POOL, Kind.ROTATION, Kind.LINE, Kind.HAND})
BETWEEN = ("undo", "redo", *NEUTRAL)
"""Operations after which an edit that was taken back can still be had again."""


@dataclass(frozen=True, slots=True)
class FileStep:
    """A file and the bytes it shall have (None: no file), as one step back or forth.

    `seen` is what it holds, `what` the words for the edit, `brings` the note of what is brought back.
    """

    path: str
    data: bytes | None
    seen: bytes | None
    what: str
    brings: UndoneEdit | None = None

    @property
    def other_way(self) -> str:
        """Return the command that goes the other way where that is not the usual one, else ""."""
        return "reel review" if self.brings is not None and self.brings.rejected else ""

    def told(self) -> Sequence[str]:
        """Return nothing: the words for the edit name its only file."""
        return ()


def plan_edit_undo(opened: "OpenKit") -> FileStep | None:
    """Return the step that takes back what was last done by hand; None where a change of reel's is newer.

    That is an edit, or a no in review, whose text then comes back.
    """
    repo, snapshot = opened.require_repository(), opened.snapshot
    waiting = list_waiting(snapshot, repo)
    edits = _list_edits(snapshot, waiting)
    refused = [one for one in read_undone(opened) if one.rejected and text_of(opened, one) is not None]
    refused = [one for one in refused if _is_as_left(opened, one) and not _changed_since(opened, one.head)]
    last = _last_change(repo)
    saved = ((_saved(opened.root / one.path), one) for one in edits)
    # git notes whole seconds, and a change commits the edits of its files: one left from its second is newer
    newer = [(when, one) for when, one in saved if last is None or int(when) >= last.timestamp()]
    steps = [(when, partial(_step_back, snapshot, one, waiting)) for when, one in newer]
    steps += [(_saved(opened.root / one.copy), partial(_bring_back, opened, one)) for one in refused]
    return max(steps, key=lambda pair: pair[0])[1]() if steps else None


def _changed_since(opened: "OpenKit", head: str) -> bool:
    """Return whether a change that an undo takes back came after this commit.

    The history decides and no clock, since a file's time and a commit's can be from two of them.
    """
    repo, gone = opened.require_repository(), retracted(opened.snapshot)
    log = read_log(repo)
    undone = list_undone((commit.id, commit.values(UNDOES)) for commit in log)
    for commit in takewhile(lambda commit: commit.id != head, log):
        chats = commit.values("Reel-Session")
        stands = commit.id not in undone and not (
            commit.op in ("record", "redo") and chats and gone.issuperset(chats)
        )
        if stands and (commit.op == "redo" or commit.op not in NEUTRAL):
            return True
    return False


def _is_as_left(opened: "OpenKit", one: UndoneEdit) -> bool:
    """Return whether the file of an edit is as taking the edit back left it."""
    now = opened.snapshot.read(one.path)
    return one.blob == ("" if now is None else opened.require_repository().blob_id(now))


def _bring_back(opened: "OpenKit", one: UndoneEdit) -> FileStep | None:
    """Return the step that brings an edit's text back; None where it is not kept any more."""
    text, now = text_of(opened, one), opened.snapshot.read(one.path)
    if text is None and one.copy:
        return None
    how = "your edit" if one.copy else "the deletion"
    what = f"{how} of {_call(opened.snapshot, one.path, text)}"
    return FileStep(one.path, text, now, f"your no to {what}" if one.rejected else what, one)


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
    """Return when reel last changed the kit in a way that can be taken back, did so again, or was made to."""
    from datetime import datetime

    log = read_log(repo)
    undoes = {commit.id: commit.values(UNDOES) for commit in log}
    undone = list_undone(undoes.items())
    times = {one.id: datetime.fromisoformat(one.time) for one in log if one.op not in NEUTRAL}
    for one in log:
        for again in (change for undo in undoes[one.id] for change in undoes.get(undo, ())):
            if one.op == "redo" and again in times:
                times[again] = max(times[again], datetime.fromisoformat(one.time))
    return max((when for change, when in times.items() if change not in undone), default=None)


def plan_edit_redo(opened: "OpenKit") -> FileStep | None:
    """Return the step that brings back the edit taken back last; None where a change is to be redone first.

    None too where something else was done since, or the file is not as the undo left it.
    """
    repo, snapshot = opened.require_repository(), opened.snapshot
    noted = [one for one in read_undone(opened) if not one.rejected]
    if not noted or not _is_as_left(opened, noted[-1]):
        return None
    last = noted[-1]
    between = read_log(repo, after=last.head) if last.head else read_log(repo)
    if any(one.op not in BETWEEN for one in between):
        return None
    if between and (plan_note_redo(opened) is not None or _has_redo(repo, snapshot)):
        return None
    return _bring_back(opened, last)


def redo_or_tell(opened: "OpenKit") -> "Undo":
    """Plan to do again what was taken back last; the error names an edit that only its file has by now."""
    from reel_cli.features.history.undo import redo_last

    try:
        return redo_last(opened.require_repository(), opened.snapshot)
    except ReelError as error:
        kept = [one for one in read_undone(opened) if not one.rejected and text_of(opened, one) is not None]
        if kept:
            name = _call(opened.snapshot, kept[-1].path, text_of(opened, kept[-1]))
            error.message += f" Your edit of {name}, which you took back before that, is kept in a file."
            error.hint = f"to read it:  less {quote_path(kept[-1].copy)}"
        raise


def _has_redo(repo: "Repository", snapshot: "Snapshot") -> bool:
    from reel_cli.features.history.undo import plan_redo

    try:
        plan_redo(repo, snapshot)
    except ReelError:
        return False
    return True


def carry_out_file(opened: "OpenKit", step: FileStep, *, undo: bool) -> Path | None:
    """Write the file, and note or forget the edit; return where the text it had is kept."""
    repo = opened.require_repository()
    copy = put_back(repo, opened.root, step.path, step.data, seen=step.seen, when=opened.now())
    if step.brings is not None:
        write_undone(opened, [one for one in read_undone(opened) if one != step.brings])
    elif undo:
        note_undone(opened, step.path, copy, step.data, rejected=False)
    return copy
