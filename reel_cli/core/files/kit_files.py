"""The names at the top of a kit that are its own: what may lie there, and what reel can read of it."""

from collections.abc import Sequence
from pathlib import PurePosixPath

from reel_cli.core.values.memory import MEMORY_ID

RINGS = ("ring0", "ring1", "ring2", "ring3", "ring4")
RECORDS = ("tape", "checkpoints", "review", "journal")
LATER = ("story", "domain", "shelf", "archive", "summaries", "card", "lore", "adapters", "places", "compare")
SINGLE = (
    *("kit.yaml", "facts.yaml", "intake.yaml", "SHARED-CONTEXT.md", "stream.md", "session-log.md"),
    *("hot.yml", "cold.yml", "memory_actions.yml"),
)
OF_GIT = (".git", ".gitattributes", ".gitignore", ".gitmodules", ".reel")
KIT_FILES = frozenset((*RINGS, *RECORDS, *LATER, *SINGLE, *OF_GIT))
"""Every file and folder at the top of a kit that is the kit's own, whether it is there yet or not."""

ANYTHING = frozenset(("shelf", "archive", "card", "lore", "compare"))
"""Folders whose files may hold whatever a person put there."""
_TEXT = (".md", ".yaml", ".yml", ".jsonl", ".csv")


def is_kit_file(path: str) -> bool:
    """Return whether a path below the kit's folder is, or would be, one of the kit's own files.

    Upper and lower case are alike, as they are on many disks.
    """
    top = PurePosixPath(path).parts[:1]
    return bool(top) and top[0].casefold() in {name.casefold() for name in KIT_FILES}


def is_kit_text(path: str) -> bool:
    """Return whether a kit path is of a text that reel writes, and so can tell to be damaged."""
    top, _, rest = path.partition("/")
    return path.endswith(_TEXT) and top in KIT_FILES and not (rest and top in ANYTHING)


MOST_NAMED = 4
"""Files that lie in more places than these are named by the whole kit in a command."""


def name_missing(paths: Sequence[str]) -> str:
    """Return in words which files are missing: one by its path, of several how many and the first."""
    if len(paths) == 1:
        return f"{paths[0]} is missing"
    return f"{len(paths):,} files are missing, the first {paths[0]}"


def restore_command(paths: Sequence[str]) -> str:
    """Return the command that brings these files back: one by its name, many by their folders."""
    from shlex import quote

    if len(paths) == 1:
        return f"reel restore {quote(_name(paths[0]))}"
    tops = list(dict.fromkeys(path.partition("/")[0] for path in paths))
    return f"reel restore {' '.join(map(quote, tops))}" if len(tops) <= MOST_NAMED else "reel restore ."


def _name(path: str) -> str:
    """Return the name of a file as a command takes it: a memory by its ID."""
    folder, _, name = path.rpartition("/")
    memory = name.removesuffix(".md")
    return memory if folder == "ring3" and MEMORY_ID.fullmatch(memory) else path
