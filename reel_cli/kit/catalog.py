"""Holdings from the catalog: each file is looked at each time, and read only when it has changed.

What is kept of a file is trusted on its size, its two times and its inode, and nothing is kept of a file as young as
the catalog's own clock, for it may change again without looking different. The result is that of `kit.holdings`, byte for
byte; where the catalog cannot be used, that is what is used.
"""

import json
import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar
from zlib import crc32

from reel_cli.kit.catalog_store import CatalogUnusable, Store, checksum, discard, open_store, verify
from reel_cli.model.exemplar import ActiveSet, Exemplar
from reel_cli.model.holdings import Counter, Holdings, LineRow, MemoryRow, Writing
from reel_cli.model.settings import Range, Settings

if TYPE_CHECKING:
    from reel_cli.kit.holdings import Core, WrittenLine
    from reel_cli.kit.snapshot import Snapshot

T = TypeVar("T")
Tokenizers = Callable[[str], Counter]

SMALL_FILES = (
    *("kit.yaml", "ring0/identity.md", "ring0/directives.md"),
    *("ring1/active.yaml", "ring2/working.md"),
)
INDEX = "ring4/index.md"
FOLDERS = ("ring0", "ring1", "ring2", "ring3", "ring4")
SYMBOLIC = "ref: "


def with_holdings(kit: Path, writing: Writing, tokenizers: Tokenizers, use: Callable[[Holdings], T]) -> T:
    """Do something with the holdings of the kit in a folder, by its catalog where that can be.

    `use` may be called a second time, when the catalog turns out damaged on the way. Raises ReelError naming the
    file that cannot be read.
    """
    try:
        return _with_catalog(kit, writing, tokenizers, use)
    except (CatalogUnusable, sqlite3.Error):
        return use(_read_plainly(kit, writing, tokenizers))


def _with_catalog(kit: Path, writing: Writing, tokenizers: Tokenizers, use: Callable[[Holdings], T]) -> T:
    if any(os.path.islink(kit / folder) for folder in FOLDERS):
        message = "a ring is a link, and it is for the plain way to say where to"
        raise CatalogUnusable(message)
    store = open_store(kit)
    whole = False
    try:
        store.begin()
        result = use(_Catalog(kit, store, writing, tokenizers).holdings())
        whole = True
    except (sqlite3.OperationalError, OSError):
        raise
    except (CatalogUnusable, sqlite3.DatabaseError):
        discard(store.path)
        raise
    finally:
        store.close(keep=whole)
    return result


def _read_plainly(kit: Path, writing: Writing, tokenizers: Tokenizers) -> Holdings:
    from reel_cli.kit.holdings import read_holdings  # noqa: PLC0415

    snapshot = _snapshot(kit)
    return read_holdings(snapshot, writing, tokenizers, _in_force(kit, snapshot))


def _snapshot(kit: Path) -> "Snapshot":
    from reel_cli.kit.snapshot import Snapshot  # noqa: PLC0415
    from reel_cli.kit.tree import WorkTree  # noqa: PLC0415

    return Snapshot(WorkTree(kit), kit.resolve().name)


def _in_force(kit: Path, snapshot: "Snapshot") -> Any:  # noqa: ANN401
    from reel_cli.kit.git import find_repository  # noqa: PLC0415
    from reel_cli.kit.ring0 import read_in_force  # noqa: PLC0415

    return read_in_force(snapshot, find_repository(kit))


class _Catalog:
    """One reading of a kit through its catalog."""

    def __init__(self, kit: Path, store: Store, writing: Writing, tokenizers: Tokenizers) -> None:
        self.kit = kit
        self.store = store
        self.writing = writing
        self.tokenizers = tokenizers
        self._read: Snapshot | None = None

    @property
    def snapshot(self) -> "Snapshot":
        """The kit's files, for what has to be read after all."""
        if self._read is None:
            self._read = _snapshot(self.kit)
        return self._read

    def holdings(self) -> Holdings:
        """Bring the catalog up to date, and give what it holds."""
        core, warnings = self._core()
        counter = _KeptCounter(self.store, core.settings.tokenizer, self.tokenizers)
        name = f"{counter.name} {self.writing.key}"
        profile = self.store.profile(name)
        memories = _Ring3(self, profile, counter).totals()
        lines = _Ring4(self, profile, counter).totals()
        return Holdings(
            settings=core.settings,
            identity=core.identity,
            directives=core.directives,
            working=core.working,
            exemplars=core.exemplars,
            active=core.active,
            memories=_KeptMemories(self.store, profile, *memories["totals"]),
            lines=_KeptLines(self.store, profile, *lines["totals"]),
            counter=counter,
            highest=max(memories["highest"], lines["highest"]),
            warnings=[*warnings, *lines["warnings"]],
        )
