"""Repairs of git's own files that touch no file of a person's: the index made anew, HEAD named again."""

import hashlib
from pathlib import Path

from reel_cli.core.errors import StateError
from reel_cli.core.files.private import read_plain, sync_folder, write_new
from reel_cli.core.git.head_file import find_branch, is_head_whole
from reel_cli.core.git.index import (
    LARGEST_INDEX,
    Swap,
    digest,
    lock_of,
    sync_file,
    take_place,
    without_filters,
)
from reel_cli.core.git.process import INDEX_DAMAGED, INDEX_MEND, Git, git_problem, git_process, lock_problem
from reel_cli.core.git.repository import Repository

RENEWED = "index.renewed"
"""Name of the new index until it takes the damaged one's place."""


def find_index_damage(repo: Repository) -> StateError | None:
    """Return what is wrong with a damaged index, in git's words or by its checksum; None for a sound one."""
    # git reads the whole index, whatever it is asked about
    asked = git_process(repo.root, "ls-files", "-z", "--", f"{repo.prefix}kit.yaml")
    if asked.returncode:
        problem = git_problem(asked.stderr.decode("utf-8", "replace"), "ls-files", repo.root)
        return problem if problem.message.startswith(INDEX_DAMAGED) else None
    if _is_as_written(repo):
        return None
    return StateError(f"{INDEX_DAMAGED}: its checksum is another one.", hint=INDEX_MEND)


def _is_as_written(repo: Repository) -> bool:
    """Return whether the index has its checksum, which git itself does not look at: it takes half a file."""
    try:
        data = read_plain(repo.index, LARGEST_INDEX)
    except OSError:
        return True
    size = 32 if repo.sha256 else 20
    make = hashlib.sha256 if repo.sha256 else hashlib.sha1
    # git can be set to write no checksum
    return data[-size:] == make(memoryview(data)[:-size], usedforsecurity=False).digest() or not any(
        data[-size:]
    )


def renew_index(repo: Repository) -> None:
    """Make the index anew from the commit that is checked out; no file of the work tree is touched.

    Raises StateError while another git holds the index, or has put another one in its place.
    """
    git, made = Git(repo.root), repo.git_dir / RENEWED
    made.unlink(missing_ok=True)
    expected = digest(repo.index)
    where = {**without_filters(repo), "GIT_INDEX_FILE": str(made)}
    try:
        git("read-tree", repo.head() or "--empty", env=where)
        # exits with 1 where a file was edited
        git_process(repo.root, "update-index", "-q", "--refresh", env=where)
        sync_file(made)
        if take_place(repo.index, made, expected) is not Swap.DONE:
            raise lock_problem(lock_of(repo.index))
    finally:
        made.unlink(missing_ok=True)


def mend_head(kit: Path) -> str:
    """Write a damaged or missing HEAD anew and return the branch it names; "" where there is nothing to do.

    Nothing is done where the log of HEAD does not tell which branch it was. Raises StateError while another
    git holds HEAD.
    """
    git_dir = next((found for place in (kit, *kit.parents) if (found := place / ".git").exists()), None)
    if git_dir is None or not git_dir.is_dir() or is_head_whole(git_dir):
        return ""
    branch, head = find_branch(git_dir), git_dir / "HEAD"
    if branch is None or head.is_dir():
        return ""
    lock = lock_of(head)
    try:
        write_new(lock, f"ref: {branch}\n".encode("utf-8", "surrogateescape"), 0o666)
    except FileExistsError:
        raise lock_problem(lock) from None
    lock.replace(head)
    sync_folder(git_dir)
    return branch.removeprefix("refs/heads/")
