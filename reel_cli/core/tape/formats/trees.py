"""Conversion of a chat kept as a tree to the tape's order: the shown branch, then the others beside it.

A branch that is not shown is a road: its messages are kept with its name.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from reel_cli.core.frozen import frozen
from reel_cli.core.values.talk import Kind, Message


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


def newest_leaf(parents: Mapping[str, str | None], time_of: Callable[[str], float]) -> str | None:
    """Return the latest message that nothing follows; of equals, the last in the file.

    `time_of` gives 0 where it is unknown, and is asked only where there is a choice.
    """
    followed = set(parents.values())
    leaves = [name for name in parents if name not in followed] or list(parents)
    if len(leaves) <= 1:
        return leaves[0] if leaves else None
    return max((time_of(name), place, name) for place, name in enumerate(leaves))[2]


def lay_out(
    parents: Mapping[str, str | None], leaf: str | None, read: Callable[[str], Sequence[Message]]
) -> list[Message]:
    """Return all messages in the tape's order; `read` gives those of one node, and is called once each.

    Reasoning and tool calls that led to an answer follow it. A road not taken follows the said
    message that it is an alternative to: what was said on it as versions, the rest by its kind, all
    with the road's number.
    """
    if leaf is None:
        return []
    walked = walk(parents, leaf)
    groups = {name: read(name) for name in parents}
    roads = [road for beside in walked.roads.values() for road in beside]
    full = [road.number for road in roads if any(groups[name] for name in road.ids)]
    numbers = {number: place for place, number in enumerate(sorted(full), start=1)}
    found: list[Message] = []
    led = _LeadCollector(found)
    waiting: list[Road] = []

    def turn_off() -> None:
        for road in waiting:
            if road.number in numbers:
                found.extend(_road([groups[name] for name in road.ids], numbers[road.number]))
        waiting.clear()

    for name in walked.path:
        waiting += walked.roads.get(name, ())
        if led.take(groups[name]):
            turn_off()
    led.settle()
    turn_off()
    return found


def _road(groups: Sequence[Sequence[Message]], number: int) -> list[Message]:
    found: list[Message] = []
    led = _LeadCollector(found)
    for group in groups:
        led.take(group)
    led.settle()
    kinds = ((m, Kind.VERSION if m.kind is Kind.SAID else m.kind) for m in found)
    return [replace(m, kind=kind, road=number) for m, kind in kinds]


class _LeadCollector:
    """A collector that places what led to an answer after the answer."""

    def __init__(self, found: list[Message]) -> None:
        self._found = found
        self._pending: list[Message] = []

    def take(self, group: Sequence[Message]) -> bool:
        """Add one node's messages; whether any of them was said."""
        said = False
        for message in group:
            if message.kind is Kind.SAID and message.text.strip():
                before = self._pending
                self._pending = []
                answer = message.role == "assistant"
                self._found += [message, *before] if answer else [*before, message]
                said = True
            elif said or message.kind is Kind.SYSTEM:
                self._found.append(message)
            else:
                self._pending.append(message)
        return said

    def settle(self) -> None:
        """Append what led to no answer after the last thing said."""
        self._found += self._pending
        self._pending = []


def put_in_order(groups: Iterable[Sequence[Message]]) -> list[Message]:
    """Return the messages of a chat without branches, what led to an answer after it."""
    found: list[Message] = []
    led = _LeadCollector(found)
    for group in groups:
        led.take(group)
    led.settle()
    return found
