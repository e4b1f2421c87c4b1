"""Lookup of the commit that a person means, and of the time at which each commit was made."""

import re

from reel_cli.core.errors import ReelError, StateError, UsageError
from reel_cli.core.frozen import frozen
from reel_cli.core.git.process import Git, git_process
from reel_cli.core.git.repository import Repository, is_commit_id

LONGEST = 200
"""Characters above which a branch name is refused."""
_NAME = re.compile(
    r"[^\s~^:?*\[\\\x00-\x1f\x7f-]([^\s~^:?*\[\\\x00-\x1f\x7f]*[^\s~^:?*\[\\\x00-\x1f\x7f./])?"
)
_STEPS = re.compile(r"(?:[~^]\d{0,6})+$")
_HOW = "write a day like 2026-03-01, a commit like 4f2a91c, a branch or tag, or HEAD~3; see  reel log --json"


@frozen
class CommitTime:
    """A commit by its full id, and when it was made, in seconds since 1970 (the committer's clock)."""

    id: str
    seconds: int


def find_revision(repo: Repository, text: str) -> str:
    """Return the full id of the commit a person names: an id or its beginning, a branch, a tag, `HEAD~3`.

    Nothing else of what git takes for a revision is handed to it. Raises UsageError for what cannot be
    one, ReelError where it names nothing, or more than one commit.
    """
    name = text.strip()
    steps = _STEPS.search(name)
    base = name[: steps.start()] if steps else name
    if len(name) > LONGEST or not _NAME.fullmatch(base) or ".." in base or "@{" in base:
        message = f"{name[:60]!r} is neither a day nor a commit."
        raise UsageError(message, hint=_HOW)
    found, complaint = _ask(repo, name)
    if found is not None:
        return found
    if "ambiguous" in complaint:
        message = f"More than one commit begins with {base}."
        raise ReelError(message, hint="write more of its id")
    if base != name and _ask(repo, base)[0] is not None:
        message = f"History does not go back as far as {name}."
        raise ReelError(message, hint=_shallow_hint(repo) or "the first commit is the kit's making")
    message = f"There is no commit, branch or tag {name!r} here."
    raise ReelError(message, hint=_shallow_hint(repo) or _HOW)


def _ask(repo: Repository, name: str) -> tuple[str | None, str]:
    asked = git_process(repo.root, "rev-parse", "--verify", "--end-of-options", f"{name}^{{commit}}")
    found = asked.stdout.decode("ascii", "replace").strip()
    return (found if is_commit_id(found) else None), asked.stderr.decode("utf-8", "replace")


def read_line(repo: Repository, tip: str) -> list[CommitTime]:
    """Return the commits that changed the kit, newest first, along the first parents of `tip` (a full id)."""
    place = [repo.prefix] if repo.prefix else []
    listed = Git(repo.root)("rev-list", "--first-parent", "--timestamp", tip, "--", *place)
    rows = (line.split() for line in listed.decode("ascii").splitlines())
    return [CommitTime(commit, int(seconds)) for seconds, commit in rows]


def when_recorded(repo: Repository, commit: str) -> CommitTime:
    """Return a commit, by its full id, with its time."""
    listed = Git(repo.root)("rev-list", "--max-count=1", "--timestamp", commit, "--").split()
    return CommitTime(commit, int(listed[0]))


def first_parent(repo: Repository, commit: str) -> str | None:
    """Return the commit before this one (a full id); None if it is the first."""
    listed = Git(repo.root)("rev-list", "--max-count=1", "--parents", commit, "--").split()
    return listed[1].decode("ascii") if len(listed) > 1 else None


def first_parents(repo: Repository) -> dict[str, str]:
    """Return the first parent of each commit in history; the first commit is absent."""
    listed = Git(repo.root)("rev-list", "--parents", "HEAD").decode("ascii", "replace")
    told = (line.split() for line in listed.splitlines())
    return {ids[0]: ids[1] for ids in told if len(ids) > 1}


def first_commit_of(repo: Repository, path: str) -> str | None:
    """Return the first commit in which a file of the kit stands; None where none has it."""
    listed = Git(repo.root)(
        *("log", "--reverse", "--format=%H", "--no-renames", "--diff-filter=A", "HEAD", "--"),
        repo.prefix + path,
    )
    return next(iter(listed.decode("ascii").split()), None)


def is_shallow(repo: Repository) -> bool:
    """Return whether this is a clone without its older commits."""
    return (repo.common_dir / "shallow").exists()


def require_history(repo: Repository | None, name: str) -> tuple[Repository, str]:
    """Return the repository and the checked-out commit; raises StateError if there is none."""
    head = repo.head() if repo is not None else None
    if repo is None or head is None:
        message = f"{name} has no history (git) yet, so only its present state is known."
        raise StateError(message, hint="what has no history can only be seen as it lies here")
    return repo, head


def _shallow_hint(repo: Repository) -> str | None:
    if not is_shallow(repo):
        return None
    return "this clone does not hold the older commits; fetch them with  git fetch --unshallow"
