"""A few words kept of a kit's history, for what takes a reading of all of it."""

import json
from collections.abc import Callable
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import TypeVar

from reel_cli import __version__
from reel_cli.core.files.catalog_store import TROUBLE, CatalogUnusable, open_store
from reel_cli.core.git.repository import Repository

T = TypeVar("T")


def note_history(kit: Path, repo: Repository, kind: str, make: Callable[[], T], facts: str = "") -> T:
    """Return a note (plain JSON, not null) on the checked-out history: the cached one, or by `make`.

    It is trusted while the same commit is checked out, and `facts`, what it depends on beside, are as they
    were. Where no catalog can be used, it is made each time.
    """
    head = repo.head()
    if head is None:
        return make()
    try:
        store = open_store(kit)
    except CatalogUnusable:
        return make()
    name = f"history {kind}"
    # the shallow file limits how far back history reaches, not where it ends
    shallow = repo.common_dir / "shallow"
    text = "\0".join((__version__, head, repo.prefix, str(shallow.is_file()), facts))
    stamp = blake2b(text.encode("utf-8", "surrogateescape"), digest_size=16).hexdigest()
    try:
        with suppress(CatalogUnusable, ValueError, *TROUBLE):
            kept = store.recall(name, stamp)
            if kept is not None:
                known: T = json.loads(kept)
                return known
        made = make()
        with suppress(*TROUBLE):
            store.keep(name, stamp, json.dumps(made))
        return made
    finally:
        with suppress(*TROUBLE):
            store.close(keep=True)
