"""Fields and files of a later version of the protocol in a kit: reel keeps them and does not read them."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import fields, replace

from reel_cli.core.errors import ReelError
from reel_cli.core.files import front_matter
from reel_cli.core.files.kit_files import find_kind, kit_names, list_kit_files
from reel_cli.core.files.settings_file import unread_words
from reel_cli.core.files.unread_fields import LONGEST_WORD, find_line, find_unread_fields
from reel_cli.core.files.unread_settings import unread_keys
from reel_cli.core.frozen import frozen
from reel_cli.core.kit.snapshot import ACTIVE, Snapshot
from reel_cli.core.values.change import one_line
from reel_cli.core.values.memory import ROLES, SHARED, Memory, is_brought, memory_path

_KIT = "kit.yaml"
_OF_MEMORY = tuple(one.name for one in fields(Memory))
_IMMUNE = frozenset({"immune", "not immune", "yes", "true", "on", "y", "1", "no", "false", "off", "n", "0"})
_LABELS = {
    "ring1": "examples",
    "ring3": "memories",
    "ring4": "the index",
    "checkpoints": "checkpoints",
    "review": "suggestions",
    "journal": "the journal",
    "summaries": "summaries",
    "shelf": "pages of the shelf",
}
_YAML, _JOURNAL = (".yaml", ".yml", ".md"), ".jsonl"


@frozen
class UnreadItem:
    """One thing that a kit holds and this version does not read, in words: how often, and its first place.

    `line` is counted from 1, 0 for a whole file.
    """

    what: str
    path: str
    line: int
    count: int = 1

    @property
    def place(self) -> str:
        """Return the first place of it, in words: only its line where `what` names the file."""
        named = self.what.startswith(f"{self.path}:")
        return f"{'' if named else f'{self.path}, '}line {self.line}" if self.line else self.path


def list_unread(snapshot: Snapshot) -> Sequence[UnreadItem]:
    """Return what this version does not read, each once; broken files are left out."""
    found: dict[str, UnreadItem] = {}
    for one in _find_unread(snapshot):
        before = found.get(one.what)
        found[one.what] = one if before is None else replace(before, count=before.count + 1)
    return tuple(found.values())


def _find_unread(snapshot: Snapshot) -> Iterator[UnreadItem]:
    text = snapshot.text(_KIT) or ""
    settings = unread_keys(text)
    for key, _ in settings:
        line = find_line(text, _KIT, *key.split("."))
        yield UnreadItem(f"{_KIT}: the setting {one_line(key, LONGEST_WORD)}", _KIT, line)
    for path, word in unread_words(text):
        if any(key.startswith(f"{path}.") for key, _ in settings):
            # a section is no word: what is not read of it was named
            continue
        what = f"{_KIT}: {path} {one_line(word, LONGEST_WORD)}, of which the default holds"
        yield UnreadItem(what, _KIT, find_line(text, _KIT, *path.split(".")))
    yield from _find_roles(snapshot)
    yield from _find_in_memories(snapshot)
    for file in list_kit_files():
        paths = snapshot.list(file.name) if file.path.endswith("/") else [file.path]
        for path in paths:
            yield from _find_in_file(snapshot, path)
    yield from _find_other_places(snapshot)


def _find_in_file(snapshot: Snapshot, path: str) -> Iterator[UnreadItem]:
    """Yield the fields and words of one file that its kind does not know."""
    kind = find_kind(path) if path.endswith((*_YAML, _JOURNAL)) else None
    if kind is None or (kind.known is None and kind.unread is None):
        return
    top = path.partition("/")[0]
    label = path if path == ACTIVE or top not in _LABELS else _LABELS[top]
    text = snapshot.text(path) or ""
    # the doctor names one that cannot be read
    with suppress(ReelError):
        if kind.known is not None and (known := kind.known(path)):
            for line, key in find_unread_fields(text, path, known):
                yield UnreadItem(f"{label}: the field {one_line(key, LONGEST_WORD)}", path, line)
        if kind.unread is not None:
            for line, told in kind.unread(path, text):
                yield UnreadItem(f"{label}: {told}", path, line)


def _find_roles(snapshot: Snapshot) -> Iterator[UnreadItem]:
    for path in snapshot.list("ring1"):
        if not path.endswith(".md"):
            continue
        with suppress(ReelError):
            text = snapshot.text(path) or ""
            role = front_matter.split(text, path).text("role", "general").strip().casefold()
            if role not in ROLES:
                what = f"examples: the role {one_line(role, LONGEST_WORD)}, read as general"
                yield UnreadItem(what, path, find_line(text, path, "role"))


def _find_in_memories(snapshot: Snapshot) -> Iterator[UnreadItem]:
    """Yield the fields and words of memories; one from elsewhere has those of what brought it."""
    for memory in snapshot.memories.values():
        if is_brought(memory.tags) or SHARED in memory.tags:
            continue
        path = memory_path(memory.id)
        text = snapshot.text(path) or ""
        for line, key in find_unread_fields(text, path, _OF_MEMORY):
            yield UnreadItem(f"memories: the field {one_line(key, LONGEST_WORD)}", path, line)
        document = front_matter.split(text, path)
        immune = document.text("immune").strip()
        if immune and immune.casefold() not in _IMMUNE:
            what = f"memories: immune {one_line(immune, LONGEST_WORD)}, read as no"
            yield UnreadItem(what, path, find_line(text, path, "immune"))
        level = document.text("level").strip()
        if level and level.upper() != memory.level:
            what = f"memories: the level {one_line(level, LONGEST_WORD)}, read as {memory.level}"
            yield UnreadItem(what, path, find_line(text, path, "level"))


def _find_other_places(snapshot: Snapshot) -> Iterator[UnreadItem]:
    """Yield the files in each place at the top of the kit that is none of its own."""
    own = set(kit_names())
    for path in snapshot.list(""):
        top, inside, _ = path.partition("/")
        if top not in own:
            name = one_line(top, LONGEST_WORD)
            yield UnreadItem(f"the folder {name}/" if inside else f"the file {name}", path, 0)
