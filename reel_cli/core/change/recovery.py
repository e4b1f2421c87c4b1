"""The end of a transaction: what follows its commit, done now or by the next command."""

import os
import shutil
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

from reel_cli.core.errors import ReelError, StateError
from reel_cli.core.files.private import (
    OWNER_FILE,
    OWNER_FOLDER,
    is_own,
    mark_own,
    new_modes,
    read_plain,
    storage_problem,
    sync_folder,
    write_new,
)
from reel_cli.core.files.tree import WorkTree
from reel_cli.core.frozen import frozen
from reel_cli.core.git.index import Swap, drop_own_index_lock, lock_of, put_in_index
from reel_cli.core.git.intent import NAME, Intent, Target, load_intent, save_intent, transaction_folder
from reel_cli.core.git.lock import hold_lock
from reel_cli.core.git.process import Git
from reel_cli.core.git.repository import Repository

LEFT_BEHIND = 1.0
"""A ref's lock this old, in seconds, that only our own stopped git can have left is taken away."""
SAME_MOMENT = 60.0
ONE_GO = 2.0
"""Seconds within which git makes the locks of one move of a branch."""
CLOCK_STEP = 0.05
PAUSE = 0.05


@frozen
class Recovery:
    """The result of a recovery.

    `finished` is the commit whose files were put in place, `kept` the paths where the person's
    own bytes stayed, `dropped` a commit that is no longer part of the branch and was let go.
    `pending` says that another git holds the index, so the end is left for the next command.
    """

    finished: str | None = None
    kept: tuple[str, ...] = ()
    dropped: str | None = None
    pending: bool = False


def recover(repo: Repository, kit: Path) -> Recovery:
    """Finish or discard what a stopped command had begun; one look at the disk if there is nothing.

    Raises StateError when another reel holds the kit, or the disk does not let it be finished.
    """
    kit = kit.absolute()
    if not os.path.lexists(transaction_folder(kit)):
        return Recovery()
    with hold_lock(kit) as lock:
        return recover_locked(repo, kit, Git(repo.root, (lock,)))


def recover_locked(repo: Repository, kit: Path, git: Git) -> Recovery:
    """Recover as `recover` does; the caller holds the lock."""
    folder = transaction_folder(kit)
    if not os.path.lexists(folder):
        return Recovery()
    intent = load_intent(folder)
    if intent is None:
        discard(folder)
        return Recovery()
    if not is_own(folder):
        return _recover_foreign(repo, kit, git, intent)
    drop_own_index_lock(repo.index, folder)
    _drop_own_ref_locks(repo, folder, intent)
    head = repo.head()
    if not _holds(repo, head, intent):
        from reel_cli.core.git.refs import forget_unmade_move

        forget_unmade_move(repo, git, intent.branch, intent.new)
        discard(folder)
        begun = head != intent.base and not _holds_at(repo, intent.branch, intent.base)
        return Recovery(dropped=intent.new if begun else None)
    kept, swap = finish(repo, kit, git, intent, trusted=False)
    return Recovery(finished=intent.new, kept=kept, pending=swap is Swap.BUSY)


def _recover_foreign(repo: Repository, kit: Path, git: Git, intent: Intent) -> Recovery:
    """Finish what is safe of an intent that was written elsewhere: it came with a copied or unpacked kit.

    It may be a stranger's. Files are brought to what is checked out, never to an older commit, and deleted
    only where they were in the base; the bytes and the index are git's, not those that came with it.
    """
    folder = transaction_folder(kit)
    discard(folder)
    head = repo.head()
    if head is None or not _holds(repo, head, intent):
        return Recovery()
    now, before = _list_blobs(git, head), dict[str, str]()
    with suppress(StateError):  # a base that is no commit here
        before = _list_blobs(git, intent.base or intent.new)
    targets = tuple(
        t
        for t in _checked(repo, git, intent)
        if now.get(repo.prefix + t.path) == t.new
        and (t.new is not None or before.get(repo.prefix + t.path) == t.old)
    )
    folder.mkdir(mode=OWNER_FOLDER)
    mark_own(folder)
    safe = replace(intent, targets=targets, index_was=None)
    save_intent(folder, safe)
    kept, swap = finish(repo, kit, git, safe, trusted=False)
    return Recovery(finished=intent.new, kept=kept, pending=swap is Swap.BUSY)


def finish(
    repo: Repository, kit: Path, git: Git, intent: Intent, *, trusted: bool
) -> tuple[tuple[str, ...], Swap]:
    """Move the new files into place, then the index, then delete the intent; return what was kept.

    The commit is in the branch already. Where `trusted` is false the intent comes from the disk
    and is held against the commit. Raises StateError when the disk does not let it be finished;
    the intent then stays for the next command.
    """
    folder = transaction_folder(kit)
    targets = intent.targets if trusted else _checked(repo, git, intent)
    try:
        made = partial(_new_file, repo, kit, git, folder, trusted=trusted)
        kept, placed = _put_in_place(repo, kit, targets, made)
        swap = put_in_index(repo, git, folder, targets, intent.index_was, placed if trusted else None)
    except (OSError, StateError) as error:
        problem = error if isinstance(error, StateError) else storage_problem(error)
        message = f"{problem.message} The change is committed; its files are not all in place yet."
        raise StateError(message, hint="fix that; the next reel command finishes it") from error
    if swap is Swap.DONE:
        discard(folder)
    return kept, swap


def discard(folder: Path) -> None:
    """Forget a transaction: first its intent, so that half of the rest means nothing."""
    if not folder.is_dir() or folder.is_symlink():
        # anything but a regular file is no transaction, and opening a pipe would block
        with suppress(OSError):
            folder.unlink()
        return
    with suppress(OSError):
        (folder / NAME).unlink(missing_ok=True)
        sync_folder(folder)
    shutil.rmtree(folder, ignore_errors=True)


def _put_in_place(
    repo: Repository, kit: Path, targets: Sequence[Target], made: Callable[[Target], Path]
) -> tuple[tuple[str, ...], Mapping[str, os.stat_result]]:
    """Change the files that are still as they were; `made` is where a target's new bytes are at hand.

    Returns the paths that were kept, and the looks of those that were written and are as written.
    """
    tree = WorkTree(kit)
    kept: list[str] = []
    placed: dict[str, os.stat_result] = {}
    touched: set[Path] = set()
    for target in targets:
        place = kit / target.path
        try:
            data = tree.read(target.path)
        except ReelError:
            kept.append(target.path)
            continue
        now = None if data is None else repo.blob_id(data)
        # the file was deleted and created again with the same bytes, so it is another file with another mode
        anew = target.file is not None and target.old == target.new
        if now == target.new and not anew:
            continue
        if now != target.old:
            kept.append(target.path)
        elif target.new is None:
            place.unlink()
            touched.add(_drop_empty_folders(kit, place.parent))
        else:
            touched |= _make_folders(kit, place.parent)
            file = made(target)
            before = file.lstat()
            file.replace(place)
            after = place.lstat()
            if _marks(before) == _marks(after):
                placed[target.path] = after
            touched.add(place.parent)
    for changed in touched:
        if changed.is_dir():
            sync_folder(changed)
    return tuple(kept), placed


def _marks(look: os.stat_result) -> tuple[int, ...]:
    """Return what stays of a file's look when it is moved, and does not when it is written."""
    return look.st_mode, look.st_size, look.st_mtime_ns, look.st_dev, look.st_ino


def _new_file(  # noqa: PLR0913 (what it is made of)
    repo: Repository, kit: Path, git: Git, folder: Path, target: Target, *, trusted: bool
) -> Path:
    """Return the file with the target's new bytes, made again from history if it is not as written."""
    file = folder / (target.file or "0")
    with suppress(OSError):
        # this transaction has just written the file, so it need not be read again
        if target.file is not None and (trusted or repo.blob_id(read_plain(file)) == target.new):
            return file
    file = folder / "again"
    file.unlink(missing_ok=True)
    mode, _ = new_modes(kit)
    write_new(file, git("cat-file", "blob", target.new or ""), mode if mode == OWNER_FILE else 0o666)
    return file


def _make_folders(kit: Path, folder: Path) -> set[Path]:
    """Make a folder of the kit and those above it; return the folders that gained an entry."""
    _, mode = new_modes(kit)
    missing = [place for place in (folder, *folder.parents) if not place.exists()]
    for place in reversed(missing):
        place.mkdir(mode=mode, exist_ok=True)
    return {place.parent for place in missing}


def _drop_empty_folders(kit: Path, folder: Path) -> Path:
    """Remove folders that a deletion left empty, as git does; return the first that stays."""
    while folder != kit:
        try:
            folder.rmdir()
        except OSError:
            break
        folder = folder.parent
    return folder


def _checked(repo: Repository, git: Git, intent: Intent) -> tuple[Target, ...]:
    """Return the intent's targets, without those that the commit does not hold as the intent says."""
    held = _list_blobs(git, intent.new)
    return tuple(t for t in intent.targets if held.get(repo.prefix + t.path) == t.new)


def _list_blobs(git: Git, commit: str) -> dict[str, str]:
    """Return the plain files of a commit: their blobs by path."""
    listed = git("ls-tree", "-r", "-z", "--full-tree", commit)
    held: dict[str, str] = {}
    for line in listed.split(b"\0"):
        head, _, name = line.partition(b"\t")
        if head.startswith(b"100"):
            held[name.decode("utf-8", "surrogateescape")] = head.split()[2].decode("ascii")
    return held


def _holds(repo: Repository, head: str | None, intent: Intent) -> bool:
    """Return whether the checked-out commit contains the intent's commit."""
    if head is None or head == intent.base:
        return False
    if head == intent.new:
        return True
    from reel_cli.core.git.refs import is_ancestor

    return is_ancestor(repo, intent.new, head)


def _holds_at(repo: Repository, branch: str, base: str | None) -> bool:
    """Return whether a branch, checked out or not, is still where the transaction found it."""
    from reel_cli.core.git.refs import read_tip

    return read_tip(repo, branch) == base


def _drop_own_ref_locks(repo: Repository, folder: Path, intent: Intent) -> None:
    """Remove the locks of a git that was stopped while it moved the branch for us.

    We hold the kit's lock, which that git would hold too if it lived. It first locks the branch
    and writes our commit's id into that lock, then makes HEAD's, which stays empty.
    """
    written = (folder / NAME).stat().st_mtime
    branch = repo.common_dir / intent.branch
    head = lock_of(repo.git_dir / "HEAD")
    _drop_if_it_stays(head, lambda: _is_ours_at_head(head, branch, intent.new))
    lock = lock_of(branch)
    _drop_if_it_stays(lock, lambda: _is_ours(lock, intent.new, written, alone=not head.exists()))


def _drop_if_it_stays(lock: Path, is_ours: Callable[[], bool]) -> None:
    began = time.monotonic()
    while is_ours():
        if time.monotonic() - began > LEFT_BEHIND:
            lock.unlink(missing_ok=True)
            return
        time.sleep(PAUSE)


def _is_ours(lock: Path, new: str, written: float, *, alone: bool) -> bool:
    """Return whether reel made the branch's lock: it names our commit, or is new and empty."""
    try:
        age = lock.stat().st_mtime - written
        content = read_plain(lock)[:80].decode("ascii", "replace").strip()
    except OSError:
        return False
    return -CLOCK_STEP < age < SAME_MOMENT and (content == new or (content == "" and alone))


def _is_ours_at_head(lock: Path, branch: Path, new: str) -> bool:
    """Return whether reel made HEAD's lock, right after or before the branch was given our commit.

    An empty lock alone could be anybody's; the branch's lock, or by then the branch itself, tells.
    """
    try:
        made = lock.stat().st_mtime
        empty = read_plain(lock)[:80] in (b"", new.encode("ascii"))
    except OSError:
        return False
    partner = next((place for place in (lock_of(branch), branch) if place.exists()), None)
    try:
        named = partner is not None and read_plain(partner)[:80].strip() == new.encode("ascii")
        apart = made - partner.stat().st_mtime if partner is not None else SAME_MOMENT
    except OSError:
        return False
    return empty and named and -CLOCK_STEP < apart < ONE_GO
