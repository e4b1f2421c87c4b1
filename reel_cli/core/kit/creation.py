"""Creation of a kit's folder: nothing appears there until the whole kit does."""

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from contextlib import contextmanager, suppress
from datetime import datetime
from glob import escape
from pathlib import Path, PurePosixPath

from reel_cli.core.change.transaction import apply_change, recover
from reel_cli.core.errors import ReelError
from reel_cli.core.files.private import OWNER_FOLDER, storage_problem, write_private
from reel_cli.core.files.state import State
from reel_cli.core.frozen import frozen
from reel_cli.core.git.guard import install_guard, look_at_guard
from reel_cli.core.git.process import git_process, run_git
from reel_cli.core.git.repository import Repository, find_repository, init_repository
from reel_cli.core.resources import read_kit_schema
from reel_cli.core.shell import quote_path
from reel_cli.core.values.change import AppliedChange, Change

SCHEMA = ".reel/kit.schema.json"
"""The kit's own copy of the schema for kit.yaml, which editors find by the file's first line."""

BEGINNINGS = frozenset({".git", ".reel"})
"""Names that a stopped `init` may have left in a folder that existed before it."""

DESKTOP = frozenset({".DS_Store", "desktop.ini", "Thumbs.db"})
"""Names that a file manager leaves in a folder that its owner sees as empty."""

CLOUDS = {
    "dropbox": "Dropbox",
    "onedrive": "OneDrive",
    "google drive": "Google Drive",
    "googledrive": "Google Drive",
    "icloud": "iCloud",
    "mobile documents": "iCloud",
    "com~apple~clouddocs": "iCloud",
}
"""Beginnings, in lower case, of the names of folders that a cloud service syncs, and the service's name."""


@frozen
class Place:
    """The place of a new kit; `repository` is the one around it, None if the kit gets its own."""

    folder: Path
    repository: Repository | None

    @property
    def enclosed(self) -> bool:
        """Return whether the kit will be part of a repository that holds more."""
        return self.repository is not None and bool(self.repository.prefix)


def find_place(folder: Path, typed: str = "") -> Place:
    """Look at where a kit is wanted; nothing is made. `typed` are the options beside it, for the hint.

    Raises ReelError where something is there already, or where it would lie inside another kit.
    """
    real = Path(os.path.realpath(folder))
    there = next(place for place in (real, *real.parents) if os.path.lexists(place))
    if not there.is_dir():
        message = f"{there.name} is a file, so no kit is made there."
        raise ReelError(message, hint="choose a name that is not taken")
    try:
        held = {entry.name for entry in real.iterdir()} if there == real else set()
    except OSError as error:
        raise storage_problem(error, str(folder)) from error
    if held - BEGINNINGS - DESKTOP:
        message = f"{folder} is not empty, so no kit is made in it."
        raise ReelError(message, hint="choose a new name, or an empty folder")
    around = next((p for p in real.parents if (p / "kit.yaml").is_file()), None)
    if around is not None:
        message = f"{folder} would lie inside another kit, {around.name}."
        beside = around.parent / real.name
        if os.path.lexists(beside):
            raise ReelError(message, hint=f"for another kit, choose a new name outside {around.name}")
        raise ReelError(message, hint=f"make it beside that one:  reel init {quote_path(beside)}{typed}")
    repository = find_repository(real)
    if repository is not None and repository.prefix and _ignored(repository, real):
        repository = None
    if repository is not None and not repository.prefix and repository.head() is not None:
        message = f"{folder} has a history already, so no kit is made in it."
        raise ReelError(message, hint="choose a new name, or an empty folder")
    return Place(real, repository)


def finish_stopped(folder: Path) -> bool:
    """Finish a kit whose making was stopped after the point of no return; False where there is none."""
    real = Path(os.path.realpath(folder))
    if not State(real).has_intent():
        return False
    repository = find_repository(real)
    if repository is not None:
        recover(repository, real)
    return (real / "kit.yaml").is_file()


def warnings(place: Place, shown: str) -> Sequence[str]:
    """Return warnings about others who may see what the kit will hold, one line each."""
    found: list[str] = []
    cloud = next(
        (
            name
            for part in place.folder.parts
            for sign, name in CLOUDS.items()
            if part.lower().startswith(sign)
        ),
        None,
    )
    if cloud is not None:
        found.append(f"{shown} lies in {cloud}: what is said to it will be copied to that company's servers.")
    if place.repository is not None and place.enclosed:
        found.append(
            f"{shown} lies inside the repository {place.repository.root}, whose readers will see all of it; "
            f"reel commits there, and only what is under {place.repository.prefix.rstrip('/')}/."
        )
    if place.repository is not None and (remotes := _remotes(place.repository)):
        found.append(f"That repository has a remote ({', '.join(remotes)}): a push takes what is said along.")
    return found


def _remotes(repository: Repository) -> Sequence[str]:
    """Return the names of the remotes that can be pushed to: a backup that was cloned is a file, and none."""
    names = run_git(repository.root, "remote").decode("utf-8", "replace").split()
    urls = {
        name: run_git(repository.root, "remote", "get-url", name).decode("utf-8", "replace") for name in names
    }
    return [name for name in names if not (repository.root / urls[name].strip()).is_file()]


def unguarded(folder: Path) -> Sequence[str]:
    """Return a line that says why the guard is missing in a kit's own repository; else none."""
    made = find_repository(folder)
    if made is None or made.prefix or look_at_guard(made).on:
        return ()
    return (("git runs other hooks there, so the guard of the past was not put in; reel doctor  says how."),)


def create_kit(place: Place, change: Change, *, when: datetime, identity: tuple[str, str]) -> AppliedChange:
    """Make the folder, its repository where it needs one, and the first commit; or leave no trace.

    `when` has a zone; `identity` is the (name, mail) on the commit. Raises whatever kept the change
    from being applied.
    """
    if place.repository is None and not os.path.lexists(place.folder):
        with _parents(place.folder.parent):
            return _create_aside(place.folder, change, when, identity)
    with _parents(place.folder):
        return _create_there(place, change, when, identity)


def _create_aside(folder: Path, change: Change, when: datetime, identity: tuple[str, str]) -> AppliedChange:
    """Make the whole kit beside its place, then give it its name in one step."""
    begins = f".{folder.name}.reel-init-"
    for left in folder.parent.glob(f"{escape(begins)}*"):
        with _claimed(left) as ours:
            if ours:
                # the process that began it is gone
                shutil.rmtree(left, ignore_errors=True)
    aside = Path(tempfile.mkdtemp(dir=folder.parent, prefix=begins))
    with _claimed(aside):
        return _create_named(aside, folder, change, when, identity)


def _create_named(
    aside: Path, folder: Path, change: Change, when: datetime, identity: tuple[str, str]
) -> AppliedChange:
    try:
        applied = _apply(init_repository(aside), aside, change, when, identity)
        aside.rename(folder)
    except BaseException:
        shutil.rmtree(aside, ignore_errors=True)
        raise
    return applied


@contextmanager
def _claimed(folder: Path) -> Iterator[bool]:
    """Keep a folder for this process as long as it lives; False where that cannot be had."""
    if sys.platform == "win32":
        yield False
        return
    import fcntl

    descriptor = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            ours = True
        except OSError:
            ours = False
        yield ours
    finally:
        os.close(descriptor)


def _create_there(place: Place, change: Change, when: datetime, identity: tuple[str, str]) -> AppliedChange:
    """Make the kit in a folder that is there already, or in one that a repository will hold."""
    folder = place.folder
    mode = folder.stat().st_mode
    with suppress(PermissionError):
        folder.chmod(OWNER_FOLDER)
    before = place.repository.head() if place.repository is not None else None
    try:
        repository = place.repository or init_repository(folder)
        return _apply(repository, folder, change, when, identity)
    except BaseException:
        if place.repository is not None and place.repository.head() != before:
            # the commit is made; the next command finishes the rest
            raise
        _take_back(folder, change, {".reel"} if place.repository is not None else BEGINNINGS)
        with suppress(OSError):
            folder.chmod(mode)
        raise


def _take_back(folder: Path, change: Change, begun: AbstractSet[str]) -> None:
    """Remove what was made in a folder, and nothing that somebody else has put there since."""
    for path in change.writes:
        (folder / path).unlink(missing_ok=True)
    parents = {parent for path in change.writes for parent in PurePosixPath(path).parents}
    for parent in sorted(parents - {PurePosixPath()}, reverse=True):
        with suppress(OSError):
            (folder / parent).rmdir()
    for name in begun:
        shutil.rmtree(folder / name, ignore_errors=True)


def _apply(
    repository: Repository, folder: Path, change: Change, when: datetime, identity: tuple[str, str]
) -> AppliedChange:
    nothing = dict.fromkeys(change.writes)
    applied = apply_change(repository, folder, change, nothing, when=when, identity=identity)
    write_private(folder / SCHEMA, read_kit_schema())
    if not repository.prefix:
        # the hook guards against mistakes, and a kit without it is whole
        with suppress(ReelError):
            install_guard(repository, beside=False)
    return applied


@contextmanager
def _parents(folder: Path) -> Iterator[None]:
    """Make a folder and those above it that are missing; take them away again if it goes wrong."""
    missing = [place for place in (folder, *folder.parents) if not os.path.lexists(place)]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        yield
    except BaseException:
        for place in missing:
            with suppress(OSError):
                place.rmdir()
        raise


def _ignored(repository: Repository, folder: Path) -> bool:
    """Return whether the repository around a folder ignores it."""
    # check-ignore refuses literal pathspecs, but takes its paths literally anyway
    plain = {"GIT_LITERAL_PATHSPECS": "0"}
    asked = git_process(repository.root, "check-ignore", "-q", "--", str(folder), env=plain)
    return asked.returncode == 0
