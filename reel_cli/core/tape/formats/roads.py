"""Chats kept as a tree: the way to the message last shown, and the roads not taken."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from reel_cli.core.frozen import frozen


@frozen
class Road:
    """One branch that was left: its number, counted from 1, and the ids of its messages in order."""

    number: int
    ids: Sequence[str]


@frozen
class Walk:
    """The ids of the conversation as last shown; by each of them, the roads that leave where it stands."""

    path: Sequence[str]
    roads: Mapping[str, Sequence[Road]]
    loops: bool = False
    """True if some links form a cycle."""


@dataclass(slots=True)
class _Tree:
    parents: dict[str, str | None]
    children: dict[str | None, list[str]] = field(default_factory=dict)
    loops: bool = False


def latest_below(parents: Mapping[str, str | None], top: str) -> str:
    """Return the leaf below `top` that is reached by always taking the last child."""
    children: dict[str | None, str] = {parent: child for child, parent in parents.items()}
    seen = {top}
    while (below := children.get(top)) is not None and below not in seen:
        seen.add(below)
        top = below
    return top


def walk(parents: Mapping[str, str | None], current: str) -> Walk:
    """Return the walk to `current` through messages by the ID each follows, in written order.

    A parent that is not there makes a message a beginning; a link that closes a circle is cut. Every
    message is on the path or in one road. Roads are numbered in the order they were begun, so that a
    later reading gives them the same numbers.
    """
    tree = _grow(parents, current)
    path = _upward(tree, current)
    on_path = set(path)
    place = {name: index for index, name in enumerate(tree.parents)}
    left: list[tuple[str, list[str]]] = []
    for at, above in zip([*path, path[-1]], (None, *path), strict=True):
        for child in tree.children.get(above, ()):
            if child not in on_path:
                left += [(at, branch) for branch in _branches(tree, child)]
    left.sort(key=lambda branch: place[branch[1][0]])
    roads: dict[str, list[Road]] = {}
    for number, (at, branch) in enumerate(left, start=1):
        roads.setdefault(at, []).append(Road(number, branch))
    return Walk(path, roads, tree.loops)


def _grow(parents: Mapping[str, str | None], current: str) -> _Tree:
    """Return the tree, without dead links and cycles; the way to `current` is read first."""
    tree = _Tree({name: parent if parent in parents else None for name, parent in parents.items()})
    settled: set[str] = set()
    for name in (current, *parents):
        walked: set[str] = set()
        here: str | None = name
        while here is not None and here not in settled:
            walked.add(here)
            above = tree.parents[here]
            if above in walked:
                tree.parents[here] = above = None
                tree.loops = True
            here = above
        settled |= walked
    for name, parent in tree.parents.items():
        tree.children.setdefault(parent, []).append(name)
    return tree


def _upward(tree: _Tree, current: str) -> list[str]:
    path: list[str] = []
    here: str | None = current
    while here is not None:
        path.append(here)
        here = tree.parents[here]
    path.reverse()
    return path


def _branches(tree: _Tree, top: str) -> list[list[str]]:
    """Return the branches below a message: one down its first children, and one from each other child."""
    branches: list[list[str]] = []
    waiting = [top]
    while waiting:
        branch = [waiting.pop()]
        while below := tree.children.get(branch[-1]):
            waiting.extend(reversed(below[1:]))
            branch.append(below[0])
        branches.append(branch)
    return branches
