"""Taking a shared memory back: out of the shared kit, and out of every kit that took it in."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.files.private import empty_cache
from reel_cli.core.files.state import State
from reel_cli.core.frozen import frozen
from reel_cli.core.rings.losses import WITHDRAWN
from reel_cli.core.tokens.counter import get_tokenizer
from reel_cli.features.share.files import Member, SharedMemory
from reel_cli.features.share.plan import (
    note_let_go,
    plan_forget_taken,
    plan_not_given,
    take_back,
    take_back_from,
)
from reel_cli.features.share.policy import list_audience
from reel_cli.features.share.shared_kit import SharedKit, find_taken, named_kit, read_shares, shares_of
from reel_cli.features.share.traces import asked_of, drop_prompts, forget_queries, list_passages, memory_texts

if TYPE_CHECKING:
    from reel_cli.terminal.open_kit import OpenKit


@frozen
class BackPlan:
    """The plan of taking a shared memory back.

    `names` are the kits and groups it is taken back from; none for all. `takers` are the kits that have it,
    by their folders; `absent` the persona's names of kits that may know it and are not here.
    """

    one: SharedMemory
    shared: SharedKit
    names: tuple[str, ...]
    takers: tuple[tuple[str, Path], ...]
    absent: tuple[str, ...]
    askers: tuple[tuple[str, Path], ...] = ()
    """The kits that only asked for it: they have its prompt, and no memory of it."""


def plan_back(shared: SharedKit, one: SharedMemory, words: Sequence[str]) -> BackPlan:
    """Return the plan of taking a shared memory back, from all or from those named; ReelError for others."""
    names = tuple(_named(shared, one, word) for word in words)
    stay = [name for name in one.audience if name not in names] if names else []
    # taken back from the last, it goes whole: no word of it stays in the shared kit
    names = names if stay else ()
    known = {*list_audience(one, shared.groups), *one.taken}
    keep = {kit for name in stay for kit in shared.groups.get(name, (name,))}
    takers: list[tuple[str, Path]] = []
    askers: list[tuple[str, Path]] = []
    absent: list[str] = []
    for kit in sorted({*known, *shared.kits} - keep - {one.giver}):
        folder = shared.folder_of(shared.kits[kit]) if kit in shared.kits else None
        if folder is None or not (folder / "kit.yaml").is_file():
            absent += [shared.kits[kit].name if kit in shared.kits else kit] if kit in known else []
        elif _has_taken(folder, shared, one.id):
            takers.append((kit, folder))
        elif one.id in asked_of(State(folder)):
            askers.append((kit, folder))
    return BackPlan(one, shared, names, tuple(takers), tuple(absent), tuple(askers))


def _named(shared: SharedKit, one: SharedMemory, word: str) -> str:
    same = [
        name
        for name in one.audience
        if word == name or (name in shared.kits and _is_kit(shared, shared.kits[name], word))
    ]
    if len(same) == 1:
        return same[0]
    message = f"{one.id} was not shared with “{word}”."
    raise ReelError(message, hint=f"it was shared with: {', '.join(one.audience)}")


def _is_kit(shared: SharedKit, kit: Member, word: str) -> bool:
    """Return whether a word is a kit's name, or the path of its folder."""
    return kit.name.casefold() == word.casefold() or Path(word).resolve() == shared.folder_of(kit)


def _has_taken(folder: Path, shared: SharedKit, shared_id: str) -> bool:
    """Return whether the kit in a folder took a memory in from this shared kit."""
    with suppress(ReelError, OSError):
        shares = shares_of(folder)
        own = named_kit(folder, shares)
        return (
            own is not None
            and own.root.resolve() == shared.root.resolve()
            and shared_id in shares.taken.values()
        )
    return False


def carry_out(opened: "OpenKit", plan: BackPlan) -> Sequence[str]:
    """Take a memory back, the shared kit first; return a sentence on each kit that still has it."""
    one, shared = plan.one, plan.shared
    change = take_back_from(one, plan.names, shared) if plan.names else take_back(one, opened.now())
    shared.commit(opened, change)
    failed = []
    for kit, folder in (*plan.takers, *plan.askers):
        try:
            drop_taken(open_other(opened, folder), one.id, WITHDRAWN)
        except ReelError as error:
            failed.append(f"{shared.kits[kit].name}'s kit still has it: {error.message}")
    if not plan.names:
        opened.look_again()
        if one.id in read_shares(opened.snapshot).given.values():
            opened.commit_all([plan_not_given(opened.snapshot, one.id)])
    return failed


def drop_asked(opened: "OpenKit", shared: SharedKit, losses: Iterable[tuple[str, SharedMemory]]) -> None:
    """Forget the prompts of kits that may not know a memory any more; what they took in goes at next use."""
    for kit, one in losses:
        member = shared.kits.get(kit)
        folder = shared.folder_of(member) if member is not None else None
        if folder and (folder / "kit.yaml").is_file() and one.id in asked_of(State(folder)):
            drop_prompts(open_other(opened, folder), [one.id], ())


def drop_taken(opened: "OpenKit", shared_id: str, why: str) -> None:
    """Take a shared memory out of an open kit, if it is there, with the prompts that tell of it."""
    held = find_taken(opened.snapshot, read_shares(opened.snapshot))
    drop_prompts(opened, [shared_id], ())
    drop_memories(opened, {name: one for name, one in held.items() if one == shared_id}, why)


def note_gone(opened: "OpenKit", shared: SharedKit, kit: str, shared_ids: Iterable[str]) -> None:
    """Note in the shared kit that a kit no longer has these memories; ReelError where that cannot be."""
    for shared_id in dict.fromkeys(shared_ids):
        one = SharedKit(shared.root).read_one(shared_id)
        if one is not None and kit in one.taken:
            SharedKit(shared.root).commit(opened, note_let_go(one, kit))


def drop_memories(opened: "OpenKit", names: Mapping[str, str], why: str) -> None:
    """Take memories out of an open kit, each given with its shared one, and the prompts that tell of them."""
    if names:
        held = [one for name, one in opened.snapshot.memories.items() if name in names]
        drop_prompts(opened, names.values(), list_passages(memory_texts(held)))
        forget_queries(opened.state, names)
        counter = get_tokenizer(opened.snapshot.settings.tokenizer)
        repository = opened.require_repository()
        opened.commit_all([plan_forget_taken(opened.snapshot, repository, names, counter, why)])
        empty_cache(opened.root)


def open_other(opened: "OpenKit", folder: Path) -> "OpenKit":
    """Open another kit, to take out of it what was shared with it."""
    from reel_cli.core.git.repository import find_repository
    from reel_cli.terminal.open_kit import OpenKit

    return OpenKit(context=opened.context, root=folder, repository=find_repository(folder))
