"""A kit read for an overview: of each memory only where it comes from, however many there are.

A few words are kept of each file, so that not all have to be read again.
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, fields
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar, cast
from zlib import crc32

from reel_cli import __version__
from reel_cli.core.files.catalog_store import TROUBLE, CatalogUnusable, Store, open_store
from reel_cli.core.files.tree import Look, Tree, WorkTree, is_memory_file, look_at, look_into, stamp_folder
from reel_cli.core.kit.snapshot import ACTIVE, INDEX, Snapshot
from reel_cli.core.values.memory import MEMORY_ID, Level, Memory
from reel_cli.core.values.source import SESSION_ID, SourceRange, parse_source

if TYPE_CHECKING:
    from reel_cli.core.values.memory import ActiveSet
    from reel_cli.core.values.settings import Settings

Note = TypeVar("Note")


def note_files(
    kit: Path,
    kind: str,
    paths: Iterable[str],
    make: Callable[[str], Note],
    also: Callable[[str], Sequence[Look]] | None = None,
) -> dict[str, Note]:
    """Return a note (plain JSON) for each path: the one in the kit's catalog, or a new one by `make`.

    A file is trusted to be unchanged as the catalog trusts it: by size, times and inode, and not
    while it is as young as the catalog's clock. Where the catalog cannot be used, all are made. A
    note that depends on more than its own file is trusted only while all that `also` gives is as it was.
    """
    looks = [look_at(f"{kit}/{path}", path) for path in paths]
    if also is not None:
        looks = [join_looks(look, also(look.name)) for look in looks]
    return _note_looks(kit, kind, looks, make)


def _note_looks(kit: Path, kind: str, looks: Sequence[Look], make: Callable[[str], Note]) -> dict[str, Note]:
    """Return the notes of files as they were looked at before any of them was read."""
    try:
        store = open_store(kit)
    except CatalogUnusable:
        return {look.name: make(look.name) for look in looks}
    try:
        known: Mapping[str, Sequence[Note]] = _recall(store, kind)
        stale = [x for x in looks if not x.stamp or x.name not in known or known[x.name][0] != x.stamp]
        if not stale and len(known) == len(looks):
            return {look.name: known[look.name][1] for look in looks}
        clock = _clock(store)
        fresh = {look.name: make(look.name) for look in stale}
        notes = {x.name: fresh[x.name] if x.name in fresh else known[x.name][1] for x in looks}
        _keep(store, kind, [x for x in looks if x.stamp and x.born < clock], notes)
        return notes
    finally:
        with suppress(*TROUBLE):
            store.close(keep=True)


def join_looks(look: Look, others: Sequence[Look]) -> Look:
    """Return one look for a file and all that its note depends on."""
    if not all(one.stamp for one in (look, *others)):
        return look._replace(stamp="")
    more = "\n".join(one.stamp for one in others).encode("utf-8", "replace")
    born = max(one.born for one in (look, *others))
    return look._replace(stamp=f"{look.stamp} {len(more)} {crc32(more):08x}", born=born)


def _recall(store: Store, kind: str) -> dict[str, Sequence[Note]]:
    try:
        known: dict[str, Sequence[Note]] = json.loads(store.recall(f"notes {kind}", __version__) or "{}")
    except (CatalogUnusable, ValueError, *TROUBLE):
        return {}
    return known


def _clock(store: Store) -> int:
    """Return the time before which a file must be born for its note to be kept; 0 if that is impossible."""
    try:
        return store.clock()
    except OSError:
        return 0


def _keep(store: Store, kind: str, looks: Sequence[Look], notes: Mapping[str, Note]) -> None:
    kept = {look.name: (look.stamp, notes[look.name]) for look in looks}
    with suppress(*TROUBLE):
        store.keep(f"notes {kind}", __version__, json.dumps(kept))


def _note_rings(kit: Path, kind: str, stamp: str, make: Callable[[], Note], also: Sequence[str]) -> Note:
    try:
        store = open_store(kit)
    except CatalogUnusable:
        return make()
    try:
        with suppress(CatalogUnusable, ValueError, *TROUBLE):
            known = store.recall(f"rings {kind}", stamp)
            if known is not None:
                found: Note = json.loads(known)
                return found
        clock = _clock(store)
        looks = [look_at(f"{kit}/{path}", path) for path in (INDEX, *also)]
        for folder in ("ring3", *also):
            looks += look_into(kit / folder)
        made = make()
        if all(look.stamp and look.born < clock for look in looks):
            with suppress(*TROUBLE):
                store.keep(f"rings {kind}", stamp, json.dumps(made))
        return made
    finally:
        with suppress(*TROUBLE):
            store.close(keep=True)


_ITEM = r'"?[0-9A-Za-z#-]+"?'
_LIST = rf"\[(?:{_ITEM}(?:, {_ITEM})*)?\]"
_KEYS = re.compile(rf"(?m)^(?:level: (L[1-4])|sessions: ({_LIST})|source: ({_LIST}))$")
"""The fields as reel writes them; a file that has them otherwise is parsed."""
_WORD = re.compile(r"[0-9A-Za-z#-]+")


class Glance(Snapshot):
    """A snapshot whose memories have an ID, a level, sessions and sources, and nothing else.

    A fault elsewhere in a memory's file is not noticed here. `kit` is the folder the tree is of,
    for what is noted of its files; None where the tree is another. No file is looked at twice.
    """

    def __init__(self, tree: Tree, name: str, kit: Path | None = None, ring3: str = "") -> None:
        """Read from `tree`, calling the kit `name` in messages; `ring3` is its stamp, where it is known."""
        super().__init__(tree, name)
        self._kit = kit
        self._ring3 = ring3
        self._looks: dict[str, Look] = {}
        self._of_rings: dict[str, object] = {}

    def note(self, kind: str, paths: Iterable[str], make: Callable[[str], Note]) -> Mapping[str, Note]:
        """Return a note on each file, cached if possible; see `note_files`."""
        if self._kit is None:
            return super().note(kind, paths, make)
        known, looks = self._looks, []
        for path in paths:
            look = known.get(path)
            if look is None:
                look = known[path] = look_at(f"{self._kit}/{path}", path)
            looks.append(look)
        return _note_looks(self._kit, kind, looks, make)

    def note_rings(self, kind: str, make: Callable[[Snapshot], Note], also: Sequence[str] = ()) -> Note:
        """Return what `make` says of rings 3 and 4 now, cached while none of their files changes.

        `also` are further files, and folders without others in them, that it depends on.
        """
        if self._kit is None:
            return make(self)
        stamp, rings = self._rings
        if not stamp:
            return make(self)
        if kind not in self._of_rings:
            others = [f"{look_at(self._kit / x, x).stamp} {stamp_folder(self._kit / x)}" for x in also]
            whole = "\n".join([stamp, *others])
            self._of_rings[kind] = _note_rings(self._kit, kind, whole, lambda: make(rings), also)
        return cast("Note", self._of_rings[kind])

    @cached_property
    def settings(self) -> "Settings":
        """Return `kit.yaml`, typed, parsed again only if the file changed."""
        if self._kit is None:
            return self._parse_settings()
        from reel_cli.core.values.settings import Settings, load_settings

        shape = crc32(" ".join(one.name for one in fields(Settings)).encode())
        kind = f"settings {shape:08x} {self.name}".encode("utf-8", "backslashreplace").decode()
        noted = self.note(kind, ["kit.yaml"], lambda _: asdict(self._parse_settings()))
        return load_settings(dict(noted["kit.yaml"]))

    @cached_property
    def active(self) -> "ActiveSet":
        """Return the anchor and the active set, parsed again only if the file changed."""
        from reel_cli.core.values.memory import ActiveSet

        def parse(path: str) -> tuple[str | None, Sequence[str], Sequence[str]]:
            from reel_cli.core.files.exemplar_file import parse_active

            active = parse_active(self.text(path) or "", path)
            return active.anchor, active.active, active.resting

        anchor, active, resting = self.note("in use and resting", [ACTIVE], parse)[ACTIVE]
        return ActiveSet(anchor, tuple(active), tuple(resting))

    def _parse_settings(self) -> "Settings":
        from reel_cli.core.files.settings_file import parse_settings

        return parse_settings(self.text("kit.yaml") or "", fallback_name=self.name)

    @cached_property
    def rings_stamp(self) -> str:
        """Return a stamp that changes with any file of rings 3 and 4, made once, before they are read.

        Where the index is a link, it does not tell of what the link leads to.
        """
        if self._kit is None:
            return ""
        line = look_at(f"{self._kit}/{INDEX}", INDEX).stamp
        return f"{__version__} {line} {self._ring3 or stamp_folder(self._kit / 'ring3')}"

    @cached_property
    def _rings(self) -> "tuple[str, Glance]":
        """Return a stamp of rings 3 and 4 ("" for none), and a reading of them that begins only after it."""
        if self._kit is None or not look_at(f"{self._kit}/{INDEX}", INDEX).stamp:
            return "", self
        return self.rings_stamp, Glance(WorkTree(self._kit), self.name, self._kit)

    @cached_property
    def memories(self) -> Mapping[str, Memory]:
        """Return ring 3 by ID, in order of its files' names."""
        paths = [path for path in self.list("ring3") if is_memory_file(path.removeprefix("ring3/"))]
        kind = "memories of a later version" if self.is_later else "memories"
        notes = self.note(kind, paths, self._note_memory)
        return {memory.id: memory for memory in map(_from_note, paths, map(notes.__getitem__, paths))}

    def _note_memory(self, path: str) -> tuple[str, Sequence[str], Sequence[str]]:
        memory = glance_at_memory(self.text(path) or "", path, later=self.is_later)
        return memory.level.value, memory.sessions, [str(span) for span in memory.source]


def _from_note(path: str, note: tuple[str, Sequence[str], Sequence[str]]) -> Memory:
    name = path.removeprefix("ring3/").removesuffix(".md")
    level, sessions, source = note
    spans = tuple(span for span in map(parse_source, source) if span is not None)
    return Memory(name, name, Level(level), "", sessions=tuple(sessions), source=spans)


def glance_at_memory(text: str, path: str, *, later: bool = True) -> Memory:
    """Return a memory's level and origin from its front matter; raises ReelError if that is unreadable."""
    name = Path(path).stem
    end = text.find("\n---\n", 3) if text.startswith("---\n") else -1
    head = text[:end] if end > 0 else ""
    fields = _KEYS.findall(head)
    plain = len(fields) == 3 and f"\nid: {name}\n" in head and MEMORY_ID.fullmatch(name)
    if not plain or {bool(f[0]) + 2 * bool(f[1]) + 3 * bool(f[2]) for f in fields} != {1, 2, 3}:
        return _parse(text, path, later=later)
    level, sessions, source = ("".join(parts) for parts in zip(*fields, strict=True))
    spans = [parse_source(word) for word in _WORD.findall(source)]
    known: tuple[SourceRange, ...] = tuple(span for span in spans if span is not None)
    named = tuple(_WORD.findall(sessions)) or tuple(dict.fromkeys(span.session for span in known))
    if not all(SESSION_ID.fullmatch(session) for session in named):
        return _parse(text, path, later=later)
    return Memory(id=name, title=name, level=Level(level), body="", sessions=named, source=known)


def _parse(text: str, path: str, *, later: bool) -> Memory:
    from reel_cli.core.files.memory_file import parse_memory

    return parse_memory(text, path, later=later)
