"""The list of what is not committed: as git makes it, or as noted while nothing it depends on has changed.

`git status` looks at every file, which took a fifth of `reel status` in a kit of 20,000 memories, and reel
looks at them as well. What git lists follows from its settings, its index, the commit that is checked out
and the work tree. The settings are asked for each time; of the rest, stamps are compared.
"""

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, field
from hashlib import blake2b
from pathlib import Path
from threading import Thread

from reel_cli import __version__
from reel_cli.core.errors import ReelError
from reel_cli.core.files.catalog_store import TROUBLE, CatalogUnusable, open_store
from reel_cli.core.files.tree import PRIVATE, Look, look_at, look_at_folder, stamp_folder
from reel_cli.core.frozen import frozen
from reel_cli.core.git.repository import Repository
from reel_cli.core.kit.hand_edits import EditKind, list_uncommitted

NOTE = "uncommitted"
MOST_FOLDERS = 2_000
"""Number of folders above which nothing is noted."""
TOP = ""


@frozen
class _Note:
    """A list of git's, with a mark of the `facts` and the stamps of the folders that it depends on."""

    facts: str = ""
    listed: Mapping[str, str] = field(default_factory=dict)
    folders: Mapping[str, str] = field(default_factory=dict)


class UncommittedFiles:
    """The list of what is not committed, which git begins at once where nothing is noted."""

    def __init__(self, kit: Path, repo: Repository) -> None:
        """Begin; `kit` is the folder of the kit in `repo`."""
        self.kit, self.repo = kit, repo
        self.stamps: Mapping[str, str] = {}
        """Stamps of the kit's folders, made once the listing is there; empty where none were needed."""
        self._note, self._clock = _recall(kit) if not repo.prefix else (_Note(), 0)
        self._facts = ""
        self._listed: Mapping[str, EditKind] | None = None
        self._failed: BaseException | None = None
        self._thread: Thread | None = Thread(target=self._begin)
        try:
            self._thread.start()
        except RuntimeError:
            # there is no room for another thread
            self._thread = None

    def _begin(self) -> None:
        try:
            self._facts = _read_facts(self.repo, self._clock) if self._clock else ""
            if not self._facts or self._facts != self._note.facts:
                self._listed = list_uncommitted(self.repo)
        except BaseException as error:  # noqa: BLE001 (it is raised where it is waited for)
            self._failed = error

    def wait(self, ring3: str = "") -> Mapping[str, EditKind]:
        """Return every file that is not committed, or raise git's error; see `list_uncommitted`.

        `ring3` is the stamp of that folder, where it was just made.
        """
        if self._thread is None:
            return list_uncommitted(self.repo)
        self._thread.join()
        if self._failed is not None:
            raise self._failed
        if self._listed is None:
            with suppress(OSError):
                stamps = {
                    folder: (folder == "ring3" and ring3) or _stamp(self.kit, folder)
                    for folder in self._note.folders
                }
                if stamps == self._note.folders:
                    self.stamps = stamps
                    return {path: EditKind(kind) for path, kind in self._note.listed.items()}
            self._listed = list_uncommitted(self.repo)
        if self._facts:
            with suppress(OSError):
                self._keep(self._listed)
        return self._listed

    def _keep(self, listed: Mapping[str, EditKind]) -> None:
        """Note what was listed, unless something is as young as the time at which git began to look."""
        looks = {}
        for look in _look_over(self.kit):
            looks[look.name] = look
            if not look.stamp or look.born >= self._clock or len(looks) > MOST_FOLDERS:
                return
        self.stamps = {folder: look.stamp for folder, look in looks.items()}
        note = _Note(self._facts, {path: kind.value for path, kind in listed.items()}, self.stamps)
        with suppress(CatalogUnusable, *TROUBLE):
            store = open_store(self.kit)
            try:
                store.keep(NOTE, __version__, json.dumps(asdict(note)))
            finally:
                store.close(keep=True)


def _recall(kit: Path) -> tuple[_Note, int]:
    """Return the note, and the time now by the file system's clock; 0 where nothing can be noted."""
    if not os.path.lexists(kit / ".reel"):
        # reel never worked in this clone, and says so once
        return _Note(), 0
    try:
        store = open_store(kit)
    except CatalogUnusable:
        return _Note(), 0
    try:
        with suppress(CatalogUnusable, ValueError, TypeError, *TROUBLE):
            kept = store.recall(NOTE, __version__)
            return _Note(**json.loads(kept)) if kept is not None else _Note(), store.clock()
        return _Note(), store.clock()
    except (OSError, *TROUBLE):
        return _Note(), 0
    finally:
        with suppress(*TROUBLE):
            store.close(keep=True)


def _read_facts(repo: Repository, clock: int) -> str:
    """Return a mark of all but the work tree that a listing hangs on; "" where that cannot be told.

    A file as young as the clock may still change without looking different.
    """
    settings = repo.read_all_settings()
    looks = [look_at(path, str(path)) for path in (repo.index, *_rule_files(repo, settings or b""))]
    if settings is None or not all(look.stamp and look.born < clock for look in looks):
        return ""
    try:
        head = repo.head()
    except ReelError:
        return ""
    made = [settings.decode("utf-8", "surrogateescape"), head or "", *(f"{x.name} {x.stamp}" for x in looks)]
    return blake2b("\0".join(made).encode("utf-8", "surrogateescape"), digest_size=16).hexdigest()


def _rule_files(repo: Repository, settings: bytes) -> Iterator[Path | str]:
    """Yield the files outside the work tree by which git leaves files out, or compares them otherwise."""
    for name in ("info/exclude", "info/attributes", "info/sparse-checkout"):
        yield from dict.fromkeys((repo.common_dir / name, repo.git_dir / name))
    home = os.environ.get("HOME", "")
    own = os.environ.get("XDG_CONFIG_HOME") or f"{home}/.config"
    yield from (f"{own}/git/ignore", f"{own}/git/attributes", "/etc/gitattributes")
    for setting in settings.split(b"\0"):
        key, _, value = setting.partition(b"\n")
        if key in (b"core.excludesfile", b"core.attributesfile"):
            place = os.fsdecode(value)
            # a relative place is one below the work tree
            yield repo.root / (f"{home}{place[1:]}" if place.startswith("~/") else place)


def _look_over(kit: Path) -> Iterator[Look]:
    """Yield the look of every folder of the kit; without a stamp where another repository lies in it."""
    folders = [TOP]
    while folders:
        folder = folders.pop()
        with os.scandir(f"{kit}/{folder}") as entries:
            inside = [entry.name for entry in entries if entry.is_dir(follow_symlinks=False)]
        if folder == TOP:
            yield _look_at_top(kit)
        else:
            look = look_at_folder(f"{kit}/{folder}")
            foreign = os.path.lexists(f"{kit}/{folder}/.git")
            yield Look(folder, "" if foreign else look.stamp, look.born)
        folders += [f"{folder}/{name}" if folder else name for name in inside if name not in PRIVATE]


def _look_at_top(kit: Path) -> Look:
    """Return the look of the kit's own folder, but for what git and reel keep in it for themselves."""
    looks = []
    with os.scandir(kit) as entries:
        for entry in entries:
            if entry.name not in PRIVATE or not entry.is_dir(follow_symlinks=False):
                found = entry.stat(follow_symlinks=False)
                born = max(found.st_mtime_ns, found.st_ctime_ns)
                marks = found.st_mode, found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino
                looks.append((entry.name, born, marks))
    looks.sort()
    stamp = blake2b(repr([(name, marks) for name, _, marks in looks]).encode(), digest_size=16).hexdigest()
    return Look(TOP, stamp, max((born for _, born, _ in looks), default=0))


def _stamp(kit: Path, folder: str) -> str:
    return stamp_folder(f"{kit}/{folder}") if folder else _look_at_top(kit).stamp
