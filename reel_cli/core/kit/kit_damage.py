"""Files of a kit that are missing or damaged on the disk, and what a person is told of them."""

import json
import os
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, field
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from reel_cli import __version__
from reel_cli.core.errors import ReelError
from reel_cli.core.files.catalog_store import TROUBLE, CatalogUnusable, open_store
from reel_cli.core.files.kit_files import check_file, is_kit_text, name_missing, restore_command
from reel_cli.core.files.tree import look_at, stamp_folder
from reel_cli.core.frozen import frozen
from reel_cli.core.shell import quote

if TYPE_CHECKING:
    from reel_cli.core.files.catalog_store import Store
    from reel_cli.core.files.tree import Look
    from reel_cli.core.git.repository import Repository
    from reel_cli.core.values.due import KitWarning

MANY = 300
"""Number of files above which a quick look skips a folder if nothing was added or removed."""
LARGE_INDEX = 1 << 17
"""Bytes of git's index from which on it takes longer to read than the note of the last look."""
MISSING, DAMAGED, CONFLICT = "missing", "damaged", "conflict"
NOTE = "damage"
HALF_DONE = ("MERGE_HEAD", "rebase-merge", "rebase-apply")
_MARKS = tuple(b"\n" + mark * 7 for mark in (b"<", b"=", b">"))


@frozen
class KitDamage:
    """The tracked files that the disk lacks, and those it holds damaged, each with the reason in words."""

    missing: Sequence[str] = ()
    damaged: Mapping[str, str] = field(default_factory=dict)

    def __bool__(self) -> bool:
        """Return whether anything is missing or damaged."""
        return bool(self.missing or self.damaged)

    def kind(self, path: str) -> str:
        """Return the warning's kind for one of the damaged files."""
        return CONFLICT if self.damaged[path] == IN_CONFLICT else DAMAGED


UNFINISHED = ".reel/state/txn"
"""The folder of a stopped transaction: until it is finished, git's index and the disk may differ."""
NAMELESS = "no longer has the persona's name, "
"""Words before the name that a person's edit took out of kit.yaml."""
IN_CONFLICT = "still has the marks of a merge ( <<<<<<< and >>>>>>> )"


def list_missing(kit: Path, repo: "Repository | None", *, under: tuple[str, ...] = ()) -> Sequence[str]:
    """Return the kit paths that git tracks and the disk lacks, sorted; none while two machines are joined.

    With `under`, only those that begin with one of these are looked for.
    """
    if repo is None or _is_half_done(kit, repo):
        return ()
    tracked = _recall_tracked(kit, repo)
    if tracked is None:
        tracked = _read_tracked(repo)
    looked_for = [path for path in tracked if path.startswith(under)] if under else tracked
    missing = set(looked_for)
    for folder in {path.rpartition("/")[0] for path in looked_for}:
        inside = f"{folder}/" if folder else ""
        missing.difference_update([inside + name for name in _list_names(f"{kit}/{folder}")])
    return sorted(path for path in missing if _look_at(kit, path, None) is None)


def find_damage(
    kit: Path,
    repo: "Repository | None",
    *,
    quick: bool = False,
    stamps: Mapping[str, str] = MappingProxyType({}),
) -> KitDamage:
    """Look over the kit's tracked files; only those that changed since the last look are read.

    No git process is started where git's index has a plain form. With `quick`, a folder of many files is
    passed over while none was added to it or taken away, and all was well in it. `stamps` are those of
    folders for which they were just made. Empty without a repository, and while a merge or rebase is under
    way.
    """
    if repo is None or _is_half_done(kit, repo):
        return KitDamage()
    try:
        store = open_store(kit)
    except CatalogUnusable:
        tracked = _read_tracked(repo)
        return _judge_all(kit, repo, tracked, _look(kit, tracked), 0, ())
    try:
        return _find_by_note(kit, repo, store, stamps, quick=quick)
    finally:
        with suppress(*TROUBLE):
            store.close(keep=True)


@frozen
class _Note:
    """The note of the last look: its time, the damage, and each folder's time of change, files and stamp.

    Of a folder with many files, the files are not kept (None). The stamp of a folder is "" if any file in it
    was as young as the clock.
    """

    clock: int = 0
    index: str = ""
    damaged: Sequence[str] = ()
    missing: Sequence[str] = ()
    folders: Mapping[str, tuple[int, Mapping[str, str] | None, str]] = field(default_factory=dict)


def _recall_tracked(kit: Path, repo: "Repository") -> Mapping[str, str] | None:
    """Return the tracked files as `find_damage` noted them, without those of folders that cannot lack one.

    None for a small kit, or where git's index changed since, or a file may be missing in a large folder.
    """
    try:
        if repo.index.stat().st_size < LARGE_INDEX:
            return None
        store = open_store(kit)
    except (OSError, CatalogUnusable):
        return None
    try:
        note = _recall(store)
    finally:
        with suppress(*TROUBLE):
            store.close(keep=False)
    same = _is_of_index(note, look_at(repo.index, "index"))
    return _list_unsure(note, lambda folder: _has_same_names(kit, note, folder)) if same else None


def _is_of_index(note: _Note, index: "Look") -> bool:
    """Return whether a note was made of git's index as it is now."""
    return note.index == index.stamp and index.born < note.clock


def _find_by_note(
    kit: Path, repo: "Repository", store: "Store", made: Mapping[str, str], *, quick: bool
) -> KitDamage:
    note = _recall(store)
    stamp = look_at(repo.index, "index")
    tracked = None
    if _is_of_index(note, stamp):
        tracked = _list_unsure(note, lambda folder: _is_as_noted(kit, note, folder, made, quick=quick))
    if tracked is not None:
        looks = _look(kit, tracked)
        well = not (note.damaged or note.missing or _any_young(looks, note.clock))
        if quick or well:
            return _judge_all(kit, repo, tracked, looks, note.clock, note.damaged)
    tracked = _read_tracked(repo)
    clock = 0
    stamps: Mapping[str, str] = {}
    with suppress(OSError, *TROUBLE):
        # a file changed after this is as new as the clock, and is read again next time
        clock = store.clock()
        stamps = {folder: _stamp(kit, folder, made) for folder in _by_folder(tracked)}
    looks = _look(kit, tracked)
    damage = _judge_all(kit, repo, tracked, looks, note.clock, note.damaged)
    if clock:
        folders = _folders(kit, tracked, looks, stamps, clock)
        fresh = _Note(clock, stamp.stamp, sorted(damage.damaged), damage.missing, folders)
        with suppress(*TROUBLE):
            store.keep(NOTE, __version__, json.dumps(asdict(fresh)))
    return damage


def _any_young(looks: Mapping[str, tuple[int, int] | None], clock: int) -> bool:
    return any(look is None or look[0] >= clock for look in looks.values())


def _recall(store: "Store") -> _Note:
    with suppress(CatalogUnusable, ValueError, TypeError, *TROUBLE):
        kept = store.recall(NOTE, __version__)
        if kept is not None:
            return _Note(**json.loads(kept))
    return _Note()


def _read_tracked(repo: "Repository") -> Mapping[str, str]:
    from reel_cli.core.git.tracked_files import read_tracked

    return read_tracked(repo)


def _list_unsure(note: _Note, is_sure: Callable[[str], bool]) -> Mapping[str, str] | None:
    """Return the noted files of all folders but those that `is_sure` says are well.

    None if a large folder is not, whose files are not in the note.
    """
    found: dict[str, str] = {}
    for folder, (_, files, _) in note.folders.items():
        inside = f"{folder}/" if folder else ""
        wrong = any(path.startswith(inside) for path in (*note.damaged, *note.missing))
        if not wrong and is_sure(folder):
            continue
        if files is None:
            return None
        found |= {f"{inside}{name}": blob for name, blob in files.items()}
    return found


def _has_same_names(kit: Path, note: _Note, folder: str) -> bool:
    """Return whether no file was added to a folder or taken away since it was noted."""
    return _changed(kit, folder) == note.folders[folder][0] < note.clock


def _is_as_noted(kit: Path, note: _Note, folder: str, made: Mapping[str, str], *, quick: bool) -> bool:
    """Return whether no file in a folder changed; `quick` looks only at the names in a large one."""
    _, files, stamp = note.folders[folder]
    if files is None:
        if not _has_same_names(kit, note, folder):
            return False
        if quick:
            return True
    return stamp != "" and stamp == _stamp(kit, folder, made)


def _stamp(kit: Path, folder: str, made: Mapping[str, str]) -> str:
    """Return a folder's stamp; that of the kit's own is of all in it, and made here."""
    return (folder and made.get(folder)) or stamp_folder(kit / folder)


def _by_folder(tracked: Mapping[str, str]) -> Mapping[str, Mapping[str, str]]:
    inside: dict[str, dict[str, str]] = {}
    for path, blob in tracked.items():
        folder, _, name = path.rpartition("/")
        inside.setdefault(folder, {})[name] = blob
    return inside


def _folders(
    kit: Path,
    tracked: Mapping[str, str],
    looks: Mapping[str, tuple[int, int] | None],
    stamps: Mapping[str, str],
    clock: int,
) -> Mapping[str, tuple[int, Mapping[str, str] | None, str]]:
    young = {
        path.rpartition("/")[0] for path in tracked if (look := looks.get(path)) is None or look[0] >= clock
    }
    return {
        folder: (
            _changed(kit, folder),
            files if len(files) <= MANY else None,
            "" if folder in young else stamps.get(folder, ""),
        )
        for folder, files in _by_folder(tracked).items()
    }


def _changed(kit: Path, folder: str) -> int:
    """Return when a file was last added to or removed from a folder, in nanoseconds."""
    try:
        return os.stat(f"{kit}/{folder}").st_mtime_ns  # noqa: PTH116 (the quick way)
    except OSError:
        return 0


def warn_of_damage(damage: KitDamage) -> "Sequence[KitWarning]":
    """Return what a person should know of it: one line for all that is missing, one a damaged file."""
    from reel_cli.core.values.due import KitWarning

    found = []
    if damage.missing:
        mend = restore_command(damage.missing)
        found.append(KitWarning(MISSING, name_missing(damage.missing), mend, damage.missing[0]))
    for path, what in damage.damaged.items():
        mend = restore_command([path])
        if what.startswith(NAMELESS):
            # other lines that were changed with it stay
            mend = f"reel config name {quote(what.removeprefix(NAMELESS))}"
        found.append(KitWarning(damage.kind(path), f"{path} {what}", mend, path))
    return found


def is_half_merged(repo: "Repository") -> bool:
    """Return whether a merge or a rebase is under way, so that what lies there may be neither side's."""
    return any(os.path.lexists(repo.git_dir / mark) for mark in HALF_DONE)


def _is_half_done(kit: Path, repo: "Repository") -> bool:
    """Return whether git's index is not what the disk should hold just now."""
    return is_half_merged(repo) or os.path.lexists(f"{kit}/{UNFINISHED}")


def _look(kit: Path, tracked: Iterable[str]) -> Mapping[str, tuple[int, int] | None]:
    """Return each file's time of change (nanoseconds) and size in bytes; None if there is no file."""
    found: dict[str, tuple[int, int] | None] = {}
    for path, entry in _find_entries(kit, tracked):
        seen = _look_at(kit, path, entry)
        if seen is None:
            found[path] = None
        elif stat.S_ISREG(seen.st_mode):
            found[path] = (max(seen.st_mtime_ns, seen.st_ctime_ns), seen.st_size)
    return found


def _find_entries(kit: Path, tracked: Iterable[str]) -> "Iterator[tuple[str, os.DirEntry[str] | None]]":
    """Yield each path with the entry of that name in its folder; None where there is none."""
    folders: dict[str, dict[str, os.DirEntry[str]]] = {}
    for path in tracked:
        folder, _, name = path.rpartition("/")
        inside = folders.get(folder)
        if inside is None:
            inside = folders[folder] = _list_folder(f"{kit}/{folder}")
        yield path, inside.get(name)


def _look_at(kit: Path, path: str, entry: "os.DirEntry[str] | None") -> os.stat_result | None:
    """Return the look of a file; None if there is none."""
    try:
        # the disk may spell a name in another way than git
        return os.lstat(f"{kit}/{path}") if entry is None else entry.stat(follow_symlinks=False)
    except (FileNotFoundError, NotADirectoryError):
        return None


def _list_names(place: str) -> Sequence[str]:
    try:
        return os.listdir(place)  # noqa: PTH208 (names alone, and many)
    except (FileNotFoundError, NotADirectoryError):
        return ()


def _list_folder(place: str) -> "dict[str, os.DirEntry[str]]":
    try:
        with os.scandir(place) as entries:
            return {entry.name: entry for entry in entries}
    except (FileNotFoundError, NotADirectoryError):
        return {}


def _judge_all(  # noqa: PLR0913
    kit: Path,
    repo: "Repository",
    tracked: Mapping[str, str],
    looks: Mapping[str, tuple[int, int] | None],
    since: int,
    known: Iterable[str],
) -> KitDamage:
    """Return the damage; reads the files not older than `since`, and those known to be damaged."""
    again = set(known)
    damaged: dict[str, str] = {}
    for path, look in looks.items():
        if look is None or not is_kit_text(path) or not (look[0] >= since or path in again):
            continue
        try:
            what = judge_text(path, _read(kit, path), tracked[path], repo)
        except ReelError as error:
            what = f"cannot be read{_reason(path, error)}"
        if what:
            damaged[path] = what
    return KitDamage([path for path, look in looks.items() if look is None], damaged)


def _read(kit: Path, path: str) -> bytes:
    from reel_cli.core.files.tree import WorkTree

    return WorkTree(kit).read(path) or b""


def judge_text(path: str, data: bytes, blob: str, repo: "Repository") -> str:
    """Return how a kit text is damaged, in words that follow its path; "" where it is sound.

    `blob` is the text that git has of it: equal bytes are only looked at for what shows without parsing.
    """
    same = repo.blob_id(data) == blob
    if is_chained(path):
        return "" if same else "is not as it was recorded"
    if not data and not same:
        return "is empty"
    if shown := judge_shown(data):
        return shown
    return "" if same else judge_unreadable(path, data) or _judge_name(path, data, blob, repo)


def _judge_name(path: str, data: bytes, blob: str, repo: "Repository") -> str:
    """Return that kit.yaml has lost the persona's name, which the folder's would take the place of."""
    head = repo.head() if path == "kit.yaml" else None
    if head is None:
        return ""
    from reel_cli.core.files.settings_file import find_lost_name
    from reel_cli.core.git.commit_tree import CommitTree

    tree = CommitTree(repo, head)
    try:
        name = find_lost_name(tree.read_blob(blob, path), data)
    finally:
        tree.close()
    return f"{NAMELESS}{name}" if name else ""


def is_chained(path: str) -> bool:
    """Return whether a file is the tape's: one that only grows and proves itself."""
    from reel_cli.core.kit.snapshot import EVENTS
    from reel_cli.core.values.source import session_of

    return path == EVENTS or session_of(path) is not None


def holds_merge_marks(data: bytes) -> bool:
    """Return whether a text has lines like those that git puts around what two sides had."""
    lined = b"\n" + data
    return all(mark in lined for mark in _MARKS)


def judge_shown(data: bytes) -> str:
    """Return how a text is damaged, as far as its bytes show it without being parsed."""
    if b"\0" in data:
        return "is damaged: it holds bytes that no text has"
    if holds_merge_marks(data):
        return IN_CONFLICT
    try:
        data.decode()
    except UnicodeDecodeError:
        return "is damaged: it is not UTF-8 text"
    return ""


def _reason(path: str, error: ReelError) -> str:
    """Return the reason that an error gives, to follow "cannot be read"."""
    told = error.message.removeprefix(path).rstrip(".")
    # "FILE, line 3: …" continues the sentence; "FILE is too large" is a sentence of its own
    return (
        told
        if told.startswith((",", ":"))
        else f": it {told.strip()}"
        if told.startswith(" ")
        else f": {told}"
    )


def judge_unreadable(path: str, data: bytes) -> str:
    """Return why a text cannot be read as what it is, in words that follow its path; "" where it can."""
    try:
        check_file(path, data)
    except ReelError as error:
        return f"cannot be read{_reason(path, error)}"
    return ""
