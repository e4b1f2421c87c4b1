"""Input of turns in a chat, one at a time, with the terminal's own line editing."""

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from reel_cli.terminal.folding import cells
from reel_cli.terminal.input.keys import typing
from reel_cli.terminal.plain_text import printable

if TYPE_CHECKING:
    from reel_cli.terminal.console import Console

GOES_ON = "\\"
"""Character at the end of a line that continues the turn in the next."""
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_STYLE = re.compile(r"(\x1b\[[0-9;]*m)")


class TurnPrompt:
    """A prompt for turns behind a name."""

    def __init__(self, console: "Console") -> None:
        """Ask on the terminal, with history and editing where there are such; nothing of it is kept."""
        self._console = console
        self._edits = console.out.isatty() and _have_editing()

    def turn(self, name: str) -> str:
        """Return the next turn of `name`, maybe several lines; raises EOFError at the end."""
        lead = f"{printable(name)} > "
        lines = [self._line(self._console.accent(lead, self._console.out))]
        while lines[-1].endswith(GOES_ON):
            lines[-1] = lines[-1].removesuffix(GOES_ON)
            try:
                lines.append(self._line(" " * (cells(lead) - 2) + "… "))
            except EOFError:
                break
        return "\n".join(lines).strip()

    @contextmanager
    def ahead(self) -> Iterator[None]:
        """Hide what is typed or pasted while an answer comes; a paste stays one turn."""
        with typing(wanted=self._edits and self._console.redraws):
            yield

    def _line(self, lead: str) -> str:
        if not self._edits:
            text = self._console.ask(_STYLE.sub("", lead).rstrip(), ahead=True)
        else:
            self._console.flush()
            # zero-width sequences are marked, or readline would fold the line at the wrong place
            text = input(_STYLE.sub("\x01\\1\x02", lead))
        whole = text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
        return _CONTROL.sub("", whole.replace("\r\n", "\n").replace("\r", "\n"))


def piped_turns() -> Iterator[str]:
    """Yield the turns on standard input, a line each; skips blank lines."""
    for line in sys.stdin.buffer if sys.stdin is not None else ():
        text = _CONTROL.sub("", line.decode("utf-8", "replace").removeprefix("\ufeff")).strip()
        if text:
            yield text


def _have_editing() -> bool:
    """Switch on line editing; whether there is such."""
    try:
        import readline
    except ImportError:
        return sys.platform == "win32"  # the console edits by itself
    if "libedit" not in (readline.__doc__ or ""):
        # a paste of several lines is one turn
        readline.parse_and_bind("set enable-bracketed-paste on")
    return True
