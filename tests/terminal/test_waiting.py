"""Screens while something takes long."""

import io
import threading

import pytest

from reel_cli.terminal import progress_bar
from reel_cli.terminal.console import Console


class Terminal(io.StringIO):
    """A terminal that keeps what was written."""

    def isatty(self) -> bool:
        return True


def let_it_take_long() -> None:
    """Go on once the line stands."""
    for thread in threading.enumerate():
        if isinstance(thread, threading.Timer):
            thread.join()


def test_at_a_terminal_a_line_says_what_for_and_goes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress_bar, "WORTH_SHOWING", 0)
    screen = Terminal()
    shown = Console(io.StringIO(), screen)
    with shown.waiting("Packing"):
        let_it_take_long()
        assert screen.getvalue() == "Packing …"
    shown.say("Done.")
    assert screen.getvalue() == "Packing …\r\x1b[KDone.\n"


def test_a_pipe_and_what_is_quick_say_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    pipe, screen = io.StringIO(), Terminal()
    with Console(io.StringIO(), screen).waiting("Packing"):
        pass
    monkeypatch.setattr(progress_bar, "WORTH_SHOWING", 0)
    with Console(io.StringIO(), pipe).waiting("Packing"):
        let_it_take_long()
    assert (pipe.getvalue(), screen.getvalue()) == ("", "")
