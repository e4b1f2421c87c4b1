"""Successors of a file that goes: a newer version, or the lesson of its failure (MEMORY-MGMT §5)."""

import re
from collections.abc import Callable, Sequence

from reel_cli.core.frozen import late
from reel_cli.features.shelf.shelf_file import ShelfFile

FAILED_TAGS = frozenset({"failed", "failure", "attempt", "failed-attempt", "dead-end", "abandoned"})
_FAILED = late(
    r"\b(?:fail(?:s|ed|ure|ing)?|dead[ -]end|abandoned|gave up|given up|attempt|"
    r"(?:did|does)(?: not|n['’]t) work|never worked)\b",
    re.IGNORECASE,
)
_SUPERSEDED = late(
    r"\b(?:superseded|replaced|outdated|obsolete|newer|later version|older|old)\b", re.IGNORECASE
)
_NUMBER = late(r"\d+")


def is_failed(file: ShelfFile, why: str) -> bool:
    """Return whether a file was a failed attempt, by its tags or by what is said of it."""
    return any(tag.casefold() in FAILED_TAGS for tag in file.tags) or bool(_FAILED.search(why))


def find_successor(file: ShelfFile, why: str, at_hand: Callable[[], Sequence[str]]) -> str:
    """Return the kit path of the file that took another's place; "" for none.

    It is named in what is said of the file, or has the same name with the highest number, where it is said
    that there is a newer one. `at_hand` gives the paths of what is there.
    """
    if not _SUPERSEDED.search(why):
        return ""
    others = [path for path in at_hand() if path != file.path]
    said = {word.strip("\"'`*_()[]{}<>.,;:!?").casefold() for word in why.split()}
    named = [path for path in others if said & _names(path)]
    same = [path for path in named if _folder(path) == _folder(file.path)]
    if len(named) == 1 or same:
        return min(same or named)
    if named:
        return ""
    series = [path for path in others if _NUMBER.sub("0", path) == _NUMBER.sub("0", file.path)]
    newer = [path for path in series if _numbers(path) > _numbers(file.path)]
    return max(newer, key=_numbers, default="")


def _names(path: str) -> set[str]:
    """Return the names by which a file may be mentioned: its path, its name, its name without extension."""
    told = path.casefold()
    name = told.rpartition("/")[2]
    return {told, told.partition("/")[2], name, name.rpartition(".")[0] or name}


def _folder(path: str) -> str:
    return path.rpartition("/")[0]


def _numbers(path: str) -> list[int]:
    return [int(found[:18]) for found in _NUMBER.findall(path)]
