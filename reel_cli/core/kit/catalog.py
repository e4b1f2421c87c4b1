"""Holdings from the catalog: each file is checked each time, and read only if it has changed.

What is kept of a file is trusted on its size, its two times and its inode, and nothing is kept of a file as
young as the catalog's own clock, for it may change again without looking different. The result is that of
`kit.holdings`, byte for byte; where the catalog cannot be used, that is what is used.
"""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from reel_cli import __version__
from reel_cli.core.files.catalog_store import TROUBLE, CatalogUnusable, Store, discard, is_damage, open_store
from reel_cli.core.kit.catalog_core import dump_core, load_core, look_at_core
from reel_cli.core.kit.catalog_rows import KeptLines, KeptMemories, Source, refresh_lines, refresh_memories
from reel_cli.core.values.holdings import Core, Counter, Holdings, Writing

if TYPE_CHECKING:
    from reel_cli.core.kit.ring0 import Ring0
    from reel_cli.core.kit.ring1 import Ring1
    from reel_cli.core.kit.snapshot import Snapshot

T = TypeVar("T")
Tokenizers = Callable[[str], Counter]

FOLDERS = ("ring0", "ring1", "ring2", "ring3", "ring4", "review")


def with_holdings(kit: Path, writing: Writing, tokenizers: Tokenizers, use: Callable[[Holdings], T]) -> T:
    """Call `use` with the holdings of the kit in a folder, from its catalog if possible.

    `use` may be called a second time, when the catalog turns out damaged on the way. Raises ReelError
    naming the file that cannot be read.
    """
    try:
        return _with_catalog(kit, writing, tokenizers, use)
    except (CatalogUnusable, OSError, *TROUBLE):
        return use(_read_plainly(kit, writing, tokenizers))


def _with_catalog(kit: Path, writing: Writing, tokenizers: Tokenizers, use: Callable[[Holdings], T]) -> T:
    if any((kit / folder).is_symlink() for folder in FOLDERS):
        message = "a ring is a link, and it is for the plain way to say where to"
        raise CatalogUnusable(message)
    store = open_store(kit)
    fresh = False
    try:
        store.begin()
        reading = _Reading(kit, store, writing, tokenizers)
        holdings = reading.holdings()
        fresh = True
        result = use(holdings)
        reading.keep_counts()
    except (CatalogUnusable, *TROUBLE) as error:
        fresh = False
        if isinstance(error, CatalogUnusable) or is_damage(error):
            discard(store.path)
        raise
    finally:
        store.close(keep=fresh)
    return result


def _read_plainly(kit: Path, writing: Writing, tokenizers: Tokenizers) -> Holdings:
    from reel_cli.core.kit.read_holdings import read_holdings

    snapshot = _snapshot(kit)
    return read_holdings(snapshot, writing, tokenizers, *_in_force(kit, snapshot))


def _snapshot(kit: Path) -> "Snapshot":
    from reel_cli.core.files.tree import WorkTree
    from reel_cli.core.kit.snapshot import Snapshot

    return Snapshot(WorkTree(kit), kit.resolve().name)


def _in_force(kit: Path, snapshot: "Snapshot") -> "tuple[Ring0, Ring1]":
    from reel_cli.core.git.repository import find_own_repository
    from reel_cli.core.kit.ring0 import read_in_force
    from reel_cli.core.kit.ring1 import read_approved

    repository = find_own_repository(kit)
    return read_in_force(snapshot, repository), read_approved(snapshot, repository)


class _Reading:
    """One reading of a kit through its catalog."""

    def __init__(self, kit: Path, store: Store, writing: Writing, tokenizers: Tokenizers) -> None:
        self.kit = kit
        self.store = store
        self.writing = writing
        self.tokenizers = tokenizers
        self._snapshot: Snapshot | None = None
        self._counter: _KeptCounter | None = None

    def snapshot(self) -> "Snapshot":
        """Return the kit's files, for what has to be read after all."""
        if self._snapshot is None:
            self._snapshot = _snapshot(self.kit)
        return self._snapshot

    def holdings(self) -> Holdings:
        """Update the catalog and return its holdings."""
        core = self._core()
        self.writing = self.writing.among(core.settings.people)
        counter = self._counter = self._count_by(core.settings.tokenizer)
        profile = self.store.profile(f"{__version__} {self.writing.key} {counter.key}")
        source = Source(self.kit, self.snapshot, self.store, self.writing, counter.plain, profile)
        memories = refresh_memories(source)
        lines = refresh_lines(source)
        return Holdings(
            core=core,
            memories=KeptMemories(self.store, profile, memories),
            lines=KeptLines(self.store, profile, lines),
            counter=counter,
            highest=max(memories["highest"], lines["highest"]),
            broken=lines["broken"],
            notebook=self.store,
        )

    def _count_by(self, name: str) -> "_KeptCounter":
        """Return the kit's tokenizer; a tokenizer file is checked, since it may have changed."""
        key = name if name.isidentifier() else getattr(self.tokenizers(name), "key", name)
        return _KeptCounter(self.store, name, key, self.tokenizers)

    def keep_counts(self) -> None:
        """Keep what was counted on the way."""
        if self._counter:
            self._counter.keep()

    def _core(self) -> Core:
        stamp, born = look_at_core(self.kit)
        known = self.store.recall("core", stamp) if stamp else None
        if known is not None:
            return load_core(known)
        from reel_cli.core.kit.read_holdings import read_core

        clock = self.store.clock()
        snapshot = self.snapshot()
        core = read_core(snapshot, *_in_force(self.kit, snapshot))
        if stamp and born < clock:
            self.store.keep("core", stamp, dump_core(core))
        return core


class _KeptCounter:
    """A tokenizer that is loaded only for what was not counted before."""

    def __init__(self, store: Store, name: str, key: str, tokenizers: Tokenizers) -> None:
        self.name = name
        self.key = key
        self._store = store
        self._tokenizers = tokenizers
        self._new: dict[str, int] = {}

    @property
    def plain(self) -> Counter:
        """Return the tokenizer itself, made when it is first needed; its counts are not kept here."""
        return _LateCounter(self.name, self._tokenizers)

    @property
    def additive(self) -> bool:
        """Return whether its counts add up."""
        known = self._store.recall(f"additive {self.key}", __version__)
        if known is None:
            additive = self.plain.additive
            self._store.keep(f"additive {self.key}", __version__, "yes" if additive else "no")
            return additive
        return known == "yes"

    def count(self, text: str) -> int:
        """Return the token count of a text."""
        tokens = self._new.get(text)
        if tokens is None:
            tokens = self._store.recall_count(self.key, text)
        if tokens is None:
            tokens = self._new[text] = self.plain.count(text)
        return tokens

    def keep(self) -> None:
        """Keep what was counted anew."""
        if self._new:
            self._store.keep_counts(self.key, self._new.items())


class _LateCounter:
    """A tokenizer that is made when it first counts."""

    def __init__(self, name: str, tokenizers: Tokenizers) -> None:
        self.name = name
        self._tokenizers = tokenizers

    @property
    def additive(self) -> bool:
        """Return whether its counts add up."""
        return self._tokenizers(self.name).additive

    def count(self, text: str) -> int:
        """Return the token count of a text."""
        return self._tokenizers(self.name).count(text)
