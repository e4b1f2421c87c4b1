"""One transaction: changes become commits and the files to match, all of them, or nothing happens at all."""

import hashlib
import os
import signal
import stat
import threading
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

from reel_cli.core.change.chain import Chain, Link, render_signature
from reel_cli.core.change.preflight import ChangedError, check_unchanged, require_branch
from reel_cli.core.change.recovery import Recovery, discard, finish, recover, recover_locked
from reel_cli.core.errors import OvertakenError, ReelError, StateError
from reel_cli.core.files.commit_message import OP, RATIFIED_BY
from reel_cli.core.files.private import OWNER_FOLDER, mark_own, new_modes, storage_problem, write_new
from reel_cli.core.files.tree import WorkTree
from reel_cli.core.git.commit_tree import CommitTree
from reel_cli.core.git.index import (
    NEXT,
    StagedChange,
    Swap,
    copy_index,
    refresh_blank,
    staged_changes,
    update_entries,
)
from reel_cli.core.git.intent import Intent, Target, check_path, save_intent, transaction_folder
from reel_cli.core.git.lock import hold_lock
from reel_cli.core.git.process import Git
from reel_cli.core.git.repository import Repository
from reel_cli.core.git.storage.objects import NewObjects, present
from reel_cli.core.git.storage.trees import Trees, read_folders
from reel_cli.core.git.tracked_files import is_as_committed
from reel_cli.core.values.change import AppliedChange, Change

__all__ = ["RATIFIED_BY", "Recovery", "apply_change", "apply_changes", "recover"]

ATTEMPTS = 4
"""Number of times a commit is rebuilt because the branch moved meanwhile."""

PACK = "objects"
"""Name of the folder, within the transaction's, of the objects that go to git."""

MANY = 100
"""Number of files from which the disk is synced once, not file by file: 5 s for a thousand become a half."""
HELD_BACK = ("SIGINT", "SIGTERM", "SIGHUP")


def apply_change(  # noqa: PLR0913 (a commit has an author, a time and a reason)
    repo: Repository,
    kit: Path,
    change: Change,
    snapshot_bytes: Mapping[str, bytes | None],
    *,
    when: datetime,
    identity: tuple[str, str],
) -> AppliedChange:
    """Make a change one commit, and the kit's files as it says; or leave everything as it was.

    `snapshot_bytes` is what the operation read (Snapshot.seen); a target it did not read is
    taken to be new. `when` has a zone; `identity` is (name, mail). Nothing else of the person's
    is touched, staged or not. A person's own edits of the targets become a commit of their own
    first (`edit: by hand`). Where history and disk are already as the change says, no commit is
    made and the present one is returned, unless the change ratifies what is there.

    Raises StateError, with nothing changed, when the kit or git is in the way; only if the disk
    fails after the commit does it leave a rest, which the next command finishes.
    """
    return apply_changes(repo, kit, [change], snapshot_bytes, when=when, identity=identity)[0]


def apply_changes(  # noqa: PLR0913 (as above)
    repo: Repository,
    kit: Path,
    changes: Sequence[Change],
    snapshot_bytes: Mapping[str, bytes | None],
    *,
    when: datetime,
    identity: tuple[str, str],
    waiting: Callable[[], None] | None = None,
    stored: Callable[[], Collection[str]] = tuple,
    began: str | None = None,
) -> tuple[AppliedChange, ...]:
    """Make changes commits, one each and in order, and the kit's files as the last leaves them; or nothing.

    All that `apply_change` promises holds for the whole: the branch moves once, to the last commit.
    A change may have been planned on those before it (Snapshot.after); `snapshot_bytes` is what
    the disk held. `stored` tells, when it is asked, which blobs of theirs may be in git already
    (StoredAhead.finish). Raises OvertakenError where a file changed since it was read, but only by commits
    that reel made after `began`, the commit that was checked out before that.
    """
    if not changes:
        return ()
    for change in changes:
        for path in change.writes:
            check_path(path)
    kit = kit.absolute()
    try:
        with hold_lock(kit, waiting=waiting) as lock:
            git = Git(repo.root, (lock,))
            if recover_locked(repo, kit, git).pending:
                message = "Another git holds the repository's index.lock, and an earlier change waits for it."
                raise StateError(
                    message, hint=f"wait until it is done; if none is running, delete {repo.index}.lock"
                )
            signature = render_signature(identity, when)
            task = _Task(repo, kit, git, changes, snapshot_bytes, signature, stored, began)
            for _ in range(ATTEMPTS):
                applied = task.attempt()
                if applied is not None:
                    return applied
    except OSError as error:
        raise storage_problem(error) from error
    message = "The branch kept moving while the change was being made; nothing was changed."
    raise StateError(message, hint="wait for what else is committing there, then run the command again")


@dataclass(slots=True)
class _Task:
    """The building of the commits, tried until the branch holds still."""

    repo: Repository
    kit: Path
    git: Git
    changes: Sequence[Change]
    snapshot: Mapping[str, bytes | None]
    signature: str
    stored: Callable[[], Collection[str]]
    began: str | None
    folder: Path = field(init=False)

    def __post_init__(self) -> None:
        self.folder = transaction_folder(self.kit)

    def attempt(self) -> tuple[AppliedChange, ...] | None:
        """Try once; None when the branch moved meanwhile."""
        branch = require_branch(self.repo)
        base = self.repo.head()
        self._check_tip(base)
        try:
            check_unchanged(self.kit, self.changes, self.snapshot)
        except ChangedError as error:
            if base is not None and self._overtaken(error.path, base):
                message = "Another reel changed this kit first; nothing was changed."
                raise OvertakenError(message, hint="run the command again") from None
            raise
        try:
            self.folder.mkdir(mode=OWNER_FOLDER)
            mark_own(self.folder)
            intent, links = self._build(branch, base)
        except BaseException:
            discard(self.folder)
            raise
        if intent is None:
            discard(self.folder)
            return self._applied(links, (), waits=False)
        with unbroken():
            try:
                save_intent(self.folder, intent)
                moved = self._move_branch(intent)
            except BaseException:
                # whether the branch moved is not known here; recovery finds out, now or next time
                with suppress(Exception):
                    recover_locked(self.repo, self.kit, self.git)
                raise
            if not moved:
                discard(self.folder)
                return None
            kept, swap = finish(self.repo, self.kit, self.git, intent, trusted=True)
        return self._applied(links, kept, waits=swap is Swap.BUSY)

    def _check_tip(self, base: str | None) -> None:
        """Refuse a change that was decided on another commit than the one that is checked out."""
        if any(change.tip not in (None, base) for change in self.changes):
            message = "Something else was committed meanwhile; nothing was changed."
            raise StateError(message, hint="see what with  reel log  then run the command again")

    def _overtaken(self, path: str, base: str) -> bool:
        """Return whether the disk holds the newest commit's file, and only reel committed meanwhile."""
        data = WorkTree(self.kit).read(path)
        with CommitTree(self.repo, base) as tree:
            held = tree.ids.get(path)
        on_disk = None if data is None else self.repo.blob_id(data)
        if self.began is None or self.began == base or held != on_disk:
            return False
        listed = self.git(
            "log", "-z", f"--format=%(trailers:key={OP},valueonly)", base, f"^{self.began}", "--"
        )
        return all(op.strip() for op in listed.removesuffix(b"\0").split(b"\0"))

    def _applied(
        self, links: Sequence[Link], kept: Sequence[str], *, waits: bool
    ) -> tuple[AppliedChange, ...]:
        made: list[AppliedChange] = []
        for change, link in zip(self.changes, links, strict=True):
            if link.commit is None:
                message = "There is nothing to commit."
                raise ReelError(message)
            mine = tuple(path for path in kept if path in change.writes)
            made.append(AppliedChange(link.commit, link.by_hand, link.edited, mine, waits))
        return tuple(made)

    # -- building, unseen ---------------------------------------------------------------------

    def _build(self, branch: str, base: str | None) -> tuple[Intent | None, Sequence[Link]]:
        """Make the commits where nothing names them yet.

        Returns the intent (None: there is nothing to commit) and what became of each change.
        """
        prepared = self.folder / NEXT
        index_was = copy_index(self.repo.index, prepared)
        staged: Mapping[str, StagedChange] = {}
        if base is None or not is_as_committed(self.repo, prepared, base):
            staged = staged_changes(self.git, base or _empty_tree(self.repo), prepared)
        objects = NewObjects(self.repo)
        paths = {self.repo.prefix + path for change in self.changes for path in change.writes}
        trees = Trees(objects, read_folders(self.repo, self.git, base, paths))
        chain = Chain(self.repo, self.kit, base, trees, objects, self.snapshot, staged, self.signature)
        links = [chain.add(change) for change in self.changes]
        if chain.tip is None or chain.tip == base:
            return None, links
        targets, on_disk = self._write_files(chain)
        self._store(objects)
        refresh_blank(self.repo, self.git, prepared)
        changed = {self.repo.prefix + t.path: t.entry for t in targets if t.entry != t.staged}
        update_entries(self.repo, self.git, prepared, changed)
        on_disk()
        return Intent(branch, base, chain.tip, targets, index_was), links

    def _store(self, objects: NewObjects) -> None:
        """Add all objects to git; those stored ahead only if it has lost them again."""
        told = self.stored()
        self.stored = lambda: told
        ahead = NewObjects(self.repo)
        objects.hand_over(told, ahead)
        with (self.folder / PACK).open("x+b") as scratch:
            objects.write(self.git, scratch)
        # checked last, because another git's cleanup may have deleted objects that nothing names yet
        ahead.leave_out(present(self.git, told))
        with (self.folder / f"{PACK}.again").open("x+b") as scratch:
            ahead.write(self.git, scratch)

    def _write_files(self, chain: Chain) -> tuple[tuple[Target, ...], Callable[[], None]]:
        """Write the new bytes of every target into the transaction's folder.

        Returns the targets with them, and what waits until all of it is on the disk: of many files at once
        that takes a while, in which git is given its objects.
        """
        file_mode, _ = new_modes(self.kit)
        targets = chain.targets()
        wanted = [
            target
            for target in targets
            if target.new is not None and (target.new != target.old or chain.paths[target.path].made_anew)
        ]
        at_once = len(wanted) >= MANY and hasattr(os, "sync")
        files: dict[str, str] = {}
        for number, target in enumerate(wanted):
            path = chain.paths[target.path]
            file = self.folder / str(number)
            write_new(file, path.last.new or b"", file_mode, sync=not at_once)
            files[target.path] = file.name
            if path.first.old is not None and not path.made_anew:
                file.chmod(stat.S_IMODE((self.kit / target.path).stat().st_mode))
        syncing = threading.Thread(target=os.sync) if at_once else None
        if syncing is not None:
            syncing.start()

        def on_disk() -> None:
            if syncing is not None:
                syncing.join()

        return tuple(replace(target, file=files.get(target.path)) for target in targets), on_disk

    # -- the commit point ---------------------------------------------------------------------

    def _move_branch(self, intent: Intent) -> bool:
        """Move the branch to the new commit if it is still at the base; return whether it moved."""
        if self.repo.branch() != intent.branch:
            return False
        base = intent.base or "0" * len(intent.new)
        why = self.changes[-1].subject
        if len(self.changes) > 1:
            why += f" (and {len(self.changes) - 1} before it)"
        name, _, date = self.signature.partition(" <")
        mail, _, date = date.partition("> ")
        committer = {"NAME": name, "EMAIL": mail, "DATE": f"@{date}"}
        try:
            self.git(
                *("update-ref", "-m", f"reel: {why}", intent.branch, intent.new, base),
                env={f"GIT_COMMITTER_{what}": value for what, value in committer.items()},
            )
        except StateError:
            if self.repo.head() == intent.base:
                raise
            return self.repo.head() == intent.new
        return True


def _empty_tree(repo: Repository) -> str:
    """Return the id of the tree without files, which every repository knows."""
    return hashlib.new("sha256" if repo.sha256 else "sha1", b"tree 0\0", usedforsecurity=False).hexdigest()


@contextmanager
def unbroken() -> Iterator[None]:
    """Delay Ctrl-C and similar signals until the commit and its files are both there."""
    main = threading.current_thread() is threading.main_thread()
    if not main or not hasattr(signal, "pthread_sigmask"):
        yield
        return
    held = {getattr(signal, name) for name in HELD_BACK}
    before = signal.pthread_sigmask(signal.SIG_BLOCK, held)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
