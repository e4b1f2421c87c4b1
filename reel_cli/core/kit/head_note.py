"""A few words kept of a kit's history, for what takes a reading of all of it."""

import json
from collections.abc import Callable
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import Generic, TypeVar

from reel_cli import __version__
from reel_cli.core.files.catalog_store import TROUBLE, CatalogUnusable, Store, open_store
from reel_cli.core.frozen import frozen
from reel_cli.core.git.commit_tree import CommitStep, steps_since
from reel_cli.core.git.repository import Repository, is_commit_id

T = TypeVar("T")
Holds = Callable[[T, CommitStep], bool]
"""Function that returns whether a note on the commit before it is true of a commit as well."""


@frozen
class HistoryNote(Generic[T]):
    """A note (plain JSON, not null) on the checked-out history, which `make` makes.

    It is trusted while the same commit is checked out, and `facts`, what it depends on beside, are as they
    were; with `holds` also while the commits that came since each leave it true.
    """

    kind: str
    make: Callable[[], T]
    facts: str = ""
    holds: Holds[T] | None = None

    def recall(self, kit: Path, repo: Repository) -> T:
        """Return the note cached for a kit, or a new one; without a usable catalog it is made each time."""
        if repo.head() is None:
            return self.make()
        try:
            store = open_store(kit)
        except CatalogUnusable:
            return self.make()
        try:
            return self.recall_in(store, repo)
        finally:
            with suppress(*TROUBLE):
                store.close(keep=True)

    def recall_in(self, store: Store, repo: Repository) -> T:
        """Return the note as `recall` does, in a catalog that is open."""
        head = repo.head()
        if head is None:
            return self.make()
        name = f"history {self.kind}"
        # the shallow file limits how far back history reaches, not where it ends
        shallow = repo.common_dir / "shallow"
        text = "\0".join((__version__, repo.prefix, str(shallow.is_file()), self.facts))
        stamp = blake2b(text.encode("utf-8", "surrogateescape"), digest_size=16).hexdigest()
        known: tuple[str, T] | None = None
        with suppress(CatalogUnusable, ValueError, TypeError, *TROUBLE):
            commit, value = json.loads(store.recall(name, stamp) or "null")
            known = commit, value
        if known is not None and known[0] == head:
            return known[1]
        made = known[1] if known is not None and self._still_holds(repo, known, head) else self.make()
        with suppress(*TROUBLE):
            store.keep(name, stamp, json.dumps((head, made)))
        return made

    def _still_holds(self, repo: Repository, known: tuple[str, T], head: str) -> bool:
        """Return whether each commit since the one that was noted leaves the note true."""
        commit, value = known
        if self.holds is None or not is_commit_id(commit):
            return False
        steps = steps_since(repo, commit, head)
        return steps is not None and all(self.holds(value, step) for step in steps)
