"""Conversion of a chat kept as a tree to the tape's order: the shown branch, then the others beside it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from reel_cli.core.tape.formats.roads import Road, walk
from reel_cli.core.values.talk import Kind, Message


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
    led = _Led(found)
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
    led = _Led(found)
    for group in groups:
        led.take(group)
    led.settle()
    kinds = ((m, Kind.VERSION if m.kind is Kind.SAID else m.kind) for m in found)
    return [replace(m, kind=kind, road=number) for m, kind in kinds]


class _Led:
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
