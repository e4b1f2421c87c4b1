"""Commands on the screen, as they must be typed where the person is."""

import re
from collections.abc import Callable
from pathlib import Path

from reel_cli.core.shell import quote, quote_path
from reel_cli.features.table import COMMANDS

_ANYWHERE = {"init", "help", "kits"}
"""Commands that are about no kit in particular."""
_OF_HOME = {"apart"}
"""Commands that are about the kit that a chat kept apart is a copy of."""
_SET_OFF = r"(?m)(^|  )"


def steps_for_kit(kit: Path | None, chat: str | None = None) -> Callable[[str], str]:
    """Return what makes a text's commands work on the kit named with --kit, and on its --chat."""
    named = f"--kit {quote_path(kit)} " if kit is not None else ""
    here = f"--chat {quote(chat)} " if chat is not None else ""
    # a text that names a chat itself means that one
    other = r"(?:--chat \S+ )?" if chat is None else ""
    names = "|".join(name for name in COMMANDS if name not in _ANYWHERE | _OF_HOME)
    there = rf"reel (?={other}(?:{names})\b)"
    at_home = rf"reel (?=(?:{'|'.join(_OF_HOME)})\b)"
    of_git = [_git(kit)] if kit is not None and chat is None else []
    return _with_options((there, f"reel {named}{here}"), (at_home, f"reel {named}"), *of_git)


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
