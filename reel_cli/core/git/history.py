"""The history of a kit: its log, files changed by a commit, names given by a merge, the approval in force."""

import functools
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import field, replace

from reel_cli.core.errors import ReelError
from reel_cli.core.files.commit_message import (
    GONE,
    OP,
    RATIFIED,
    RATIFIED_BY,
    UNDOES,
    list_undone,
    parse_trailers,
)
from reel_cli.core.files.private import read_plain
from reel_cli.core.frozen import frozen
from reel_cli.core.git.commit_tree import CommitTree, NotLooseError, list_files, read_young_history
from reel_cli.core.git.process import Git, git_process
from reel_cli.core.git.repository import Repository, is_commit_id
from reel_cli.core.values.change import one_line
from reel_cli.core.values.source import JOINED, RENUMBERED, SESSION_ID, NewNames, parse_renumbered


def names_since(repo: Repository, tip: str) -> Mapping[str, Mapping[str, str]]:
    """Return, for each commit made before its side was joined, the new names of what it named.

    Joins later in history go on from earlier ones. StateError where git cannot read its history.
    """
    keys = (JOINED, RENUMBERED)
    told = (f"%(trailers:key={key},valueonly,unfold)" for key in keys)
    listed = Git(repo.root)(
        *("log", "-z", "--topo-order", "--reverse", f"--grep=^{JOINED}: "),
        *(f"--format={'%x00'.join(told)}", tip, "--"),
    ).decode("utf-8", "replace")
    parts = listed.split("\0")
    found: dict[str, dict[str, str]] = {}
    for sides, values in zip(parts[::2], parts[1::2], strict=False):
        side, _, other = sides.strip().partition(" ")
        pairs = [pair for value in values.splitlines() if (pair := parse_renumbered(value))]
        names = {old: new for old, new in pairs if old != new}
        if names and is_commit_id(side) and is_commit_id(other):
            walked = git_process(repo.root, "rev-list", side, f"^{other}", "--")
            for commit in walked.stdout.decode("ascii", "replace").split():
                known = found.setdefault(commit, {})
                known.update({old: names[new] for old, new in known.items() if new in names})
                known.update({old: new for old, new in names.items() if old not in known})
    return found


def read_trailers(repo: Repository | None, key: str, tip: str | None = None) -> list[str]:
    """Return the values of a trailer in all commits up to one (full ID; None: the newest), newest first.

    Commits that were undone do not count.
    """
    last = tip or (repo.head() if repo is not None else None)
    if repo is None or last is None:
        return []
    young = read_young_history(repo, last)
    if young is not None and not any(f"{key}: ".encode() in message for _, message in young):
        return []
    listed = git_process(
        repo.root,
        *("log", f"--grep=^{key}: ", f"--grep=^{UNDOES}: ", "-z"),
        f"--format=%H%x00%(trailers:key={UNDOES},valueonly,unfold)%x00%(trailers:key={key},valueonly,unfold)",
        *(last, "--", *([repo.prefix] if repo.prefix else [])),
    )
    parts = listed.stdout.decode("utf-8", "replace").split("\0")
    commits = list(zip(parts[::3], parts[1::3], parts[2::3], strict=False))
    undone = list_undone((name, undoes.split()) for name, undoes, _ in commits)
    return [value for commit, _, values in commits if commit not in undone for value in values.splitlines()]


LOG_FIELDS = ("%H", "%aI", "%an", "%s", "%b", "%(trailers)", "%(trailers:only,unfold)")
SESSION_FILE = re.compile(rf"tape/\d{{4}}/{SESSION_ID.pattern}\.md")
RING_0 = "ring0/"


@frozen
class Commit:
    """One commit of a kit's history; `time` is ISO 8601 with an offset, `op` None if reel did not make it.

    Everything is as it may be shown: control characters are gone, `body` keeps its line breaks.
    """

    id: str
    time: str
    author: str
    subject: str
    op: str | None
    trailers: Sequence[tuple[str, str]]
    body: str
    renamed: Mapping[str, str] = field(default_factory=dict)
    """Names in this commit that are called otherwise since its side was joined to another machine's;
    subject and trailers have the new names already."""

    def values(self, key: str) -> list[str]:
        """Return the values of one trailer, in order."""
        return [value for name, value in self.trailers if name == key]


def read_log(
    repo: Repository,
    *,
    limit: int | None = None,
    paths: Iterable[str] | None = None,
    tip: str | None = None,
    after: str | None = None,
) -> list[Commit]:
    """Return the commits that touch the kit (or only these paths of it), newest first, at most `limit`.

    `tip` is the commit to begin at, by its full id (None: the one that is checked out), `after` one whose
    own history is left out. Raises StateError when git cannot read its history.
    """
    head = repo.head()
    if head is None:
        return []
    tip = commit_name(tip or head)
    if limit is None and paths is None and after is None:
        return list(_read_whole_log(repo, tip, _cut_off(repo)))
    return _ask_for_log(repo, tip, limit, paths, after)


@functools.lru_cache(maxsize=2)
def _read_whole_log(repo: Repository, tip: str, _shallow: bytes) -> Sequence[Commit]:
    """Return the commits up to one by its id; a command whose parts each ask for them asks git once."""
    return _ask_for_log(repo, tip)


def _cut_off(repo: Repository) -> bytes:
    """Return where history ends for a clone without its older commits; empty for any other."""
    try:
        return read_plain(repo.common_dir / "shallow")
    except OSError:
        return b""


def _ask_for_log(
    repo: Repository,
    tip: str,
    limit: int | None = None,
    paths: Iterable[str] | None = None,
    after: str | None = None,
) -> list[Commit]:
    wanted = [repo.prefix + path for path in paths] if paths is not None else [repo.prefix]
    arguments = [
        *("-z", f"--format={'%x00'.join(LOG_FIELDS)}"),
        *([f"--max-count={limit}"] if limit is not None else []),
        *(tip, *([f"^{commit_name(after)}"] if after else []), "--", *(path for path in wanted if path)),
    ]
    parts = Git(repo.root)("log", *arguments).decode("utf-8", "replace").split("\0")
    width = len(LOG_FIELDS)
    found = [_parse_commit(parts[at : at + width]) for at in range(0, len(parts) - width + 1, width)]
    # a commit is listed after the merge of its side, unless only some paths are asked for
    if paths is None and not any(commit.values(JOINED) for commit in found):
        return found
    names = names_since(repo, tip)
    return [_rename(commit, names[commit.id]) if commit.id in names else commit for commit in found]


def _rename(commit: Commit, names: Mapping[str, str]) -> Commit:
    told = NewNames(names).text
    trailers = tuple((key, told(value)) for key, value in commit.trailers)
    return replace(commit, subject=told(commit.subject), trailers=trailers, renamed=names)


def commit_name(commit: str) -> str:
    """Return a commit as git is given it; raises ReelError if it is not a full id."""
    if not is_commit_id(commit):
        message = f"{commit!r} is not a commit's full id."
        raise ReelError(message)
    return commit


def _parse_commit(fields: Sequence[str]) -> Commit:
    commit, time, author, subject, body, block, trailers = fields
    pairs = tuple((one_line(key), one_line(value)) for key, value in parse_trailers(trailers))
    return Commit(
        id=commit,
        time=time,
        author=one_line(author),
        subject=one_line(subject),
        op=next((value for key, value in pairs if key == OP), None),
        trailers=pairs,
        body=_plain(body.rstrip().removesuffix(block.rstrip()) if block.strip() else body),
    )


def _plain(text: str) -> str:
    return "".join(c if c.isprintable() or c == "\n" else " " for c in text).strip("\n ")


def ratified_commit(repo: Repository, tip: str | None = None) -> str | None:
    """Return the commit that approved ring 0; None while ring 0 is still a draft.

    That is the newest commit that ratified ring 0, or the first in which a session stands on
    the tape, whichever came later. A commit by hand ratifies nothing. `tip` asks for what was in force at a
    commit, by its full id (None: the one that is checked out).
    """
    head = tip or repo.head()
    return _ratified_commit(repo, commit_name(head)) if head is not None else None


@functools.lru_cache(maxsize=32)
def _ratified_commit(repo: Repository, head: str) -> str | None:
    """Return the approving commit for a commit by its id, looked up once."""
    git = Git(repo.root)
    ratified = _newest_ratification(repo, git, head)
    if ratified is not None and _holds_session(repo, git, ratified):
        return ratified
    # an approval before the first session does not bind yet: ring 0 is a draft until then
    return _first_session(repo, git, ratified, head)


@functools.lru_cache(maxsize=8)
def first_session_commit(repo: Repository, tip: str) -> str | None:
    """Return the first commit, up to `tip` (a full id), that brought a session onto the tape."""
    return _first_session(repo, Git(repo.root), None, commit_name(tip))


def _newest_ratification(repo: Repository, git: Git, head: str) -> str | None:
    """Return the newest commit whose trailer changes ring 0, or names an approved text of it."""
    young = read_young_history(repo, head)
    if young is not None and not any(f"{RATIFIED_BY}: ".encode() in message for _, message in young):
        return None
    only = ("log", f"--grep=^{RATIFIED_BY}: ", "-z")
    by, named = (f"%(trailers:key={key},valueonly,unfold)" for key in (RATIFIED_BY, RATIFIED))
    listed = git(*only, f"--format=%H%x00{by}%x00{named}", head, "--").decode("utf-8", "replace")
    if not listed:
        return None
    touching = set(git(*only, "--format=%H", head, "--", repo.prefix + RING_0).decode().split("\0"))
    parts = listed.split("\0")
    for commit, signed, texts in zip(parts[::3], parts[1::3], parts[2::3], strict=False):
        if signed.strip() and (commit in touching or _puts_in_force(repo, commit, texts)):
            return commit
    return None


def _puts_in_force(repo: Repository, commit: str, texts: str) -> bool:
    """Return whether this kit holds one of the named texts (`ring0/identity.md <blob>`) at that commit."""
    named = [line.rpartition(" ") for line in texts.splitlines() if line.startswith(RING_0)]
    if not named:
        return False
    held = CommitTree(repo, commit).ids
    return any(held.get(path, GONE) == blob for path, _, blob in named)


def _holds_session(repo: Repository, git: Git, commit: str) -> bool:
    with suppress(NotLooseError):
        return _lists_session(repo, commit)
    listed = git("ls-tree", "-r", "-z", "--name-only", "--full-tree", commit, "--", repo.prefix + "tape/")
    names = (os.fsdecode(name)[len(repo.prefix) :] for name in listed.split(b"\0"))
    return any(SESSION_FILE.fullmatch(name) for name in names)


def _lists_session(repo: Repository, commit: str) -> bool:
    """Return whether a session stands on the tape at a commit; raises NotLooseError."""
    loose = list_files(repo, commit, repo.prefix + "tape/")
    return any(SESSION_FILE.fullmatch(path[len(repo.prefix) :]) for path in loose)


def _first_session(repo: Repository, git: Git, after: str | None, head: str) -> str | None:
    """Return the first commit, after the given one, that brought a session onto the tape."""
    with suppress(NotLooseError):
        young = read_young_history(repo, head) if after is None else None
        if young is not None:
            return next((commit for commit, _ in young if _lists_session(repo, commit)), None)
    listed = git(
        *("log", "--reverse", "--format==%H", "--name-only", "--no-renames", "--diff-filter=A"),
        *([f"--relative={repo.prefix}"] if repo.prefix else []),
        *(f"{after}..{head}" if after else head, "--", f"{repo.prefix}tape/"),
    )
    commit = None
    for line in listed.decode("utf-8", "replace").splitlines():
        if line.startswith("="):
            commit = line[1:]
        elif SESSION_FILE.fullmatch(line):
            return commit
    return None


def changed_files(repo: Repository, commit: str) -> dict[str, tuple[str | None, str | None]]:
    """Return the kit's files a commit changed: blob before and after, None where there was no file."""
    listed = Git(repo.root)(
        *("diff-tree", "-r", "-z", "--raw", "--no-abbrev", "--no-renames", f"{commit}^1", commit, "--"),
        *([repo.prefix] if repo.prefix else []),
    )
    parts = listed.split(b"\0")
    found: dict[str, tuple[str | None, str | None]] = {}
    for head, name in zip(parts[::2], parts[1::2], strict=False):
        _, _, before, after, _ = head.decode("ascii").split()
        found[os.fsdecode(name)[len(repo.prefix) :]] = (_or_none(before), _or_none(after))
    return found


def _or_none(blob: str) -> str | None:
    return blob if blob.strip("0") else None
