"""The part of `reel status` about the chat that is followed just now, and how full its window is."""

from collections.abc import Sequence

from reel_cli.core.values.due import Due
from reel_cli.features.watch.gauge_view import KEEP, live_stream
from reel_cli.terminal.status_parts import StatusPart, StatusScope


def _text(scope: StatusScope) -> str:
    opened = scope.opened
    live = live_stream(opened) if opened.past is None else None
    return opened.console.wrap(live[1].told(live[0]), opened.console.out) if live is not None else ""


def _json(scope: StatusScope) -> dict[str, object]:
    live = live_stream(scope.opened) if scope.opened.past is None else None
    return {"stream": live[1].as_json(live[0]) if live is not None else None}


def _due(scope: StatusScope) -> Sequence[Due]:
    """Return that the chat that goes on fills its window or cap, with the command that makes room."""
    live = live_stream(scope.opened)
    if live is None or not live[1].is_full:
        return ()
    title, full = live
    return (Due(full.held_to, f"{title} takes {full.percent} % of it", KEEP),)


LIVE = StatusPart(30, _text, _json, _due)
