"""New names of what the commits of one side of a merge name, since the two sides were joined."""

from collections.abc import Mapping

from reel_cli.core.git.process import Git, git_process
from reel_cli.core.git.repository import Repository, is_commit_id
from reel_cli.core.values.renumbering import JOINED, RENUMBERED, parse_renumbered


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
