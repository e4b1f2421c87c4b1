"""Conditions that a change must meet before it is committed, and the planned state of each of its files."""

import os
import stat
from collections.abc import Container, Iterator, Mapping, Sequence
from pathlib import Path

from reel_cli.core.errors import StateError
from reel_cli.core.files.kit_files import name_missing, restore_command
from reel_cli.core.files.tree import WorkTree
from reel_cli.core.frozen import frozen
from reel_cli.core.git.git_folder import borrowed_objects
from reel_cli.core.git.index import StagedChange
from reel_cli.core.git.intent import FILE_MODES, StagedEntry
from reel_cli.core.git.repository import Repository
from reel_cli.core.shell import quote
from reel_cli.core.values.change import Change

_REBASE = "git rebase --abort  then  git pull --no-rebase"
"""Way out of a rebase: continuing one, each session that two machines named the same must be settled by
hand."""
UNDER_WAY = {
    "MERGE_HEAD": ("A merge", "reel doctor --fix", "git merge --abort"),
    "rebase-merge": ("A rebase", _REBASE, _REBASE),
    "rebase-apply": ("A rebase", _REBASE, _REBASE),
    "CHERRY_PICK_HEAD": ("A cherry-pick", "git cherry-pick --continue", "git cherry-pick --abort"),
    "REVERT_HEAD": ("A revert", "git revert --continue", "git revert --abort"),
    "sequencer": ("A series of commits", "git cherry-pick --continue", "git cherry-pick --abort"),
    "BISECT_LOG": ("A bisection", "git bisect reset", "git bisect reset"),
}
"""Files git keeps in its directory during an unfinished operation: its name, how to finish it, how to
abort it."""


@frozen
class Plan:
    """One target: its bytes on the disk and as they shall be, and what history and index have.

    `mode` is git's mode for it in the commit.
    """

    path: str
    old: bytes | None
    new: bytes | None
    old_id: str | None
    new_id: str | None
    committed: StagedEntry | None
    staged: StagedEntry | None
    mode: str

    @property
    def by_hand(self) -> bool:
        """Return whether the disk holds a text of the person's that neither history nor the change holds."""
        return self.old is not None and self.old_id not in (_blob(self.committed), self.new_id)

    @property
    def differs(self) -> bool:
        """Return whether the disk holds a text that history does not hold."""
        return self.old is not None and self.old_id != _blob(self.committed)

    @property
    def settled(self) -> bool:
        """Return whether disk and history already are as the change says."""
        return self.old_id == _blob(self.committed) == self.new_id

    def entry(self, blob: str | None) -> StagedEntry | None:
        """Return the entry a commit has for this path with that blob."""
        return StagedEntry(self.mode, blob) if blob else None


def require_branch(repo: Repository, *, merging: bool = False) -> str:
    """Return the branch to commit to; raises StateError if there is none, or something is half done.

    StateError too where another repository lends objects, for it may delete them.

    With `merging`, a merge under way is what it is about.
    """
    for mark, (what, finish_it, drop_it) in UNDER_WAY.items():
        if merging and mark == "MERGE_HEAD":
            continue
        if os.path.lexists(repo.git_dir / mark):
            message = f"{what} is under way in this repository; nothing was changed."
            ways = finish_it if finish_it == drop_it else f"{finish_it}  or  {drop_it}"
            raise StateError(message, hint=f"end it first:  {ways}")
    borrowed = borrowed_objects(repo.common_dir)
    if borrowed:
        list_file = quote(str(repo.common_dir / "objects" / "info" / "alternates"))
        message = f"Part of this kit's history lies outside it, in {borrowed[0]}; nothing was changed."
        raise StateError(message, hint=f"bring it in first:  git repack -a -d && rm {list_file}")
    branch = repo.branch()
    if branch is None or not branch.startswith("refs/heads/"):
        message = "This repository is not on a branch; nothing was changed."
        raise StateError(message, hint="go back to one, for example  git switch main")
    return branch


class ChangedError(StateError):
    """A file is not as the operation read it; `path` says which."""

    def __init__(self, path: str, happened: str) -> None:
        """Refuse for one file; `happened` says what it was: edited, deleted, or that it appeared."""
        super().__init__(
            f"{path} {happened} meanwhile; nothing was changed.",
            hint="look at it, then run the command again",
        )
        self.path = path


def check_unchanged(kit: Path, changes: Sequence[Change], snapshot: Mapping[str, bytes | None]) -> None:
    """Compare the disk with what the operations read; ChangedError naming the first difference.

    What an earlier change writes is what a later one must have read.
    """
    tree = WorkTree(kit)
    planned: dict[str, bytes | None] = {}
    for change in changes:
        for path in change.writes:
            check_place(kit, path)
        for path in (*change.writes, *change.reads):
            if path in planned and path not in change.reads:
                continue
            now = planned[path] if path in planned else tree.read(path)
            for data in _read_as(change, planned if path in planned else snapshot, path):
                if now != data:
                    happened = "appeared" if data is None else "was deleted" if now is None else "was edited"
                    raise ChangedError(path, happened)
        planned |= change.writes


def _read_as(change: Change, known: Mapping[str, bytes | None], path: str) -> Iterator[bytes | None]:
    """Yield the contents that the operation assumed for this path."""
    if path in change.writes:
        yield known.get(path)
    if path in change.reads:
        yield change.reads[path]


def plan_targets(  # noqa: PLR0913 (what a target is decided on)
    repo: Repository,
    kit: Path,
    change: Change,
    found: Mapping[str, bytes | None],
    committed: Mapping[str, StagedEntry | None],
    staged: Mapping[str, StagedChange],
    planned: Container[str] = (),
) -> list[Plan]:
    """Return a plan for each target, with its states in history and index.

    `found` is what each holds before the change; at those in `planned` an earlier change has put
    it, in history and index too. Raises StateError for one that is half staged, or is the tape's
    and was changed by hand.
    """
    plans: list[Plan] = []
    for path, new in change.writes.items():
        in_history = committed.get(path)
        differs = None if path in planned else staged.get(repo.prefix + path)
        entry = differs.staged if differs else in_history
        if any(held is not None and held.mode not in FILE_MODES for held in (in_history, entry)):
            message = f"{path} is a link or a folder in git, not a file; nothing was changed."
            raise StateError(message, hint="put a file of that name in its place, and commit that")
        known = in_history or entry
        old = found.get(path)
        fresh = FILE_MODES[0] if path in planned else _mode_on_disk(kit / path)
        plan = Plan(
            path=path,
            old=old,
            new=new,
            old_id=None if old is None else repo.blob_id(old),
            new_id=None if new is None else repo.blob_id(new),
            committed=in_history,
            staged=entry,
            mode=known.mode if known else fresh,
        )
        lost = old is None and in_history is not None and path not in planned
        if lost and plan.new_id not in (None, _blob(in_history)):
            # the deletion is not part of this change, unless the change deletes the file itself
            raise missing_problem([path])
        if path.startswith("tape/") and in_history is not None and plan.by_hand:
            message = f"{path} was changed by hand, and the tape only ever grows; nothing was changed."
            raise StateError(message, hint=f"to bring the recorded text back:  reel restore {quote(path)}")
        if _blob(entry) not in (_blob(in_history), plan.old_id):
            message = f"{path} is half staged: git's index has a text of its own; nothing was changed."
            raise StateError(
                message,
                hint=f"stage all of it ( git add {path} ) or none ( git restore --staged {path} )",
            )
        plans.append(plan)
    return plans


def missing_problem(paths: Sequence[str], outcome: str = "nothing was changed") -> StateError:
    """Return the error for missing files: which, the outcome for the command, and how to bring them back."""
    them = "it" if len(paths) == 1 else "them"
    message = f"{name_missing(paths)}; {outcome}."
    return StateError(message, hint=f"bring {them} back:  {restore_command(paths)}")


def check_place(kit: Path, path: str) -> None:
    """Refuse a target that is reached through a link, is no plain file, or may not be written."""
    here = kit
    *folders, name = path.split("/")
    for part in folders:
        below = here / part
        if not os.path.lexists(below):
            break
        if below.is_symlink() or not below.is_dir():
            message = f"{below.relative_to(kit).as_posix()} is not a plain folder; nothing was changed."
            raise StateError(message, hint="put a real folder in its place")
        here = below
    else:
        place = here / name
        if os.path.lexists(place) and (place.is_symlink() or not place.is_file()):
            message = f"{path} is not a plain file; nothing was changed."
            raise StateError(message, hint="put a copy of the file in its place")
    if not os.access(here, os.W_OK | os.X_OK):
        message = f"{here.relative_to(kit.parent).as_posix()} cannot be written; nothing was changed."
        raise StateError(message, hint="check who owns the folder and may write there")


def _blob(entry: StagedEntry | None) -> str | None:
    return entry.blob if entry else None


def _mode_on_disk(place: Path) -> str:
    try:
        executable = place.stat().st_mode & stat.S_IXUSR
    except OSError:
        executable = 0
    return FILE_MODES[1] if executable and os.name != "nt" else FILE_MODES[0]
