"""A summary comes back as it was, with the links to it in its sources' pages (MEMORY-MGMT §4)."""

from collections.abc import Sequence
from json import dumps

from reel_cli.core.errors import ReelError
from reel_cli.core.git.commit_tree import CommitTree
from reel_cli.core.git.repository import Repository
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.rings.losses import (
    RESTORE,
    SUMMED_UP,
    is_shallow,
    list_versions,
    shallow_problem,
    tree_before,
)
from reel_cli.core.shell import quote
from reel_cli.core.values.change import Change, one_line
from reel_cli.core.values.holdings import Counter
from reel_cli.features.forgetting.plan_restore import Back, RestorePlan
from reel_cli.features.shelf.shelf_file import text_of
from reel_cli.features.shelf.summaries.files import is_summary_path, parse_summary
from reel_cli.features.shelf.summaries.plan import SUMMARY, link_back


def is_summary_name(name: str) -> bool:
    """Return whether a name given to `restore` is that of a summary."""
    return is_summary_path(name.removeprefix("./"))


def plan_restore_summary(
    snapshot: Snapshot, repo: Repository, counter: Counter, wanted: Sequence[str], *, earlier: bool = False
) -> RestorePlan:
    """Plan to restore deleted summaries; with `earlier`, existing ones as they were before.

    Raises ReelError where one is there already, or history has none.
    """
    items: list[Back] = []
    writes: dict[str, bytes | None] = {}
    trailers = []
    for path in dict.fromkeys(name.removeprefix("./") for name in wanted):
        now = snapshot.read(path)
        if now is not None and not earlier:
            message = f"{path} is there."
            raise ReelError(message, hint=f"to have the one before it:  reel restore {quote(path)} --earlier")
        data, commit = _before(repo, path, now)
        text = text_of(data) or ""
        summary = parse_summary(text, path)
        writes[path] = data
        writes |= link_back(snapshot, summary)
        size = counter.count(text)
        items.append(Back(path, summary.title, "off", SUMMED_UP, 0, size, commit, repo.blob_id(data)))
        quoted = dumps(one_line(path), ensure_ascii=False)
        trailers.append((SUMMARY, f"{quoted} sources={len(summary.sources)} style={summary.style}"))
    notes = tuple(f"{item.id} as it was before {item.commit[:12]}" for item in items)
    named = ", ".join(item.id for item in items[:3]) + (" and more" if items[3:] else "")
    return RestorePlan(Change(RESTORE, f"brought back {named}", writes, tuple(trailers), notes), items)


def _before(repo: Repository, path: str, now: bytes | None) -> tuple[bytes, str]:
    """Return the newest version that differs from the present, and the commit that ended or holds it."""
    mine = repo.blob_id(now) if now is not None else ""
    head = repo.head()
    if head is not None:
        with CommitTree(repo, head) as tree:
            data = tree.read(path)
        if data is not None and repo.blob_id(data) != mine:
            return data, head
    for version in list_versions(repo, path):
        if version.blob != mine:
            with tree_before(repo, version.commit) as tree:
                data = tree.read(path)
            if data is not None:
                return data, version.commit
    if is_shallow(repo):
        raise shallow_problem()
    what = "any other" if now is not None else "there"
    message = f"The history has no {path} that was {what}."
    raise ReelError(message, hint="make one:  reel shelf summarize FILE")
