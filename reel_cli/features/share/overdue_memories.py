"""Shared memories that a kit may not know any more, taken out as it is opened."""

import json
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from time import time_ns
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.files.tree import WorkTree
from reel_cli.core.kit.apart_kits import home_of
from reel_cli.core.kit.kit_note import keep_note, recall_note

if TYPE_CHECKING:
    from reel_cli.features.share.shared_kit import SharedKit
    from reel_cli.terminal.open_kit import OpenKit

_NOTE = "shares settled"
"""The note of the files that were looked at last, with their stamps."""
_OWN = ("shares.yaml", "ring4/index.md")
_YOUNG = 2_000_000_000
"""Nanoseconds below which a file may change again without its stamp."""


def settle_overdue(opened: "OpenKit") -> None:
    """Take out of a kit what it may not know any more.

    Where the shared kit is not here, nothing is known of that; where this kit cannot be written, a line says
    so. While none of the files changed, none is read.
    """
    own = _own_stamp(opened.root)
    if _is_settled(opened.root, own):
        return
    try:
        looked_at = _settle(opened)
        if own == _own_stamp(opened.root):
            _note(opened.root, own, looked_at)
    except (ReelError, OSError) as error:
        why = error.message if isinstance(error, ReelError) else str(error.strerror or error)
        opened.console.say(f"What is shared could not be looked at: {why}")
    finally:
        opened.look_again()


def _settle(opened: "OpenKit") -> Sequence[Path]:
    """Take out what is overdue, and return the files of the shared kit that say what is."""
    from reel_cli.features.share.files import SHARED, shared_path
    from reel_cli.features.share.shared_kit import find_shared, find_taken, named_kit, read_shares
    from reel_cli.features.share.traces import asked_of, drop_prompts

    snapshot = opened.snapshot
    shares = read_shares(snapshot)
    held, asked = find_taken(snapshot, shares), asked_of(opened.state)
    # a kit that was only asked has no file that names the shared one
    shared = (
        find_shared(opened.root, shares) if asked and not shares.shared else named_kit(opened.root, shares)
    )
    if shared is None:
        return ()
    known = dict.fromkeys((*held.values(), *asked))
    looked_at = [shared.root / SHARED, *(shared.root / shared_path(one) for one in known)]
    if not shared.there:
        return looked_at
    kit = shared.own_name(opened.root, shares.name, snapshot.settings.name) or shares.name
    # a chat kept apart knows what its home was told
    home = home_of(opened.root)
    kits = {kit, shared.name_of(home) if home != opened.root else kit}
    lost = [one for one in known if not _holds(shared, one, kits)]
    if prompts := [one for one in asked if one in lost]:
        # who was only asked has no memory of it, and a prompt that tells all of it
        drop_prompts(opened, prompts, ())
    overdue = {name: one for name, one in held.items() if one in lost}
    if overdue:
        from reel_cli.core.rings.losses import WITHDRAWN
        from reel_cli.features.share.withdrawal import drop_memories, note_gone

        memories = snapshot.memories
        told = ", ".join(memories[name].title if name in memories else name for name in overdue)
        drop_memories(opened, overdue, WITHDRAWN)
        opened.console.say(f"{told}: taken back, so {snapshot.settings.name} forgets it.")
        with suppress(ReelError, OSError):
            # the other side only shows it; the next that writes there finds it gone
            note_gone(opened, shared, kit, overdue.values())
    return looked_at


def _holds(shared: "SharedKit", shared_id: str, kits: Collection[str]) -> bool:
    """Return whether one of these kits may still know a shared memory.

    So it is too where its file is missing or unreadable.
    """
    from reel_cli.features.share.policy import may_know

    one = shared.read_one(shared_id)
    return one is None or any(may_know(one, kit, shared.groups) for kit in kits)


def _own_stamp(root: Path) -> str:
    tree = WorkTree(root)
    asked = sorted(path.name for path in root.glob(".reel/state/exchanges/share.*.json"))
    return "\n".join((*(str(tree.stamp(path)) for path in _OWN), *asked))


def _is_settled(root: Path, own: str) -> bool:
    """Return whether the files that were looked at last are as they were."""
    kept, _ = recall_note(root, _NOTE, own)
    if kept is None:
        return False
    with suppress(ValueError):
        known: Mapping[str, str | None] = json.loads(kept)
        return all(_stamp(Path(path)) == stamp for path, stamp in known.items())
    return False


def _note(root: Path, own: str, looked_at: Sequence[Path]) -> None:
    """Note the files that were looked at, unless one is so young that it may change without a new stamp."""
    stamps = {str(path): _stamp(path) for path in looked_at}
    times = [
        int(stamp.split(" ")[0])
        for stamp in (*own.split("\n"), *stamps.values())
        if stamp and stamp[0].isdigit()
    ]
    if max(times, default=0) + _YOUNG < time_ns():
        keep_note(root, _NOTE, own, json.dumps(stamps))


def _stamp(path: Path) -> str | None:
    return WorkTree(path.parent).stamp(path.name)
