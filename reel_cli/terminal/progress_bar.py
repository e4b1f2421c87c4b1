"""The bar of something that takes a while."""

import os
import time
from typing import Any, TextIO

from reel_cli.terminal.folding import columns

ACCENT = "cyan"
"""The one colour, for what wants a decision."""
WORTH_SHOWING = 0.7
"""Seconds below which work is done without showing its progress."""
REDRAW = 0.1
"""A bar is drawn anew at most this often, in seconds."""


class ProgressBar:
    """A bar that appears only when what it shows takes long enough to wonder about."""

    def __init__(self, stream: TextIO, what: str, total: float) -> None:
        self._stream, self._what, self._total = stream, what, total
        self._began = time.monotonic()
        self._done = self._drawn = 0.0
        self._shown: Any = None
        self._task: Any = None

    def advance(self, done: float) -> None:
        """Add to the amount that is done."""
        self._done += done
        now = time.monotonic()
        if self._shown is None and now - self._began > WORTH_SHOWING:
            self._show()
        if self._shown is not None and now - self._drawn > REDRAW:
            self._drawn = now
            self._shown.update(self._task, completed=self._done, refresh=True)

    def make_room(self) -> None:
        """Remove the bar until the next advance: something is about to be written."""
        if self._shown is not None:
            self._shown.stop()
            self._shown = None

    stop = make_room

    def _show(self) -> None:
        from rich.console import Console as RichConsole
        from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

        width = min(columns(self._stream), 80) - 4
        coloured = not os.environ.get("NO_COLOR")
        style = ACCENT if coloured else "none"
        self._shown = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(bar_width=None, complete_style=style, finished_style=style, pulse_style=style),
            TextColumn("{task.percentage:>3.0f} %", markup=False, style="none"),
            TimeRemainingColumn(compact=True),
            # narrower than the terminal, or the ^C printed after the bar would fold the line
            console=RichConsole(file=self._stream, no_color=not coloured, highlight=False, width=width),
            transient=True,
            # without a thread of its own, through which a deferred Ctrl-C would come in during a commit
            auto_refresh=False,
            redirect_stdout=False,
            redirect_stderr=False,
        )
        self._shown.start()
        self._task = self._shown.add_task(self._what, total=self._total or None, completed=self._done)
