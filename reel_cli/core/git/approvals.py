"""Approvals that reel did not make, as far as history and git's log on this machine tell."""

from collections.abc import Sequence
from contextlib import suppress
from functools import lru_cache

from reel_cli.core.files.commit_message import OP, RATIFIED_BY
from reel_cli.core.files.private import read_plain
from reel_cli.core.frozen import frozen
from reel_cli.core.git.commit_tree import NotLooseError, read_loose
from reel_cli.core.git.process import Git, git_process
from reel_cli.core.git.repository import Repository

OWN_OPERATIONS = frozenset({"init", "review", "undo", "redo"})
"""The operations under which reel approves a text of ring 0."""
OWN_FOLDERS = ("ring0/", "review/", "journal/")
"""Folders that an approval changes: use noted since the last change goes into the journal with it."""
BY_GIT = ("commit", "commit (initial)", "commit (merge)")
"""How git's log begins of a commit that somebody made with `git commit`; of reel's it is `reel`."""
AMENDED = "commit (amend)"
TOLD = "was approved by a commit that reel did not make ({why})"
MEND = "git show {commit}  shows it; take it back with  git checkout {commit}~ -- ring0/ , then  reel review"
_FIELDS = ("%P", "%s", *(f"%(trailers:key={key},valueonly,unfold)" for key in (OP, RATIFIED_BY)))


@frozen
class DoubtfulApproval:
    """A commit that approves a text of ring 0, and why reel cannot have made it, in words."""

    commit: str
    why: str

    @property
    def what(self) -> str:
        """Describe what happened to the text, without a subject."""
        return TOLD.format(why=self.why)

    @property
    def mend(self) -> str:
        """The way back, and the way on."""
        return MEND.format(commit=self.commit[:7])


def doubt_approval(repo: Repository, commit: str) -> DoubtfulApproval | None:
    """Return why the approval of a commit (a full id) is not reel's; None where nothing speaks against it.

    A commit that approves nothing is not doubted. Its own form is looked at, which is the same in every
    clone, and git's log of this machine, which other machines do not have: so a commit that imitates all of
    reel's form is found where it was made, and not where it was pulled to.
    """
    return doubt_by_form(repo, commit, judge_form(repo, commit))


def doubt_by_form(repo: Repository, commit: str, form: str | None) -> DoubtfulApproval | None:
    """Return the doubt as `doubt_approval` does, where it is known already what `judge_form` says."""
    why = None if form is None else form or _log(repo, commit)
    return DoubtfulApproval(commit, why) if why else None


@lru_cache(maxsize=8)
def judge_form(repo: Repository, commit: str) -> str | None:
    """Return how a commit (a full id) differs from an approval that reel makes.

    "" where it does not, None for a commit that approves nothing. It is the same as long as the commit is.
    """
    with suppress(NotLooseError):
        # git's own reader of trailers takes the key in any case
        if RATIFIED_BY.lower().encode() not in read_loose(repo, commit, "commit").lower():
            return None
    asked = Git(repo.root)("log", "-1", f"--format={'%x00'.join(_FIELDS)}", commit, "--")
    parents, subject, op, signed = asked.decode("utf-8", "replace").rstrip("\n").split("\0")
    return _form(repo, commit, parents.split(), subject, op.strip()) if signed.strip() else None


def _form(repo: Repository, commit: str, parents: Sequence[str], subject: str, op: str) -> str:
    """Return how the commit differs from one that reel makes; "" if it does not."""
    if op not in OWN_OPERATIONS:
        return f"{OP} is {op!r}" if op else f"it has no {OP}"
    if not subject.startswith(f"{op}: "):
        return f"its subject does not begin with {op!r}"
    if op != "review" or not parents:
        return ""
    own = tuple(f"{repo.prefix}{folder}" for folder in OWN_FOLDERS)
    listed = Git(repo.root)("diff-tree", "-r", "-z", "--name-only", "--no-renames", parents[0], commit, "--")
    names = [name for name in listed.decode("utf-8", "replace").split("\0") if name]
    others = [name for name in names if not name.startswith(own)]
    return f"it changes {others[0]} as well" if others and any(n.startswith(own[0]) for n in names) else ""


def _log(repo: Repository, commit: str) -> str:
    """Return what this machine's git log says against the commit; "" if nothing."""
    logs = [repo.git_dir / "logs" / "HEAD"]
    branch = repo.branch()
    if branch is not None:
        logs.append(repo.common_dir / "logs" / branch)
    sought = {commit}
    for log in logs:
        try:
            lines = read_plain(log).splitlines()
        except OSError:
            continue
        for line in reversed(lines):
            moved, _, message = line.decode("utf-8", "replace").partition("\t")
            ids, action = moved.split(" ", 2)[:2], message.partition(":")[0]
            if len(ids) < 2 or ids[1] not in sought:
                continue
            if action in BY_GIT or (action == AMENDED and not _same_files(repo, *ids)):
                return "it was made here with git commit"
            if action == AMENDED:
                sought.add(ids[0])
    return ""


def _same_files(repo: Repository, old: str, new: str) -> bool:
    """Return whether amending changed no file; False if the earlier commit is gone."""
    asked = git_process(repo.root, "rev-parse", "-q", "--verify", f"{old}^{{tree}}")
    now = git_process(repo.root, "rev-parse", "-q", "--verify", f"{new}^{{tree}}")
    return asked.returncode == now.returncode == 0 and asked.stdout == now.stdout
