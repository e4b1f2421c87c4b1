"""A merge under way: what its sides are, and its end as one commit with both of them as parents."""

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from reel_cli.core.change.chain import render_signature
from reel_cli.core.change.preflight import check_place, require_branch
from reel_cli.core.change.recovery import discard, recover_locked
from reel_cli.core.errors import StateError
from reel_cli.core.files.commit_message import render_message
from reel_cli.core.files.private import (
    OWNER_FILE,
    OWNER_FOLDER,
    new_modes,
    read_plain,
    storage_problem,
    sync_folder,
    write_new,
)
from reel_cli.core.files.tree import WorkTree
from reel_cli.core.git.commit_tree import CommitTree
from reel_cli.core.git.index import NEXT, copy_index, update_entries
from reel_cli.core.git.intent import FILE_MODES, StagedEntry, check_path, transaction_folder
from reel_cli.core.git.lock import hold_lock
from reel_cli.core.git.process import Git, git_process
from reel_cli.core.git.repository import Repository, is_commit_id
from reel_cli.core.git.storage.objects import NewObjects
from reel_cli.core.kit.snapshot import WORKING
from reel_cli.core.values.change import Change

MERGE_HEAD = "MERGE_HEAD"
MARKS = (b"<<<<<<< ", b"=======", b">>>>>>> ")
SETTLE = "reel doctor --fix"
"""Command that ends a merge in progress."""
GIVES_BACK = "git checkout -m -- {path}  brings the conflict back; then  reel doctor --fix"


@dataclass(frozen=True, slots=True)
class MergeUnderWay:
    """The commits that are to be one; `base` is where they parted (None: they have nothing in common)."""

    ours: str
    theirs: str
    base: str | None


def is_merging(repo: Repository) -> bool:
    """Return whether a merge is under way; one look at the disk."""
    return os.path.lexists(repo.git_dir / MERGE_HEAD)


def is_half_done(repo: Repository) -> bool:
    """Return whether a merge or rebase is under way, so that files on disk may be neither side's."""
    return any(os.path.lexists(repo.git_dir / mark) for mark in (MERGE_HEAD, "rebase-merge", "rebase-apply"))


def last_merge(repo: Repository) -> MergeUnderWay | None:
    """Return the two sides that the last commit joined; None if it is no merge of two."""
    head = repo.head()
    if head is None:
        return None
    told = Git(repo.root)("rev-list", "--parents", "-n", "1", head, "--").decode("ascii").split()
    if len(told) != 3:
        return None
    base = git_process(repo.root, "merge-base", told[1], told[2]).stdout.decode("ascii").split()
    return MergeUnderWay(told[1], told[2], base[0] if base else None)


def find_merge(repo: Repository) -> MergeUnderWay | None:
    """Return the merge under way; None if there is none, or it is committed already.

    What a stopped mend left of a merge that is committed is put away. Raises StateError for one of more
    than two sides.
    """
    try:
        lines = read_plain(repo.git_dir / MERGE_HEAD).decode("ascii", "replace").split()
    except OSError:
        return None
    head = repo.head()
    if head is None or len(lines) != 1 or not is_commit_id(lines[0]):
        message = "A merge of more than two sides is under way; reel joins two."
        raise StateError(message, hint="git merge --abort  then  git merge  one after the other")
    if git_process(repo.root, "merge-base", "--is-ancestor", lines[0], head).returncode == 0:
        Git(repo.root)("merge", "--quit")
        return None
    told = git_process(repo.root, "merge-base", head, lines[0]).stdout.decode("ascii", "replace").split()
    return MergeUnderWay(head, lines[0], told[0] if told else None)


def require_mergeable(repo: Repository, merge: MergeUnderWay) -> None:
    """Raise StateError unless everything needed for a merge is available."""
    if merge.base is None and (repo.common_dir / "shallow").exists():
        message = "This clone does not hold the older commits, so reel cannot see what is new on each side."
        raise StateError(message, hint="git fetch --unshallow  then  reel doctor --fix")


def in_conflict(repo: Repository) -> frozenset[str]:
    """Return the repository's paths that git could not merge and nobody has resolved since."""
    listed = Git(repo.root)("ls-files", "-u", "-z")
    return frozenset(os.fsdecode(line.partition(b"\t")[2]) for line in listed.split(b"\0") if line)


def conclude(  # noqa: PLR0913 (a commit has an author, a time and a reason)
    repo: Repository,
    kit: Path,
    merge: MergeUnderWay,
    files: Mapping[str, bytes | None],
    yours: Sequence[str],
    change: Change,
    *,
    when: datetime,
    identity: tuple[str, str],
    unbroken: Callable[[], AbstractContextManager[None]],
    waiting: Callable[[], None] | None = None,
) -> str:
    """Make these files and what git has merged elsewhere one commit with both sides as parents; return it.

    `files` is every path of the kit in which the sides differ; `yours` are those that only a person can
    settle, and must have. A stopped run leaves the merge under way, to be settled by the next. Raises
    StateError, with nothing changed, while something is in the way.
    """
    kit = kit.absolute()
    for path in files:
        check_path(path)
    try:
        with hold_lock(kit, waiting=waiting) as lock:
            git = Git(repo.root, (lock,))
            recover_locked(repo, kit, git)
            if find_merge(repo) != merge:
                message = "The merge changed meanwhile; nothing was changed."
                raise StateError(message, hint=f"look again:  {SETTLE}")
            task = _Task(repo, kit, git, merge, files, yours)
            folder = transaction_folder(kit)
            folder.mkdir(mode=OWNER_FOLDER)
            try:
                made = task.build(folder, change, render_signature(identity, when))
                with unbroken():
                    task.put(folder, made, change.subject)
            finally:
                discard(folder)
            return made
    except OSError as error:
        raise storage_problem(error) from error


class _Task:
    """The end of one merge."""

    def __init__(  # noqa: PLR0913 (what it works on)
        self,
        repo: Repository,
        kit: Path,
        git: Git,
        merge: MergeUnderWay,
        files: Mapping[str, bytes | None],
        yours: Sequence[str],
    ) -> None:
        self.repo, self.kit, self.git, self.merge = repo, kit, git, merge
        self.branch = require_branch(repo, merging=True)
        self.tree = WorkTree(kit)
        self.open = in_conflict(repo)
        self.files = dict(files)
        self._require_settled(yours)
        self.sides = [CommitTree(repo, side) for side in (merge.ours, merge.theirs)]
        self._close_the_rest()
        settled = git("ls-files", "--resolve-undo", "-z").split(b"\0")
        self.by_hand = {os.fsdecode(line.partition(b"\t")[2]) for line in settled if line}
        self.disk = {path: self._look(path) for path in self.files}

    def _require_settled(self, yours: Sequence[str]) -> None:
        outside = sorted(path for path in self.open if not path.startswith(self.repo.prefix))
        if outside:
            message = f"{outside[0]} is in conflict too, and is not part of the kit; nothing was changed."
            raise StateError(message, hint=f"settle it,  git add  it, then  {SETTLE}")
        waiting = [path for path in yours if self.repo.prefix + path in self.open]
        if waiting:
            more = f", and {len(waiting) - 1:,} more," if len(waiting) > 1 else ""
            message = (
                f"{waiting[0]}{more} was changed on both machines; only you can decide which text is right."
            )
            raise StateError(message, hint=f"write the right text, then  git add {waiting[0]}  and  {SETTLE}")

    def _close_the_rest(self) -> None:
        """Settle what git holds to be in conflict although both sides have the same, or neither has it."""
        for path in sorted(self.open):
            inside = path[len(self.repo.prefix) :]
            if inside not in self.files:
                self.files[inside] = self.sides[0].read(inside)

    def _look(self, path: str) -> bytes | None:
        """Return the file on disk; raises StateError if a person's own text in it would be lost."""
        check_place(self.kit, path)
        now = self.tree.read(path)
        wanted = self.files[path]
        there = self.repo.prefix + path
        blob = None if now is None else self.repo.blob_id(now)
        if now == wanted or blob in [side.ids.get(path) for side in self.sides] or now is None:
            return now
        if there in self.open and all(mark in now for mark in MARKS):
            return now
        if path == WORKING:
            # edits that a person made during the join hold
            self.files[path] = now
            return now
        if there not in self.open and there not in self.by_hand and self._merged_by_git(there, blob):
            return now
        message = f"{path} was edited since the merge began; nothing was changed."
        raise StateError(message, hint=GIVES_BACK.format(path=path))

    def _merged_by_git(self, path: str, blob: str | None) -> bool:
        told = self.git("ls-files", "-s", "-z", "--", path).split(b"\0")[0]
        return blob is not None and told.split(b"\t")[0].split()[1:2] == [blob.encode("ascii")]

    # -- the commit, unseen -------------------------------------------------------------------

    def build(self, folder: Path, change: Change, signature: str) -> str:
        """Make the commit where nothing names it yet."""
        objects = NewObjects(self.repo)
        for data in self.files.values():
            if data is not None:
                objects.add("blob", data)
        with (folder / "objects").open("x+b") as scratch:
            objects.write(self.git, scratch)
        prepared = folder / NEXT
        copy_index(self.repo.index, prepared)
        update_entries(self.repo, self.git, prepared, self._entries())
        env = {"GIT_INDEX_FILE": str(prepared)}
        tree = self.git("write-tree", env=env).decode("ascii").strip()
        name, _, rest = signature.partition(" <")
        mail, _, date = rest.partition("> ")
        who = {"NAME": name, "EMAIL": mail, "DATE": f"@{date}"}
        made = self.git(
            *("commit-tree", tree, "-p", self.merge.ours, "-p", self.merge.theirs, "-F", "-"),
            input=render_message(change).encode("utf-8"),
            env={
                f"GIT_{role}_{key}": value for role in ("AUTHOR", "COMMITTER") for key, value in who.items()
            },
        )
        return made.decode("ascii").strip()

    def _entries(self) -> dict[str, StagedEntry | None]:
        return {
            self.repo.prefix + path: None
            if data is None
            else StagedEntry(FILE_MODES[0], self.repo.blob_id(data))
            for path, data in self.files.items()
        }

    # -- and in its place ---------------------------------------------------------------------

    def put(self, folder: Path, commit: str, subject: str) -> None:
        """Write the files, then the index, then the branch, then git's own marks of the merge.

        In this order a stop on the way leaves a merge that can be settled anew.
        """
        changed: set[Path] = set()
        mode, folders = new_modes(self.kit)
        for number, (path, data) in enumerate(self.files.items()):
            if data == self.disk[path] or self.tree.read(path) == data:
                continue
            place = self.kit / path
            if data is None:
                place.unlink(missing_ok=True)
                changed.add(place.parent)
                continue
            for above in reversed([p for p in place.parents if not p.exists()]):
                above.mkdir(mode=folders, exist_ok=True)
            file = folder / str(number)
            write_new(file, data, mode if mode == OWNER_FILE else 0o666)
            file.replace(place)
            changed.add(place.parent)
        for one in changed:
            if one.is_dir():
                sync_folder(one)
        update_entries(self.repo, self.git, self.repo.index, self._entries())
        self.git("update-ref", "-m", f"reel: {subject}", self.branch, commit, self.merge.ours)
        self.git("merge", "--quit")
        git_process(self.repo.root, "update-index", "-q", "--refresh")
