"""Holdings from the catalog: each file is checked each time, and read only if it has changed.

What is kept of a file is trusted on its size, its two times and its inode, and nothing is kept of a file as
young as the catalog's own clock, for it may change again without looking different. The result is that of
`kit.holdings`, byte for byte; where the catalog cannot be used, that is what is used.
"""

import json
import os
from collections.abc import Callable, Sequence
from dataclasses import asdict, fields
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from reel_cli import __version__
from reel_cli.core.cache_file import discard, is_damage
from reel_cli.core.files.catalog_store import TROUBLE, CatalogUnusable, Store, open_store
from reel_cli.core.files.kit_files import list_kit_files
from reel_cli.core.files.private import read_plain
from reel_cli.core.files.tree import Look, is_exemplar_file, look_at, look_into, stamp_folder
from reel_cli.core.git.git_folder import ForeignRepositoryError, GitFolder
from reel_cli.core.kit.catalog_rows import KeptLines, KeptMemories, Source, refresh_lines, refresh_memories
from reel_cli.core.values.holdings import Clash, Core, Counter, FactRow, Holdings, MemoryTexts, OldValue
from reel_cli.core.values.memory import ActiveSet, Exemplar
from reel_cli.core.values.settings import Settings, load_settings

if TYPE_CHECKING:
    from reel_cli.core.kit.approved_rings import Ring0, Ring1
    from reel_cli.core.kit.snapshot import Snapshot

RING_FILES = ("ring0/identity.md", "ring0/directives.md", "ring1/active.yaml", "ring2/working.md")


def dump_core(core: Core) -> str:
    """Return the core as JSON."""
    value = core._asdict()
    value["settings"], value["active"] = asdict(core.settings), asdict(core.active)
    value["exemplars"] = [asdict(exemplar) for exemplar in core.exemplars]
    return json.dumps(value, ensure_ascii=False)


def load_core(text: str) -> Core:
    """Return the core that `dump_core` wrote."""
    value = json.loads(text)
    active = value["active"]
    return Core(
        settings=load_settings(value["settings"]),
        identity=value["identity"],
        directives=value["directives"],
        working=value["working"],
        exemplars=[Exemplar(**exemplar) for exemplar in value["exemplars"]],
        active=ActiveSet(active["anchor"], tuple(active["active"]), tuple(active.get("resting", ()))),
        waiting=value["waiting"],
        drafts=value["drafts"],
        clashes=[Clash(name, _side(older), _side(newer)) for name, older, newer in value["clashes"]],
        facts=[FactRow(*row) for row in value["facts"]],
        resting=[(name, why) for name, why in value["resting"]],
        old_values=[OldValue(*value) for value in value["old_values"]],
        unapproved=[(path, how) for path, how in value["unapproved"]],
        doubt=(value["doubt"][0], value["doubt"][1]) if value["doubt"] else None,
    )


def _side(value: Sequence[str]) -> tuple[str, str, str]:
    where, says, day = value
    return where, says, day


def look_at_core(kit: Path) -> tuple[str, int]:
    """Return the core's stamp ("" if it must be read), and the creation time of its youngest file."""
    small = [*RING_FILES, *(file.path for file in list_kit_files() if file.packed)]
    looks = [look_at(kit / path, path) for path in small]
    looks += sorted(look for look in look_into(kit / "ring1") if is_exemplar_file(look.name))
    looks += sorted(
        look._replace(name=f"review/{look.name}")
        for look in look_into(kit / "review")
        if look.name.endswith(".md")
    )
    if not all(look.stamp for look in looks):
        return "", 0
    made = [
        __version__,
        kit.resolve().name,
        _shape(),
        history_mark(kit),
        *(f"{x.name} {x.stamp}" for x in looks),
    ]
    # a folder's name may not be valid UTF-8, which SQLite does not accept as text
    return "\n".join(made).encode("utf-8", "backslashreplace").decode("utf-8"), _youngest(looks)


def _youngest(looks: Sequence[Look]) -> int:
    return max((look.born for look in looks), default=0)


def _shape() -> str:
    """Return the names of what is kept, so that a new field is read and not left at its default."""
    named = [field.name for kept in (Settings, Exemplar, ActiveSet) for field in fields(kept)]
    return " ".join([*named, *Core._fields, *Clash._fields, *FactRow._fields, *OldValue._fields])


T = TypeVar("T")
Tokenizers = Callable[[str], Counter]

_BRANCH = "ref: refs/heads/"
FOLDERS = ("ring0", "ring1", "ring2", "ring3", "ring4", "review")


def with_holdings(kit: Path, writing: MemoryTexts, tokenizers: Tokenizers, use: Callable[[Holdings], T]) -> T:
    """Call `use` with the holdings of the kit in a folder, from its catalog if possible.

    `use` may be called a second time, when the catalog turns out damaged on the way. Raises ReelError
    naming the file that cannot be read.
    """
    try:
        return _with_catalog(kit, writing, tokenizers, use)
    except (CatalogUnusable, OSError, *TROUBLE):
        return use(_read_plainly(kit, writing, tokenizers))


def _with_catalog(kit: Path, writing: MemoryTexts, tokenizers: Tokenizers, use: Callable[[Holdings], T]) -> T:
    if any((kit / folder).is_symlink() for folder in FOLDERS):
        message = "a ring is a link, and it is for the plain way to say where to"
        raise CatalogUnusable(message)
    store = open_store(kit)
    fresh = False
    try:
        store.begin()
        reading = _CatalogReader(kit, store, writing, tokenizers)
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


def _read_plainly(kit: Path, writing: MemoryTexts, tokenizers: Tokenizers) -> Holdings:
    from reel_cli.core.kit.read_holdings import read_holdings

    snapshot = _snapshot(kit)
    return read_holdings(snapshot, writing, tokenizers, *_in_force(kit, snapshot))


def _snapshot(kit: Path) -> "Snapshot":
    from reel_cli.core.files.tree import WorkTree
    from reel_cli.core.kit.snapshot import Snapshot

    return Snapshot(WorkTree(kit), kit.resolve().name)


def _in_force(kit: Path, snapshot: "Snapshot", store: Store | None = None) -> "tuple[Ring0, Ring1]":
    from reel_cli.core.git.repository import find_own_repository
    from reel_cli.core.kit.approved_rings import note_approvals, read_approved, read_in_force

    repository = find_own_repository(kit)
    known = note_approvals(kit, repository, store) if repository is not None and store is not None else None
    return (
        read_in_force(snapshot, repository, approvals=known),
        read_approved(snapshot, repository, approvals=known),
    )


class _CatalogReader:
    """One reading of a kit through its catalog."""

    def __init__(self, kit: Path, store: Store, writing: MemoryTexts, tokenizers: Tokenizers) -> None:
        self.kit = kit
        self.store = store
        self.writing = writing
        self.tokenizers = tokenizers
        self._snapshot: Snapshot | None = None
        self._counter: _KeptCounter | None = None
        self._stamp = ""

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
        later = core.settings.is_later
        key = f"{__version__} {self.writing.key} {counter.key}{' later' if later else ''}"
        profile = self.store.profile(key)
        source = Source(self.kit, self.snapshot, self.store, self.writing, counter.plain, profile, later)
        ring3 = stamp_folder(self.kit / "ring3")
        memories = refresh_memories(source, ring3)
        lines = refresh_lines(source)
        return Holdings(
            core=core,
            memories=KeptMemories(self.store, profile, memories),
            lines=KeptLines(self.store, profile, lines),
            counter=counter,
            highest=max(memories["highest"], lines["highest"]),
            broken=lines["broken"],
            notebook=self.store,
            ring3=ring3,
            state=self._stamp,
            tagged=[*memories["tagged"], *lines["tagged"]],
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
        self._stamp = stamp
        known = self.store.recall("core", stamp) if stamp else None
        if known is not None:
            return load_core(known)
        from reel_cli.core.kit.read_holdings import read_core

        clock = self.store.clock()
        snapshot = self.snapshot()
        core = read_core(snapshot, *_in_force(self.kit, snapshot, self.store))
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


def history_mark(kit: Path) -> str:
    """Return a mark that changes with the commit that decides which text of ring 0 is approved."""
    kit = kit.resolve()
    for place in (kit, *kit.parents):
        mark = place / ".git"
        if not os.path.lexists(mark):
            continue
        found = _plain_head(mark)
        if not found:
            return _head_by_git(kit)
        try:
            GitFolder(kit, place, mark, mark).check_once()
        except ForeignRepositoryError:
            return ""
        return f"{place} {found}"
    return ""


def _plain_head(git: Path) -> str | None:
    """Return a mark of the checked-out commit if two small files give it; else None."""
    try:
        whole = (git / "objects").is_dir() and not os.path.lexists(git / "commondir")
        if not whole or (git / "HEAD").is_symlink():
            return None
        head = read_plain(git / "HEAD").decode("ascii").strip()
        branch = head.removeprefix("ref: ")
        if not head.startswith(_BRANCH) or ".." in branch or "/." in branch:
            return None
        try:
            return read_plain(git / branch).decode("ascii").strip()
        except FileNotFoundError:
            return f"{branch} {look_at(git / 'packed-refs', '').stamp}"
    except (OSError, ValueError):
        return None


def _head_by_git(kit: Path) -> str:
    from reel_cli.core.git.repository import find_own_repository

    repository = find_own_repository(kit)
    return f"{repository.root} {repository.head()}" if repository else ""
