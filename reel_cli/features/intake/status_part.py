"""The part of `reel status` about what was said and waits to be decided, which the next page does."""

from reel_cli.features.intake.entry import MOST_ASKED
from reel_cli.features.intake.queue import count_waiting
from reel_cli.terminal.status_parts import StatusPart, StatusScope


def _text(scope: StatusScope) -> str:
    waiting = count_waiting(scope.snapshot) if scope.opened.then is None else 0
    if waiting == 0:
        return ""
    told = "intake.yaml cannot be read, so nothing more is noted in it; why:  reel doctor"
    if waiting is not None:
        what = "1 thing that was said" if waiting == 1 else f"{waiting:,} things that were said"
        asks = "a page asks" if waiting <= MOST_ASKED else "the next pages ask"
        told = f"{what} may be worth keeping; {asks}, as soon as there is room."
    return scope.opened.console.wrap(told, scope.opened.console.out)


def _json(scope: StatusScope) -> dict[str, object]:
    return {"intake": {"waiting": count_waiting(scope.snapshot)}}


WAITING = StatusPart(70, _text, _json)
