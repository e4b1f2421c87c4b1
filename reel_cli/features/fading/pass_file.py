"""`.reel/state/maintain.json`: the pass of maintenance that is under way, and when the last one ended.

A pass that let nothing go makes no commit; that it was made is known from here. Losing the file costs a
look through the rings, and nothing else.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from reel_cli.core.errors import StateError
from reel_cli.core.files.private import state_folder, write_private
from reel_cli.core.files.state import State
from reel_cli.core.frozen import frozen

FILE = "maintain.json"
_REVIEWED = "reviewed"


@frozen
class UnderWay:
    """A pass that is not done: when it began (ISO 8601), on which commit, with how many tokens a ring."""

    begun: str
    commit: str
    rings: Mapping[str, int]


def save_pass(state: State, under_way: UnderWay) -> None:
    """Remember a pass, so that it can go on where it was stopped."""
    _write(state, {**_read(state), "pass": asdict(under_way)})


def pass_under_way(state: State) -> UnderWay | None:
    """Return the pass that was begun and is not done; None if there is none, or it is damaged."""
    value = _read(state).get("pass")
    if not isinstance(value, dict) or not all(isinstance(value.get(k), str) for k in ("begun", "commit")):
        return None
    rings = value.get("rings")
    if not isinstance(rings, dict) or not all(type(tokens) is int for tokens in rings.values()):
        return None
    return UnderWay(value["begun"], value["commit"], {str(ring): rings[ring] for ring in rings})


def end_pass(state: State, at: str, *, asks: bool = False) -> None:
    """Record that a pass was completed, whether it let anything go or not, if that can be written.

    Where it still `asks` for the persona's words, their exchange is of the same pass.
    """
    stays = ("pass", _REVIEWED) if asks else (_REVIEWED,)
    before = {key: value for key, value in _read(state).items() if key in stays}
    try:
        _write(state, {**before, "at": at})
    except (OSError, StateError):
        return


def last_pass(state: State) -> str | None:
    """Return when the last pass ended (ISO 8601); None if none is known on this machine."""
    at = _read(state).get("at")
    return at if isinstance(at, str) else None


def note_review(state: State, at: str) -> None:
    """Record when it was last gone through which memories must stay, if that can be written."""
    try:
        _write(state, {**_read(state), _REVIEWED: at})
    except (OSError, StateError):
        return


def last_review(state: State) -> str | None:
    """Return when it was last gone through which memories must stay; None if this machine does not know."""
    at = _read(state).get(_REVIEWED)
    return at if isinstance(at, str) else None


def _read(state: State) -> dict[str, Any]:
    value = state.note(FILE)
    return value if isinstance(value, dict) else {}


def _write(state: State, value: Mapping[str, Any]) -> None:
    state_folder(state.kit)
    write_private(state.folder / FILE, json.dumps(value).encode())
