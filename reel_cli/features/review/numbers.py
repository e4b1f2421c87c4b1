"""Numbers of the list of what waits: a place in the list that was printed last."""

import hashlib
import json
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError, StateError
from reel_cli.core.files.private import state_folder, write_private

if TYPE_CHECKING:
    from reel_cli.features.review.proposals import WaitingProposal
    from reel_cli.terminal.open_kit import OpenKit

PRINTED = "review-list.json"
"""The file in `.reel/state` that tells the list that was printed last."""
DIGITS = 6
"""Digits above which a word is no number of a list."""


def note_printed(opened: "OpenKit", waiting: "Sequence[WaitingProposal]") -> None:
    """Remember the list as printed; a kit that cannot be written remembers none."""
    with suppress(OSError, StateError):
        state_folder(opened.root)
        noted = {"list": _digest(waiting), "count": len(waiting)}
        write_private(opened.state.folder / PRINTED, json.dumps(noted).encode(), sync=False)


def require_printed(opened: "OpenKit", waiting: "Sequence[WaitingProposal]", names: Sequence[str]) -> None:
    """Print the list anew and raise ReelError where one of the names is a number of another list."""
    noted = opened.state.note(PRINTED)
    printed = noted if isinstance(noted, dict) else {}
    if not waiting or printed.get("list") == _digest(waiting):
        return
    count = printed.get("count")
    most = max(len(waiting), count if isinstance(count, int) else 0)
    items = {one.item for one in waiting}
    plain = [name.removeprefix("./").rstrip("/") for name in names]
    numbers = [name for name in plain if name.isdecimal() and len(name) <= DIGITS and name not in items]
    if not any(0 < int(name) <= most for name in numbers):
        return
    for number, one in enumerate(waiting, 1):
        opened.console.say(f"{number}. {one.item}: {one.what}")
    note_printed(opened, waiting)
    happened = "changed since it was printed" if printed else "was not printed yet"
    message = f"The list {happened}, so {numbers[0]} could mean another thing. Nothing was changed."
    raise ReelError(message, hint="look at the list, and give the number again")


def _digest(waiting: "Sequence[WaitingProposal]") -> str:
    told = [(one.item, one.kind, one.proposal, one.before, one.after) for one in waiting]
    return hashlib.sha256(repr(told).encode("utf-8", "replace")).hexdigest()
