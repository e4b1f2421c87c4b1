"""The dream's parts of `reel status`: how dreaming stands, and whether a dream is due."""

from collections.abc import Sequence

from reel_cli.core.values.due import Due
from reel_cli.features.dream.pulse.standing import read_standing
from reel_cli.terminal.status_parts import StatusPart, StatusScope, fits, section


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
        left = f", {dream.left:,} session{'' if dream.left == 1 else 's'} left" if dream.left else ""
        lines.append((f"A dream is {told}{left}", command))
    if dream.context == "stale" and (dream.has_context or dream.state != "running"):
        how = "out of date" if dream.has_context else "not there yet"
        lines.append((f"SHARED-CONTEXT.md is {how}", "reel dream context"))
    shown: list[str] = []
    for told, command in lines:
        whole = f"{told}:  {command}"
        # a command stays in one piece, and what was so then is nothing to do now
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

    if scope.cold and not scope.snapshot.list("story"):
        return ()
    return list_dreams_due(scope.snapshot, look_beside(scope.opened), cold=scope.cold)


DREAM_DUE = StatusPart(10, due=_due)
DREAMING = StatusPart(90, _text, _json)
