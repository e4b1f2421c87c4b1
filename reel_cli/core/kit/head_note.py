"""A few words kept of a kit's history, for what takes a reading of all of it."""

import json
from collections.abc import Callable
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import TypeVar

from reel_cli import __version__
from reel_cli.core.files.catalog_store import TROUBLE, CatalogUnusable, Store, open_store
from reel_cli.core.git.commit_tree import CommitStep, steps_since
from reel_cli.core.git.repository import Repository, is_commit_id

T = TypeVar("T")
Holds = Callable[[T, CommitStep], bool]
"""Function that returns whether a note on the commit before it is true of a commit as well."""


def note_history(  # noqa: PLR0913 (of what, on what, and while it holds)
    kit: Path,
    repo: Repository,
    kind: str,
    make: Callable[[], T],
    facts: str = "",
    *,
    holds: Holds[T] | None = None,
) -> T:
    """Return a note (plain JSON, not null) on the checked-out history: the cached one, or by `make`.

    It is trusted while the same commit is checked out, and `facts`, what it depends on beside, are as they
    were; with `holds` also while the commits that came since each leave it true. Where no catalog can be
    used, it is made each time.
    """
    if repo.head() is None:
        return make()
    try:
        store = open_store(kit)
    except CatalogUnusable:
        return make()
    try:
        return note_in(store, repo, kind, make, facts, holds=holds)
    finally:
        with suppress(*TROUBLE):
            store.close(keep=True)


def note_in(  # noqa: PLR0913 (as above)
    store: Store,
    repo: Repository,
    kind: str,
    make: Callable[[], T],
    facts: str = "",
    *,
    holds: Holds[T] | None = None,
) -> T:
    """Return a note as `note_history` does, in a catalog that is open."""
    head = repo.head()
    if head is None:
        return make()
    name = f"history {kind}"
    # the shallow file limits how far back history reaches, not where it ends
    shallow = repo.common_dir / "shallow"
    text = "\0".join((__version__, repo.prefix, str(shallow.is_file()), facts))
    stamp = blake2b(text.encode("utf-8", "surrogateescape"), digest_size=16).hexdigest()
    known: tuple[str, T] | None = None
    with suppress(CatalogUnusable, ValueError, TypeError, *TROUBLE):
        commit, value = json.loads(store.recall(name, stamp) or "null")
        known = commit, value
    if known is not None and known[0] == head:
        return known[1]
    made = known[1] if known is not None and _still_holds(repo, known, head, holds) else make()
    with suppress(*TROUBLE):
        store.keep(name, stamp, json.dumps((head, made)))
    return made


def _still_holds(repo: Repository, known: tuple[str, T], head: str, holds: Holds[T] | None) -> bool:
    """Return whether each commit since the one that was noted leaves the note true."""
    commit, value = known
    if holds is None or not is_commit_id(commit):
        return False
    steps = steps_since(repo, commit, head)
    return steps is not None and all(holds(value, step) for step in steps)
