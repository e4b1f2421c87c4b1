"""A frozen reading of a kit: every operation decides on this and nothing else."""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from reel_cli.core.errors import ReelError
from reel_cli.core.files.tree import Tree, WorkTree
from reel_cli.core.values.source import SESSION_ID, session_of, session_order

if TYPE_CHECKING:
    from reel_cli.core.files.index_file import Index
    from reel_cli.core.values.change import Change
    from reel_cli.core.values.memory import ActiveSet, Exemplar, Memory
    from reel_cli.core.values.settings import Settings

T = TypeVar("T")

IDENTITY = "ring0/identity.md"
DIRECTIVES = "ring0/directives.md"
WORKING = "ring2/working.md"
INDEX = "ring4/index.md"
ACTIVE = "ring1/active.yaml"
EVENTS = "tape/events.md"
SIZED = (IDENTITY, DIRECTIVES, "kit.yaml")
"""The files on which it depends whether ring 0 fits into a bundle."""

_HELD_OF = {
    "settings": "kit.yaml",
    "memories": "ring3/",
    "index": INDEX,
    "exemplars": "ring1/",
    "active": ACTIVE,
    "checkpoints": "checkpoints/",
}
"""Attributes that are read once and kept, and the file or folder each is read from."""


class Snapshot:
    """A kit as one tree holds it; each file is read at most once, and remembered as read.

    What was read is what the transaction later compares with the disk, so an edit made while a
    person was deciding is noticed. A format is imported when its first file is read, for most commands
    read few of them.
    """

    def __init__(self, tree: Tree, name: str) -> None:
        """Read from `tree`; `name` is what to call the kit in messages."""
        self.tree = tree
        self.name = name
        self._bytes: dict[str, bytes | None] = {}
        self._planned: Mapping[str, bytes | None] = {}

    def after(self, change: "Change") -> "Snapshot":
        """Return the kit as it will be after `change`, without the disk, so that more can be planned on it.

        Both share one memory of what was really read; `seen` of either tells of that alone. What
        the change leaves as it is is not read or parsed again.
        """
        later = Snapshot(self.tree, self.name)
        later._bytes = self._bytes
        later._planned = {**self._planned, **change.writes}
        for name, place in _HELD_OF.items():
            if name in self.__dict__ and not any(path.startswith(place) for path in change.writes):
                later.__dict__[name] = self.__dict__[name]
        if "sessions" in self.__dict__:
            later.__dict__["sessions"] = self._sessions_after(change)
        ends = self.__dict__.get("last turns", {})
        later.__dict__["last turns"] = {path: at for path, at in ends.items() if path not in change.writes}
        if "misplaced" in self.__dict__:
            # none of reel's changes puts a file there
            later.__dict__["misplaced"] = self.misplaced
        return later

    def _sessions_after(self, change: "Change") -> Sequence[str]:
        found = self.sessions
        for path, data in change.writes.items():
            name = session_of(path)
            if name is None:
                continue
            at = bisect_left(found, session_order(name), key=session_order)
            there = at < len(found) and found[at] == name
            if there != (data is not None):
                found = [*found[:at], *((name,) if data is not None else ()), *found[at + there :]]
        return found

    def read(self, path: str) -> bytes | None:
        """Return the file's bytes, or None; always the same answer."""
        if path in self._planned:
            return self._planned[path]
        if path not in self._bytes:
            self._bytes[path] = self.tree.read(path)
        return self._bytes[path]

    def peek(self, path: str, size: int | None = None) -> bytes:
        """Return the last bytes of a file, or all of it, without noting it as read; empty if it has none."""
        data = self._planned.get(path) or self._bytes.get(path)
        if data is None and size is not None and isinstance(self.tree, WorkTree):
            return self.tree.read_end(path, size)
        try:
            data = data or self.tree.read(path) or b""
        except ReelError:
            return b""
        return data if size is None else data[-size:]

    def text(self, path: str) -> str | None:
        """Return the file as text; ReelError naming the file when it is not UTF-8."""
        data = self.read(path)
        if data is None:
            return None
        try:
            return data.decode("utf-8")
        except UnicodeDecodeError as error:
            line = data[: error.start].count(b"\n") + 1
            message = f"{path}, line {line}: this is not UTF-8 text."
            raise ReelError(message, hint="save the file as UTF-8") from None

    def list(self, folder: str) -> Sequence[str]:
        """Return every file below a folder of the kit, sorted."""
        inside = f"{folder.rstrip('/')}/" if folder else ""
        planned = {path: data for path, data in self._planned.items() if path.startswith(inside)}
        if not planned:
            return self.tree.list(folder)
        kept = (path for path in self.tree.list(folder) if path not in planned)
        return sorted([*kept, *(path for path, data in planned.items() if data is not None)])

    def seen(self) -> Mapping[str, bytes | None]:
        """Return every path read so far, with the bytes the tree had; nothing that is only planned."""
        return dict(self._bytes)

    def note(self, _kind: str, paths: Iterable[str], make: Callable[[str], T]) -> Mapping[str, T]:
        """Return what `make` returns for each file; an overview (`Glance`) keeps it for the next time."""
        return {path: make(path) for path in paths}

    def note_rings(self, _kind: str, make: "Callable[[Snapshot], T]", _also: Sequence[str] = ()) -> T:
        """Return what `make` says of rings 3 and 4 and `_also` (plain JSON), which a `Glance` caches."""
        return make(self)

    def derive(self, name: str, make: Callable[[], T]) -> T:
        """Return what `make` says of this reading, made once under a name; another snapshot makes its own."""
        made: dict[str, T] = self.__dict__.setdefault("derived", {})
        if name not in made:
            made[name] = make()
        return made[name]

    @cached_property
    def settings(self) -> "Settings":
        """Return `kit.yaml`, typed; refuses a newer major version of the protocol."""
        from reel_cli.core.files.settings_file import parse_settings

        return parse_settings(self.text("kit.yaml") or "", fallback_name=self.name)

    @cached_property
    def is_later(self) -> bool:
        """Return whether the kit is of a later version than this program writes; not where nothing tells."""
        try:
            return self.settings.is_later
        except ReelError:
            return False

    @cached_property
    def memories(self) -> "Mapping[str, Memory]":
        """Return ring 3 by ID, oldest first."""
        from reel_cli.core.files.memory_file import parse_memory

        found = [
            parse_memory(self.text(path) or "", path, later=self.is_later)
            for path in self.list("ring3")
            if path.endswith(".md") and Path(path).name.startswith("M-")
        ]
        return {memory.id: memory for memory in sorted(found, key=lambda m: m.order)}

    @cached_property
    def index(self) -> "Index":
        """Return ring 4: its lines, and those that do not parse."""
        from reel_cli.core.files.index_file import parse_index

        return parse_index(self.text(INDEX) or "", later=self.is_later)

    @cached_property
    def exemplars(self) -> "Mapping[str, Exemplar]":
        """Return the ring 1 pool by slug, in order of slug."""
        from reel_cli.core.files.exemplar_file import parse_exemplar

        found = [
            parse_exemplar(self.text(path) or "", path, later=self.is_later)
            for path in self.list("ring1")
            if path.endswith(".md")
        ]
        return {exemplar.slug: exemplar for exemplar in found}

    @cached_property
    def active(self) -> "ActiveSet":
        """Return the anchor and the active set."""
        from reel_cli.core.files.exemplar_file import parse_active

        return parse_active(self.text(ACTIVE) or "", ACTIVE)

    @cached_property
    def sessions(self) -> Sequence[str]:
        """Return the sessions on the tape, in their order, without files in another year's folder."""
        names = {name for path in self.list("tape") if (name := session_of(path)) is not None}
        return sorted(names, key=session_order)

    @cached_property
    def misplaced(self) -> Sequence[str]:
        """Return the sessions named by files that lie in another folder of `tape/` than their own year's."""
        names = (
            path.rpartition("/")[2].partition(".")[0] for path in self.list("tape") if not session_of(path)
        )
        return sorted(filter(SESSION_ID.fullmatch, names), key=session_order)

    @cached_property
    def checkpoints(self) -> Sequence[str]:
        """Return the checkpoint files' kit paths, oldest first."""

        def order(path: str) -> tuple[str, int, int]:
            session, _, number = Path(path).stem.rpartition(".")
            return (*session_order(session), int(number))

        return sorted(
            (
                p
                for p in self.list("checkpoints")
                if p.endswith(".yaml")
                and SESSION_ID.fullmatch(Path(p).stem.rpartition(".")[0])
                and Path(p).stem.rpartition(".")[2].isdigit()
            ),
            key=order,
        )
