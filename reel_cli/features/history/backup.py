"""Back up a kit: its whole history in one file, and when that was last done."""

import os
import shutil
import subprocess
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from reel_cli.core.errors import ReelError, StateError
from reel_cli.core.files.private import OWNER_FILE, OWNER_FOLDER, state_folder, storage_problem, sync_folder
from reel_cli.core.files.state import State
from reel_cli.core.frozen import frozen
from reel_cli.core.git.git_folder import check_for_git
from reel_cli.core.git.process import git_environment, git_options, git_problem, run_git, start_problem
from reel_cli.core.git.repository import Repository
from reel_cli.core.kit.hand_edits import list_uncommitted
from reel_cli.core.moment import days_since, moment, stamp
from reel_cli.core.rings.losses import is_shallow, shallow_problem
from reel_cli.core.shell import quote_path

PROOF = "backup-check"


def write_bundle(repo: Repository, kit: Path, target: Path, *, replace: bool) -> int:
    """Write the whole history (every branch and tag) to a file only its owner can read; its size in bytes.

    It is read back into an empty repository and walked through before it has its name, so that what lies
    there is whole. Raises ReelError where the file is there already (unless `replace`) or is no place
    for a backup, StateError where git cannot make one.
    """
    head = repo.head()
    if head is None:
        message = "There is nothing to back up yet."
        raise ReelError(message, hint="record a chat first:  reel record FILE")
    if is_shallow(repo):
        raise shallow_problem()
    _check_target(kit, target, replace=replace)
    fresh = target.with_name(f".{target.name[:80]}.{os.getpid()}-{os.urandom(4).hex()}.new")
    try:
        _create(repo, fresh)
        _prove(repo, kit, fresh, head)
        size = fresh.stat().st_size
        if replace:
            fresh.replace(target)
        else:
            _name(fresh, target)
        sync_folder(target.parent)
    except OSError as error:
        # the target may be the kit, where the backup is checked, rather than the place it was to go to
        place = Path(error.filename or target).parent
        raise storage_problem(error, str(place)) from error
    finally:
        fresh.unlink(missing_ok=True)
    return size


def _check_target(kit: Path, target: Path, *, replace: bool) -> None:
    folder = target.parent
    if not folder.is_dir():
        message = f"There is no folder {folder}."
        raise ReelError(message, hint=f"make it:  mkdir -p {folder}")
    if (target if target.is_dir() else folder).resolve().is_relative_to(kit.resolve()):
        message = f"{target.name} would be inside the kit, and be lost with it."
        raise ReelError(message, hint="name a file elsewhere, best on another disk")
    if target.is_dir():
        message = f"{target} is a folder."
        file = quote_path(target / f"{kit.resolve().name}.bundle")
        raise ReelError(message, hint=f"name the file:  reel backup {file}")
    if os.path.lexists(target):
        if not replace:
            message = f"{target} is there already."
            raise ReelError(message, hint="name a new file, or replace that one with  --force")
        if target.is_symlink() or not target.is_file():
            message = f"{target} is not a plain file, so it is not replaced."
            raise ReelError(message, hint="name a new file")


def _create(repo: Repository, fresh: Path) -> None:
    """Run git to write the bundle into a file that only its owner can access from the first byte."""
    check_for_git(repo.root)
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    with os.fdopen(os.open(fresh, flags, OWNER_FILE), "wb") as file:
        try:
            done = subprocess.run(
                ["git", *git_options(), "bundle", "create", "-q", "-", "HEAD", "--branches", "--tags"],
                cwd=repo.root,
                stdout=file,
                stderr=subprocess.PIPE,
                stdin=subprocess.DEVNULL,
                env=git_environment(),
                check=False,
            )
        except OSError as error:
            raise start_problem(error, repo.root) from None
        if done.returncode:
            raise git_problem(
                done.stderr.decode("utf-8", "replace"), "bundle", repo.root, status=done.returncode
            )
        os.fsync(file.fileno())


def _prove(repo: Repository, kit: Path, fresh: Path, head: str) -> None:
    """Read the bundle into an empty repository and walk all that its commits name."""
    proof = state_folder(kit) / PROOF
    shutil.rmtree(proof, ignore_errors=True)
    try:
        proof.mkdir(mode=OWNER_FOLDER)
        form = ["--object-format=sha256"] if repo.sha256 else []
        # not a bare repository, which git refuses under a person's safe.bareRepository=explicit
        run_git(proof, "init", "-q", "--template=", *form, "-b", "main", ".")
        listed = run_git(proof, "bundle", "unbundle", str(fresh.absolute())).decode("utf-8", "replace")
        tips = sorted({line.split(" ", 1)[0] for line in listed.splitlines()})
        run_git(proof, "rev-list", "--objects", "--quiet", "--stdin", input="\n".join(tips).encode())
        if head not in tips:
            message = "The kit changed while it was backed up, so the backup was not kept."
            raise StateError(message, hint="run it again when nothing else works on the kit")
    finally:
        shutil.rmtree(proof, ignore_errors=True)


def _name(fresh: Path, target: Path) -> None:
    """Rename it to its name, unless something took that name meanwhile."""
    try:
        os.link(fresh, target)
    except FileExistsError:
        message = f"{target} is there already."
        raise ReelError(message, hint="name a new file, or replace that one with  --force") from None
    except OSError:
        # a disk without hard links, such as a USB stick
        if os.path.lexists(target):
            raise
        fresh.rename(target)


@frozen
class BackedUp:
    """A backup that was made: its size in bytes, the commit it goes up to, and what no commit holds."""

    file: Path
    size: int
    commit: str
    uncommitted: Sequence[str]


def back_up(  # noqa: PLR0913 (one file, and all that is known of it)
    repo: Repository, kit: Path, state: State, file: Path, *, replace: bool, now: datetime
) -> BackedUp:
    """Write the backup and remember it; ReelError or StateError where it cannot be made."""
    target = file.absolute()
    commit = repo.head() or ""
    size = write_bundle(repo, kit, target, replace=replace)
    state.save_backup(stamp(now), str(target), commit)
    state.note_written(target)
    return BackedUp(target, size, commit, list(list_uncommitted(repo)))


@frozen
class Backup:
    """The last backup: when (ISO 8601), where to, how many days ago, and whether all is in it since.

    `days` is None where it is dated ahead of the clock.
    """

    at: str
    file: str
    days: int | None
    current: bool


def last_backup(state: State, repo: Repository | None, now: datetime) -> Backup | None:
    """Return the last backup; None if there was none."""
    known = state.last_backup()
    if known is None:
        return None
    days = days_since(moment(known["at"]), now)
    current = repo is not None and repo.head() == known["commit"]
    return Backup(known["at"], known["file"], days, current)
