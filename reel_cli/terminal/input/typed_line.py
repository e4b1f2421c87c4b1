"""Lines that a person types at a question, and texts that they paste there.

A text of several lines is taken whole: its first line is no answer, and its others reach neither the next
question nor, after reel has ended, the shell.
"""

import os
import re
import select
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from reel_cli.core.frozen import frozen
from reel_cli.terminal.folding import cells
from reel_cli.terminal.input.keys import AT_ONCE, Key, Keys, typing

SOON = 0.05
"""Seconds after an Enter within which more text was pasted together with it."""
QUIET = 0.2
"""Seconds without more after which a paste has ended."""
HEARS = 0.5
"""Seconds of one wait for a key."""
LONG = 255
"""Characters above which a pasted line is told by its length and not shown."""
_KEY = 3
"""Characters up to which lines that come at once are keys, typed before they were asked for."""
_DRAINS = 3.0
"""Maximum seconds in which a paste is thrown away."""


@frozen
class TypedLine:
    """One answer without its line end; a text of several lines where that was pasted.

    `ended` says that the input has ended and there is no answer.
    """

    text: str
    ended: bool = False

    @property
    def is_block(self) -> bool:
        """Return whether it is a text of several lines."""
        return "\n" in self.text


def count_pasted(text: str) -> str:
    """Return how much a pasted text is, such as `42 lines`."""
    ends = re.findall(r"\n+", text)
    # a terminal sends each CRLF of the clipboard as two line ends
    doubled = bool(ends) and all(len(run) % 2 == 0 for run in ends)
    lines = sum(map(len, ends)) // (2 if doubled else 1) + 1
    return f"{lines:,} lines" if lines > 1 else f"{len(text):,} characters"


class LineInput:
    """One line in the making, as it is typed and pasted at a terminal that hands over characters."""

    def __init__(self, number: int, show: Callable[[str], None], ahead: str = "") -> None:
        """Read from file descriptor `number`, show by `show`; `ahead` was typed before."""
        self._number, self._show, self._ahead = number, show, ahead
        self._keys = Keys(typed=True)
        self._paste = ""
        self._pieces: list[tuple[str, str]] = []
        """The pieces of the line: each character or paste by what is shown of it, and by its text."""
        self.pasted = False
        """True if a text was pasted."""

    @property
    def ahead(self) -> str:
        """Return the keys that were typed for later questions."""
        return self._ahead

    @property
    def text(self) -> str:
        """Return what was typed and pasted so far, and what came of a paste that goes on."""
        return "".join(text for _, text in self._pieces) + self._paste

    def wait(self, seconds: float | None = None) -> TypedLine | None:
        """Return the line as soon as Enter ends it; None where that takes longer than these seconds."""
        until = None if seconds is None else time.monotonic() + seconds
        while True:
            if self._ahead:
                typed, self._ahead = self._ahead, ""
                if (line := self._take_typed(typed, b"")) is not None:
                    return line
            left = None if until is None else max(0.0, until - time.monotonic())
            if not self._is_ready(left):
                return None
            if (line := self._take(self._read())) is not None:
                return line

    def _is_ready(self, seconds: float | None) -> bool:
        if seconds is not None:
            return bool(select.select([self._number], [], [], seconds)[0])
        # in short waits: Ctrl-C pressed right before one would otherwise count only with the next key
        while not select.select([self._number], [], [], HEARS)[0]:
            pass
        return True

    def _read(self) -> bytes:
        with suppress(OSError):
            # a Ctrl-D from before has become a zero
            return os.read(self._number, AT_ONCE).replace(b"\0", b"\x04")
        return b""

    def _take(self, data: bytes) -> TypedLine | None:
        """Take what came; return the line where it ends."""
        if not data:
            return TypedLine("", ended=True)
        typed = ""
        # whether a paste goes on is known only while it is read
        events = [(one, self._keys.pasting) for one in self._keys.feed(data)]
        for place, (one, pasting) in enumerate(events, 1):
            if isinstance(one, str) and pasting:
                self._paste += one
            elif isinstance(one, str):
                typed += one
            elif (line := self._press(one, typed)) is not None:
                self._ahead += "".join(more for more, _ in events[place:] if isinstance(more, str))
                return line
            else:
                typed = ""
        return self._take_typed(typed, data) if typed else None

    def _press(self, key: Key, typed: str) -> TypedLine | None:
        """Do what a key asks for, after the text `typed` before it; return the line if that ends it."""
        if "\n" in typed and key is Key.PASTED:
            # Enter was pressed before the paste, which is for the next question
            first, _, rest = typed.partition("\n")
            self._ahead, self._paste = f"{rest}{self._paste}", ""
            self._add(first)
            return self._end()
        if "\n" in typed:
            self._add_paste(typed)
        else:
            self._add(typed)
        if key is Key.PASTED:
            paste, self._paste = self._paste, ""
            self._add_paste(paste)
        elif key is Key.END:
            return self._end() if self._pieces else TypedLine("", ended=True)
        else:
            self._erase(len(self._pieces) if key is Key.ERASE_LINE else 1)
        return None

    def _take_typed(self, typed: str, data: bytes) -> TypedLine | None:
        """Take text that no terminal marked as pasted; an Enter ends the line if nothing comes with it."""
        if "\n" not in typed:
            self._add(typed)
            return None
        first, _, rest = typed.partition("\n")
        if data and (rest or self._is_ready(SOON)):
            while self._is_ready(QUIET) and (more := self._read()):
                rest += "".join(one for one in self._keys.feed(more) if isinstance(one, str))
        lines = f"{first}\n{rest}".split("\n")
        # a program that types for a person sends a line and its Enter together
        if (not rest and len(first) <= LONG) or all(len(line) <= _KEY for line in lines):
            self._add(first)
            self._ahead = rest
            return self._end()
        self._add_paste(f"{first}\n{rest}")
        return None

    def _add(self, text: str) -> None:
        for char in text:
            shown = " " if char == "\t" else char
            self._pieces.append((shown, char))
            self._show(shown)

    def _add_paste(self, text: str) -> None:
        """Add a paste: a short line as if it were typed, else as one piece that waits for Enter."""
        self.pasted = True
        plain = text.rstrip("\n")
        if "\n" not in plain and len(plain) <= LONG:
            self._add(plain)
            return
        shown = f"[{count_pasted(plain)} pasted; press Enter] "
        self._pieces.append((shown, f"{plain}\n" if "\n" in plain else plain))
        self._show(shown)

    def _erase(self, count: int) -> None:
        for _ in range(min(count, len(self._pieces))):
            shown, _ = self._pieces.pop()
            self._show("\b \b" * cells(shown))

    def _end(self) -> TypedLine:
        self._show("\n")
        return TypedLine(self.text.removesuffix("\n"))


@contextmanager
def typed_lines(show: Callable[[str], None], ahead: str = "") -> Iterator[LineInput | None]:
    """Yield a line to be typed at the terminal; None where standard input is no such terminal."""
    with typing(wanted=True) as raw:
        yield LineInput(sys.stdin.fileno(), show, ahead) if raw else None


def read_plain_line(show: Callable[[str], None]) -> TypedLine:
    """Return a line from an input that hands over whole lines, such as a console of Windows."""
    line = sys.stdin.readline()
    text = line.removesuffix("\n")
    if line.endswith("\n") and (rest := _take_rest()):
        pasted = f"{text}\n{rest}".rstrip("\n")
        show(f"[{count_pasted(pasted)} pasted; press Enter] ")
        sys.stdin.readline()
        return TypedLine(pasted)
    return TypedLine(text, ended=not line)


def is_typed_within(seconds: float) -> bool:
    """Return whether a line was typed or the input has ended; waits at most this many seconds."""
    try:
        number = sys.stdin.fileno()
    except (OSError, ValueError):
        # not a system terminal: its input is ready
        return True
    if sys.platform == "win32":
        import msvcrt

        until = time.monotonic() + seconds
        while not msvcrt.kbhit():
            if time.monotonic() >= until:
                return False
            time.sleep(0.05)
        return True
    return bool(select.select([number], [], [], seconds)[0])


def _take_rest() -> str:
    """Return what a console of Windows holds behind a line that was pasted; "" elsewhere."""
    rest: list[str] = []
    if sys.platform == "win32" and sys.stdin.isatty():
        import msvcrt

        until = time.monotonic() + SOON
        while time.monotonic() < until:
            if msvcrt.kbhit():
                rest.append(msvcrt.getwch())
                until = time.monotonic() + QUIET
            else:
                time.sleep(SOON / 10)
    return "".join(rest).replace("\r\n", "\n").replace("\r", "\n")


def discard_input(seconds: float = SOON) -> str:
    """Throw away what waits on the terminal or is being pasted; return it.

    The shell would take it for commands, and a question for its answer. The first of it may come within
    these `seconds`.
    """
    dropped = b""
    try:
        import termios

        number = sys.stdin.fileno()
        if not os.isatty(number) or os.tcgetpgrp(number) != os.getpgrp():
            return ""
        before = termios.tcgetattr(number)
    except (ImportError, AttributeError, OSError, ValueError):
        return ""
    quiet = [*before[:6], list(before[6])]
    quiet[3] &= ~(termios.ICANON | termios.ECHO)
    quiet[6][termios.VMIN], quiet[6][termios.VTIME] = 1, 0
    until, wait = time.monotonic() + _DRAINS, seconds
    with suppress(OSError, termios.error):
        termios.tcsetattr(number, termios.TCSANOW, quiet)
        try:
            while time.monotonic() < until and select.select([number], [], [], wait)[0]:
                if not (more := os.read(number, AT_ONCE)):
                    break
                dropped, wait = dropped + more, QUIET
        finally:
            termios.tcsetattr(number, termios.TCSAFLUSH, before)
    return dropped.decode("utf-8", "replace")
