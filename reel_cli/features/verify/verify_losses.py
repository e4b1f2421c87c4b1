"""Each loss that history tells of, held against what stood there before it."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from reel_cli.core.files.commit_message import FORGOT, Forgotten, parse_forgotten
from reel_cli.core.git.process import AS_IT_IS, Git
from reel_cli.core.git.tape_history import name_commits
from reel_cli.core.kit.snapshot import INDEX
from reel_cli.core.values.memory import MEMORY_ID, memory_path
from reel_cli.features.verify.verify_history import Broken

if TYPE_CHECKING:
    from reel_cli.core.git.repository import Repository
    from reel_cli.core.git.tape_history import CommitLine

ANOTHER = "its loss is noted with another text ({was}) than the one that stood here before it"
NEVER = "its loss is noted with a text ({was}), and there was none before it"
MEND = "git show {commit}^:./{path}  has what stood there"


@dataclass
class _Commit:
    """A commit that tells of losses; `before` are the blobs it replaced, None where there was no file."""

    id: str
    losses: Sequence[Forgotten]
    before: dict[str, str | None] = field(default_factory=dict)


def prove_losses(repo: "Repository | None") -> Sequence[Broken]:
    """Return the losses whose trailer names another text than the one the commit took away, newest first.

    A commit whose parent is not here proves nothing, nor does a trailer that names no text. Reads no file:
    one walk through the commits that tell of losses. Raises StateError where git cannot read its history.
    """
    if repo is None or repo.head() is None:
        return ()
    commits = list(_read_commits(repo))
    unchanged = [
        (commit.id, path)
        for commit in commits
        for loss in commit.losses
        for path in _paths(loss)
        if path not in commit.before
    ]
    known = _read_blobs(repo, unchanged)
    found: list[tuple[str, Forgotten, str | None]] = []
    for commit in commits:
        for loss in commit.losses:
            paths = _paths(loss)
            there = {commit.before.get(path) or known.get((commit.id, path)) for path in paths} - {None}
            if loss.was not in there and not _is_of_nothing(repo, loss):
                found.append((commit.id, loss, paths[0] if there else None))
    names = name_commits(repo, (commit for commit, _, _ in found))
    return [_broken(loss, names[commit], path) for commit, loss, path in found]


def _broken(loss: Forgotten, commit: "CommitLine", path: str | None) -> Broken:
    what = (ANOTHER if path else NEVER).format(was=loss.was[:7])
    mend = MEND.format(commit=commit.short, path=path) if path else ""
    return Broken(path or _paths(loss)[0], None, what, commit, mend=mend)


def _paths(loss: Forgotten) -> tuple[str, ...]:
    """Return the files of which one held the lost content."""
    if MEMORY_ID.fullmatch(loss.id):
        return (INDEX,) if loss.before == "stub" else (memory_path(loss.id),)
    path = loss.id.partition("#")[0]
    return (path, f"{path}.meta.yml") if path.startswith("shelf/") else (path,)


def _is_of_nothing(repo: "Repository", loss: Forgotten) -> bool:
    """Return whether a file outside of the kit, of which there is no page, left the shelf."""
    return loss.id.startswith("shelf/") and loss.was == repo.blob_id(b"")


def _read_commits(repo: "Repository") -> Iterator[_Commit]:
    """Yield the commits that tell of losses with a text, where their first parent is here."""
    listed = Git(repo.root)(
        *("-c", "core.commitGraph=false", "log", "--topo-order", f"--grep=^{FORGOT}: ", "--full-history"),
        *("--diff-merges=first-parent", "--raw", "-z", "--no-abbrev", "--no-renames", "--no-ext-diff"),
        f"--format=%x01%H %P%n%(trailers:key={FORGOT},valueonly,unfold)",
        *("HEAD", "--", *([repo.prefix] if repo.prefix else [])),
        env=AS_IT_IS,
    )
    commit: _Commit | None = None
    parts = iter(listed.split(b"\0"))
    for raw in parts:
        part = raw.lstrip(b"\n")
        if part.startswith(b"\x01"):
            if commit is not None and commit.losses:
                yield commit
            first, _, rest = part[1:].decode("utf-8", "replace").partition("\n")
            own, *parents = first.split()
            told = [parse_forgotten(line) for line in rest.splitlines()] if parents else []
            commit = _Commit(own, [loss for loss in told if loss is not None and loss.was])
        elif part.startswith(b":") and commit is not None:
            mode, _, before, _, _ = part[1:].decode("ascii").split()
            path = os.fsdecode(next(parts))[len(repo.prefix) :]
            commit.before[path] = before if mode.startswith("100") else None
    if commit is not None and commit.losses:
        yield commit


def _read_blobs(repo: "Repository", wanted: Sequence[tuple[str, str]]) -> dict[tuple[str, str], str]:
    """Return the blobs that the first parents of commits have at paths; none if there is no file."""
    asked = [(commit, path) for commit, path in dict.fromkeys(wanted) if "\n" not in path]
    if not asked:
        return {}
    told = Git(repo.root)(
        *("cat-file", "--buffer", "--batch-check=%(objectname) %(objecttype)"),
        input=os.fsencode("".join(f"{commit}^1:{repo.prefix}{path}\n" for commit, path in asked)),
        env=AS_IT_IS,
    )
    rows = told.decode("utf-8", "replace").splitlines()
    return {one: row.split()[0] for one, row in zip(asked, rows, strict=False) if row.endswith(" blob")}
