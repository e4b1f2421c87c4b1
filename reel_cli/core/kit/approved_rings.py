"""Rings 0 and 1 as they are in force: a draft until a session is recorded, then what was approved.

Of ring 0 that is the last ratified text; of ring 1 what reel wrote or a person approved.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reel_cli.core.frozen import frozen
from reel_cli.core.kit.snapshot import ACTIVE, DIRECTIVES, IDENTITY, Snapshot

if TYPE_CHECKING:
    from reel_cli.core.files.catalog_store import Store
    from reel_cli.core.git.commit_tree import CommitStep
    from reel_cli.core.git.repository import Repository
    from reel_cli.core.kit.hand_edits import Step


@frozen
class Ring0:
    """Identity and directives as they are in force.

    `waiting` names the files whose edit is not in force yet, `drafts` those whose edit is, though nobody
    reviewed it; `blob` is the identity's git object.
    """

    identity: str
    directives: str
    waiting: tuple[str, ...]
    blob: str
    drafts: tuple[str, ...] = ()
    doubt: tuple[str, str] | None = None
    """Reason to doubt that reel made the approval, with the mend; None if there is none."""

    @property
    def text(self) -> str:
        """Return both parts, as a prompt holds them."""
        return "\n\n".join(part.strip() for part in (self.identity, self.directives) if part.strip())


def read_in_force(
    snapshot: Snapshot,
    repository: "Repository | None",
    at: str | None = None,
    approvals: "ApprovalHistory | None" = None,
) -> Ring0:
    """Return the approved ring 0 of a kit in its work tree; without history, the present one.

    For a snapshot of a commit, `at` is its full id: what was in force then. `approvals` are those of the
    checked-out history, where they are known.
    """
    from reel_cli.core.files.front_matter import split
    from reel_cli.core.git.approvals import doubt_by_form
    from reel_cli.core.git.repository import blob_id

    now = {path: snapshot.read(path) or b"" for path in (IDENTITY, DIRECTIVES)}
    known = approvals or (_read_ring_0(repository, at) if repository is not None else ApprovalHistory())
    commit = known.commit
    force = dict(now)
    if commit is not None and repository is not None:
        force = {path: _read_approved_text(repository, known, path, now[path]) for path in now}
    doubt = doubt_by_form(repository, commit, known.form) if repository and commit and at is None else None
    bodies = {path: split(data.decode("utf-8", "replace"), path).body for path, data in force.items()}
    return Ring0(
        identity=bodies[IDENTITY],
        directives=bodies[DIRECTIVES],
        waiting=tuple(path for path in now if now[path] != force[path]),
        blob=blob_id(force[IDENTITY]),
        drafts=_edited(snapshot, repository) if commit is None and at is None and repository else (),
        doubt=(doubt.what, doubt.mend) if doubt is not None else None,
    )


def _read_ring_0(repository: "Repository", at: str | None) -> "ApprovalHistory":
    """Return what history says of ring 0 alone; `at` as for `read_in_force`."""
    from reel_cli.core.git.approvals import judge_form
    from reel_cli.core.git.history import ratified_commit
    from reel_cli.core.git.tracked_files import read_blobs

    commit = ratified_commit(repository, at)
    if commit is None:
        return ApprovalHistory()
    form = judge_form(repository, commit) if at is None else None
    return ApprovalHistory(commit, read_blobs(repository, commit, RING_0), form=form)


def _read_approved_text(
    repository: "Repository", known: "ApprovalHistory", path: str, present: bytes
) -> bytes:
    """Return the approved bytes of a file of ring 0, which mostly are the present ones."""
    from reel_cli.core.git.commit_tree import CommitTree

    blob = known.ring0.get(path)
    if blob is None or known.commit is None:
        return b""
    if blob == repository.blob_id(present):
        return present
    with CommitTree(repository, known.commit) as tree:
        return tree.read_blob(blob, path)


def _edited(snapshot: Snapshot, repository: "Repository") -> tuple[str, ...]:
    """Return the files of ring 0 that are not as they were committed."""
    from reel_cli.core.git.commit_tree import CommitTree

    head = repository.head()
    held = CommitTree(repository, head).ids if head is not None else {}
    now = {path: snapshot.read(path) for path in (IDENTITY, DIRECTIVES)}
    ids = {path: repository.blob_id(data) if data is not None else None for path, data in now.items()}
    return tuple(path for path, blob in ids.items() if held and blob != held.get(path))


RING_0 = "ring0/"
RING_1 = "ring1/"
POOL_FILE = re.compile(r"ring1/[^/]+\.md")

EDITED, DELETED, ADDED = "edited", "deleted", "added"


@frozen
class Ring1:
    """The exemplars and the active set as approved.

    `snapshot` has the approved text of each file. `waiting` names the files that differ from it on the
    disk, each with how: edited, deleted or added by hand.
    """

    snapshot: Snapshot
    waiting: tuple[tuple[str, str], ...] = ()


def is_ring1_file(path: str) -> bool:
    """Return whether a kit path is an example's or the active set's."""
    return path == ACTIVE or (POOL_FILE.fullmatch(path) is not None and not path.startswith("ring1/."))


def read_approved(
    snapshot: Snapshot,
    repository: "Repository | None",
    at: str | None = None,
    approvals: "ApprovalHistory | None" = None,
) -> Ring1:
    """Return the approved ring 1 of a kit in its work tree; without history, the present one.

    `at` and `approvals` as for `read_in_force`.
    """
    from reel_cli.core.git.commit_tree import CommitTree
    from reel_cli.core.git.history import ratified_commit
    from reel_cli.core.values.change import Change

    tip = (at or repository.head()) if repository is not None else None
    if repository is None or tip is None:
        return Ring1(snapshot)
    if (approvals.commit if approvals else ratified_commit(repository, tip)) is None:
        return Ring1(snapshot)
    approved = approvals.ring1 if approvals else approved_blobs(repository, tip)
    now = {path: snapshot.read(path) for path in snapshot.list("ring1") if is_ring1_file(path)}
    writes: dict[str, bytes | None] = {}
    waiting: list[tuple[str, str]] = []
    with CommitTree(repository, tip) as history:
        for path in sorted({*now, *approved}):
            blob, data = approved.get(path), now.get(path)
            if blob == (None if data is None else repository.blob_id(data)):
                continue
            writes[path] = None if blob is None else history.read_blob(blob, path)
            waiting.append((path, ADDED if blob is None else DELETED if data is None else EDITED))
    return Ring1(snapshot.after(Change("", "", writes)) if writes else snapshot, tuple(waiting))


def has_pending_rotation(snapshot: Snapshot, repository: "Repository | None") -> bool:
    """Return whether the list of active examples on disk differs from the approved one."""
    return any(path == ACTIVE for path, _ in read_approved(snapshot, repository).waiting)


def approved_blobs(repo: "Repository", tip: str) -> Mapping[str, str | None]:
    """Return the approved blob (None: no file) of each file of ring 1 in history up to `tip`, a full id.

    Where nothing but reel changed the files, that is the commit's own.
    """
    from reel_cli.core.git.commit_tree import CommitTree
    from reel_cli.core.git.history import first_session_commit
    from reel_cli.core.kit.hand_edits import read_steps, with_ratified

    steps = _of_ring_1(read_steps(repo, (RING_1,), tip=tip))
    if not any(_in_doubt(path, own) for path, own in steps.items()):
        return {path: approved_blob(path, own) for path, own in steps.items()}
    first = first_session_commit(repo, tip)
    drafted: Mapping[str, str] = {}
    if first is not None:
        with CommitTree(repo, first) as tree:
            drafted = {path: blob for path, blob in tree.ids.items() if is_ring1_file(path)}
        steps = _of_ring_1(read_steps(repo, (RING_1,), tip=tip, since=first))
    steps = with_ratified(repo, steps, tip=tip)
    return {path: approved_blob(path, steps.get(path, ()), drafted.get(path)) for path in {*drafted, *steps}}


@frozen
class ApprovalHistory:
    """The approvals in the checked-out history.

    `commit` approved ring 0 (None: it is a draft), `ring0` are the blobs it has of it, and `ring1` the
    approved ones (None: no file) by path. `form` is how it differs from an approval of reel's (`judge_form`).
    """

    commit: str | None = None
    ring0: Mapping[str, str] = field(default_factory=dict)
    ring1: Mapping[str, str | None] = field(default_factory=dict)
    form: str | None = None


def note_approvals(kit: Path, repo: "Repository", store: "Store | None" = None) -> ApprovalHistory:
    """Return what history says of approvals, read again only after a commit that may bear on them.

    `store` is the kit's catalog, where it is open.
    """
    from reel_cli.core.git.approvals import OWN_FOLDERS, judge_form
    from reel_cli.core.git.history import ratified_commit
    from reel_cli.core.git.tracked_files import read_blobs
    from reel_cli.core.kit.head_note import HistoryNote

    def read() -> list[Any]:
        head, commit = repo.head(), ratified_commit(repo)
        ring0 = read_blobs(repo, commit, RING_0) if commit is not None else {}
        form = judge_form(repo, commit) if commit is not None else None
        return [commit, ring0, approved_blobs(repo, head) if head is not None else {}, form]

    def holds(known: list[Any], step: "CommitStep") -> bool:
        # before anything is approved, the first session may put the drafts in force
        return known[0] is not None and _approves_nothing(repo, step)

    note = HistoryNote("approvals", read, " ".join(OWN_FOLDERS), holds=holds)
    return ApprovalHistory(*(note.recall(kit, repo) if store is None else note.recall_in(store, repo)))


def _approves_nothing(repo: "Repository", step: "CommitStep") -> bool:
    """Return whether a commit changes no file of rings 0 and 1 and has no trailer that approves one.

    False where that does not show without git.
    """
    from reel_cli.core.files.commit_message import RATIFIED
    from reel_cli.core.git.commit_tree import NotLooseError, folder_ids

    if RATIFIED.lower().encode() in step.message.lower():
        return False
    try:
        rings = [folder_ids(repo, commit, ("ring0", "ring1")) for commit in (step.commit, step.parent)]
    except NotLooseError:
        return False
    return rings[0] == rings[1]


def approved_blob(path: str, steps: "Sequence[Step]", drafted: str | None = None) -> str | None:
    """Return the blob (None: no file) of one file of ring 1 that is approved after these steps, newest first.

    `drafted` is its blob before them. An exemplar that a person added and committed counts as approved, for
    adding wants no name (REEL §4.2); editing it or taking it out by hand does not.
    """
    state = drafted
    for step in reversed(steps):
        if step.vouched or (path == ACTIVE and step.by_reel):
            state = step.after
        elif state is None:
            state = step.before or step.after
    return state


def _of_ring_1(steps: "Mapping[str, Sequence[Step]]") -> "Mapping[str, Sequence[Step]]":
    return {path: own for path, own in steps.items() if is_ring1_file(path)}


def _in_doubt(path: str, steps: "Sequence[Step]") -> bool:
    """Return whether something other than reel changed or deleted a file since it was last vouched for."""
    for step in steps:
        if step.vouched:
            return False
        if step.before is not None and not (path == ACTIVE and step.by_reel):
            return True
    return False
