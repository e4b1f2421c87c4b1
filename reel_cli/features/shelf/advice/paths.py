"""Resolution of paths in advice to things at hand; unknown ones are reported by name."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches

from reel_cli.core.errors import ReelError
from reel_cli.core.files.tree import PRIVATE, WorkTree
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.rings.read_memory import memory_name
from reel_cli.core.values.artifact import Problem
from reel_cli.core.values.change import one_line
from reel_cli.core.values.memory import memory_path
from reel_cli.features.shelf.advice.advice import Advice, Hint
from reel_cli.features.shelf.holdings import AtHand
from reel_cli.features.shelf.shelf_file import SHELF

_MEMORY = re.compile(r"(?:ring3/)?(M-\d{3,9})(?:\.md)?", re.IGNORECASE)
LISTED = " · "
"""Separator between a path and the rest of a line of the prompt."""
_DRIVE = re.compile(r"[A-Za-z]:[\\/]")


def belongs(snapshot: Snapshot, path: str) -> bool:
    """Return whether a path that is not at hand is a file of the kit; raises as the tree does for a link."""
    parts = path.split("/")
    plain = not {"", ".", ".."}.intersection(parts) and parts[0] not in (*PRIVATE, SHELF)
    return plain and snapshot.read(path) is not None


@dataclass
class Finder:
    """A resolver of paths in advice to things at hand; unknown ones are reported by name."""

    snapshot: Snapshot
    at_hand: AtHand
    problems: list[Problem] = field(default_factory=list)
    """Paths that were left out, each with the reason."""

    def resolve(self, advice: Advice) -> tuple[Mapping[str, Hint], Mapping[str, Hint]]:
        """Return what to keep and what to let go, by kit path."""
        keep, go = self._each(advice.hot), self._each(advice.cold)
        for path in [path for path in keep if path in go]:
            self._refuse(keep.pop(path).path, "is named both to keep and to let go; both are ignored")
            del go[path]
        return keep, go

    def there(self, path: str) -> bool:
        """Return whether a path of a manifest still stands for something."""
        try:
            return path in self.at_hand.items or belongs(self.snapshot, path)
        except ReelError:
            return False

    def _each(self, hints: Iterable[Hint]) -> dict[str, Hint]:
        found: dict[str, Hint] = {}
        apart: set[str] = set()
        for hint in hints:
            try:
                path = self._find(hint.path)
            except ReelError as error:
                self.problems.append(Problem(one_line(hint.path, 80), error.message))
                continue
            if path in apart:
                continue
            if path not in found:
                found[path] = hint
            elif found[path].action == hint.action:
                self._refuse(hint.path, "is named twice; the first counts")
            else:
                self._refuse(hint.path, "is named twice with different actions; both are ignored")
                apart.add(path)
                del found[path]
        return found

    def _refuse(self, path: str, why: str) -> None:
        self.problems.append(Problem(one_line(path, 80), f"{one_line(path, 80)} {why}."))

    def _find(self, given: str) -> str:
        """Return the kit path meant; raises ReelError if there is none, or it is no regular file."""
        shown = one_line(given, 80)
        # a whole line of the prompt may have been copied
        path = given.partition(LISTED)[0].strip().removeprefix("./")
        if path.startswith(("/", "~", "\\")) or _DRIVE.match(path):
            message = f"{shown} is outside the kit."
            raise ReelError(message)
        if ".." in re.split(r"[\\/]", path):
            message = f"{shown} is outside the kit."
            raise ReelError(message)
        memory = _MEMORY.fullmatch(path)
        if memory is not None:
            return self._memory(memory_name(memory[1]))
        items = self.at_hand.items
        named = [one for one in (path, f"{SHELF}/{path}") if one in items]
        named = named or [one for one in items if one.rpartition("/")[2] == path and one.startswith(SHELF)]
        if len(named) > 1:
            message = f"{shown} could be {named[0]} or {named[1]}; name it by its whole path."
            raise ReelError(message)
        if named:
            return self._plain(named[0], shown)
        if belongs(self.snapshot, path):
            return path
        names = [one.removeprefix(f"{SHELF}/") for one in items if one.startswith(SHELF)]
        near = get_close_matches(path.removeprefix(f"{SHELF}/"), names, n=1, cutoff=0.75)
        meant = f"perhaps {SHELF}/{near[0]} is meant" if near else "a file is named as the prompt lists it"
        message = f"The kit has no file called “{shown}”; {meant}."
        raise ReelError(message)

    def _memory(self, name: str) -> str:
        if memory_path(name) in self.at_hand.items:
            return memory_path(name)
        stub = name in self.snapshot.index.lines
        left = f"{name} is not at hand any more: only its line is left."
        message = left if stub else f"There is no memory {name}."
        raise ReelError(message)

    def _plain(self, path: str, shown: str) -> str:
        """Return a path of the shelf; raises ReelError if it is a link or a device."""
        file, tree = self.at_hand.items[path].file, self.snapshot.tree
        if file is not None and file.held and isinstance(tree, WorkTree) and tree.stamp(path) is None:
            message = f"{shown} is a link or a device, and no plain file of the kit."
            raise ReelError(message)
        return path
