"""Losses in history: each one, whether it was restored, and the text before it."""

import os
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from reel_cli.core.errors import StateError
from reel_cli.core.files.commit_message import (
    FORGOT,
    OP,
    SHORTER,
    UNDOES,
    Forgotten,
    list_undone,
    parse_forgotten,
    unquote,
)
from reel_cli.core.frozen import frozen
from reel_cli.core.git.commit_tree import CommitStep, CommitTree
from reel_cli.core.git.history import Commit
from reel_cli.core.git.process import Git, git_process
from reel_cli.core.git.repository import Repository
from reel_cli.core.kit.head_note import HistoryNote
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.values.change import Change
from reel_cli.core.values.memory import coarseness
from reel_cli.core.values.source import SourceRange, parse_source

RESTORE = "restore"
SUMMED_UP = "summary"
"""The form of a summary that is there."""
SHELF_FOLDER = "shelf/"
"""Where files lie whose losses history tells of."""
PAGE_OF_FILE = ".meta.yml"
"""The end of the name of a page about such a file."""
ON_SHELF, OFF_SHELF = "shelf", "off"
"""States of a file before and after, in the `Reel-Forgot` of one that left the shelf."""
SHELVED = "Reel-Shelf"
"""Names a file that a restoring commit brought back onto the shelf, in quotes."""
SHARE, WITHDRAWN = "share", "taken back"
"""The operation and the reason noted where a memory went because the kit that told of it took it back."""
_GONE = ("stub", "dormant")


@frozen
class Loss:
    """One loss, and the commit that tells of it; `time` is ISO 8601.

    `back` is the commit that took it back, "" where the file itself shows that it is back, None
    where it stands; `back_time` is that commit's.
    """

    forgot: Forgotten
    commit: str
    time: str
    op: str | None
    back: str | None = None
    back_time: str = ""

    @property
    def withdrawn(self) -> bool:
        """Return whether it went because the kit that told of it took it back, and is not to come back."""
        return self.back is None and self.op == SHARE and self.forgot.why == WITHDRAWN


def list_losses(commits: Sequence[Commit], held: Callable[[str], str | None]) -> Sequence[Loss]:
    """Return every loss in these commits (newest first, as they are), the newest first.

    `held` tells the blob of what stands there now for a memory: its file's, or for a line by itself
    the index's; None where there is neither.
    """
    by_id = {commit.id: commit for commit in commits}
    undone = {
        target: by_id[commit]
        for target, commit in list_undone((one.id, one.values(UNDOES)) for one in commits).items()
    }
    found: list[Loss] = []
    standing: dict[str, list[int]] = {}
    for commit in reversed(commits):
        if commit.op == RESTORE and commit.id not in undone:
            for name, level in _restored(commit):
                still = standing.get(name, [])
                for at in [i for i in still if _comes_back(found[i].forgot, level)]:
                    found[at] = replace(found[at], back=commit.id, back_time=commit.time)
                    still.remove(at)
        taken_back = undone.get(commit.id)
        for value in commit.values(FORGOT):
            forgot = parse_forgotten(value)
            if forgot is None:
                continue
            loss = Loss(forgot, commit.id, commit.time, commit.op)
            if taken_back is not None:
                loss = replace(loss, back=taken_back.id, back_time=taken_back.time)
            else:
                standing.setdefault(forgot.id, []).append(len(found))
            found.append(loss)
    for name, still in standing.items():
        blob = held(name) if still else None
        finest = min(
            (coarseness(found[i].forgot.before) for i in still if found[i].forgot.was == blob), default=None
        )
        for at in still:
            if finest is not None and coarseness(found[at].forgot.before) >= finest:
                found[at] = replace(found[at], back="")
    return found[::-1]


def withdrawn_names(losses: Iterable[Loss]) -> frozenset[str]:
    """Return the memories that were taken back by the kit that told of them (REEL §12.1)."""
    return frozenset(loss.forgot.id for loss in losses if loss.withdrawn)


def _comes_back(forgot: Forgotten, level: str) -> bool:
    """Return whether a return at this level undoes a loss; a note that was shortened stays so."""
    return coarseness(forgot.before) >= coarseness(level) and forgot.after != SHORTER


def _restored(commit: Commit) -> Iterable[tuple[str, str]]:
    """Yield what a restoring commit brought back: names and resolutions."""
    for value in commit.values("Reel-Memory"):
        name, level, *_ = [*value.split(), "", ""]
        yield name, level
    for value in commit.values("Reel-Index"):
        yield value.strip(), "stub"
    for value in commit.values(SHELVED):
        yield unquote(value.strip()), ON_SHELF


def list_let_go(repo: Repository, tip: str | None = None) -> Sequence[SourceRange]:
    """Return the stretches of tape whose memories ever left ring 3, which are not asked for again.

    `tip` is the commit to begin at, by its full id (None: the one that is checked out).
    """
    if tip is None and repo.head() is None:
        return ()
    listed = Git(repo.root)(
        *("log", f"--grep=^{FORGOT}: ", f"--format=%(trailers:key={FORGOT},valueonly,unfold)"),
        *(tip or "HEAD", "--", *([repo.prefix] if repo.prefix else [])),
    )
    lost = (parse_forgotten(line) for line in listed.decode("utf-8", "replace").splitlines() if line)
    sources = (part for one in lost if one and one.after in _GONE for part in one.source.split(","))
    return tuple(span for span in map(parse_source, sources) if span is not None)


def note_let_go(kit: Path, repo: Repository) -> Sequence[SourceRange]:
    """Return what `list_let_go` does, read from history again only after a commit that lets something go."""

    def holds(_: object, step: CommitStep) -> bool:
        return FORGOT.lower().encode() not in step.message.lower()

    note = HistoryNote("let go", lambda: [str(span) for span in list_let_go(repo)], holds=holds)
    return [span for span in map(parse_source, note.recall(kit, repo)) if span is not None]


def list_lost(repo: Repository, after: str, op: str) -> Sequence[Forgotten]:
    """Return the losses of one operation since a commit (a full id), newest first."""
    listed = Git(repo.root)(
        *("log", f"--grep=^{FORGOT}: "),
        f"--format=%x00%(trailers:key={OP},valueonly,unfold)%n%(trailers:key={FORGOT},valueonly,unfold)",
        *(f"{after}..HEAD", "--", *([repo.prefix] if repo.prefix else [])),
    )
    found: list[Forgotten] = []
    for commit in listed.decode("utf-8", "replace").split("\0")[1:]:
        first, _, rest = commit.partition("\n")
        if first.strip() == op:
            found += [one for line in rest.splitlines() if (one := parse_forgotten(line)) is not None]
    return found


def is_shallow(repo: Repository) -> bool:
    """Return whether the history is cut off, as in a clone made with `--depth`."""
    return (repo.common_dir / "shallow").is_file()


def tree_before(repo: Repository, commit: str) -> CommitTree:
    """Return the kit as it was before a commit; raises StateError if history does not reach so far."""
    asked = git_process(repo.root, "rev-parse", "--verify", "-q", f"{commit}^1^{{commit}}")
    parent = asked.stdout.decode("ascii", "replace").strip()
    if asked.returncode or not parent:
        if is_shallow(repo):
            raise shallow_problem()
        message = f"Nothing was before commit {commit[:7]}."
        raise StateError(message, hint=f"see it with  git show {commit[:7]}")
    return CommitTree(repo, parent)


def shallow_problem() -> StateError:
    """Return the error for a history that is cut off before what is sought."""
    return StateError(
        "This clone has only the newest part of the kit's history, and what you ask for is older.",
        hint="fetch the rest:  git fetch --unshallow",
    )


@frozen
class Version:
    """One content that a file had: the commit that replaced it, and its blob."""

    commit: str
    blob: str


def list_versions(repo: Repository, path: str) -> Sequence[Version]:
    """Return a file's contents before each commit that changed or deleted it, newest first."""
    if repo.head() is None:
        return ()
    listed = Git(repo.root)(
        *("log", "--raw", "--no-abbrev", "--no-renames", "--diff-filter=MD", "--format==%H"),
        *("HEAD", "--", repo.prefix + path),
    )
    found: list[Version] = []
    commit = ""
    for line in listed.decode("utf-8", "replace").splitlines():
        if line.startswith("="):
            commit = line[1:]
        elif change := re.match(r":\d+ \d+ ([0-9a-f]+) [0-9a-f]+ [MD]\t", line):
            found.append(Version(commit, change[1]))
    return found


MEMORIES = "ring3/"


def list_deleted(repo: Repository, folder: str) -> frozenset[str]:
    """Return the files below a folder of the kit that a commit in history deleted, by kit path."""
    if repo.head() is None:
        return frozenset()
    listed = Git(repo.root)(
        *("log", "-z", "-m", "--no-renames", "--diff-filter=D", "--name-only", "--format="),
        *("HEAD", "--", repo.prefix + folder),
    )
    names = (name.strip(b"\n") for name in listed.split(b"\0"))
    return frozenset(os.fsdecode(name).removeprefix(repo.prefix) for name in names if name)


def needed_first(change: Change, snapshot: Snapshot, missing: Sequence[str]) -> Sequence[str]:
    """Return the missing files that must be back before a change is made: those it writes or is planned on.

    A change that makes a memory is planned on all memories and on their index, and one that lets go of a
    memory on its file. A change that takes a missing file away for good needs nothing.
    """
    touched = [path for path in missing if change.writes.get(path) is not None]
    makes = change.op != RESTORE and any(
        path.startswith(MEMORIES) and data is not None and snapshot.read(path) is None
        for path, data in change.writes.items()
    )
    planned_on = [path for path in missing if makes and path.startswith((MEMORIES, "ring4/"))]
    # a memory whose file is missing looks like a line without one; it must not be let go unnoticed
    fading = {f"{MEMORIES}{value.partition(' ')[0]}.md" for key, value in change.trailers if key == FORGOT}
    unseen = [path for path in missing if path in fading and path not in change.writes]
    return sorted({*touched, *planned_on, *unseen})
