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
_LOSSY = "lossy"
TRIES = 2
"""Times that a shorter text is made of a memory that lost too much; then it stays as it is."""


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
    stays = ("pass", _REVIEWED, _LOSSY) if asks else (_REVIEWED, _LOSSY)
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


def note_loss(state: State, name: str, blob: str, tries: int = 1) -> None:
    """Record that a shorter text of a memory lost too much, if that can be written."""
    known = list_lossy(state)
    count = known[name][1] if known.get(name, ("", 0))[0] == blob else 0
    try:
        _write(state, {**_read(state), _LOSSY: {**known, name: (blob, count + tries)}})
    except (OSError, StateError):
        return


def list_lossy(state: State) -> Mapping[str, tuple[str, int]]:
    """Return the memories of which shorter texts lost too much: the file's blob, and the number of tries."""
    value = _read(state).get(_LOSSY)
    rows = value.items() if isinstance(value, dict) else ()
    return {
        str(name): (row[0], row[1])
        for name, row in rows
        if isinstance(row, list) and len(row) == 2 and isinstance(row[0], str) and type(row[1]) is int
    }


def _read(state: State) -> dict[str, Any]:
    value = state.note(FILE)
    return value if isinstance(value, dict) else {}


def _write(state: State, value: Mapping[str, Any]) -> None:
    state_folder(state.kit)
    write_private(state.folder / FILE, json.dumps(value).encode())
