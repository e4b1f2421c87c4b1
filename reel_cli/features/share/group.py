"""Groups of a shared kit: whom a person puts into one or takes out, and what that changes."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.frozen import frozen
from reel_cli.core.values.change import Change, one_line
from reel_cli.features.share.files import GROUP_NAME, SHARED, SharedMemory, begin_shared, set_groups
from reel_cli.features.share.give import find_or_begin, named_kits
from reel_cli.features.share.plan import gather_shared, with_audience
from reel_cli.features.share.policy import may_know
from reel_cli.features.share.shared_kit import OP, SharedKit, read_shares, write_shared

if TYPE_CHECKING:
    from reel_cli.terminal.open_kit import OpenKit


@frozen
class GroupPlan:
    """The plan of changing a group: its kits before and after, and the change in the shared kit.

    `gains` are the kits that may then know of a memory and could not before, `losses` those that may not any
    more, each with the memory. `shared` is the shared kit as it will be.
    """

    name: str
    shared: SharedKit
    before: tuple[str, ...]
    after: tuple[str, ...]
    gains: tuple[tuple[str, SharedMemory], ...]
    losses: tuple[tuple[str, SharedMemory], ...]
    change: Change


def plan_group(opened: "OpenKit", name: str, words: Sequence[str], *, out: bool) -> GroupPlan:
    """Return the plan of putting the named kits into a group, or with `out` of taking them out of it.

    Out without names dissolves the group. Raises ReelError where that cannot be.
    """
    shared = find_or_begin(opened, words)
    before = shared.groups.get(name, ())
    if out and not before:
        message = f"There is no group “{name}”."
        raise ReelError(message, hint="reel share  lists the groups")
    if not GROUP_NAME.fullmatch(name) or name in shared.kits:
        message = f"“{one_line(name, 40)}” cannot be a group's name."
        raise ReelError(message, hint="take a name that no kit has, of letters, digits, - and _")
    found, writes = named_kits(opened, shared, words)
    gone = set(found) or set(before) if out else set()
    after = tuple(dict.fromkeys(kit for kit in (*before, *(() if out else found)) if kit not in gone))
    members = shared.after(writes).snapshot.text(SHARED) or begin_shared()
    groups = {key: kits for key, kits in {**shared.groups, name: after}.items() if kits}
    writes = {**writes, SHARED: set_groups(members, groups).encode()}
    later = shared.after(writes)
    held = [one for one in shared.memories.values() if name in one.audience and not one.back]
    for one in held:
        writes |= write_shared(with_audience(_with_words(opened, later, one), one.audience, later))
    changed = [(kit, one) for kit in sorted({*before, *after}) for one in held]
    gains = [(k, one) for k, one in changed if _may(one, k, later) and not _may(one, k, shared)]
    losses = [(k, one) for k, one in changed if _may(one, k, shared) and not _may(one, k, later)]
    told = f"{name} is {', '.join(after)}" if after else f"{name} is no group any more"
    return GroupPlan(
        name, later, before, after, tuple(gains), tuple(losses), Change(OP, f"group: {told}", writes, ())
    )


def _may(one: SharedMemory, kit: str, shared: SharedKit) -> bool:
    return may_know(one, kit, shared.groups)


def _with_words(opened: "OpenKit", shared: SharedKit, one: SharedMemory) -> SharedMemory:
    """Return a memory of this kit's with all that was said, for those who newly may know it and were there.

    Of another kit's what was said stays as that kit shared it.
    """
    own = shared.own_name(opened.root, read_shares(opened.snapshot).name, opened.snapshot.settings.name)
    memory = opened.snapshot.memories.get(one.memory) if one.giver == own else None
    if memory is None or memory.uid != one.uid:
        return one
    gathered = gather_shared(opened.snapshot, memory, own, one.id)
    return replace(one, there=gathered.there, said=gathered.said)
