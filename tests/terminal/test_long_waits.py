"""Screens while something takes long."""

import io
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

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


def test_what_is_counted_a_second_time_begins_a_bar_of_its_own() -> None:
    shown = Console(io.StringIO(), io.StringIO())
    bars: list[list[float]] = []

    @contextmanager
    def progress(what: str, total: float) -> Iterator[Callable[[float], None]]:
        bars.append([total])
        yield bars[-1].append
        bars[-1].append(-1)

    shown.progress = progress  # type: ignore[method-assign]
    with shown.counting("Reading") as count:
        for done in (0, 2, 3):
            count(done, 3)
        assert bars == [[3, 0, 2, 1, -1]]
        count(1, 5)
    # also one that was not counted to its end is gone
    assert bars[1:] == [[5, 1, -1]]
