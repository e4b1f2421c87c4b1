"""The kits that a person may mean from where they are: the one around, those below, those known here."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from reel_cli.core.kit.known_kits import list_kits
from reel_cli.core.shell import quote, quote_path
from reel_cli.terminal.context import lacks_settings

if TYPE_CHECKING:
    from reel_cli.terminal.context import Context
    from reel_cli.terminal.open_kit import OpenKit

MOST = 32
"""Maximum number of kits listed from one folder."""


def is_kit(place: Path) -> bool:
    """Return whether a folder is a kit, also one whose kit.yaml is missing."""
    return (place / "kit.yaml").is_file() or lacks_settings(place)


def find_around(here: Path) -> Path | None:
    """Return the kit that a folder lies in."""
    return next((place for place in (here, *here.parents) if is_kit(place)), None)


def list_below(here: Path) -> Sequence[Path]:
    """Return the kits directly below a folder, by name."""
    try:
        names = sorted(entry.name for entry in os.scandir(here) if not entry.name.startswith("."))
    except OSError:
        return ()
    return [here / name for name in names if is_kit(here / name)][:MOST]


def list_known(here: Path) -> Sequence[Path]:
    """Return every kit that is known: around and below this folder, then those used on this machine."""
    around = find_around(here)
    found = [*([around] if around is not None else list_below(here)), *list_kits()]
    return list({place.resolve(): place for place in found})


def open_beside(context: "Context", root: Path) -> "OpenKit":
    """Open a kit that is only looked at: nothing that was stopped in it is finished."""
    from reel_cli.core.errors import ReelError
    from reel_cli.core.git.repository import find_repository
    from reel_cli.terminal.open_kit import OpenKit

    opened = OpenKit(context=context, root=root, repository=None)
    try:
        opened.repository = find_repository(root)
    except (ReelError, OSError):
        # its files can be read without its history
        opened.repository = None
    return opened


def show_path(place: Path) -> str:
    """Return a folder as a person types it: from here, or from their home."""
    here, home = Path.cwd().resolve(), Path.home().resolve()
    whole = place.resolve()
    if whole == here:
        return "."
    if whole.is_relative_to(here):
        return quote_path(whole.relative_to(here))
    if whole.is_relative_to(home) and whole != home:
        return f"~/{quote(whole.relative_to(home))}"
    return quote_path(whole)
