"""Fields and files of a later version of the protocol in a kit: reel keeps them and does not read them."""

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import fields

from reel_cli.core.errors import ReelError
from reel_cli.core.files import front_matter
from reel_cli.core.files.checkpoint_file import KEYS
from reel_cli.core.files.kit_files import kit_names
from reel_cli.core.files.memory_file import memory_path
from reel_cli.core.files.settings_file import unread_words
from reel_cli.core.files.unread_settings import unread_keys
from reel_cli.core.files.yaml_text import parse_mapping
from reel_cli.core.kit.snapshot import ACTIVE, Snapshot
from reel_cli.core.values.change import one_line
from reel_cli.core.values.memory import ROLES, SHARED, Memory, is_brought

_OF_EXAMPLE = frozenset({"title", "role", "added", "source"})
_OF_MEMORY = frozenset(one.name for one in fields(Memory))
_IMMUNE = frozenset({"immune", "not immune", "yes", "true", "on", "y", "1", "no", "false", "off", "n", "0"})
_LONGEST = 40


def list_unread(snapshot: Snapshot) -> Iterator[tuple[str, int]]:
    """Yield what this version does not read, in words, with how often it is there; broken files are left out.

    Memories from elsewhere have fields of the feature that brought them, so they are not looked at.
    """
    for key, _ in unread_keys(snapshot.text("kit.yaml") or ""):
        yield f"kit.yaml: the setting {one_line(key, _LONGEST)}", 1
    for path, word in unread_words(snapshot.text("kit.yaml") or ""):
        yield f"kit.yaml: {path} {one_line(word, _LONGEST)}, of which the default holds", 1
    yield from _list_examples(snapshot)
    memories: Counter[str] = Counter()
    for memory in snapshot.memories.values():
        if not is_brought(memory.tags) and SHARED not in memory.tags:
            path = memory_path(memory.id)
            document = front_matter.split(snapshot.text(path) or "", path)
            memories.update(
                f"the field {one_line(key, _LONGEST)}" for key in document.fields.keys() - _OF_MEMORY
            )
            immune = document.text("immune").strip()
            if immune and immune.casefold() not in _IMMUNE:
                memories[f"immune {one_line(immune, _LONGEST)}, read as no"] += 1
            level = document.text("level").strip()
            if level and level.upper() != memory.level:
                memories[f"the level {one_line(level, _LONGEST)}, read as {memory.level}"] += 1
    yield from ((f"memories: {what}", n) for what, n in sorted(memories.items()))
    ends = Counter(line.more.strip(" ,|") for line in snapshot.index.lines.values() if line.more)
    yield from ((f"the index: {one_line(end, _LONGEST)}", n) for end, n in sorted(ends.items()))
    pages: Counter[str] = Counter()
    for path in snapshot.checkpoints:
        try:
            pages.update(parse_mapping(snapshot.text(path) or "", path).keys() - KEYS)
        except ReelError:
            continue
    yield from ((f"checkpoints: the field {one_line(key, _LONGEST)}", n) for key, n in sorted(pages.items()))
    yield from ((f"the {what}", n) for what, n in sorted(_count_unknown_places(snapshot).items()))


def _list_examples(snapshot: Snapshot) -> Iterator[tuple[str, int]]:
    """Yield the fields and roles of examples, and the keys of their active set."""
    found: Counter[str] = Counter()
    for path in snapshot.list("ring1"):
        if not path.endswith(".md"):
            continue
        # the doctor names one that cannot be read
        with suppress(ReelError):
            document = front_matter.split(snapshot.text(path) or "", path)
            found.update(
                f"the field {one_line(key, _LONGEST)}" for key in document.fields.keys() - _OF_EXAMPLE
            )
            role = document.text("role", "general").strip().casefold()
            if role not in ROLES:
                found[f"the role {one_line(role, _LONGEST)}, read as general"] += 1
    yield from ((f"examples: {what}", n) for what, n in sorted(found.items()))
    with suppress(ReelError):
        active = parse_mapping(snapshot.text(ACTIVE) or "", ACTIVE).keys() - {"anchor", "active", "resting"}
        yield from ((f"{ACTIVE}: the field {one_line(key, _LONGEST)}", 1) for key in sorted(active))


def _count_unknown_places(snapshot: Snapshot) -> Counter[str]:
    """Return the number of files in each place at the top of the kit that is none of its own."""
    own = set(kit_names())
    found: Counter[str] = Counter()
    for path in snapshot.list(""):
        top, inside, _ = path.partition("/")
        if top not in own:
            found[f"folder {one_line(top, _LONGEST)}/" if inside else f"file {one_line(top, _LONGEST)}"] += 1
    return found
