"""`.reel/state/verify.json`: how it went when the tape was last proven on this machine.

Proving reads and commits nothing, so a kit on another machine does not know. Losing the file loses nothing.
"""

import json
from typing import NamedTuple

from reel_cli.errors import StateError
from reel_cli.kit.private import read_json, state_folder, write_private
from reel_cli.kit.state import State

FILE = "verify.json"


class Verified(NamedTuple):
    """The last proof: when (ISO 8601), how many things were broken; when any last were ("" for never)."""

    at: str
    broken: int
    failed: str = ""

    @property
    def well(self) -> bool:
        """Whether all was as it was recorded."""
        return not self.broken


def note_verified(state: State, at: str, broken: int) -> None:
    """Note how it went, where that can be written."""
    before = last_verified(state)
    failed = at if broken else before.failed if before is not None else ""
    try:
        state_folder(state.kit)
        write_private(state.folder / FILE, json.dumps(Verified(at, broken, failed)._asdict()).encode())
    except (OSError, StateError):
        return


def last_verified(state: State) -> Verified | None:
    """How it went last; None where nothing is known of it here."""
    value = read_json(state.folder / FILE)
    if not isinstance(value, dict):
        return None
    at, broken, failed = (value.get(key) for key in ("at", "broken", "failed"))
    if not isinstance(at, str) or type(broken) is not int or not isinstance(failed, str):
        return None
    return Verified(at, max(0, broken), failed)
