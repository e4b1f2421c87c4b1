"""Telling another kit of a memory: whom a person means, what they would hear, and the commits."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.files.tree import WorkTree
from reel_cli.core.frozen import frozen
from reel_cli.core.kit.apart_kits import APART, home_of
from reel_cli.core.kit.known_kits import list_kits
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.values.change import Change
from reel_cli.core.values.memory import SHARED, Memory
from reel_cli.features.share.ask import text_for
from reel_cli.features.share.files import SharedMemory
from reel_cli.features.share.plan import gather_shared, plan_give, with_audience
from reel_cli.features.share.policy import list_audience
from reel_cli.features.share.shared_kit import (
    OP,
    USUAL,
    SharedKit,
    find_shared,
    named_kit,
    read_shares,
    shares_of,
    with_shared,
    write_shared,
)

if TYPE_CHECKING:
    from reel_cli.terminal.open_kit import OpenKit


@frozen
class GivePlan:
    """The plan of telling others of a memory: the changes in the shared kit and in the giver's own.

    `told` are the kits and groups that would newly know it, `anew` the kits that may know it already and
    would hear other words than so far. `shared` is the shared kit as it will be.
    """

    one: SharedMemory
    shared: SharedKit
    told: tuple[str, ...]
    in_shared: Change
    in_own: Change
    anew: tuple[str, ...] = ()


def plan_giving(opened: "OpenKit", memory: Memory, words: Sequence[str]) -> GivePlan:
    """Return the plan of telling those whom a person names of a memory; ReelError where that cannot be."""
    snapshot = opened.snapshot
    shares = read_shares(snapshot)
    name = snapshot.settings.name
    if memory.id in shares.taken or SHARED in memory.tags:
        message = f"{name} was told of {memory.id} in confidence; only whose memory it is can tell others."
        raise ReelError(message, hint="share it from the kit it came from")
    shared = find_or_begin(opened, words)
    own, first = shared.with_member(opened.root, name, shares.name)
    writes = dict(first)
    later = shared.after(writes)
    audience: list[str] = []
    for word in words:
        one, more = _resolve(opened, later, word)
        if one == own:
            message = f"{memory.id} is {name}'s own memory."
            raise ReelError(message, hint="name another kit:  reel kits  lists them")
        writes |= more
        later = shared.after(writes)
        audience.append(one)
    known = later.find_given(own, memory.id)
    before = known.audience if known is not None else ()
    shared_id = known.id if known is not None else later.next_id()
    gathered = gather_shared(snapshot, memory, own, shared_id)
    made = with_audience(gathered, tuple(dict.fromkeys((*before, *audience))), later)
    if known is not None:
        made = replace(made, taken=known.taken)
    writes |= write_shared(made)
    told = tuple(word for word in dict.fromkeys(audience) if word not in before)
    anew = _hear_anew(known, made, later) if known is not None else ()
    in_shared = Change(OP, f"{own} tells {', '.join(audience)} of {shared_id}", writes, ())
    in_own = plan_give(snapshot, with_shared(opened.root, shares, shared, own), made)
    return GivePlan(made, shared.after(writes), told, in_shared, in_own, anew)


def _hear_anew(before: SharedMemory, after: SharedMemory, shared: SharedKit) -> tuple[str, ...]:
    """Return the kits that may know a memory already and would hear other words of it than so far."""
    return tuple(
        kit
        for kit in list_audience(before, shared.groups)
        if (before.title, text_for(before, kit, shared)) != (after.title, text_for(after, kit, shared))
    )


def find_or_begin(opened: "OpenKit", words: Sequence[str]) -> SharedKit:
    """Return the shared kit that a kit belongs to, else that of the kits named, else a new one."""
    known = find_shared(opened.root, read_shares(opened.snapshot))
    return known or _shared_of_others(opened, words) or _usual(opened)


def named_kits(
    opened: "OpenKit", shared: SharedKit, words: Sequence[str]
) -> tuple[list[str], dict[str, bytes | None]]:
    """Return the names in the shared kit of those a person names, and the writes that new kits need.

    The kit itself may be one of them; a group's name stands for the kits in it. ReelError for others.
    """
    writes: dict[str, bytes | None] = {}
    found: list[str] = []
    own = opened.root.resolve()
    for word in words:
        later = shared.after(writes)
        folders = _folders_called(opened, word)
        if [folder.resolve() for folder in folders] == [own] and word not in later.groups:
            settings = opened.snapshot.settings
            key, more = later.with_member(opened.root, settings.name, read_shares(opened.snapshot).name)
        else:
            key, more = _resolve(opened, later, word)
        writes |= more
        found += later.groups.get(key, (key,))
    return found, writes


def _usual(opened: "OpenKit") -> SharedKit:
    """Return the place beside a kit where its shared kit is made; ReelError where something else is there.

    A chat kept apart has it where its home has.
    """
    beside = home_of(opened.root).resolve().parent
    places = [SharedKit(beside / name) for name in USUAL]
    for one in places:
        if one.there or not one.root.exists() or (one.root.is_dir() and not any(one.root.iterdir())):
            return one
    message = f"{' and '.join(USUAL)} in {beside} are no shared kits, so none is made there."
    raise ReelError(message, hint=f"give one of those folders another name, like  {USUAL[1]}-old")


def _shared_of_others(opened: "OpenKit", words: Sequence[str]) -> SharedKit | None:
    """Return the shared kit that the first named kit belongs to; None where it belongs to none."""
    for folder in (folder for word in words for folder in _folders_called(opened, word)):
        with suppress(ReelError, OSError):
            found = named_kit(folder, shares_of(folder))
            if found is not None and found.there:
                return found
    return None


def _resolve(opened: "OpenKit", shared: SharedKit, word: str) -> tuple[str, dict[str, bytes | None]]:
    """Return the name in the shared kit of whom a person means, and the writes that a new kit needs."""
    same = [k for k, one in shared.kits.items() if word == k or one.name.casefold() == word.casefold()]
    folders = _folders_called(opened, word)
    real = {folder.resolve() for folder in folders} | {shared.folder_of(shared.kits[key]) for key in same}
    grouped = word in shared.groups
    if len(real) + grouped > 1:
        places = ", ".join([*(["the group"] if grouped else []), *map(str, sorted(real))])
        message = f"“{word}” could be several kits: {places}."
        raise ReelError(message, hint="name one by its folder")
    if grouped:
        return word, {}
    if same:
        return same[0], {}
    if not folders:
        groups = f"; groups: {', '.join(shared.groups)}" if shared.groups else ""
        message = f"No kit or group is called “{word}”."
        raise ReelError(message, hint=f"name a kit's folder; reel kits  lists them{groups}")
    folder = folders[0].resolve()
    shares = shares_of(folder)
    own = named_kit(folder, shares)
    if own is not None and own.root.resolve() != shared.root.resolve():
        message = f"{folder.name} belongs to another shared kit ({own.root})."
        raise ReelError(message, hint="a kit belongs to one shared kit")
    key, writes = shared.with_member(folder, _name_of(folder), shares.name)
    return key, dict(writes)


def _folders_called(opened: "OpenKit", word: str) -> list[Path]:
    """Return the kits that a person may mean: a folder they type, else those near and known by that name."""
    typed = Path(word).expanduser()
    if (typed / "kit.yaml").is_file():
        return [typed]
    wanted = word.casefold()
    found = {place.resolve(): place for place in _kits_around(opened) if _is_called(place, wanted)}
    return list(found.values())


def _kits_around(opened: "OpenKit") -> Iterator[Path]:
    """Yield the kits beside this one and those of this machine; a chat kept apart is told by its folder."""
    with suppress(OSError):
        for place in sorted(opened.root.resolve().parent.iterdir()):
            if (place / "kit.yaml").is_file() and not (place / APART).is_file():
                yield place
    for place in list_kits():
        if (place / "kit.yaml").is_file() and not (place / APART).is_file():
            yield place


def _is_called(place: Path, wanted: str) -> bool:
    if place.name.casefold() == wanted:
        return True
    with suppress(ReelError, OSError):
        return _name_of(place).casefold() == wanted
    return False


def _name_of(folder: Path) -> str:
    return Snapshot(WorkTree(folder), folder.name).settings.name
