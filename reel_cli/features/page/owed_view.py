"""Pages that are owed, as `start` and `doctor` say it (`status` lists them as due)."""

import json
from contextlib import suppress
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reel_cli.core.warning import KitWarning
    from reel_cli.terminal.context import OpenKit


def pages_owed(opened: "OpenKit") -> "Sequence[KitWarning]":
    """Return what no page tells of yet; nothing where the kit cannot be read, which others say.

    The answer is kept in the kit's catalog and holds while no file of the kit changes.
    """
    from reel_cli.core.kit.kit_note import note_kit
    from reel_cli.core.warning import KitWarning

    exchanges = opened.state.exchanges()

    def make() -> list[tuple[str, str, str]]:
        from reel_cli.features.page.owed_pages import list_owed

        return [(one.kind, one.text, one.mend) for one in list_owed(opened.overview, exchanges.values())]

    with suppress(ReelError):
        rows = note_kit(opened.root, "owed", [json.dumps(exchanges, sort_keys=True)], make)
        return [KitWarning(*row) for row in rows]
    return ()
