"""The dream's parts of `reel status`: how dreaming stands, nearly free where there is none; what is due."""

from collections.abc import Sequence
from typing import NamedTuple

from reel_cli.core.errors import ReelError
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.tape.tape_view import standing_sessions
from reel_cli.core.values.due import Due
from reel_cli.terminal.status_parts import StatusPart, StatusScope, fits, section

CURSOR = "story/cursor.yaml"


class DreamState(NamedTuple):
    """The state of the dream (`running`, `stopped`, `done`), and how many sessions it has not begun.

    `context` is how fresh the shared context is (`fresh`, `stale`, `none`), `has_context` that there is one.
    """

    state: str
    left: int
    context: str
    has_context: bool


def read_standing(overview: Snapshot) -> DreamState | None:
    """Return the state of dreaming; None if there never was a dream, or its files cannot be read."""
    if CURSOR not in overview.list("story"):
        return None
    from reel_cli.core.tape.last_turns import is_since
    from reel_cli.features.dream.context.files import CONTEXT
    from reel_cli.features.dream.context.state import judge_freshness
    from reel_cli.features.dream.cursor_file import parse_cursor

    try:
        text = overview.text(CURSOR) or ""
        if not text.strip():
            return None
        cursor = parse_cursor(text)
        wanted = [name for name in standing_sessions(overview) if is_since(overview, name, cursor.since)]
        left = sum(name not in cursor.read for name in wanted)
        fresh = judge_freshness(overview).value
        has_context = overview.read(CONTEXT) is not None
    except ReelError:
        return None
    return DreamState(cursor.state.value, left, fresh, has_context)


def _text(scope: StatusScope) -> str:
    """Return a dream that is not done, and a shared context that is out of date, each with its next step."""
    opened, dream = scope.opened, read_standing(scope.snapshot)
    if dream is None:
        return ""
    lines = []
    asked = any(one.what == "dream" for one in scope.due)
    if dream.state != "done" and not (dream.state == "running" and asked):
        told = "under way" if dream.state == "running" else "stopped"
        command = "reel dream next" if dream.state == "running" else "reel dream start"
        left = f", {dream.left:,} chat{'' if dream.left == 1 else 's'} left" if dream.left else ""
        lines.append((f"A dream is {told}{left}", command))
    if dream.context == "stale" and (dream.has_context or dream.state != "running"):
        how = "out of date" if dream.has_context else "not there yet"
        lines.append((f"SHARED-CONTEXT.md is {how}", "reel dream context"))
    shown: list[str] = []
    for told, command in lines:
        whole = f"{told}:  {command}"
        # keep a command in one piece; a look back has nothing to do now
        one = [told] if opened.then is not None else [whole] if fits(opened.console, whole, 2) else []
        shown += one or [f"{told}:", f"  {command}"]
    return section(opened.console, "Dreaming", shown)


def _json(scope: StatusScope) -> dict[str, object]:
    dream = read_standing(scope.snapshot)
    told = dream and {"state": dream.state, "left": dream.left, "context": dream.context}
    return {"dream": told}


def _due(scope: StatusScope) -> Sequence[Due]:
    from reel_cli.features.dream.pulse.due import list_dreams_due
    from reel_cli.features.dream.pulse.outside_facts import look_beside

    return list_dreams_due(scope.snapshot, look_beside(scope.opened), cold=scope.cold)


DREAM_DUE = StatusPart(10, due=_due)
DREAMING = StatusPart(90, _text, _json)
