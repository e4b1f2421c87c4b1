"""Examples of which a purge took words, in `reel status`."""

from collections.abc import Sequence

from reel_cli.core.errors import ReelError
from reel_cli.core.rings.lost_examples import list_lost, retire_command, tell_lost
from reel_cli.core.values.due import Due
from reel_cli.terminal.status_parts import StatusPart, StatusScope


def _due(scope: StatusScope) -> Sequence[Due]:
    try:
        lost = list_lost(scope.snapshot)
    except ReelError:
        # the file is named among those to fix
        return ()
    return (Due("examples", tell_lost(lost), retire_command(scope.snapshot, lost)),) if lost else ()


DUE = StatusPart(67, due=_due)
