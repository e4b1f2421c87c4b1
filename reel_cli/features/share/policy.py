"""Rules on who may know a shared memory, and from which place: told, or lived (REEL §12.1).

What a persona was not there for and was not told, it does not know.
"""

from collections.abc import Mapping, Sequence

from reel_cli.features.share.files import LIVED, TOLD, Line, Member, SharedMemory, Span

Groups = Mapping[str, Sequence[str]]


def may_know(one: SharedMemory, kit: str, groups: Groups) -> bool:
    """Return whether a kit may know a shared memory: named itself, or in a group that is."""
    if one.back or kit == one.giver:
        return False
    return kit in one.audience or any(kit in groups.get(name, ()) for name in one.audience)


def list_audience(one: SharedMemory, groups: Groups) -> list[str]:
    """Return the kits that may know a shared memory, groups as the kits in them."""
    named = (kit for name in one.audience for kit in groups.get(name, (name,)))
    return [kit for kit in dict.fromkeys(named) if kit != one.giver]


def presence(one: SharedMemory, kit: str, kits: Mapping[str, Member]) -> Sequence[Span]:
    """Return the messages that a kit's persona was there for, in each chat from its first to its last.

    A name that two kits' personas have shows nothing.
    """
    name = kits[kit].name.casefold() if kit in kits else ""
    if not name or sum(other.name.casefold() == name for other in kits.values()) > 1:
        return ()
    return next((spans for who, spans in one.there.items() if who.casefold() == name), ())


def is_in(line: Line, spans: Sequence[Span]) -> bool:
    """Return whether a message is one of these."""
    return any(first <= line.number <= last for first, last in spans)


def how_known(one: SharedMemory, kit: str, kits: Mapping[str, Member]) -> str:
    """Return whether a kit takes a memory in as told or as lived."""
    return LIVED if heard_by(one, kit, kits) else TOLD


def heard_by(one: SharedMemory, kit: str, kits: Mapping[str, Member]) -> Sequence[Line]:
    """Return the messages that a kit's persona was there for."""
    spans = presence(one, kit, kits)
    return [line for line in one.said if is_in(line, spans)]
