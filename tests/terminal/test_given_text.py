"""What is pasted on standard input."""

import io
import sys

import pytest

from reel_cli.terminal.given_text import read_all


class Terminal(io.RawIOBase):
    """Gives one typed line a read; Ctrl-D is one empty read, and reading on would wait for ever."""

    def __init__(self, *lines: bytes) -> None:
        self._lines = [*lines, b""]

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray) -> int:  # type: ignore[override]
        line = self._lines.pop(0)
        buffer[: len(line)] = line
        return len(line)


def test_one_ctrl_d_ends_a_paste(monkeypatch: pytest.MonkeyPatch) -> None:
    typed = Terminal(b"You: Good evening.\n", b"\n", b"Ada: Good evening.\n")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(typed)))  # type: ignore[type-var]
    assert read_all(1 << 20) == b"You: Good evening.\n\nAda: Good evening.\n"
