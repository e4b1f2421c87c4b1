"""The files and folders at the top of a kit: the core's own, those of features, and how one of them is read.

Each kind is declared once: a `KitFile` in `CORE_FILES` or in a feature's row of `features/table.py`, and
where something is to be read there, a `KitFileKind` in `core_kit_files.py` or the feature's `kit_files.py`.
Every question about what a kit file is asks these.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from pathlib import PurePosixPath
from typing import Any, NamedTuple

from reel_cli.core.errors import ReelError
from reel_cli.core.frozen import frozen
from reel_cli.core.ports import KitFile, list_feature_files, resolve
from reel_cli.core.values.memory import MEMORY_ID

_EVENTS = "events: it only grows"

CORE_FILES: Sequence[KitFile] = (
    KitFile("kit.yaml", "SETTINGS", needed=True, packed=True),
    KitFile("ring0/", "RING_0", needed=True, why_kept="constitution: it is who the persona is"),
    KitFile("ring1/", "RING_1", needed=True),
    KitFile("ring2/", "RING_2", needed=True),
    KitFile("ring3/", "RING_3", needed=True, own_restore=True),
    KitFile("ring4/", "RING_4", needed=True),
    KitFile("checkpoints/", "CHECKPOINTS", needed=True, why_kept=_EVENTS),
    KitFile("review/", "REVIEW", why_kept="decisions: it is on record"),
    KitFile("tape/", put_back=True, why_kept=_EVENTS),
    KitFile("journal/", "JOURNAL", put_back=True, why_kept=_EVENTS),
    KitFile(".gitattributes"),
    KitFile(".gitignore"),
    KitFile(".gitmodules", by_hand=False),
    KitFile(".git", by_hand=False),
    KitFile(".reel", by_hand=False),
)
"""The kinds of kit file that the core knows, in the order in which they are looked through."""
_CORE = "reel_cli.core.files.core_kit_files"
_TEXT = (".md", ".yaml", ".yml", ".jsonl", ".csv")
_READ = (".md", ".yaml", ".yml")


def _read_all(_path: str) -> bool:
    return True


class Retold(NamedTuple):
    """A passage that tells something of the tape in its own words: its file, line (0: none) and title."""

    path: str
    line: int
    title: str
    words: str = ""
    """The passage itself, where its title may be one of the words that are purged."""
    past: bool = False
    """True if it holds no longer, so that no bundle tells it."""


@frozen
class KitFileKind:
    """How the files of one kind are read.

    `check` reads a text at a kit path and raises ReelError, naming file and line, where that fails; of a
    folder that holds what a person likes, only files that `reads` picks are read. `rows` returns what every
    bundle holds of a file that is `packed`: (rows, the names that rest, each with the reason). `check_bytes`
    reads what is there as it came from elsewhere, and raises ReelError for what is not whole.
    """

    check: Callable[[str, str], object] | None = None
    reads: Callable[[str], bool] = _read_all
    rows: Callable[..., tuple[Sequence[Any], Sequence[tuple[str, str]]]] | None = None
    old_values: Callable[..., Sequence[Any]] | None = None
    """Returns the values of a file that is `packed` which hold no longer, as `OldValue`s: (snapshot)."""
    diff: Callable[..., Any] | None = None
    """Returns a `KindDiff`: (the moment before, the moment after, the paths that differ)."""
    join: Callable[..., Any] | None = None
    """Returns `JoinedFiles` of a `KindJoin`, what two machines changed; None: as any text is joined."""
    noted_twice: tuple[str, ...] = ()
    """Files in which two machines may have noted the very same of two things that had one name."""
    told: Callable[..., Sequence[str]] | None = None
    """Returns what such files hold of a stretch, in sentences: (snapshot, session, first, last)."""
    kept: Callable[..., Sequence[str]] | None = None
    """Returns what was kept of some sessions, in its own words: (snapshot, sessions)."""
    held: Callable[..., bytes | None] | None = None
    """Returns what stands for a file that may have been let go, None for none: (snapshot, path)."""
    edited: Callable[..., None] | None = None
    """Refuses a person's edit of a file for what other files say: (snapshot, path); ReelError."""
    named: Callable[..., Sequence[str]] | None = None
    """Returns the files that were named in what was said, as the ledger names them: (snapshot, texts)."""
    wants_room: Callable[..., bool] | None = None
    """Returns whether such a file wants things to be cleared away, and some may go: (snapshot)."""
    purge: Callable[..., bytes] | None = None
    """Returns what a purge leaves of such a file: (path, bytes, its `PurgeTarget`, the session or None)."""
    purged_lines: Callable[..., Sequence[int]] | None = None
    """Returns the lines, from 1, that a purge takes for other reasons than that a text stands there."""
    retold: Callable[..., Sequence["Retold"]] | None = None
    """Returns what such files tell in their own words of messages on the tape (`find_retold`)."""
    reread: str = ""
    """The command by which a model holds such a file against the tape again."""
    begin: str = ""
    """The text that it begins with where a person makes it."""
    check_bytes: Callable[[str, bytes], object] | None = None
    known: Callable[[str], Sequence[str]] | None = None
    """Returns the keys that the reader of a path knows, as places (`unread_fields.py`); () for none named."""
    unread: Callable[[str, str], Iterator[tuple[int, str]]] | None = None
    """Yields the words of a text at a path that reel keeps and does not understand, each with its line."""
    stands: Callable[..., bool] | None = None
    """Returns whether one of two values that do not agree is still held there: (snapshot, its `Side`)."""
    hold: Callable[..., Mapping[str, bytes]] | None = None
    """Returns the files in which one of two values holds from now on: (snapshot, its `Side`, the day)."""
    sides: Callable[..., Sequence[Any]] | None = None
    """Returns the values that hold in such a file, each as a `Side`: (snapshot)."""
    changes: Callable[..., Sequence[tuple[Any, Any]]] | None = None
    """Returns the changes of such values that wait for a decision, as pairs of `Side`s: (snapshot)."""
    give_way: Callable[..., Mapping[str, bytes]] | None = None
    """Returns the files in which other words hold instead of a value: (snapshot, its `Side`, words, day)."""
    let_go: Callable[..., tuple[str, str] | None] | None = None
    """Returns the words of a thing that was let go from such a file, and the command that has it again; None
    where it is not known: (snapshot, its name)."""
    has: Callable[..., bool] | None = None
    """Returns whether a thing of such a file holds; one let go may do so again: (snapshot, its name)."""
    hold_both: Callable[..., Mapping[str, bytes]] | None = None
    """Returns the files in which two values of one name both hold, each by its own: (snapshot, `Side`s)."""


@cache
def _table() -> Mapping[str, tuple[str, KitFile]]:
    """Each name at the top of a kit, with its feature ("" for the core) and its row."""
    own = {file.name: ("", file) for file in CORE_FILES}
    return own | {file.name: (feature, file) for feature, file in list_feature_files()}


@cache
def _folded_names() -> frozenset[str]:
    return frozenset(name.casefold() for name in _table())


def forget_table() -> None:
    """Forget the table, so that one that was changed is read anew."""
    _table.cache_clear()
    _folded_names.cache_clear()


def kit_names() -> Sequence[str]:
    """Return the names at the top of a kit that are the kit's own, whether they are there yet or not."""
    return tuple(_table())


def list_kit_files() -> Iterator[KitFile]:
    """Yield all kinds of kit file, the core's own first."""
    return (file for _, file in _table().values())


def find_kit_file(path: str) -> KitFile | None:
    """Return the row that a kit path belongs to; None for a path that is not the kit's own."""
    found = _table().get(path.partition("/")[0])
    return found[1] if found else None


def find_kind(path: str) -> KitFileKind | None:
    """Return how the file at a kit path is read; None where there is nothing to read."""
    feature, file = _table().get(path.partition("/")[0], ("", None))
    if file is None or not file.kind:
        return None
    kind: KitFileKind = resolve(feature, file.kind) if feature else getattr(import_module(_CORE), file.kind)
    return kind


def find_value_kind(where: str) -> KitFileKind | None:
    """Return how a value at a place in a file (`facts.yaml#identity/name`) is held; None for another place.

    Of two values at one place only one can hold.
    """
    path, mark, _ = where.partition("#")
    kind = find_kind(path) if mark else None
    return kind if kind is not None and kind.hold is not None else None


def is_kit_file(path: str) -> bool:
    """Return whether a path below the kit's folder is, or would be, one of the kit's own files.

    Upper and lower case are alike, as they are on many disks.
    """
    top = PurePosixPath(path).parts[:1]
    return bool(top) and top[0].casefold() in _folded_names()


def is_kit_text(path: str) -> bool:
    """Return whether a kit path is of a text that reel writes, and so can tell to be damaged."""
    if not path.endswith(_TEXT):
        return False
    file = find_kit_file(path)
    return file is not None and not (file.free and "/" in path)


def put_back_paths() -> tuple[str, ...]:
    """Return the places that recording adds to; nobody deletes them to say something by it."""
    return tuple(file.path for file in list_kit_files() if file.put_back)


def check_file(path: str, data: bytes) -> None:
    """Read the file as the kit will; ReelError or StateError, naming file and line, where that fails."""
    if not path.endswith(_READ):
        return
    file, kind = find_kit_file(path), find_kind(path)
    if file is not None and file.free and "/" in path and not (kind and kind.check and kind.reads(path)):
        # a file that a person works with may hold anything
        return
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        message = f"{path}, line {line}: this is not UTF-8 text."
        raise ReelError(message, hint="save the file as UTF-8") from None
    if kind is not None and kind.check is not None:
        kind.check(path, text)


MOST_NAMED = 4
"""Files that lie in more places than these are named by the whole kit in a command."""


def name_missing(paths: Sequence[str]) -> str:
    """Return in words which files are missing: one by its path, of several how many and the first."""
    if len(paths) == 1:
        return f"{paths[0]} is missing"
    return f"{len(paths):,} files are missing, the first {paths[0]}"


def restore_command(paths: Sequence[str]) -> str:
    """Return the command that brings these files back: one by its name, many by their folders."""
    from reel_cli.core.shell import quote

    if len(paths) == 1:
        return f"reel restore {quote(_name(paths[0]))}"
    tops = list(dict.fromkeys(path.partition("/")[0] for path in paths))
    return f"reel restore {' '.join(map(quote, tops))}" if len(tops) <= MOST_NAMED else "reel restore ."


def _name(path: str) -> str:
    """Return the name of a file as a command takes it: a memory by its ID."""
    folder, _, name = path.rpartition("/")
    memory = name.removesuffix(".md")
    return memory if folder == "ring3" and MEMORY_ID.fullmatch(memory) else path
