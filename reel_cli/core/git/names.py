"""Resolution of git's names, in which a failure of git never counts as a no."""

from reel_cli.core.git.process import git_problem, git_process
from reel_cli.core.git.repository import Repository, is_commit_id
from reel_cli.core.git.tape_history import AS_IT_IS


def read_tip(repo: Repository, ref: str) -> str | None:
    """Return the commit that a name leads to, None where there is none; StateError if git cannot answer."""
    asked = git_process(repo.root, "rev-parse", "--verify", "-q", f"{ref}^{{commit}}", env=AS_IT_IS)
    tip = asked.stdout.decode("ascii", "replace").strip()
    if asked.returncode and asked.stderr.strip():
        raise git_problem(asked.stderr.decode("utf-8", "replace"), "rev-parse", repo.root)
    return tip if is_commit_id(tip) else None


def is_ancestor(repo: Repository, commit: str, tip: str) -> bool:
    """Return whether a commit is part of a tip's history; StateError if git cannot answer.

    A commit that git no longer has is part of no history.
    """
    asked = git_process(repo.root, "merge-base", "--is-ancestor", commit, tip, env=AS_IT_IS)
    if asked.returncode > 1:
        # git says the same of a commit that is gone as of settings that it cannot read
        known = git_process(repo.root, "cat-file", "-e", f"{tip}^{{commit}}", env=AS_IT_IS)
        if known.returncode:
            raise git_problem(asked.stderr.decode("utf-8", "replace"), "merge-base", repo.root)
    return asked.returncode == 0
