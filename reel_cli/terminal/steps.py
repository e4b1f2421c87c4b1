"""Commands on the screen, as they must be typed where the person is."""

import re
from collections.abc import Callable
from pathlib import Path

from reel_cli.core.shell import quote_path
from reel_cli.features.table import COMMANDS

_ANYWHERE = {"init", "help", "kits"}
"""Commands that are about no kit in particular."""
_SET_OFF = r"(?m)(^|  )"


def steps_for_kit(kit: Path) -> Callable[[str], str]:
    """Return what makes a text's commands work on a kit that was named with --kit."""
    names = "|".join(name for name in COMMANDS if name not in _ANYWHERE)
    return _with_options((rf"reel (?=(?:{names})\b)", f"reel --kit {quote_path(kit)} "), _git(kit))


def steps_in_folder(kit: Path) -> Callable[[str], str]:
    """Return what makes a text's git commands, which name paths from the kit, work in a folder below."""
    return _with_options(_git(kit))


def _git(kit: Path) -> tuple[str, str]:
    return r"git (?=[a-z])(?!config --global)", f"git -C {quote_path(kit)} "


def _with_options(*changes: tuple[str, str]) -> Callable[[str], str]:
    # a backslash in a folder's name stays one
    found = [(re.compile(_SET_OFF + what), command.replace("\\", r"\\")) for what, command in changes]

    def change(text: str) -> str:
        for pattern, command in found:
            text = pattern.sub(rf"\g<1>{command}", text)
        return text

    return change
