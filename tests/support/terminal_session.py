"""A program at a real terminal, with a shell around it that says what reached it afterwards."""

import os
import select
import signal
import time
import warnings
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import NoReturn, Self

import pytest

from tests.support.forked_program import be_reel

PATIENCE = 30.0
"""Seconds after which the words that a test waits for do not come any more."""


class Screen:
    """One run of the program at a terminal: `until` words are shown, `type` an answer, `paste` a text.

    `command` is its arguments.
    """

    def __init__(self, command: Sequence[str], kit: Path, env: Mapping[str, str] | None = None) -> None:
        """Start it, forked from this process; the test is skipped where there are no such terminals."""
        pty = pytest.importorskip("pty", reason="there are no such terminals here")
        self.shown = ""
        self._mine, theirs = pty.openpty()
        whole = {**os.environ, "TERM": "xterm", "COLUMNS": "80", **(env or {})}
        with warnings.catch_warnings():
            # the other threads here only pass on what the tests found
            warnings.simplefilter("ignore", DeprecationWarning)
            self._shell = os.fork()
        if self._shell == 0:
            os.close(self._mine)
            _be_shell(tuple(command), kit, whole, theirs)
        os.close(theirs)

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End what still runs."""
        if self._shell:
            with suppress(ProcessLookupError):
                os.killpg(self._shell, signal.SIGKILL)
            os.waitpid(self._shell, 0)
        os.close(self._mine)

    def until(self, words: str) -> str:
        """Wait until these words are shown; return all that was shown since the last wait."""
        end = time.monotonic() + PATIENCE
        while words not in self.shown and time.monotonic() < end:
            if select.select([self._mine], [], [], 0.1)[0]:
                try:
                    piece = os.read(self._mine, 1 << 16)
                except OSError:
                    piece = b""
                if not piece:
                    break
                self.shown += piece.decode("utf-8", "replace").replace("\r\n", "\n")
        assert words in self.shown, self.shown
        before, _, after = self.shown.partition(words)
        self.shown = after
        return before + words

    def asked(self, question: str = "\n> ") -> str:
        """Wait until this question is shown and may be answered; return what was shown before it."""
        shown = self.until(question)
        # before the terminal is told to mark pastes, what is pasted has no marks
        self.until("\x1b[?2004h")
        return shown

    def type(self, text: str) -> None:
        """Press these keys, an Enter at the end."""
        self.press(f"{text}\r")

    def press(self, keys: str) -> None:
        """Press keys."""
        os.write(self._mine, keys.encode())

    def paste(self, text: str, *, marked: bool = True) -> None:
        """Paste a text, `marked` as terminals do where they were asked to."""
        lines = text.replace("\n", "\r")
        self.press(f"\x1b[200~{lines}\x1b[201~" if marked else lines)

    def close(self) -> None:
        """Close the window, and wait until whatever ran in it has ended."""
        os.killpg(self._shell, signal.SIGHUP)
        os.waitpid(self._shell, 0)
        self._shell = 0

    def left_for_shell(self) -> str:
        """Wait for its end; return what the shell would have run."""
        self.until("left for the shell: ")
        return self.until("\n").strip()


def _be_shell(command: tuple[str, ...], kit: Path, env: Mapping[str, str], terminal: int) -> NoReturn:
    """Be the shell in this process: run the program, say how it ended and what it did not read."""
    import fcntl
    import termios

    try:
        os.setsid()
        fcntl.ioctl(terminal, termios.TIOCSCTTY, 0)
        for stream in (0, 1, 2):
            os.dup2(terminal, stream)
        signal.signal(signal.SIGINT, lambda *_: None)
        program = os.fork()
        if program == 0:
            be_reel(command, kit, env, (0, 1, 2))
        code = os.waitstatus_to_exitcode(os.waitpid(program, 0)[1])
        os.write(1, f"[{code}]\n".encode())
        before = termios.tcgetattr(0)
        before[3] &= ~(termios.ICANON | termios.ECHO)
        termios.tcsetattr(0, termios.TCSANOW, before)
        left = b""
        while select.select([0], [], [], 0.3)[0]:
            left += os.read(0, 1 << 16)
        os.write(1, f"left for the shell: {left!r}\n".encode())
    finally:
        os._exit(0)
