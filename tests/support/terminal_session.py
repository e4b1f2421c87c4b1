"""A program at a real terminal, with a shell around it that says what reached it afterwards."""

import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

import pytest

from tests.support.cli import CHECKOUT

_SHELL = """
import fcntl, os, select, signal, subprocess, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
signal.signal(signal.SIGINT, lambda *_: None)
code = subprocess.run(sys.argv[1:]).returncode
print(f"[{code}]", flush=True)
before = termios.tcgetattr(0)
before[3] &= ~(termios.ICANON | termios.ECHO)
termios.tcsetattr(0, termios.TCSANOW, before)
left = b""
while select.select([0], [], [], 0.3)[0]:
    left += os.read(0, 1 << 16)
print(f"left for the shell: {left!r}", flush=True)
"""
PATIENCE = 30.0
"""Seconds after which the words that a test waits for do not come any more."""


class Screen:
    """One run of the program at a terminal: `until` words are shown, `type` an answer, `paste` a text."""

    def __init__(self, command: Sequence[str], kit: Path, env: Mapping[str, str] | None = None) -> None:
        """Start it; the test is skipped where there are no such terminals."""
        pty = pytest.importorskip("pty", reason="there are no such terminals here")
        self.shown = ""
        self._mine, theirs = pty.openpty()
        self._ended = False
        whole = {**os.environ, "PYTHONPATH": str(CHECKOUT), "TERM": "xterm", "COLUMNS": "80", **(env or {})}
        self._process = subprocess.Popen(
            [sys.executable, "-c", _SHELL, *command],
            cwd=kit,
            env=whole,
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
        )
        os.close(theirs)

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End what still runs."""
        if self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
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
        os.killpg(self._process.pid, signal.SIGHUP)
        self._process.wait()

    def left_for_shell(self) -> str:
        """Wait for its end; return what the shell would have run."""
        self.until("left for the shell: ")
        return self.until("\n").strip()
