"""Versions of the append-only files in history, and the commits in which one of them did not only grow.

A version is proven without reading it: its blob's name is the hash of its bytes, so where the beginning
of what is there now, of the version's size, has that name, it is that version.
"""

import hashlib
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from reel_cli.core.errors import StateError
from reel_cli.core.files.tree import PRIVATE
from reel_cli.core.frozen import frozen
from reel_cli.core.git.process import AS_IT_IS, Git, git_process
from reel_cli.core.git.repository import Repository
from reel_cli.core.values.change import one_line

GROWING = ("tape/", "journal/")
"""The folders whose files only grow."""

Grows = Callable[[bytes, bytes], bool]
"""Function that tells whether the second text still holds all of the first."""


@frozen
class Step:
    """A change of one file by one commit, compared with one of its parents: its blob before and after.

    None where there is no plain file. `merge` says that the commit has several parents; `commit` is
    None for what lies on the disk and is not committed.
    """

    commit: str | None
    path: str
    before: str | None
    after: str | None
    merge: bool = False


@frozen
class TapeHistory:
    """Every step of the growing files, oldest first, through every parent of every commit.

    `shallow` says that the clone does not hold the older commits. `dropped` are the steps of commits that
    the branch once had and no longer has.
    """

    commits: int
    shallow: bool
    steps: Sequence[Step]
    dropped: Sequence[Step] = ()

    def versions(self) -> dict[str, list[str]]:
        """Return every blob each path ever had, by kit path."""
        return _versions(self.steps)

    def dropped_versions(self) -> dict[str, list[str]]:
        """Return the blobs that only commits dropped from the branch had, by kit path."""
        known = self.versions()
        found = _versions(self.dropped)
        return {
            path: rest
            for path, blobs in found.items()
            if (rest := [blob for blob in blobs if blob not in known.get(path, ())])
        }


def _versions(steps: Iterable[Step]) -> dict[str, list[str]]:
    found: dict[str, dict[str, None]] = {}
    for step in steps:
        for blob in (step.before, step.after):
            if blob is not None:
                found.setdefault(step.path, {})[blob] = None
    return {path: list(blobs) for path, blobs in found.items()}


@frozen
class CommitLine:
    """A commit as a person is told of it; `id` whole, `time` ISO 8601, `subject` one plain line."""

    id: str
    time: str
    subject: str

    @property
    def short(self) -> str:
        """Return the first digits of its id."""
        return self.id[:7]


@frozen
class Break:
    """A step in which something was lost; `line` is the first that differs, in the text after it.

    `put_back` is the later commit (None: none) in which all of it stood there again.
    """

    step: Step
    line: int | None
    put_back: str | None = None


def read_tape_history(repo: Repository) -> TapeHistory:
    """Read every step of the growing files; StateError when git cannot read its history."""
    shallow = (repo.common_dir / "shallow").exists()
    head = repo.head()
    if head is None:
        return TapeHistory(0, shallow, ())
    steps, commits = _read_steps(repo, (head,))
    return TapeHistory(len(commits), shallow, steps, _read_dropped(repo, head, commits))


def read_takings(repo: Repository) -> Sequence[Step]:
    """Return the steps that changed or deleted a file of the tape, oldest first; raises as above."""
    head = repo.head()
    return () if head is None else _read_steps(repo, (head,), takings=True)[0]


def _read_steps(
    repo: Repository, revisions: Sequence[str], *, takings: bool = False
) -> tuple[list[Step], set[str]]:
    # without paths git simplifies nothing; with them, it must be told to follow every parent
    only: tuple[str, ...] = ("--full-history", "--parents") if repo.prefix or takings else ()
    places = [repo.prefix + folder for folder in GROWING] if repo.prefix else []
    if takings:
        only, places = (*only, "--diff-filter=MTD"), [f"{repo.prefix}{GROWING[0]}"]
    listed = Git(repo.root)(
        *("-c", "core.commitGraph=false", "log", "--topo-order", "-m", "--raw", "-z", "--no-abbrev"),
        *("--no-renames", "--ignore-submodules=none", "--no-ext-diff", *only, "--format=%x01%H %P"),
        *(*revisions, "--", *places),
        env=AS_IT_IS,
    )
    steps: list[Step] = []
    commits: set[str] = set()
    commit, merge = "", False
    wanted = tuple(os.fsencode(repo.prefix + folder) for folder in GROWING)
    parts = iter(listed.split(b"\0"))
    for raw in parts:
        part = raw.lstrip(b"\n")
        if part.startswith(b"\x01"):
            commit, *parents = part[1:].decode("ascii").split()
            merge = len(parents) > 1
            commits.add(commit)
        elif part.startswith(b":"):
            name = next(parts)
            if name.startswith(wanted):
                step = _step(repo, commit, part, name, merge=merge)
                if step is not None:
                    steps.append(step)
    steps.reverse()
    total = commits if takings or not repo.prefix else _all_commits(repo, revisions)
    return steps, total


def _all_commits(repo: Repository, revisions: Sequence[str]) -> set[str]:
    return set(Git(repo.root)("rev-list", *revisions, "--", env=AS_IT_IS).decode("ascii").split())


def _step(repo: Repository, commit: str, raw: bytes, name: bytes, *, merge: bool) -> Step | None:
    was, now, before, after, _ = raw[1:].decode("ascii").split()
    path = os.fsdecode(name)[len(repo.prefix) :]
    if set(PRIVATE).intersection(path.split("/")[:-1]):
        return None
    return Step(
        commit,
        path,
        before if was.startswith("100") else None,
        after if now.startswith("100") else None,
        merge,
    )


def _read_dropped(repo: Repository, head: str, known: set[str]) -> Sequence[Step]:
    """Return the changes in commits that the branch once pointed to and that its history no longer has."""
    branch = repo.branch()
    if branch is None:
        return ()
    walked = git_process(repo.root, "rev-list", "--walk-reflogs", branch, "--", env=AS_IT_IS)
    tips = [tip for tip in dict.fromkeys(walked.stdout.decode("ascii").split()) if tip not in known]
    if walked.returncode or not tips:
        return ()
    try:
        return _read_steps(repo, (*tips, f"^{head}"))[0]
    except StateError:
        # git may delete commits that no branch leads to
        return ()


# -- blobs ------------------------------------------------------------------------------------


def read_sizes(repo: Repository, blobs: Iterable[str]) -> Mapping[str, int]:
    """Return the size of each blob in bytes; one that history has lost is not in it."""
    asked = "\n".join(dict.fromkeys(blobs))
    if not asked:
        return {}
    told = Git(repo.root)(
        *("cat-file", "--buffer", "--batch-check=%(objectname) %(objecttype) %(objectsize)"),
        input=asked.encode("ascii") + b"\n",
        env=AS_IT_IS,
    )
    rows = (line.split() for line in told.decode("ascii", "replace").splitlines())
    return {row[0]: int(row[2]) for row in rows if len(row) == 3 and row[1] == "blob"}


def is_beginning(repo: Repository, data: bytes, blob: str, size: int | None) -> bool:
    """Return whether the first `size` bytes of `data` are that blob; reads nothing of the blob."""
    if size is None or size > len(data):
        return False
    make = hashlib.sha256 if repo.sha256 else hashlib.sha1
    found = make(b"blob %d\0" % size, usedforsecurity=False)
    found.update(memoryview(data)[:size])
    return found.hexdigest() == blob


@dataclass
class Blobs:
    """Single blobs, each read once and held against its name."""

    repo: Repository
    _known: dict[str, bytes] = field(default_factory=dict)

    def read(self, blob: str) -> bytes:
        """Return the blob's bytes; raises StateError if history has lost or damaged it."""
        if blob not in self._known:
            data = Git(self.repo.root)("cat-file", "blob", blob, env=AS_IT_IS)
            if self.repo.blob_id(data) != blob:
                message = f"The history of this kit is damaged: {blob[:7]} is not what it was."
                raise StateError(message, hint="git fsck  says what is damaged; a clone or backup has it")
            self._known[blob] = data
        return self._known[blob]

    def forget(self) -> None:
        """Clear the blobs that were read."""
        self._known.clear()


def find_breaks(blobs: Blobs, steps: Sequence[Step], now: bytes | None, grows: Grows) -> Sequence[Break]:
    """Return the steps of one path that lost something, oldest first; the last one leads to the disk.

    A step that brings back what an earlier one took is no break of its own.
    """
    found: list[Break] = []
    for step in (*steps, *_uncommitted(blobs.repo, steps, now)):
        after = now if step.commit is None else _read(blobs, step.after)
        restored = [
            place
            for place, known in enumerate(found)
            if after is not None
            and known.put_back is None
            and grows(_read(blobs, known.step.before) or b"", after)
        ]
        for place in restored:
            found[place] = replace(found[place], put_back=step.commit or "")
        before = _read(blobs, step.before)
        if restored or before is None or (after is not None and grows(before, after)):
            continue
        found.append(Break(step, None if after is None else first_difference(before, after)))
    return found


def _uncommitted(repo: Repository, steps: Sequence[Step], now: bytes | None) -> Sequence[Step]:
    """Return the step from the last commit to what lies on the disk."""
    head = committed_blob(steps)
    fresh = None if now is None else repo.blob_id(now)
    return [Step(None, steps[0].path, head, fresh)] if head != fresh else []


def committed_blob(steps: Sequence[Step]) -> str | None:
    """Return the blob the last commit has for a path, of which these are the steps."""
    return steps[-1].after if steps else None


def _read(blobs: Blobs, blob: str | None) -> bytes | None:
    return None if blob is None else blobs.read(blob)


def first_difference(before: bytes, after: bytes) -> int:
    """Return the line, from 1, of the first byte in which the second text differs from the first."""
    short = min(len(before), len(after))
    low, high = 0, short
    while low < high:
        middle = (low + high + 1) // 2
        if before[:middle] == after[:middle]:
            low = middle
        else:
            high = middle - 1
    return after.count(b"\n", 0, low) + 1


def name_commits(repo: Repository, commits: Iterable[str]) -> Mapping[str, CommitLine]:
    """Return each commit with its time and subject, by its id."""
    wanted = list(dict.fromkeys(commits))
    if not wanted:
        return {}
    listed = Git(repo.root)(
        "log", "--no-walk=unsorted", "-z", "--format=%H%x00%aI%x00%s", *wanted, "--", env=AS_IT_IS
    )
    parts = listed.decode("utf-8", "replace").split("\0")
    rows = zip(parts[::3], parts[1::3], parts[2::3], strict=False)
    return {commit: CommitLine(commit, time, one_line(subject)) for commit, time, subject in rows}


def commit_of_line(repo: Repository, path: str, line: int) -> str | None:
    """Return the commit that last wrote this line of the present file; None if it is not committed."""
    told = git_process(
        repo.root,
        *("blame", "--porcelain", "--no-textconv", "-L", f"{line},{line}", "--", repo.prefix + path),
        env=AS_IT_IS,
    )
    commit = told.stdout[:64].split(b" ")[0].decode("ascii", "replace")
    return None if told.returncode or not commit.strip("0") else commit
