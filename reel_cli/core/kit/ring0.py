"""Ring 0 in force: the draft until a session is recorded, then the last ratified text."""

from typing import TYPE_CHECKING

from reel_cli.core.frozen import frozen
from reel_cli.core.kit.snapshot import DIRECTIVES, IDENTITY, Snapshot

if TYPE_CHECKING:
    from reel_cli.core.git.repository import Repository


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


def read_in_force(snapshot: Snapshot, repository: "Repository | None", at: str | None = None) -> Ring0:
    """Return the approved ring 0 of a kit in its work tree; without history, the present one.

    For a snapshot of a commit, `at` is its full id: what was in force then.
    """
    from reel_cli.core.files.front_matter import split
    from reel_cli.core.git.approvals import doubt_approval
    from reel_cli.core.git.commit_tree import CommitTree
    from reel_cli.core.git.history import ratified_commit
    from reel_cli.core.git.repository import blob_id

    now = {path: snapshot.read(path) or b"" for path in (IDENTITY, DIRECTIVES)}
    commit = ratified_commit(repository, at) if repository is not None else None
    force = dict(now)
    if commit is not None and repository is not None:
        tree = CommitTree(repository, commit)
        force = {path: tree.read(path) or b"" for path in now}
    doubt = doubt_approval(repository, commit) if repository and commit and at is None else None
    bodies = {path: split(data.decode("utf-8", "replace"), path).body for path, data in force.items()}
    return Ring0(
        identity=bodies[IDENTITY],
        directives=bodies[DIRECTIVES],
        waiting=tuple(path for path in now if now[path] != force[path]),
        blob=blob_id(force[IDENTITY]),
        drafts=_edited(snapshot, repository) if commit is None and at is None and repository else (),
        doubt=(doubt.what, doubt.mend) if doubt is not None else None,
    )


def _edited(snapshot: Snapshot, repository: "Repository") -> tuple[str, ...]:
    """Return the files of ring 0 that are not as they were committed."""
    from reel_cli.core.git.commit_tree import CommitTree

    head = repository.head()
    held = CommitTree(repository, head).ids if head is not None else {}
    now = {path: snapshot.read(path) for path in (IDENTITY, DIRECTIVES)}
    ids = {path: repository.blob_id(data) if data is not None else None for path, data in now.items()}
    return tuple(path for path, blob in ids.items() if held and blob != held.get(path))
