"""A rewritten history takes the old one's place: before, or after, and never between.

The new objects are laid beside the old ones, where they do no harm. What is to be done is written down, and
then the branch that is checked out moves: until then all of it is discarded, from then on it is finished, by
the next command if need be. Last of all the old objects are deleted, and everything in `.reel`.
"""

import json
import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from reel_cli.core.errors import ReelError, StateError
from reel_cli.core.files.private import (
    MARK,
    is_own,
    new_modes,
    read_json,
    read_plain,
    storage_problem,
    sync_folder,
    write_new,
    write_private,
)
from reel_cli.core.files.tree import WorkTree
from reel_cli.core.git.index import (
    NEXT,
    Swap,
    digest,
    drop_own_index_lock,
    lock_of,
    sync_file,
    take_place,
    without_filters,
)
from reel_cli.core.git.intent import FILE_MODES, check_path
from reel_cli.core.git.lock import hold_lock
from reel_cli.core.git.process import AS_IT_IS, Git, git_process, lock_problem
from reel_cli.core.git.refs import forget_unmade_move, is_ancestor, read_tip
from reel_cli.core.git.repository import Repository, is_commit_id
from reel_cli.core.resources import read_kit_schema

FRESH = "fresh"
"""The new repository's folder."""
LOOSE = "loose"
"""The folder of files that are in no history, by the ID of what they are to be."""
PLAN = "plan.json"
LAID = "laid.json"
"""The names of the packs that this purge lays beside the old ones, written before it does."""
VERSION = 1
STAYS = ("lock", "purge", MARK)
LEFTOVERS = (
    *("ORIG_HEAD", "FETCH_HEAD", "MERGE_HEAD", "MERGE_MSG", "MERGE_MODE", "SQUASH_MSG", "AUTO_MERGE"),
    *("COMMIT_EDITMSG", "TAG_EDITMSG", "NOTES_EDITMSG", "EDIT_DESCRIPTION"),
    *("gc.log", "logs", "rr-cache"),
)
"""Files of git beside its objects, names and index that may hold old ids or old words."""
OLD_OBJECTS = ("info/commit-graph", "info/commit-graphs", "pack/multi-pack-index")


@dataclass(frozen=True, slots=True)
class MovedName:
    """One of git's names: what it led to, and what it is to lead to; None for nothing."""

    ref: str
    old: str | None
    new: str | None


@dataclass(frozen=True, slots=True)
class MovedFile:
    """A file of the kit: its blob as it lies there, and as it is to be; None for no file."""

    path: str
    old: str | None
    new: str | None
    mode: str


@dataclass(frozen=True, slots=True)
class PurgeIntent:
    """The plan for when the branch is to lead to the new history."""

    branch: str
    base: str
    new: str
    names: tuple[MovedName, ...]
    files: tuple[MovedFile, ...]


@dataclass(frozen=True, slots=True)
class SwapResult:
    """The result of a purge that was begun: whether it is done, and files that were edited meanwhile."""

    done: bool
    kept: tuple[str, ...] = ()


def purge_folder(kit: Path) -> Path:
    """Return the folder of the purge; it exists only while something is unfinished."""
    return kit / ".reel" / "state" / "purge"


def recover_purge(repo: Repository, kit: Path) -> SwapResult:
    """Finish or discard a purge that was stopped; StateError where the disk does not let it be finished."""
    kit = kit.absolute()
    with hold_lock(kit) as lock:
        return recover_purge_locked(repo, kit, Git(repo.root, (lock,)))


def finish_stopped(repo: Repository, kit: Path) -> str:
    """Finish or discard a purge that was stopped, and return what became of it, in a sentence."""
    done = recover_purge(repo, kit).done
    return f"A purge that was stopped {'is finished now' if done else 'had changed nothing yet'}."


def recover_purge_locked(repo: Repository, kit: Path, git: Git) -> SwapResult:
    """Recover as `recover_purge` does; the caller holds the lock."""
    folder = purge_folder(kit)
    if folder.is_symlink() or not folder.is_dir():
        # anything but this folder is not a purge
        folder.unlink(missing_ok=True)
        return SwapResult(done=False)
    own = is_own(folder)
    if own:
        drop_own_index_lock(repo.index, folder)
    intent = _load(folder)
    if intent is None or not _holds(repo, intent):
        if intent is not None:
            forget_unmade_move(repo, git, intent.branch, intent.new)
        if own and (intent is not None or not (folder / PLAN).exists()):
            # beside a foreign plan they may be objects that the branch leads to
            _drop_packs(repo, folder)
        shutil.rmtree(folder, ignore_errors=True)
        return SwapResult(done=False)
    return finish_purge(repo, kit, git, intent)


def swap(repo: Repository, kit: Path, git: Git, intent: PurgeIntent) -> SwapResult:
    """Replace the old history with the rewritten one; raises StateError if the kit moved on."""
    folder = purge_folder(kit)
    try:
        _lay_objects(repo, folder)
        plan = {"version": VERSION, "folder": folder.stat().st_ino, **asdict(intent)}
        write_private(folder / PLAN, json.dumps(plan).encode("utf-8"))
        git("-c", "core.logAllRefUpdates=false", "update-ref", intent.branch, intent.new, intent.base)
    except (OSError, StateError):
        if repo.head() != intent.new:
            recover_purge_locked(repo, kit, git)
            raise
    return finish_purge(repo, kit, git, intent)


def finish_purge(repo: Repository, kit: Path, git: Git, intent: PurgeIntent) -> SwapResult:
    """Bring everything else after the branch: the other names, the files, the index; then delete what is old.

    Each step may have been done already. Raises StateError where the disk does not let it be done; the
    next command goes on with it.
    """
    try:
        # files first: no lock of git's can be in their way
        kept = tuple(_put_in_place(kit, git, repo, intent))
        _move_names(git, intent)
        _put_index(repo, git, purge_folder(kit))
        _drop_leftovers(repo)
        _drop_old_objects(repo, git)
        empty_private(kit)
        _drop_folder(purge_folder(kit))
        sync_folder(kit / ".reel" / "state")
    except (OSError, StateError) as error:
        problem = error if isinstance(error, StateError) else storage_problem(error)
        message = f"{problem.message} The purge has begun and is not finished."
        mend = f"{problem.hint or 'fix that'}; the next reel command finishes the purge"
        raise StateError(message, hint=mend) from error
    return SwapResult(done=True, kept=kept)


# -- beside the old -------------------------------------------------------------------------------


def _packs(folder: Path) -> Sequence[Path]:
    """Return the new repository's packs; each index last, since git finds a pack by it."""
    found = (folder / FRESH / ".git" / "objects" / "pack").glob("pack-*")
    return sorted(found, key=lambda path: (path.suffix == ".idx", path.name))


def _lay_objects(repo: Repository, folder: Path) -> None:
    place = repo.common_dir / "objects" / "pack"
    place.mkdir(exist_ok=True)
    missing = [pack.name for pack in _packs(folder) if not (place / pack.name).exists()]
    write_private(folder / LAID, json.dumps(missing).encode("utf-8"))
    for pack in _packs(folder):
        target = place / pack.name
        if not target.exists():
            fresh = place / f"tmp_reel_{pack.name}"
            fresh.unlink(missing_ok=True)
            shutil.copyfile(pack, fresh)
            with fresh.open("rb") as file:
                os.fsync(file.fileno())
            fresh.chmod(0o444)
            fresh.replace(target)
    sync_folder(place)


def _drop_packs(repo: Repository, folder: Path) -> None:
    """Remove the new packs again: an index first, so that git never knows half a pack.

    A pack that the repository had before may have the same name; only those that were noted are deleted.
    """
    place = repo.common_dir / "objects" / "pack"
    laid = read_json(folder / LAID)
    for pack in reversed(_packs(folder)):
        if isinstance(laid, list) and pack.name in laid:
            (place / pack.name).unlink(missing_ok=True)
    for begun in place.glob("tmp_reel_*"):
        begun.unlink(missing_ok=True)


# -- from the old to the new ----------------------------------------------------------------------


def _holds(repo: Repository, intent: PurgeIntent) -> bool:
    """Return whether the branch leads to the new history."""
    tip = read_tip(repo, intent.branch)
    if tip == intent.new:
        return True
    if tip is None or tip == intent.base:
        return False
    return is_ancestor(repo, intent.new, tip)


def _move_names(git: Git, intent: PurgeIntent) -> None:
    """Point every other name to its new object; leaves names that somebody moved since."""
    now = {
        ref: name
        for ref, _, name in (
            row.partition(" ")
            for row in git("for-each-ref", "--format=%(refname) %(objectname)", env=AS_IT_IS)
            .decode("utf-8", "surrogateescape")
            .split("\n")
        )
    }
    lines = []
    for one in intent.names:
        there = now.get(one.ref)
        if one.new is None and there is not None and there == one.old:
            lines.append(f"delete {one.ref}\n")
        elif one.new is not None and there != one.new and there in (one.old, None):
            lines.append(f"update {one.ref} {one.new}\n")
    # symbolic refs whose target is deleted, such as a remote's HEAD
    lines += [f"delete {ref}\n" for ref in now if ref.startswith("refs/remotes/") and ref.endswith("/HEAD")]
    if lines:
        stream = "option no-deref\n".join(["", *lines]).encode("utf-8", "surrogateescape")
        git("-c", "core.logAllRefUpdates=false", "update-ref", "--stdin", input=stream)


def _put_in_place(kit: Path, git: Git, repo: Repository, intent: PurgeIntent) -> Iterator[str]:
    """Write the kit's files' new bytes; yield those that were edited meanwhile and stay so."""
    tree = WorkTree(kit)
    file_mode, folder_mode = new_modes(kit)
    for file in intent.files:
        place = kit / file.path
        try:
            data = tree.read(file.path)
        except ReelError:
            yield file.path
            continue
        now = None if data is None else repo.blob_id(data)
        if now == file.new:
            continue
        if now != file.old:
            yield file.path
            continue
        if file.new is None:
            place.unlink()
            _drop_empty(kit, place.parent)
            continue
        place.parent.mkdir(mode=folder_mode, parents=True, exist_ok=True)
        fresh = purge_folder(kit) / "file"
        fresh.unlink(missing_ok=True)
        loose = purge_folder(kit) / LOOSE / file.new
        held = read_plain(loose) if loose.exists() else git("cat-file", "blob", file.new)
        write_new(fresh, held, file_mode)
        if place.exists():
            fresh.chmod(place.stat().st_mode & 0o777)
        elif file.mode == FILE_MODES[1]:
            fresh.chmod(fresh.stat().st_mode | 0o111)
        fresh.replace(place)
        sync_folder(place.parent)


def _drop_empty(kit: Path, folder: Path) -> None:
    while folder != kit:
        try:
            folder.rmdir()
        except OSError:
            return
        folder = folder.parent


def _put_index(repo: Repository, git: Git, folder: Path) -> None:
    """Make the index anew from the new history; StateError while a git holds the old one.

    It is made in the purge's folder and takes its place under git's lock, which is a link to it: a lock
    that a stopped purge left is known by that.
    """
    fresh = folder / NEXT
    for left in (fresh, lock_of(fresh)):
        left.unlink(missing_ok=True)
    where = {"GIT_INDEX_FILE": str(fresh)}
    git("read-tree", "HEAD", env=where)
    # exits with 1 where a file was edited meanwhile
    asked = ("update-index", "-q", "--refresh")
    git_process(repo.root, *asked, holding=git.holding, env={**without_filters(repo), **where})
    sync_file(fresh)
    if take_place(repo.index, fresh, digest(repo.index)) is not Swap.DONE:
        raise lock_problem(lock_of(repo.index))


# -- nothing of the old ---------------------------------------------------------------------------


def _drop_leftovers(repo: Repository) -> None:
    """Delete git's memory of what was: its logs, its index, and the messages it keeps."""
    for name in LEFTOVERS:
        _delete(repo.common_dir / name)
    for shared in repo.common_dir.glob("sharedindex.*"):
        _delete(shared)


def _drop_old_objects(repo: Repository, git: Git) -> None:
    """Delete every object that no name leads to."""
    objects = repo.common_dir / "objects"
    for name in OLD_OBJECTS:
        _delete(objects / name)
    for kept in (objects / "pack").glob("*.keep"):
        _delete(kept)
    if (repo.common_dir / "reftable").exists():
        # with other ref storage the logs are files and are deleted already
        git("reflog", "expire", "--expire=now", "--expire-unreachable=now", "--all")
    git("pack-refs", "--all", "--prune")
    git("repack", "-a", "-d", "-q")
    git("prune", "--expire=now")
    git("prune-packed", "-q")
    for begun in [
        *(objects / "pack").glob("tmp_*"),
        *(objects / "pack").glob(".tmp-*"),
        *objects.glob("??/tmp_*"),
    ]:
        _delete(begun)


def empty_private(kit: Path) -> None:
    """Delete all that `.reel` holds: prompts, bundles, caches, all of the kit's words; the schema stays."""
    top = kit / ".reel"
    if top.is_symlink():
        return
    for place in top.iterdir():
        if place.name not in ("state", ".gitignore"):
            _delete(place)
    for place in (top / "state").iterdir():
        if place.name not in STAYS:
            _delete(place)
    write_private(top / "kit.schema.json", read_kit_schema())


def _drop_folder(folder: Path) -> None:
    """Delete the purge's own folder, the plan last: while it is there, the next command goes on."""
    for place in folder.iterdir():
        if place.name != PLAN:
            _delete(place)
    shutil.rmtree(folder)


def _delete(place: Path) -> None:
    if place.is_dir() and not place.is_symlink():
        shutil.rmtree(place)
    else:
        with suppress(FileNotFoundError):
            place.unlink()


# -- the plan, read back --------------------------------------------------------------------------


def _load(folder: Path) -> PurgeIntent | None:
    """Return the plan; None if there is none, or it is incomplete."""
    try:
        value = json.loads(read_plain(folder / PLAN))
        # a plan that came with an unpacked kit is foreign, and may name any branch and any file
        if value["version"] != VERSION or value["folder"] != folder.stat().st_ino:
            return None
        names = tuple(MovedName(row["ref"], _id(row["old"]), _id(row["new"])) for row in value["names"])
        files = tuple(
            MovedFile(row["path"], _id(row["old"]), _id(row["new"]), row["mode"]) for row in value["files"]
        )
        for file in files:
            check_path(file.path)
        branch, base, new = value["branch"], _id(value["base"]), _id(value["new"])
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError, ReelError):
        return None
    safe = isinstance(branch, str) and branch.startswith("refs/heads/") and ".." not in branch
    if base is None or new is None or not safe or not all(_is_ref(name.ref) for name in names):
        return None
    return PurgeIntent(branch, base, new, names, files)


def _is_ref(text: str) -> bool:
    return text.startswith("refs/") and ".." not in text and not set(text) & set(" \n\0")


def _id(value: object) -> str | None:
    if value is None:
        return None
    if not isinstance(value, str) or not is_commit_id(value):
        raise ValueError
    return value
