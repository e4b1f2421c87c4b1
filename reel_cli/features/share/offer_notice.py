"""A line before a chat: another persona has something to tell this one."""

from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.values.due import KitWarning

if TYPE_CHECKING:
    from reel_cli.terminal.open_kit import OpenKit

_PLACES = ("shares.yaml", "../shared/shared.yaml", "../shared-memories/shared.yaml")
"""Files, as seen from a kit, without one of which nothing can wait; nothing more is imported then."""


def find_untold(opened: "OpenKit") -> Iterator[KitWarning]:
    """Yield the memories that others shared with this persona, and that it has not taken in."""
    if opened.past is not None or not any((opened.root / place).is_file() for place in _PLACES):
        return
    from reel_cli.features.share.ask import title_for
    from reel_cli.features.share.shared_kit import find_shared, read_shares

    with suppress(ReelError, OSError):
        # the doctor says what cannot be read
        shares = read_shares(opened.snapshot)
        shared = find_shared(opened.root, shares)
        if shared is None:
            return
        kit = shared.own_name(opened.root, shares.name, opened.snapshot.settings.name)
        for one in shared.list_open(kit, shares):
            text = f"{shared.teller_of(one)} has something to tell, “{title_for(one, kit, shared)}”"
            yield KitWarning("share", text, f"reel share {one.id}")
