"""One transaction: a change becomes one commit and the files to match, or nothing happens at all."""

import hashlib
import os
import signal
import stat
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from reel_cli.errors import ReelError, StateError
from reel_cli.kit.commit_message import GONE, RATIFIED, RATIFIED_BY, render_message
from reel_cli.kit.git import Repository
from reel_cli.kit.git_index import (
    NEXT,
    copy_index,
    few,
    staged_changes,
    sync_file,
    update_entries,
)
from reel_cli.kit.git_process import Git
from reel_cli.kit.intent import (
    Intent,
    Staged,
    check_path,
    save_intent,
    transaction_folder,
)
from reel_cli.kit.lock import hold_lock
from reel_cli.kit.preflight import Plan, check_unchanged, plan_targets, require_branch
from reel_cli.kit.private import OWNER_FOLDER, new_modes, storage_problem, write_new
from reel_cli.kit.recovery import Recovery, discard, finish, recover, recover_locked
from reel_cli.model.change import Applied, Change

__all__ = ["RATIFIED_BY", "Recovery", "apply_change", "recover"]

ATTEMPTS = 4
"""How often a commit is built anew because the branch moved on meanwhile."""

DRAFT = "index.draft"
"""An index with only our change in it, where the person has staged something else."""

MANY = 100
"""From this many files on the disk is synced once, not file by file: 5 s for a thousand become a half."""
HELD_BACK = ("SIGINT", "SIGTERM", "SIGHUP")


def apply_change(  # noqa: PLR0913 (a commit has an author, a time and a reason)
    repo: Repository,
    kit: Path,
    change: Change,
    snapshot_bytes: Mapping[str, bytes | None],
    *,
    when: datetime,
    identity: tuple[str, str],
    waiting: Callable[[], None] | None = None,
) -> Applied:
    """Make a change one commit, and the kit's files as it says; or leave everything as it was.

    `snapshot_bytes` is what the operation read (Snapshot.seen); a target it did not read is
    taken to be new. `when` has a zone; `identity` is (name, mail). Nothing else of the person's
    is touched, staged or not. A person's own edits of the targets become a commit of their own
    first (`edit: by hand`). Where history and disk are already as the change says, no commit is
    made and the present one is returned, unless the change ratifies what is there.

    Raises StateError, with nothing changed, when the kit or git is in the way; only if the disk
    fails after the commit does it leave a rest, which the next command finishes.
    """
    for path in change.writes:
        check_path(path)
    kit = kit.absolute()
    try:
        with hold_lock(kit, waiting=waiting) as lock:
            git = Git(repo.root, (lock,))
            if recover_locked(repo, kit, git).pending:
                message = "Another git holds this repository's index, and an earlier change waits for it."
                raise StateError(
                    message, hint=f"wait until it is done; if none is running, delete {repo.index}.lock"
                )
            task = _Task(repo, kit, git, change, snapshot_bytes, when, identity)
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
    """The building of one commit, tried until the branch holds still."""

    repo: Repository
    kit: Path
    git: Git
    change: Change
    snapshot: Mapping[str, bytes | None]
    when: datetime
    identity: tuple[str, str]
    folder: Path = field(init=False)

    def __post_init__(self) -> None:
        self.folder = transaction_folder(self.kit)

    def attempt(self) -> Applied | None:
        """Try once; None when the branch moved meanwhile."""
        branch = require_branch(self.repo)
        base = self.repo.head()
        check_unchanged(self.kit, self.change, self.snapshot)
        try:
            self.folder.mkdir(mode=OWNER_FOLDER)
            intent, by_hand = self._build(branch, base)
        except BaseException:
            discard(self.folder)
            raise
        if intent is None:
            discard(self.folder)
            if base is None:
                message = "There is nothing to commit."
                raise ReelError(message)
            return Applied(commit=base)
        with _unbroken():
            try:
                save_intent(self.folder, intent)
                moved = self._move_branch(intent)
            except BaseException:
                # whether the branch moved is not known here; recovery looks, now or next time
                with suppress(Exception):
                    recover_locked(self.repo, self.kit, self.git)
                raise
            if not moved:
                discard(self.folder)
                return None
            kept, _ = finish(self.repo, self.kit, self.git, intent, trusted=True)
        return Applied(commit=intent.new, by_hand=by_hand, kept=kept)

    # -- building, unseen ---------------------------------------------------------------------

    def _build(self, branch: str, base: str | None) -> tuple[Intent | None, str | None]:
        """Make the commits where nothing names them yet.

        Returns the intent (None: there is nothing to commit) and the id of the commit with the
        person's own edits, if there are any.
        """
        prepared = self.folder / NEXT
        index_was = copy_index(self.repo.index, prepared)
        staged = staged_changes(self.git, base or _empty_tree(self.repo), prepared)
        plans = plan_targets(self.repo, self.kit, self.change, self.snapshot, self._committed(base), staged)
        change = self._ratifying(plans)
        if all(plan.settled for plan in plans) and change is self.change:
            return None, None
        files = self._write_files(plans)
        targets = tuple(plan.target(files.get(plan.path)) for plan in plans)
        ours = self._at_root({plan.path: plan.entry(plan.new_id) for plan in plans})
        index_entries = self._at_root({target.path: target.entry for target in targets})
        elsewhere = {path: differs.committed for path, differs in staged.items() if path not in ours}
        draft = prepared
        if elsewhere or index_entries != ours:
            # what the person has staged stays out of the commit, and in the index
            draft = self.folder / DRAFT
            copy_index(prepared, draft)
            update_entries(self.repo, self.git, prepared, index_entries)
        parent, by_hand = base, None
        if any(plan.by_hand for plan in plans):
            theirs = self._at_root({p.path: p.entry(p.old_id) if p.by_hand else p.committed for p in plans})
            tree = self._tree(draft, {**elsewhere, **theirs})
            parent = by_hand = self._commit(Change("edit", "by hand", {}), tree, base)
        commit = self._commit(change, self._tree(draft, {**elsewhere, **ours}), parent)
        if prepared.exists():
            sync_file(prepared)
        return Intent(branch, base, commit, targets, index_was), by_hand

    def _committed(self, base: str | None) -> dict[str, Staged]:
        """The targets as the commit `base` has them."""
        if base is None or not self.change.writes:
            return {}
        prefix = self.repo.prefix
        paths = few(prefix + path for path in self.change.writes)
        deep = () if paths else ("-r",)
        listed = self.git("ls-tree", "-z", *deep, "--full-tree", base, "--", *paths)
        found: dict[str, Staged] = {}
        for line in listed.split(b"\0"):
            head, _, name = line.partition(b"\t")
            path = os.fsdecode(name)
            if head and path.startswith(prefix):
                mode, _kind, blob = head.decode("ascii").split()
                found[path[len(prefix) :]] = Staged(mode, blob)
        return found

    def _at_root(self, entries: Mapping[str, Staged | None]) -> dict[str, Staged | None]:
        """The same entries by the repository's paths instead of the kit's."""
        return {self.repo.prefix + path: entry for path, entry in entries.items()}

    def _ratifying(self, plans: Sequence[Plan]) -> Change:
        """The change; where it ratifies a text that history has already, saying which."""
        if all(key != RATIFIED_BY for key, _ in self.change.trailers):
            return self.change
        there = [(RATIFIED, f"{p.path} {p.new_id or GONE}") for p in plans if p.settled]
        return self.change.also({}, *there) if there else self.change

    def _write_files(self, plans: Sequence[Plan]) -> dict[str, str]:
        """Write the new bytes, and the person's own, into the transaction's folder and into git.

        Returns the name of each new file by kit path.
        """
        file_mode, _ = new_modes(self.kit)
        wanted = [
            (plan, data, blob)
            for plan in plans
            for data, blob in ((plan.new, plan.new_id), (plan.old if plan.by_hand else None, plan.old_id))
            if data is not None and blob is not None
        ]
        at_once = len(wanted) >= MANY and hasattr(os, "sync")
        names: dict[str, str] = {}
        for number, (plan, data, _) in enumerate(wanted):
            file = self.folder / str(number)
            write_new(file, data, file_mode, sync=not at_once)
            if data is plan.new:
                names[plan.path] = file.name
                if plan.old is not None:
                    file.chmod(stat.S_IMODE((self.kit / plan.path).stat().st_mode))
        inside = f"{self.repo.prefix}{self.folder.relative_to(self.kit).as_posix()}/"
        listed = b"".join(_quoted(os.fsencode(f"{inside}{number}")) for number in range(len(wanted)))
        if wanted:
            settings = ("-c", "core.fsync=none") if at_once else ()
            stored = self.git(*settings, "hash-object", "-w", "--no-filters", "--stdin-paths", input=listed)
            if stored.decode("ascii").split() != [blob for _, _, blob in wanted]:
                message = "git stored other bytes than it was given; nothing was changed."
                raise StateError(message, hint="check the disk, then run the command again")
        if at_once:
            os.sync()
        return names

    def _tree(self, index: Path, entries: Mapping[str, Staged | None]) -> str:
        update_entries(self.repo, self.git, index, entries)
        return self.git("write-tree", env={"GIT_INDEX_FILE": str(index)}).decode("ascii").strip()

    def _commit(self, change: Change, tree: str, parent: str | None) -> str:
        onto = () if parent is None else ("-p", parent)
        message = render_message(change).encode()
        made = self.git("commit-tree", tree, *onto, input=message, env=self._signature())
        return made.decode("ascii").strip()

    def _signature(self) -> dict[str, str]:
        name, mail = self.identity
        moment = self.when.astimezone() if self.when.tzinfo is None else self.when
        date = f"@{int(moment.timestamp())} {moment.strftime('%z')[:5]}"
        return {
            f"GIT_{who}_{what}": value
            for who in ("AUTHOR", "COMMITTER")
            for what, value in (("NAME", name), ("EMAIL", mail), ("DATE", date))
        }

    # -- the commit point ---------------------------------------------------------------------

    def _move_branch(self, intent: Intent) -> bool:
        """Let the branch name the new commit if it is still at the base; whether it does."""
        if self.repo.branch() != intent.branch:
            return False
        base = intent.base or "0" * len(intent.new)
        try:
            self.git(
                *("update-ref", "-m", f"reel: {self.change.subject}", intent.branch, intent.new, base),
                env=self._signature(),
            )
        except StateError:
            if self.repo.head() == intent.base:
                raise
            return self.repo.head() == intent.new
        return True


def _quoted(path: bytes) -> bytes:
    """A path as one line of git's input, whatever is in it."""
    for plain, escaped in ((b"\\", b"\\\\"), (b'"', b'\\"'), (b"\n", b"\\n")):
        path = path.replace(plain, escaped)
    return b'"' + path + b'"\n'


def _empty_tree(repo: Repository) -> str:
    """The id of the tree without files, which every repository knows."""
    return hashlib.new("sha256" if repo.sha256 else "sha1", b"tree 0\0", usedforsecurity=False).hexdigest()


@contextmanager
def _unbroken() -> Iterator[None]:
    """Hold Ctrl-C and its like back until the commit and its files are both there."""
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
